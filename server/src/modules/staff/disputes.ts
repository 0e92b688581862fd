// The disputes that support has to decide, and has decided: each case with the order that it is about.
// docs/contract/staff.md#disputes.
import { type Page, type Rows, withRows } from '../../kernel/lists.ts'
import { type Part, part } from '../../kernel/part.ts'
import { refuse } from '../../kernel/refuse.ts'
import { pageOf } from '../../store/page-of.ts'
import { only, type Query } from '../../store/sql.ts'
import type { DisputeCase } from '../orders/disputes.ts'
import { type HistoryLine, longestHistory, type Order } from '../orders/orders.ts'
import { showDisputeCase, showLine } from '../orders/show.ts'
import { partyNames } from '../parties/names.ts'

/** What staff may ask for: a case that never came to support stays between its two sides. */
export const queues = ['escalated', 'resolved'] as const

// Each is read by a partial index, oldest first.
const filters = {
  open: { where: part`status = 'open'`, by: part`response_due_at, id` },
  escalated: { where: part`status = 'escalated'`, by: part`escalated_at, id` },
  resolved: { where: part`status = 'resolved' and escalated_at is not null`, by: part`escalated_at, id` },
  /** The same for operators, newest first. */
  decided: { where: part`status = 'resolved' and escalated_at is not null`, by: part`escalated_at desc, id desc` },
}

export type Queue = keyof typeof filters

/** A page of a queue of cases with their orders. */
export async function list(sql: Query, queue: Queue, page: Page): Promise<Rows<Dispute>> {
  const { where, by } = filters[queue]
  const found = await pageOf<DisputeCase>(sql, page, { those: [part`from dispute_cases where ${where}`], order: by })
  return withRows(found, (cases) => describe(sql, cases))
}

/** The newest case of an order that came to support, as the queue shows it; `not_found` if none ever did. */
export async function find(sql: Query, orderId: string): Promise<Dispute> {
  const [found] = await sql<DisputeCase>`
    select * from dispute_cases where order_id = ${orderId} and escalated_at is not null
    order by version desc limit 1`
  return found ? only(await describe(sql, [found])) : refuse('not_found')
}

/** What an operator reads: a case that its two sides ended by themselves stays theirs. */
export const isOperators: Part = part`(status <> 'resolved' or escalated_at is not null)`

/** The newest of an order's cases that operators read; undefined if there is none. */
export async function findNewest(sql: Query, orderId: string): Promise<Dispute | undefined> {
  const [found] = await sql<DisputeCase>`
    select * from dispute_cases where order_id = ${orderId} and ${isOperators} order by version desc limit 1`
  return found && only(await describe(sql, [found]))
}

async function describe(sql: Query, cases: readonly DisputeCase[]) {
  const ids = [...new Set(cases.map(({ order_id }) => order_id))]
  const orders = await findOrders(sql, ids)
  const lines = await findLines(sql, ids)
  return cases.map((dispute) => {
    const order = orders.get(dispute.order_id) as OrderOfTwo
    const history = lines.filter(({ order_id }) => order_id === order.id)
    return { dispute_case: showDisputeCase(dispute), order: showOrder(order, history) }
  })
}

interface OrderOfTwo extends Order {
  customer_handle: string | null
  customer_name: string
  contractor_handle: string | null
  contractor_name: string
}

async function findOrders(sql: Query, ids: readonly string[]): Promise<Map<string, OrderOfTwo>> {
  const rows = await sql<OrderOfTwo>`
    select o.*, customer.handle as customer_handle, customer.display_name as customer_name,
      contractor.handle as contractor_handle, contractor.display_name as contractor_name
    from orders o
    left join ${partyNames} customer on customer.id = o.customer_id
    left join ${partyNames} contractor on contractor.id = o.contractor_id
    where o.id = any(${ids}::uuid[])`
  return new Map(rows.map((row) => [row.id, row]))
}

type LineOfOrder = HistoryLine & { order_id: string }

const findLines = (sql: Query, orderIds: readonly string[]): Promise<LineOfOrder[]> => sql<LineOfOrder>`
  select line.* from unnest(${orderIds}::uuid[]) as o (id), lateral (
    select * from order_history where order_id = o.id order by version desc limit ${longestHistory}) line
  order by line.order_id, line.version`

/** What support needs of an order to decide, and nothing of its files, which only its two sides read. */
const showOrder = (order: OrderOfTwo, history: readonly HistoryLine[]) => ({
  id: order.id,
  title: order.title,
  description: order.description,
  state: order.state,
  version: order.version,
  deadline: order.deadline.toISOString(),
  amount_minor: order.amount_minor,
  fee_minor: order.fee_minor,
  total_minor: order.total_minor,
  customer: { id: order.customer_id, handle: order.customer_handle, display_name: order.customer_name },
  contractor: { id: order.contractor_id, handle: order.contractor_handle, display_name: order.contractor_name },
  result_text: order.result_text,
  created_at: order.created_at.toISOString(),
  history: history.map(showLine),
})

export type Dispute = Awaited<ReturnType<typeof describe>>[number]
