// Strangers find what they look for. docs/contract/discovery.md.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, find, plant, priced, titles } from '../../../test/discovery.ts'
import { trade } from '../../../test/orders.ts'
import { pluck } from '../../../test/pluck.ts'
import { givenPost } from '../../../test/posts.ts'
import { reviewBody } from '../../../test/reviews.ts'
import { draft, moved, published } from '../../../test/services.ts'
import { beforehand, story } from '../../../test/story.ts'
import { publish as publishTask } from '../../../test/tasks.ts'
import { turnHidden } from '../../../test/turning.ts'
import { type Agent, befriend, code } from '../../../test/world.ts'
import { stemsOf } from '../../search/stems.ts'
import { bounds, search as reading } from './search.ts'

const of = (handle: string): Agent => people[handle] ?? assert.fail(handle)

const { w } = story()
const people = beforehand(() =>
  plant(w, {
    agents: {
      lotte: { display_name: 'Lotte', specialty: 'Logo design and brand identity', preferred_language: 'de' },
      ivan: { display_name: 'Иван', specialty: 'Перевод договоров', bio: 'Перевожу с английского на русский' },
      mei: { display_name: '梅', specialty: '法律文件翻译', bio: '翻译合同和协议' },
      olga: { display_name: 'Olga', bio: 'I illustrate books for children' },
      pete: { display_name: 'Pete', specialty: 'Proofreading of essays and theses' },
      uwe: { display_name: 'Uwe', specialty: 'Vertragsübersetzungen' },
    },
    services: [
      ['lotte', { title: 'A logo for your shop', description: 'Three drafts by a designer', ...priced(5000) }],
      ['olga', { title: 'Illustrations for your book', tags: ['Art', 'Children books'], ...priced(9000, 'from') }],
      ['mei', { title: '合同翻译', description: '英文到中文', ...priced(3000) }],
      ['pete', { title: 'Essay check', description: 'I proofread up to ten pages', ...priced(1000) }],
    ],
    works: [
      ['lotte', { title: 'A poster', text: 'It has a logo of a fox', kind: 'portfolio' }],
      ['uwe', { text: 'Wie man einen Vertrag liest\nund was dann' }],
    ],
  }),
)

test('searches in four languages find items whose words appear in no list search', async () => {
  const searches: [string, string][] = [
    ['logo designer', 'Lotte'],
    ['logo designer', 'A logo for your shop'],
    ['ilustration', 'Illustrations for your book'],
    ['ilustration', 'Olga'],
    ['proofread my essay', 'Essay check'],
    ['proofread my essay', 'Pete'],
    ['переводы', 'Иван'],
    ['合同翻译', '合同翻译'],
    ['合同翻译', '梅'],
    ['Übersetzung', 'Uwe'],
    ['uebersetzer vertrag', 'Uwe'],
    ['I need someone to illustrate my books', 'Olga'],
  ]
  for (const [q, title] of searches) {
    const found = await titles(w, q)
    assert.ok(found.includes(title), `${q}: ${found.join(', ')}`)
  }
  assert.deepEqual(await titles(w, 'zymurgy'), [])
  assert.deepEqual(await titles(w, '?!'), [])
})

test('an ID finds what it names, for those who see it in a list, and words as any other word does', async () => {
  const lotte = of('lotte')
  const [poster] = await find(w, { q: 'poster', kind: 'works' })
  const shut = await givenPost(lotte, { title: 'A sketch', text: 'Not shown', visibility: 'private' })
  assert.deepEqual(await titles(w, lotte.id), ['Lotte'])
  assert.deepEqual(await titles(w, poster.id.toUpperCase()), ['A poster'])
  assert.deepEqual(await titles(w, { q: poster.id, kind: 'agents' }), [])
  assert.deepEqual([await titles(w, shut.id), await titles(w, shut.id, lotte)], [[], ['A sketch']])
  await givenPost(of('pete'), { title: 'A quote', text: `See ${shut.id}` })
  assert.deepEqual(await titles(w, shut.id), ['A quote'])
})

test('an agent whose handle was typed comes before newer ones of that name', async () => {
  await w.agent('kit_1', { display_name: 'Kit 1' })
  const others = await Promise.all(['younger', 'youngest'].map((handle) => w.agent(handle, { display_name: 'Kit 1' })))
  for (const q of ['kit_1', '@kit_1', 'Kit_1']) {
    const found = await find(w, { q, kind: 'agents' })
    assert.deepEqual([found[0].agent.handle, found.length], ['kit_1', 3], q)
  }
  const first = (await ask(w, { q: 'kit_1', kind: 'agents', limit: 1 })).body
  const rest = (await ask(w, { q: 'kit_1', kind: 'agents', limit: 1, cursor: first.next_cursor })).body
  assert.ok(others.some(({ id }) => id === rest.items[0].id))
  assert.deepEqual(await titles(w, { q: 'kit_1', kind: 'works' }), [])
})

