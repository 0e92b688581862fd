// Twenty at once, half of them on another node: one of them happens, the others are told so, and money and counts are whole.
// docs/contract/tasks.md#selecting.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { fund, money, type Shown } from '../../../test/orders.ts'
import { beforehand, story } from '../../../test/story.ts'
import { actionBody, assertTasks, bid, bidBody, publish, read, selectBody, taskBody } from '../../../test/tasks.ts'
import { type Agent, type Answer, befriend, code, race, tally } from '../../../test/world.ts'

const bidders: Agent[] = []
const { w, ada } = story('ada')
const there = beforehand(() => w.node())
beforehand(async () => {
  await fund(w, ada, 100_000_000)
  for (let n = 0; n < 10; n++) bidders.push(await w.agent(`bidder_${n}`))
})

const via = (n: number, who: Agent, method: string, path: string, json: unknown): Promise<Answer> =>
  (n % 2 === 0 ? w : there).request(method, path, { token: who.token, json })

const withBids = async (count: number): Promise<[Shown, Shown[]]> => {
  const task = await publish(w, ada)
  return [task, await Promise.all(bidders.slice(0, count).map((bidder) => bid(w, bidder, task)))]
}

test('one of twenty simultaneous bids of one agent is open', async () => {
  const [task] = await withBids(0)
  const bob = bidders[0] as Agent
  const all = await race(20, (n) => via(n, bob, 'POST', `/tasks/${task.id}/bids`, bidBody(w)))
  assert.deepEqual(tally(all), { '201': 1, '409 state_conflict': 19 })
  assert.equal((await read(w, task)).body.task.bids_count, 1)
})

test('twenty bids and withdrawals of ten agents leave an exact count', async () => {
  const [task, made] = await withBids(5)
  await race(20, (n) => {
    const standing = made[n % 10]
    const bidder = bidders[n % 10] as Agent
    return standing
      ? via(n, bidder, 'POST', `/bids/${standing.id}/withdraw`, actionBody(standing))
      : via(n, bidder, 'POST', `/tasks/${task.id}/bids`, bidBody(w))
  })
  assert.equal((await read(w, task)).body.task.bids_count, 5)
})

test('one of twenty simultaneous selections of different bids wins, and there is one order', async () => {
  const [task, made] = await withBids(10)
  const before = await money(ada)
  const answers = await race(20, (n) =>
    via(n, ada, 'POST', `/tasks/${task.id}/select`, selectBody(task, made[n % 10] as Shown)),
  )
  assert.deepEqual(tally(answers), { '201': 1, '409 version_conflict': 19 })
  assert.deepEqual(await money(ada), [before[0] - 1100, before[1] + 1100])
  const states = (await ada.get(`/tasks/${task.id}/bids`)).body.bids.map(({ state }: Shown) => state)
  assert.deepEqual(states.toSorted(), [...Array(9).fill('rejected'), 'selected'])
})

const rivals: Record<string, (n: number, task: Shown, made: Shown) => Promise<Answer>> = {
  'the withdrawal of the bid': (n, _task, made) =>
    via(n, bidders[0] as Agent, 'POST', `/bids/${made.id}/withdraw`, actionBody(made)),
  'a change of the bid': (n, _task, made) =>
    via(n, bidders[0] as Agent, 'PATCH', `/bids/${made.id}`, actionBody(made, { amount_minor: 5000 })),
  'the cancelling of the task': (n, task) => via(n, ada, 'POST', `/tasks/${task.id}/cancel`, actionBody(task)),
}

for (const [rival, attempt] of Object.entries(rivals)) {
  test(`selecting a bid against ${rival}: one happens, never both`, async () => {
    for (let round = 0; round < 5; round++) {
      const [task, [made]] = await withBids(1)
      const before = await money(ada)
      const answers = await race(20, (n) =>
        n % 4 < 2
          ? via(n, ada, 'POST', `/tasks/${task.id}/select`, selectBody(task, made))
          : attempt(n, task, made as Shown),
      )
      const selected = answers.filter(({ status }) => status === 201).length
      const other = answers.filter(({ status }) => status === 200).length
      assert.equal(selected + other, 1, JSON.stringify(tally(answers)))
      assert.ok(
        answers.every((each) => /^(20[01]|409 (version_conflict|invalid_state))$/.test(code(each))),
        JSON.stringify(tally(answers)),
      )
      const { state, order_id: orderId } = (await read(w, task)).body.task
      assert.equal(orderId !== null, selected === 1)
      assert.equal(state, selected === 1 ? 'selected' : rival.includes('task') ? 'cancelled' : 'open')
      assert.deepEqual(await money(ada), [before[0] - 1100 * selected, before[1] + 1100 * selected])
    }
  })
}

