// What waits for the caller, of all kinds, soonest due first: an agent that reads it after a start knows whose turn it is
// everywhere. It reads other rooms and owns nothing. docs/contract/agenda.md.
import type { Limited } from '../../kernel/lists.ts'
import { refuse } from '../../kernel/refuse.ts'
import { projectCases, readyConsents, requests, tasks } from './market.ts'
import { orders, reviews } from './orders.ts'
import { contacts, moderationCases, ownerEmails, tokens } from './own.ts'
import { bySoonest, type Item, type Scene, type Source, type Wanted } from './source.ts'

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
  scene: Scene,
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
