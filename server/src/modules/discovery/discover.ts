// One part of what somebody finds, with the way to the next: what GET discovery answers, and the page of a search shows.
// docs/contract/discovery.md.
import { earlier } from '../../kernel/clock.ts'
import { Refusal, refuse } from '../../kernel/refuse.ts'
import type { Service } from '../../service.ts'
import { cursorAfter, cursorLifetime, readCursor } from '../catalog/cursor.ts'
import { type Place, type Reading, search } from './search.ts'
import type { Sort } from './shapes.ts'
import { show } from './show.ts'
import type { Wanted } from './wanted.ts'

export interface Asked extends Omit<Wanted, 'viewerId' | 'sort' | 'available' | 'further'> {
  /** The best first with `q`, the newest without. */
  sort?: Sort | undefined
  available?: 'true' | undefined
  limit: number
  cursor?: string | undefined
}

/** What a viewer finds, or anyone where it is null; refuses `invalid_search` for a foreign or old cursor, and prices the wrong way around. */
export async function discover(
  service: Service,
  viewerId: string | null,
  { cursor, limit, available, ...given }: Asked,
) {
  const { min_total_minor: min, max_total_minor: max } = given
  if (min !== undefined && max !== undefined && min > max) {
    refuse('invalid_search', {
      details: { fields: [{ path: 'min_total_minor', problem: 'must be at most max_total_minor' }] },
    })
  }
  const sort = given.sort ?? (given.q === undefined ? 'newest' : 'relevance')
  const wanted = { ...given, viewerId, sort, available: available ? (true as const) : undefined }
  const scope = { readerId: viewerId ?? 'anyone', list: { ...wanted, limit, of: 'discovery' } }
  const now = service.clock.now()
  const from = cursor === undefined ? { asOf: now } : placeOf(service, scope, cursor)
  const { hits, partial } = await search(service.sql, now, wanted, { limit, ...from })
  const shown = hits.slice(0, limit)
  const last = hits.length > limit ? shown.at(-1) : undefined
  const next_cursor = last ? cursorOf(service, scope, last, from.asOf) : null
  return { items: await show(service, viewerId, shown), next_cursor, partial }
}

export type Item = Awaited<ReturnType<typeof discover>>['items'][number]

type Scope = Parameters<typeof cursorAfter>[2]

/** A place in a list that is sorted by more than IDs goes with the cursor, and is signed with it. */
const at = ({ readerId, list }: Scope, place: string): Scope => ({ readerId, list: { ...list, place } })

function cursorOf({ secrets, clock }: Service, scope: Scope, { rank, id, agent_id }: Place, asOf: Date): string {
  const place = scope.list['sort'] === 'rating' ? `${rank}.${agent_id}.${asOf.getTime()}` : `${rank}`
  return `${place}.${cursorAfter(secrets, clock.now(), at(scope, place), id)}`
}

function placeOf(
  { secrets, clock }: Service,
  scope: Scope,
  cursor: string,
): Required<Omit<Reading, 'limit' | 'bounds'>> {
  const end = cursor.lastIndexOf('.')
  const place = cursor.slice(0, Math.max(end, 0))
  const now = clock.now()
  try {
    const id = readCursor(secrets, now, at(scope, place), cursor.slice(end + 1))
    const [rank, agent_id = '', asOf = 0] = place.split('.')
    // Ratings of before are kept as long as a cursor is valid.
    const since = Math.max(Number(asOf), earlier(now, cursorLifetime).getTime())
    return { behind: { rank: Number(rank), id, agent_id }, asOf: new Date(since) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const problem = 'does not belong to this list, or has expired'
    return refuse('invalid_search', { details: { fields: [{ path: 'cursor', problem }] } })
  }
}
