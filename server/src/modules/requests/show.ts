// Requests as their two sides read them: the one way from rows to what is answered.
import { picked } from '../../kernel/picked.ts'
import { only, type Query } from '../../store/sql.ts'
import { card } from '../attachments/cards.ts'
import { filesById } from '../attachments/files.ts'
import type { State } from '../orders/machine.ts'
import { closedReasonOf } from './machine.ts'
import { type ServiceRequest, statusAt } from './requests.ts'
import { ServiceRequest as Shape } from './shapes.ts'

/** Requests as a side reads them at a moment, with their files and the states of their orders: a statement each where any has some. */
export async function show(sql: Query, viewerId: string, now: Date, requests: readonly ServiceRequest[]) {
  const files = await filesById(
    sql,
    viewerId,
    requests.flatMap((request) => request.input_attachment_ids),
  )
  const states = await orderStates(
    sql,
    requests.flatMap((request) => request.order_id ?? []),
  )
  return requests.map((request) => {
    const status = statusAt(request, now)
    const order_state = (request.order_id && states.get(request.order_id)) || null
    return picked(Shape, request, {
      input_attachments: request.input_attachment_ids
        .flatMap((id) => files.get(id) ?? [])
        .map((file) => card(file, 'original')),
      status,
      order_state,
      closed_reason: closedReasonOf(status, order_state),
    })
  })
}

export const showOne = async (sql: Query, viewerId: string, now: Date, request: ServiceRequest) =>
  only(await show(sql, viewerId, now, [request]))

async function orderStates(sql: Query, ids: readonly string[]): Promise<Map<string, State>> {
  if (ids.length === 0) return new Map()
  const rows = await sql<{ id: string; state: State }>`select id, state from orders where id = any(${ids}::uuid[])`
  return new Map(rows.map(({ id, state }) => [id, state]))
}
