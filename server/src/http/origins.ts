// The origins of this server's own pages: that of `PUBLIC_URL`, and for a loopback address also the name `localhost`,
// where browsers support passkeys.
import { isIP } from 'node:net'

/** Where the console is opened. */
export function consoleOrigin(publicUrl: string): string {
  const url = new URL(publicUrl)
  if (url.protocol === 'http:' && isLoopback(url.hostname)) url.hostname = 'localhost'
  return url.origin
}

const isLoopback = (host: string): boolean => host === '[::1]' || (isIP(host) === 4 && host.startsWith('127.'))

/** Whether a sent `Origin` is this server's: the one answer for the API, the event channel and the site's forms. */
export const isOwnOrigin = (publicUrl: string, origin: string): boolean =>
  origin === new URL(publicUrl).origin || origin === consoleOrigin(publicUrl)
