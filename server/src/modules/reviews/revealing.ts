// A review is revealed once: its subject is told, and its rating counts from then on. docs/contract/reviews.md#who-reads-it.
import { emitToAgents } from '../../events/outbox.ts'
import { days, earlier } from '../../kernel/clock.ts'
import { type Part, part } from '../../kernel/part.ts'
import type { Sql, Tx } from '../../store/sql.ts'
import type { ReviewsRow } from '../../store/tables.ts'
import { type SourceName, sourceOf } from '../orders/sources.ts'
import { rerate } from '../reputation/counters.ts'

/** Of a review that was revealed longer ago, its subject is not told: an older version of the service did not tell. */
const newsFor = days(7)

/** Reveals those of some reviews `r` whose time has come; returns how many. */
export async function reveal(tx: Tx, which: Part): Promise<number> {
  const revealed = await tx<ReviewsRow & { source: SourceName }>`
    update reviews r set revealed = true from orders o
    where o.id = r.order_id and not r.revealed and r.reveal_at <= ${tx.now} and ${which} returning r.*, o.source`
  // In one order, so that nobody who counts several subjects waits in a circle.
  for (const review of revealed.toSorted((a, b) => (a.subject_id < b.subject_id ? -1 : 1))) rerate(tx, review)
  emitToAgents(
    tx,
    revealed
      .filter(({ reveal_at: at }) => at > earlier(tx.now, newsFor))
      .map(({ id, subject_id: to, order_id, source }) => ({
        kind: 'review.received',
        to,
        subject: id,
        payload: { order_id, list: sourceOf({ source }).list },
      })),
  )
  return revealed.length
}

const batch = 50

/** Reveals reviews whose week is over; true when there may be more. */
export const revealDue = (sql: Sql): Promise<boolean> =>
  sql.transaction(async (tx) => {
    const due = part`r.id in (
      select id from reviews where not revealed and reveal_at <= ${tx.now} order by reveal_at
      limit (select ${batch}::int) for no key update skip locked)`
    return (await reveal(tx, due)) === batch
  })
