// What a request is about, however its target is written. RFC 9112, 3.2.
import type { IncomingMessage } from 'node:http'
import { countHeader } from './authenticate.ts'

/** The path with its query. A target may name an origin too, and haproxy passes it on: the origin changes nothing. */
export const targetOf = ({ url = '' }: Pick<IncomingMessage, 'url'>): string =>
  url.replace(/^https?:\/\/[^/?#]*\/?/i, '/')

const host = /^(?:\[[\w.~!$&'()*+,;=:%-]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/

/** What is wrong with the Host of a request, for it must have exactly one that is a host, with or without a port. */
export function faultOfHost({ rawHeaders, headers, httpVersion }: IncomingMessage): string | undefined {
  const given = headers.host
  if (given === undefined) return httpVersion === '1.1' ? 'No Host header' : undefined
  if (countHeader(rawHeaders, 'host') > 1) return 'More than one Host header'
  return host.test(given) ? undefined : 'The Host header is no host'
}
