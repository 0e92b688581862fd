// Staff for stories: roles as the operator gives them, and decisions.
import { randomUUID } from 'node:crypto'
import { type StaffRole, setRole } from '../src/modules/staff/staff.ts'
import type { Agent, Answer, World } from './world.ts'

export const appoint = (w: World, agent: Agent, role: StaffRole = 'support') =>
  w.service.sql.transaction((tx) => setRole(tx, agent.id, role, true))

export const dismiss = (w: World, agent: Agent, role: StaffRole = 'support') =>
  w.service.sql.transaction((tx) => setRole(tx, agent.id, role, false))

/** The body of a decision: a refund of a case that was escalated by hand, unless told otherwise. */
export const verdict = (fields: Record<string, unknown> = {}) => ({
  operation_id: randomUUID(),
  expected_version: 2,
  decision: 'refund',
  reason: 'It is not what was agreed',
  ...fields,
})

export const decide = (who: Agent, order: { id: string }, fields?: Record<string, unknown>): Promise<Answer> =>
  who.post(`/staff/disputes/${order.id}/decide`, verdict(fields))
