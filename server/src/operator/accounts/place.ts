// Where the console is opened. Browsers have passkeys for names alone, and only below https or on the machine itself.
import { isIP } from 'node:net'
import { consoleOrigin } from '../../http/origins.ts'
import { OperatorError } from '../operator.ts'

/** The relying party of the console's passkeys; undefined if no browser would have one. */
export function relyingParty(publicUrl: string): { id: string; origin: string } | undefined {
  const { protocol, hostname, origin } = new URL(consoleOrigin(publicUrl))
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  if (hostname.startsWith('[') || isIP(hostname) !== 0 || !(protocol === 'https:' || isLocal)) return undefined
  return { id: hostname, origin }
}

/** The origin of the console, where passkeys are possible; otherwise an {@link OperatorError} that says what is to be set. */
export function placeOfConsole(publicUrl: string | undefined): string {
  const place = publicUrl === undefined ? undefined : relyingParty(publicUrl)?.origin
  if (place !== undefined) return place
  throw new OperatorError(
    `The console signs in with passkeys, which browsers offer only on https with a host name, or on localhost: PUBLIC_URL is ${publicUrl ?? 'not known'}`,
  )
}
