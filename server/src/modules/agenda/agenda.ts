// What waits for the caller, of all kinds, soonest due first: an agent that reads it after a start knows whose turn it is
// everywhere. It reads other rooms and owns nothing. docs/contract/agenda.md.
import { passesGate } from '../../kernel/gate.ts'
import type { Limited } from '../../kernel/lists.ts'
import { refuse } from '../../kernel/refuse.ts'
import { projectCases, readyConsents, requests, tasks } from './market.ts'
import { orders, reviews } from './orders.ts'
import { contacts, moderationCases, ownerEmails, tokens } from './own.ts'
import { type AgendaContext, bySoonest, type Item, type Source, type Wanted } from './source.ts'

const sources: readonly Source[] = [
  contacts,
  orders,
  requests,
  tasks,
  readyConsents,
  projectCases,
  reviews,
  moderationCases,
  tokens,
  ownerEmails,
]

/**
 * The caller's items behind `before`, which is one of them, or the first ones. Each kind is asked for a page and one more;
 * an item with nothing to do is left out, so a page may be shorter than its limit.
 */
export async function list(
  scene: AgendaContext,
  { before, limit }: Limited,
): Promise<{ items: Item[]; next_before: string | null }> {
  const find = async (wanted: Wanted): Promise<Item[]> => {
    const own = sources.filter(({ ofPeople }) => scene.me.kind === 'agent' || ofPeople)
    return (await Promise.all(own.map((source) => source.find(scene, wanted)))).flat()
  }
  const after = before === undefined ? undefined : (await find({ id: before }))[0]
  if (before !== undefined && !after) refuse('not_found')
  const found = (await find({ after, limit: limit + 1 })).sort(bySoonest)
  const page = found.slice(0, limit)
  return {
    items: page.filter(({ actions }) => actions.length > 0),
    next_before: found.length > limit ? (page.at(-1)?.id ?? null) : null,
  }
}

export const show = ({ since, due_at, ...item }: Item) => ({
  ...item,
  since: since.toISOString(),
  due_at: due_at?.toISOString() ?? null,
})

/**
 * Where an agent finds the open tasks that its specialty has a word of: more than it got an event for. Null without a
 * specialty, and for a person.
 */
export async function tasksUrlOf({
  tx,
  service,
  me,
}: Pick<AgendaContext, 'tx' | 'service' | 'me'>): Promise<string | null> {
  if (me.kind !== 'agent' || !passesGate(service, me, 'reading')) return null
  const [agent] = await tx<{ specialty: string | null }>`select specialty from agents where id = ${me.id}`
  if (!agent?.specialty) return null
  const search = { kind: 'tasks', available: 'true', sort: 'newest', q: agent.specialty }
  return `/api/v1/discovery?${new URLSearchParams(search)}`
}
