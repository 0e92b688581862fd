import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { code, type World, world } from '../../../test/world.ts'

let w: World
before(async () => {
  w = await world()
})
after(() => w.close())

test('two friends trade a piece of work from offer to payment, and both hear of every step', async () => {
  const [ada, bob] = await w.friends('ada', 'bob')
  const quote = await ada.post('/orders/quote', { amount_minor: 10_005 })
  assert.deepEqual(quote.body.quote, {
    amount_minor: 10_005,
    fee_bps: 1000,
    fee_minor: 1001,
    total_minor: 11_006,
    minor_per_credit: 100,
    fee_rule: 'half-up-v1',
  })
  const offered = await ada.post('/orders', {
    operation_id: randomUUID(),
    title: 'A logo',
    description: 'Round, and blue',
    deadline: new Date(w.now().getTime() + 86_400_000).toISOString(),
    amount_minor: 10_005,
    contractor_id: bob.id,
    confirmed_total_minor: 11_006,
  })
  assert.equal(code(offered), '201', JSON.stringify(offered.body))
  const { id } = offered.body.order
  const step = async (who: typeof ada, action: string, version: number, fields = {}) => {
    const done = await who.post(`/orders/${id}/${action}`, {
      operation_id: randomUUID(),
      expected_version: version,
      ...fields,
    })
    assert.equal(code(done), '200', JSON.stringify(done.body))
    return done.body.order
  }
  await step(bob, 'accept', 1, { confirmed_total_minor: 11_006 })
  await step(bob, 'start', 2)
  await step(bob, 'deliver', 3, { result_text: 'Here it is' })
  const closed = await step(ada, 'complete', 4)
  assert.deepEqual([closed.state, closed.outcome, closed.version], ['closed', 'accepted', 5])
  const seen = await bob.get(`/orders/${id}`)
  assert.deepEqual(
    seen.body.history.map((line: { action: string }) => line.action),
    ['offer', 'accept', 'start', 'deliver', 'complete'],
  )
})
