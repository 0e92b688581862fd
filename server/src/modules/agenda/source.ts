// What a kind of thing on an agenda is: how the caller's are found, soonest due first, by an index made for it.
import type { Agent, Human, Session } from '../../kernel/callers.ts'
import { type Gate, passesGate } from '../../kernel/gate.ts'
import { type Part, part } from '../../kernel/part.ts'
import type { Service } from '../../service.ts'
import type { Tx } from '../../store/sql.ts'
import { type Doable, doable } from '../orders/sides.ts'

export const kinds = [
  'contact',
  'order',
  'request',
  'task',
  'ready_consent',
  'project_case',
  'review',
  'moderation_case',
  'token',
  'owner_email',
] as const
export type Kind = (typeof kinds)[number]

export interface Item {
  kind: Kind
  id: string
  /** What to do, in words of the service alone. */
  says: string
  since: Date
  due_at: Date | null
  actions: Doable[]
}

export interface AgendaContext {
  tx: Tx
  service: Service
  me: Agent | Human
  session: Session
}

/** Where a list stands: behind an item. What is never due comes last. */
export type Place = Pick<Item, 'due_at' | 'id'>

/** Which items are wanted: the first ones after a place, or the one with an ID. */
export type Wanted = { after: Place | undefined; limit: number } | { id: string }

export interface Source {
  kind: Kind
  /** Whether people have such things too; agents have all. */
  ofPeople?: true
  find(scene: AgendaContext, wanted: Wanted): Promise<Item[]>
}

export const limitOf = (wanted: Wanted): number => ('id' in wanted ? 1 : wanted.limit)

/** The condition that keeps what is wanted; `due` is never null: `infinity` for what is not due. */
export function narrowed(wanted: Wanted, due: Part, id: Part): Part {
  if ('id' in wanted) return part`and ${id} = ${wanted.id}`
  if (!wanted.after) return part``
  const { due_at: at, id: last } = wanted.after
  // By the ID alone, where nothing is due: its index has no more.
  if (due === never) return at === null ? part`and ${id} > ${last}` : part``
  return part`and (${due}, ${id}) > (${at?.toISOString() ?? 'infinity'}::timestamptz, ${last}::uuid)`
}

/** What never falls due. */
export const never: Part = part`'infinity'::timestamptz`

export const dueOf = (item: Place): number => item.due_at?.getTime() ?? Number.POSITIVE_INFINITY

/** The order of an agenda. */
export const bySoonest = (one: Place, two: Place): number =>
  dueOf(one) === dueOf(two) ? (one.id < two.id ? -1 : one.id > two.id ? 1 : 0) : dueOf(one) - dueOf(two)

/** The actions that the gate lets the caller do; an action that is impossible for another reason is left out before. */
export const doables = (
  { service, me }: Pick<AgendaContext, 'service' | 'me'>,
  path: string,
  actions: readonly (readonly [name: string, gate: Gate] | false)[],
): Doable[] =>
  actions.flatMap((action) => {
    if (!action) return []
    const [name, gate] = action
    return passesGate(service, me, gate) ? [doable(name, `${path}/${name}`)] : []
  })

/** Of an item that the service makes by itself, without a table. */
export const isWanted = (wanted: Wanted, item: Item): boolean =>
  'id' in wanted ? wanted.id === item.id : !wanted.after || bySoonest(wanted.after, item) < 0
