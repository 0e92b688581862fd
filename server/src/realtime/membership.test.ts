// What the database knows of a node may be lost or wrong; the node goes on, and what it says of itself brings it back.
// docs/operating.md, Several nodes.
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import pg from 'pg'
import { quietFriends } from '../../test/heard.ts'
import { beforehand, story } from '../../test/story.ts'
import { type Agent, eventually, pause, type World, world } from '../../test/world.ts'
import { after, days, hours } from '../kernel/clock.ts'
import type { Query } from '../store/sql.ts'
import { aliveLock, countPeers, freeEarlierRuns, holders, type Judged, type Node, renew, renewals } from './leases.ts'
import { endedAmong, endedSince } from './sessions.ts'

const { w } = story()
const other = beforehand(() => w.node())
const friends = quietFriends(w)

const rowOf = async ({ service }: World): Promise<Node | undefined> =>
  (await w.sql<Node & { [key: string]: unknown }>`select id, name from nodes where id = ${service.nodeId}`)[0]

const leasesOf = async (agent: Agent): Promise<number> =>
  (await w.sql`select 1 from connections where agent_id = ${agent.id}`).length

/** Longer than a renewal takes to come round on a busy machine. */
async function inTime<T>(attempt: () => Promise<T | undefined>, what: string): Promise<T> {
  for (let round = 0; round < 3; round++) {
    const value = await eventually(attempt, what).catch(() => undefined)
    if (value !== undefined) return value
  }
  throw new Error(`never came: ${what}`)
}

/** What ann writes at `w` reaches bob's new socket at `other`. */
async function talk(ann: Agent, bob: Agent): Promise<void> {
  const there = await bob.events(10, other)
  const { message } = (await ann.send(bob)).body
  const event = await there.next('message.created')
  assert.equal(event.payload.id, message.id)
  await there.acked(event)
  await there.close()
}

test('a node whose row was deleted still opens sockets, and its row and leases return', async () => {
  const [ann, bob] = await friends()
  const kept = await ann.events(10, other)
  await eventually(async () => (await leasesOf(ann)) === 1 || undefined, 'a lease')
  await w.sql`delete from nodes where id = ${other.service.nodeId}`
  assert.equal(await leasesOf(ann), 0, 'the leases went with the row')
  await talk(ann, bob)
  assert.ok(await rowOf(other), 'the connection brought the row back')
  await inTime(async () => (await leasesOf(ann)) === 1 || undefined, 'the lease of the open socket')
  assert.equal(kept.socket.readyState, kept.socket.OPEN)
  await kept.close()
})

test('a lease is not reclaimed once others took its place', async () => {
  const bob = await w.agent('bob_twice')
  const kept = await bob.events(10, other)
  await eventually(async () => (await leasesOf(bob)) === 1 || undefined, 'a lease')
  await w.sql.transaction(async (tx) => {
    await tx`delete from connections where agent_id = ${bob.id}`
    await tx`
      insert into connections (id, agent_id, node_id, expires_at)
      select gen_random_uuid(), ${bob.id}, ${w.service.nodeId}, ${new Date(tx.now.getTime() + hours(1))}
      from generate_series(1, 2)`
  })
  assert.equal(await kept.closed, 1013)
})

test('a session that ended unseen is closed too: its commit came late, or from a node whose clock is behind', async () => {
  const [ann, bob, cleo] = [await w.agent('ann_ended'), await w.agent('bob_ended'), await w.agent('cleo_stays')]
  const [robbed, suspended, kept] = [await ann.events(10, other), await bob.events(10, other), await cleo.events()]
  for (const agent of [ann, bob]) await eventually(async () => (await leasesOf(agent)) === 1 || undefined, 'a lease')
  const earlier = new Date(w.now().getTime() - hours(1))
  await w.sql`update tokens set revoked_at = ${earlier} where agent_id = ${ann.id}`
  await w.sql`update agents set suspended_at = ${earlier} where id = ${bob.id}`
  assert.deepEqual([await robbed.closed, await suspended.closed], [4401, 4403])
  assert.equal(kept.socket.readyState, kept.socket.OPEN)
  await kept.close()
  await w.sql`update agents set suspended_at = null where id = ${bob.id}`
})

