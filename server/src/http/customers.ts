// Which customer a cookie names. docs/contract/people.md#sessions.
import type { Admitted, Human } from '../kernel/callers.ts'
import type { Service } from '../service.ts'
import { cookieName, csrfToken, readCookie, secretDigest } from './cookies.ts'
import { credentialOf, lookUp } from './credentials.ts'
import type { SiteCustomer } from './page.ts'

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
  const value = readCookie(header, cookieName('human', service.publicUrl))
  const digest = value === undefined ? undefined : secretDigest(value)
  if (!digest) return undefined
  const found = await lookUp(service, credentialOf('human', digest), address, () => findHuman(service, digest))
  return (
    found && { human: found.caller, session: found.session, formToken: csrfToken(service.secrets, 'human', digest) }
  )
}