test('all words rank above some, title above text, word above stem, and both above a typo', async () => {
  const ray = await w.agent('ray')
  const offers: Record<string, string>[] = [
    { title: 'Some typo about kaleidoscopex', description: 'Nothing' },
    { title: 'Of something else', description: 'Here are kaleidoscopes' },
    { title: 'Of something', description: 'Here is a kaleidoscope' },
    { title: 'Many kaleidoscopes', description: 'Nothing' },
    { title: 'One kaleidoscope', description: 'Nothing' },
    { title: 'One repaired kaleidoscope', description: 'Nothing' },
  ]
  for (const offer of offers) await published(ray, offer)
  assert.deepEqual(
    await titles(w, 'kaleidoscope'),
    [5, 4, 3, 2, 1, 0].map((at) => offers[at]?.['title']),
  )
  assert.equal((await titles(w, 'repaired kaleidoscope'))[0], 'One repaired kaleidoscope')
  assert.equal((await titles(w, 'repaired kaleidoscope')).length, 6)
})

test('a stop word of another language counts, unless the search is in that language', async () => {
  const max = await w.agent('max')
  for (const title of ['A red hat for a fisherman', 'Red paint', 'Red sea maps'])
    await published(max, { title, description: 'Made by hand' })
  const first = async (q: string) => (await titles(w, { q, kind: 'services' }))[0]
  assert.equal(await first('red hat for man'), 'A red hat for a fisherman')
  assert.equal(await first('hat'), 'A red hat for a fisherman')
  assert.equal(await first('red sea'), 'Red sea maps')
  // Here it is the verb.
  assert.deepEqual(await titles(w, { q: 'hat einen Zebrafinken', kind: 'services' }), [])
})

test('an item names its title, owner, price and address', async () => {
  const [service] = await find(w, { q: 'shop logo', kind: 'services' })
  assert.deepEqual(
    { ...service, id: '', agent: { ...service.agent, id: '' }, updated_at: '' },
    {
      kind: 'service',
      id: '',
      title: 'A logo for your shop',
      says: 'Three drafts by a designer',
      agent: { id: '', handle: 'lotte', display_name: 'Lotte' },
      price: { mode: 'fixed', total_minor: 5500 },
      rating: null,
      url: `${w.running.service.publicUrl}/services/${service.id}`,
      api: `/api/v1/services/${service.id}`,
      updated_at: '',
    },
  )
  const [work] = await find(w, { q: 'Vertrag', kind: 'works' })
  assert.deepEqual([work.kind, work.title, work.price], ['work', 'Wie man einen Vertrag liest', null])
  const lotte = of('lotte')
  for (const { api } of await find(w, { q: 'logo' }, lotte)) assert.equal((await lotte.get(api.slice(7))).status, 200)
})

test('filters and sorts are applied', async () => {
  assert.deepEqual(await titles(w, { kind: 'services', sort: 'price', max_total_minor: 6000, tag: 'art' }), [])
  assert.deepEqual(await titles(w, { tag: 'CHILDREN books' }), ['Illustrations for your book'])
  assert.deepEqual(await titles(w, { price_mode: 'from' }), ['Illustrations for your book'])
  assert.deepEqual(await titles(w, { q: 'logo', language: 'DE', kind: 'services' }), ['A logo for your shop'])
  assert.deepEqual(await titles(w, { q: 'logo', language: 'de', kind: 'works' }), ['A poster'])
  const cheap = { kind: 'services', min_total_minor: 1101, max_total_minor: 5500, sort: 'price' }
  assert.deepEqual(await titles(w, cheap), ['合同翻译', 'A logo for your shop'])
  const dear = await titles(w, { sort: 'price_desc', limit: 2 })
  assert.deepEqual(dear, ['Illustrations for your book', 'A logo for your shop'])
  const sold = await titles(w, { q: 'logo', sort: 'price' })
  assert.deepEqual(sold.slice(0, 1), ['A logo for your shop'])
  assert.equal((await titles(w, { kind: 'agents', limit: 50 })).length >= 6, true)
  assert.deepEqual(await titles(w, { kind: 'agents', sort: 'rating', limit: 1 }), [
    (await titles(w, { kind: 'agents', limit: 1 }))[0],
  ])
})

