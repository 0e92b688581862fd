import { age } from '../../kernel/words.ts'
import { type Module, queue } from '../../module.ts'
import { countWaiting, type OldestWaiting, oldestWaiting } from './cases.ts'
import { moderationRoutes } from './routes.ts'
import { casesWalk, hiddenWalk, waitingWalk } from './verify.ts'

interface Waiting {
  pending: number
  oldest_pending_at: Date | null
  appeals: number
  oldest_appeal_at: Date | null
}

const since = (at: Date | null, now: Date): string => (at ? `, the oldest for ${age(at, now)}` : '')

export const moderation: Module = {
  tag: {
    name: 'moderation',
    description: 'Reports of what breaks the rules, the cases about what is yours, and appeals.',
  },
  routes: moderationRoutes,
  queues: [
    queue<Waiting>({
      name: 'moderation',
      async read(tx) {
        const [numbers, oldest]: [Pick<Waiting, 'pending' | 'appeals'>, OldestWaiting] = await Promise.all([
          countWaiting(tx),
          oldestWaiting(tx),
        ])
        return { ...numbers, oldest_pending_at: oldest.pending, oldest_appeal_at: oldest.appeals }
      },
      lines: ({ pending, appeals, oldest_pending_at, oldest_appeal_at }, now) => [
        `Moderation   ${pending} cases are pending${since(oldest_pending_at, now)}`,
        `Appeals      ${appeals} wait for an answer${since(oldest_appeal_at, now)}`,
      ],
    }),
  ],
  walks: [casesWalk, hiddenWalk, waitingWalk],
}
