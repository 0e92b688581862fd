// What a request is about, however its target is written. RFC 9112, 3.2.
import type { IncomingMessage } from 'node:http'

/** The path with its query. A target may name an origin too, and haproxy passes it on: the origin changes nothing. */
export const targetOf = ({ url = '' }: Pick<IncomingMessage, 'url'>): string =>
  url.replace(/^https?:\/\/[^/?#]*\/?/i, '/')
