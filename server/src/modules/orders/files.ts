// The files of an order: what the work begins with, what it gives, and what is shown on the way. They are held while the
// order is open or disputed, and purged a while after it ended. SPEC.md, Attachments and Limits; OPEN-POINTS.md, section 5.
import { after, days } from '../../clock.ts'
import type { Agent } from '../../http/authenticate.ts'
import type { Query, Tx } from '../../store/sql.ts'
import { filesOf, setFiles } from '../attachments/bindings.ts'
import type { AttachmentRow } from '../attachments/cards.ts'
import type { Order } from './orders.ts'

/** Binds the caller's files to a new order; refuses `invalid_attachment` and `attachment_already_bound`. */
export const bindInputs = (tx: Tx, me: Agent, orderId: string, ids: readonly string[]): Promise<void> =>
  bind(tx, me, orderId, 'input', ids)

/** Binds what a delivery hands over, once an order. */
export const bindResults = (tx: Tx, me: Agent, orderId: string, ids: readonly string[]): Promise<void> =>
  bind(tx, me, orderId, 'result', ids)

async function bind(
  tx: Tx,
  me: Agent,
  orderId: string,
  role: 'input' | 'result',
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  const wish = { ownerId: me.id, purpose: 'order', ids, isPublic: false, rightsConfirmed: false } as const
  await setFiles(tx, { kind: 'order', id: orderId, role }, { ...wish, missingRights: 'rights_required' })
}

export interface OrderFiles {
  input: AttachmentRow[]
  result: AttachmentRow[]
}

/** The inputs and results of several orders, in their order. */
export async function filesOfOrders(sql: Query, orderIds: readonly string[]): Promise<Map<string, OrderFiles>> {
  const found = new Map<string, OrderFiles>()
  if (orderIds.length === 0) return found
  for (const file of await filesOf(sql, 'order', orderIds)) {
    const files = found.get(file.subject_id) ?? { input: [], result: [] }
    found.set(file.subject_id, files)
    if (file.role === 'input' || file.role === 'result') files[file.role].push(file)
  }
  return found
}

/** Lets the files of an order that has ended go, a retention period from now. */
export async function retain(
  tx: Tx,
  order: Order,
  { fileRetentionDays }: { fileRetentionDays: number },
): Promise<void> {
  if (!order.has_files) return
  const until = after(tx.now, days(fileRetentionDays))
  await tx`
    update attachments set status = 'retained', purge_after = ${until}, updated_at = ${tx.now}
    where status = 'ready' and id in (
      select attachment_id from attachment_bindings where subject_id = ${order.id} and kind = 'order' and active)`
}
