// Orders for stories: offers, single steps, and orders brought to a state. What should be taken and is not fails the test.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { days } from '../src/kernel/clock.ts'
import { grant } from '../src/modules/wallet/wallet.ts'
import { isCustomer, isOfPerson, orderPath, type Party } from './customers.ts'
import { type Action, type Offered, type Order, offered, take, totalOf } from './order-rules.ts'
import { type Agent, type Answer, code, type World } from './world.ts'

/** An order as it was answered. */
// biome-ignore lint/suspicious/noExplicitAny: as in Answer
export type Shown = any

type Fields = Record<string, unknown>

/** Some time from now, as an offer names it. */
export const inTime = (w: Pick<World, 'now'>, milliseconds: number): string =>
  new Date(w.now().getTime() + milliseconds).toISOString()

/** The body of an offer of `customer` to `contractor`, for 10 credits and due in a week unless told otherwise. */
export const offerBody = (w: World, contractor: Agent, { amount_minor = 1000, ...fields }: Fields = {}): Fields => ({
  operation_id: randomUUID(),
  title: 'A logo',
  description: 'Round, and blue',
  deadline: inTime(w, days(7)),
  amount_minor,
  contractor_id: contractor.id,
  confirmed_total_minor: totalOf(amount_minor as number),
  ...fields,
})

/** The same as a contractor makes it: it asks for nobody's confirmation. */
export const bidBody = (w: World, customer: Agent, fields: Fields = {}): Fields =>
  offerBody(w, customer, {
    contractor_id: undefined,
    customer_id: customer.id,
    confirmed_total_minor: undefined,
    ...fields,
  })

/** The body of a quick offer of a customer, with what is needed only. */
export const quickBody = (contractor: Agent, { amount_minor = 1000, ...fields }: Fields = {}): Fields => ({
  operation_id: randomUUID(),
  title: 'A quick logo',
  amount_minor,
  contractor_id: contractor.id,
  confirmed_total_minor: totalOf(amount_minor as number),
  ...fields,
})

/** A direct order that the customer offers. */
export const offer = (w: World, customer: Agent, contractor: Agent, fields?: Fields): Promise<Shown> =>
  made(customer.post('/orders', offerBody(w, contractor, fields)))

/** A direct order that the contractor offers. */
export const bid = (w: World, contractor: Agent, customer: Agent, fields?: Fields): Promise<Shown> =>
  made(contractor.post('/orders', bidBody(w, customer, fields)))

/** A quick order that the customer offers. */
export const quick = (customer: Agent, contractor: Agent, fields?: Fields): Promise<Shown> =>
  made(customer.post('/orders/quick', quickBody(contractor, fields)))

async function made(sent: Promise<Answer>): Promise<Shown> {
  const answer = await sent
  assert.equal(code(answer), '201', JSON.stringify(answer.body))
  return answer.body.order
}

/** What an action needs besides its operation id and version. */
const needs: Partial<Record<Action, (order: Shown, who: Party) => Fields>> = {
  accept: (order) => ({ confirmed_total_minor: order.total_minor }),
  deliver: () => ({ result_text: 'Here it is' }),
  dispute: () => ({ reason: 'It is not round' }),
  'propose-refund': () => ({ reason: 'Let us leave it' }),
  'escalate-dispute': () => ({ reason: 'We do not agree' }),
  reprice: (order, who) => ({
    amount_minor: order.amount_minor,
    ...(who.id === order.customer_id && { confirmed_total_minor: order.total_minor }),
  }),
}

/** The body of an action on an order as it was last seen. */
export const stepBody = (who: Party, order: Shown, action: Action, fields: Fields = {}): Fields => ({
  operation_id: randomUUID(),
  expected_version: order.version,
  ...needs[action]?.(order, who),
  ...fields,
})

/** Tries an action on an order as it was last seen. */
export const attempt = (who: Party, order: Shown, action: Action, fields?: Fields): Promise<Answer> =>
  who.post(`${orderPath(who, order)}/${action}`, stepBody(who, order, action, fields))

/** Does it, and gives the order as it is then. */
export async function step(who: Party, order: Shown, action: Action, fields?: Fields): Promise<Shown> {
  const answer = await attempt(who, order, action, fields)
  assert.equal(code(answer), '200', `${action} by ${who.handle}: ${JSON.stringify(answer.body)}`)
  return answer.body.order
}

export interface Pair<P = Agent> {
  customer: P
  contractor: P
}

