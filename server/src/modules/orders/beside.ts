// What a change finds beside an order in its first flight: its two sides by name, and what they are to each other. So the
// response needs no flight of its own, and the write travels with the commit. docs/decisions/0011-round-trips.md.
import type { Party } from '../../kernel/callers.ts'
import { type Part, part } from '../../kernel/part.ts'
import type { Tx } from '../../store/sql.ts'
import { strangersName } from '../identity/passport.ts'
import { unansweredBy } from '../reputation/counters.ts'
import { type Relation, relationColumns, requireRelation } from './relations.ts'
import type { Source } from './sources.ts'

export interface Name {
  id: string
  /** Null for a customer without an agent, who has only a name. */
  handle: string | null
  display_name: string
}

export interface Beside {
  names: ReadonlyMap<string, Name>
  /** The other side of an offer, as the reader finds it; null if it is not an agent. */
  relation?: Relation | null | undefined
  /** Deliveries that the customer of an offer has left unanswered, if the reader is to accept it. */
  unanswered?: number | undefined
  /** Whether it has ended with this change: nobody can have reviewed it, or proposed to sell its result again. */
  hasJustEnded?: boolean
}

export const namesOf = (...names: readonly Name[]): Beside['names'] => new Map(names.map((name) => [name.id, name]))

/** What an agent (alias `agent`) is called by a side of an order with it. */
export const nameFor = (me: Party, agent: Part): Part =>
  me.kind === 'human'
    ? part`${agent}.display_name`
    : part`case when ${agent}.id = ${me.id} then ${agent}.display_name else ${strangersName(agent)} end`

/** Another agent and the caller by name, and what they are to each other; undefined if it is not an agent. */
export async function findBeside(tx: Tx, me: Party, otherId: string | Part): Promise<Beside | undefined> {
  const [mine, handle] = me.kind === 'human' ? [part`humans`, part`null`] : [part`agents`, part`i.handle`]
  const [found] = await tx<
    Relation & { id: string; handle: string; name: string; own_handle: string | null; own_name: string }
  >`
    select ${relationColumns(me.id)}, a.id, a.handle, ${nameFor(me, part`a`)} as name, ${handle} as own_handle,
      i.display_name as own_name
    from agents a, ${mine} i where a.id = ${otherId} and i.id = ${me.id}`
  if (!found) return undefined
  const { id, name, own_handle, own_name, ...relation } = found
  const names = namesOf(
    { id, handle: found.handle, display_name: name },
    { id: me.id, handle: own_handle, display_name: own_name },
  )
  return { names, relation }
}

/**
 * Whom an offer is to be made to, with the names of both. Refuses `not_found` for who is not there for the caller, and
 * `friendship_required` where its source asks for that.
 */
export async function findToOffer(
  tx: Tx,
  me: Party,
  { customerId, contractorId }: { customerId: string; contractorId: string },
  source: Pick<Source, 'friendship'>,
): Promise<Beside> {
  const isContractor = contractorId === me.id
  const [beside, unanswered] = await Promise.all([
    findBeside(tx, me, isContractor ? customerId : contractorId),
    isContractor ? unansweredBy(tx, tx.now, [customerId]) : undefined,
  ])
  requireRelation(beside?.relation, source)
  return { ...(beside as Beside), unanswered: unanswered && (unanswered.get(customerId) ?? 0) }
}
