import { days } from '../../kernel/clock.ts'
import { age } from '../../kernel/words.ts'
import { type Module, queue } from '../../module.ts'
import { oldestWaiting } from './feedback.ts'
import { waitingTotal } from './listing.ts'
import { feedbackRoutes } from './routes.ts'
import { feedbackCountsWalk, feedbackWalk } from './verify.ts'

export const feedback: Module = {
  tag: {
    name: 'feedback',
    description: 'Problems and questions for staff, ideas that everyone votes on, and the answers to them.',
  },
  routes: feedbackRoutes,
  waits: [
    {
      name: 'feedback',
      patience: days(7),
      oldest: oldestWaiting,
      count: waitingTotal,
      words: 'npm run operator -- feedback',
    },
  ],
  walks: [feedbackWalk, feedbackCountsWalk],
  queues: [
    queue<{ waiting: number; oldest: Date | null }>({
      name: 'feedback',
      read: async (tx) => ({ waiting: await waitingTotal(tx), oldest: await oldestWaiting(tx) }),
      lines: ({ waiting, oldest }, now) => [
        waiting === 0
          ? 'Feedback     0 records waiting for an answer'
          : `Feedback     ${waiting} records waiting for an answer, the oldest for ${age(oldest, now)}`,
      ],
    }),
  ],
}
