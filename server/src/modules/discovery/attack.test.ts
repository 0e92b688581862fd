// Hostile searches: what is hidden, what costs much, what a query might take for itself. docs/contract/discovery.md.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, find, titles } from '../../../test/discovery.ts'
import { pluck } from '../../../test/pluck.ts'
import { givenPost } from '../../../test/posts.ts'
import { published } from '../../../test/services.ts'
import { beforehand, story } from '../../../test/story.ts'
import { publish } from '../../../test/tasks.ts'
import { turnHidden } from '../../../test/turning.ts'
import { type Agent, code, eventually } from '../../../test/world.ts'
import { bounds, search } from './search.ts'
import { mostTerms } from './terms.ts'

const { w, mallory } = story('mallory')
const ada = beforehand(() => w.agent('ada', { display_name: 'Ada', specialty: 'Marbling of paper' }))

test('a malformed search is invalid_search', async () => {
  const status = async (query: string): Promise<string> => code(await w.request('GET', `/discovery?${query}`))
  for (const query of ['q=%ff', 'q=%ED%A0%80', 'min_total_minor=2&max_total_minor=1', 'cursor=', 'cursor=1.abc']) {
    assert.equal(await status(query), '400 invalid_search', query)
  }
  assert.equal(code(await w.request('GET', '/discovery?q=x', { token: 'nobody' })), '401 unauthorized')
  for (const query of ['', `q=${encodeURIComponent('🙂'.repeat(200))}`, 'min_total_minor=1&max_total_minor=1']) {
    assert.equal(await status(query), '200', query)
  }
})

test('operators, quotes and wildcards in a search are plain text', async () => {
  await published(mallory, { title: 'O’Brien’s "quoted" c++ & c# | tools', tags: ["it's", '%', 'a\\b'] })
  const [title] = await titles(w, 'brien')
  assert.ok(title)
  for (const q of [
    "'",
    "''",
    '"',
    '\\',
    "\\'",
    ':*',
    '!brien',
    'a & | !',
    '(',
    'brien:*',
    "brien' | 'x",
    '<->',
    'a <-> b',
    '%',
    '_',
    '{}',
    '$1',
    '\u200f',
    "');drop table findable;--",
    "brien\\' | 'kagent",
    'kagent',
    '1brien',
    'ﬁ',
    'İstanbul',
    'a\u0301',
    '\u0e33\u0e33',
    '👩‍👩‍👧',
    'x'.repeat(200),
    'ё'.repeat(200),
    '合'.repeat(200),
    `${'a b '.repeat(50)}`,
  ]) {
    await find(w, { q })
    await find(w, { tag: q.slice(0, 80) === '\u200f' ? 'x' : q.slice(0, 80) })
  }
  assert.deepEqual(await titles(w, 'kservice'), [])
  assert.deepEqual(await titles(w, 'kagent'), [])
  assert.ok((await titles(w, 'c++')).includes(title))
  assert.ok((await titles(w, { tag: "IT'S" })).includes(title))
  assert.ok((await titles(w, { tag: 'a\\b' })).includes(title))
  assert.deepEqual(await titles(w, { tag: 'a' }), [])
})

test('hidden content neither appears nor affects order or counts', async () => {
  const seen = await published(ada, { title: 'Marbled endpapers' })
  const hidden = await published(ada, { title: 'Marbled ceilings' })
  const task = await publish(w, ada, { title: 'Marbled shelf wanted' })
  const work = await givenPost(ada, { title: 'Marbled box', text: 'Seen' })
  const all = (as?: Agent) =>
    eventually(async () => {
      const { body } = await ask(w, { q: 'marbled' }, as)
      return body.partial ? undefined : JSON.stringify(body)
    }, 'a whole answer')
  const before = await all()
  await turnHidden(w, 'service', hidden.id, true)
  const without = await all()
  assert.ok(before.includes(hidden.id) && !without.includes(hidden.id))
  const { items, ...rest } = JSON.parse(without)
  assert.deepEqual(rest, { next_cursor: null, partial: false })
  assert.deepEqual(
    pluck(items, 'id'),
    JSON.parse(before).items.flatMap(({ id }: { id: string }) => (id === hidden.id ? [] : [id])),
  )
  const one = items.map((item: object) => [item])
  for (let cursor = ''; ; ) {
    const { body } = await eventually(async () => {
      const answer = await ask(w, { q: 'marbled', limit: 1, ...(cursor && { cursor }) })
      return answer.body.partial ? undefined : answer
    }, 'a whole page')
    assert.deepEqual(body.items, one.shift(), 'no page has a gap')
    cursor = body.next_cursor
    if (cursor === null) break
  }
  assert.deepEqual(one, [])
  // Its provider's own list does not show it either.
  assert.equal(await all(ada), without)
  for (const [kind, id] of [
    ['service', seen.id],
    ['task', task.id],
    ['post', work.id],
  ] as const) {
    await turnHidden(w, kind, id, true)
    assert.ok(!(await all()).includes(id), kind)
    await turnHidden(w, kind, id, false)
  }
  await turnHidden(w, 'service', hidden.id, false)
  const ways = [{ available: 'true' }, ...['newest', 'price', 'price_desc', 'rating'].map((sort) => ({ sort }))]
  const hasAda = async () => {
    const found = await Promise.all(ways.map((way) => find(w, { ...way, limit: 50 }, mallory)))
    return found.map((items) => items.some(({ agent }) => agent.id === ada.id))
  }
  assert.deepEqual(
    await hasAda(),
    ways.map(() => true),
  )
  await turnHidden(w, 'profile', ada.id, true)
  assert.deepEqual(await titles(w, 'marbled'), [])
  assert.deepEqual(await titles(w, 'marbling'), [])
  assert.deepEqual(
    await hasAda(),
    ways.map(() => false),
  )
  await turnHidden(w, 'profile', ada.id, false)
  assert.equal(await all(), before)
})

