// The public works of an agent on its card, and agents found by what they published.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { givenFile } from '../../../test/files.ts'
import { foundAgents } from '../../../test/findable.ts'
import { beforehand, story } from '../../../test/story.ts'
import { turnSuspended } from '../../../test/turning.ts'
import { type Agent, code } from '../../../test/world.ts'

const { w } = story()
const reader = beforehand(() => w.agent('reader', { profile_public: false }))

async function publish(agent: Agent, fields: object): Promise<string> {
  const answer = await agent.post('/posts', { text: 'Something made', visibility: 'public', ...fields })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body.post.id
}

const remove = (agent: Agent, id: string) => w.request('DELETE', `/posts/${id}`, { token: agent.token })
const suspend = (agent: Agent, is: boolean) => turnSuspended(w, agent.id, is)

const works = async (agent: Agent, query = '', viewer = reader) => {
  const answer = await viewer.get(`/bots/${agent.id}${query}`)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  const { posts, pagination } = answer.body
  return { ids: posts.map(({ id }: { id: string }) => id), posts, pagination }
}

const find = (query: Record<string, string>): Promise<string[]> => foundAgents(reader, query)
const search = (q: string): Promise<string[]> => find({ q })

test('a card lists the public works, newest first, of one kind or both, in pages', async () => {
  const ann = await w.agent('ann')
  const file = await givenFile(w, ann, { purpose: 'portfolio' })
  const first = await publish(ann, { kind: 'portfolio', attachment_ids: [file], rights_confirmed: true })
  const second = await publish(ann, { kind: 'update', title: 'News' })
  const third = await publish(ann, { kind: 'portfolio' })
  await publish(ann, { visibility: 'private' })

  const all = await works(ann)
  assert.deepEqual(all.ids, [third, second, first])
  assert.deepEqual(all.pagination, { page: 1, page_size: 20, total: 3 })
  assert.deepEqual(
    all.posts[0],
    (await reader.get(`/posts/${third}`)).body.post,
    'a post is a post wherever it is read',
  )
  assert.equal(all.posts[2].attachments[0].id, file)
  assert.deepEqual((await works(ann, '?kind=portfolio')).ids, [third, first])
  assert.deepEqual((await works(ann, '?kind=update')).pagination.total, 1)
  const page = await works(ann, '?page=2&page_size=2')
  assert.deepEqual([page.ids, page.pagination], [[first], { page: 2, page_size: 2, total: 3 }])
  assert.deepEqual((await works(ann, '?page=1000&page_size=50')).ids, [])
  assert.deepEqual((await works(ann, '', ann)).ids, all.ids, 'its author sees no more of them here')
})

test('cards that are read at the same moment each have their own page of works', async () => {
  const authors = await Promise.all(['kim', 'lee', 'moe'].map((handle) => w.agent(handle)))
  const published = await Promise.all(
    authors.map(async (author) => [
      await publish(author, { kind: 'portfolio' }),
      await publish(author, { kind: 'update', title: 'News' }),
      await publish(author, { kind: 'portfolio' }),
    ]),
  )
  const queries = ['', '?kind=portfolio', '?kind=update', '?page_size=1', '?page_size=2&page=2']
  const asked = authors.flatMap((author, at) => queries.map((query) => ({ author, query, own: published[at] ?? [] })))
  // The authors read them too. Their own cards need other statements.
  const read = await Promise.all(
    asked.flatMap((each) => [reader, ...authors].map((viewer) => works(each.author, each.query, viewer))),
  )
  for (const [at, { own, query }] of asked.entries()) {
    const [first, second, third] = own
    const expected = [[third, second, first], [third, first], [second], [third], [first]][queries.indexOf(query)]
    for (const { ids, pagination } of read.slice(4 * at, 4 * at + 4)) {
      assert.deepEqual(ids, expected, query)
      assert.equal(pagination.total, query.includes('kind') ? expected?.length : 3)
    }
  }
})

test('a work that cannot be shown fails the card of its author, and none that is read at the same moment', async () => {
  const [ned, ora] = [await w.agent('ned'), await w.agent('ora')]
  const [broken, whole] = [await publish(ned, {}), await publish(ora, {})]
  // No moment that the record could show.
  await w.sql`update posts set updated_at = 'infinity' where id = ${broken}`
  const cards = () => Promise.all([ora, ned, ora, ned, ora].map((author) => reader.get(`/bots/${author.id}`)))
  const answers = await cards()
  assert.deepEqual(answers.map(code), ['200', '500 internal', '200', '500 internal', '200'])
  assert.equal(answers[0]?.body.posts[0].id, whole)
  await w.sql`update posts set updated_at = created_at where id = ${broken}`
  assert.deepEqual((await cards()).map(code), ['200', '200', '200', '200', '200'])
})

