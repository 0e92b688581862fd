// The cookie of a customer's session, as a door gives and takes it, and whose it is. docs/contract/people.md#sessions.
import { type Admitted, type Human, humanSessionLifetime } from '../kernel/callers.ts'
import { seconds } from '../kernel/clock.ts'
import { sha256 } from '../secrets.ts'
import type { Service } from '../service.ts'
import { cookieName, csrfToken, readCookie, secretDigest, setCookie } from './cookies.ts'
import { credentialOf, lookUp } from './credentials.ts'
import type { SiteCustomer } from './page.ts'

/** The session that a `Cookie` header names, whether there is one or not. */
export function humanSessionOf(
  { publicUrl }: Pick<Service, 'publicUrl'>,
  header: string | undefined,
): Buffer | undefined {
  const value = readCookie(header, cookieName('human', publicUrl))
  return value === undefined ? undefined : secretDigest(value)
}

/** What the forms of a customer's session carry. */
export const humanFormToken = ({ secrets }: Pick<Service, 'secrets'>, session: Buffer): string =>
  csrfToken(secrets, 'human', session)

/** A session that has just begun, by its secret: its whole `Set-Cookie`, and what its forms carry. */
export function begunHumanSession(service: Service, secret: string): { cookie: string; formToken: string } {
  return {
    cookie: setCookie('human', service.publicUrl, secret, humanSessionLifetime / seconds(1)),
    formToken: humanFormToken(service, sha256(secret)),
  }
}

/** The `Set-Cookie` after which a browser has none. */
export const endedHumanSession = ({ publicUrl }: Pick<Service, 'publicUrl'>): string =>
  setCookie('human', publicUrl, '', 0)

/** Whose session this is; undefined where it is unknown, ended or over. */
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
 * The customer of a `Cookie` header, for a page; undefined where nobody is signed in. `read_limited` for an address that has shown
 * too many secrets that were none.
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
