// What the search fields of lists find: by discovery, as anyone would, the best first.
// docs/contract/discovery.md#who-finds-what.
import { offsetOf, type Page, type Rows } from '../kernel/lists.ts'
import type { Part } from '../kernel/part.ts'
import { type Hits, search } from '../modules/discovery/search.ts'
import type { Among } from '../modules/discovery/shapes.ts'
import type { Wanted } from '../modules/discovery/wanted.ts'
import { openTotal } from '../modules/profiles/profiles.ts'
import type { Service } from '../service.ts'

/** As many as a search sorts, and more. */
const most = 10_000

/** A page of what was found; `partial` if the search stopped before it had looked at everything. */
export type Discovered<T> = Rows<T> & { partial?: boolean }

/** All that a search finds, with a further condition on it (alias `d`). */
function allOf({ sql, clock }: Service, q: string, kind: Among, further?: Part): Promise<Hits> {
  const wanted = { viewerId: null, q, kind, sort: 'relevance' as const, further }
  return search(sql, clock.now(), wanted, { limit: most })
}

const pageAmong = (ids: readonly string[], page: Page): Rows<string> => {
  const from = offsetOf(page)
  return { rows: ids.slice(from, from + page.page_size), total: ids.length }
}

/** The IDs of a page of works or tasks. */
export async function discovered(
  service: Service,
  { q, kind, further, ...page }: Page & { q: string; kind: 'works' | 'tasks'; further?: Part },
): Promise<Discovered<string>> {
  const { hits, partial } = await allOf(service, q, kind, further)
  const ids = hits.map(({ id }) => id)
  return { ...pageAmong(ids, page), partial }
}

/** So many agents are listed without words: each page reads those before it. */
export const mostBrowsed = 1000

interface WantedAgents extends Page {
  q: string
  sort: 'relevance' | 'rating' | 'newest'
  available: true | undefined
}

/** A page of agents. With words by what they say of themselves, and the best by their works after them. */
export async function discoveredAgents(service: Service, wanted: WantedAgents): Promise<Discovered<string>> {
  const { q, sort, available, ...page } = wanted
  const { sql, clock } = service
  const browsed = available ? mostBrowsed : Math.min(page.page * page.page_size, mostBrowsed)
  const asked = { viewerId: null, q: q || undefined, kind: 'agents' as const, sort, available }
  const [{ hits, partial }, works, total] = await Promise.all([
    search(sql, clock.now(), asked, { limit: q === '' ? browsed : most }),
    q !== '' && sort === 'relevance' && !available ? allOf(service, q, 'works') : undefined,
    q === '' && !available ? openTotal(sql) : undefined,
  ])
  const found = pageAmong([...new Set([...hits, ...(works?.hits ?? [])].map(({ agent_id }) => agent_id))], page)
  return { ...found, total: total ?? found.total, partial: partial || works?.partial === true }
}

/** The IDs of a page of services, and whether there is another page, or may be. */
export async function discoveredServices(
  { sql, clock }: Service,
  wanted: Omit<Wanted, 'viewerId' | 'kind'>,
  page: Page,
): Promise<{ ids: string[]; hasMore: boolean; partial: boolean }> {
  const asked: Wanted = { ...wanted, viewerId: null, kind: 'services' }
  const from = offsetOf(page)
  const { hits, partial } = await search(sql, clock.now(), asked, { limit: from + page.page_size })
  const ids = hits.slice(from).map(({ id }) => id)
  return { ids: ids.slice(0, page.page_size), hasMore: ids.length > page.page_size, partial }
}

export const inOrder = <T extends { id: string }>(ids: readonly string[], things: readonly T[]): T[] => {
  const known = new Map(things.map((thing) => [thing.id, thing]))
  return ids.flatMap((id) => known.get(id) ?? [])
}
