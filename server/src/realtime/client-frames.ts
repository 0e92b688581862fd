// What a client may send: acknowledgements, in how many frames and pieces, and when too many close the connection.
import { parseObject } from '../http/json.ts'
import { seconds } from '../kernel/clock.ts'
import { uuidPattern } from '../kernel/schema.ts'
import type { Connection } from './connection.ts'
import type { FrameHeader } from './frame-reader.ts'

export const maxFrame = 2048
const maxFrames = 1000
const framesWindow = seconds(10)
/** More than the characters of an acknowledgement: one byte per fragment is odd, but allowed. */
export const maxFragments = 128
/** Pieces in which the network may bring one frame. */
export const maxPieces = 2 * maxFrame

/** As nearly every client writes it: read without parsing. */
const usual = /^\{"type":"ack","event_id":"([^"\\]{36})"\}$/

/** The event that a frame `{type: "ack", event_id}` acknowledges; undefined for any other frame. */
export function acknowledgedId(bytes: Buffer): string | undefined {
  const written = usual.exec(bytes.toString('latin1'))?.[1]
  if (written !== undefined) return uuidPattern.test(written) ? written.toLowerCase() : undefined
  let frame: Record<string, unknown>
  try {
    frame = parseObject(bytes)
  } catch {
    return undefined
  }
  const { type, event_id: eventId, ...rest } = frame
  if (type !== 'ack' || typeof eventId !== 'string' || Object.keys(rest).length > 0) return undefined
  return uuidPattern.test(eventId) ? eventId.toLowerCase() : undefined
}

/** Why a frame closes the connection; whole messages are counted once it is known what they acknowledge. */
export function faultOf(connection: Connection, { opcode, final }: FrameHeader): 4400 | 4429 | undefined {
  const isControl = opcode >= 8
  if (!isControl) {
    if (opcode !== 0) connection.fragments = 0
    connection.fragments += 1
    if (connection.fragments > maxFragments) return 4400
    if (final) connection.pieces.push(connection.fragments)
  }
  return (isControl || opcode === 0 || !final) && tooManyFrames(connection) ? 4429 : undefined
}

export function tooManyFrames(connection: Connection): boolean {
  const now = performance.now()
  if (now - connection.framesSince >= framesWindow) {
    connection.framesSince = now
    connection.frames = 0
  }
  connection.frames += 1
  return connection.frames > maxFrames
}
