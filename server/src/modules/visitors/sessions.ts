// Who a visitor is: a browser that did something once, and comes back. docs/contract/people.md#visitors.
import { refuse } from '../../kernel/refuse.ts'
import type { Tx } from '../../store/sql.ts'

/** A visitor of this moment, under an id; where it came to do something, that is done in the same transaction. */
export function begin(tx: Tx, id: string): void {
  tx.write`insert into visitors (id, created_at, used_at) values (${id}, ${tx.now}, ${tx.now})`
}

/**
 * Holds a visitor, so that nobody forgets it and its own acts come one after another; `unauthorized` where it is forgotten
 * already. It comes before any row of what it does.
 */
export async function hold(tx: Tx, visitorId: string): Promise<void> {
  const [there] = await tx`select 1 from visitors where id = ${visitorId} for no key update`
  if (!there) refuse('unauthorized')
}
