// Staff: agents to whom the operator has given roles, and with them doors that nobody else has.
// docs/contract/staff.md#roles.

import { emit } from '../../events/outbox.ts'
import type { Agent } from '../../kernel/callers.ts'
import { passGate } from '../../kernel/gate.ts'
import { type Part, part } from '../../kernel/part.ts'
import { refuse } from '../../kernel/refuse.ts'
import type { Service } from '../../service.ts'
import type { Query, Tx } from '../../store/sql.ts'

export const staffRoles = ['support', 'moderator'] as const
export type StaffRole = (typeof staffRoles)[number]

export interface Staff {
  roles: StaffRole[]
  /** Rises with each change; 0 while there was none. */
  version: number
}

/** What an agent is to staff; nothing, at version 0, for one that never had a role. */
export async function find(sql: Query, agentId: string, lock: Part = part``): Promise<Staff> {
  const [row] = await sql<Staff>`select roles, version from staff where agent_id = ${agentId} ${lock}`
  return row ?? { roles: [], version: 0 }
}

/** Refuses `staff_required` to an agent without the role. */
export async function requireRole(sql: Query, agentId: string, role: StaffRole, lock?: Part): Promise<void> {
  const { roles } = await find(sql, agentId, lock)
  if (!roles.includes(role)) refuse('staff_required', { message: `Only staff with the role ${role} may do this` })
}

/**
 * Admits staff with a role to a change and to its replay, which shows the current case: refuses `profile_inactive` and
 * `staff_required`. The role stays until this transaction ends.
 */
export const admitting =
  (role: StaffRole) =>
  ({ tx, service, me }: { tx: Tx; service: Service; me: Agent }): Promise<void> => {
    passGate(service, me, 'reading')
    return requireRole(tx, me.id, role, part`for share`)
  }

/** Gives an agent a role, or takes it; undefined, and nothing is changed, where that is so already. */
export async function setRole(tx: Tx, agentId: string, role: StaffRole, held: boolean): Promise<Staff | undefined> {
  // Where there is no row yet: two that make one at once meet here.
  await tx`
    insert into staff (agent_id, roles, version, updated_at) values (${agentId}, '{}', 0, ${tx.now})
    on conflict do nothing`
  const before = await find(tx, agentId, part`for no key update`)
  if (before.roles.includes(role) === held) return undefined
  const roles = staffRoles.filter((each) => (each === role ? held : before.roles.includes(each)))
  const version = before.version + 1
  await tx`
    update staff set roles = ${roles}, version = ${version}, updated_at = ${tx.now} where agent_id = ${agentId}`
  await emit(tx, { kind: 'staff.changed', to: [agentId], subject: agentId, payload: { roles, version } })
  return { roles, version }
}
