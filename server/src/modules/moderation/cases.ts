// Cases: what was reported, or waits before it is shown, and what was decided. The owner of the thing reads them and
// may appeal once. Staff decides: `staff/decisions.ts`. docs/contract/moderation.md#cases.
import { emit } from '../../events/outbox.ts'
import type { Party } from '../../kernel/callers.ts'
import type { Page, Rows } from '../../kernel/lists.ts'
import { requireVersion } from '../../kernel/moves.ts'
import { part } from '../../kernel/part.ts'
import { picked } from '../../kernel/picked.ts'
import { refuse } from '../../kernel/refuse.ts'
import type { SuspensionNews } from '../../mail/suspension-news.ts'
import { pageOf } from '../../store/page-of.ts'
import { only, type Query, type Tx } from '../../store/sql.ts'
import type { ModerationCasesRow } from '../../store/tables.ts'
import type { HiddenKind } from './hidden.ts'
import { appealable, type Decision, decisions, type ReasonCode, type ReportCode, type Status } from './machine.ts'
import { ModerationCase as Shape } from './shapes.ts'

export interface ModerationCase extends ModerationCasesRow {
  subject_kind: HiddenKind
  status: Status
  measure: 'content' | 'suspension'
  reason_code: ReasonCode | null
}

/** A thing as the world names it. */
export interface Subject {
  kind: HiddenKind
  id: string
}

export const isAppealed = ({ appealed_at: at, appeal_answered_at: answered }: ModerationCase): boolean =>
  at !== null && answered === null

/** A case as the owner of its subject reads it. */
export const show = (found: ModerationCase) =>
  picked(Shape, found, {
    subject: { kind: found.subject_kind, id: found.subject_id },
    appeal:
      found.appeal_text === null
        ? null
        : { text: found.appeal_text, created_at: (found.appealed_at as Date).toISOString() },
  })

/** Sends the owner of a case its status. Only agents get events; a customer is to be written of their suspension. */
async function tell(tx: Tx, found: ModerationCase): Promise<void> {
  const { id, owner_id: ownerId, status, version } = found
  const [agent] = await tx`select 1 from agents where id = ${ownerId}`
  if (!agent) {
    if (found.measure === 'suspension') {
      await tx`
        insert into suspension_notices (case_id, kind, created_at) values (${id}, ${newsOf(found)}, ${tx.now})
        on conflict do nothing`
    }
    return
  }
  await emit(tx, { kind: 'moderation.changed', to: [ownerId], subject: id, payload: { case_id: id, status, version } })
}

const newsOf = ({ status, appealed_at: appealed }: ModerationCase): SuspensionNews =>
  status !== 'removed' ? 'ended' : appealed === null ? 'suspended' : 'confirmed'

/** Opens the case of a thing that is shown to nobody before it is approved. The thing is new to everybody. */
export async function openPremoderation(tx: Tx, { kind, id }: Subject, ownerId: string): Promise<void> {
  const opened = only(
    await tx<ModerationCase>`
      insert into moderation_cases (id, subject_kind, subject_id, owner_id, status, premoderation, created_at, updated_at)
      values (${tx.newId()}, ${kind}, ${id}, ${ownerId}, 'pending', true, ${tx.now}, ${tx.now}) returning *`,
  )
  await tell(tx, opened)
}

export interface Suspension {
  /** An agent, or a customer. */
  partyId: string
  reasonCode: ReasonCode
  reason: string
}

/** Opens the case that says why somebody is suspended: decided from the beginning, and open to its appeal. */
export async function openSuspension(tx: Tx, { partyId, reasonCode, reason }: Suspension): Promise<ModerationCase> {
  const opened = only(
    await tx<ModerationCase>`
      insert into moderation_cases (id, subject_kind, subject_id, owner_id, status, measure, reason_code, reason, created_at,
        updated_at, decided_at)
      values (${tx.newId()}, 'profile', ${partyId}, ${partyId}, 'removed', 'suspension', ${reasonCode}, ${reason}, ${tx.now},
        ${tx.now}, ${tx.now}) returning *`,
  )
  await tell(tx, opened)
  return opened
}

/** So often the pending case of a subject may be decided between two looks at it. */
const mostAttempts = 10

/** The pending case of a subject, locked: the one that stands, or else one that is opened now. */
export async function joinOrOpen(
  tx: Tx,
  { kind, id }: Subject,
  { ownerId, reasonCode }: { ownerId: string; reasonCode: ReportCode },
): Promise<ModerationCase> {
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const standing = await findPending(tx, { kind, id })
    if (standing) return standing
    // Waits for whoever opens one at this moment.
    const [opened] = await tx<ModerationCase>`
      insert into moderation_cases (id, subject_kind, subject_id, owner_id, status, reason_code, created_at, updated_at)
      values (${tx.newId()}, ${kind}, ${id}, ${ownerId}, 'pending', ${reasonCode}, ${tx.now}, ${tx.now})
      on conflict (subject_kind, subject_id) where status = 'pending' do nothing returning *`
    if (!opened) continue
    await tell(tx, opened)
    return opened
  }
  return refuse('service_unavailable', { retryAfter: 1 })
}

/** The pending case of a subject, locked. */
export async function findPending(tx: Tx, { kind, id }: Subject): Promise<ModerationCase | undefined> {
  const [standing] = await tx<ModerationCase>`
    select * from moderation_cases where subject_kind = ${kind} and subject_id = ${id} and status = 'pending'
    for no key update`
  return standing
}

