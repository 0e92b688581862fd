// The body of a request in one piece, however many it comes in. A client may cut it into chunks of one byte each, and
// each that is kept until the end takes some hundred bytes of memory.
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { Refusal, tooLarge } from '../kernel/refuse.ts'
import type { Service } from '../service.ts'
import { largeBodiesOf, largeFrom } from './large-bodies.ts'
import { countedFor } from './turns.ts'

export type Done = (error: Error | null, body?: unknown) => void

/** Up to `freePieces` pieces may have any length; more must have `leastInPiece` bytes each on average. */
const freePieces = 4096
const leastInPiece = 16

/** Refuses `payload_too_large` for a body that says it is longer than it may be. */
export function requireLength({ headers }: IncomingMessage, limit: number): void {
  if (Number(headers['content-length'] ?? 0) > limit) throw tooLarge(limit)
}

/** Why no more of a body is read: it is too long, or comes in so many tiny pieces that handling them costs far more than its bytes. */
export function excessOf(body: { bytes: number; pieces: number }, limit: number): Refusal | undefined {
  const { bytes, pieces } = body
  if (bytes > limit) return tooLarge(limit)
  const isShredded = pieces > freePieces && bytes < pieces * leastInPiece
  return isShredded ? new Refusal('payload_too_large', { message: 'Send the body in larger pieces' }) : undefined
}

/** A parser for Fastify: passes on all bytes of a body, at most as many as its route takes; else `payload_too_large`. */
export function wholeBody(
  service: Service,
  parse: (request: FastifyRequest, bytes: Buffer, done: Done) => void,
): (request: FastifyRequest, payload: IncomingMessage, done: Done) => void {
  const large = largeBodiesOf(service)
  return (request, payload, done) => {
    const limit = request.routeOptions.bodyLimit
    /** 0 of a body in chunks. */
    const announced = Number(request.headers['content-length'] ?? 0)
    // The first piece is usually all there is, and is not copied. From the second on there is room for as much again.
    let held: Buffer | undefined
    let length = 0
    let pieces = 0
    /** Counted bytes of a large body, sent or announced; one in chunks has room for as much again. */
    let room: ReturnType<typeof large.roomFor> | undefined
    let counted = 0

    function add(chunk: Buffer): void {
      const next = length + chunk.length
      pieces += 1
      const excess = excessOf({ bytes: next, pieces }, limit) ?? excessOfLarge(next)
      if (excess) {
        finish(excess)
        return
      }
      if (held === undefined) held = chunk
      else {
        if (next > held.length) {
          const larger = Buffer.allocUnsafe(counted || Math.max(2 * next, 256))
          held.copy(larger, 0, 0, length)
          held = larger
        }
        chunk.copy(held, length)
      }
      length = next
    }

    function excessOfLarge(bytes: number): Refusal | undefined {
      if (bytes <= Math.max(counted, largeFrom)) return undefined
      counted = announced || Math.min(2 * bytes, limit)
      try {
        if (!room) payload.once('close', giveBack)
        room ??= large.roomFor(countedFor(service, request))
        room.grow(counted)
        return undefined
      } catch (error) {
        return error as Refusal
      }
    }

    const giveBack = (): void => room?.giveBack()

    function finish(error?: Error): void {
      payload.off('data', add).off('end', finish).off('error', finish)
      if (error) fail(error)
      else if (room) large.inTurn(pass)
      else pass()
    }

    function pass(): void {
      giveBack()
      parse(request, held?.subarray(0, length) ?? Buffer.alloc(0), done)
    }

    function fail(error: Error): void {
      giveBack()
      done(error)
    }

    const excess = announced > limit ? tooLarge(limit) : excessOfLarge(announced)
    if (excess) fail(excess)
    else payload.on('data', add).on('end', finish).on('error', finish).resume()
  }
}