test('sorting by rating counts each verified owner once, and puts unrated items last', async () => {
  const offering = (agent: Agent) => published(agent, { title: `Luthier ${agent.handle}`, tags: ['Strings'] })
  const hidden = (review: string, isHidden: boolean) => turnHidden(w, 'review', review, isHidden)
  const buyer = await w.agentWithEmail('buyer', 'buyer@example.org')
  const rate = async (agent: Agent, rating: number): Promise<string> => {
    const { id } = await trade(w, buyer, agent, 'accepted')
    const { body } = await buyer.post(`/orders/${id}/reviews`, reviewBody('customer', { rating }))
    await agent.post(`/orders/${id}/reviews`, reviewBody('contractor'))
    return body.review.id
  }
  const [gut, best, fresh] = [await w.agent('gut'), await w.agent('best'), await w.agent('fresh')]
  for (const agent of [gut, best, fresh]) {
    await offering(agent)
    await befriend(buyer, agent)
  }
  await rate(gut, 3)
  const praise = await rate(best, 5)
  const search = { q: 'luthier', sort: 'rating' }
  assert.deepEqual(await titles(w, search), ['Luthier best', 'Luthier gut', 'Luthier fresh'])
  assert.deepEqual(pluck(await find(w, search), 'rating'), [{ average: 5, count: 1 }, { average: 3, count: 1 }, null])
  // However many newer things there are, also with its tag.
  for (const tag of [undefined, 'strings']) {
    const wanted = { viewerId: null, kind: 'services', sort: 'rating', tag } as const
    const { hits, partial } = await reading(w.sql, w.now(), wanted, { limit: 2, bounds: { ...bounds, enough: 1 } })
    assert.deepEqual([hits.slice(0, 2).map(({ agent_id }) => agent_id), partial], [[best.id, gut.id], false])
  }

  // Who reads on finds each thing once, in the order of the first page, whatever is rated meanwhile.
  const lists = await Promise.all(
    [{}, { q: 'luthier' }, { tag: 'strings' }].map(async (words) => {
      const all = { ...words, kind: 'services', sort: 'rating' }
      return { all, whole: await titles(w, { ...all, limit: 50 }), found: [] as string[], cursor: '' as string | null }
    }),
  )
  const changes = [() => hidden(praise, true), () => rate(fresh, 4), () => hidden(praise, false), () => rate(gut, 5)]
  while (lists.some(({ cursor }) => cursor !== null)) {
    for (const list of lists.filter(({ cursor }) => cursor !== null)) {
      const { body } = await ask(w, { ...list.all, limit: 1, ...(list.cursor && { cursor: list.cursor }) })
      list.found.push(...body.items.map(({ title }: { title: string }) => title))
      list.cursor = body.next_cursor
    }
    await changes.shift()?.()
  }
  for (const { all, whole, found } of lists) assert.deepEqual(found, whole, JSON.stringify(all))
  assert.deepEqual(await titles(w, search), ['Luthier best', 'Luthier gut', 'Luthier fresh'], 'as they are rated now')
})

test("a task's price is its budget", async () => {
  const hugo = await w.agent('hugo')
  await publishTask(w, hugo, {
    title: 'Wanted: a weathercock',
    description: 'Gilded. '.repeat(100),
    budget_minor: 5000,
  })
  await publishTask(w, hugo, { title: 'Wanted: a weathervane' })
  const [task] = await find(w, { q: 'weathercock' })
  assert.deepEqual([task.kind, task.price], ['task', { mode: 'budget', total_minor: 5000 }])
  assert.equal(task.says, 'Gilded. '.repeat(100).slice(0, 500))
  const budget = { kind: 'tasks', price_mode: 'budget' }
  assert.deepEqual(await titles(w, budget), ['Wanted: a weathercock'])
  assert.deepEqual(await titles(w, { ...budget, min_total_minor: 5001 }), [])
})

test('the available filter returns published services, open tasks and recently active agents', async () => {
  const [una, vic] = [await w.agent('una', { display_name: 'Una the cooper' }), await w.agent('vic')]
  const barrel = await published(una, { title: 'A cooper’s barrel' })
  await moved(una, await published(una, { title: 'A paused cooper' }), 'pause')
  await publishTask(w, vic, { title: 'Wanted: a cooper' })
  await givenPost(una, { text: 'A cooper at work' })
  const available = () => titles(w, { q: 'cooper', available: 'true', limit: 50 })
  assert.deepEqual((await available()).sort(), ['A cooper’s barrel', 'Una the cooper', 'Wanted: a cooper'])
  assert.equal((await titles(w, { q: 'cooper' })).length, 5)
  w.travel(8 * 86_400_000)
  assert.ok(!(await available()).includes('Una the cooper'))
  await una.get('/bots/me')
  assert.ok((await available()).includes('Una the cooper'))
  await moved(una, barrel, 'archive')
  assert.ok(!(await titles(w, 'cooper')).includes('A cooper’s barrel'))
})

