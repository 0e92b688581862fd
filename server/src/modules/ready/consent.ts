// What becomes of an agreement: each side consents, a moderator approves or rejects, either side ends the sales.
// docs/contract/ready.md#consent.
import type { Agent } from '../../kernel/callers.ts'
import { offsetOf, type Page } from '../../kernel/lists.ts'
import { type Part, part } from '../../kernel/part.ts'
import { refuse } from '../../kernel/refuse.ts'
import type { Storage } from '../../storage/storage.ts'
import { only, type Query, type Tx } from '../../store/sql.ts'
import { keepFiles } from '../attachments/bindings.ts'
import { requireOpenProvider } from '../catalog/listing.ts'
import { setState } from '../catalog/services.ts'
import type { Service } from '../catalog/show.ts'
import { openPremoderation } from '../moderation/cases.ts'
import { keptUntil } from '../orders/files.ts'
import { advance } from '../orders/orders.ts'
import { type Agreement, find, findForChange, findForJudgement, type Locked, requireDigest } from './agreements.ts'
import { requireStored } from './files.ts'

interface Step {
  serviceId: string
  expected_digest: string
}

interface Consent extends Step {
  storage: Storage
  fileRetentionDays: number
}

/**
 * Gives the caller's consent to the terms of a digest. With the later one the files are kept for as long as the work is
 * sold, and it waits for a moderator. Refuses `not_found`, `public_profile_required` (of the provider),
 * `state_conflict` (another digest), `invalid_state` (given already, ended, or a file that no longer exists).
 */
export async function consent(
  tx: Tx,
  me: Agent,
  { serviceId, expected_digest, ...means }: Consent,
): Promise<Agreement> {
  const locked = await findForChange(tx, me.id, serviceId)
  const { order, agreement } = locked
  const isProvider = me.id === agreement.provider_id
  if (isProvider) await requireOpenProvider(tx, me.id)
  requireDigest(agreement, expected_digest)
  requireOngoing(agreement)
  const { provider_consented_at: byProvider, customer_consented_at: byCustomer } = agreement
  if ((isProvider ? byProvider : byCustomer) !== null) {
    refuse('invalid_state', { message: 'You have already consented to these terms' })
  }
  await tx`
    update ready_services
    set provider_consented_at = ${isProvider ? tx.now : byProvider}, customer_consented_at = ${isProvider ? byCustomer : tx.now}
    where service_id = ${serviceId}`
  if ((isProvider ? byCustomer : byProvider) !== null) await submit(tx, locked, means)
  await advance(tx, order, { action: 'consent-resale', actorId: me.id })
  return find(tx, me.id, serviceId)
}

function requireOngoing({ stopped_at: at }: Agreement): void {
  if (at !== null) refuse('invalid_state', { message: 'This work is no longer for sale' })
}

/** Verifies the files of an agreement, keeps them, and lets it wait for a moderator. */
async function submit(tx: Tx, { order, agreement }: Locked, means: Omit<Consent, keyof Step>): Promise<void> {
  const { attachment_ids: ids, terms } = agreement
  if (!(await keepFiles(tx, ids))) {
    refuse('invalid_state', { message: 'A file of these terms no longer exists; withdraw, and propose the work again' })
  }
  await requireStored(tx, means.storage, terms.files)
  await tx`
    update ready_services
    set moderation = 'pending', held_at = ${tx.now}, kept_until = ${keptUntil(order, tx.now, means)}
    where service_id = ${agreement.service_id}`
  await openPremoderation(tx, { kind: 'service', id: agreement.service_id }, agreement.provider_id)
}

/**
 * Ends the sales for good, by either side; what was bought goes on. Refuses `not_found`, `state_conflict` (another digest)
 * and `invalid_state` (withdrawn already).
 */
export async function withdraw(tx: Tx, me: Agent, { serviceId, expected_digest }: Step): Promise<Agreement> {
  const { order, service, agreement } = await findForChange(tx, me.id, serviceId)
  requireDigest(agreement, expected_digest)
  if (agreement.withdrawn_at !== null) refuse('invalid_state', { message: 'This work was already withdrawn' })
  if (service.state !== 'archived') await setState(tx, service.provider_id, service, 'archived')
  await tx`
    update ready_services set withdrawn_by = ${me.id}, withdrawn_at = ${tx.now}, stopped_at = coalesce(stopped_at, ${tx.now})
    where service_id = ${serviceId}`
  await advance(tx, order, { action: 'withdraw-resale', actorId: me.id })
  return find(tx, me.id, serviceId)
}

export type Verdict = 'approve' | 'reject'

/** Holds an agreement with its order and service until this transaction ends. */
export async function hold(tx: Tx, serviceId: string): Promise<void> {
  await findForJudgement(tx, serviceId)
}

/** Whether an agreement waits for a moderator: not where it has ended before. */
export async function waits(sql: Query, serviceId: string): Promise<boolean> {
  return (await waitingWords(sql, [serviceId])).has(serviceId)
}

