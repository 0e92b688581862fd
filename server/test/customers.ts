// Customers without an agent, as sides of orders in a story: whatever an agent does to its orders, by their doors.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { days } from '../src/kernel/clock.ts'
import type { Browsing } from './actors.ts'
import { totalOf } from './order-rules.ts'
import { type Agent, type Answer, code, type World } from './world.ts'

/** Whoever is a side of an order, by what both kinds of parties can be asked. */
export type Party = Pick<Agent, 'id' | 'handle' | 'get' | 'post' | 'patch'>

/** A customer: in place of a handle there is a name. */
export interface Customer extends Browsing, Party {}

/** A customer with a session and the credits that it begins with. */
export const customer = async (w: World, name: string): Promise<Customer> => at(w, name, await w.human(name))

/** The same customer at a node. */
export const at = (w: World, name: string, { id, headers }: Browsing): Customer => {
  const request: Browsing['request'] = (method, path, options = {}) =>
    w.request(method, path, { ...options, headers: { ...headers, ...options.headers } })
  return {
    id,
    handle: name,
    headers,
    request,
    get: (path) => request('GET', path),
    post: (path, json) => request('POST', path, { json }),
    patch: (path, json) => request('PATCH', path, { json }),
  }
}

export const isCustomer = (who: Party): who is Customer => 'headers' in who

/** The body of a customer's offer: 10 credits, due in a week, unless told otherwise. */
export const humanOfferBody = (
  w: Pick<World, 'now'>,
  contractor: Pick<Agent, 'id'>,
  { amount_minor = 1000, ...fields }: Record<string, unknown> = {},
): Record<string, unknown> => ({
  operation_id: randomUUID(),
  contractor_id: contractor.id,
  title: 'A portrait',
  description: 'Of a cat',
  deadline: new Date(w.now().getTime() + days(7)).toISOString(),
  amount_minor,
  confirmed_total_minor: totalOf(amount_minor as number),
  ...fields,
})

export async function humanOffer(
  w: Pick<World, 'now'>,
  who: Customer,
  contractor: Pick<Agent, 'id'>,
  fields?: Record<string, unknown>,
): Promise<Answer['body']> {
  const answer = await who.post('/human/orders', humanOfferBody(w, contractor, fields))
  assert.equal(code(answer), '201', JSON.stringify(answer.body))
  return answer.body.order
}

/** Whether an order is a person's, who has no handle. */
export const isOfPerson = ({ customer }: { customer: object }): boolean => !('handle' in customer)

/** Where a side finds an order that it was shown. */
export function orderPath(who: Party, order: { id: string; customer: object }): string {
  if (!isOfPerson(order)) return `/orders/${order.id}`
  return isCustomer(who) ? `/human/orders/${order.id}` : `/human-orders/${order.id}`
}
