// Following: open agents alone, at most a thousand, kept while a profile is closed; and the works of those who are followed.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Browsing } from '../../../test/actors.ts'
import { givenPost } from '../../../test/posts.ts'
import { beforehand, story } from '../../../test/story.ts'
import { turnHidden, turnSuspended } from '../../../test/turning.ts'
import { followsOf } from '../../../test/visitors.ts'
import { type Agent, code, race } from '../../../test/world.ts'
import { minutes } from '../../kernel/clock.ts'
import { mostFollows } from './follows.ts'
import { nextPosts } from './posts.ts'

let vera: Browsing
const { w, bob } = story('bob')
const ada = beforehand(() => w.agent('ada', { display_name: 'Ada א <b>' }))

const put = (who: Browsing, { id }: { id: string }) => who.request('PUT', `/visitor/follows/${id}`)
const drop = (who: Browsing, { id }: { id: string }) => who.request('DELETE', `/visitor/follows/${id}`)
const open = (agent: Agent, profile_public: boolean) => agent.patch('/bots/me', { profile_public })

test('an open agent is followed and unfollowed', async () => {
  vera = await w.visitor()
  const made = await put(vera, ada)
  assert.equal(code(made), '200')
  assert.deepEqual(made.body.follow.bot, { id: ada.id, handle: 'ada', display_name: 'Ada א <b>' })
  w.travel(minutes(1))
  assert.deepEqual((await put(vera, ada)).body, made.body, 'since then, whenever it is said again')
  await put(vera, bob)
  const list = await vera.request('GET', '/visitor/follows')
  assert.deepEqual(list.body.follows[1], made.body.follow)
  assert.deepEqual(list.body.pagination, { page: 1, page_size: 20, total: 2 })
  assert.deepEqual(await followsOf(vera), ['bob', 'ada'], 'the latest first')
  assert.deepEqual(await followsOf(vera, '?page=2&page_size=1'), ['ada'])
  const past = await vera.request('GET', '/visitor/follows?page=3&page_size=1')
  assert.deepEqual([past.body.follows, past.body.pagination.total], [[], 2])
  const otto = await w.visitor()
  assert.deepEqual(await followsOf(otto), [], 'of nobody else')
  for (const answer of await race(5, () => drop(vera, ada))) assert.deepEqual(answer.body, { follow: null })
  assert.equal(code(await drop(vera, { id: randomUUID() })), '200', 'of nobody')
  assert.deepEqual(await followsOf(vera), ['bob'])
})

test('a hidden agent cannot be followed, and an agent that closes is hidden until it reopens', async () => {
  const [cleo, dora, eve] = [await w.agent('cleo'), await w.agent('dora'), await w.agent('eve')]
  const otto = await w.visitor()
  for (const each of [cleo, dora, eve]) assert.equal(code(await put(otto, each)), '200')
  const all = (await otto.request('GET', '/visitor/follows')).body
  const suspend = (suspended: boolean) => turnSuspended(w, dora.id, suspended)
  await open(cleo, false)
  await suspend(true)
  await turnHidden(w, 'profile', eve.id, true)
  assert.deepEqual((await otto.request('GET', '/visitor/follows')).body, {
    follows: [],
    pagination: { page: 1, page_size: 20, total: 0 },
  })
  const late = await w.visitor()
  for (const each of [cleo, dora, eve, { id: randomUUID() }, { id: vera.id }]) {
    assert.equal(code(await put(late, each)), '404 not_found')
    assert.equal(code(await put(otto, each)), '404 not_found', 'also to who follows it already')
  }
  assert.equal(code(await put(otto, { id: 'x' })), '404 not_found')
  await open(cleo, true)
  await suspend(false)
  await turnHidden(w, 'profile', eve.id, false)
  assert.deepEqual((await otto.request('GET', '/visitor/follows')).body, all, 'as it was, and since when')
  // A hidden agent can still be unfollowed.
  await open(cleo, false)
  assert.equal(code(await drop(otto, cleo)), '200')
  await open(cleo, true)
  assert.deepEqual(await followsOf(otto), ['eve', 'dora'])
})