type Way = readonly (readonly ['author' | 'recipient' | keyof Pair, Action])[]

/** Every condition that an order can be in for its two sides, and how it gets there from an offer. */
const ways = {
  offered: [],
  funded: [['recipient', 'accept']],
  in_progress: [
    ['recipient', 'accept'],
    ['contractor', 'start'],
  ],
  delivered: [
    ['recipient', 'accept'],
    ['contractor', 'deliver'],
  ],
  disputed: [
    ['recipient', 'accept'],
    ['customer', 'dispute'],
  ],
  escalated: [
    ['recipient', 'accept'],
    ['customer', 'dispute'],
    ['contractor', 'escalate-dispute'],
  ],
  'refund proposed': [
    ['recipient', 'accept'],
    ['customer', 'propose-refund'],
  ],
  'refund proposed, escalated': [
    ['recipient', 'accept'],
    ['customer', 'propose-refund'],
    ['customer', 'escalate-dispute'],
  ],
  accepted: [
    ['recipient', 'accept'],
    ['contractor', 'deliver'],
    ['customer', 'complete'],
  ],
  refunded: [
    ['recipient', 'accept'],
    ['customer', 'propose-refund'],
    ['contractor', 'approve-refund'],
  ],
  cancelled: [['author', 'cancel']],
  rejected: [['recipient', 'reject']],
} as const satisfies Record<string, Way>

/** How those of a person get there, who proposes no refund. */
const waysOfPeople = {
  ...ways,
  'refund proposed': [
    ['recipient', 'accept'],
    ['contractor', 'propose-refund'],
  ],
  'refund proposed, escalated': [
    ['recipient', 'accept'],
    ['contractor', 'propose-refund'],
    ['customer', 'escalate-dispute'],
  ],
  refunded: [
    ['recipient', 'accept'],
    ['contractor', 'propose-refund'],
    ['customer', 'approve-refund'],
  ],
} as const satisfies Record<keyof typeof ways, Way>

export type Condition = keyof typeof ways
export const conditions = Object.keys(ways) as Condition[]

export async function bring(pair: Pair<Party>, order: Shown, to: Condition): Promise<Shown> {
  const byCustomer = order.offer_author_id === pair.customer.id
  const [author, recipient] = byCustomer ? [pair.customer, pair.contractor] : [pair.contractor, pair.customer]
  const sides = { ...pair, author, recipient }
  let now = order
  for (const [side, action] of (isOfPerson(order) ? waysOfPeople : ways)[to]) now = await step(sides[side], now, action)
  return now
}

/** The same by the rules alone: the order as it is in a condition. */
export function brought<P>(offer: Offered<P>, to: Condition): Order<P> {
  const { customer, contractor, author } = offer
  const sides = { customer, contractor, author, recipient: author === customer ? contractor : customer }
  const order = offered(offer)
  for (const [side, action] of (order.ofPerson ? waysOfPeople : ways)[to]) take(order, { who: sides[side], action })
  return order
}

/** A direct order between two friends, offered by the customer and brought to a condition. */
export const trade = async (
  w: World,
  customer: Agent,
  contractor: Agent,
  to: Condition,
  fields?: Fields,
): Promise<Shown> => bring({ customer, contractor }, await offer(w, customer, contractor, fields), to)

const ofReader = new Set(['role', 'actions', 'updates_url', 'review_form_url', 'customer_unanswered'])

/** An order without what differs by the side that reads it. */
export const forBoth = (order: Shown): Shown =>
  Object.fromEntries(Object.entries(order).filter(([name]) => !ofReader.has(name)))

/** The order as a side of it reads it now. */
export async function reread(who: Party, order: { id: string; customer: object }): Promise<Shown> {
  const answer = await who.get(orderPath(who, order))
  assert.equal(code(answer), '200')
  return answer.body.order
}

/** What is available to an agent, and what is set aside. */
export async function money(who: Party): Promise<[available: number, reserved: number]> {
  const { wallet } = (await who.get(isCustomer(who) ? '/human/wallet' : '/wallet')).body
  return [wallet.available_minor, wallet.reserved_minor]
}

/** Credits for an agent, in minor units, beyond what its passport came with. */
export const fund = (w: World, who: Pick<Party, 'id'>, amount: number): Promise<void> =>
  w.service.sql.transaction((tx) => grant(tx, who.id, { kind: 'grant', amount, note: 'For a story' }))
