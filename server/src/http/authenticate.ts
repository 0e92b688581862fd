// Who calls, and what a suspended agent or one without a verified email may still do.
// SPEC.md, Authentication; OPEN-POINTS.md, section 3 (the gate).
import { after, days } from '../kernel/clock.ts'
import { refuse } from '../kernel/refuse.ts'
import { sha256, tokenPattern } from '../secrets.ts'
import type { Service } from '../service.ts'
import type { Query } from '../store/sql.ts'

export interface Agent {
  id: string
  handle: string
  tokenDigest: Buffer
  tokenExpiresAt: Date
  suspendedAt: Date | null
  emailVerifiedAt: Date | null
  createdAt: Date
}

/**
 * What a route is to an agent under restriction: `own` stays allowed (own data, tokens, e-mail, ending what was
 * begun); `reading` stays allowed without a verified e-mail, but not to a suspended agent; `new` is refused to both.
 */
export type Gate = 'own' | 'reading' | 'new'

export const gracePeriod: number = days(14)

/** The token of an `Authorization` header; `unauthorized` for a malformed one or a second header. */
export function bearerToken(rawHeaders: readonly string[], authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined
  if (countHeader(rawHeaders, 'authorization') > 1) return unauthorized()
  const token = /^Bearer +([^ ]+)$/i.exec(authorization)?.[1]
  return token !== undefined && tokenPattern.test(token) ? token : unauthorized()
}

export function countHeader(rawHeaders: readonly string[], name: string): number {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) if ((rawHeaders[i] as string).toLowerCase() === name) count++
  return count
}

export const unauthorized = (): never => refuse('unauthorized', { headers: { 'www-authenticate': 'Bearer' } })

/** The agent of a live token, or `unauthorized`. */
export async function authenticate(service: Service, digest: Buffer): Promise<Agent> {
  return (await findByToken(service.sql, digest, service.clock.now())) ?? unauthorized()
}

export async function findByToken(sql: Query, digest: Buffer, now: Date): Promise<Agent | undefined> {
  const [row] = await sql<{
    id: string
    handle: string
    expires_at: Date
    suspended_at: Date | null
    email_verified_at: Date | null
    created_at: Date
  }>`
    select a.id, a.handle, t.expires_at, a.suspended_at, a.email_verified_at, a.created_at
    from tokens t join agents a on a.id = t.agent_id
    where t.digest = ${digest} and t.revoked_at is null and t.expires_at > ${now}`
  return (
    row && {
      id: row.id,
      handle: row.handle,
      tokenDigest: digest,
      tokenExpiresAt: row.expires_at,
      suspendedAt: row.suspended_at,
      emailVerifiedAt: row.email_verified_at,
      createdAt: row.created_at,
    }
  )
}

export const tokenDigest = (token: string): Buffer => sha256(token)

/** When the grace period of an agent without a verified e-mail ends; null while the gate is off. */
export function graceEnd(service: Pick<Service, 'config' | 'gateSince'>, createdAt: Date): Date | null {
  if (!service.config.ownerEmailGate || !service.gateSince) return null
  return after(new Date(Math.max(service.gateSince.getTime(), createdAt.getTime())), gracePeriod)
}

export function isRestricted(service: Pick<Service, 'config' | 'gateSince' | 'clock'>, me: Agent): boolean {
  if (me.emailVerifiedAt) return false
  const end = graceEnd(service, me.createdAt)
  return end !== null && service.clock.now() >= end
}

/** Refuses what a restricted agent may not do: `profile_inactive`, `owner_email_required`. */
export function passGate(service: Pick<Service, 'config' | 'gateSince' | 'clock'>, me: Agent, gate: Gate): void {
  if (gate === 'own') return
  if (me.suspendedAt) refuse('profile_inactive')
  if (gate === 'new' && isRestricted(service, me)) refuse('owner_email_required')
}
