// Asking for a service: what a request needs of its service and its two sides, and the place that it takes.
// docs/contract/requests.md#asking.
import { emitting } from '../../events/outbox.ts'
import type { Party } from '../../kernel/callers.ts'
import { after } from '../../kernel/clock.ts'
import { countOf, take } from '../../quotas/quotas.ts'
import { only, type Tx } from '../../store/sql.ts'
import { setFiles } from '../attachments/bindings.ts'
import { judgeParameters } from '../catalog/form.ts'
import { requireInputs } from '../catalog/inputs.ts'
import { priceFor } from '../catalog/quotes.ts'
import { findForOrder, findVisible } from '../catalog/services.ts'
import { type Inputs, snapshotOf } from '../catalog/show.ts'
import { requireOfferable } from '../orders/relations.ts'
import { sources } from '../orders/sources.ts'
import { expireDue } from './expiry.ts'
import { expiry } from './machine.ts'
import { changed, openOnes, type Retention, records, type ServiceRequest } from './requests.ts'

/** What a customer asks for; the defaults are spelled out. */
export interface Input extends Inputs {
  service_id: string
  expected_service_version: number
  title: string
  description: string
}

/**
 * Asks the provider of a service for an offer. Refuses `not_found`, `forbidden` (the caller's own), `friendship_required`,
 * `version_conflict` (of the service), `service_not_orderable`, `price_mode_mismatch`, `invalid_input` for what the form does not
 * take or a quantity that nobody could pay, what files are refused with, and `request_limit`.
 */
export async function ask(
  tx: Tx,
  me: Party,
  { id, input, terms }: { id: string; input: Input; terms: Retention },
): Promise<ServiceRequest> {
  const { service_id: serviceId, quantity, input_attachment_ids: files } = input
  const { provider_id: providerId } = await findVisible(tx, me.id, serviceId)
  if (providerId !== me.id) await requireOfferable(tx, me.id, providerId, sources.request)
  const asked = { expected_version: input.expected_service_version, mode: 'from' } as const
  const service = await findForOrder(tx, me, serviceId, asked)
  const parameters = judgeParameters(service.input_schema, input.parameters, files)
  priceFor(service, quantity)
  await requireInputs(tx, me, service.input_schema, parameters, files)
  await setFiles(
    tx,
    { kind: 'service_request', id, role: 'input' },
    { ownerId: me.id, ids: files, isPublic: false, rightsConfirmed: false, missingRights: 'rights_required' },
  )
  await takePlace(tx, me.id, terms)
  const snapshot = snapshotOf(service, { quantity, parameters, input_attachment_ids: files })
  const sides = { customer_id: me.id, provider_id: providerId }
  const told = emitting(tx, changed({ id, version: 1, status: expiry.from, ...sides }))
  return only(
    await tx<ServiceRequest>`
      with told as (${told})
      insert into service_requests (id, service_id, service_version, customer_id, provider_id, title, description, quantity,
        snapshot, parameters, input_attachment_ids, status, created_at, updated_at, expires_at)
      values (${id}, ${serviceId}, ${service.version}, ${me.id}, ${providerId}, ${input.title}, ${input.description},
        ${quantity}, ${JSON.stringify(snapshot)}::json, ${JSON.stringify(parameters)}::json, ${files}::uuid[],
        ${expiry.from}, ${tx.now}, ${tx.now}, ${after(tx.now, expiry.after)})
      returning *`,
  )
}

/** Counts one more of a customer; what has expired and is not written down yet takes nobody's place. */
async function takePlace(tx: Tx, customerId: string, terms: Retention): Promise<void> {
  await take(tx, records, customerId)
  if ((await countOf(tx, openOnes, customerId)) >= openOnes.party) await expireDue(tx, customerId, terms)
  await take(tx, openOnes, customerId)
}
