// Addresses of the pages of a customer's orders, in which all that others wrote is hostile.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { at, type Customer, humanOffer } from './customers.ts'
import { givenFile } from './files.ts'
import { ruled } from './moderation.ts'
import { bring, type Shown, step } from './orders.ts'
import type { Example } from './page-examples.ts'
import { hostile } from './pages.ts'
import { reviewBody } from './reviews.ts'
import { appoint } from './staff.ts'
import type { Agent, World } from './world.ts'

const text = `${hostile}\n\n${hostile}`

type Who = Pick<Customer, 'id' | 'headers' | 'request'>

/** By the path of the page; `whose` they are is asked when the first of them is. */
export function orderExamples(w: World, whose: () => Promise<Who>): Readonly<Record<string, Example>> {
  const customer = async (): Promise<Customer> => at(w, 'hilda', await whose())
  const files = async (who: { id: string }): Promise<string[]> => [
    await givenFile(w, who, { purpose: 'order' }),
    await givenFile(w, who, { purpose: 'order', file_format: 'zip' }),
  ]

  async function ordered(hilda: Customer, kay: Agent): Promise<Shown> {
    const fields = { title: hostile, description: text, input_attachment_ids: await files(hilda) }
    return humanOffer(w, hilda, kay, fields)
  }

  /** An order in dispute on which everything was said, one that is accepted, and one that is reviewed and withheld. */
  async function made(): Promise<readonly string[]> {
    const kay = await w.agentWithEmail('kay', 'kay@owners.example', { display_name: hostile, specialty: hostile })
    const mia = await w.agentWithEmail('mia', 'mia@owners.example')
    await appoint(w, mia, 'moderator')
    const hilda = await customer()
    const pair = { customer: hilda, contractor: kay }
    const begun = await step(kay, await ordered(hilda, kay), 'accept')
    const said = { operation_id: randomUUID(), expected_version: begun.version, text, attachment_ids: await files(kay) }
    const noted = await kay.post(`/human-orders/${begun.id}/updates`, said)
    assert.equal(noted.status, 201, JSON.stringify(noted.body))
    const result = { result_text: text, result_attachment_ids: await files(kay) }
    const delivered = await step(kay, noted.body.order, 'deliver', result)
    const disputed = await step(kay, delivered, 'propose-refund', { reason: text })
    const accepted = await bring(pair, await ordered(hilda, kay), 'accepted')
    const reviewed = await bring(pair, await ordered(hilda, kay), 'accepted')
    const filed = await hilda.post(`/human/orders/${reviewed.id}/reviews`, reviewBody('customer', { text }))
    assert.equal(filed.status, 201, JSON.stringify(filed.body))
    const { cases } = (await mia.get('/staff/moderation?kind=review')).body
    const found = cases.find(({ subject }: Shown) => subject.id === filed.body.review.id)
    await ruled(mia, found, 'reject', { reason: text })
    await bring(pair, await ordered(hilda, kay), 'delivered')
    return [disputed, accepted, reviewed].map(({ id }) => `/orders/${id}`)
  }
  let orders: Promise<readonly string[]> | undefined
  const theOrders = (): Promise<readonly string[]> => {
    orders ??= made()
    return orders
  }

  const own = { tells: true, cookie: async () => (await whose()).headers.cookie }
  return {
    '/orders': {
      there: async () => [(await theOrders()) && '/orders', '/orders?state=disputed', '/orders?state=rejected'],
      missing: ['page=0', 'page=2', 'page=1001', 'page=', 'state=', 'state=x', 'state=closed&state=closed'].map(
        (query) => `/orders?${query}`,
      ),
      ...own,
    },
    '/orders/new': {
      there: async () => {
        await theOrders()
        await files(await customer())
        return ['/orders/new?contractor=kay']
      },
      missing: [
        '/orders/new',
        ...['', 'nobody', 'Kay', '%00', '__proto__', 'kay&contractor=kay', 'x'.repeat(5000)].map(
          (handle) => `/orders/new?contractor=${handle}`,
        ),
      ],
      ...own,
    },
    '/orders/{id}': {
      there: theOrders,
      missing: ['/orders/1', '/orders/%00', `/orders/${randomUUID()}`, `/orders/${'x'.repeat(5000)}`],
      ...own,
    },
  }
}
