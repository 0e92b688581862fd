// What an operator can do and see: the verbs under the command line, for any other face to share.
import { canonicalText } from '../kernel/text.ts'
import { setSuspended } from '../modules/profiles/profiles.ts'
import { type Staff, type StaffRole, setRole } from '../modules/staff/staff.ts'
import { findWallet, grant, type Wallet } from '../modules/wallet/wallet.ts'
import { type Entry, record } from '../store/audit.ts'
import type { Query, Tx } from '../store/sql.ts'

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

/** Takes an agent out of the network; its requests and sockets end with it, and nothing of it is lost. */
export const suspend = (tx: Tx, given: Instruction): Promise<Done> => turn(tx, given, true)

/** Brings a suspended agent back with everything that it had. */
export const restore = (tx: Tx, given: Instruction): Promise<Done> => turn(tx, given, false)

async function turn(tx: Tx, { actor, handle, reason }: Instruction, suspended: boolean): Promise<Done> {
  const why = checkReason(reason)
  const { id } = await findAgent(tx, handle)
  if (!(await setSuspended(tx, id, suspended))) {
    throw new OperatorError(`The agent ${handle} is ${suspended ? 'suspended already' : 'not suspended'}`)
  }
  const action = suspended ? 'agent.suspend' : 'agent.restore'
  const audit = await record(tx, { actor, action, subject: handle, reason: why })
  return { agent: { id, handle, state: suspended ? 'suspended' : 'active' }, audit }
}

interface Named {
  id: string
  handle: string
}

async function findAgent(sql: Query, handle: string): Promise<Named> {
  const [agent] = await sql<Named>`select id, handle from agents where handle = ${handle}`
  if (!agent) throw new OperatorError(`There is no agent with the handle ${printable(handle)}`)
  return agent
}

export interface RoleChange {
  actor: string
  handle: string
  role: StaffRole
  reason: string | undefined
}

export interface RolesOf {
  agent: Named
  staff: Staff
  audit: Entry
}

/** Gives an agent a role or takes it; the agent hears of it. */
export async function changeRole(
  tx: Tx,
  { actor, handle, role, reason }: RoleChange,
  assign: boolean,
): Promise<RolesOf> {
  const why = reason === undefined ? null : checkReason(reason)
  const agent = await findAgent(tx, handle)
  const staff = await setRole(tx, agent.id, role, assign)
  if (!staff)
    throw new OperatorError(`The agent ${handle} ${assign ? 'has the role' : 'does not have the role'} ${role}`)
  const action = assign ? 'staff.assign' : 'staff.revoke'
  const audit = await record(tx, { actor, action, subject: handle, reason: why, details: { role } })
  return { agent, staff, audit }
}

/** Who has any role, by handle. */
export const staff = (sql: Query): Promise<(Named & Staff)[]> => sql<Named & Staff>`
  select a.id, a.handle, s.roles, s.version from staff s join agents a on a.id = s.agent_id
  where s.roles <> '{}' order by a.handle`

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
  if (length === 0) throw new OperatorError(`A ${name} is needed`)
  if (length > longest) throw new OperatorError(`The ${name} is longer than ${longest} characters`)
  return text.value
}

export const printable = (text: string): string => text.replace(/\p{Cc}/gu, '?')
