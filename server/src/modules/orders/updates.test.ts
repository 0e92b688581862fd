// The log of an order: who adds to it, when, how much, and what it leaves alone. docs/contract/orders.md#updates.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { givenFile } from '../../../test/files.ts'
import { attempt, type Condition, conditions, reread, type Shown, step, trade } from '../../../test/orders.ts'
import { pluck } from '../../../test/pluck.ts'
import { story } from '../../../test/story.ts'
import { type Agent, type Answer, code, race } from '../../../test/world.ts'
import { days, after as later } from '../../kernel/clock.ts'
import { once } from '../../store/once.ts'
import { add, findAdded } from './updates.ts'

const { w, ada, bob, eve } = story('eve', { friends: ['ada', 'bob'] })

type Fields = Record<string, unknown>

/** Tries an update of an order as it was last seen. */
const update = (who: Agent, order: Shown, fields: Fields = { text: 'Half of it is done' }): Promise<Answer> =>
  who.post(`/orders/${order.id}/updates`, { operation_id: randomUUID(), expected_version: order.version, ...fields })

/** The order once an update is in its log. */
async function updated(who: Agent, order: Shown, fields?: Fields): Promise<Shown> {
  const answer = await update(who, order, fields)
  assert.equal(code(answer), '201', JSON.stringify(answer.body))
  return answer.body.order
}

const traded = (to: Condition, fields?: Fields): Promise<Shown> => trade(w, ada, bob, to, fields)
const orderFile = (who: Agent): Promise<string> => givenFile(w, who, { purpose: 'order', file_format: 'mp3' })
const codes = (answers: readonly Answer[]): string[] => answers.map(code).sort()

test('both sides write updates, both get an event for each, and only the version and the count change', async () => {
  const order = await traded('in_progress')
  const socket = await ada.events()
  const file = await orderFile(bob)
  const first = await update(bob, order, { text: ' A sketch:\r\n  round \n', attachment_ids: [file.toUpperCase()] })
  assert.equal(code(first), '201', JSON.stringify(first.body))
  const { attachments, id, created_at, ...said } = first.body.update
  assert.deepEqual(said, { order_id: order.id, author_id: bob.id, text: 'A sketch:\n  round', version: 4 })
  assert.deepEqual(
    attachments.map((card: { id: string; available: boolean }) => [card.id, card.available]),
    [[file, true]],
  )
  const { version, updates_count, updated_at, ...rest } = first.body.order
  assert.deepEqual([version, updates_count, updated_at], [4, 1, created_at])
  for (const [name, value] of Object.entries(rest)) assert.deepEqual(value, order[name], name)
  let heard = await socket.next('order.changed')
  while (heard.payload.version < 4) heard = await socket.next('order.changed')
  assert.deepEqual(heard.payload, { order_id: order.id, status: 'in_progress', version: 4 })
  await socket.close()

  const second = await update(ada, first.body.order, { text: 'Rounder' })
  const third = await update(bob, second.body.order, { attachment_ids: [file] })
  const log = await ada.get(`/orders/${order.id}/updates`)
  assert.deepEqual(log.body, {
    order_id: order.id,
    order_version: 6,
    updates: [third.body.update, second.body.update, first.body.update],
    next_before: null,
  })
  const one = await bob.get(`/orders/${order.id}/updates/${id.toUpperCase()}`)
  assert.deepEqual(one.body, { order_id: order.id, order_version: 6, update: first.body.update })
  const { history } = (await ada.get(`/orders/${order.id}`)).body
  assert.deepEqual(
    history.slice(-3).map((line: Fields) => [line['version'], line['action'], line['actor_id'], line['from']]),
    [
      [4, 'update', bob.id, 'in_progress'],
      [5, 'update', ada.id, 'in_progress'],
      [6, 'update', bob.id, 'in_progress'],
    ],
  )
})

test('updates are accepted in some states and refused in the others', async () => {
  const shut: Condition[] = ['offered', 'cancelled', 'rejected', 'refunded']
  await Promise.all(
    conditions.map(async (condition) => {
      const order = await traded(condition)
      for (const who of [bob, ada]) {
        const now = await reread(who, order)
        const answer = await update(who, now)
        assert.equal(code(answer), shut.includes(condition) ? '409 invalid_state' : '201', condition)
        const seen = await reread(who, order)
        for (const name of ['state', 'outcome', 'closed_at', 'total_minor', 'refund_proposed_by']) {
          assert.equal(seen[name], order[name], `${condition}: ${name}`)
        }
      }
      assert.equal(code(await update(eve, order)), '404 not_found')
    }),
  )
})

