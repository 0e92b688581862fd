// What an operator can do and see: the verbs under the command line, for any other face to share.
import { allAtOnce, offsetOf, type Page } from '../kernel/lists.ts'
import { canonicalText } from '../kernel/text.ts'
import { isHandle } from '../modules/identity/shapes.ts'
import type { ReasonCode } from '../modules/moderation/machine.ts'
import { requireFitting } from '../modules/staff/decisions.ts'
import { type Staff, type StaffRole, setRole } from '../modules/staff/staff.ts'
import { findWallet, grant, type Wallet } from '../modules/wallet/wallet.ts'
import { type Entry, record } from '../store/audit.ts'
import { only, type Query, type Tx } from '../store/sql.ts'
import { restoreFrom, suspendBy } from './suspensions.ts'

/** An action that cannot be done; the message is one line for a person. */
export class OperatorError extends Error {}

/** What is to be done, to whom and why. */
export interface Instruction {
  /** Who acts, as the audit log names them. */
  actor: string
  handle: string
  reason: string
}

export interface Done {
  agent: { id: string; handle: string; state: 'active' | 'suspended' }
  audit: Entry
}

/** What a suspension, or its end, is besides: why, in a word. */
interface Turn extends Instruction {
  /** `other` of a suspension, `ok` of its end, where it is left out. */
  code?: ReasonCode | undefined
}

/**
 * Takes an agent out of the network, by a case that it may appeal; its requests and sockets end with it, and nothing of it is
 * lost.
 */
export async function suspend(tx: Tx, { actor, handle, reason, code = 'other' }: Turn): Promise<Done> {
  const why = checkReason(reason)
  requireFitting('remove', code)
  const { id } = await findAgent(tx, handle)
  const { done, caseId } = await suspendBy(tx, { agentId: id, reasonCode: code, reason: why })
  if (!done) throw new OperatorError(`The agent ${handle} is already suspended`)
  const details = { case_id: caseId, reason_code: code }
  const audit = await record(tx, { actor, action: 'agent.suspend', subject: handle, reason: why, details })
  return { agent: { id, handle, state: 'suspended' }, audit }
}

/** Brings a suspended agent back with everything that it had. */
export async function restore(tx: Tx, { actor, handle, reason, code = 'ok' }: Turn): Promise<Done> {
  const why = checkReason(reason)
  const { id } = await findAgent(tx, handle)
  const { done, caseId } = await restoreFrom(tx, { agentId: id, reasonCode: code, reason: why })
  if (!done) throw new OperatorError(`The agent ${handle} is not suspended`)
  const details = caseId === null ? null : { case_id: caseId, reason_code: code }
  const audit = await record(tx, { actor, action: 'agent.restore', subject: handle, reason: why, details })
  return { agent: { id, handle, state: 'active' }, audit }
}

export interface Named {
  id: string
  handle: string
}

/** An agent by its handle; an {@link OperatorError} if there is none. */
export async function findAgent(sql: Query, handle: string): Promise<Named> {
  const [agent] = isHandle(handle) ? await sql<Named>`select id, handle from agents where handle = ${handle}` : []
  if (!agent) throw new OperatorError(`There is no agent with the handle ${printable(handle)}`)
  return agent
}

export interface RolesOf {
  agent: Named
  staff: Staff
  audit: Entry
}

/** Gives an agent a role or removes it; the agent gets an event. */
export async function changeRole(
  tx: Tx,
  { actor, handle, role, reason }: { actor: string; handle: string; role: StaffRole; reason: string | undefined },
  assign: boolean,
): Promise<RolesOf> {
  const why = reason === undefined ? null : checkReason(reason)
  const agent = await findAgent(tx, handle)
  const staff = await setRole(tx, agent.id, role, assign)
  if (!staff)
    throw new OperatorError(`The agent ${handle} ${assign ? 'already has the role' : 'does not have the role'} ${role}`)
  const action = assign ? 'staff.assign' : 'staff.revoke'
  const audit = await record(tx, { actor, action, subject: handle, reason: why, details: { role } })
  return { agent, staff, audit }
}

interface StaffEntry extends Named, Staff {
  /** Since when its roles are these. */
  updated_at: Date
}

/** A page of those who have any role, by handle. */
export const staff = (sql: Query, page: Page = allAtOnce): Promise<StaffEntry[]> => sql<StaffEntry>`
  select a.id, a.handle, s.roles, s.version, s.updated_at from staff s join agents a on a.id = s.agent_id
  where s.roles <> '{}' order by a.handle
  limit (select ${page.page_size}::int) offset (select ${offsetOf(page)}::int)`

export const countStaff = async (sql: Query): Promise<number> =>
  only(await sql<{ total: number }>`select count(*)::int as total from staff where roles <> '{}'`).total

export interface Granted {
  agent: Named
  wallet: Wallet
  audit: Entry
}

/** Grants an agent credits, in minor units; it reads the reason in its history. */
export async function grantCredits(
  tx: Tx,
  { actor, handle, reason, amount }: Instruction & { amount: number },
): Promise<Granted> {
  const why = checkReason(reason)
  const agent = await findAgent(tx, handle)
  await grant(tx, agent.id, { kind: 'grant', amount, note: why })
  const details = { amount_minor: amount }
  const audit = await record(tx, { actor, action: 'credits.grant', subject: handle, reason: why, details })
  return { agent, wallet: await findWallet(tx, agent.id), audit }
}

const longestReason = 2000

/** A reason as the API takes it, of 1-2000 code points. */
export const checkReason = (reason: string): string => checkText('reason', reason, longestReason)

/** The rules of the API's texts: edge white space gone, no control characters, 1 code point to so many. */
export function checkText(name: string, given: string, longest: number): string {
  const text = canonicalText(given, 'multiline')
  if ('problem' in text) throw new OperatorError(`The ${name} ${text.problem}`)
  const length = [...text.value].length
  if (length === 0) throw new OperatorError(`A ${name} is required`)
  if (length > longest) throw new OperatorError(`The ${name} is longer than ${longest} characters`)
  return text.value
}

export const printable = (text: string): string => text.replace(/\p{Cc}/gu, '?')