/** What a moderator reads of the agreements that wait, by service: its title and what a purchase hands over. */
export const waitingWords = (sql: Query, serviceIds: readonly string[]): Promise<Map<string, string>> =>
  wordsOf(sql, serviceIds, part`r.moderation = 'pending' and r.stopped_at is null`)

/** The same of one, also after it was rejected, which its case may restore; null if there is none. */
export async function heldWords(sql: Query, serviceId: string): Promise<string | null> {
  const waiting = part`r.moderation = 'pending' and r.stopped_at is null`
  const rejected = part`r.moderation = 'rejected' and r.withdrawn_at is null`
  return (await wordsOf(sql, [serviceId], part`((${waiting}) or (${rejected}))`)).get(serviceId) ?? null
}

async function wordsOf(sql: Query, serviceIds: readonly string[], condition: Part): Promise<Map<string, string>> {
  const found = await sql<{ service_id: string; words: string }>`
    select r.service_id, concat_ws(e'\n\n', s.title, nullif(r.result_text, '')) as words
    from ready_services r join services s on s.id = r.service_id
    where r.service_id = any(${serviceIds}::uuid[]) and ${condition}`
  return new Map(found.map(({ service_id, words }) => [service_id, words]))
}

/**
 * A moderator's word on an agreement that waits: approval publishes the service, unless its provider's profile is closed; then
 * the provider may, once it is open. Rejection leaves it unpublished. Of one that has ended meanwhile nothing is published.
 * Resolves with the service; refuses `not_found` and `invalid_state`.
 */
export async function judge(
  tx: Tx,
  { serviceId, verdict, reason }: { serviceId: string; verdict: Verdict; reason: string },
): Promise<Service> {
  const { order, service, agreement } = (await findForJudgement(tx, serviceId)) ?? refuse('not_found')
  if (agreement.moderation !== 'pending') {
    refuse('invalid_state', { message: 'This work is not waiting for a moderator' })
  }
  const approved = verdict === 'approve'
  const ended = agreement.stopped_at
  await tx`
    update ready_services
    set moderation = ${approved ? 'approved' : 'rejected'}, moderation_reason = ${reason}, moderated_at = ${tx.now},
      stopped_at = ${approved ? ended : (ended ?? tx.now)}
    where service_id = ${serviceId}`
  if (ended) return service
  await advance(tx, order, { action: approved ? 'approve-resale' : 'reject-resale', actorId: null })
  return approved && service.is_there ? setState(tx, service.provider_id, service, 'published') : service
}

/**
 * Lets a work be sold after all that was rejected; one that was approved before is as its provider has it. Refuses
 * `not_found`, and `invalid_state` if it was withdrawn or one of its files no longer exists.
 */
export async function reinstate(tx: Tx, serviceId: string, reason: string): Promise<Service> {
  const { order, service, agreement } = (await findForJudgement(tx, serviceId)) ?? refuse('not_found')
  if (agreement.moderation !== 'rejected') return service
  if (agreement.withdrawn_at !== null) refuse('invalid_state', { message: 'This work was withdrawn' })
  if (service.state === 'archived') refuse('invalid_state', { message: 'The provider has archived this work' })
  if (!(await keepFiles(tx, agreement.attachment_ids))) {
    refuse('invalid_state', { message: 'A file of this work no longer exists' })
  }
  await tx`
    update ready_services
    set moderation = 'approved', moderation_reason = ${reason}, moderated_at = ${tx.now}, stopped_at = null,
      released_at = null
    where service_id = ${serviceId}`
  await advance(tx, order, { action: 'approve-resale', actorId: null })
  return service.is_there ? setState(tx, service.provider_id, service, 'published') : service
}

/** What waits for a moderator, the longest first. */
export interface Waiting {
  service_id: string
  title: string
  provider_handle: string
  customer_handle: string
  amount_minor: number
  result_text: string
  files: number
  digest: string
  waits_since: Date
}

export const waiting = (sql: Query, page: Page): Promise<Waiting[]> => sql<Waiting>`
  select r.service_id, s.title, p.handle as provider_handle, c.handle as customer_handle, s.amount_minor, r.result_text,
    cardinality(r.attachment_ids) as files, encode(r.digest, 'hex') as digest, r.held_at as waits_since
  from (
    select * from ready_services where moderation = 'pending' and stopped_at is null
    order by held_at, service_id limit (select ${page.page_size}::int) offset (select ${offsetOf(page)}::int)
  ) r
  join services s on s.id = r.service_id join agents p on p.id = r.provider_id join agents c on c.id = r.customer_id
  order by r.held_at, r.service_id`

export const countWaiting = async (sql: Query): Promise<number> =>
  only(
    await sql<{ waiting: number }>`
      select count(*)::int as waiting from ready_services where moderation = 'pending' and stopped_at is null`,
  ).waiting
