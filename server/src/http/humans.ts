// The cookie of a customer's session, as endpoints set and read it, and whose it is. docs/contract/people.md#sessions.
import { type Admitted, type Human, humanSessionLifetime } from '../kernel/callers.ts'
import { seconds } from '../kernel/clock.ts'
import { sha256 } from '../secrets.ts'
import type { Service } from '../service.ts'
import { cookieName, csrfToken, readCookie, secretDigest, setCookie } from './cookies.ts'
import { credentialOf, lookUp } from './credentials.ts'
import type { SiteCustomer } from './page.ts'

/** The session that a `Cookie` header names, whether it exists or not. */
export function humanSessionOf(
  { publicUrl }: Pick<Service, 'publicUrl'>,
  header: string | undefined,
): Buffer | undefined {
  const value = readCookie(header, cookieName('human', publicUrl))
  return value === undefined ? undefined : secretDigest(value)
}

export const humanFormToken = ({ secrets }: Pick<Service, 'secrets'>, session: Buffer): string =>
  csrfToken(secrets, 'human', session)

/** A new session, by its secret: its whole `Set-Cookie`, and its form token. */
export function begunHumanSession(service: Service, secret: string): { cookie: string; formToken: string } {
  return {
    cookie: setCookie('human', service.publicUrl, secret, humanSessionLifetime / seconds(1)),
    formToken: humanFormToken(service, sha256(secret)),
  }
}

/** The `Set-Cookie` that deletes the cookie. */
export const endedHumanSession = ({ publicUrl }: Pick<Service, 'publicUrl'>): string =>
  setCookie('human', publicUrl, '', 0)

/** Whose session this is; undefined if it is unknown, ended or expired. */
export async function findHuman(
  { sql, clock }: Pick<Service, 'sql' | 'clock'>,
  digest: Buffer,
): Promise<Admitted<Human> | undefined> {
  const [row] = await sql<{ id: string; display_name: string; expires_at: Date }>`
    select h.id, h.display_name, s.expires_at from human_sessions s join humans h on h.id = s.human_id
    where s.digest = ${digest} and s.ended_at is null and s.expires_at > ${clock.now()}`
  return (
    row && {
      caller: { kind: 'human', id: row.id, displayName: row.display_name },
      session: { digest, expiresAt: row.expires_at },
    }
  )
}

/**
 * The customer of a `Cookie` header, for a page; undefined if nobody is signed in. `read_limited` for an address that
 * has shown too many invalid secrets.
 */
export async function findCustomer(
  service: Service,
  header: string | undefined,
  address: string,
): Promise<SiteCustomer | undefined> {
  const digest = humanSessionOf(service, header)
  if (!digest) return undefined
  const found = await lookUp(service, credentialOf('human', digest), address, () => findHuman(service, digest))
  return found && { human: found.caller, session: found.session, formToken: humanFormToken(service, digest) }
}
