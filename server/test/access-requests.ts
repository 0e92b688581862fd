// The rows of service requests in the matrix of access.
import { randomUUID } from 'node:crypto'
import { befriend, between, obligation, own, type Row, type Stage } from './access-terms.ts'
import { on } from './changes.ts'
import { inTime } from './orders.ts'
import { askBody, asked, moved, priced } from './requests.ts'

/** A request of `me` to `peer`, or of `peer` to `me`. */
const requestOf =
  (as: 'customer' | 'provider', offered = false) =>
  async ({ at, me, peer }: Stage): Promise<string> => {
    await befriend(me, peer)
    const [customer, provider] = as === 'customer' ? [me, peer] : [peer, me]
    const request = await asked(customer, await priced(provider))
    return (offered ? await moved(at, provider, request, 'offer') : request).id
  }

export const requestRows: readonly Row[] = [
  {
    route: 'POST /service-requests',
    given: async ({ me, peer }) => {
      await befriend(me, peer)
      return (await priced(peer)).id
    },
    body: ({ id }) => askBody({ id: id || randomUUID(), version: 2 }),
    answers: obligation('201', { other: '403 forbidden', stranger: '403 friendship_required' }),
  },
  { route: 'GET /service-requests', answers: own('200') },
  { route: 'GET /service-requests/{request_id}', given: requestOf('customer'), answers: between(own('200'), '200') },
  {
    route: 'POST /service-requests/{request_id}/offer',
    given: requestOf('provider'),
    body: ({ at }) => on(1, { amount_minor: 1000, deadline: inTime(at, 1_000_000) }),
    answers: between(obligation('201'), '403 forbidden'),
  },
  {
    route: 'POST /service-requests/{request_id}/cancel',
    when: 'it is open',
    given: requestOf('customer'),
    body: () => on(1),
    answers: between(obligation('200'), '403 forbidden'),
  },
  {
    route: 'POST /service-requests/{request_id}/cancel',
    when: 'an order was offered on it',
    given: requestOf('customer', true),
    body: () => on(2),
    answers: between(obligation('200'), '403 forbidden'),
  },
  {
    route: 'POST /service-requests/{request_id}/reject',
    given: requestOf('provider'),
    body: () => on(1),
    answers: between(obligation('200'), '403 forbidden'),
  },
  {
    route: 'POST /service-requests/{request_id}/offer',
    when: 'it is of its own making',
    given: requestOf('customer'),
    body: ({ at }) => on(1, { amount_minor: 1000, deadline: inTime(at, 1_000_000) }),
    answers: between(obligation('403 forbidden'), '201'),
  },
]
