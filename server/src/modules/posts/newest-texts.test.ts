// Posts whose JSON is remembered: every page shows each change at once, on every node, and each reader gets its own.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { givenFile } from '../../../test/files.ts'
import { givenPoll, givenPost } from '../../../test/posts.ts'
import { beforehand, story } from '../../../test/story.ts'
import { type Agent, code, type World } from '../../../test/world.ts'
import { agentOfToken } from '../../http/authenticate.ts'
import type { Admitted, Agent as CallingAgent } from '../../kernel/callers.ts'
import { days } from '../../kernel/clock.ts'
import { sha256 } from '../../secrets.ts'
import type { Query } from '../../store/sql.ts'
import { note } from '../moderation/hidden.ts'
import { feed } from './feed.ts'
import { readEach } from './list-routes.ts'
import { createMemory } from './memory.ts'
import { readPages } from './newest-texts.ts'
import { react } from './reactions.ts'
import { viewerOf } from './show.ts'

const { w, ada, bob } = story('ada', 'bob')
const there = beforehand(() => w.node())

const all = { page: 1, page_size: 20, kind: undefined, q: '', author: undefined, mine: false }
const list = async (at: World, reader: Agent) => (await at.request('GET', '/posts', { token: reader.token })).body.posts
const seen = async (at: World, reader: Agent, id: string) =>
  (await list(at, reader)).find((post: Post) => post.id === id)
const onCard = async (at: World, author: Agent, id: string) =>
  (await at.request('GET', `/bots/${author.id}`, { token: bob.token })).body.posts.find((post: Post) => post.id === id)
const alone = async (at: World, reader: Agent, path: string) =>
  (await at.request('GET', path, { token: reader.token })).body.post
type Post = { id: string }

test('a page and a card show every change of a post and its author with the next request, on both nodes', async () => {
  const [file, other] = [await givenFile(w, ada), await givenFile(w, ada)]
  const { id } = await givenPost(ada, { title: 'First', project: { tools: 'a saw' } })
  const path = `/posts/${id}`
  const visitorId = (await w.visitor()).id
  const reacted = (isOn: boolean) =>
    w.service.sql.transaction((tx) => react(tx, { postId: id, visitorId, kind: 'wow' as const }, isOn))
  const changed = async (changes: object) => assert.equal(code(await ada.patch(path, changes)), '200')
  const hidden = (isHidden: boolean) => w.service.sql.transaction((tx) => note(tx, 'attachment', file, isHidden))
  const steps: [what: string, change: () => Promise<unknown>][] = [
    ['nothing', async () => {}],
    ['its title', () => changed({ title: 'Second' })],
    ['its title, back', () => changed({ title: 'First' })],
    ['its project', () => changed({ project: null })],
    ['its author’s name', () => ada.patch('/bots/me', { display_name: 'Ada the Second' })],
    ['a file', () => changed({ attachment_ids: [file], rights_confirmed: true })],
    ['another file', () => changed({ attachment_ids: [other, file], rights_confirmed: true })],
    ['a hidden file', () => hidden(true)],
    ['a file shown again', () => hidden(false)],
    ['a file without bytes', () => w.sql`update attachments set status = 'retained' where id = ${file}`],
    ['a reaction', () => reacted(true)],
    ['a poll', () => givenPoll(w, ada, id)],
    ['a name with files and a poll', () => ada.patch('/bots/me', { display_name: 'Ada' })],
    ['a closed poll', () => ada.post(`${path}/poll/close`, { operation_id: randomUUID() })],
    ['a reaction less', () => reacted(false)],
    ['no files', () => changed({ attachment_ids: null })],
  ]
  for (const [what, change] of steps) {
    await change()
    for (const reader of [ada, bob]) {
      for (const at of [w, there, w]) {
        assert.deepEqual(await seen(at, reader, id), await alone(at, reader, path), `${what}: ${reader.handle}`)
        if (reader === bob) assert.deepEqual(await onCard(at, ada, id), await seen(at, bob, id), `${what}: card`)
      }
    }
  }
  await changed({ visibility: 'private' })
  for (const at of [w, there]) {
    assert.equal(await seen(at, bob, id), undefined)
    assert.equal(await onCard(at, ada, id), undefined)
    assert.equal((await seen(at, ada, id)).public_url, null)
  }
  await changed({ visibility: 'public' })
  assert.deepEqual(await seen(there, bob, id), await alone(there, bob, path))
  assert.equal(code(await w.request('DELETE', path, { token: ada.token })), '200')
  for (const reader of [ada, bob]) for (const at of [w, there]) assert.equal(await seen(at, reader, id), undefined)
})

test('a poll closes in time on every page that was shown before', async () => {
  const { id } = await givenPost(ada)
  await givenPoll(w, ada, id)
  assert.equal((await seen(w, bob, id)).poll.closed_at, null)
  w.travel(days(1))
  const { poll } = await seen(w, bob, id)
  assert.equal(poll.closed_at, poll.closes_at)
})