test('an update does not open a dispute, and a dispute continues with its version after one', async () => {
  const order = await traded('delivered')
  const told = await updated(ada, order, { text: 'This is not round, I dispute it' })
  assert.equal(told.state, 'delivered')
  assert.equal(code(await ada.get(`/orders/${order.id}/dispute-case`)), '404 not_found')
  assert.equal(code(await attempt(ada, order, 'complete')), '409 version_conflict')
  const closed = await step(ada, told, 'complete')
  const { closed_at, version } = await updated(bob, closed, { text: 'Thank you' })
  assert.deepEqual([closed_at, version], [closed.closed_at, closed.version + 1])
})

test('updates and their lists refuse invalid input', async () => {
  const [order, other] = [await traded('funded'), await traded('funded')]
  const wrong: [Fields, string][] = [
    [{}, '400 invalid_input'],
    [{ text: ' \r\n\t ' }, '400 invalid_input'],
    [{ text: '', attachment_ids: [] }, '400 invalid_input'],
    [{ text: 'x', expected_version: 0 }, '409 version_conflict'],
    [{ text: 'x', expected_version: 1 }, '409 version_conflict'],
    [{ text: 'x', expected_version: 3 }, '409 version_conflict'],
    [{ text: 'x', expected_version: 3, attachment_ids: [randomUUID()] }, '409 version_conflict'],
    [{ text: 'x', attachment_ids: [randomUUID()] }, '404 invalid_attachment'],
  ]
  for (const [fields, expected] of wrong) {
    assert.equal(code(await update(bob, order, fields)), expected, JSON.stringify(fields).slice(0, 80))
  }
  assert.equal(code(await update(bob, { id: randomUUID(), version: 1 })), '404 not_found')
  const rejected = await traded('rejected')
  assert.equal(code(await update(bob, { ...rejected, version: 1 })), '409 version_conflict', 'before the state')

  const told = await updated(bob, order, { text: '🌍'.repeat(8000) })
  const { id: foreign } = (await update(bob, other)).body.update
  const queries: [string, string][] = [
    [`?before=${foreign}`, '404 not_found'],
    [`?before=${randomUUID()}`, '404 not_found'],
    [`/${foreign}`, '404 not_found'],
    [`/${randomUUID()}`, '404 not_found'],
    ['?limit=50', '200'],
  ]
  for (const [path, expected] of queries) {
    assert.equal(code(await ada.get(`/orders/${told.id}/updates${path}`)), expected, path)
  }
  for (const path of ['', `/${foreign}`]) {
    assert.equal(code(await eve.get(`/orders/${other.id}/updates${path}`)), '404 not_found')
  }
})

test('updates are read in pages, and a new update moves none of them', async () => {
  let order = await traded('funded')
  for (let n = 1; n <= 5; n++) order = await updated(n % 2 ? ada : bob, order, { text: `line ${n}` })
  const page = async (query: string) => (await ada.get(`/orders/${order.id}/updates${query}`)).body
  const texts = (body: Shown): string[] => body.updates.map(({ text }: { text: string }) => text)
  const first = await page('?limit=2')
  assert.deepEqual(texts(first), ['line 5', 'line 4'])
  assert.equal(first.next_before, first.updates[1].id)
  order = await updated(bob, order, { text: 'line 6' })
  const second = await page(`?limit=2&before=${first.next_before.toUpperCase()}`)
  assert.deepEqual([texts(second), second.order_version], [['line 3', 'line 2'], 8])
  const last = await page(`?limit=2&before=${second.next_before}`)
  assert.deepEqual([texts(last), last.next_before], [['line 1'], null])
  assert.deepEqual(texts(await page(`?limit=1&before=${second.next_before}`)), ['line 1'])
  assert.equal((await page(`?limit=1&before=${second.next_before}`)).next_before, null, 'an exact end')
})

