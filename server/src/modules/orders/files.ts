// The files of an order: what the work begins with, what it gives, and what is shown on the way. They are held while
// the order is open or disputed, and purged a while after it ended. docs/contract/orders.md#files.

import type { Party } from '../../kernel/callers.ts'
import { after, days } from '../../kernel/clock.ts'
import type { Query, Tx } from '../../store/sql.ts'
import type { OrdersRow } from '../../store/tables.ts'
import { addFiles, filesOf, retainFiles, setFiles } from '../attachments/bindings.ts'
import type { AttachmentRow } from '../attachments/cards.ts'
import { type SourceName, sourceOf } from './sources.ts'

/** What of an order its files go by. */
type Holder = Pick<OrdersRow, 'id'> & { source: SourceName }
type Ended = Holder & Pick<OrdersRow, 'closed_at' | 'has_files'>

/** Binds the caller's files to a new order; refuses `invalid_attachment` and `attachment_already_bound`. */
export const bindInputs = (tx: Tx, me: Party, order: Holder, ids: readonly string[]): Promise<void> =>
  bind(tx, me, order, 'input', ids)

/** Binds what a delivery hands over, once an order. */
export const bindResults = (tx: Tx, me: Party, order: Holder, ids: readonly string[]): Promise<void> =>
  bind(tx, me, order, 'result', ids)

async function bind(tx: Tx, me: Party, order: Holder, role: 'input' | 'result', ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const input = { ownerId: me.id, ids, isPublic: false, rightsConfirmed: false } as const
  const subject = { kind: sourceOf(order).binding, id: order.id, role }
  await setFiles(tx, subject, { ...input, missingRights: 'rights_required' })
}

/** On one order, of both sides together (docs/contract/orders.md#updates). */
const mostProgressFiles = 100

/**
 * Binds what an update shows; what its sender has shown on this order before it may show again. Refuses
 * `invalid_attachment`, `attachment_already_bound` and `progress_attachment_limit`. The order is locked.
 */
export const bindProgress = (tx: Tx, me: Party, order: Holder, ids: readonly string[]): Promise<void> =>
  addFiles(
    tx,
    { kind: sourceOf(order).binding, id: order.id, role: 'progress' },
    { ownerId: me.id, ids, most: mostProgressFiles, excess: 'progress_attachment_limit' },
  )

interface OrderFiles {
  input: AttachmentRow[]
  result: AttachmentRow[]
}

/** The inputs and results of several orders as one of their sides reads them, in their order. */
export async function filesOfOrders(
  sql: Query,
  viewerId: string,
  orders: readonly Holder[],
): Promise<Map<string, OrderFiles>> {
  const found = new Map<string, OrderFiles>()
  for (const [kind, held] of Map.groupBy(orders, (order) => sourceOf(order).binding)) {
    const ids = held.map(({ id }) => id)
    for (const file of await filesOf(sql, viewerId, kind, ids, ['input', 'result'])) {
      const files = found.get(file.subject_id) ?? { input: [], result: [] }
      found.set(file.subject_id, files)
      files[file.role as keyof OrderFiles].push(file)
    }
  }
  return found
}

interface Retention {
  fileRetentionDays: number
}

/** Until when the files of an order that has ended are kept, and updates of an accepted one are taken. */
export const keptUntil = (order: Pick<Ended, 'closed_at'>, now: Date, { fileRetentionDays }: Retention): Date =>
  after(order.closed_at ?? now, days(fileRetentionDays))

/** Lets the files of an order that has ended go when their time has come; those of a later update with the others. */
export async function retain(tx: Tx, order: Ended, retention: Retention): Promise<void> {
  if (!order.has_files) return
  const until = keptUntil(order, tx.now, retention)
  await retainFiles(tx, { kind: sourceOf(order).binding, id: order.id }, until)
  if (order.source === 'ready') await tx`update ready_purchases set kept_until = ${until} where order_id = ${order.id}`
}
