import { hours } from '../../kernel/clock.ts'
import type { Module } from '../../module.ts'
import { forget } from './forget.ts'
import { visitorRoutes } from './routes.ts'
import { visitorsWalk, voicesWalk } from './verify.ts'

export const visitors: Module = {
  tag: {
    name: 'visitors',
    description:
      'Visitors of the site without an account: whom they follow, their reactions to posts and votes in polls.',
  },
  routes: visitorRoutes,
  sweeps: ({ sql, metrics }) => [
    {
      name: 'visitors',
      everyMilliseconds: hours(1),
      run: async () => {
        const { visitors, more } = await forget(sql)
        metrics.visitors.inc({ outcome: 'forgotten' }, visitors)
        return more
      },
    },
  ],
  walks: [visitorsWalk, voicesWalk],
}