test('readers who ask at once each get their own page, as it is found for one alone', async () => {
  const agents = await Promise.all(['cyd', 'dee', 'edd', 'flo'].map((handle) => w.agent(handle)))
  for (const agent of agents) {
    for (const visibility of ['public', 'private', 'public']) await givenPost(agent, { visibility })
    await givenPost(agent, { kind: 'portfolio', visibility: 'private' })
  }
  await agents[3]?.patch('/bots/me', { profile_public: false })
  const filters = [
    {},
    { page_size: 3 },
    { page: 2, page_size: 3 },
    { kind: 'update' as const },
    { kind: 'portfolio' as const },
    { mine: true },
    { author: agents[0]?.id },
    { author: agents[3]?.id },
    { author: randomUUID() },
    { page: 30 },
  ]
  await Promise.all(
    agents.flatMap((reader) =>
      filters.map(async (filter) => {
        const query = new URLSearchParams(Object.entries(filter).map(([name, value]) => [name, String(value)]))
        const { body } = await reader.get(`/posts?${query}`)
        const viewer = { ...viewerOf(w.service, reader.id), id: reader.id }
        const { rows, total } = await feed(w.service.sql, viewer, { ...all, ...filter })
        assert.deepEqual(body.posts, JSON.parse(JSON.stringify(rows)), `${reader.handle} ${query}`)
        assert.equal(body.pagination.total, total)
      }),
    ),
  )
})

test('a post that changes after its page was found is never shown as part of that page', async () => {
  const { id } = await givenPost(ada)
  const asks = [{ viewerId: bob.id, filter: { ...all } }]
  const read = (sql: Query) => readPages(sql, viewerOf(w.service, null), createMemory(1000), asks)
  let asked = 0
  const slowly: Query = async (strings, ...values) => {
    if (++asked === 2) assert.equal(code(await ada.patch(`/posts/${id}`, { visibility: 'private' })), '200')
    return w.service.sql(strings, ...values)
  }
  assert.equal(await read(slowly), undefined)
  const [page] = (await w.service.sql.snapshot(read)) ?? []
  assert.equal(
    page?.posts.some((text) => text.includes(id)),
    false,
  )
  assert.equal(asked, 2)
})

test('a token that ended gets no page beside others that are alive', async () => {
  const [gil, hal] = [await w.agent('gil'), await w.agent('hal')]
  for (const agent of [gil, hal]) assert.equal(code(await agent.get('/posts')), '200')
  await w.sql`update tokens set revoked_at = ${w.now()} where agent_id = ${gil.id}`
  const answers = await Promise.all([gil, hal, gil, hal].map((agent) => agent.get('/posts')))
  assert.deepEqual(answers.map(code), ['401 unauthorized', '200', '401 unauthorized', '200'])
  assert.equal(answers[0]?.body.posts, undefined)
})

test('a post that cannot be shown fails its own readers, and nobody who reads at the same moment', async () => {
  const readers = await Promise.all(['ian', 'joy', 'kim'].map((handle) => w.agent(handle)))
  const [ian, joy] = readers as [Agent, Agent]
  for (const reader of readers) assert.equal(code(await reader.get('/posts')), '200')
  const { id } = await givenPost(joy, { visibility: 'private' })
  const asks = await Promise.all(
    readers.map(async (reader) => {
      const digest = sha256(reader.token)
      return { ...((await agentOfToken(w.service, digest)) as Admitted<CallingAgent>), filter: all }
    }),
  )
  const read = () =>
    readEach(
      w.service,
      createMemory(10_000),
      asks.map(({ caller: me, session, filter }) => ({ me, session, filter })),
    )
  // No moment that the record could show.
  await w.sql`update posts set updated_at = 'infinity' where id = ${id}`
  assert.deepEqual(
    (await read()).map((outcome) => outcome.status === 'fulfilled' && outcome.value.isConfirmed),
    [true, false, true],
  )
  const answers = await Promise.all([ian, joy, ian, joy, ian].map((reader) => reader.get('/posts')))
  assert.deepEqual(answers.map(code), ['200', '500 internal', '200', '500 internal', '200'])
  await w.sql`update posts set updated_at = created_at where id = ${id}`
  assert.equal(code(await joy.get('/posts')), '200')
})

test('texts are remembered in one version, and the oldest go first', () => {
  const memory = createMemory(20)
  memory.keep('one', '1', 'aaaaaaaa')
  memory.keep('two', '1', 'bbbbbbbb')
  assert.deepEqual(
    [memory.find('one', '1'), memory.find('one', '2'), memory.find('two', '1')],
    ['aaaaaaaa', undefined, 'bbbbbbbb'],
  )
  memory.keep('one', '2', 'cccccccc')
  assert.deepEqual(
    [memory.find('one', '1'), memory.find('one', '2')],
    [undefined, 'cccccccc'],
    'in place of the earlier',
  )
  memory.keep('three', '1', 'ddd')
  assert.deepEqual([memory.find('two', '1'), memory.find('one', '2')], [undefined, 'cccccccc'])
  memory.keep('four', '1', 'e'.repeat(50))
  assert.deepEqual([memory.find('one', '2'), memory.find('four', '1')?.length], [undefined, 50], 'the newest stays')
})
