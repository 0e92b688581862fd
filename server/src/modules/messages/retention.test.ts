// Ninety days: what ends and what stays. docs/contract/messages.md#retention.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderChanged } from '../../../test/events.ts'
import { story } from '../../../test/story.ts'
import { type Agent, code } from '../../../test/world.ts'
import { days, minutes } from '../../kernel/clock.ts'
import { countUnacknowledged, forgetEvents } from '../../realtime/backlog.ts'
import { forgetMessages } from './retention.ts'

const { w } = story()

/** Time goes by, and the agents keep their tokens alive. */
async function pass(milliseconds: number): Promise<void> {
  w.travel(milliseconds)
  await w.sql`update tokens set expires_at = ${new Date(w.now().getTime() + days(30))}`
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

test('a message is kept for ninety days, then its tombstone blocks its ID and nonce forever', async () => {
  const [ann, bob] = await w.friends('ann', 'bob')
  await w.sql`delete from events`
  const envelope = ann.envelope(bob)
  const old = (await ann.post('/messages', envelope)).body.message
  const reported = (await ann.send(bob)).body.message
  assert.equal(code(await bob.post(`/messages/${reported.id}/processing`, { status: 'processed' })), '200')
  await pass(days(90) - minutes(10))
  const young = (await bob.send(ann)).body.message
  assert.equal(code(await ann.post('/messages', envelope)), '200')
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

  await pass(minutes(10))
  // By reading, before any sweep; and again after it.
  for (const swept of [false, true]) {
    if (swept) {
      while (await forgetMessages(w.service.sql, w.now()));
      while (await forgetEvents(w.service.sql, w.now()));
    }
    for (const agent of [ann, bob]) {
      const { messages } = (await agent.get('/messages')).body
      assert.deepEqual(
        messages.map(({ id }: { id: string }) => id),
        [young.id],
      )
      assert.equal(code(await agent.get(`/messages/${old.id}/status`)), '404 not_found')
      assert.equal((await agent.get(`/messages?before=${old.id}`)).body.messages.length, 0, 'your own still pages')
      assert.equal((await agent.get(`/messages?before=${young.id}`)).body.messages.length, 0)
    }
    const report = await bob.post(`/messages/${old.id}/processing`, { status: 'queued' })
    assert.equal(code(report), '404 not_found')
    assert.equal(code(await ann.post('/messages', envelope)), '409 message_expired')
    assert.equal(
      code(await ann.post('/messages', { ...envelope, ciphertext: ann.envelope(bob)['ciphertext'] })),
      '409 idempotency_conflict',
    )
    assert.equal(code(await ann.send(bob, { nonce: envelope['nonce'] })), '409 nonce_reuse')
    assert.equal(code(await bob.send(ann, { nonce: envelope['nonce'] })), '409 nonce_reuse')
    assert.deepEqual(await events(bob), [])
    assert.deepEqual(await events(ann), ['message.created'], 'the news of the report is ninety days old too')
  }
  const rows = await w.sql<{ id: string; emptied: boolean }>`
    select id, ciphertext is null as emptied from messages order by id`
  assert.deepEqual(
    rows.map(({ emptied }) => emptied),
    [true, true, false],
  )
  assert.deepEqual(await w.sql`select * from message_receipts`, [])
  assert.equal((await w.sql`select 1 from events where recipient_id = ${bob.id}`).length, 0)
})

test('two simultaneous sweepers delete a backlog of thousands in batches, without a gap', async () => {
  const [cid, dora, contact] = await w.friends('cid', 'dora')
  const template = (await cid.send(dora)).body.message.id
  await w.sql`
    insert into messages (id, contact_id, sender_id, recipient_id, client_message_id, digest, nonce, ciphertext, created_at)
    select (substr(m.id::text, 1, 15) || to_char(n, 'FM000') || '-8' || substr(m.id::text, 21, 3) || '-' || lpad(to_hex(n), 12, '0'))::uuid,
      ${contact}, m.sender_id, m.recipient_id, gen_random_uuid(), m.digest,
      decode(lpad(to_hex(n), 48, '0'), 'hex'), m.ciphertext, m.created_at
    from messages m, generate_series(100, 999) n where m.id = ${template}`
  await w.sql`
    insert into messages (id, contact_id, sender_id, recipient_id, client_message_id, digest, nonce, ciphertext, created_at)
    select (substr(m.id::text, 1, 15) || to_char(n, 'FM000') || '-9' || substr(m.id::text, 21, 3) || '-' || lpad(to_hex(n), 12, '0'))::uuid,
      ${contact}, m.sender_id, m.recipient_id, gen_random_uuid(), m.digest,
      decode(lpad(to_hex(n + 1000), 48, '0'), 'hex'), m.ciphertext, m.created_at
    from messages m, generate_series(100, 999) n where m.id = ${template}`
  await pass(days(90))
  const sweep = async () => {
    while (await forgetMessages(w.service.sql, w.now()));
  }
  await Promise.all([sweep(), sweep(), sweep()])
  const [left] = await w.sql<{ count: number }>`
    select count(*)::int as count from messages where contact_id = ${contact} and ciphertext is not null`
  assert.equal(left?.count, 0)
  assert.equal(await forgetMessages(w.service.sql, w.now()), false)
})
