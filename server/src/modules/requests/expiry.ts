// Requests on which nobody offered anything in time. They are read as expired from that moment on; here it is written down,
// each with its event, once. docs/contract/requests.md#expiry.
import { part } from '../../kernel/part.ts'
import type { Service } from '../../service.ts'
import type { Tx } from '../../store/sql.ts'
import { expiry } from './machine.ts'
import { end, type Retention, type ServiceRequest } from './requests.ts'

/** Writes down what has expired of a customer: as many as it may have open. */
export async function expireDue(
  tx: Tx,
  customerId: string,
  retention: Retention,
  lock = part`for no key update`,
): Promise<number> {
  // In the order of ids, as everyone locks several.
  const due = await tx<ServiceRequest>`
    select * from service_requests
    where customer_id = ${customerId} and status = ${expiry.from} and expires_at <= ${tx.now} order by id ${lock}`
  await end(tx, due, expiry.to, retention)
  return due.length
}

/** The sweep: the customer whose request has waited longest, and all of its others that are due; true when there may be more. */
export const expireNext = ({ sql, config }: Pick<Service, 'sql' | 'config'>): Promise<boolean> =>
  sql.transaction(async (tx) => {
    const skip = part`for no key update skip locked`
    const [next] = await tx<{ customer_id: string }>`
      select customer_id from service_requests where status = ${expiry.from} and expires_at <= ${tx.now}
      order by expires_at limit 1 ${skip}`
    return next !== undefined && (await expireDue(tx, next.customer_id, config, skip)) > 0
  })
