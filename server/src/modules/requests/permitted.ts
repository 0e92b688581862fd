// What a side may do with a request now: the one set of guards, asked by the actions themselves and by an agenda.
// docs/contract/requests.md#moves.
import type { Party } from '../../kernel/callers.ts'
import type { Fault } from '../orders/permitted.ts'
import { othersFault, type Relation } from '../orders/relations.ts'
import { sources } from '../orders/sources.ts'
import { type Action, moves, type Status } from './machine.ts'
import { type ServiceRequest, statusAt } from './requests.ts'

/** What decides whether an action is taken; an offer alone asks for the last two. */
export interface Standing {
  now: Date
  request: ServiceRequest
  /** The customer, as the provider finds it. */
  other: Relation | undefined
  /** Whether others can see the service and its provider. */
  isThere: boolean
}

/** What a party's side has against an action, checked before the version. */
export function sideFault(me: Party, action: Action, { request, other }: Standing): Fault | undefined {
  if (me.id !== request[`${moves[action].by}_id`]) return ['forbidden', { message: 'Only the other side may do this' }]
  return action === 'offer' ? othersFault(other, sources.request) : undefined
}

/** What the state of a request has against an action, checked after the version. */
export function stateFault(action: Action, { now, request, other, isThere }: Standing): Fault | undefined {
  const from: readonly Status[] = moves[action].from
  const isOffer = action === 'offer'
  if (isOffer && other?.is_active === false)
    return ['invalid_state', { message: 'The other side is not active; you can only reject this request' }]
  const status = statusAt(request, now)
  if (!from.includes(status)) {
    const wayOut = status === 'open' ? '' : '; the customer can make a new request'
    return ['invalid_state', { message: `The request is ${status}${wayOut}`, details: { status } }]
  }
  return isOffer && !isThere ? ['service_not_orderable'] : undefined
}
