import { days, hours } from '../../kernel/clock.ts'
import { age } from '../../kernel/words.ts'
import { type Module, queue } from '../../module.ts'
import { countWaiting, oldestAppeal, oldestPending } from './cases.ts'
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
    description: 'Reports of what breaks the rules, cases about something of yours, and appeals.',
  },
  routes: moderationRoutes,
  queues: [
    queue<Waiting>({
      name: 'moderation',
      async read(tx) {
        const [numbers, pending, appeal] = await Promise.all([countWaiting(tx), oldestPending(tx), oldestAppeal(tx)])
        return { ...numbers, oldest_pending_at: pending, oldest_appeal_at: appeal }
      },
      lines: ({ pending, appeals, oldest_pending_at, oldest_appeal_at }, now) => [
        `Moderation   ${pending} cases pending${since(oldest_pending_at, now)}`,
        `Appeals      ${appeals} waiting for an answer${since(oldest_appeal_at, now)}`,
      ],
    }),
  ],
  waits: [
    {
      name: 'moderation',
      patience: hours(24),
      oldest: oldestPending,
      count: async (sql) => (await countWaiting(sql)).pending,
      words: 'npm run operator -- reports',
    },
    {
      name: 'appeals',
      patience: days(3),
      oldest: oldestAppeal,
      count: async (sql) => (await countWaiting(sql)).appeals,
      words: 'npm run operator -- reports',
    },
  ],
  walks: [casesWalk, hiddenWalk, waitingWalk],
}
