// Ninety days: what ends and what stays. docs/contract/messages.md#retention.
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { orderChanged } from '../../../test/events.ts'
import { planModes, plansOf } from '../../../test/plans.ts'
import { foundIn } from '../../../test/planting.ts'
import { story } from '../../../test/story.ts'
import { type Agent, befriend, code, eventually, race, tally } from '../../../test/world.ts'
import { days, earlier, firstIdOf, hours, minutes } from '../../kernel/clock.ts'
import { countUnacknowledged, eventsForgetting } from '../../realtime/backlog.ts'
import type { Query } from '../../store/sql.ts'
import { list } from './messages.ts'
import { forgetMessages } from './retention.ts'

const { w } = story()
/** A service that an earlier version left much behind in. */
const { w: upgraded } = story()

/** Time goes by, and the agents keep their tokens alive. */
async function pass(milliseconds: number, at = w): Promise<void> {
  at.travel(milliseconds)
  await at.sql`update tokens set expires_at = ${new Date(at.now().getTime() + days(30))}`
}

const sweep = async (at = w): Promise<void> => {
  while (await forgetMessages(at.service.sql, at.now()));
}

const events = async (agent: Agent): Promise<string[]> => {
  const socket = await agent.events()
  const kinds: string[] = []
  // What comes after everything that waited.
  await w.sql`
    insert into events (recipient_id, min_version, id, kind, subject_id, payload, created_at)
    values (${agent.id}, 1, 'ffffffff-ffff-7fff-bfff-ffffffffffff', 'order.changed', gen_random_uuid(), ${orderChanged}, ${w.now()})`
  for (let last = ''; last !== 'order.changed'; kinds.push(last)) last = (await socket.next()).kind as string
  await socket.close()
  await w.sql`delete from events where kind = 'order.changed'`
  return kinds.slice(0, -1)
}

test('a message is kept for ninety days, then its ID and nonce stay used forever', async () => {
  const [ann, bob] = await w.friends('ann', 'bob')
  const eve = await w.agent('eve')
  await befriend(ann, eve)
  await w.sql`delete from events`
  const envelope = ann.envelope(bob)
  const old = (await ann.post('/messages', envelope)).body.message
  const reported = (await ann.send(bob)).body.message
  assert.equal(code(await bob.post(`/messages/${reported.id}/processing`, { status: 'processed' })), '200')
  const changed = { ...envelope, ciphertext: ann.envelope(bob)['ciphertext'] }
  await pass(days(90) - minutes(10))
  const young = (await bob.send(ann)).body.message
  assert.equal(code(await ann.post('/messages', envelope)), '200')
  assert.equal(code(await ann.post('/messages', changed)), '409 idempotency_conflict')
  assert.equal((await ann.get('/messages')).body.messages.length, 3)
  assert.equal(code(await ann.get(`/messages/${old.id}/status`)), '200')
  assert.deepEqual(await events(bob), ['message.created', 'message.created'])
  // Before anything may be swept.
  for (const [most, counted] of [
    [100_000, 4],
    [4, 4],
    [1, 1],
  ] as const)
    assert.equal(await countUnacknowledged(w.service.sql, most), counted)
  await sweep()
  assert.deepEqual(await w.sql`select 1 from past_messages`, [], 'ninety days are not over')

  await pass(minutes(10))
  const rows = async () => (await w.sql<{ id: string }>`select id from messages order by id`).map(({ id }) => id)
  const sent: string[] = []
  /** The same to everyone: by reading, before any sweep; with its keys in the past; for an hour, and without its row. */
  for (const when of ['over', 'moved', 'nearly an hour later', 'deleted'] as const) {
    const forgetEvents = eventsForgetting(w.service.sql, w.service.clock)
    if (when === 'moved') while (await forgetEvents());
    if (when === 'nearly an hour later') await pass(minutes(59))
    if (when === 'deleted') await pass(minutes(1))
    if (when !== 'over') await sweep()
    const kept = when === 'deleted' ? [] : [old.id, reported.id]
    assert.deepEqual(await rows(), [...kept, young.id, ...sent], when)
    for (const agent of [ann, bob]) {
      const { messages } = (await agent.get(`/messages?peer=${agent === ann ? bob.id : ann.id}`)).body
      assert.deepEqual(
        messages.map(({ id }: { id: string }) => id),
        [young.id],
      )
      assert.equal(code(await agent.get(`/messages/${old.id}/status`)), '404 not_found')
      assert.equal((await agent.get(`/messages?before=${old.id}`)).body.messages.length, 0, 'your own still pages')
      assert.equal((await agent.get(`/messages?before=${young.id}`)).body.messages.length, 0)
      const unknown = `${old.id.slice(0, -4)}ffff`
      assert.equal(code(await agent.get(`/messages?before=${unknown}`)), '404 not_found')
    }
    assert.equal(code(await eve.get(`/messages?before=${old.id}`)), '404 not_found')
    const report = await bob.post(`/messages/${old.id}/processing`, { status: 'queued' })
    assert.equal(code(report), '404 not_found')
    assert.equal(code(await ann.post('/messages', envelope)), '409 message_expired')
    assert.equal(code(await ann.post('/messages', changed)), '409 message_expired', 'whatever is sent under its ID')
    assert.equal(code(await ann.send(bob, { nonce: envelope['nonce'] })), '409 nonce_reuse')
    assert.equal(code(await bob.send(ann, { nonce: envelope['nonce'] })), '409 nonce_reuse')
    // Each is used in its own name space alone, and what was refused used up nothing.
    const { client_message_id, nonce } = envelope
    for (const given of when === 'over' ? [{ client_message_id, nonce }, {}] : [{}]) {
      const fresh = await eve.send(ann, given)
      assert.equal(code(fresh), '201', when)
      sent.push(fresh.body.message.id)
    }
    assert.deepEqual(await events(bob), [])
  }
  assert.deepEqual(await w.sql`select * from message_receipts`, [])
  assert.equal((await w.sql`select 1 from events where recipient_id = ${bob.id}`).length, 0)
  const second = ann.envelope(bob)
  assert.deepEqual(tally(await race(20, () => ann.post('/messages', second))), { 200: 19, 201: 1 }, 'and they go on')
})

