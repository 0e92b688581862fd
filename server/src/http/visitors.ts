// Whose browser of the site a cookie names, and how it gets one. docs/contract/people.md#sessions.
import { visitorMemory } from '../kernel/callers.ts'
import { earlier, hours } from '../kernel/clock.ts'
import { refuse } from '../kernel/refuse.ts'
import { sha256 } from '../secrets.ts'
import type { Service } from '../service.ts'
import { cookieName, csrfToken, readCookie, setCookie, visitorCookie, visitorOf } from './cookies.ts'

interface LivingVisitor {
  id: string
  /** Of the cookie's value. */
  digest: Buffer
}

/** How precisely a visitor's last visit is known. */
const usedWithin = hours(24)

/**
 * The visitor of a `Cookie` header; undefined if there is no cookie, it was not signed here, or its visitor has
 * expired, whether or not its data is already deleted.
 */
export async function findVisitor(
  { sql, clock, secrets, publicUrl }: Service,
  header: string | undefined,
): Promise<LivingVisitor | undefined> {
  const value = readCookie(header, cookieName('visitor', publicUrl))
  const id = value === undefined ? undefined : visitorOf(secrets, value)
  if (id === undefined) return undefined
  const now = clock.now()
  const [found] = await sql<{ used_at: Date }>`
    select used_at from visitors where id = ${id} and used_at > ${earlier(now, visitorMemory)}`
  if (!found) return undefined
  const before = earlier(now, usedWithin)
  // Of twins the first one writes it, and the others see that it did.
  if (found.used_at <= before) await sql`update visitors set used_at = ${now} where id = ${id} and used_at <= ${before}`
  return { id, digest: sha256(value as string) }
}

export const formTokenOf = ({ secrets }: Pick<Service, 'secrets'>, { digest }: Pick<LivingVisitor, 'digest'>): string =>
  csrfToken(secrets, 'visitor', digest)

const cookieLifetimeSeconds = 365 * 24 * 3600
const limitWindowSeconds = 3600

/** Counts a new session for its address; beyond the hourly limit `write_limited`. */
export async function limitSessions({ config, limiter, metrics }: Service, address: string): Promise<void> {
  const state = await limiter.take(`visitor:${address}`, config.visitorLimitPerHour, limitWindowSeconds)
  if (state.allowed) return
  metrics.visitors.inc({ outcome: 'refused' })
  refuse('write_limited', {
    retryAfter: state.resetSeconds,
    message: 'Too many new sessions from this address this hour',
  })
}

/** A visitor's new session: its whole `Set-Cookie`, and its form token. */
export function begunSession(service: Service, visitorId: string): { cookie: string; formToken: string } {
  service.metrics.visitors.inc({ outcome: 'begun' })
  const value = visitorCookie(service.secrets, visitorId)
  return {
    cookie: setCookie('visitor', service.publicUrl, value, cookieLifetimeSeconds),
    formToken: formTokenOf(service, { digest: sha256(value) }),
  }
}
