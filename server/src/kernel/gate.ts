// What a suspended agent, or one without a verified email after its grace period, may still do: once for verbs, once
// for statements. docs/contract/authentication.md#the-gate.
import type { Agent, Party } from './callers.ts'
import { after, type Clock, days, earlier } from './clock.ts'
import { type Part, part } from './part.ts'
import { type Code, refuse } from './refuse.ts'

/**
 * What a route means to a restricted agent: `own` stays allowed (reading own data, tokens, email, ending orders);
 * `reading` stays allowed without a verified email, but not to a suspended agent; `new` is refused to both.
 */
export type Gate = 'own' | 'reading' | 'new'

const gracePeriod = days(14)

export interface GateRules {
  readonly config: { readonly ownerEmailGate: boolean }
  readonly clock: Clock
  /** When the gate was first on; undefined if it never was. */
  readonly gateSince: Date | undefined
}

/** When the grace period of an agent without a verified email ends; null while the gate is off. */
export function graceEnd({ config, gateSince }: Omit<GateRules, 'clock'>, createdAt: Date): Date | null {
  if (!config.ownerEmailGate || !gateSince) return null
  return after(new Date(Math.max(gateSince.getTime(), createdAt.getTime())), gracePeriod)
}

export function isRestricted(rules: GateRules, me: Agent): boolean {
  if (me.emailVerifiedAt) return false
  const end = graceEnd(rules, me.createdAt)
  return end !== null && rules.clock.now() >= end
}

/** What a restricted agent is refused with; undefined if it may. Only agents are restricted. */
function refusalAt(rules: GateRules, me: Party, gate: Gate): 'profile_inactive' | 'owner_email_required' | undefined {
  if (gate === 'own' || me.kind !== 'agent') return undefined
  const agent = me as Agent
  if (agent.suspendedAt) return 'profile_inactive'
  return gate === 'new' && isRestricted(rules, agent) ? 'owner_email_required' : undefined
}

/** Whether {@link passGate} would let somebody pass. */
export const passesGate = (rules: GateRules, me: Party, gate: Gate): boolean => refusalAt(rules, me, gate) === undefined

/** Refuses what a restricted agent may not do: `profile_inactive`, `owner_email_required`. */
export function passGate(rules: GateRules, me: Party, gate: Gate): void {
  const code = refusalAt(rules, me, gate)
  if (code === 'profile_inactive') refuse(code, inactiveBy((me as Agent).suspensionCaseId))
  if (code) refuse(code)
}

/** The details of `profile_inactive`: where to read the case of the suspension, and where to appeal. */
export function inactiveBy(caseId: string | null): { details?: { case: object } } {
  if (caseId === null) return {}
  const url = `/api/v1/moderation/cases/${caseId}`
  return { details: { case: { id: caseId, url, appeal_url: `${url}/appeal` } } }
}

/**
 * The same for `new` at a moment, as SQL over an agent's row `a`: the refusal's code, or null. The codes are those of
 * {@link passGate}, in the same order; `profile_inactive` comes with the {@link inactiveBy} of the row's
 * `suspension_case_id`.
 */
export function gateRefusal({ config, gateSince }: Omit<GateRules, 'clock'>, now: Date): Part {
  // While the gate is off nobody is restricted: `infinity` is never 14 days ago.
  const since = config.ownerEmailGate && gateSince ? gateSince.toISOString() : 'infinity'
  const codes = { suspended: 'profile_inactive', unverified: 'owner_email_required' } as const satisfies Record<
    string,
    Code
  >
  return part`case
    when a.suspended_at is not null then ${codes.suspended}::text
    when a.email_verified_at is null and greatest(a.created_at, ${since}::timestamptz)
      <= ${earlier(now, gracePeriod)} then ${codes.unverified}::text
  end`
}