/** A case by its id, locked: before anything of its subject is. */
export async function lock(tx: Tx, id: string): Promise<ModerationCase | undefined> {
  const [found] = await tx<ModerationCase>`select * from moderation_cases where id = ${id} for no key update`
  return found
}

/** A case that is known to be there: none is ever deleted. */
export const find = async (sql: Query, id: string): Promise<ModerationCase> =>
  only(await sql<ModerationCase>`select * from moderation_cases where id = ${id}`)

/** A case for moderators: of a suspension `not_found`. */
export async function findForModerator(sql: Query, id: string): Promise<ModerationCase> {
  const [found] = await sql<ModerationCase>`select * from moderation_cases where id = ${id} and measure = 'content'`
  return found ?? refuse('not_found')
}

/** A case about something of the caller's; `not_found` to everyone else. */
export async function findOwn(sql: Query, meId: string, id: string): Promise<ModerationCase> {
  const [found] = await sql<ModerationCase>`select * from moderation_cases where id = ${id} and owner_id = ${meId}`
  return found ?? refuse('not_found')
}

/** The latest reason why something of the caller's was withheld or removed; null if it was not. An earlier case may be decided later. */
export async function whyWithheld(sql: Query, meId: string, { kind, id }: Subject): Promise<string | null> {
  const [latest] = await sql<{ reason: string | null }>`
    select reason from moderation_cases
    where owner_id = ${meId} and status in ('rejected', 'removed') and subject_kind = ${kind} and subject_id = ${id}
    order by decided_at desc, id desc limit 1`
  return latest?.reason ?? null
}

export interface Filter extends Page {
  status: Status | undefined
}

/** The cases about things of the caller's, newest first. */
export function listOwn(sql: Query, meId: string, filter: Filter): Promise<Rows<ModerationCase>> {
  const inStatus = filter.status === undefined ? part`` : part`and status = ${filter.status}`
  return pageOf(sql, filter, { those: [part`from moderation_cases where owner_id = ${meId} ${inStatus}`] })
}

/**
 * Says what the owner has against a decision; nothing comes back by itself. Refuses `not_found` (someone else's),
 * `version_conflict`, `invalid_state` (nothing was taken) and `state_conflict` (once).
 */
export async function appeal(
  tx: Tx,
  me: Party,
  id: string,
  { expected_version, text }: { expected_version: number; text: string },
): Promise<ModerationCase> {
  const found = await lock(tx, id)
  if (found?.owner_id !== me.id) return refuse('not_found')
  requireVersion(found, expected_version, { status: found.status })
  if (!appealable.includes(found.status)) refuse('invalid_state', stateOf(found))
  if (found.appealed_at !== null) refuse('state_conflict', { message: 'You have already appealed this case' })
  return only(
    await tx<ModerationCase>`
      update moderation_cases
      set appeal_text = ${text}, appealed_at = ${tx.now}, version = version + 1, updated_at = ${tx.now}
      where id = ${id} returning *`,
  )
}

export const stateOf = ({ status }: ModerationCase) => ({ message: `The case is ${status}`, details: { status } })

/** Writes what was decided on a locked case, which answers its appeal too, and tells the owner. */
export async function settle(
  tx: Tx,
  standing: ModerationCase,
  { decision, reasonCode, reason }: { decision: Decision; reasonCode: ReasonCode; reason: string },
): Promise<ModerationCase> {
  const settled = only(
    await tx<ModerationCase>`
      update moderation_cases
      set status = ${decisions[decision].to}, reason_code = ${reasonCode}, reason = ${reason}, version = version + 1,
        decided_at = ${tx.now}, updated_at = ${tx.now},
        appeal_answered_at = case when appealed_at is not null then coalesce(appeal_answered_at, ${tx.now}) end
      where id = ${standing.id} returning *`,
  )
  await tell(tx, settled)
  return settled
}

/** Whether another case says of a subject that it is removed. The caller holds the subject for its decision. */
export async function isRemoved(
  sql: Query,
  { kind, id, exceptCaseId }: Subject & { exceptCaseId: string },
): Promise<boolean> {
  const others = await sql`
    select 1 from moderation_cases
    where subject_kind = ${kind} and subject_id = ${id} and status = 'removed' and measure = 'content'
      and id <> ${exceptCaseId} limit 1`
  return others.length > 0
}

/** Since when the oldest pending case has waited for a decision. */
export async function oldestPending(sql: Query): Promise<Date | null> {
  const [oldest] = await sql<{ created_at: Date }>`
    select created_at from moderation_cases where status = 'pending' and measure = 'content' order by id limit 1`
  return oldest?.created_at ?? null
}

/** Since when the oldest appeal has waited for its answer. */
export async function oldestAppeal(sql: Query): Promise<Date | null> {
  const [oldest] = await sql<{ appealed_at: Date }>`
    select appealed_at from moderation_cases where appealed_at is not null and appeal_answered_at is null
    order by appealed_at, id limit 1`
  return oldest?.appealed_at ?? null
}

/** How many cases are pending, and how many appeals have no answer. */
export const countWaiting = async (sql: Query): Promise<{ pending: number; appeals: number }> =>
  only(
    await sql<{ pending: number; appeals: number }>`
      select (
        select count(*)::int from moderation_cases where status = 'pending' and measure = 'content'
      ) as pending, (
        select count(*)::int from moderation_cases where appealed_at is not null and appeal_answered_at is null
      ) as appeals`,
  )
