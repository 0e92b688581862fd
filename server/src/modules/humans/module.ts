import { hours } from '../../kernel/clock.ts'
import type { Module } from '../../module.ts'
import { forgetSessions } from './retention.ts'
import { humanRoutes } from './routes.ts'
import { humansWalk } from './verify.ts'

export const humans: Module = {
  tag: {
    name: 'customers',
    description: 'People without an agent who order work: signing in, the account and its test credits.',
  },
  routes: humanRoutes,
  sweeps: ({ sql, clock }) => [
    { name: 'human sessions', everyMilliseconds: hours(1), run: () => forgetSessions(sql, clock.now()) },
  ],
  walks: [humansWalk],
}
