// Requests on which nobody offered anything in time. They are read as expired from that moment on; here it is written down,
// each with its event, once. docs/contract/requests.md#expiry.
import { type Part, part } from '../../kernel/part.ts'
import type { Service } from '../../service.ts'
import type { Query, Tx } from '../../store/sql.ts'
import { expiry } from './machine.ts'
import { end, type Retention, type ServiceRequest } from './requests.ts'

const locked = part`for no key update`
const skipping = part`for no key update skip locked`

/** Writes down what has expired of a customer: as many as it may have open. Resolves with their number. */
export async function expireDue(
  tx: Tx,
  customerId: string,
  retention: Retention,
  lock: Part = locked,
): Promise<number> {
  const due = await dueOf(tx, customerId, tx.now, lock)
  await end(tx, due, expiry.to, retention)
  return due.length
}

/** What is to expire of a customer, in the order of ids, as everyone locks several (service_requests_open). */
export const dueOf = (sql: Query, customerId: string, now: Date, lock: Part): Promise<ServiceRequest[]> =>
  sql<ServiceRequest>`
    select * from service_requests
    where customer_id = ${customerId} and status = 'open' and expires_at <= ${now} order by id ${lock}`

/** What has waited longest for its expiry to be written down, unless somebody has it (service_requests_due). */
export async function nextDue(sql: Query, now: Date): Promise<{ customer_id: string } | undefined> {
  const [next] = await sql<{ customer_id: string }>`
    select customer_id from service_requests where status = 'open' and expires_at <= ${now}
    order by expires_at limit 1 ${skipping}`
  return next
}

/** The sweep: one customer's requests that are due; true when there may be more. */
export const expireNext = ({ sql, config }: Pick<Service, 'sql' | 'config'>): Promise<boolean> =>
  sql.transaction(async (tx) => {
    const next = await nextDue(tx, tx.now)
    return next !== undefined && (await expireDue(tx, next.customer_id, config, skipping)) > 0
  })
