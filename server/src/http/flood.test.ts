// One client that asks too much: what it is refused, and that others are not.

import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { test } from 'node:test'
import { refusedByPool } from '../../test/pool.ts'
import { story } from '../../test/story.ts'
import {
  type Agent,
  type Answer,
  code,
  connectEvents,
  eventually,
  keyPair,
  race,
  type World,
} from '../../test/world.ts'
import { seconds } from '../kernel/clock.ts'
import { tokenFrom } from '../secrets.ts'
import { tokenDigest } from './authenticate.ts'
import { credentialOf, knownCallers } from './credentials.ts'
import { turnsOf } from './turns.ts'

const { w } = story({ env: { READ_LIMIT_PER_MINUTE: '300' } })
const limited = '429 read_limited'

const stateOf = ({ headers }: Answer) => [headers.get('ratelimit-policy'), headers.get('ratelimit')?.split(';t=')[0]]

/** A hundred at once, so many times: no more than may wait for one caller. */
async function inWaves(waves: number, send: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = []
  for (let n = 0; n < waves; n++) answers.push(...(await race(100, send)))
  return answers
}

test('reads are limited by token, and the remaining number is returned; writes are counted separately', async () => {
  const me = await w.agent('reader')
  const other = await w.agent('other_reader')
  const first = await me.get('/bots/me')
  assert.deepEqual(stateOf(first), ['"reads";q=300;w=60', '"reads";r=299'])
  assert.deepEqual(stateOf(await me.get('/bots/no-id')), ['"reads";q=300;w=60', '"reads";r=298'], 'refusals count')
  assert.equal(stateOf(await me.patch('/bots/me', { bio: 'x' }))[0], null, 'no limit on writes here')
  const head = await w.request('HEAD', '/bots/me', { token: me.token })
  assert.deepEqual(stateOf(head), ['"reads";q=300;w=60', '"reads";r=297'])
  const answers = await inWaves(3, () => me.get('/bots/me'))
  assert.equal(answers.filter(({ status }) => status === 200).length, 297)
  const over = answers.find((answer) => code(answer) === limited) as Answer
  assert.match(over.headers.get('retry-after') ?? '', /^[1-9]\d?$/)
  assert.equal(stateOf(over)[1], '"reads";r=0')
  assert.equal((await me.patch('/bots/me', { bio: 'y' })).status, 200)
  assert.equal((await other.get('/bots/me')).status, 200, 'another agent has a limit of its own')
  w.travel(seconds(61))
  assert.equal((await me.get('/bots/me')).status, 200)
})

test('without a token reads are limited by address', async () => {
  const me = await w.agent('known')
  const read = () => w.request('GET', '/registration/requirements')
  const answers = await inWaves(4, read)
  assert.equal(answers.filter((answer) => code(answer) === limited).length, 100)
  assert.equal((await me.get('/registration/requirements')).status, 200, 'a token counts for itself')
  w.travel(seconds(61))
  assert.equal((await read()).status, 200)
})

test('the default is 3000, and 0 disables it', async () => {
  const free = await w.node({ READ_LIMIT_PER_MINUTE: '0' })
  const usual = await w.node({ READ_LIMIT_PER_MINUTE: '' })
  const me = await w.agent('counted')
  const at = (node: World) => node.request('GET', '/bots/me', { token: me.token })
  assert.deepEqual(stateOf(await at(free)), [null, undefined])
  assert.deepEqual(stateOf(await at(usual)), ['"reads";q=3000;w=60', '"reads";r=2999'])
})

/** As after a restart: whose the token is nobody remembers. */
const forget = ({ token }: Agent): void =>
  void knownCallers(w.service).delete(credentialOf('agent', tokenDigest(token)))

const fresh = (): string => tokenFrom(randomBytes(32))

test('a client that keeps using a dead token counts as one guess, and is not looked up forever', async () => {
  w.travel(seconds(61))
  const neighbour = await w.agent('neighbour')
  forget(neighbour)
  const dead = fresh()
  const told: string[] = []
  for (let n = 0; n < 15; n++) told.push(code(await w.request('GET', '/bots/me', { token: dead })))
  assert.deepEqual(told, [...Array(10).fill('401 unauthorized'), ...Array(5).fill(limited)])
  assert.equal((await neighbour.get('/bots/me')).status, 200)
})

test('a newly issued token works even behind an address that guesses', async () => {
  w.travel(seconds(61))
  for (let n = 0; n < 10; n++) await w.request('GET', '/bots/me', { token: fresh() })
  assert.equal(code(await w.request('GET', '/bots/me', { token: fresh() })), limited)
  const newcomer = await w.agent('newcomer')
  assert.equal((await newcomer.get('/bots/me')).status, 200)
  newcomer.token = (await newcomer.post('/tokens/rotate')).body.token
  assert.equal((await newcomer.get('/bots/me')).status, 200)
})

