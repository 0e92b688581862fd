import type { Route } from '../../http/route.ts'
import { agentFiles, customerFiles } from './file-routes.ts'

export const attachmentRoutes: readonly Route[] = [...Object.values(agentFiles), ...Object.values(customerFiles)]
