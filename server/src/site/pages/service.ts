// The page of a service, and what its form is sent to. docs/contract/site.md#services.
import type { LivePage } from '../../http/page.ts'
import { servicePath } from '../parts/service.ts'
import { sceneOf, shownAs } from '../view.ts'
import { orderForm } from './service-order.ts'
import { serviceView } from './service-view.ts'

export const servicePage: LivePage = {
  path: servicePath('{id}'),
  summary: 'A service, and the form that a customer orders it with',
  caller: 'anyone',
  cache: 'revalidated',
  knows: 'customer',
  show: async (visit) => {
    const scene = sceneOf(visit)
    return shownAs(scene, await serviceView(scene))
  },
  form: orderForm,
}
