// A caller who was let in lately is only recalled: the token is checked by a statement that travels with those of the
// verb, which leave nothing if it is no longer valid (docs/contract/representation.md#order-of-checks).

import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { test } from 'node:test'
import { offer } from '../../test/orders.ts'
import { story } from '../../test/story.ts'
import { type Agent, type Answer, code, eventually, race } from '../../test/world.ts'
import { sha256, tokenFrom } from '../secrets.ts'
import { bearerDigest } from './authenticate.ts'

const { w } = story()

const postsOf = async ({ id }: Agent): Promise<number> =>
  (await w.sql<{ count: number }>`select count(*)::int as count from posts where author_id = ${id}`)[0]?.count ?? 0

const write = (agent: Agent, fields: object = {}) =>
  agent.post('/posts', { operation_id: randomUUID(), text: 'A note', ...fields })

test('a revoked token reads and writes nothing from the next request on', async () => {
  const ada = await w.agent('recalled_ada')
  assert.equal(code(await write(ada)), '201')
  assert.equal(code(await ada.get('/posts')), '200')
  await w.sql`update tokens set revoked_at = ${w.now()} where digest = ${sha256(ada.token)}`
  assert.equal(code(await write(ada)), '401 unauthorized')
  assert.equal(await postsOf(ada), 1)
  await w.sql`update tokens set revoked_at = null where digest = ${sha256(ada.token)}`
  assert.equal(code(await ada.get('/posts')), '200')
  await w.sql`update tokens set revoked_at = ${w.now()} where digest = ${sha256(ada.token)}`
  assert.equal(code(await ada.get('/posts')), '401 unauthorized')
})

test('a token is not asked for again where the database did not answer, nor are those of pages that waited behind', async () => {
  const readers = await Promise.all(['ivy', 'jan', 'kit'].map((name) => w.agent(`recalled_${name}`)))
  for (const reader of readers) assert.equal(code(await reader.get('/posts')), '200')
  const waiting = () => w.sql<{ pid: number; began: string }>`
    select pid, query_start::text as began from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%from tokens t where t.digest%'`
  await w.sql.transaction(async (tx) => {
    await tx`lock table tokens in access exclusive mode`
    const answers: Answer[] = []
    // Two statements at a time: the third page waits for one of them, and asks by itself.
    const asked = readers.map(async (reader) => void answers.push(await reader.get('/posts')))
    const told = new Set<string>()
    await eventually(async () => {
      for (const { pid, began } of await waiting()) {
        if (told.has(`${pid} ${began}`)) continue
        told.add(`${pid} ${began}`)
        assert.ok(told.size <= readers.length, 'each is asked for once')
        await w.sql`select pg_cancel_backend(${pid})`
      }
      return answers.length === readers.length
    }, 'the answers')
    await Promise.all(asked)
    assert.deepEqual(
      answers.map(code),
      readers.map(() => '503 service_unavailable'),
    )
  })
})

test('an expired token is not recalled, whatever it reads', async () => {
  const [cai, dan] = await w.friends('recalled_cai', 'recalled_dan')
  const { id: orderId } = await offer(w, cai, dan)
  const ends = (at: Date) => w.sql`update tokens set expires_at = ${at} where digest = ${sha256(cai.token)}`
  const [{ expires_at: last }] = (await w.sql<{ expires_at: Date }>`
    select expires_at from tokens where digest = ${sha256(cai.token)}`) as [{ expires_at: Date }]
  for (const attempt of [
    () => cai.get('/posts'),
    () => cai.get('/posts?q=note'),
    () => cai.get('/posts?page=21&page_size=50'),
    () => cai.get(`/bots/${dan.id}`),
    () => cai.get(`/orders/${orderId}`),
    () => cai.get('/orders'),
    () => cai.get('/feedback'),
    () => write(cai),
  ]) {
    assert.equal(code(await cai.get('/posts')), '200', 'remembered')
    await ends(w.now())
    assert.equal(code(await attempt()), '401 unauthorized')
    await ends(last)
  }
  assert.equal(await postsOf(cai), 0)
})

