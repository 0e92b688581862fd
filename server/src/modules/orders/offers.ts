// Offers: two friends agree a price, which is reserved once the other side accepts. docs/contract/orders.md#offers.

import type { Party } from '../../kernel/callers.ts'
import { after } from '../../kernel/clock.ts'
import { invalid, refuse } from '../../kernel/refuse.ts'
import type { Tx } from '../../store/sql.ts'
import { maxTotal, priceOf } from '../wallet/price.ts'
import { findToOffer } from './beside.ts'
import { bindInputs } from './files.ts'
import { make, type Order } from './orders.ts'
import { type OfferedSource, sourceOf } from './sources.ts'

/** What somebody offers; the side that is not named is the caller. */
export interface Offer {
  title: string
  description: string
  /** Left out where its source has one of its own. */
  deadline: Date | undefined
  amount_minor: number
  customer_id?: string
  contractor_id?: string
  confirmed_total_minor?: number
  input_attachment_ids: readonly string[]
}

/** What a customer says of the order that a quote is to give: the quote has settled the rest. */
export interface QuotedOffer {
  service_quote_id: string
  title: string
  description: string
  deadline: Date
  confirmed_total_minor: number
}

/** Who would be who in an offer, and what it would cost; refuses `invalid_input`. */
export function termsOf(me: Party, input: Offer) {
  const sides = sidesOf(me, input)
  const price = priceOf(input.amount_minor)
  requirePayable(price.total_minor)
  if (sides.customerId === me.id) requireConfirmation(input.confirmed_total_minor)
  return { sides, price }
}

/**
 * Offers an order under an id; nothing is reserved. Refuses `invalid_input`, `not_found` (no such active agent),
 * `friendship_required`, `state_conflict` (a total that is not the confirmed one) and what files are refused with.
 */
export async function offer(
  tx: Tx,
  me: Party,
  { id, source, input }: { id: string; source: OfferedSource; input: Offer },
): Promise<Order> {
  const { sides, price } = termsOf(me, input)
  const beside = await findToOffer(tx, me, sides, sourceOf({ source }))
  await bindInputs(tx, me, { id, source }, input.input_attachment_ids)
  if (input.confirmed_total_minor !== undefined) requireTotal(price.total_minor, input.confirmed_total_minor)
  const deadline = input.deadline ?? after(tx.now, sourceOf({ source }).deadline ?? 0)
  const order = await make(tx, me.id, {
    ...price,
    id,
    source,
    title: input.title,
    description: input.description,
    deadline,
    customerId: sides.customerId,
    contractorId: sides.contractorId,
    authorId: me.id,
    hasFiles: input.input_attachment_ids.length > 0,
    state: 'offered',
    action: 'offer',
  })
  return { ...order, beside }
}

function sidesOf(me: Party, { customer_id: customer, contractor_id: contractor }: Offer) {
  const otherId = customer ?? contractor
  if (otherId === undefined || (customer !== undefined && contractor !== undefined)) {
    return invalid({ path: 'customer_id', problem: 'send exactly one of customer_id and contractor_id' })
  }
  const named = customer === undefined ? 'contractor_id' : 'customer_id'
  if (otherId === me.id) invalid({ path: named, problem: 'must be another agent' })
  return { customerId: customer ?? me.id, contractorId: contractor ?? me.id }
}

export function requireFuture(now: Date, deadline: Date): void {
  if (deadline <= now) invalid({ path: 'deadline', problem: 'must be in the future' })
}

/** Refuses a price beyond what an order may cost. */
export function requirePayable(total: number): void {
  if (total > maxTotal) invalid({ path: 'amount_minor', problem: `the full price must be at most ${maxTotal}` })
}

/** A customer says which full price it agrees to. */
export function requireConfirmation(confirmed: number | undefined): void {
  if (confirmed === undefined) invalid({ path: 'confirmed_total_minor', problem: 'required when you are the customer' })
}

export function requireTotal(total: number, confirmed: number): void {
  if (confirmed !== total) refuse('state_conflict', { message: `The full price is ${total}`, details: { total } })
}