test('what ends after the clock was set back is seen at once', async () => {
  const ann = await w.agent('ann_back')
  const now = w.now()
  let moment = after(now, hours(1))
  const ended = endedSince({ sql: w.service.sql, clock: { now: () => moment } })
  await ended()
  moment = now
  await ann.post('/tokens/revoke')
  const [token] = await w.sql<{ digest: Buffer }>`select digest from tokens where agent_id = ${ann.id}`
  assert.ok((await ended()).tokens.has(token?.digest.toString('hex') as string))
})

test('a check of many sessions keeps what it found before the database fails', async () => {
  const ann = await w.agent('ann_first')
  await ann.post('/tokens/revoke')
  const [token] = await w.sql<{ digest: Buffer }>`select digest from tokens where agent_id = ${ann.id}`
  const digest = token?.digest as Buffer
  let asked = 0
  const failing: Query = (strings, ...values) => {
    asked += 1
    return asked === 1 ? w.service.sql(strings, ...values) : Promise.reject(new Error('the database is away'))
  }
  const found: string[] = []
  await assert.rejects(async () => {
    const digests = [digest, ...Array.from({ length: 1000 }, () => randomBytes(32))]
    for await (const { tokens } of endedAmong(failing, digests)) found.push(...tokens)
  }, /the database is away/)
  assert.deepEqual(found, [digest.toString('hex')])
})

test('a node that starts or comes back after an outage frees no other until the others had time to come back too', () => {
  let elapsed = 0
  const renewed = renewals(() => elapsed)
  const after = (milliseconds: number): Judged => {
    elapsed += milliseconds
    return renewed.note()
  }
  assert.deepEqual([after(60_000), after(10_000), after(19_999)], ['those of the same name', 'none', 'none'])
  assert.deepEqual([after(1), after(30_000)], ['all', 'all'])
  assert.deepEqual([after(60_000), after(10_000), after(10_000), after(9_999)], ['none', 'none', 'none', 'none'])
  assert.deepEqual([after(1), after(10_000)], ['all', 'all'])
})

test('a renewal that fails is due until one succeeds', () => {
  let elapsed = 0
  const renewed = renewals(() => elapsed)
  const isDueAfter = (milliseconds: number): boolean => {
    elapsed += milliseconds
    return renewed.isDue()
  }
  assert.deepEqual([isDueAfter(9_999), isDueAfter(1), isDueAfter(1), isDueAfter(19_999)], [false, true, true, true])
  assert.equal(renewed.isTooLate(), false)
  assert.ok(isDueAfter(1) && renewed.isTooLate())
  renewed.note()
  assert.deepEqual([renewed.isTooLate(), isDueAfter(9_999), isDueAfter(1)], [false, false, true])
})

test('leases that could not be renewed are renewed a moment later, not with the next turn', async () => {
  const { service } = other
  const { sql, log } = service
  let failures = 0
  const warn = (_fields: object, text: string): void => {
    if (text.startsWith('the renewal of leases')) failures += 1
  }
  const away = async () => {
    throw new Error('the database is away')
  }
  Object.assign(service, { sql: away, log: Object.assign(Object.create(log), { warn }) })
  try {
    await eventually(() => failures > 0, 'a renewal that fails')
    const before = failures
    await pause(5000)
    assert.ok(failures > before, 'half a turn later')
  } finally {
    Object.assign(service, { sql, log })
  }
})

