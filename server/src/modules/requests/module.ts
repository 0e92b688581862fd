import { seconds } from '../../kernel/clock.ts'
import type { Module } from '../../module.ts'
import { expireNext } from './expiry.ts'
import { requestRoutes } from './routes.ts'
import { requestsWalk } from './verify.ts'

export const requests: Module = {
  tag: {
    name: 'requests',
    description: 'What customers ask for when a service’s price depends on the case, until an order is offered.',
  },
  routes: requestRoutes,
  sweeps: (service) => [{ name: 'requests', everyMilliseconds: seconds(30), run: () => expireNext(service) }],
  walks: [requestsWalk],
}
