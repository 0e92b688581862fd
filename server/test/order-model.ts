// A small pure model of orders between several agents and people: the rules of each order, with the friendships and the credits that
// decide whether they apply.
import {
  type Action,
  answerTo,
  answerToDecision,
  type Decision,
  decide,
  linesOf,
  type Money,
  type Order,
  offered,
  pass,
  priceOf,
  take,
  totalOf,
} from './order-rules.ts'

export type ModelOrder = Order<number>

export interface Model {
  /** Orders by the operation id of their offer. */
  orders: Record<string, ModelOrder>
  available: number[]
  reserved: number[]
  fees: number
  /** Pairs of agents, the smaller index first, that are friends no more. */
  blocked: string[]
}

export const newModel = (parties: number, grant: number): Model => ({
  orders: {},
  available: Array(parties).fill(grant),
  reserved: Array(parties).fill(0),
  fees: 0,
  blocked: [],
})

export const pairOf = (one: number, two: number): string => `${Math.min(one, two)}-${Math.max(one, two)}`

export interface Offering {
  key: string
  by: number
  to: number
  asCustomer: boolean
  isQuick: boolean
  /** By a person, who asks for no friendship. */
  ofPerson: boolean
  amount: number
  confirmed: number | undefined
  deadline: number
}

export function offering(model: Model, given: Offering): string {
  const { key, by, to, asCustomer, isQuick, ofPerson, amount, confirmed, deadline } = given
  if (by === to) return '400 invalid_input'
  if (!ofPerson && model.blocked.includes(pairOf(by, to))) return '403 friendship_required'
  if (confirmed !== undefined && confirmed !== totalOf(amount)) return '409 state_conflict'
  const [customer, contractor] = asCustomer ? [by, to] : [to, by]
  model.orders[key] = offered({ customer, contractor, author: by, quick: isQuick, ofPerson, amount, deadline })
  return '201'
}

export interface Acting {
  key: string
  who: number
  action: Action
  expected: number
  /** The total that an acceptance or a new price confirms. */
  confirmed: number
  /** The new price. */
  amount: number
  now: number
}

/** What an action is answered; changes the model where it is taken. */
export function acting(model: Model, { key, ...asked }: Acting): string {
  const order = model.orders[key] as ModelOrder
  const { customer, contractor } = order
  const friends = !model.blocked.includes(pairOf(customer, contractor))
  const answer = answerTo(order, { ...asked, friends, available: model.available[customer] as number })
  if (answer === '200') settle(model, order, take(order, asked))
  return answer
}

export interface Deciding {
  key: string
  decision: Decision
  expected: number
}

export function deciding(model: Model, { key, decision, expected }: Deciding): string {
  const order = model.orders[key] as ModelOrder
  const answer = answerToDecision(order, expected)
  if (answer === '200') settle(model, order, decide(order, decision))
  return answer
}

/** Moves the credits of an order between those whom it concerns. */
export function settle(model: Model, order: ModelOrder, money: Money | undefined): void {
  if (!money) return
  const price = priceOf(order.amount)
  for (const { party, available, reserved } of linesOf(money, price, order.share?.amount)) {
    const who = party === 'sharer' ? (order.share?.to as number) : order[party]
    model.available[who] = (model.available[who] as number) + available
    model.reserved[who] = (model.reserved[who] as number) + reserved
  }
  if (money === 'capture') model.fees += price.fee
}

export function passing(model: Model, now: number): void {
  for (const order of Object.values(model.orders)) pass(order, now)
}
