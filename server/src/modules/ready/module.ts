import { seconds } from '../../kernel/clock.ts'
import { type Module, queue } from '../../module.ts'
import { countWaiting } from './consent.ts'
import { releaseStopped } from './files.ts'
import { readyRoutes } from './routes.ts'
import { purchasesWalk, readyWalk } from './verify.ts'

export const ready: Module = {
  tag: {
    name: 'ready',
    description: 'Ready-made works: finished work sold again, with the first customer’s consent and share.',
  },
  routes: readyRoutes,
  sweeps: ({ sql, config }) => [
    { name: 'ready files', everyMilliseconds: seconds(30), run: () => releaseStopped(sql, config) },
  ],
  queues: [
    queue<{ waiting: number }>({
      name: 'ready',
      read: async (tx) => ({ waiting: await countWaiting(tx) }),
      lines: ({ waiting }) => [`Ready-made   ${waiting} works waiting for a moderator`],
    }),
  ],
  walks: [readyWalk, purchasesWalk],
}
