// Every action of a customer in every condition of an order: shown if and only if it is possible, and refused in words
// if it is sent anyway. docs/contract/site.md#orders.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { customer, humanOffer } from '../../../test/customers.ts'
import { answerTo, doorsOfPeople } from '../../../test/order-rules.ts'
import { bring, brought, conditions, type Shown } from '../../../test/orders.ts'
import { assertPage, leadsInOtherLanguage } from '../../../test/pages.ts'
import { fieldsOf, hasForm, readable, reader } from '../../../test/reader.ts'
import { beforehand, story } from '../../../test/story.ts'

let token: string
const { w } = story()
const hilda = beforehand(() => customer(w, 'Hilda'))
const bob = beforehand(() => w.agent('bob', { display_name: 'Bob' }))
const pages = beforehand(() => reader(w, hilda.headers.cookie))
beforehand(async () => {
  token = new Map(fieldsOf(await pages.get('/orders/new?contractor=bob'), '/orders/new')).get('csrf_token') as string
})

const acts = doorsOfPeople.customer

const send = (order: Shown, act: string) =>
  pages.post(`/orders/${order.id}/${act}`, [
    ['csrf_token', token],
    ['operation_id', randomUUID()],
    ['expected_version', String(order.version)],
    ['reason', 'It is a dog'],
  ])

for (const condition of conditions) {
  test(`the page of an order that is ${condition}`, async () => {
    const make = async (): Promise<Shown> =>
      bring({ customer: hilda, contractor: bob }, await humanOffer(w, hilda, bob), condition)
    const ruled = brought(
      { customer: 'hilda', contractor: 'bob', author: 'hilda', quick: false, amount: 1000, ofPerson: true },
      condition,
    )
    const order = await make()
    const path = `/orders/${order.id}`
    const shown = await pages.get(path)
    assertPage(shown.text, w.service)
    const taken: string[] = []
    for (const action of acts) {
      const answer = answerTo(ruled, { who: 'hilda', action })
      assert.equal(hasForm(shown, `${path}/${action}`), answer === '200', `${action}: ${answer}`)
      if (answer === '200') {
        taken.push(action)
        continue
      }
      const refused = await send(order, action)
      assert.equal(String(refused.status), answer.slice(0, 3), action)
      assertPage(refused.text, w.service)
      assert.equal(leadsInOtherLanguage(refused.text), path, action)
      assert.match(readable(refused), /Nothing was done|Nothing was changed/, action)
    }
    assert.equal(hasForm(shown, `${path}/reviews`), condition === 'accepted')
    for (const [at, action] of taken.entries()) {
      const done = await send(at === 0 ? order : await make(), action)
      assert.equal(done.status, 303, readable(done))
    }
  })
}

test('a form at another spelling of an order’s address does nothing, as no page is there', async () => {
  const order = await humanOffer(w, hilda, bob)
  const shouted = { ...order, id: order.id.toUpperCase() }
  assert.deepEqual(
    [(await pages.get(`/orders/${shouted.id}`)).status, (await send(shouted, 'cancel')).status],
    [404, 404],
  )
  assert.equal((await send(order, 'cancel')).status, 303)
})