test('a node that starts after an outage of minutes frees its own earlier run, and no other node', async () => {
  const now = after(w.now(), hours(1))
  const [former, waiting, fresh]: Node[] = ['machine one', 'machine two', 'machine one'].map((name) => ({
    id: randomUUID(),
    name,
  }))
  for (const node of [former, waiting] as Node[]) await renew(w.service.sql, node, { now: w.now(), open: [] })
  const renewed = renewals(() => 0)
  const free = (those: Judged) => freeEarlierRuns(w.service.sql, fresh as Node, { now, alone: false, those })
  const left = async () => {
    const rows = await w.sql<{ id: string }>`select id from nodes where name like 'machine %'`
    return rows.map(({ id }) => id)
  }
  await free(renewed.note())
  assert.deepEqual(await left(), [waiting?.id])
  await free(renewed.note())
  assert.deepEqual(await left(), [waiting?.id])
  await free('all')
  assert.deepEqual(await left(), [])
})

test('another node with the same name and address frees no lease of a living one', async () => {
  const [ann, bob] = await friends()
  const kept = await ann.events(10, other)
  await eventually(async () => (await leasesOf(ann)) === 1 || undefined, 'a lease')
  const twin: Node = { id: randomUUID(), name: (await rowOf(other))?.name as string }
  await renew(w.service.sql, twin, { now: w.now(), open: [] })
  await freeEarlierRuns(w.service.sql, twin, { now: w.now(), alone: false, those: 'all' })
  assert.ok(await rowOf(other))
  assert.equal(await leasesOf(ann), 1)
  await talk(ann, bob)
  await kept.close()
  await w.sql`delete from nodes where id = ${twin.id}`
})

test('a block asks no node that is dead, and a restarted node frees the leases of its earlier run at once', async () => {
  const bob = await w.agent('bob_again')
  const [earlier, living, later]: Node[] = ['a machine', 'a machine', 'a machine'].map((name) => ({
    id: randomUUID(),
    name,
  }))
  for (const node of [earlier, living] as Node[]) {
    const open = [{ id: randomUUID(), agentId: bob.id }]
    assert.equal((await renew(w.service.sql, node, { now: w.now(), open })).size, 1)
  }
  // It ended before the clock was set back, on a machine that is gone.
  const ahead = { id: randomUUID(), name: 'another machine' }
  await renew(w.service.sql, ahead, { now: after(w.now(), days(400)), open: [] })
  // Its process runs: it holds its lock.
  const session = new pg.Client({ connectionString: w.databaseUrl })
  await session.connect()
  await session.query('select pg_advisory_lock($1, hashtext($2))', [aliveLock, living?.id])
  const asked = async (at: Date) => (await holders(w.service.sql, later as Node, [bob.id], at)).sort()
  assert.deepEqual(await asked(w.now()), [earlier?.id, living?.id].sort(), 'both leases are valid')
  assert.deepEqual(await asked(after(w.now(), hours(1))), [living?.id])
  await freeEarlierRuns(w.service.sql, later as Node, { now: w.now(), alone: false, those: 'all' })
  const left = await w.sql<{ id: string }>`select id from nodes where name in ('a machine', 'another machine')`
  assert.deepEqual(
    left.map(({ id }) => id),
    [living?.id],
  )
  assert.equal(await leasesOf(bob), 1)
  await session.end()
  await w.sql`delete from nodes where name = 'a machine'`
})

test('a node whose clock is an hour ahead takes nothing from the others, and they still get its wake-ups', async () => {
  const [ann, bob] = await friends()
  const kept = await ann.events(10, other)
  await eventually(async () => (await leasesOf(ann)) === 1 || undefined, 'a lease')
  const early = await world({ databaseUrl: w.databaseUrl, offset: hours(1) })
  try {
    assert.ok((await rowOf(w)) && (await rowOf(other)), 'the rows of the others stand')
    assert.equal(await leasesOf(ann), 1)
    for (const node of [w, early]) {
      assert.equal(await countPeers(node.service.sql, (await rowOf(node)) as Node, node.now()), 2)
    }
    const answer = await early.request('POST', '/messages', { token: ann.token, json: ann.envelope(bob) })
    assert.equal(answer.status, 201)
    const there = await bob.events(10, other)
    const event = await there.next('message.created')
    assert.equal(event.payload.id, answer.body.message.id)
    await there.acked(event)
    await there.close()
    await talk(ann, bob)
  } finally {
    await early.running.stop()
    await early.sql.end()
  }
  await kept.close()
})
