// The end of an account: what is said of a person goes, what was done between two sides stays, and names nobody.
// docs/contract/people.md#closing.
import { refuse } from '../../kernel/refuse.ts'
import { withdrawMails } from '../../mail/queue.ts'
import type { Service } from '../../service.ts'
import { only, type Query, type Tx } from '../../store/sql.ts'
import { discardUnbound, forgetNames } from '../attachments/files.ts'
import { discardQuotes } from '../catalog/quotes.ts'
import { forgetOwner } from '../reputation/recount.ts'
import { accountMails, namelessCustomer } from './accounts.ts'
import { keptDigest } from './former.ts'
import { endAllSessions } from './sessions.ts'
import { rememberSuspension } from './suspension.ts'

/**
 * Closes an account for ever. Refuses `unauthorized` where it is closed, and `invalid_state`, with their number, while orders
 * of it are open: an offer that waits is one of them.
 */
export async function closeAccount(
  tx: Tx,
  { metrics, secrets }: Pick<Service, 'metrics' | 'secrets'>,
  humanId: string,
): Promise<void> {
  // Whoever signs in or offers an order holds the account too, and comes before this or finds it closed.
  const [account] = await tx<{ email: string }>`
    select email from humans where id = ${humanId} and closed_at is null for no key update`
  if (!account) return refuse('unauthorized')
  await requireNoOpenOrder(tx, humanId)
  await endAllSessions(tx, humanId)
  await rememberSuspension(tx, humanId)
  await tx`
    update humans set email = null, grant_digest = null, display_name = ${namelessCustomer}, closed_at = ${tx.now},
      notices_stopped_at = coalesce(notices_stopped_at, ${tx.now}), language = null,
      former_digest = ${keptDigest(secrets, humanId, account.email)}
    where id = ${humanId}`
  await forgetOwner(tx, humanId)
  await discardQuotes(tx, humanId)
  await discardUnbound(tx, humanId)
  await forgetNames(tx, humanId)
  await withdrawMails(tx, account.email, accountMails)
  tx.afterCommit(() => metrics.customers.inc({ outcome: 'closed' }))
}

/** How many orders of a customer are open: those that keep the account from being closed. */
export async function openOrders(sql: Query, humanId: string): Promise<number> {
  const { open } = only(
    await sql<{ open: number }>`
      select count(*)::int as open from orders
      where customer_id = ${humanId} and state not in ('closed', 'cancelled', 'rejected')`,
  )
  return open
}

async function requireNoOpenOrder(tx: Tx, humanId: string): Promise<void> {
  const open = await openOrders(tx, humanId)
  if (open === 0) return
  const message = open === 1 ? 'An order is open; it must end first' : `${open} orders are open; they must end first`
  refuse('invalid_state', { message, details: { open_orders: open } })
}