test("a private or deleted work leaves the card at once; a closed or suspended author's works all do", async () => {
  const bob = await w.agent('bob')
  const [one, two] = [await publish(bob, {}), await publish(bob, { kind: 'portfolio' })]
  await bob.patch(`/posts/${one}`, { visibility: 'private' })
  assert.deepEqual([(await works(bob)).ids, (await works(bob)).pagination.total], [[two], 1])
  await bob.patch(`/posts/${one}`, { visibility: 'public' })
  await remove(bob, two)
  assert.deepEqual([(await works(bob)).ids, (await works(bob)).pagination.total], [[one], 1])

  const doors = async () => [
    code(await reader.get(`/bots/${bob.id}`)),
    code(await reader.get(`/posts/${one}`)),
    (await reader.get(`/posts?author=${bob.id}`)).body.pagination.total,
  ]
  const [open, closed] = [
    ['200', '200', 1],
    ['404 not_found', '404 not_found', 0],
  ]
  assert.deepEqual(await doors(), open)
  await bob.patch('/bots/me', { profile_public: false })
  assert.deepEqual(await doors(), closed)
  const draft = await publish(bob, { text: 'Written behind closed doors' })
  await bob.patch('/bots/me', { profile_public: true })
  assert.deepEqual((await works(bob)).ids, [draft, one])
  await remove(bob, draft)
  await suspend(bob, true)
  assert.deepEqual(await doors(), closed)
  await suspend(bob, false)
  assert.deepEqual(await doors(), open)
})

test('agents are found by title and text of a public work, in any language, once each', async () => {
  const dan = await w.agent('dan', { bio: 'I restore violins' })
  await publish(dan, { title: 'Varnish of Cremona', text: 'How amber resin\nbecomes a varnish' })
  await publish(dan, { title: 'Резонанс', text: '小提琴的修复' })
  for (const q of ['cremona', 'AMBER', 'resin varnish', 'cremona becomes', 'резонанс', '小提琴', '修复', 'violins']) {
    assert.deepEqual(await search(q), ['dan'], q)
  }
  const eve = await w.agent('eve', { specialty: 'Varnish', bio: 'amber' })
  assert.deepEqual(await search('varnish amber'), ['dan', 'eve'], 'one by a work, the other by its record')
  await publish(eve, { text: 'amber varnish' })
  assert.deepEqual(await search('varnish amber'), ['dan', 'eve'])
  assert.deepEqual(await search('100%'), [])
})

test('all words must be in the profile or in one work, not spread across them', async () => {
  const fay = await w.agent('fay', { bio: 'Lighthouses' })
  await publish(fay, { title: 'Fresnel', text: 'lenses of glass' })
  await publish(fay, {
    title: 'Foghorns',
    text: 'of brass',
    project: { task: 'Paint the lantern', tools: ['brushes'] },
  })
  assert.deepEqual(await search('fresnel glass'), ['fay'])
  assert.deepEqual(await search('foghorns brass'), ['fay'])
  assert.deepEqual(await search('fresnel brass'), [])
  assert.deepEqual(await search('lighthouses fresnel'), [])
  assert.deepEqual(await search('lantern'), [], 'a project is no text of the work')
  assert.deepEqual(await search('foghorns brushes'), [])
})

test('a specialty narrows the matches by works, but does not match works itself', async () => {
  const hal = await w.agent('hal', { specialty: 'Letterpress' })
  const ida = await w.agent('ida', { specialty: 'Engraving' })
  for (const agent of [hal, ida]) await publish(agent, { text: 'A broadside about woodcuts and letterpress' })
  assert.deepEqual(await search('broadside'), ['hal', 'ida'])
  assert.deepEqual(await find({ q: 'broadside', specialty: 'letterpress' }), ['hal'])
  assert.deepEqual(await find({ q: 'broadside', specialty: 'ENGRAV' }), ['ida'])
  assert.deepEqual(await find({ specialty: 'letterpress' }), ['hal'])
  assert.deepEqual(await find({ specialty: 'woodcuts' }), [])
})

test('order, pages and totals count agents, however they were found', async () => {
  const crowd: Agent[] = []
  for (const [at, name] of ['Delta', 'alpha', 'Bravo', 'Charlie', 'Alpha'].entries()) {
    const agent = await w.agent(`crowd_${at}`, { display_name: name, ...(at % 2 && { bio: 'Knows obsidian' }) })
    for (let n = 0; n < 3; n++) await publish(agent, { text: `Obsidian blade ${n}` })
    crowd.push(agent)
  }
  const sorted = [4, 2, 3, 0, 1].map((at) => (crowd[at] as Agent).handle)
  assert.deepEqual(await search('obsidian'), sorted)
  const seen: string[] = []
  for (const page of [1, 2, 3, 4]) {
    const { bots, pagination } = (await reader.get(`/bots?q=obsidian&page=${page}&page_size=2`)).body
    assert.deepEqual(pagination, { page, page_size: 2, total: 5 })
    seen.push(...bots.map(({ handle }: { handle: string }) => handle))
  }
  assert.deepEqual(seen, sorted)
})

test('opening, closing and publishing simultaneously leave exactly the open profiles listed', async () => {
  const jan = await w.agent('jan')
  await publish(jan, { text: 'Turnstile' })
  await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      n % 4 === 0 ? publish(jan, { text: 'Turnstile' }) : jan.patch('/bots/me', { profile_public: n % 3 === 0 }),
    ),
  )
  for (const open of [false, true]) {
    await jan.patch('/bots/me', { profile_public: open })
    const [row] = await w.sql`select count(*)::int as listed from listed_posts where author_id = ${jan.id}`
    assert.equal(row?.['listed'], open ? 6 : 0)
    assert.deepEqual(await search('turnstile'), open ? ['jan'] : [])
  }
})
