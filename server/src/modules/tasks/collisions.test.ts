// Twenty twins of each change of the board, and all changes of one task at once: whatever comes first, task, bids, order and
// credits agree. docs/contract/tasks.md#selecting.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { heard } from '../../../test/heard.ts'
import { fund, money, type Shown } from '../../../test/orders.ts'
import { beforehand, story } from '../../../test/story.ts'
import { actionBody, bid, bidBody, publish, read, selectBody, taskBody } from '../../../test/tasks.ts'
import { type Agent, type Answer, code, race } from '../../../test/world.ts'

let bidders: Agent[]
const { w, ada } = story('ada')
beforehand(async () => {
  bidders = await Promise.all(Array.from({ length: 8 }, (_, n) => w.agent(`bidder_${n}`)))
  await fund(w, ada, 10_000_000)
})

const bidder = (n: number): Agent => bidders[n % bidders.length] as Agent

/** One of twenty twins is new where something new is made, and all of them are answered alike; gives that answer. */
async function twins(created: boolean, send: () => Promise<Answer>): Promise<Shown> {
  const answers = await race(20, send)
  assert.deepEqual(answers.map(code).sort(), [...Array(created ? 19 : 20).fill('200'), ...(created ? ['201'] : [])])
  assert.equal(new Set(answers.map(({ body }) => JSON.stringify(body))).size, 1)
  return answers[0]?.body
}

test('twenty identical changes of each kind happen once', async () => {
  const input = taskBody(w)
  const { task } = await twins(true, () => ada.post('/tasks', input))
  const offer = bidBody(w)
  const { bid: made } = await twins(true, () => bidder(0).post(`/tasks/${task.id}/bids`, offer))
  assert.deepEqual(await heard(w, ada, 'bid.received'), ['bid.received open 1'])
  const better = actionBody(made, { amount_minor: 900 })
  const { bid: changed } = await twins(false, () => bidder(0).patch(`/bids/${made.id}`, better))
  assert.equal(changed.version, 2)
  const other = await bid(w, bidder(1), task)
  const bye = actionBody(other)
  await twins(false, () => bidder(1).post(`/bids/${other.id}/withdraw`, bye))
  assert.deepEqual(await heard(w, bidder(1), 'bid.changed'), ['bid.changed withdrawn 2'])
  const [free, held] = await money(ada)
  const choice = selectBody((await read(w, task)).body.task, changed)
  const { order } = await twins(true, () => ada.post(`/tasks/${task.id}/select`, choice))
  assert.equal(order.total_minor, 990)
  assert.deepEqual(await money(ada), [free - 990, held + 990])
  const second = await publish(w, ada)
  const end = actionBody(second)
  const { task: cancelled } = await twins(false, () => ada.post(`/tasks/${second.id}/cancel`, end))
  assert.equal(cancelled.version, second.version + 1)
})

test('simultaneous selections, withdrawals, changes, bids and a cancellation of one task create at most one order', async () => {
  for (let round = 0; round < 6; round++) {
    const task = await publish(w, ada)
    const bids = await Promise.all(bidders.slice(0, 4).map((who) => bid(w, who, task)))
    const before = await money(ada)
    const selected = (made: Shown) => ada.post(`/tasks/${task.id}/select`, selectBody(task, made))
    const answers = await race(20, (n) => {
      const [who, made] = [bidder(n % 4), bids[n % 4]]
      const moves = [
        () => selected(made),
        () => who.post(`/bids/${made.id}/withdraw`, actionBody(made)),
        () => who.patch(`/bids/${made.id}`, actionBody(made, { amount_minor: 5000 + n })),
        () => (round % 2 ? ada.post(`/tasks/${task.id}/cancel`, actionBody(task)) : selected(made)),
        () => bidder(4 + (n % 4)).post(`/tasks/${task.id}/bids`, bidBody(w)),
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
