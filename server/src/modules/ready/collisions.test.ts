// Whatever may meet a purchase or a consent, twenty at once: what is sold is whole, what comes too late is told so, and bytes
// stay as long as somebody has bought them. docs/contract/ready.md#buying, #files.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sweepAll } from '../../../test/heard.ts'
import { attempt, money, type Shown, step } from '../../../test/orders.ts'
import { acceptedOrder, buy, consent, onSale, proposed, type Ready, reread, withdraw } from '../../../test/ready.ts'
import { move } from '../../../test/services.ts'
import { beforehand, story } from '../../../test/story.ts'
import { read } from '../../../test/upload.ts'
import { type Agent, type Answer, befriend, code, eventually, race } from '../../../test/world.ts'
import { days, seconds } from '../../kernel/clock.ts'

let crowd: Agent[]
const { w, pia, carl } = story({ friends: ['pia', 'carl'], env: { FILE_RETENTION_DAYS: '2' } })
beforehand(async () => {
  crowd = await Promise.all(Array.from({ length: 20 }, (_, n) => w.agent(`buyer_${n}`)))
})

const buyer = (n: number): Agent => crowd[n] as Agent

for (const [what, end] of Object.entries({
  withdrawn: (ready: Ready) => withdraw(carl, ready),
  paused: ({ service }: Ready) => move(pia, service, 'pause'),
  archived: ({ service }: Ready) => move(pia, service, 'archive'),
})) {
  test(`purchases while a work is ${what}: nobody buys after that was answered`, async () => {
    for (const place of [3, 14]) {
      const ready = await onSale(w, pia, carl, { files: 0 })
      const before = await Promise.all(crowd.map(money))
      let endedAt = Number.POSITIVE_INFINITY
      const answers = await race(20, async (n) => {
        if (n === place) {
          const ended = await end(ready)
          endedAt = performance.now()
          return ended
        }
        for (let i = 0; i < n % 4; i++) await buyer(n).get('/bots/me')
        const began = performance.now()
        const answer = await buy(buyer(n), ready)
        assert.ok(began < endedAt || answer.status !== 201)
        return answer
      })
      assert.equal(code(answers[place] as Answer), '200')
      for (const each of answers) {
        assert.match(code(each), /^(20[01]|404 not_found|409 service_unavailable|409 version_conflict)$/)
      }
      const after = answers.map(({ status }, n): [number, number] => {
        const [free, held] = before[n] as [number, number]
        return status === 201 ? [free - 11_000, held + 11_000] : [free, held]
      })
      assert.deepEqual(await Promise.all(crowd.map(money)), after)
      const { sold_count: sold } = (await reread(pia, ready)).agreement
      assert.equal(sold, answers.filter(({ status }) => status === 201).length)
    }
  })
}

test('a consent against a withdrawal: the work is withdrawn, and never goes on sale', async () => {
  const { order, files } = await acceptedOrder(w, carl, pia)
  for (let round = 0; round < 4; round++) {
    const ready = await proposed(pia, order, files)
    assert.equal(code(await consent(pia, ready)), '200')
    const answers = await race(20, (n) => ((n + round) % 2 ? consent(carl, ready) : withdraw(pia, ready)))
    for (const each of answers) assert.match(code(each), /^(200|409 invalid_state)$/)
    assert.equal(answers.filter(({ status }, n) => (n + round) % 2 === 0 && status === 200).length, 1)
    await assert.rejects(w.operator('ready', 'approve', ready.service.id), { code: 'invalid_state' })
    assert.equal(code(await buyer(1).get(`/services/${ready.service.id}`)), '404 not_found')
  }
})

test('purchases, the withdrawal and file sweeps run together: every buyer gets the bytes', async () => {
  const ready = await onSale(w, pia, carl)
  const [file] = ready.files as [string]
  // The order that they come from has let them go.
  w.travel(days(3))
  let isOver = false
  const sweeping = (async () => {
    while (!isOver) await sweepAll(w)
  })()
  const answers = await race(20, async (n) => {
    for (let i = 0; i < n % 5; i++) await buyer(n).get('/bots/me')
    return n === 7 ? withdraw(carl, ready) : buy(buyer(n), ready)
  })
  isOver = true
  await sweeping
  const made = answers.flatMap(({ status, body }, n): [Agent, Shown][] =>
    status === 201 ? [[buyer(n), body.order]] : [],
  )
  const bytes = (agent: Agent, order: Shown) => read(w, `/orders/${order.id}/ready-files/${file}`, { agent })
  for (const [who, order] of made) assert.equal((await bytes(who, order)).status, 200)
  await Promise.all(made.map(([who, order]) => step(who, order, 'complete')))
  w.travel(days(2) + seconds(1))
  await eventually(async () => {
    await sweepAll(w)
    return (await pia.get(`/attachments/${file}`)).body.attachment.status === 'purged'
  }, 'the end of them, with the last buyer’s time')
  for (const [who, order] of made) assert.equal((await bytes(who, order)).status, 404)
})

test('sellers, share holders and buyers in a ring are all paid at once', async () => {
  const ring = [pia, carl, buyer(0), buyer(1)] as [Agent, Agent, Agent, Agent]
  await befriend(ring[2], ring[3])
  const bought: [Agent, Shown][] = []
  for (const [one, two, others] of [
    [0, 1, [2, 3]],
    [1, 0, [2, 3]],
    [2, 3, [0, 1]],
    [3, 2, [0, 1]],
  ] as const) {
    const ready = await onSale(w, ring[one], ring[two], { files: 0 })
    for (const other of [...others, ...others]) {
      const { body } = await buy(ring[other], ready)
      bought.push([ring[other], body.order])
    }
  }
  const before = await Promise.all(ring.map(money))
  const answers = await Promise.all(bought.map(([who, order]) => attempt(who, order, 'complete')))
  assert.deepEqual(new Set(answers.map(code)), new Set(['200']))
  // Each sold four for 7000 and had a share of 3000 in four.
  assert.deepEqual(
    await Promise.all(ring.map(money)),
    before.map(([free, held]) => [free + 4 * 10_000, held - 4 * 11_000]),
  )
})