test('an expired ID that is sent again twenty times at once, while it is swept, is never sent', async () => {
  const [gil, hal] = await w.friends('gil', 'hal')
  const used = Array.from({ length: 4 }, () => gil.envelope(hal))
  for (const envelope of used) assert.equal(code(await gil.post('/messages', envelope)), '201')
  const [{ count: before } = { count: 0 }] = await w.sql<{ count: number }>`
    select count(*)::int as count from messages where sender_id = ${gil.id}`
  assert.equal(before, 4)
  for (const [wait, envelope] of [
    [days(90), used[0]],
    [hours(1), used[1]],
  ] as const) {
    await pass(wait)
    const repeats = race(20, () => gil.post('/messages', envelope))
    const nonces = race(20, (index) => {
      const { nonce } = used[2] as { nonce: string }
      return index % 2 ? gil.send(hal, { nonce }) : hal.send(gil, { nonce })
    })
    await Promise.all([sweep(), sweep()])
    assert.deepEqual(tally(await repeats), { '409 message_expired': 20 })
    assert.deepEqual(tally(await nonces), { '409 nonce_reuse': 20 })
  }
  assert.deepEqual(await w.sql`select 1 from messages where sender_id = ${gil.id}`, [])
})

/** Messages like a given one, of that long ago; of earlier versions nothing but the text was deleted. */
async function plant(like: string, ago: number, count: number, emptied: boolean): Promise<string[]> {
  const at = earlier(upgraded.now(), ago)
  const rows = await upgraded.sql<{ client_message_id: string }>`
    insert into messages (id, contact_id, sender_id, recipient_id, client_message_id, digest, nonce, ciphertext, created_at)
    select (left(${firstIdOf(at)}, 15) || to_char(n / 1000, 'FM000') || '-8' || to_char(n % 1000, 'FM000')
        || right(gen_random_uuid()::text, 13))::uuid,
      m.contact_id, m.sender_id, m.recipient_id, gen_random_uuid(), m.digest, substr(sha256(${randomBytes(9)} || n::text::bytea), 1, 24),
      case when not ${emptied} then m.ciphertext end, ${at}
    from messages m, generate_series(1, ${count}::int) n where m.id = ${like}
    returning client_message_id`
  return rows.map(({ client_message_id }) => client_message_id)
}

