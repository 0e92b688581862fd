// Whose browser of the site a cookie names: a visitor who is still known here. docs/contract/people.md#sessions.
import { earlier, hours } from '../kernel/clock.ts'
import { sha256 } from '../secrets.ts'
import type { Service } from '../service.ts'
import { cookieName, readCookie, visitorOf } from './cookies.ts'

export interface LivingVisitor {
  id: string
  /** Of the cookie's value. */
  digest: Buffer
}

/** How exactly it is known when a visitor was here last. */
const usedWithin = hours(24)

/** The visitor of a `Cookie` header; undefined where there is no cookie, it was not signed here, or its visitor is gone. */
export async function findVisitor(
  { sql, clock, secrets, publicUrl }: Service,
  header: string | undefined,
): Promise<LivingVisitor | undefined> {
  const value = readCookie(header, cookieName('visitor', publicUrl))
  const id = value === undefined ? undefined : visitorOf(secrets, value)
  if (id === undefined) return undefined
  const [found] = await sql<{ used_at: Date }>`select used_at from visitors where id = ${id}`
  if (!found) return undefined
  const now = clock.now()
  if (found.used_at <= earlier(now, usedWithin)) {
    await sql`update visitors set used_at = ${now} where id = ${id} and used_at < ${now}`
  }
  return { id, digest: sha256(value as string) }
}
