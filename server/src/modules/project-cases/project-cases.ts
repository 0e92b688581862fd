// Project cases: the story of an accepted order, told by its contractor, public once its customer consents.
// docs/contract/project-cases.md.
import type { Agent } from '../../kernel/callers.ts'
import { offsetOf, type Page, type Rows, withRows } from '../../kernel/lists.ts'
import { type Part, part } from '../../kernel/part.ts'
import { refuse } from '../../kernel/refuse.ts'
import { pageOf } from '../../store/page-of.ts'
import { only, type Query, type Tx } from '../../store/sql.ts'
import type { ProjectCasesRow } from '../../store/tables.ts'
import { setFiles } from '../attachments/bindings.ts'
import { isPublicProjectCase } from '../attachments/holders.ts'
import { findHidden, isHidden, note } from '../moderation/hidden.ts'
import * as orders from '../orders/orders.ts'
import { stateOf } from '../orders/permitted.ts'
import { type Side, type State, sides } from './machine.ts'

export interface ProjectCase extends ProjectCasesRow {
  state: State
}

/** What a contractor tells, in canonical form. */
export interface Content {
  title: string
  summary: string
  result: string
  attachment_ids: string[]
}

export interface Input extends Content {
  order_id: string
  rights_confirmed: boolean
}

/** How many cases an order can ever have, withdrawn ones included, because its customer gets an event for each. */
export const mostOfOrder = 10

/** Refuses files that nobody says the rights are there for, `publication_rights_required`. */
export function requireRights({ attachment_ids: files, rights_confirmed: confirmed }: Input): void {
  if (files.length > 0 && !confirmed) refuse('publication_rights_required')
}

/**
 * Drafts the case of an accepted order of the caller's; nobody else gets an event. Refuses `not_found` (no side of it),
 * `forbidden` (its customer), `invalid_state` (not accepted), `state_conflict` (it has one), `request_limit` and what
 * files are refused with.
 */
export async function create(tx: Tx, me: Agent, id: string, input: Input): Promise<{ id: string }> {
  const [order, ofOrder] = await Promise.all([
    // Whoever makes one for this order waits here.
    orders.findLocked(tx, me.id, input.order_id),
    tx<{ state: State }>`select state from project_cases where order_id = ${input.order_id}`,
  ])
  if (order.contractor_id !== me.id) refuse('forbidden', { message: 'Only the contractor may write about this order' })
  if (order.outcome !== 'accepted') refuse('invalid_state', stateOf(order))
  if (ofOrder.some(({ state }) => state !== 'withdrawn')) {
    refuse('state_conflict', { message: 'This order already has a project case; change it, or withdraw it first' })
  }
  if (ofOrder.length >= mostOfOrder) {
    refuse('request_limit', {
      retryAfter: 3600,
      message: `Limit of ${mostOfOrder} project cases for this order reached`,
    })
  }
  tx.write`
    insert into project_cases (id, order_id, contractor_id, customer_id, title, summary, result, state, created_at,
      updated_at)
    values (${id}, ${order.id}, ${me.id}, ${order.customer_id}, ${input.title}, ${input.summary}, ${input.result}, 'draft',
      ${tx.now}, ${tx.now})`
  if (input.attachment_ids.length > 0) await bind(tx, id, me.id, input)
  return { id }
}

/** Makes these the files of a case: their owner says of each new one that the rights to show it are there. */
export const bind = (
  tx: Tx,
  id: string,
  ownerId: string,
  input: Pick<Input, 'attachment_ids' | 'rights_confirmed'>,
): Promise<void> =>
  setFiles(
    tx,
    { kind: 'portfolio', id, role: 'case' },
    {
      ownerId,
      ids: input.attachment_ids,
      isPublic: true,
      rightsConfirmed: input.rights_confirmed,
      missingRights: 'publication_rights_required',
    },
  )

/** Which cases (alias `c`) are a party's as this side of them: a customer has those that were ever proposed to it. */
const isOf: Record<Side, (partyId: string) => Part> = {
  contractor: (partyId) => part`c.contractor_id = ${partyId}`,
  customer: (partyId) => part`c.customer_id = ${partyId} and c.contractor_consented_at is not null`,
}

/** Which of those are there for it: what a moderator removed is its contractor's alone. */
const isLeftTo: Record<Side, Part> = {
  contractor: part`true`,
  customer: part`not ${isHidden('project_case', part`c.id`)}`,
}

/** Whether a case (alias `c`) is a party's, in any state. */
const isParty = (partyId: string): Part => part`(${isOf.contractor(partyId)} or ${isOf.customer(partyId)})`

/** Whether it is the party's to read as a side of it. */
const isSide = (partyId: string): Part =>
  part`(${isOf.contractor(partyId)} or ${isOf.customer(partyId)} and ${isLeftTo.customer})`

/** A case that the viewer may read: as a side of it, or a public one; `not_found` otherwise. */
export async function findVisible(sql: Query, viewerId: string, id: string): Promise<ProjectCase> {
  const [found] = await sql<ProjectCase>`
    select c.* from project_cases c where c.id = ${id} and (${isSide(viewerId)} or ${isPublicProjectCase})`
  return found ?? refuse('not_found')
}

