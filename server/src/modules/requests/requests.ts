// Service requests: a customer says what it needs of a service whose price depends on the case, and the provider offers an
// order on it or declines. docs/contract/requests.md.

import { type Emission, emitting } from '../../events/outbox.ts'
import { after, days } from '../../kernel/clock.ts'
import type { Page, Rows } from '../../kernel/lists.ts'
import { type Part, part } from '../../kernel/part.ts'
import { refuse } from '../../kernel/refuse.ts'
import { giveBack, type Quota } from '../../quotas/quotas.ts'
import { pageOf } from '../../store/page-of.ts'
import type { Query, Tx } from '../../store/sql.ts'
import type { ServiceRequestsRow } from '../../store/tables.ts'
import { retainFiles } from '../attachments/bindings.ts'
import type { Snapshot } from '../catalog/show.ts'
import { expiry, type Status } from './machine.ts'

export interface ServiceRequest extends ServiceRequestsRow {
  status: Status
  snapshot: Snapshot
}

/** All requests of a customer, in any state. */
export const records = {
  name: 'service_requests',
  party: 1000,
  platform: 10_000,
  code: 'request_limit',
  isLasting: true,
} as const satisfies Quota

/** Those that are open: one that has passed its time counts until it is written down as expired. */
export const openOnes = { name: 'open_service_requests', party: 100, code: 'request_limit' } as const satisfies Quota

/** What a request is at a moment: one whose time has passed is expired, written down as such or not. */
export const statusAt = ({ status, expires_at }: Pick<ServiceRequest, 'status' | 'expires_at'>, now: Date): Status =>
  status === expiry.from && expires_at <= now ? expiry.to : status

/** A request that the party is a side of; any other is `not_found`. */
export async function find(sql: Query, partyId: string, id: string, lock: Part = part``): Promise<ServiceRequest> {
  const [request] = await sql<ServiceRequest>`
    select * from service_requests where id = ${id} and ${partyId}::uuid in (customer_id, provider_id) ${lock}`
  return request ?? refuse('not_found')
}

/** The same, as it is until this transaction ends. A request is locked before its order. */
export const findLocked = (tx: Tx, partyId: string, id: string): Promise<ServiceRequest> =>
  find(tx, partyId, id, part`for no key update`)

/** A party's requests as a customer and as a provider, newest first, with their exact number: at most 11,000. */
export const list = (sql: Query, partyId: string, page: Page): Promise<Rows<ServiceRequest>> =>
  pageOf(sql, page, {
    // service_requests_of_customer, service_requests_of_provider
    those: [
      part`from service_requests where customer_id = ${partyId}`,
      part`from service_requests where provider_id = ${partyId}`,
    ],
    columns: part`id`,
    shown: (rows) => part`select r.* from (${rows}) mine join service_requests r on r.id = mine.id`,
  })

/** The event that both sides get of every version. */
export const changed = (
  request: Pick<ServiceRequest, 'id' | 'version' | 'status' | 'customer_id' | 'provider_id'>,
): Emission => ({
  kind: 'service_request.changed',
  to: [request.customer_id, request.provider_id],
  subject: request.id,
  payload: { request_id: request.id, status: request.status, version: request.version },
})

/** Raises the version of a locked request, with what changes and an event to both sides. */
export async function advance(
  tx: Tx,
  request: ServiceRequest,
  change: Pick<ServiceRequest, 'status'> & Partial<Pick<ServiceRequest, 'order_id'>>,
): Promise<ServiceRequest> {
  const closedAt = change.status === 'offered' ? null : tx.now
  const next = { ...request, ...change, version: request.version + 1, updated_at: tx.now, closed_at: closedAt }
  const told = emitting(tx, changed(next))
  await tx`
    with told as (${told})
    update service_requests set status = ${next.status}, version = ${next.version}, order_id = ${next.order_id},
      updated_at = ${next.updated_at}, closed_at = ${next.closed_at}
    where id = ${request.id}`
  return next
}

export interface Retention {
  fileRetentionDays: number
}

/**
 * Ends open requests of one customer without an order, which are locked: their files are kept for a while, and there is room
 * for others.
 */
export async function end(
  tx: Tx,
  requests: readonly ServiceRequest[],
  status: 'rejected' | 'cancelled' | 'expired',
  { fileRetentionDays }: Retention,
): Promise<ServiceRequest[]> {
  const ended: ServiceRequest[] = []
  for (const request of requests) {
    if (request.input_attachment_ids.length > 0) {
      await retainFiles(tx, { kind: 'service_request', id: request.id }, after(tx.now, days(fileRetentionDays)))
    }
    ended.push(await advance(tx, request, { status }))
  }
  const [one] = requests
  if (one) giveBack(tx, openOnes, one.customer_id, requests.length)
  return ended
}
