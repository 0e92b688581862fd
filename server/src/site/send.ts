// Bodies with a tag: compressed where that is taken, and not sent twice. Those that stay as they are while the process runs are
// hashed and compressed once.
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

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('base64url')

/** Prepares bytes for {@link sendFixed}. */
export async function fixed(bytes: Buffer): Promise<Fixed> {
  return { bytes, zipped: await zip(bytes), hash: hashOf(bytes) }
}

/** Sends the bytes, or 304 to a client that has them; `headers` go with both. */
export function sendFixed(request: FastifyRequest, reply: FastifyReply, body: Fixed, headers: Record<string, string>) {
  const { bytes, zipped, hash } = body
  const isZipped = zipped.length < bytes.length && takesGzip(request.headers['accept-encoding'])
  if (isKnown(request, reply, { hash, isZipped, headers })) return reply.code(304).send()
  if (isZipped) reply.header('content-encoding', 'gzip')
  return reply.send(isZipped ? zipped : bytes)
}

export const gzipType = 'application/gzip'
export const zipType = 'application/zip'
/** Of bytes that are compressed as they are: twice helps nobody, and some clients undo both. */
const packedTypes = [gzipType, zipType, 'image/png']

/** Below it a compressed answer is hardly a shorter one. */
const worthZipping = 1000

/**
 * {@link sendFixed} for what was made for this visit. Where it is known in which second it last changed, its date will do for a
 * client without a tag (RFC 9110, 13.1.3).
 */
export async function sendMade(
  request: FastifyRequest,
  reply: FastifyReply,
  bytes: Buffer,
  headers: Record<string, string>,
  changedAt?: Date,
) {
  const isWorth = bytes.length >= worthZipping && !packedTypes.includes(headers['content-type'] ?? '')
  const isZipped = isWorth && takesGzip(request.headers['accept-encoding'])
  if (isKnown(request, reply, { hash: hashOf(bytes), isZipped, headers })) return reply.code(304).send()
  if (changedAt && request.headers['if-none-match'] === undefined && isSince(request, changedAt))
    return reply.code(304).send()
  if (!isZipped) return reply.send(bytes)
  return reply.header('content-encoding', 'gzip').send(await zip(bytes))
}

/** Sends what nobody keeps, compressed where that is taken: only of pages without a secret, whose length then tells nothing. */
export async function sendOnce(request: FastifyRequest, reply: FastifyReply, bytes: Buffer, vary: string | undefined) {
  reply.header('vary', ['Accept-Encoding', vary].filter((name) => name !== undefined).join(', '))
  if (bytes.length < worthZipping || !takesGzip(request.headers['accept-encoding'])) return reply.send(bytes)
  return reply.header('content-encoding', 'gzip').send(await zip(bytes))
}

interface Tagged {
  hash: string
  isZipped: boolean
  headers: Record<string, string>
}

/** Sets the headers of an answer with a tag, and says whether the client has that answer already. */
function isKnown(request: FastifyRequest, reply: FastifyReply, { hash, isZipped, headers }: Tagged): boolean {
  // What others may keep says nothing of who asked for it.
  for (const name of ['ratelimit', 'ratelimit-policy']) reply.removeHeader(name)
  // Two encodings are two representations: each has its own strong tag.
  const tag = (ofZipped: boolean): string => `"${hash}${ofZipped ? '-gzip' : ''}"`
  const vary = ['Accept-Encoding', headers['vary']].filter((name) => name !== undefined).join(', ')
  reply.headers({ ...headers, etag: tag(isZipped), vary })
  const asked = (request.headers['if-none-match'] ?? '').split(',').map((each) => each.trim().replace(/^W\//, ''))
  return asked.includes('*') || asked.includes(tag(true)) || asked.includes(tag(false))
}

/** Whether a client's date is that of the last change, and no other one: it was told that with these bytes. */
const isSince = (request: FastifyRequest, changedAt: Date): boolean =>
  Date.parse(request.headers['if-modified-since'] ?? '') === changedAt.getTime()

/** `*` stands for what is not named (RFC 9110, 12.5.3). */
function takesGzip(header: string | string[] | undefined): boolean {
  const offers = String(header ?? '')
    .toLowerCase()
    .replaceAll(/[ \t]/g, '')
    .split(',')
  const named = (name: string) => offers.find((offer) => offer.split(';', 1)[0] === name)
  const offer = named('gzip') ?? named('*')
  return offer !== undefined && !/;q=0(\.0*)?$/.test(offer)
}