/** A case that the party is a side of, also while it is removed; `not_found` otherwise. */
export async function findOwn(sql: Query, partyId: string, id: string): Promise<ProjectCase> {
  const [found] = await sql<ProjectCase>`
    select c.* from project_cases c where c.id = ${id} and ${isParty(partyId)}`
  return found ?? refuse('not_found')
}

/**
 * A case as it is until this transaction ends, and whether a moderator removed it. Refuses `not_found` to whom it is neither
 * theirs nor public; what a customer may do with a removed one is the caller's to say.
 */
export async function findLocked(
  tx: Tx,
  viewerId: string,
  id: string,
): Promise<{ found: ProjectCase; isRemoved: boolean }> {
  const [[found], isRemoved] = await Promise.all([
    tx<ProjectCase>`
      select c.* from project_cases c
      where c.id = ${id} and (${isParty(viewerId)} or ${isPublicProjectCase})
      for no key update of c`,
    // Asked after the lock: a statement that waited for it sees what was removed before.
    findHidden(tx, 'project_case', id),
  ])
  return found ? { found, isRemoved } : refuse('not_found')
}

/** Whether a case is the party's to read as a side of it. */
export async function isOwn(sql: Query, partyId: string, id: string): Promise<boolean> {
  const [own] = await sql`select 1 from project_cases c where c.id = ${id} and ${isSide(partyId)}`
  return own !== undefined
}

export interface Filter extends Page {
  role: Side | undefined
  state: State | undefined
}

/** The cases of one side of the party, and which of them are left to it. */
interface OfSide {
  those: Part
  isLeft: Part
}

/** The ids of a party's cases, newest first, with their exact number. */
export async function list(sql: Query, partyId: string, filter: Filter): Promise<Rows<string>> {
  const inState = filter.state === undefined ? part`` : part`and c.state = ${filter.state}`
  // project_cases_of_contractor, project_cases_of_customer
  const bySide = sides
    .filter((side) => filter.role === undefined || side === filter.role)
    .map((side) => ({
      those: part`from project_cases c where ${isOf[side](partyId)} ${inState}`,
      isLeft: isLeftTo[side],
    }))
  const joined = (of: (side: OfSide) => Part, between: Part): Part =>
    bySide.map(of).reduce((all, each) => part`${all} ${between} ${each}`)
  const offset = offsetOf(filter)
  const newest = ({ those, isLeft }: OfSide): Part =>
    part`(select c.id ${those} and ${isLeft} order by c.id desc limit (select ${offset + filter.page_size}::int))`
  // Fenced, so that what is removed does not change how they are found.
  const number = ({ those, isLeft }: OfSide): Part =>
    part`(select count(*) from (select c.id ${those} offset 0) c where ${isLeft})`
  return only(
    await sql<Rows<string>>`
      select array(
        select id from (${joined(newest, part`union all`)}) mine
        order by id desc limit (select ${filter.page_size}::int) offset (select ${offset}::int)
      ) as rows, (${joined(number, part`+`)})::int as total`,
  )
}

/** Of so many of the newest published ones those are found that everyone may read. */
export const newestLookedAt = 1000

/** Those of them: their order is read from the index alone, and each by its key. */
// project_cases_published
const readable: Part = part`
  select newest.id, newest.at from (
    select id, customer_consented_at as at from project_cases where state = 'published'
    order by customer_consented_at desc, id desc limit (select ${newestLookedAt}::int)
  ) newest cross join lateral (select * from project_cases where id = newest.id offset 0) c where ${isPublicProjectCase}`

/** A page of the ids of the newest cases that everyone may read. */
export async function publicPage(sql: Query, page: Page): Promise<Rows<string>> {
  const given = part`with readable as materialized (${readable})`
  const found = await pageOf<{ id: string }>(sql, page, {
    given,
    those: [part`from readable`],
    order: part`at desc, id desc`,
  })
  return withRows(found, (cases) => cases.map(({ id }) => id))
}

/** The ids of a contractor's newest ones. */
export async function newestPublicOf(sql: Query, contractorId: string, limit: number): Promise<string[]> {
  // project_cases_of_contractor
  const rows = await sql<{ id: string }>`
    select c.id from (
      select id from project_cases where contractor_id = ${contractorId} and state = 'published'
      order by id desc limit (select ${newestLookedAt}::int)
    ) newest cross join lateral (select * from project_cases where id = newest.id offset 0) c
    where ${isPublicProjectCase} order by newest.id desc limit (select ${limit}::int)`
  return rows.map(({ id }) => id)
}

/** Whether everyone may read a case. */
export async function isPublic(sql: Query, id: string): Promise<boolean> {
  const [found] = await sql`select 1 from project_cases c where c.id = ${id} and ${isPublicProjectCase}`
  return found !== undefined
}

/**
 * Whether the recipient of an event about a case (alias `e`: recipient_id, subject_id) may get it: what a moderator
 * removed is only for its contractor.
 */
export const mayHearOfCase: Part = part`(not ${isHidden('project_case', part`e.subject_id`)} or exists (
  select 1 from project_cases c where c.id = e.subject_id and c.contractor_id = e.recipient_id offset 0))`

/** Hides a case from all but its contractor, or shows it again; false if there is none, or it was so already. */
export async function setProjectCaseHidden(tx: Tx, id: string, hidden: boolean): Promise<boolean> {
  const [found] = await tx`select 1 from project_cases where id = ${id} for no key update`
  return found !== undefined && note(tx, 'project_case', id, hidden)
}
