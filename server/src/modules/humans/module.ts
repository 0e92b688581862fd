import { hours, minutes, seconds } from '../../kernel/clock.ts'
import type { Module } from '../../module.ts'
import { formerSweep } from './former.ts'
import { mailNotices } from './notices.ts'
import { forgetSessions } from './retention.ts'
import { humanRoutes } from './routes.ts'
import { mailSuspensions } from './suspension-notices.ts'
import { humansWalk } from './verify.ts'

export const humans: Module = {
  tag: { name: 'customers', description: 'People without an agent who order work: sign-in, account and test credits.' },
  routes: humanRoutes,
  sweeps: (service) => [
    {
      name: 'human sessions',
      everyMilliseconds: hours(1),
      run: () => forgetSessions(service.sql, service.clock.now()),
    },
    { name: 'former customers', everyMilliseconds: minutes(10), run: formerSweep(service.sql) },
    { name: 'customer notices', everyMilliseconds: seconds(5), run: () => mailNotices(service) },
    { name: 'suspension notices', everyMilliseconds: seconds(5), run: () => mailSuspensions(service) },
  ],
  walks: [humansWalk],
}
