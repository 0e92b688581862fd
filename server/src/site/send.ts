// Bodies that stay as they are while the process runs: hashed and compressed once, and not sent twice.
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

export interface Fixed {
  bytes: Buffer
  zipped: Buffer
  hash: string
}

const zip = promisify(gzip)

/** Prepares bytes for {@link sendFixed}. */
export async function fixed(bytes: Buffer): Promise<Fixed> {
  return { bytes, zipped: await zip(bytes), hash: createHash('sha256').update(bytes).digest('base64url') }
}

/**
 * Sends the bytes, or 304 to a client that has them; `headers` go with both. Where it is known in which second they last changed,
 * its date will do for a client without a tag (RFC 9110, 13.1.3).
 */
export function sendFixed(
  request: FastifyRequest,
  reply: FastifyReply,
  body: Fixed,
  headers: Record<string, string>,
  changedAt?: Date,
) {
  const zipped = body.zipped.length < body.bytes.length && takesGzip(request.headers['accept-encoding'])
  // Two encodings are two representations: each has its own strong tag.
  const tag = (isZipped: boolean): string => `"${body.hash}${isZipped ? '-gzip' : ''}"`
  reply.headers({
    ...headers,
    etag: tag(zipped),
    vary: ['Accept-Encoding', headers['vary']].filter(Boolean).join(', '),
  })
  const asked = (request.headers['if-none-match'] ?? '').split(',').map((each) => each.trim().replace(/^W\//, ''))
  if (asked.includes('*') || asked.includes(tag(true)) || asked.includes(tag(false))) return reply.code(304).send()
  if (changedAt && request.headers['if-none-match'] === undefined && isSince(request, changedAt))
    return reply.code(304).send()
  if (zipped) reply.header('content-encoding', 'gzip')
  return reply.send(zipped ? body.zipped : body.bytes)
}

/** Whether a client's date is that of the last change, and no other one: it was told that with these bytes. */
const isSince = (request: FastifyRequest, changedAt: Date): boolean =>
  Date.parse(request.headers['if-modified-since'] ?? '') === changedAt.getTime()

function takesGzip(header: string | string[] | undefined): boolean {
  const offers = String(header ?? '')
    .toLowerCase()
    .split(',')
  return offers.some((offer) => /^\s*(gzip|\*)\s*(;\s*q=(?!0(\.0*)?\s*$)|$)/.test(offer))
}
