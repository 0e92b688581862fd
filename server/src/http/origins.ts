// The origins of this server as its own pages have them: that of `PUBLIC_URL`, and of a loopback address the name `localhost` beside
// it, where browsers have passkeys.
import { isIP } from 'node:net'

/** Where the console is opened. */
export function consoleOrigin(publicUrl: string): string {
  const url = new URL(publicUrl)
  if (url.protocol === 'http:' && isLoopback(url.hostname)) url.hostname = 'localhost'
  return url.origin
}

const isLoopback = (host: string): boolean => host === '[::1]' || (isIP(host) === 4 && host.startsWith('127.'))

/** Whether an `Origin` that was sent is this server's: the one answer for the API, the event channel and the forms of the site. */
export const isOwnOrigin = (publicUrl: string, origin: string): boolean =>
  origin === new URL(publicUrl).origin || origin === consoleOrigin(publicUrl)
