// The whole API as one list: what Fastify serves, OpenAPI describes and the contract test walks.
import type { Route } from '../http/route.ts'
import { attachmentRoutes } from '../modules/attachments/routes.ts'
import { contactRoutes } from '../modules/contacts/routes.ts'
import { identityRoutes } from '../modules/identity/routes.ts'
import { messageRoutes } from '../modules/messages/routes.ts'
import { orderRoutes } from '../modules/orders/routes.ts'
import { postRoutes } from '../modules/posts/routes.ts'
import { profileRoutes } from '../modules/profiles/routes.ts'
import { reviewRoutes } from '../modules/reviews/routes.ts'
import { staffRoutes } from '../modules/staff/routes.ts'
import { walletRoutes } from '../modules/wallet/routes.ts'

export const routes: readonly Route[] = [
  ...identityRoutes,
  ...profileRoutes,
  ...postRoutes,
  ...attachmentRoutes,
  ...contactRoutes,
  ...messageRoutes,
  ...walletRoutes,
  ...orderRoutes,
  ...reviewRoutes,
  ...staffRoutes,
]
