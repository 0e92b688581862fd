// Updates: what the two sides of an order tell and show each other on the way. Each is a version of the order and stays
// as it was written. docs/contract/orders.md#updates.
import type { Party } from '../../kernel/callers.ts'
import { before, type Limited, type Slice } from '../../kernel/lists.ts'
import { requireVersion } from '../../kernel/moves.ts'
import { part } from '../../kernel/part.ts'
import { picked } from '../../kernel/picked.ts'
import { refuse } from '../../kernel/refuse.ts'
import { only, type Query, type Tx } from '../../store/sql.ts'
import type { OrderUpdatesRow } from '../../store/tables.ts'
import { card } from '../attachments/cards.ts'
import { filesById } from '../attachments/files.ts'
import type { Terms } from './actions.ts'
import { bindProgress, keptUntil, retain } from './files.ts'
import { reservedStates, type State } from './machine.ts'
import { advance, findLocked, find as findOrder, type Order } from './orders.ts'
import { stateOf } from './permitted.ts'
import { OrderUpdate } from './shapes.ts'
import type { OrderList } from './sources.ts'

export type Update = OrderUpdatesRow

/** What a side adds; a text or a file. */
export interface Input {
  expected_version: number
  text: string
  attachment_ids: readonly string[]
}

export interface Added {
  id: string
  order: Order
  update: Update
}

/** On one order (docs/contract/orders.md#updates). */
const mostUpdates = 200

/**
 * Adds an update under an id. Refuses `not_found`, `version_conflict`, `invalid_state`, `closed_order_update_window_expired`,
 * `update_limit` and what files are refused with.
 */
export async function add(
  tx: Tx,
  me: Party,
  { id, orderId, list, input, terms }: { id: string; orderId: string; list?: OrderList; input: Input; terms: Terms },
): Promise<Added> {
  const order = await findLocked(tx, me.id, orderId, list)
  requireVersion(order, input.expected_version, { state: order.state })
  requireOpen(tx.now, order, terms)
  if (order.updates_count >= mostUpdates) refuse('update_limit')
  await bindProgress(tx, me, order, input.attachment_ids)
  const cause = { action: 'update', actorId: me.id }
  const next = await advance(tx, order, cause, {
    updates_count: order.updates_count + 1,
    has_files: order.has_files || input.attachment_ids.length > 0,
  })
  const update = await insert(tx, me, id, next, input)
  if (next.state === 'closed') await retain(tx, next, terms)
  return { id, order: next, update }
}

/** An update that was added, with its order as both are now. */
export const findAdded = async (
  sql: Query,
  me: Party,
  orderId: string,
  id: string,
  list?: OrderList,
): Promise<Added> => ({ id, order: await findOrder(sql, me.id, orderId, list), update: await find(sql, orderId, id) })

const isUnderWay = (state: State): boolean => (reservedStates as readonly State[]).includes(state)

/** Updates are taken while the work is under way, and for as long after its acceptance as its files are kept. */
function requireOpen(now: Date, order: Order, terms: Terms): void {
  if (isUnderWay(order.state)) return
  if (order.outcome !== 'accepted') refuse('invalid_state', stateOf(order))
  if (now >= keptUntil(order, now, terms)) refuse('closed_order_update_window_expired')
}

const insert = async (tx: Tx, me: Party, id: string, order: Order, input: Input): Promise<Update> =>
  only(
    await tx<Update>`
      insert into order_updates (id, order_id, author_id, text, version, attachment_ids, created_at)
      values (${id}, ${order.id}, ${me.id}, ${input.text}, ${order.version}, ${input.attachment_ids}, ${tx.now})
      returning *`,
  )

/** An update of an order, or `not_found`; whose order it is was checked before. */
export async function find(sql: Query, orderId: string, id: string): Promise<Update> {
  const [update] = await sql<Update>`select * from order_updates where id = ${id} and order_id = ${orderId}`
  return update ?? refuse('not_found')
}

/** The updates of an order, newest first; a `before` that is not one of them is `not_found`. */
export async function list(sql: Query, orderId: string, { before: cursor, limit }: Limited): Promise<Slice<Update>> {
  const older = cursor === undefined ? part`` : part`and version < ${(await find(sql, orderId, cursor)).version}`
  const rows = await sql<Update>`
    select * from order_updates where order_id = ${orderId} ${older} order by version desc limit ${limit + 1}`
  return before(rows, limit)
}

/** Updates as a side reads them, with their files as those are now. */
export async function show(sql: Query, viewer: Party, updates: readonly Update[]) {
  const files = await filesById(sql, viewer.id, [...new Set(updates.flatMap((update) => update.attachment_ids))])
  return updates.map((update) =>
    picked(OrderUpdate, update, {
      attachments: update.attachment_ids
        .flatMap((each) => files.get(each) ?? [])
        .map((file) => card(file, 'original', viewer.kind)),
    }),
  )
}

export const showOne = async (sql: Query, viewer: Party, update: Update) => only(await show(sql, viewer, [update]))
