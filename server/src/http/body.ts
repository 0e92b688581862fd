// The body of a request in one piece, however many it comes in. A client may cut it into chunks of one byte each, and
// each that is kept until the end takes some hundred bytes of memory.
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { Refusal, tooLarge } from '../kernel/refuse.ts'

export type Done = (error: Error | null, body?: unknown) => void

/** Up to `freePieces` pieces may have any length; more must have `leastInPiece` bytes each on average. */
const freePieces = 4096
const leastInPiece = 16

/** Whether a body comes in so many tiny pieces that handling them costs far more than its bytes. */
export const isShredded = (pieces: number, bytes: number): boolean =>
  pieces > freePieces && bytes < pieces * leastInPiece

/** A parser for Fastify: passes on all bytes of a body, at most as many as its route takes; else `payload_too_large`. */
export const wholeBody =
  (parse: (request: FastifyRequest, bytes: Buffer, done: Done) => void) =>
  (request: FastifyRequest, payload: IncomingMessage, done: Done): void => {
    const limit = request.routeOptions.bodyLimit
    // The first piece is usually all there is, and is not copied. From the second on there is room for as much again.
    let held: Buffer | undefined
    let length = 0
    let pieces = 0

    function add(chunk: Buffer): void {
      const next = length + chunk.length
      pieces += 1
      if (next > limit || isShredded(pieces, next)) {
        finish(next > limit ? tooLarge(limit) : new Refusal('payload_too_large'))
        return
      }
      if (held === undefined) held = chunk
      else {
        if (next > held.length) {
          const room = Buffer.allocUnsafe(Math.max(2 * next, 256))
          held.copy(room, 0, 0, length)
          held = room
        }
        chunk.copy(held, length)
      }
      length = next
    }

    function finish(error?: Error): void {
      payload.off('data', add).off('end', finish).off('error', finish)
      if (error) done(error)
      else parse(request, held?.subarray(0, length) ?? Buffer.alloc(0), done)
    }

    if (Number(request.headers['content-length']) > limit) done(new Refusal('payload_too_large'))
    else payload.on('data', add).on('end', finish).on('error', finish).resume()
  }
