// Faults of service requests, each with what a verification finds of it.
import type { Faults } from './faults-articles.ts'

/** Of `ada`, who asked twice: what became of her orders, by name. It is read once they are there. */
export const requestFaults = (orders: Readonly<Record<string, string>>): Faults => ({
  'a request that nobody counted': [
    (tx) => tx`update party_counts set value = value - 1 where name = 'service_requests'`,
    ['request.counts ada'],
  ],
  'an open request that was given back': [
    (tx) => tx`update party_counts set value = 0 where name = 'open_service_requests'`,
    ['request.counts ada'],
  ],
  'requests of all that are not there': [
    (tx) => tx`update counters set value = value + 1 where name = 'service_requests'`,
    ['request.counts all'],
  ],
  'a request that lost its order': [
    (tx) => tx`update service_requests set order_id = null where id = ${orders['taken back']}`,
    ['request.offer taken back'],
  ],
  'a request with the order of another': [
    (tx) => tx`update service_requests set order_id = ${orders['offered']} where id = ${orders['taken back']}`,
    ['request.cancelled taken back', 'request.order taken back'],
  ],
  'a funded order on a cancelled request': [
    (tx) => tx`update orders set state = 'offered' where id = ${orders['rejected']}`,
    ['order.history rejected', 'request.cancelled taken back'],
  ],
})