test('a block hides nothing that everyone else can see, in discovery or in the list', async () => {
  const eve = await w.agent('eve', { specialty: 'Marbling too' })
  const before = await titles(w, 'marbled', eve)
  const { contact } = (await eve.post('/contacts/requests', { recipient_id: ada.id })).body
  assert.equal(code(await ada.post(`/contacts/${contact.id}/block`)), '200')
  const listed = (await eve.get('/bots?q=marbling')).body.bots.map(({ id }: Agent) => id)
  const found = (await find(w, { q: 'marbling', kind: 'agents' }, eve)).map(({ id }) => id)
  assert.deepEqual([listed.includes(ada.id), found.includes(ada.id)], [true, true])
  assert.deepEqual(await titles(w, 'marbled', eve), before)
})

test('a deleted work and an old title can no longer be found', async () => {
  const { id } = await givenPost(ada, { title: 'Palimpsest', text: 'Scraped' })
  await ada.patch(`/posts/${id}`, { title: 'Clean' })
  assert.deepEqual(await titles(w, 'palimpsest'), [])
  assert.deepEqual(await titles(w, 'palimpset'), [])
  assert.equal((await titles(w, 'scraped')).length, 1)
  await w.request('DELETE', `/posts/${id}`, { token: ada.token, json: {} })
  assert.deepEqual(await titles(w, 'scraped'), [])
  assert.deepEqual(await w.sql`select 1 from findable where id = ${id}`, [])
})

test('a search that runs out of time returns what it has, and says so', async () => {
  const wanted = { viewerId: null, q: 'marbled', kind: 'all', sort: 'relevance' } as const
  const none = await search(w.sql, w.now(), wanted, { limit: 20, bounds: { ...bounds, time: 0 } })
  assert.deepEqual(none, { hits: [], partial: true })
  const newest = await search(
    w.sql,
    w.now(),
    { ...wanted, q: undefined, sort: 'newest' },
    { limit: 20, bounds: { ...bounds, time: 0 } },
  )
  assert.deepEqual(newest, { hits: [], partial: true })
  const few = await search(w.sql, w.now(), wanted, { limit: 20, bounds: { ...bounds, enough: 1 } })
  assert.ok(few.hits.length > 0 && few.partial)
})

test('an item with most of the words is found among many with one', async () => {
  const lantern = await published(ada, { title: 'Gilded paper lanterns' })
  for (let n = 0; n < 20; n++) await givenPost(mallory, { title: `Paper ${n}`, text: 'Gilded' })
  for (const q of [
    'gilded paper lanterns today',
    'gilded paper lantrens today',
    'one two three four five gilded paper lanterns',
  ]) {
    const wanted = { viewerId: null, q, kind: 'all', sort: 'relevance' } as const
    const { hits } = await search(w.sql, w.now(), wanted, { limit: 20, bounds: { ...bounds, enough: 1, time: 60_000 } })
    assert.equal(hits[0]?.id, lantern.id, q)
  }
})

test('a misspelt word is found among many partial matches', async () => {
  const ledger = await published(ada, { title: 'Bookkeeping' })
  for (let n = 0; n < 20; n++) await givenPost(mallory, { title: `Book ${n}`, text: 'Old' })
  const wanted = { viewerId: null, q: 'bookeeping', kind: 'all', sort: 'relevance' } as const
  const { hits } = await search(w.sql, w.now(), wanted, { limit: 20, bounds: { ...bounds, enough: 1, time: 60_000 } })
  assert.equal(hits[0]?.id, ledger.id)
  assert.equal((await titles(w, 'bookeeping'))[0], 'Bookkeeping')
})

test('twenty simultaneous searches with the most terms all return the same', async () => {
  const q = Array.from({ length: 3 * mostTerms }, (_, n) => `marb${String.fromCodePoint(97 + (n % 26))}`)
    .join(' ')
    .slice(0, 200)
  const twenty = <T>(one: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: 20 }, one))
  for (const answer of await twenty(() => ask(w, { q }))) assert.equal(code(answer), '200')
  // On a busy machine the time of some is over before that of others.
  const wanted = { viewerId: null, q, kind: 'all', sort: 'relevance' } as const
  const patient = { limit: 20, bounds: { ...bounds, time: 60_000 } }
  const answers = await twenty(() => search(w.sql, w.now(), wanted, patient))
  assert.equal(new Set(answers.map((answer) => JSON.stringify(answer))).size, 1)
})

test('after twenty simultaneous changes of one service the search matches its final state', async () => {
  const service = await published(ada, { title: 'Number 0' })
  await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      ada.patch(`/services/${service.id}`, {
        operation_id: crypto.randomUUID(),
        expected_version: service.version,
        title: `Numbered vellum ${n}`,
      }),
    ),
  )
  const { body } = await ada.get(`/services/${service.id}`)
  assert.deepEqual(await titles(w, 'vellum'), [body.service.title])
})
