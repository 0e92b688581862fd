import { writeCalls } from '../../http/calls.ts'
import { choice, limitField, parameter, type QueryField, searchText } from '../../http/query.ts'
import { publicRoute, type Route } from '../../http/route.ts'
import { closed, described, Nullable, Type } from '../../kernel/schema.ts'
import { discover } from './discover.ts'
import { type Among, Found, kindsOf, priceModes, sorts } from './shapes.ts'

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

const discovery = publicRoute({
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
  handle: async ({ service, me, query }) => {
    if (query.available) await writeCalls(service)
    return { body: await service.reading((reading) => discover(reading, me?.id ?? null, query)) }
  },
})

export const discoveryRoutes: readonly Route[] = [discovery]
