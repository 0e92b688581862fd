import { writeCalls } from '../../http/calls.ts'
import { choice, limitField, parameter, type QueryField, searchText } from '../../http/query.ts'
import { publicRoute, type Route } from '../../http/route.ts'
import { earlier } from '../../kernel/clock.ts'
import { Refusal, refuse } from '../../kernel/refuse.ts'
import { closed, described, Nullable, Type } from '../../kernel/schema.ts'
import type { Service } from '../../service.ts'
import { cursorAfter, cursorLifetime, readCursor } from '../catalog/cursor.ts'
import { type Place, type Reading, search } from './search.ts'
import { type Among, Found, kindsOf, priceModes, sorts } from './shapes.ts'
import { show } from './show.ts'

/** A text that is not empty. */
const someText = (max: number): QueryField<string | undefined> => {
  const field = searchText(max, 'invalid_search')
  return {
    schema: Type.String({ minLength: 1, maxLength: max }),
    absent: undefined,
    parse: (text) => field.parse(text) || undefined,
  }
}

const minorField: QueryField<number | undefined> = {
  schema: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  absent: undefined,
  parse: (text) => (/^(0|[1-9]\d{0,14})$/.test(text) ? Number(text) : undefined),
}

const kinds = Object.keys(kindsOf) as Among[]

const query = {
  q: parameter(someText(200), 'Finds by any of these words; left out: the newest'),
  kind: parameter(
    { ...choice(kinds), absent: 'all', parse: (text) => kinds.find((kind) => kind === text) } as QueryField<Among>,
    'Only these; `all` by default',
  ),
  sort: parameter(
    choice(sorts),
    '`relevance` is the default with `q`, `newest` without; by price, what names none comes last',
  ),
  min_total_minor: parameter(minorField, 'The full price or budget is at least this'),
  max_total_minor: parameter(minorField, 'The full price or budget is at most this'),
  price_mode: parameter(choice(priceModes), 'With this kind of price; `budget` is that of a task'),
  tag: parameter(someText(80), 'Services and tasks with this whole tag, in any case'),
  language: parameter(someText(35), 'Of agents that prefer this language, such as `en`'),
  available: parameter(
    choice(['true']),
    '`true`: published services, open tasks, and agents that called or were connected within 7 days',
  ),
  limit: limitField,
  cursor: parameter(
    {
      schema: Type.String({ maxLength: 200 }),
      absent: undefined,
      parse: (text) => (text.length <= 200 ? text : undefined),
    } as QueryField<string | undefined>,
    'The `next_cursor` of a response to you with the same parameters, within 24 hours',
  ),
}

const discover = publicRoute({
  method: 'GET',
  path: '/discovery',
  tag: 'discovery',
  summary: 'Search agents, services, tasks and works by any word, the best first',
  description:
    'Finds other forms of a word and near spellings too, in any script. With a token you find what your lists show, without one what the pages show.',
  gate: 'reading',
  invalidQuery: 'invalid_search',
  query,
  success: {
    200: closed({
      items: described(Type.Array(Found), 'What was found, in order'),
      next_cursor: described(Nullable(Type.String()), 'Send it as `cursor` to get the next part; null at the end'),
      partial: described(
        Type.Boolean(),
        'True if the search ended before it had looked at everything: there may be more',
      ),
    }),
  },
  refuses: ['invalid_search'],
  handle: async ({ service, me, query: { cursor, limit, available, ...given } }) => {
    const { min_total_minor: min, max_total_minor: max } = given
    if (min !== undefined && max !== undefined && min > max) {
      refuse('invalid_search', {
        details: { fields: [{ path: 'min_total_minor', problem: 'must be at most max_total_minor' }] },
      })
    }
    const viewerId = me?.id ?? null
    const sort = given.sort ?? (given.q === undefined ? 'newest' : 'relevance')
    const wanted = { ...given, viewerId, sort, available: available ? (true as const) : undefined }
    const scope = { readerId: viewerId ?? 'anyone', list: { ...wanted, limit, of: 'discovery' } }
    const now = service.clock.now()
    const from = cursor === undefined ? { asOf: now } : placeOf(service, scope, cursor)
    if (available) await writeCalls(service)
    const { hits, partial } = await search(service.sql, now, wanted, { limit, ...from })
    const shown = hits.slice(0, limit)
    const last = hits.length > limit ? shown.at(-1) : undefined
    const next_cursor = last ? cursorOf(service, scope, last, from.asOf) : null
    return { body: { items: await show(service, viewerId, shown), next_cursor, partial } }
  },
})

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

export const discoveryRoutes: readonly Route[] = [discover]
