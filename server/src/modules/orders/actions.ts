// The ten actions of an order's two sides, and the repricing of quick ones: each locks the order, checks whose it is,
// the version and the state by the table of moves, does what is its own and raises the version.
// docs/contract/orders.md#moves.

import { emittingEach } from '../../events/outbox.ts'
import type { Party } from '../../kernel/callers.ts'
import { after, hours } from '../../kernel/clock.ts'
import { requireVersion } from '../../kernel/moves.ts'
import { type Part, part } from '../../kernel/part.ts'
import { withdrawMailsAbout } from '../../mail/queue.ts'
import type { Tx } from '../../store/sql.ts'
import { settle, unansweredIn } from '../reputation/counters.ts'
import { type Price, priceOf } from '../wallet/price.ts'
import { capture, type Held, hold, type Payout, refund, reserve } from '../wallet/wallet.ts'
import type { Beside } from './beside.ts'
import { findToChange } from './changing.ts'
import * as disputes from './disputes.ts'
import { bindResults, retain } from './files.ts'
import { type Action, type Money, type Move, moves } from './machine.ts'
import { requireConfirmation, requirePayable, requireTotal } from './offers.ts'
import { advance, type Change, type Order } from './orders.ts'
import { renews, requireNone, sideFault, stateFault } from './permitted.ts'
import { relationIn } from './relations.ts'
import { countSettled } from './resale.ts'
import { type OrderList, sourceOf } from './sources.ts'

/** What an action is given besides its operation id; each takes what is its own. */
export interface Ask {
  expected_version: number
  confirmed_total_minor?: number
  reason?: string
  result_text?: string
  result_attachment_ids?: readonly string[]
}

export interface Terms {
  disputeResponseHours: number
  fileRetentionDays: number
}

/** From the closing of an accepted order to the request for reviews (docs/contract/reviews.md#the-form). */
export const reviewRequestAfter: number = hours(24)

export interface Instruction<A> {
  orderId: string
  /** Where the caller has it from. */
  list?: OrderList
  ask: A
  terms: Terms
}

/**
 * Does an action. Refuses `not_found`, `forbidden` (not this side's), `version_conflict`, `invalid_state`, and what the
 * action itself is refused with.
 */
export async function act(
  tx: Tx,
  me: Party,
  action: Action,
  { orderId, list, ask, terms }: Instruction<Ask>,
): Promise<Order> {
  const move: Move = moves[action]
  const [order, other, funds] = await Promise.all([
    findToChange(tx, me, orderId, list),
    renews(action) ? relationIn(tx, me.id, orderId) : undefined,
    move.money && fundsFor[move.money]?.(tx, me, orderId),
  ])
  const dispute = order.state === 'disputed' ? await disputes.findStanding(tx, orderId) : undefined
  const standing = { now: tx.now, order, dispute, other }
  requireNone(sideFault(me, action, standing))
  requireVersion(order, ask.expected_version, { state: order.state })
  requireNone(stateFault(action, standing))
  const change = (await effects[action]?.({ tx, me, order, dispute, ask, terms })) ?? {}
  const moved = move.money && (await moveCredits(tx, move.money, order, { funds }))
  const cause = { action, actorId: me.id, reason: ask.reason }
  const next = await advance(tx, order, cause, { state: move.to, ...change, ...moved?.change }, moved?.along)
  if (me.kind === 'human') withdrawMailsAbout(tx, orderId)
  if (!isOver(next)) return next
  await retain(tx, next, terms)
  return { ...next, beside: { ...(order.beside as Beside), hasJustEnded: true } }
}

interface Scene {
  tx: Tx
  me: Party
  order: Order
  /** Of a disputed order. */
  dispute: disputes.DisputeCase | undefined
  ask: Ask
  terms: Terms
}

type Effect = (scene: Scene) => Promise<Change | undefined> | Change | undefined

/** What an action does besides entering its state and settling its credits, and what of the order it changes. */
const effects: Partial<Record<Action, Effect>> = {
  accept({ order, ask }) {
    requireTotal(order.total_minor, ask.confirmed_total_minor as number)
    return undefined
  },
  async deliver({ tx, me, order, ask }) {
    const files = ask.result_attachment_ids ?? []
    await bindResults(tx, me, order, files)
    return { result_text: ask.result_text ?? '', has_files: order.has_files || files.length > 0 }
  },
  async dispute({ tx, me, order, ask, terms }) {
    await disputes.open(tx, order, { openedBy: me.id, reason: ask.reason as string, proposesRefund: false }, terms)
    return undefined
  },
  async 'propose-refund'({ tx, me, order, ask, terms }) {
    await disputes.open(tx, order, { openedBy: me.id, reason: ask.reason as string, proposesRefund: true }, terms)
    return undefined
  },
  async 'approve-refund'({ tx, dispute }) {
    await disputes.resolve(tx, dispute as disputes.DisputeCase, 'refund', null)
    return undefined
  },
  async 'escalate-dispute'({ tx, dispute }) {
    await disputes.escalate(tx, dispute as disputes.DisputeCase)
    return undefined
  },
}

/** What moves the credits of an order: the wallets, held, and whom it pays. */
interface Funds {
  held: Held[]
  payouts: Payout[]
}

