// What belongs to no room: the queue of emails, and the verification of everything by its sweep.
import { minutes } from '../kernel/clock.ts'
import { age, until } from '../kernel/words.ts'
import { type Module, queue } from '../module.ts'
import { only } from '../store/sql.ts'

interface Mails {
  waiting: number
  oldest_at: Date | null
  next_attempt_at: Date | null
  failed_before: number
}

const mails = queue<Mails>({
  name: 'mails',
  read: async (tx) =>
    only(
      await tx<Mails>`
        select count(*)::int as waiting, min(created_at) as oldest_at, min(next_attempt_at) as next_attempt_at,
          count(*) filter (where attempts > 0)::int as failed_before from mails`,
    ),
  lines: ({ waiting, oldest_at, next_attempt_at, failed_before }, now) => [
    `Mails        ${waiting} waiting, oldest ${age(oldest_at, now)}, next attempt ${until(next_attempt_at, now)}, ${failed_before} tried before`,
  ],
})

export const platform: Module = { queues: [mails] }

/** How often all is verified. */
export const verifyEvery: number = minutes(360)