test('search shows to everyone what the lists show, and nothing once they no longer do', async () => {
  const [nora, otto] = [await w.agent('nora', { display_name: 'Nora Quixotic' }), await w.agent('otto')]
  const mine = await published(nora, { title: 'Quixotic service' })
  await draft(nora, { title: 'Quixotic draft' })
  await givenPost(nora, { title: 'Quixotic work', text: 'Public' })
  await givenPost(nora, { title: 'Quixotic secret', text: 'Private', visibility: 'private' })
  await publishTask(w, nora, { title: 'Quixotic task' })
  const everything = ['Nora Quixotic', 'Quixotic service', 'Quixotic task', 'Quixotic work']
  const seen = async (as?: Agent) => (await titles(w, 'quixotic', as)).sort()
  assert.deepEqual(await seen(), everything)
  assert.deepEqual(await seen(otto), everything)
  assert.deepEqual(await seen(nora), [...everything, 'Quixotic secret'].sort())
  await nora.patch('/bots/me', { profile_public: false })
  assert.deepEqual(await seen(otto), [])
  assert.deepEqual(await seen(nora), ['Quixotic secret', 'Quixotic work'])
  await nora.patch('/bots/me', { profile_public: true })
  assert.deepEqual(await seen(), everything)
  await nora.patch(`/services/${mine.id}`, {
    operation_id: crypto.randomUUID(),
    expected_version: mine.version,
    title: 'Renamed',
  })
  assert.deepEqual(await seen(), everything.toSpliced(1, 1))
  const [work] = await find(w, { q: 'quixotic', kind: 'works' })
  await w.request('DELETE', `/posts/${work.id}`, { token: nora.token, json: {} })
  assert.deepEqual(await seen(), ['Nora Quixotic', 'Quixotic task'])
})

const idsOf = (items: readonly { id: string }[]): string[] => items.map(({ id }) => id)

/** The IDs of all pages. */
async function pages(search: Record<string, string | number>): Promise<string[]> {
  const found: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await ask(w, { ...search, ...(cursor && { cursor }) })
    found.push(...idsOf(body.items))
    cursor = body.next_cursor
  }
  return found
}

test('a cursor continues after the last item, only for its reader and search, for a day', async () => {
  const sam = await w.agent('sam')
  for (let n = 0; n < 7; n++) await published(sam, { title: `Gizmo ${n}`, ...priced(100 + 10 * (n % 3)) })
  for (const sort of ['relevance', 'newest', 'price', 'price_desc', 'rating']) {
    const whole = await find(w, { q: 'gizmo', sort, limit: 50 })
    assert.equal(whole.length, 7)
    assert.deepEqual(await pages({ q: 'gizmo', sort, limit: 3 }), idsOf(whole), sort)
  }
  for (const sort of ['newest', 'price', 'price_desc', 'rating']) {
    const whole = await pages({ sort, limit: 50 })
    assert.ok(whole.length > 30)
    assert.deepEqual(await pages({ sort, limit: 5 }), whole, sort)
  }
  const { body } = await ask(w, { q: 'gizmo', limit: 3 })
  const cursor = body.next_cursor
  const refused = async (search: Record<string, string | number>, as?: Agent) =>
    assert.equal(code(await ask(w, search, as)), '400 invalid_search', JSON.stringify(search))
  await refused({ q: 'gizmo', limit: 4, cursor })
  await refused({ q: 'gizmos', limit: 3, cursor })
  await refused({ q: 'gizmo', limit: 3, cursor }, sam)
  await refused({ q: 'gizmo', limit: 3, cursor: `1${cursor}` })
  // A place by rating names a rank, an agent and a moment, which are signed too.
  const { body: rated } = await ask(w, { sort: 'rating', limit: 1 })
  const [rank, agent, moment, signed] = rated.next_cursor.split('.')
  for (const place of [[rank, sam.id, moment], [rank, agent, moment - 1], [0, agent, moment], [rank]]) {
    await refused({ sort: 'rating', limit: 1, cursor: [...place, signed].join('.') })
  }
  await refused({ sort: 'rating', limit: 1, kind: 'services', cursor: rated.next_cursor })
  await refused({ sort: 'rating', limit: 1, cursor: rated.next_cursor }, sam)
  w.travel(25 * 3_600_000)
  await refused({ q: 'gizmo', limit: 3, cursor })
  await refused({ sort: 'rating', limit: 1, cursor: rated.next_cursor })
})

test('a number is its own stem in every language, so no dictionary is asked for it', async () => {
  const numbers = ['0', '7', '2024', '00420', '31415926535897932384626433832795028841971']
  const stems = await stemsOf(async () => assert.fail('asked'), numbers)
  const languages = ['english', 'german', 'french', 'spanish', 'russian']
  for (const number of numbers) {
    assert.deepEqual(stems.get(number), { stems: [number], fillerIn: [] })
    const rows = await w.sql<{ stems: string[] }>`
      select ts_lexize((language || '_stem')::regdictionary, ${number}) as stems from unnest(${languages}::text[]) as l (language)`
    assert.deepEqual(
      rows,
      languages.map(() => ({ stems: [number] })),
    )
  }
})
