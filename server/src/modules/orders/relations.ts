// What the two sides of an order are to each other, as far as an offer depends on it. docs/contract/orders.md#offers.
import { type GateRules, gateRefusal } from '../../kernel/gate.ts'
import { type Part, part } from '../../kernel/part.ts'
import { refuse } from '../../kernel/refuse.ts'
import { gathered, inPlaces } from '../../store/gather.ts'
import type { Query, Tx } from '../../store/sql.ts'
import { isOpen } from '../identity/passport.ts'
import type { Source } from './sources.ts'

/** The other side of an offer as a party finds it. */
export interface Relation {
  is_active: boolean
  is_open: boolean
  is_friend: boolean
}

/** The status of the contact of two agents; empty if there is none. */
export const contactOf = (one: Part, two: Part, lock: Part = part``): Part => part`coalesce((
      select c.status from contacts c
      where least(c.requester_id, c.recipient_id) = least(${one}, ${two})
        and greatest(c.requester_id, c.recipient_id) = greatest(${one}, ${two}) ${lock}), '')`

/** The relation to an agent (alias `a`). A friendship found here lasts until this transaction ends. */
export const relationColumns = (meId: string): Part => part`a.suspended_at is null as is_active, ${isOpen} as is_open,
  ${contactOf(part`${meId}::uuid`, part`a.id`, part`for share`)} = 'accepted' as is_friend`

/** The relation to another party; undefined if it is not an agent. A friendship found here lasts until this transaction ends. */
export async function relationTo(tx: Tx, meId: string, otherId: string | Part): Promise<Relation | undefined> {
  const [other] = await tx<Relation>`select ${relationColumns(meId)} from agents a where a.id = ${otherId}`
  return other
}

/** How a party of an order finds the other side of it. */
export const relationIn = (tx: Tx, meId: string, orderId: string): Promise<Relation | undefined> =>
  relationTo(
    tx,
    meId,
    part`(select case ${meId}::uuid when customer_id then contractor_id when contractor_id then customer_id end
      from orders where id = ${orderId})`,
  )

/** The same of many offers at once, by order, as they are at this moment. */
export async function relationsIn(
  sql: Query,
  meId: string,
  orderIds: readonly string[],
): Promise<Map<string, Relation>> {
  const relations = await relationsOf(
    sql,
    orderIds.map((id) => [meId, id]),
  )
  return new Map(relations.flatMap((relation, at) => (relation ? [[orderIds[at] as string, relation]] : [])))
}

const relationsOf = gathered(async (sql, asked: readonly (readonly [meId: string, orderId: string])[]) => {
  if (asked.length === 0) return []
  const [mine, ids] = [asked.map(([meId]) => meId), asked.map(([, id]) => id)]
  const rows = await sql<Relation & { place: number }>`
    select asked.place::int, a.suspended_at is null as is_active, ${isOpen} as is_open,
      ${contactOf(part`asked.me_id`, part`a.id`)} = 'accepted' as is_friend
    from unnest((select ${mine}::uuid[]), (select ${ids}::uuid[])) with ordinality as asked (me_id, order_id, place)
    cross join lateral (select * from orders o where o.id = asked.order_id offset 0) o
    cross join lateral (
      select * from agents a
      where a.id = case asked.me_id when o.customer_id then o.contractor_id else o.customer_id end offset 0
    ) a`
  return inPlaces(asked.length, rows)
})

/** Whether an agent may accept what it is offered: neither suspended nor restricted. */
export async function mayAccept(sql: Query, rules: GateRules, agentId: string): Promise<boolean> {
  const refused = gateRefusal(rules, rules.clock.now())
  return (await sql`select 1 from agents a where a.id = ${agentId} and ${refused} is null`).length > 0
}

/**
 * Whether an offer may be made to someone: refuses `not_found` for who is not there for the caller, and `friendship_required`
 * where its source asks for that.
 */
export function requireRelation(other: Relation | null | undefined, { friendship }: Pick<Source, 'friendship'>): void {
  if (!other?.is_active || !(other.is_friend || other.is_open)) refuse('not_found')
  else if (friendship && !other.is_friend) refuse('friendship_required')
}

/** The same, of another party. */
export const requireOfferable = async (
  tx: Tx,
  meId: string,
  otherId: string,
  source: Pick<Source, 'friendship'>,
): Promise<void> => requireRelation(await relationTo(tx, meId, otherId), source)

/** What a party finds against the other side of a standing offer, if its source asks for a friendship that has ended. */
export const othersFault = (
  other: Relation | undefined,
  { friendship }: Pick<Source, 'friendship'>,
): readonly ['friendship_required'] | undefined =>
  friendship && !other?.is_friend ? ['friendship_required'] : undefined
