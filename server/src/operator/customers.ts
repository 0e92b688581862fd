// Customers as operators look at them: people who order work without an agent. Their email is shown masked, and nothing that they
// write or send is read here. docs/contract/site.md#customers-in-the-console.

import { offsetOf, type Page } from '../kernel/lists.ts'
import { masked } from '../mail/mask.ts'
import { endAllSessions, endSession } from '../modules/humans/sessions.ts'
import { setCustomerSuspended, suspensionOf } from '../modules/humans/suspension.ts'
import { isAppealed, lock, openSuspension, settle } from '../modules/moderation/cases.ts'
import type { ReasonCode } from '../modules/moderation/machine.ts'
import { requireFitting } from '../modules/staff/decisions.ts'
import { findWallet, type Wallet } from '../modules/wallet/wallet.ts'
import { sha256 } from '../secrets.ts'
import { type Entry, record } from '../store/audit.ts'
import { only, type Query, type Sql, type Tx } from '../store/sql.ts'
import type { AgentCard } from './agents.ts'
import { checkReason, OperatorError } from './operator.ts'
import { type Dealings, dealingsOf } from './precedents.ts'

export interface ListedCustomer {
  id: string
  display_name: string
  /** Masked; null of a closed account. */
  email: string | null
  created_at: Date
  closed_at: Date | null
  suspended_at: Date | null
}

type Row = ListedCustomer

const shown = ({ email, ...row }: Row): ListedCustomer => ({ ...row, email: email === null ? null : masked(email) })

/** So many are listed, the newest; others are found by their email. */
export const mostListed = 1000

/** A page of customers, the newest first, or of those who are suspended, the latest first. */
export const listCustomers = (
  sql: Sql,
  { suspended, ...page }: Page & { suspended: boolean },
): Promise<{ customers: ListedCustomer[]; total: number; isCut: boolean }> =>
  sql.snapshot(async (tx) => {
    const [rows, counted] = await Promise.all([
      suspended
        ? tx<Row>`
            select id, display_name, email, created_at, closed_at, suspended_at from humans
            where suspended_at is not null order by suspended_at desc, id desc
            limit (select ${page.page_size}::int) offset (select ${offsetOf(page)}::int)`
        : tx<Row>`
            select id, display_name, email, created_at, closed_at, suspended_at from humans order by id desc
            limit (select ${page.page_size}::int) offset (select ${offsetOf(page)}::int)`,
      suspended
        ? tx<{ total: number }>`
            select count(*)::int as total from (
              select 1 from humans where suspended_at is not null limit ${mostListed + 1}) counted`
        : tx<{ total: number }>`
            select count(*)::int as total from (select 1 from humans limit ${mostListed + 1}) counted`,
    ])
    const { total } = only(counted)
    return { customers: rows.map(shown), total: Math.min(total, mostListed), isCut: total > mostListed }
  })

interface CustomerSession {
  /** Not what its cookie holds, nor what is kept of that. */
  id: string
  created_at: Date
  expires_at: Date
}

export interface CustomerCard extends ListedCustomer {
  wallet: Wallet
  dealings: Dealings
  suspension: AgentCard['suspension']
  sessions: CustomerSession[]
}

const mostSessions = 50

/** Everything that an operator sees of a customer besides orders; undefined if nobody has this ID. */
export const customerCard = (sql: Sql, now: Date, id: string): Promise<CustomerCard | undefined> =>
  sql.snapshot(async (tx) => {
    const [row] = await tx<Row>`
      select id, display_name, email, created_at, closed_at, suspended_at from humans where id = ${id}`
    if (!row) return undefined
    const [wallet, dealings, suspension, sessions] = await Promise.all([
      findWallet(tx, id),
      dealingsOf(tx, [id]),
      suspensionOf(tx, id),
      living(tx, now, id),
    ])
    return {
      ...shown(row),
      wallet,
      dealings: dealings.get(id) as Dealings,
      suspension: suspension && {
        id: suspension.id,
        reason_code: suspension.reason_code as ReasonCode,
        reason: suspension.reason as string,
        decided_at: suspension.decided_at as Date,
        isAppealed: isAppealed(suspension),
      },
      sessions: sessions.map(({ digest, ...each }) => ({ id: nameOf(digest), ...each })),
    }
  })

type Living = Omit<CustomerSession, 'id'> & { digest: Buffer }

const living = (sql: Query, now: Date, humanId: string): Promise<Living[]> => sql<Living>`
  select digest, created_at, expires_at from human_sessions
  where human_id = ${humanId} and ended_at is null and expires_at > ${now}
  order by created_at desc limit (select ${mostSessions}::int)`

