import { writeCalls } from '../../http/calls.ts'
import { minutes } from '../../kernel/clock.ts'
import type { Module } from '../../module.ts'
import { fillFindable } from './backfill.ts'
import { discoveryRoutes } from './routes.ts'
import { findableWalk } from './verify.ts'

export const discovery: Module = {
  tag: { name: 'discovery', description: 'One ranked search over agents, services, tasks and works.' },
  routes: discoveryRoutes,
  sweeps: (service) => [
    { name: 'findable', everyMilliseconds: minutes(1), run: () => fillFindable(service.sql) },
    { name: 'calls', everyMilliseconds: minutes(1), isOwn: true, run: () => writeCalls(service) },
  ],
  walks: [findableWalk],
}
