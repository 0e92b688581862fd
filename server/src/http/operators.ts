// Which operator a cookie names. docs/contract/site.md#the-console.
import { earlier, minutes } from '../kernel/clock.ts'
import type { Service } from '../service.ts'
import { cookieName, csrfToken, readCookie, secretDigest } from './cookies.ts'
import type { SiteOperator } from './page.ts'

/** How precisely the last use of a session is known. */
const usedWithin = minutes(5)

/** The operator of a `Cookie` header; undefined if nobody is signed in. */
export async function findOperator(
  { sql, clock, secrets, publicUrl }: Pick<Service, 'sql' | 'clock' | 'secrets' | 'publicUrl'>,
  header: string | undefined,
): Promise<SiteOperator | undefined> {
  const value = readCookie(header, cookieName('operator', publicUrl))
  const digest = value === undefined ? undefined : secretDigest(value)
  if (!digest) return undefined
  const now = clock.now()
  const [found] = await sql<Pick<SiteOperator, 'id' | 'email' | 'level'> & { used_at: Date; expires_at: Date }>`
    select o.id, o.email, s.level, s.used_at, s.expires_at
    from operator_sessions s join operators o on o.id = s.operator_id
    where s.digest = ${digest} and s.expires_at > ${now}`
  if (!found) return undefined
  const { used_at: usedAt, expires_at: expiresAt, ...operator } = found
  const before = earlier(now, usedWithin)
  if (usedAt <= before) {
    await sql`update operator_sessions set used_at = ${now} where digest = ${digest} and used_at <= ${before}`
  }
  return { ...operator, session: { digest, expiresAt }, formToken: csrfToken(secrets, 'operator', digest) }
}
