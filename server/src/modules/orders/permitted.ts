// What a side may do with an order now: the one set of guards, asked by the actions themselves and by what an order lists.
// docs/contract/orders.md#moves.
import type { Party } from '../../kernel/callers.ts'
import { type GateRules, passesGate } from '../../kernel/gate.ts'
import { type Code, type RefusalExtras, refuse } from '../../kernel/refuse.ts'
import type { DisputeCase } from './disputes.ts'
import { doorOf } from './doors.ts'
import { type Action, type Move, moves, reprice, type Side } from './machine.ts'
import type { Order } from './orders.ts'
import { othersFault, type Relation } from './relations.ts'
import { sourceOf } from './sources.ts'

/** Everything that one side does alone: the actions, and the repricing of quick orders. */
export type Step = Action | 'reprice'

const steps: Readonly<Record<Step, Move>> = { ...moves, reprice }

/** What decides whether a step is taken. */
export interface Standing {
  now: Date
  order: Order
  /** Of a disputed order. */
  dispute: DisputeCase | undefined
  /** The other side, as the one who acts finds it; only steps that {@link renew} ask. */
  other: Relation | undefined
}

/** How a step is refused. */
export type Fault = readonly [Code, RefusalExtras?]

export function requireNone(fault: Fault | undefined): void {
  if (fault) refuse(...fault)
}

/** Whether a step makes or changes an obligation, so that the two must still be what the source of their order requires. */
export const renews = (step: Step): boolean => steps[step].gate === 'new'

/** What a party's side has against a step, checked before the version. */
export function sideFault(me: Party, step: Step, { order, dispute, other }: Standing): Fault | undefined {
  if (!isSide[steps[step].by](me.id, order, dispute))
    return ['forbidden', { message: 'Only the other side may do this' }]
  return renews(step) ? othersFault(other, sourceOf(order)) : undefined
}

/** What an order's state has against a step, checked after the version. */
export function stateFault(step: Step, standing: Standing): Fault | undefined {
  const { order, other } = standing
  if (renews(step) && other?.is_active === false)
    return ['invalid_state', { message: 'The other side is not active; you can only reject or cancel this offer' }]
  const isForeign = step === 'reprice' && sourceOf(order).reprice === 'nobody'
  if (isForeign || !steps[step].from.includes(order.state)) return ['invalid_state', stateOf(order)]
  const message = obstacles[step]?.(standing)
  return message === undefined ? undefined : ['invalid_state', { message }]
}

const isSide: Record<Side, (meId: string, order: Order, dispute: DisputeCase | undefined) => boolean> = {
  author: (meId, order) => meId === order.offer_author_id,
  recipient: (meId, order) => meId !== order.offer_author_id,
  customer: (meId, order) => meId === order.customer_id,
  contractor: (meId, order) => meId === order.contractor_id,
  either: () => true,
  answerer: (meId, _order, dispute) => dispute?.refund_proposed_by !== meId,
}

const mostVersionsOfAnOffer = 100

/** What an order has against a step that its state allows; undefined if nothing. */
const obstacles: Partial<Record<Step, (standing: Standing) => string | undefined>> = {
  accept: ({ now, order }) =>
    isLapsed(order, now) ? 'The deadline of this offer has passed; reject it, and agree on a new one' : undefined,
  'approve-refund': ({ dispute }) =>
    dispute?.refund_proposed_by ? undefined : 'No refund has been proposed; ask support to decide',
  'escalate-dispute': ({ dispute }) => (dispute?.status === 'open' ? undefined : 'Support already has this dispute'),
  reprice: ({ order }) =>
    order.version < mostVersionsOfAnOffer
      ? undefined
      : 'This offer cannot be repriced again; reject it, and make a new one',
}

/** Whether an offer can no longer be accepted. */
export const isLapsed = ({ state, deadline }: Pick<Order, 'state' | 'deadline'>, now: Date): boolean =>
  state === 'offered' && deadline <= now

/** What a refusal says of an order whose state does not allow something. */
export const stateOf = ({ state }: Pick<Order, 'state'>) => ({
  message: `The order is ${state}; its actions say what you can do`,
  details: { state },
})

/** What a party may do with its order now, in the order of the table of moves. */
export const permitted = (rules: GateRules, me: Party, standing: Standing): Step[] =>
  [...doorOf(standing.order, me).actions, 'reprice' as const].filter(
    (step) => passesGate(rules, me, steps[step].gate) && !sideFault(me, step, standing) && !stateFault(step, standing),
  )
