// The cookie of a customer's session, as a door gives and takes it. docs/contract/people.md#sessions.
import { humanSessionLifetime } from '../kernel/callers.ts'
import { seconds } from '../kernel/clock.ts'
import { sha256 } from '../secrets.ts'
import type { Service } from '../service.ts'
import { cookieName, csrfToken, readCookie, secretDigest, setCookie } from './cookies.ts'

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