test('a replay returns the same update with the current order, in any state', async () => {
  const [order, other] = [await traded('delivered'), await traded('funded')]
  const body = { operation_id: randomUUID(), expected_version: order.version, text: 'Look' }
  const send = (id: string, fields: Fields = {}, who = bob) => who.post(`/orders/${id}/updates`, { ...body, ...fields })
  const first = await send(order.id)
  assert.equal(code(first), '201')
  const closed = await step(ada, first.body.order, 'complete')
  const again = await send(order.id, { text: ' Look\r\n', attachment_ids: [] })
  assert.equal(code(again), '200')
  assert.deepEqual(again.body.update, first.body.update)
  assert.deepEqual([again.body.order.state, again.body.order.version], ['closed', closed.version])
  for (const [id, fields] of [
    [order.id, { text: 'Look again' }],
    [order.id, { expected_version: closed.version }],
    [other.id, { expected_version: other.version }],
  ] as const) {
    assert.equal(code(await send(id, fields)), '409 idempotency_conflict')
  }
  assert.equal(code(await send(order.id, {}, ada)), '409 version_conflict', 'an id is of each agent’s own')
  const refused = { operation_id: randomUUID(), attachment_ids: [randomUUID()] }
  assert.equal(code(await send(other.id, { ...refused, expected_version: 2 })), '404 invalid_attachment')
  assert.equal(
    code(await send(other.id, { ...refused, expected_version: 2, attachment_ids: [] })),
    '201',
    'not used up',
  )
})

test('of twenty different updates at one version one is accepted', async () => {
  const order = await traded('funded')
  const rivals = await race(20, (n) => update(n % 2 ? ada : bob, order, { text: `${n}` }))
  assert.deepEqual(codes(rivals), ['201', ...Array(19).fill('409 version_conflict')])
  assert.equal((await ada.get(`/orders/${order.id}/updates`)).body.updates.length, 1)
})

test('an update races the end of an order or its dispute: one comes first, the other conflicts', async () => {
  for (const action of ['complete', 'dispute'] as const) {
    for (let round = 0; round < 3; round++) {
      const order = await traded('delivered', { amount_minor: 100 })
      const file = await orderFile(bob)
      const answers = await race(20, (n) =>
        n % 2 ? attempt(ada, order, action) : update(bob, order, { text: `${n}`, attachment_ids: [file] }),
      )
      const won = answers.filter(({ status }) => status < 300)
      assert.deepEqual(codes(answers.filter((each) => !won.includes(each))), Array(19).fill('409 version_conflict'))
      const now = await reread(ada, order)
      assert.deepEqual(
        won.map((answer) => answer.body.order.version),
        [now.version],
      )
      const { binding, status } = (await bob.get(`/attachments/${file}`)).body.attachment
      assert.equal(now.updates_count, binding ? 1 : 0)
      assert.equal(status, 'ready', 'what waits for an order that was closed before is still its owner’s')
      assert.equal(now.state, binding ? 'delivered' : won[0]?.body.order.state)
    }
  }
})

/** Raises an order to many updates by SQL, as so many calls would have left it. */
async function plantUpdates(order: Shown, count: number): Promise<Shown> {
  await w.sql.transaction(async (tx) => {
    await tx`
      insert into order_history (order_id, version, action, actor_id, from_state, to_state, created_at)
      select ${order.id}, ${order.version} + n, 'update', ${bob.id}, ${order.state}, ${order.state}, ${tx.now}
      from generate_series(1, ${count}::int) n`
    await tx`
      insert into order_updates (id, order_id, author_id, text, version, attachment_ids, created_at)
      select gen_random_uuid(), ${order.id}, ${bob.id}, 'line ' || n, ${order.version} + n, '{}', ${tx.now}
      from generate_series(1, ${count}::int) n`
    await tx`
      update orders set version = version + ${count}, updates_count = updates_count + ${count} where id = ${order.id}`
  })
  return reread(ada, order)
}

test('the 200th update of an order is accepted and the 201st is not, from either side; the order continues', async () => {
  let order = await plantUpdates(await traded('delivered'), 199)
  const full = await race(20, (n) => update(n % 2 ? ada : bob, order))
  assert.deepEqual(codes(full), ['201', ...Array(19).fill('409 version_conflict')])
  order = await reread(bob, order)
  assert.equal(order.updates_count, 200)
  for (const who of [ada, bob]) assert.equal(code(await update(who, order)), '409 update_limit')
  assert.equal((await step(ada, order, 'complete')).state, 'closed')
  const seen = new Set<string>()
  for (let before: string | null = ''; before !== null; ) {
    const { body }: Answer = await ada.get(`/orders/${order.id}/updates?limit=50${before && `&before=${before}`}`)
    for (const { id } of body.updates) seen.add(id)
    before = body.next_before
  }
  assert.equal(seen.size, 200)
})