const nameOf = (digest: Buffer): string => sha256(digest.toString('hex')).toString('hex').slice(0, 32)

interface CustomerOrderOf {
  actor: string
  customerId: string
  reason: string
}

export interface CustomerChanged {
  customer: { id: string; state: 'active' | 'suspended' }
  audit: Entry
}

type Turn = CustomerOrderOf & { code?: ReasonCode | undefined }

/** Suspends a customer, who reads why and may appeal: no new orders, and everything else as before. */
export async function suspendCustomer(
  tx: Tx,
  { actor, customerId, reason, code = 'other' }: Turn,
): Promise<CustomerChanged> {
  const why = checkReason(reason)
  requireFitting('remove', code)
  const { closed_at: closedAt } = await holdCustomer(tx, customerId)
  if (closedAt !== null) throw new OperatorError('This account is closed')
  const { id: caseId } = await openSuspension(tx, { partyId: customerId, reasonCode: code, reason: why })
  if (!(await setCustomerSuspended(tx, customerId, caseId)))
    throw new OperatorError('The customer is already suspended')
  const details = { case_id: caseId, reason_code: code }
  const audit = await record(tx, { actor, action: 'customer.suspend', subject: customerId, reason: why, details })
  return { customer: { id: customerId, state: 'suspended' }, audit }
}

/** Ends the suspension of a customer, and settles its case. */
export async function restoreCustomer(
  tx: Tx,
  { actor, customerId, reason, code = 'ok' }: Turn,
): Promise<CustomerChanged> {
  const why = checkReason(reason)
  const standing = await suspensionOf(tx, customerId)
  // The case first, as whoever decides it does.
  const held = standing && (await lock(tx, standing.id))
  await holdCustomer(tx, customerId)
  // Restored and suspended again while this waited for the case.
  if ((await suspensionOf(tx, customerId))?.id !== standing?.id) tx.restart()
  if (!held || !(await setCustomerSuspended(tx, customerId, null))) {
    throw new OperatorError('The customer is not suspended')
  }
  await settle(tx, held, { decision: 'restore', reasonCode: code, reason: why })
  const details = { case_id: held.id, reason_code: code }
  const audit = await record(tx, { actor, action: 'customer.restore', subject: customerId, reason: why, details })
  return { customer: { id: customerId, state: 'active' }, audit }
}

export interface SessionsEnded {
  ended: number
  audit: Entry
}

/** Signs a customer out of one browser, or of all. */
export async function endCustomerSessions(
  tx: Tx,
  { actor, customerId, reason, session }: CustomerOrderOf & { session?: string | undefined },
): Promise<SessionsEnded> {
  const why = checkReason(reason)
  await holdCustomer(tx, customerId)
  const found = (await living(tx, tx.now, customerId)).filter(
    ({ digest }) => session === undefined || nameOf(digest) === session,
  )
  if (found.length === 0) throw new OperatorError('The customer is not signed in there')
  if (session === undefined) await endAllSessions(tx, customerId)
  else for (const { digest } of found) await endSession(tx, digest)
  const details = { sessions: found.length }
  const audit = await record(tx, { actor, action: 'customer.end_sessions', subject: customerId, reason: why, details })
  return { ended: found.length, audit }
}

async function holdCustomer(tx: Tx, id: string): Promise<{ closed_at: Date | null }> {
  const [found] = await tx<{ closed_at: Date | null }>`select closed_at from humans where id = ${id} for no key update`
  if (!found) throw new OperatorError(`There is no customer ${id}`)
  return found
}

type PartyState = 'closed' | 'suspended'

/** What parties are besides being there, by their IDs: customers whose account is closed, and whoever is suspended. */
export async function partyStates(sql: Query, ids: readonly string[]): Promise<ReadonlyMap<string, PartyState>> {
  const rows = await sql<{ id: string; state: PartyState }>`
    select id, case when closed_at is null then 'suspended' else 'closed' end as state from humans
    where id = any(${ids}::uuid[]) and (closed_at is not null or suspended_at is not null)
    union all select id, 'suspended' from agents where id = any(${ids}::uuid[]) and suspended_at is not null`
  return new Map(rows.map(({ id, state }) => [id, state]))
}

/** The ID of a customer by their whole email; undefined if nobody has it. */
export async function customerOf(sql: Query, email: string): Promise<string | undefined> {
  const [found] = await sql<{ id: string }>`select id from humans where email = ${email}`
  return found?.id
}