test('simultaneous sweepers move thousands, of earlier versions too, in batches, and keep every key', async () => {
  const [cid, dora, contact] = await upgraded.friends('cid', 'dora')
  const template = (await cid.send(dora)).body.message.id
  const old = [...(await plant(template, days(700), 1500, true)), ...(await plant(template, days(1), 1900, false))]
  // How far an earlier version had emptied them.
  await upgraded.sql`
    insert into instance (name, value) values ('messages_forgotten_before', ${firstIdOf(earlier(upgraded.now(), days(600)))})`
  await pass(days(90), upgraded)
  // No page reads what is over, however much of it is still there.
  for (const mode of planModes) {
    for (const peer of [dora.id, undefined]) {
      const plans = await plansOf(upgraded.service.sql, mode, (sql) =>
        list(sql, upgraded.now(), { id: cid.id } as Parameters<typeof list>[2], { peer, before: undefined }),
      )
      for (const plan of plans) assert.doesNotMatch(plan, /Rows Removed by Filter: \d{3}/)
    }
  }
  await Promise.all([sweep(upgraded), sweep(upgraded), sweep(upgraded)])
  const [kept] = await upgraded.sql<{ keys: number; most: number }>`
    select sum(cardinality(keys))::int as keys, max(cardinality(keys)) as most from past_keys`
  const [past] = await upgraded.sql<{
    parties: number
  }>`select sum(cardinality(parties))::int as parties from past_messages`
  assert.equal(kept?.keys, past?.parties, 'two keys and two participants for each')
  assert.ok((kept?.keys ?? 0) > 6800 && (kept?.most ?? 0) <= 120)
  const [size] = await upgraded.sql<{ bytes: number }>`
    select ((select sum(pg_column_size(k)) from past_keys k) + (select sum(pg_column_size(m)) from past_messages m))::int as bytes`
  assert.ok(
    (size?.bytes ?? Infinity) / ((kept?.keys ?? 0) / 2) <= 40,
    'what remains of a message, without its index and free room',
  )
  const found = (plant: (tx: Query) => Promise<unknown>) =>
    foundIn(upgraded, (id) => (id === template ? 'one' : String(id)), plant)
  assert.deepEqual(await found(async () => {}), [], 'none is missing')
  const one = (tx: Query) => tx`delete from messages where id <> ${template}`
  const faults: Record<string, [(tx: Query) => Promise<unknown>, string[]]> = {
    'a key that is lost': [async (tx) => [await one(tx), await tx`delete from past_keys`], ['past.key one']],
    'a key in another row': [
      async (tx) => [
        await one(tx),
        await tx`
          update past_keys set keys = keys || 9223372036854775807
          where first = (select first from past_keys order by first offset 1 limit 1)`,
      ],
      ['past.row null'],
    ],
    'participants that are lost': [
      async (tx) => [await one(tx), await tx`update past_messages set parties = '{}'`],
      ['past.party one'],
    ],
  }
  for (const [what, [planted, expected]] of Object.entries(faults))
    assert.deepEqual(await found(planted), expected, what)

  // Nodes of the earlier version may run for a day after the first new one.
  const count = async () => (await upgraded.sql`select 1 from messages where contact_id = ${contact}`).length
  await upgraded.sql`
    update migrations set applied_at = ${earlier(upgraded.now(), hours(1))} where name = '0080_past_messages.sql'`
  await pass(hours(23) - minutes(1), upgraded)
  await sweep(upgraded)
  assert.equal(await count(), 3401)
  await pass(minutes(1), upgraded)
  await Promise.all([sweep(upgraded), sweep(upgraded), sweep(upgraded)])
  assert.equal(await count(), 0)
  assert.equal(await forgetMessages(upgraded.service.sql, upgraded.now()), false)
  for (const client_message_id of [old[0], old[1499], old[1500], old[3399]])
    assert.equal(code(await cid.send(dora, { client_message_id })), '409 message_expired')
  assert.equal(code(await cid.send(dora, { client_message_id: randomUUID() })), '201')
})

test('a sweep that is killed half-way has done nothing, and the next one does it', async () => {
  const [ivy, jim] = await w.friends('ivy', 'jim')
  const envelope = ivy.envelope(jim)
  assert.equal(code(await ivy.post('/messages', envelope)), '201')
  await pass(days(90))
  const [before] = await w.sql`select coalesce(sum(cardinality(keys)), 0)::int as keys from past_keys`
  const holder = await w.sql.pool.connect()
  try {
    await holder.query('begin; lock table past_messages in share mode')
    const swept = forgetMessages(w.service.sql, w.now())
    const killed = assert.rejects(swept)
    const pid = await eventually(async () => {
      const [waiting] = await w.sql<{ pid: number }>`
        select l.pid from pg_locks l join pg_database d on d.oid = l.database and d.datname = current_database()
        where l.relation = 'past_messages'::regclass and not l.granted`
      return waiting?.pid
    }, 'the sweep that waits to note its batch')
    await w.sql`select pg_terminate_backend(${pid})`
    await killed
    await holder.query('rollback')
  } finally {
    holder.release()
  }
  assert.deepEqual(await w.sql`select coalesce(sum(cardinality(keys)), 0)::int as keys from past_keys`, [before])
  await sweep()
  await pass(days(1))
  await sweep()
  assert.deepEqual(await w.sql`select 1 from messages where sender_id = ${ivy.id}`, [])
  assert.equal(code(await ivy.post('/messages', envelope)), '409 message_expired')
  assert.equal(code(await jim.send(ivy, { nonce: envelope['nonce'] })), '409 nonce_reuse')
})