test('the token is checked before any other error', async () => {
  const bob = await w.agent('recalled_bob')
  const operation = { operation_id: randomUUID() }
  assert.equal(code(await write(bob, operation)), '201')
  await w.sql`update tokens set revoked_at = ${w.now()} where digest = ${sha256(bob.token)}`
  for (const attempt of [
    () => write(bob, { text: '' }),
    () => write(bob, operation),
    () => write(bob, { ...operation, text: 'Another' }),
    () => bob.post(`/orders/${randomUUID()}/start`, { operation_id: randomUUID(), expected_version: 1 }),
  ]) {
    assert.equal(code(await attempt()), '401 unauthorized')
    // Recalled again for the next one.
    await w.sql`update tokens set revoked_at = null where digest = ${sha256(bob.token)}`
    assert.equal(code(await bob.get('/posts')), '200')
    await w.sql`update tokens set revoked_at = ${w.now()} where digest = ${sha256(bob.token)}`
  }
})

test('a suspension stops waiting requests like later ones, and a restored agent continues at once', async () => {
  const eve = await w.agent('recalled_eve')
  const operation = { operation_id: randomUUID() }
  assert.equal(code(await write(eve, operation)), '201')
  await w.sql`update agents set suspended_at = ${w.now()} where id = ${eve.id}`
  assert.equal(code(await write(eve)), '403 profile_inactive')
  assert.equal(code(await eve.get('/posts')), '403 profile_inactive')
  assert.equal(code(await eve.get('/posts?mine=true')), '200')
  assert.equal(code(await write(eve, operation)), '200', 'a replay is answered all the same')
  await w.sql`update agents set suspended_at = null where id = ${eve.id}`
  assert.equal(code(await write(eve)), '201')
  assert.equal(await postsOf(eve), 2)
})

test('twenty identical requests of an agent suspended at that moment all get the same response', async () => {
  const mia = await w.agent('recalled_mia')
  assert.equal(code(await mia.get('/posts')), '200')
  await w.sql`update agents set suspended_at = ${w.now()} where id = ${mia.id}`
  const operation = { operation_id: randomUUID() }
  const answers = await race(20, () => write(mia, operation))
  assert.deepEqual([...new Set(answers.map(code))], ['403 profile_inactive'])
  await w.sql`update agents set suspended_at = null where id = ${mia.id}`
  const free = await race(20, () => write(mia, operation))
  assert.deepEqual(free.map(code).sort(), ['201', ...Array.from({ length: 19 }, () => '200')].sort())
  assert.equal(await postsOf(mia), 1)
})

test('callers who read at the same moment each get their own response', async () => {
  const [ann, ben] = await w.friends('recalled_ann', 'recalled_ben')
  const [zoe, lost] = [await w.agent('recalled_zoe'), await w.agent('recalled_lost')]
  const [mine, yours] = [await offer(w, ann, ben), await offer(w, ben, ann)]
  await zoe.post('/contacts/requests', { recipient_id: ann.id })
  await w.sql`update tokens set revoked_at = ${w.now()} where digest = ${sha256(lost.token)}`
  const reads = [ann, ben, zoe, lost].flatMap((reader) =>
    [`/bots/${ann.id}`, `/bots/${ben.id}`, `/bots/${randomUUID()}`, `/orders/${mine.id}`, `/orders/${yours.id}`].map(
      (path) => () => reader.get(path),
    ),
  )
  const alone: Awaited<ReturnType<typeof ann.get>>[] = []
  for (const read of reads) alone.push(await read())
  const told = (answers: typeof alone) => answers.map((answer) => [code(answer), answer.body])
  assert.deepEqual(
    told(alone)
      .map(([status]) => status)
      .slice(0, 5),
    ['200', '200', '404 not_found', '200', '200'],
  )
  assert.deepEqual(
    told(alone)
      .map(([status]) => status)
      .slice(13, 20),
    [...['404 not_found', '404 not_found'], ...Array.from({ length: 5 }, () => '401 unauthorized')],
  )
  assert.deepEqual(told(await Promise.all(reads.map((read) => read()))), told(alone))
})

test('each request of a connection has the digest of its own token, however many the connection shows', () => {
  const socket = new Socket()
  const tokens = Array.from({ length: 100 }, () => tokenFrom(randomBytes(32)))
  const shown = [...tokens, ...tokens.toReversed(), ...tokens.flatMap((token) => [token, token])]
  for (const token of shown) {
    const authorization = `Bearer ${token}`
    const request = { socket, rawHeaders: ['Authorization', authorization], headers: { authorization } }
    assert.deepEqual(bearerDigest(request as unknown as IncomingMessage), sha256(token))
  }
})