test('unknown tokens from a guessing address are not looked up; recently valid ones still work', async () => {
  w.travel(seconds(61))
  const [ann, bob] = await w.friends('ann', 'bob')
  const late = await w.agent('late')
  forget(late)
  for (const each of [ann, bob]) assert.equal((await each.get('/bots/me')).status, 200)
  const guess = () => w.request('GET', '/bots/me', { token: tokenFrom(randomBytes(32)) })
  const answers = await race(400, guess)
  const told = answers.map(code)
  // A tenth of a hundred, and what was under way when it was full.
  assert.ok(told.filter((each) => each === '401 unauthorized').length <= 13, 'most were never looked up')
  assert.ok(told.filter((each) => each === limited).length >= 387)
  for (const answer of answers) if (answer.status === 429) assert.ok(answer.headers.get('retry-after'))
  assert.equal((await ann.get('/bots/me')).status, 200)
  assert.equal((await bob.send(ann)).status, 201)
  await (await ann.events()).close()
  assert.equal(code(await late.get('/bots/me')), limited, 'a token that nobody knows yet has to wait')
  await assert.rejects(connectEvents(w.url, late.token), /429/)

  // What was good lately and is no more is found out, and then it is one like the others.
  const { token } = ann
  ann.token = (await ann.post('/tokens/rotate')).body.token
  assert.equal(code(await w.request('GET', '/bots/me', { token })), '401 unauthorized')
  assert.equal(code(await w.request('GET', '/bots/me', { token })), limited)

  w.travel(seconds(61))
  for (const each of [ann, late]) assert.equal((await each.get('/bots/me')).status, 200)
  assert.equal(code(await guess()), '401 unauthorized')
})

/** Holds back what reads wallets while `work` runs. */
async function holdWallets(work: () => Promise<void>): Promise<void> {
  await w.sql.transaction(async (tx) => {
    await tx`lock table wallets in access exclusive mode`
    await work()
  })
}

/** Until four statements wait for the wallets: then nothing moves until they go on. */
const fourHeld = (): Promise<true> =>
  eventually(async () => {
    const [row] = await w.sql<{ held: number }>`
      select count(*)::int as held from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'
        and query like '%updated_at from wallets where party_id%'`
    const { running, waiting } = turnsOf(w.service).state()
    assert.ok((row?.held ?? 0) <= 4, 'four connections of the pool')
    return (row?.held === 4 && running === 4 && waiting === 36) || undefined
  }, 'four to be held and the others to wait')

test('four requests of one caller run at a time, and other callers go ahead of the rest', async () => {
  const greedy = await w.agent('greedy')
  const modest = await w.agent('modest')
  let all: Promise<Answer[]> | undefined
  await holdWallets(async () => {
    all = race(40, () => greedy.get('/wallet'))
    await fourHeld()
    for (const answer of await race(10, () => modest.get('/bots/me'))) assert.equal(answer.status, 200)
    assert.deepEqual(turnsOf(w.service).state(), { running: 4, waiting: 36 })
  })
  for (const answer of (await all) ?? []) assert.equal(answer.status, 200)
})

test('too many waiting requests of one caller are refused at once, and abandoned ones never start', async () => {
  const greedy = await w.agent('greedier')
  const modest = await w.agent('more_modest')
  const sockets = Array.from({ length: 40 }, () => connect({ host: '127.0.0.1', port: Number(new URL(w.url).port) }))
  const line = `GET /api/v1/wallet HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${greedy.token}\r\n\r\n`
  let more: Promise<Answer[]> | undefined
  await holdWallets(async () => {
    for (const socket of sockets) socket.on('error', () => {}).write(line)
    await fourHeld()
    more = race(225, () => greedy.get('/wallet'))
    await eventually(() => turnsOf(w.service).state().waiting === 256 || undefined, 'the line to be full')
    assert.equal(code(await greedy.get('/wallet')), limited)
    // The service learns of it as it goes round, which it does some times for each answer.
    for (const socket of sockets) socket.resetAndDestroy()
    for (let n = 0; n < 10; n++) assert.equal((await modest.get('/bots/me')).status, 200)
  })
  const answers = (await more) ?? []
  assert.equal(answers.filter((answer) => code(answer) === limited).length, 5)
  assert.equal(answers.filter(({ status }) => status === 200).length, 220)
  const { values } = await w.service.metrics.turnsRefused.get()
  assert.equal(values.find(({ labels }) => labels.why === 'gone')?.value, 36)
})

test('a pool with too many waiting requests refuses more at once, and counts them', async () => {
  const crowd: Agent[] = []
  for (let n = 0; n < 3; n++) crowd.push(await w.agent(`crowd_${n}`))
  await w.service.sql.pool.query('select 1')
  let held: Promise<unknown[]> | undefined
  await holdWallets(async () => {
    const wait = () => w.service.sql`select count(*) from wallets`.catch(refusedByPool)
    held = Promise.all(Array.from({ length: 16 + 256 + 16 }, wait))
    await eventually(() => w.service.sql.pool.waitingCount >= 256 || undefined, 'the pool to be full')
    const [me] = crowd as [Agent]
    const answer = await me.get('/bots/me')
    assert.equal(code(answer), '503 service_unavailable')
    assert.equal(answer.headers.get('retry-after'), '1')
  })
  await held
  const { values } = await w.service.metrics.poolRefused.get()
  assert.ok((values[0]?.value ?? 0) >= 1)
  assert.equal((await (crowd[0] as Agent).get('/bots/me')).status, 200)
})

test("a registration checks for a replay in its address's turn", async () => {
  const json = {
    handle: 'asks_again',
    display_name: 'Asks again',
    encryption_public_key: keyPair().publicKey,
    owner_challenge_id: randomUUID(),
    owner_verification_token: randomBytes(32).toString('base64url'),
  }
  let asked: Promise<Answer[]> | undefined
  await w.sql.transaction(async (tx) => {
    await tx`lock table challenges in access exclusive mode`
    asked = race(12, () => w.request('POST', '/bots/register', { json }))
    await eventually(() => turnsOf(w.service).state().waiting === 8 || undefined, 'eight to wait')
    assert.equal(turnsOf(w.service).state().running, 4)
  })
  for (const { status } of (await asked) ?? []) assert.notEqual(status, 500)
})
