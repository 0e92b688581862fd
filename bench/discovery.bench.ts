import { databaseOf } from './data.ts'
import { atMost, type Line } from './goal.ts'
import { openHttp } from './http-client.ts'
import { betweenSides, inTurns, type Side, type Times } from './sides.ts'
import { quantile } from './statistics.ts'
import { type BenchAgent, registerAgents, startKith } from './targets.ts'

/** `KITH_BENCH_THINGS`: another size of the large table. */
const [few, many] = [1000, Number(process.env['KITH_BENCH_THINGS'] ?? 1_000_000)]
const named = (count: number): string => count.toLocaleString('en')

const frequent = 'Translation'
const searches = {
  'a word of every second': 'translation',
  'the same by another form': 'translating',
  'a word of every twentieth': 'poster',
  'a word of every hundredth': 'kaleidoscope',
  'ten hits': 'zebrafinch',
  'ten hits by a typo': 'zebrafnich',
  'two frequent words': 'translation poster',
  'a frequent and a rare word': 'translation zebrafinch',
  'words that nobody has': 'quokka wombat',
  'pairs of characters': '合同翻译',
} as const

/** The same searches among 1,000 and among 1,000,000 works: of two processes, asked in turns. */
export const discovery = (): Promise<Line[]> =>
  betweenSides([few, many], open, async (small, large) => {
    const all: Times = { small: [], large: [] }
    const lines: Line[] = []
    for (const [name, q] of [...Object.entries(searches), ['the newest', '']] as const) {
      const query = q === '' ? '' : `&q=${encodeURIComponent(q)}`
      const times = await inTurns(small, large, async ({ http }) => {
        const { status, body } = await http.request('GET', `/api/v1/discovery?limit=20${query}`)
        if (status !== 200) throw new Error(`${query}: ${body}`)
      })
      all.small.push(...times.small)
      all.large.push(...times.large)
      lines.push(line(name, times, 0.5, false))
    }
    return [...lines, line('all of these', all, 0.95, true)]
  })

function line(name: string, { small, large }: Times, fraction: number, hasGoal: boolean): Line {
  const [a, b] = [quantile(small, fraction), quantile(large, fraction)]
  return {
    measure: `discovery, ${name}, p${100 * fraction}`,
    kith: `${b.toFixed(2)} ms among ${named(many)}`,
    against: `${a.toFixed(2)} ms among ${named(few)}`,
    ratio: `${(b / a).toFixed(2)}x`,
    ...(hasGoal && { goal: atMost(1.3, b / a) }),
  }
}

async function open(count: number): Promise<Side> {
  const kith = await startKith()
  const db = await databaseOf(kith)
  const authors = await registerAgents(kith.url, 50, 'author')
  await addWorks({ kith, db }, authors, count)
  return { kith, db }
}

const phrases = 500
/** Of the words that texts are made of, the first are the most frequent. */
const vocabulary = Array.from({ length: 3000 }, (_, n) => `w${((n * 7919) % 46_656).toString(36)}${n.toString(36)}`)
const drawn = (seed: number): string => vocabulary[Math.floor(vocabulary.length ** ((seed % 997) / 997)) - 1] as string

/** Public works in the words of some hundred private ones; and of each word that is searched as many as it says. */
async function addWorks({ kith, db }: Side, authors: readonly BenchAgent[], count: number): Promise<void> {
  const http = await openHttp(kith.url, 1)
  const write = async (n: number, title: string, text: string): Promise<void> => {
    const { token } = authors[n % authors.length] as BenchAgent
    const response = await http.request('POST', '/api/v1/posts', token, JSON.stringify({ title, text }))
    if (response.status !== 201) throw new Error(response.body)
  }
  for (let n = 0; n < phrases; n++) {
    const words = Array.from({ length: 24 }, (_, at) => drawn(n * 131 + at * 617 + n * at))
    await write(
      n,
      `${words.slice(0, 4).join(' ')}${n % 2 ? '' : ` ${frequent}`}`,
      `${words.join(' ')}${n % 20 === 3 ? ' poster' : ''}${n % 100 === 7 ? ' kaleidoscope' : ''}`,
    )
  }
  await write(0, 'A zebrafinch 合同翻译', 'Rare')
  http.close()
  await db.query(
    `create temporary table told as
     select row_number() over (order by id) as n, words, near from findable where kind = 'work'`,
  )
  const indexes = await db.query(
    `select indexname as name, indexdef as definition from pg_indexes
     where indexname like 'findable_words_%' or indexname = 'posts_by_gram'`,
  )
  for (const { name } of indexes.rows) await db.query(`drop index ${name}`)
  await db.query(
    `with made as (
       select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(md5(random()::text), 1, 3) || '8' ||
         substr(md5(random()::text), 1, 15))::uuid as id, ($1::uuid[])[1 + n % cardinality($1::uuid[])] as author, n, at,
         1 + n % ${phrases} as phrase, n % ($2 / 10) = 0 as is_rare
       from generate_series(1, $2::int) n,
         lateral (select now() - interval '1 minute' - interval '365 days' * (n / $2::float8) as at) t
     ), posts as (
       insert into posts (id, author_id, title, text, kind, visibility, project, search_text, search_grams, created_at, updated_at)
       select id, author, 'Work ' || n, 'As it is told', 'update', 'public', '{}', '', '{}', at, at from made
     ), listed as (
       insert into listed_posts (post_id, author_id, kind, created_at) select id, author, 'update', at from made
     )
     insert into findable (id, kind, agent_id, lot, words, near)
     select id, 'work', author, ceil(ln(drawn + 1) / ln(2) / 2 - 1e-9),
       told.words || case when is_rare then rare.words else '' end,
       told.near || case when is_rare then rare.near else '' end
     from made join told on told.n = phrase join told rare on rare.n = ${phrases} + 1, lateral (select ('x' || right(id::text, 3))::bit(12)::int >> 2 as drawn) lot`,
    [authors.map(({ id }) => id), count],
  )
  for (const { definition } of indexes.rows) await db.query(definition)
  await db.query('vacuum analyze posts, listed_posts, findable')
}
