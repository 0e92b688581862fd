// Agreements to sell a finished work again: its contractor proposes one from an accepted order, and both sides consent to
// its exact terms. docs/contract/ready.md.
import { createHash } from 'node:crypto'
import type { Agent } from '../../kernel/callers.ts'
import { part } from '../../kernel/part.ts'
import { invalid, refuse } from '../../kernel/refuse.ts'
import { canonical } from '../../store/once.ts'
import { only, type Query, type Tx } from '../../store/sql.ts'
import type { ReadyServicesRow } from '../../store/tables.ts'
import { lockProvider } from '../catalog/listing.ts'
import { type Card, create, findVisible } from '../catalog/services.ts'
import { licenseCode } from '../catalog/shapes.ts'
import type { Service } from '../catalog/show.ts'
import { advance, findLocked, lock, type Order } from '../orders/orders.ts'
import { stateOf } from '../orders/permitted.ts'
import { sourceOf } from '../orders/sources.ts'
import { resultFiles } from './files.ts'
import { type Shares, sharesOf } from './shares.ts'

export interface Agreement extends ReadyServicesRow {
  /** Of its service. */
  id: string
  moderation: 'pending' | 'approved' | 'rejected' | null
  terms: Terms
  license_code: typeof licenseCode
}

const agreementColumns = part`*, service_id as id`

/** What is consented to. Its digest is the SHA-256 of its canonical JSON (docs/contract/ready.md#the-digest). */
export interface Terms {
  service_id: string
  source_order_id: string
  provider_id: string
  customer_id: string
  license_code: string
  customer_share_bps: number
  provider_share_minor: number
  customer_share_minor: number
  service: object
  result_text: string
  files: readonly { id: string; sha256: string; size: number }[]
}

/** What a contractor proposes; the card of the service is in its canonical form. */
export interface Proposal {
  source_order_id: string
  service: Card
  customer_share_bps: number
  result_text: string
  attachment_ids: readonly string[]
}

/**
 * What is asked of a proposal whatever the order is; refuses `invalid_input`: a fixed price that leaves both something, no
 * form, no duration, and something to hand over.
 */
export function requireForm({ service, customer_share_bps, result_text, attachment_ids }: Proposal): Shares {
  const { price, input_schema, estimated_duration_seconds: duration } = service
  if (price.mode !== 'fixed') invalid({ path: 'service.price.mode', problem: 'must be fixed' })
  if (input_schema.fields.length > 0) invalid({ path: 'service.input_schema', problem: 'must be empty' })
  if (duration !== null) invalid({ path: 'service.estimated_duration_seconds', problem: 'must be left out' })
  if (result_text === '' && attachment_ids.length === 0) {
    invalid({ path: 'result_text', problem: 'send a text, a file or both' })
  }
  const shares = sharesOf(price.amount_minor, customer_share_bps)
  if (shares.customer_minor < 1 || shares.provider_minor < 1) {
    invalid({ path: 'customer_share_bps', problem: 'must leave both sides a share of the price' })
  }
  return shares
}

/**
 * Proposes under an id of a new service to sell the result of an accepted order again: a draft until both have consented and a
 * moderator has approved. Refuses `not_found`, `forbidden` (not its contractor), `invalid_state` (not accepted, or itself
 * a purchase), `invalid_input` (a price that is not below the reward), `invalid_attachment` (not a result of it that is
 * still there) and what a service is refused with.
 */
export async function propose(tx: Tx, me: Agent, id: string, proposal: Proposal): Promise<Agreement> {
  const shares = requireForm(proposal)
  const order = await findLocked(tx, me.id, proposal.source_order_id)
  if (order.contractor_id !== me.id) refuse('forbidden', { message: 'Only the contractor may propose this' })
  if (order.outcome !== 'accepted') refuse('invalid_state', stateOf(order))
  if (!sourceOf(order).resale) refuse('invalid_state', { message: 'Work bought under a license cannot be sold again' })
  if (proposal.service.price.amount_minor >= order.amount_minor) {
    invalid({
      path: 'service.price.amount_minor',
      problem: `must be below the reward of the order, ${order.amount_minor}`,
    })
  }
  const files = await resultFiles(tx, me.id, order.id, proposal.attachment_ids)
  await create(tx, me, id, proposal.service, { workflow: 'ready' })
  const terms: Terms = {
    service_id: id,
    source_order_id: order.id,
    provider_id: me.id,
    customer_id: order.customer_id,
    license_code: licenseCode,
    customer_share_bps: proposal.customer_share_bps,
    provider_share_minor: shares.provider_minor,
    customer_share_minor: shares.customer_minor,
    service: proposal.service,
    result_text: proposal.result_text,
    files: files.map(({ id: file, sha256, bytes }) => ({ id: file, sha256: sha256.toString('hex'), size: bytes })),
  }
  const text = canonical(terms)
  const agreement = only(
    await tx<Agreement>`
      insert into ready_services (service_id, source_order_id, provider_id, customer_id, customer_share_bps,
        provider_minor, customer_minor, license_code, result_text, attachment_ids, terms, digest, created_at)
      values (${id}, ${order.id}, ${me.id}, ${order.customer_id}, ${proposal.customer_share_bps},
        ${shares.provider_minor}, ${shares.customer_minor}, ${licenseCode}, ${proposal.result_text},
        ${proposal.attachment_ids}::uuid[], ${text}::json, ${createHash('sha256').update(text).digest()}, ${tx.now})
      returning ${agreementColumns}`,
  )
  await advance(tx, order, { action: 'propose-resale', actorId: me.id })
  return agreement
}

/** An agreement as one of its two sides has it; `not_found` to everyone else. */
export async function find(sql: Query, meId: string, serviceId: string): Promise<Agreement> {
  const [found] = await sql<Agreement>`
    select ${agreementColumns} from ready_services where service_id = ${serviceId} and ${meId}::uuid in (provider_id, customer_id)`
  return found ?? refuse('not_found')
}

/** The same under locks: everyone locks the order, then the provider, the service, the agreement and its files. */
export async function findForChange(tx: Tx, meId: string, serviceId: string): Promise<Locked> {
  return lockAll(tx, await find(tx, meId, serviceId))
}

/** The same whoever asks, for a moderator; undefined if there is none. */
export async function findForJudgement(tx: Tx, serviceId: string): Promise<Locked | undefined> {
  const [found] = await tx<Agreement>`select ${agreementColumns} from ready_services where service_id = ${serviceId}`
  return found && lockAll(tx, found)
}

export interface Locked {
  order: Order
  service: Service
  agreement: Agreement
}

async function lockAll(tx: Tx, found: Agreement): Promise<Locked> {
  const { service_id: serviceId, provider_id: providerId } = found
  const order = await lock(tx, found.source_order_id)
  await lockProvider(tx, providerId)
  const service = await findVisible(tx, providerId, serviceId, part`for no key update of s`)
  const agreement = only(
    await tx<Agreement>`select ${agreementColumns} from ready_services where service_id = ${serviceId} for no key update`,
  )
  return { order, service, agreement }
}

/** Refuses `state_conflict` if what somebody has seen are not the terms. */
export function requireDigest({ digest }: Pick<Agreement, 'digest'>, expected: string): void {
  const standing = digest.toString('hex')
  if (expected.toLowerCase() !== standing) {
    refuse('state_conflict', {
      message: 'The terms of this agreement are different; read them again',
      details: { digest: standing },
    })
  }
}
