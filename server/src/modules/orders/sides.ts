// What an order says of where the reader stands: which side it is, who the other one is, where the order came from, and
// what may be done with it now. docs/contract/orders.md#for-the-reader.
import type { Party } from '../../kernel/callers.ts'
import type { GateRules } from '../../kernel/gate.ts'
import { type Part, part } from '../../kernel/part.ts'
import { byId, gathered } from '../../store/gather.ts'
import type { Query } from '../../store/sql.ts'
import { strangersName } from '../identity/passport.ts'
import type { Beside, Name } from './beside.ts'
import type { DisputeCase } from './disputes.ts'
import { pathOf } from './doors.ts'
import type { Order } from './orders.ts'
import { permitted } from './permitted.ts'
import { type Relation, relationsIn } from './relations.ts'

/** Who reads, and the rules that its gate follows. */
export interface Reader {
  me: Party
  service: GateRules
}

/** One thing that the caller may do: the request that does it. */
export interface Doable {
  name: string
  method: 'POST'
  path: string
}

export const doable = (name: string, path: string): Doable => ({ name, method: 'POST', path: `/api/v1${path}` })

export const actionsOn = (
  { me, service }: Reader,
  order: Order,
  dispute: DisputeCase | undefined,
  other: Relation | undefined,
): Doable[] =>
  permitted(service, me, { now: service.clock.now(), order, dispute, other }).map((name) =>
    doable(name, `${pathOf(order, me)}/${name}`),
  )

/**
 * What the sides of these orders are called. They know each other by the order, even if one is closed; another agent reads
 * the name that a closed profile had when it was last open.
 */
export async function namesOf(sql: Query, me: Party, orders: readonly Order[]): Promise<ReadonlyMap<string, Name>> {
  const ids = [...new Set(orders.flatMap(({ customer_id, contractor_id }) => [customer_id, contractor_id]))]
  return namesFor(
    me,
    (await partiesOf(sql, ids)).filter((each) => each !== undefined),
  )
}

function namesFor(me: Party, parties: readonly Named[]): ReadonlyMap<string, Name> {
  const isStranger = (id: string): boolean => me.kind !== 'human' && id !== me.id
  return new Map(
    parties.map(({ id, handle, own_name, strangers_name }) => [
      id,
      { id, handle, display_name: isStranger(id) ? strangers_name : own_name },
    ]),
  )
}

/**
 * The names of both sides of an order that the reader may not even see, and what the other side is to the reader: they
 * travel with the order itself.
 */
export async function besideOf(sql: Query, me: Party, orderId: string): Promise<Beside> {
  const [[parties], relations] = await Promise.all([sidesOf(sql, [orderId]), relationsIn(sql, me.id, [orderId])])
  return { names: namesFor(me, parties ?? []), relation: relations.get(orderId) ?? null }
}

/** A party by its names: what it calls itself, and what those read whom a closed profile does not show its name. */
interface Named {
  id: string
  handle: string | null
  own_name: string
  strangers_name: string
}

/** The names of the parties `asked` (id), with these columns of it. */
const namesAmong = (asked: Part, columns: Part): Part => part`
  select ${columns} a.id, a.handle, a.display_name as own_name, ${strangersName(part`a`)} as strangers_name
  from ${asked} cross join lateral (select * from agents a where a.id = asked.id offset 0) a
  union all
  select ${columns} h.id, null, h.display_name, h.display_name
  from ${asked} cross join lateral (select * from humans h where h.id = asked.id offset 0) h`

const partiesOf = gathered(async (sql, ids: readonly string[]) => {
  if (ids.length === 0) return []
  return byId(ids, await sql<Named>`${namesAmong(part`unnest((select ${ids}::uuid[])) as asked (id)`, part``)}`)
})

/** The parties of each order. */
const sidesOf = gathered(async (sql, orderIds: readonly string[]): Promise<readonly Named[][]> => {
  const rows = await sql<Named & { place: number }>`
    with asked as materialized (
      select each.place::int, side.id
      from unnest((select ${orderIds}::uuid[])) with ordinality as each (order_id, place)
      cross join lateral (select * from orders o where o.id = each.order_id offset 0) o
      cross join lateral (values (o.customer_id), (o.contractor_id)) side (id)
    ) ${namesAmong(part`asked`, part`asked.place,`)}`
  const found = orderIds.map((): Named[] => [])
  for (const { place, ...party } of rows) found[place - 1]?.push(party)
  return found
})

/** A customer without an agent is known by a name alone. */
export const showName = ({ id, handle, display_name }: Name) =>
  handle === null ? { id, display_name } : { id, handle, display_name }

interface SelectedBid {
  order_id: string
  task_id: string
  bid_id: string
  text: string
}

export async function bidsOf(sql: Query, orders: readonly Order[]): Promise<ReadonlyMap<string, SelectedBid>> {
  const ids = orders.flatMap(({ id, source }) => (source === 'task' ? [id] : []))
  if (ids.length === 0) return new Map()
  const rows = await sql<SelectedBid>`
    select t.order_id, t.id as task_id, b.id as bid_id, b.text
    from tasks t join bids b on b.task_id = t.id and b.state = 'selected' where t.order_id = any(${ids}::uuid[])`
  return new Map(rows.map((row) => [row.order_id, row]))
}

export const originKinds = ['direct', 'quick', 'service', 'request', 'task', 'ready'] as const

interface Origin {
  kind: (typeof originKinds)[number]
  /** What it came from: a service, a request or a task. */
  id: string | null
  bid_id: string | null
}

/** Where an order came from. */
export function originOf(order: Order, bid: SelectedBid | undefined): Origin {
  const from = (kind: Origin['kind'], id: string | null = null, bid_id: string | null = null) => ({ kind, id, bid_id })
  switch (order.source) {
    case 'direct':
      return from('direct')
    case 'human':
      return order.source_service_quote_id === null ? from('direct') : from('service', serviceOf(order))
    case 'quick':
      return from('quick')
    case 'request':
      return from('request', order.source_service_request_id)
    case 'task':
      return from('task', bid?.task_id, bid?.bid_id)
    case 'quote':
      return from('service', serviceOf(order))
    case 'ready':
      return from('ready', serviceOf(order))
  }
}

const serviceOf = ({ service_snapshot: snapshot }: Order): string | null =>
  (snapshot as { service: { id: string } } | null)?.service.id ?? null
