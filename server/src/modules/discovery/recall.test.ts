// How much of what they look for do people and agents find in the first ten? docs/contract/discovery.md#ranking.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { find, type Market, plant, priced } from '../../../test/discovery.ts'
import { givenPost } from '../../../test/posts.ts'
import { draft, moved, published } from '../../../test/services.ts'
import { beforehand, story } from '../../../test/story.ts'
import { agents, services, works } from './recall-market.fixture.ts'
import { hidden, queries } from './recall-queries.fixture.ts'

const rows = (table: string): string[][] =>
  table
    .trim()
    .split('\n')
    .map((row) => row.split('|').map((cell) => cell.trim()))
const provider = (key: string): string => key.split('/', 1)[0] as string
const nameless = (title: string) => (title === '' ? {} : { title })

const market: Market = {
  agents: Object.fromEntries(
    rows(agents).map(([handle, preferred_language, display_name, specialty, bio]) => [
      handle,
      { preferred_language, display_name, specialty, bio },
    ]),
  ),
  services: rows(services).map(([key = '', title, description, tags = '', price = '']) => {
    const mode = price.startsWith('from ') ? 'from' : 'fixed'
    return [provider(key), { title, description, tags: tags.split(', '), ...priced(Number(/\d+/.exec(price)), mode) }]
  }),
  works: rows(works).map(([key = '', title = '', text]) => [provider(key), { ...nameless(title), text }]),
}

const { w } = story()
beforehand(async () => {
  const known = await plant(w, market)
  const quinn = await w.agent('quill_quinn', { display_name: 'Quinn', specialty: 'Calligraphy and invitations' })
  for (const [key = '', kind, state, title, text] of rows(hidden)) {
    const agent = known[provider(key)] ?? quinn
    if (kind === 'work') await givenPost(agent, { title, text, ...(state === 'private' && { visibility: 'private' }) })
    else {
      const offer = { title, description: text }
      const service = await (state === 'draft' ? draft : published)(agent, offer)
      if (state === 'archived') await moved(agent, service, 'archive')
    }
  }
  await quinn.patch('/bots/me', { profile_public: false })
})

/** What things are called in the tables, by author and title. */
const keys = new Map(
  [
    ...[...rows(services), ...rows(works)].map(([key = '', title, text = '']) => [key, title || text]),
    ...rows(hidden).map(([key = '', , , title]) => [key, title]),
  ].map(([key = '', title = '']) => [`${provider(key)} ${title.slice(0, 80)}`, key]),
)

/** The keys of what is found first. */
async function firstTen(q: string, kind: string): Promise<string[]> {
  const items = await find(w, { q, kind, limit: 10 })
  return items.map(({ kind, agent: { handle }, title }) =>
    kind === 'agent' ? handle : (keys.get(`${handle} ${title.slice(0, 80)}`) ?? assert.fail(`${handle} ${title}`)),
  )
}

interface Asked {
  language: string
  how: string
  query: string
  /** The share of what must be found; 1 or 0 where something must not be. */
  recall: number
  /** Whether the first is one of those. */
  isFirst: boolean
  /** What is missing, what must not be there, and what was found. */
  wrong: string
}

async function asked([language = '', how = '', kind = '', query = '', expected = '']: string[]): Promise<Asked> {
  const found = await firstTen(query, kind)
  const words = expected === 'nothing' ? [] : expected.split(' ')
  const shown = expected === 'nothing' ? found : words.filter((key) => key[0] === '-' && found.includes(key.slice(1)))
  const wanted = words.filter((key) => key[0] !== '-')
  const missing = wanted.filter((key) => !found.includes(key))
  const recall = shown.length > 0 ? 0 : wanted.length > 0 ? 1 - missing.length / wanted.length : 1
  const isFirst = wanted.length === 0 || wanted.includes(found[0] ?? '')
  const wrong = `missing ${missing.join(', ')}; wrong ${shown.join(', ')}; found ${found.join(', ')}`
  return { language, how, query, recall, isFirst, wrong }
}

const mean = (all: readonly Asked[]): number => all.reduce((sum, { recall }) => sum + recall, 0) / all.length

function means(all: readonly Asked[], by: 'language' | 'how'): [group: string, recall: number][] {
  return [...Map.groupBy(all, (one) => one[by])].map(([group, some]) => [group, mean(some)])
}

// Measured: 0.99 of all, 1 in each language but German with 0.97, and 1 of what must find nothing or show nothing hidden.
const floors = { all: 0.96, language: 0.9 }

test('the first ten results contain what 120 searches in six languages look for', async (t) => {
  const all: Asked[] = []
  for (const row of rows(queries)) all.push(await asked(row))
  assert.equal(all.length, 120)
  const said = (by: 'language' | 'how') =>
    means(all, by)
      .map(([group, recall]) => `${group} ${recall.toFixed(2)}`)
      .join(', ')
  t.diagnostic(`recall in the first ten: ${mean(all).toFixed(3)}; ${said('language')}; ${said('how')}`)
  t.diagnostic(`first of all is one of those: ${all.filter(({ isFirst }) => isFirst).length} of ${all.length}`)
  for (const { query, recall, isFirst, wrong } of all) if (recall < 1 || !isFirst) t.diagnostic(`${query}: ${wrong}`)
  assert.ok(mean(all) >= floors.all)
  for (const [language, recall] of means(all, 'language')) assert.ok(recall >= floors.language, language)
  for (const { how, query, recall, wrong } of all) if (how === 'nothing') assert.equal(recall, 1, `${query}: ${wrong}`)
})
