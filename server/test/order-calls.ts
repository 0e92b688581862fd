// The requests of a play that are about orders alone: offers, what sides and support do to an order, and where each reads it.
import { randomUUID } from 'node:crypto'
import { hours, minutes } from '../src/kernel/clock.ts'
import { isCustomer, type Party } from './customers.ts'
import type { Market } from './market-model.ts'
import {
  type Caller,
  choose,
  at as chosenAt,
  everybody,
  expectedOf,
  idOf,
  partyOf,
  size,
  type Thing,
} from './market-play.ts'
import { acting, deciding, type ModelOrder, offering } from './order-model.ts'
import { type Action, actions, isOver, totalOf } from './order-rules.ts'
import { stepBody } from './orders.ts'

/** Where a party looks for an order, whether it is its own or not. */
export function pathTo(who: Party, { ofPerson }: Pick<ModelOrder, 'ofPerson'>, id: string): string {
  if (isCustomer(who)) return `/human/orders/${id}`
  return ofPerson ? `/human-orders/${id}` : `/orders/${id}`
}

/** Most orders are to get beyond their offer, and to an acceptance. */
const eagerness: Partial<Record<Action, number>> = { accept: 12, deliver: 8, complete: 10 }

export const orderCallers = {
  offer(play, drawn, key, now) {
    const [by, to] = [drawn.who % everybody, drawn.on % size]
    const ofPerson = by >= size
    const isQuick = !ofPerson && drawn.which % 2 === 0
    const asCustomer = ofPerson || drawn.which % 4 < 2
    const { amount } = drawn
    const deadline = now + (isQuick ? hours(24) : hours(5) + minutes(30))
    const confirmed = asCustomer || drawn.off ? Math.max(1, totalOf(amount) + drawn.off) : undefined
    const given = { key, by, to, asCustomer, isQuick, ofPerson, amount, confirmed, deadline }
    return {
      who: partyOf(play, by),
      path: ofPerson ? '/human/orders' : isQuick ? '/orders/quick' : '/orders',
      body: {
        operation_id: key,
        title: 'Some work',
        amount_minor: amount,
        [asCustomer ? 'contractor_id' : 'customer_id']: partyOf(play, to).id,
        confirmed_total_minor: confirmed,
        ...(!isQuick && { description: 'In full', deadline: new Date(deadline).toISOString() }),
      },
      expect: (each) => offering(each, given),
      makes: { order: key },
      about: [`orders ${key}`],
    }
  },

  'move order'(play, drawn, _key, now) {
    const chosen = choose(play.model.orders, drawn.on, ({ state }) => !isOver(state))
    if (!chosen) return undefined
    const [key, order] = chosen
    const { amount } = drawn
    const confirms = (action: Action): number => totalOf(action === 'reprice' ? amount : order.amount)
    const priced = { key, amount, now, expected: order.version }
    const possible = [order.customer, order.contractor].flatMap((who) =>
      actions.flatMap((action) => {
        const told = acting(structuredClone(play.model), { ...priced, who, action, confirmed: confirms(action) })
        if (told === '409 insufficient_funds') return [[who, action] as const]
        return told === '200' ? Array<[number, Action]>(eagerness[action] ?? 1).fill([who, action]) : []
      }),
    )
    // Any by anyone, where it is not asked by whose it is.
    const [who, action] = (drawn.isTheirs ? chosenAt(possible, drawn.which) : undefined) ?? [
      drawn.who % everybody,
      chosenAt(actions, drawn.which) as Action,
    ]
    const [expected, confirmed] = [expectedOf(order.version, drawn), Math.max(1, confirms(action) + drawn.off)]
    const party = partyOf(play, who)
    const seen = {
      version: expected,
      total_minor: confirmed,
      amount_minor: amount,
      customer_id: partyOf(play, order.customer).id,
    }
    return {
      who: party,
      path: `${pathTo(party, order, idOf(play, key))}/${action}`,
      body: stepBody(party, seen, action),
      expect: (each) => acting(each, { ...priced, who, action, expected, confirmed }),
      about: aboutOf(play.model, key),
    }
  },

  decide(play, drawn) {
    const chosen = choose(play.model.orders, drawn.on, ({ dispute }) => dispute !== null)
    if (!chosen) return undefined
    const [key, { dispute }] = chosen
    const decision = drawn.which % 2 === 0 ? 'refund' : 'resume'
    const expected = expectedOf(dispute?.version ?? 0, drawn)
    return {
      who: play.staff,
      path: `/staff/disputes/${idOf(play, key)}/decide`,
      body: { operation_id: randomUUID(), expected_version: expected, decision, reason: 'So it is' },
      expect: (each) => deciding(each, { key, decision, expected }),
      about: aboutOf(play.model, key),
    }
  },
} satisfies Record<string, Caller>

/** An order, with what shows how far it is. */
function aboutOf({ requests, bought }: Market, order: string): Thing[] {
  const asked = Object.entries(requests).find(([, request]) => request.order === order)
  const work = bought[order]
  return [
    `orders ${order}`,
    ...(asked ? [`requests ${asked[0]}` as const] : []),
    ...(work === undefined ? [] : [`works ${work}` as const]),
  ]
}
