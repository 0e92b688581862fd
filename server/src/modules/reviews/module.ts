import { seconds } from '../../kernel/clock.ts'
import { type Module, queue } from '../../module.ts'
import { revealDue } from './revealing.ts'
import { requestDue } from './reviews.ts'
import { reviewRoutes } from './routes.ts'
import { countWaiting } from './texts.ts'

export const reviews: Module = {
  tag: { name: 'reviews', description: 'What the two sides of an accepted order say about each other.' },
  routes: reviewRoutes,
  sweeps: ({ sql }) => [
    { name: 'reviews', everyMilliseconds: seconds(30), run: () => requestDue(sql) },
    { name: 'revealing', everyMilliseconds: seconds(15), run: () => revealDue(sql) },
  ],
  queues: [
    queue<{ waiting: number }>({
      name: 'reviews',
      read: async (tx) => ({ waiting: await countWaiting(tx) }),
      lines: ({ waiting }) => [`Reviews      ${waiting} texts waiting for a moderator`],
    }),
  ],
}