test('simultaneous selections, withdrawals, changes, bids and a cancellation of one task create at most one order', async () => {
  for (let round = 0; round < 6; round++) {
    const [task, bids] = await withBids(4)
    const before = await money(ada)
    const selected = (made: Shown) => ada.post(`/tasks/${task.id}/select`, selectBody(task, made))
    const answers = await race(20, (n) => {
      const [who, made] = [bidders[n % 4] as Agent, bids[n % 4]]
      const moves = [
        () => selected(made),
        () => who.post(`/bids/${made.id}/withdraw`, actionBody(made)),
        () => who.patch(`/bids/${made.id}`, actionBody(made, { amount_minor: 5000 + n })),
        () => (round % 2 ? ada.post(`/tasks/${task.id}/cancel`, actionBody(task)) : selected(made)),
        () => (bidders[4 + (n % 4)] as Agent).post(`/tasks/${task.id}/bids`, bidBody(w)),
      ]
      return (moves[(n + round) % moves.length] as () => Promise<Answer>)()
    })
    for (const each of answers) assert.match(code(each), /^(20[01]|409 (version|state)_conflict|409 invalid_state)$/)
    const { task: now } = (await read(w, task)).body
    const { bids: all } = (await ada.get(`/tasks/${task.id}/bids?page_size=50`)).body
    const made = answers.filter(({ body }) => body.order !== undefined).map(({ body }) => body)
    const total = made[0]?.order.total_minor ?? 0
    assert.deepEqual(
      [made.length, now.order_id, all.filter(({ state }: Shown) => state === 'selected')],
      now.state === 'selected' ? [1, made[0].order.id, [made[0].bid]] : [0, null, []],
    )
    assert.equal(total, made[0]?.bid.total_minor ?? 0)
    assert.deepEqual(await money(ada), [before[0] - total, before[1] + total])
    if (now.state !== 'open') assert.ok(all.every(({ state }: Shown) => state !== 'open'))
    assert.equal(now.bids_count, all.filter(({ state }: Shown) => state !== 'withdrawn').length)
  }
})

test('with credits for one task, one of two simultaneous selections is funded', async () => {
  const poor = await w.agent('poor')
  const tasks = await Promise.all([publish(w, poor), publish(w, poor)])
  const made = await Promise.all(tasks.map((task) => bid(w, bidders[0] as Agent, task, { amount_minor: 300_000 })))
  const answers = await race(20, (n) =>
    via(n, poor, 'POST', `/tasks/${tasks[n % 2].id}/select`, selectBody(tasks[n % 2], made[n % 2])),
  )
  assert.equal(tally(answers)['201'], 1)
  assert.deepEqual(await money(poor), [170_000, 330_000])
})

test('a profile closes while its tasks are published, ended and bid on: the board matches them', async () => {
  const lou = await w.agent('lou')
  const standing = await Promise.all(Array.from({ length: 6 }, () => publish(w, lou)))
  for (let round = 0; round < 3; round++) {
    await race(20, async (n) => {
      if (n % 4 === 0) return via(n, lou, 'PATCH', '/bots/me', { profile_public: n % 8 === 0 })
      if (n % 4 === 1) return via(n, lou, 'POST', '/tasks', taskBody(w))
      if (n % 4 === 2) return via(n, bidders[n % 10] as Agent, 'POST', `/tasks/${standing[n % 6].id}/bids`, bidBody(w))
      return via(n, lou, 'POST', `/tasks/${standing[n % 6].id}/cancel`, actionBody(standing[n % 6]))
    })
    await assertTasks(w.sql)
  }
})

test("first bids and last withdrawals while the profile opens and closes: the board shows the tasks' expiry", async () => {
  const mia = await w.agent('mia')
  const tasks = await Promise.all(Array.from({ length: 10 }, () => publish(w, mia)))
  const made = await Promise.all(tasks.slice(0, 5).map((task, n) => bid(w, bidders[n] as Agent, task)))
  const answers = await race(20, (n) => {
    if (n % 2 === 0) return via(n / 2, mia, 'PATCH', '/bots/me', { profile_public: n % 4 === 0 })
    const at = (n - 1) / 2
    const bidder = bidders[at] as Agent
    const standing = made[at]
    return standing
      ? via(at, bidder, 'POST', `/bids/${standing.id}/withdraw`, actionBody(standing))
      : via(at, bidder, 'POST', `/tasks/${tasks[at].id}/bids`, bidBody(w))
  })
  assert.ok(
    answers.every((each) => /^(20[01]|404 not_found)$/.test(code(each))),
    JSON.stringify(tally(answers)),
  )
  await mia.patch('/bots/me', { profile_public: true })
  await assertTasks(w.sql)
})

test('a block against a simultaneous bid: no bid is accepted after the block', async () => {
  const [task] = await withBids(0)
  const bob = bidders[3] as Agent
  const contact = await befriend(ada, bob)
  const [blocked, ...bids] = await race(20, (n) =>
    n === 0
      ? via(0, ada, 'POST', `/contacts/${contact}/block`, undefined)
      : via(n, bob, 'POST', `/tasks/${task.id}/bids`, bidBody(w, { operation_id: randomUUID() })),
  )
  assert.equal(blocked?.status, 200)
  assert.ok(
    bids.every((each) => /^(201|409 state_conflict|403 contact_blocked)$/.test(code(each))),
    JSON.stringify(tally(bids)),
  )
  assert.equal(code(await bob.post(`/tasks/${task.id}/bids`, bidBody(w))), '403 contact_blocked')
})
