// What the two sides do with a request: the provider offers an order on it or declines, the customer takes it back. Each
// locks the request, checks whose it is, the version and the state by the table of moves. docs/contract/requests.md#moves.

import type { Party } from '../../kernel/callers.ts'
import { requireVersion } from '../../kernel/moves.ts'
import { part } from '../../kernel/part.ts'
import { refuse } from '../../kernel/refuse.ts'
import { giveBack } from '../../quotas/quotas.ts'
import { only, type Query, type Tx } from '../../store/sql.ts'
import { handOver } from '../attachments/bindings.ts'
import { isOpen } from '../identity/passport.ts'
import { isHidden } from '../moderation/hidden.ts'
import * as orderActions from '../orders/actions.ts'
import * as orders from '../orders/orders.ts'
import { requireNone, stateOf } from '../orders/permitted.ts'
import { relationTo } from '../orders/relations.ts'
import { type Price, priceOf } from '../wallet/price.ts'
import { type Action, moves } from './machine.ts'
import { sideFault, stateFault } from './permitted.ts'
import { advance, end, findLocked, openOnes, type ServiceRequest, statusAt } from './requests.ts'

/** What an action is given besides its operation id; an offer takes a price and a deadline. */
export interface Ask {
  expected_version: number
  amount_minor?: number
  deadline?: Date
}

/**
 * Does an action. Refuses `not_found`, `forbidden` (not this side's), `friendship_required`, `version_conflict`, `invalid_state`
 * and, of an offer, `service_not_orderable` and `below_service_minimum`.
 */
export async function act(
  tx: Tx,
  me: Party,
  action: Action,
  { requestId, ask, terms }: { requestId: string; ask: Ask; terms: orderActions.Terms },
): Promise<ServiceRequest> {
  const request = await findLocked(tx, me.id, requestId)
  const [other, isThere] =
    action === 'offer'
      ? await Promise.all([relationTo(tx, me.id, request.customer_id), isOrderable(tx, request)])
      : [undefined, true]
  const standing = { now: tx.now, request, other, isThere }
  requireNone(sideFault(me, action, standing))
  requireVersion(request, ask.expected_version, { status: statusAt(request, tx.now) })
  requireNone(stateFault(action, standing))
  return effects[action]({ tx, me, request, ask, terms })
}

interface Scene {
  tx: Tx
  me: Party
  request: ServiceRequest
  ask: Ask
  terms: orderActions.Terms
}

const effects: Record<Action, (scene: Scene) => Promise<ServiceRequest>> = {
  async offer({ tx, me, request, ask }) {
    const price = priceOf(ask.amount_minor as number)
    requireMinimum(request, price)
    const order = await orders.make(tx, me.id, { ...price, ...orderOf(tx, request), deadline: ask.deadline as Date })
    const files = { role: 'input' } as const
    await handOver(tx, { kind: 'service_request', id: request.id, ...files }, { kind: 'order', id: order.id, ...files })
    const offered = await advance(tx, request, { status: moves.offer.to, order_id: order.id })
    giveBack(tx, openOnes, request.customer_id)
    return offered
  },
  reject: ({ tx, request, terms }) => endOne(tx, request, moves.reject.to, terms),
  async cancel({ tx, me, request, terms }) {
    if (request.order_id === null) return endOne(tx, request, moves.cancel.to, terms)
    // Whoever accepts it at this moment has it first, or waits and finds it rejected.
    const order = await orders.findLocked(tx, me.id, request.order_id)
    if (order.state !== 'offered') {
      const { message } = stateOf(order)
      refuse('invalid_state', { message, details: { status: request.status, order_state: order.state } })
    }
    await orderActions.act(tx, me, 'reject', { orderId: order.id, ask: { expected_version: order.version }, terms })
    return advance(tx, request, { status: moves.cancel.to })
  },
}

const endOne = async (
  tx: Tx,
  request: ServiceRequest,
  ...how: [status: 'rejected' | 'cancelled', orderActions.Terms]
) => only(await end(tx, [request], ...how))

/** What an offer makes of a request, but for its price and deadline. */
const orderOf = (tx: Tx, request: ServiceRequest) => ({
  id: tx.newId(),
  source: 'request' as const,
  title: request.title,
  description: request.description,
  customerId: request.customer_id,
  contractorId: request.provider_id,
  authorId: request.provider_id,
  hasFiles: request.input_attachment_ids.length > 0,
  state: 'offered' as const,
  action: 'offer',
  requestId: request.id,
  serviceSnapshot: request.snapshot,
})

/** Whether the provider and its service are there for others; whatever the service's state is. */
async function isOrderable(
  sql: Query,
  { provider_id: providerId, service_id: serviceId }: ServiceRequest,
): Promise<boolean> {
  const { is_there: isThere } = only(
    await sql<{ is_there: boolean }>`
      select ${isOpen} and not ${isHidden('service', part`${serviceId}::uuid`)} as is_there
      from agents a where a.id = ${providerId}`,
  )
  return isThere
}

/** Refuses a reward below the lower price of the snapshot, for all of the quantity. */
function requireMinimum({ snapshot, quantity }: ServiceRequest, { amount_minor: amount }: Price): void {
  const minimum = snapshot.service.price.amount_minor * quantity
  if (amount >= minimum) return
  refuse('below_service_minimum', {
    message: `The reward must be at least ${minimum}`,
    details: { minimum_minor: minimum },
  })
}