/** Finds them together with the order, whose row is locked before. */
const fundsFor: Partial<Record<Money, (tx: Tx, me: Party, orderId: string) => Promise<Funds>>> = {
  async reserve(tx, me, orderId) {
    const held = await hold(
      tx,
      part`w.party_id = (
        select customer_id from orders where id = ${orderId} and ${me.id}::uuid in (customer_id, contractor_id))`,
    )
    return { held, payouts: [] }
  },
  async capture(tx, me, orderId) {
    const own = part`orders o where o.id = ${orderId} and o.customer_id = ${me.id}`
    const [held, payouts] = await Promise.all([
      hold(
        tx,
        part`w.party_id = any(array(
          select o.customer_id from ${own}
          union all
          select p.party_id from order_payouts p where p.order_id = (select o.id from ${own})))`,
      ),
      tx<Payout>`select party_id, kind, amount_minor from order_payouts where order_id = ${orderId}`,
    ])
    return { held, payouts }
  },
}

/** What a movement of credits changes of its order, and what is written along with that (see {@link advance}). */
interface Moved {
  change: Change
  along?: Part
}

/**
 * Moves the credits of an order and counts how it ended. A capture needs the order's funds. A refund that `isDecided` by
 * support is a dispute that the contractor lost.
 */
export async function moveCredits(
  tx: Tx,
  money: Money,
  order: Order,
  { funds, isDecided = false }: { funds?: Funds | undefined; isDecided?: boolean } = {},
): Promise<Moved> {
  const { id, customer_id: customerId, total_minor: total } = order
  switch (money) {
    case 'reserve':
      await reserve(tx, id, customerId, total, funds?.held)
      return { change: {} }
    case 'capture': {
      const along = await payOut(tx, order, funds as Funds)
      const reviewed = { review_request_at: after(tx.now, reviewRequestAfter) }
      return { change: { outcome: 'accepted', closed_at: tx.now, ...reviewed }, along }
    }
    case 'refund': {
      const credited = await refund(tx, id, customerId, total)
      if (order.source === 'ready') countSettled(tx, id, 'refunded')
      settle(tx, order, isDecided ? 'lost' : 'refunded')
      const told = sourceOf(order).hears === 'both sides' ? part`, credited as (${emittingEach(tx, credited)})` : part``
      return { change: { outcome: 'refunded', closed_at: tx.now }, along: told }
    }
  }
}

/** Pays an accepted order out, as its payouts say; returns what is written along with its closing. */
async function payOut(tx: Tx, order: Order, { held, payouts }: Funds): Promise<Part> {
  const { id: orderId, customer_id: customerId, total_minor: total, fee_minor: fee } = order
  const credited = await capture(tx, { orderId, customerId, total, fee, payouts }, held)
  if (order.source === 'ready') countSettled(tx, orderId, 'paid')
  // After the wallets, which everyone who counts these two holds first.
  settle(tx, order, 'completed')
  return part`, credited as (${emittingEach(tx, credited)}), completed as (
    insert into contractor_totals (party_id, completed_total_minor) values (${order.contractor_id}, ${total})
    on conflict (party_id) do update
    set completed_total_minor = contractor_totals.completed_total_minor + excluded.completed_total_minor)`
}

/** Whether an order has reached its end. */
export const isOver = ({ state }: Pick<Order, 'state'>): boolean => ['closed', 'cancelled', 'rejected'].includes(state)

export const otherSide = (order: Pick<Order, 'customer_id' | 'contractor_id'>, partyId: string): string =>
  order.customer_id === partyId ? order.contractor_id : order.customer_id

interface Repricing {
  expected_version: number
  amount_minor: number
  confirmed_total_minor?: number
}

/** Offers a quick order at another price: its sender becomes the author of the standing offer, the other may accept. */
export async function reprice(
  tx: Tx,
  me: Party,
  { orderId, ask }: Omit<Instruction<Repricing>, 'terms'>,
): Promise<Order> {
  const price = payablePrice(ask)
  const [found, other, unanswered] = await Promise.all([
    findToChange(tx, me, orderId),
    relationIn(tx, me.id, orderId),
    unansweredIn(tx, tx.now, { orderId, contractorId: me.id }),
  ])
  const order: Order = { ...found, beside: { ...(found.beside as Beside), relation: other, unanswered } }
  if (me.id === order.customer_id) requireConfirmation(ask.confirmed_total_minor)
  const standing = { now: tx.now, order, dispute: undefined, other }
  requireNone(sideFault(me, 'reprice', standing))
  requireVersion(order, ask.expected_version, { state: order.state })
  requireNone(stateFault('reprice', standing))
  if (ask.confirmed_total_minor !== undefined) requireTotal(price.total_minor, ask.confirmed_total_minor)
  tx.write`update order_payouts set amount_minor = ${price.amount_minor} where order_id = ${orderId}`
  const cause = { action: 'reprice', actorId: me.id }
  return advance(tx, order, cause, { ...price, offer_author_id: me.id })
}

/** The price that a repricing asks for; refuses `invalid_input` for one beyond what an order may cost. */
export function payablePrice({ amount_minor }: Pick<Repricing, 'amount_minor'>): Price {
  const price = priceOf(amount_minor)
  requirePayable(price.total_minor)
  return price
}