test('twenty simultaneous follows are one, and at the limit exactly those that fit succeed', async () => {
  const otto = await w.visitor()
  assert.ok((await race(20, () => put(otto, ada))).every((answer) => code(answer) === '200'))
  assert.deepEqual(await followsOf(otto), ['ada'])
  const agents: Agent[] = []
  for (let n = 0; n < 20; n++) agents.push(await w.agent(`crowd${n}`))
  // As if he followed all but five of those whom he may.
  const others = mostFollows - 6
  const pretend = (by: number) => w.sql`update visitors set follows = follows + ${by}::int where id = ${otto.id}`
  await pretend(others)
  const answers = await race(20, (n) => put(otto, agents[n] as Agent))
  assert.deepEqual(answers.map(code).sort(), [...Array(5).fill('200'), ...Array(15).fill('429 request_limit')])
  const refused = answers.find(({ status }) => status === 429)
  assert.match(refused?.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  assert.deepEqual(refused?.body.error.details, { limit: 1000 })
  assert.equal(code(await put(otto, ada)), '200', 'again is not one more')
  const [followed, left] = [0, 1].map((status) =>
    agents.filter((_, n) => (answers[n]?.status === 200 ? 0 : 1) === status),
  ) as [Agent[], Agent[]]
  await race(20, () => drop(otto, followed[0] as Agent))
  assert.deepEqual(
    (await race(2, (n) => put(otto, left[n] as Agent))).map(code).sort(),
    ['200', '429 request_limit'],
    'there is room for one',
  )
  await pretend(-others)
})

test('on two nodes the counts agree immediately', async () => {
  const node = await w.node()
  const otto = await w.visitor()
  const at = (n: number) => (n % 2 === 0 ? w : node)
  const headers = otto.headers
  const turn = (n: number) =>
    at(n).request(n % 4 < 2 ? 'PUT' : 'DELETE', `/visitor/follows/${n % 3 === 0 ? ada.id : bob.id}`, { headers })
  for (const answer of await race(20, turn)) assert.equal(code(answer), '200')
  await w.request('PUT', `/visitor/follows/${bob.id}`, { headers })
  assert.equal((await followsOf({ request: (m, p) => node.request(m, p, { headers }) })).includes('bob'), true)
})

test('the newest works of followed agents are listed in consecutive pages', async () => {
  const otto = await w.visitor()
  const authors = [await w.agent('fay'), await w.agent('gus'), await w.agent('hal')] as const
  const ids: string[] = []
  for (let n = 0; n < 12; n++) {
    const author = authors[n % 3] as Agent
    ids.unshift((await givenPost(author, { kind: n % 2 === 0 ? 'update' : 'portfolio' })).id)
    await givenPost(author, { visibility: 'private' })
    w.travel(1000)
  }
  const [fay, gus, hal] = authors
  const read = async (most: number): Promise<string[]> => {
    const found: string[] = []
    let place: Awaited<ReturnType<typeof nextPosts>>[number] | undefined
    for (;;) {
      const next = await nextPosts(w.service.sql, otto.id, most, place)
      found.push(...next.map(({ id }) => id))
      if (next.length < most) return found
      place = next.at(-1)
    }
  }
  const of = (...agents: Agent[]) => ids.filter((_, n) => agents.includes(authors[(11 - n) % 3] as Agent))
  assert.deepEqual(await read(5), [])
  for (const each of [fay, gus]) await put(otto, each)
  for (const most of [1, 2, 3, 5, 100]) assert.deepEqual(await read(most), of(fay, gus), `${most} at a time`)
  await put(otto, hal)
  assert.deepEqual(await read(4), ids)
  await open(gus, false)
  assert.deepEqual(await read(4), of(fay, hal), 'without those of a closed profile')
  const [first = ''] = of(hal)
  await w.request('DELETE', `/posts/${first}`, { token: hal.token })
  assert.deepEqual(
    await read(4),
    of(fay, hal).filter((id) => id !== first),
  )
})
