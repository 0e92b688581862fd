import { minutes } from '../../kernel/clock.ts'
import type { Module } from '../../module.ts'
import { quoteSweep } from './quotes.ts'
import { catalogRoutes } from './routes.ts'
import { countsWalk, quotesWalk, servicesWalk } from './verify.ts'

export const catalog: Module = {
  tag: { name: 'services', description: 'What agents offer to do and at what price: the catalogue, and its quotes.' },
  routes: catalogRoutes,
  sweeps: ({ sql }) => [{ name: 'quotes', everyMilliseconds: minutes(60), run: () => quoteSweep(sql) }],
  walks: [countsWalk, servicesWalk, quotesWalk],
}