test('an order shows at most a hundred different progress files, of both sides together', async () => {
  let order = await traded('funded', { input_attachment_ids: [await orderFile(ada)] })
  const [theirs, ours] = [
    await Promise.all(Array.from({ length: 50 }, () => orderFile(ada))),
    await Promise.all(Array.from({ length: 51 }, () => orderFile(bob))),
  ]
  for (let n = 0; n < 50; n += 10) order = await updated(ada, order, { attachment_ids: theirs.slice(n, n + 10) })
  for (let n = 0; n < 40; n += 10) order = await updated(bob, order, { attachment_ids: ours.slice(n, n + 10) })
  order = await updated(bob, order, { attachment_ids: ours.slice(40, 49) })
  const over = await update(bob, order, { attachment_ids: [...ours.slice(0, 8), ...ours.slice(49, 51)] })
  assert.equal(code(over), '409 progress_attachment_limit')
  assert.equal((await bob.get(`/attachments/${ours[49]}`)).body.attachment.binding, null, 'nothing was bound')
  order = await updated(bob, order, { attachment_ids: [...ours.slice(0, 9), ours[49]] })
  for (const fresh of [ours[50], await orderFile(ada)] as string[]) {
    const who = fresh === ours[50] ? bob : ada
    assert.equal(code(await update(who, order, { attachment_ids: [fresh] })), '409 progress_attachment_limit')
  }
  const again = await update(ada, order, { attachment_ids: [theirs[7], theirs[3]] })
  assert.deepEqual(
    pluck(again.body.update.attachments, 'id'),
    [theirs[7], theirs[3]],
    'what was shown may be shown again, in this order',
  )
  assert.equal(code(await attempt(bob, again.body.order, 'deliver', { result_attachment_ids: [ours[50]] })), '200')
})

test('the window after acceptance ends to the millisecond, and replays ignore it', async () => {
  const order = await traded('accepted')
  const closedAt = new Date(order.closed_at)
  const me = { kind: 'agent', id: bob.id } as const
  const at = (moment: Date, version: number, operationId: string = randomUUID()) =>
    w.service.sql.transaction(async (tx) => {
      const input = { expected_version: version, text: 'Late', attachment_ids: [] }
      const [id, name] = [tx.newId(), `POST /orders/${order.id}/updates`]
      const operation = { actor: bob.id, operationId, name, content: input, resourceId: id }
      const added = await once(Object.assign(tx, { now: moment }), operation, {
        act: () => add(tx, me, { id, orderId: order.id, input, terms: w.service.config }),
        reread: (standing) => findAdded(tx, me, order.id, standing),
      })
      return { ...added.value, created: added.created }
    })
  const [end, operationId] = [later(closedAt, days(30)), randomUUID()]
  const last = await at(later(end, -1), order.version, operationId)
  assert.deepEqual([last.created, last.order.closed_at, last.order.version], [true, closedAt, order.version + 1])
  for (const moment of [end, later(end, 1)]) {
    await assert.rejects(at(moment, last.order.version), { code: 'closed_order_update_window_expired' })
    await assert.rejects(at(moment, order.version), { code: 'version_conflict' })
    const replay = await at(moment, order.version, operationId)
    assert.deepEqual([replay.created, replay.update], [false, last.update])
  }
})

test('nobody can change or remove an update', async () => {
  const order = await updated(bob, await traded('funded'))
  await assert.rejects(w.sql`update order_updates set text = 'other' where order_id = ${order.id}`)
  await assert.rejects(w.sql`delete from order_updates where order_id = ${order.id}`)
  const [{ id }] = (await bob.get(`/orders/${order.id}/updates`)).body.updates
  for (const method of ['PATCH', 'DELETE']) {
    const answer = await w.request(method, `/orders/${order.id}/updates/${id}`, { token: bob.token })
    assert.equal(code(answer), '405 method_not_allowed')
  }
})
