// multipart/form-data with one file and some fields, each exactly once unless it is a list (RFC 7578). The file is
// passed on as it arrives, with its file name; its declared type is ignored.
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import { invalid, invalidInput, refuse } from '../kernel/refuse.ts'
import { excessOf, requireLength } from './body.ts'

const shortField = 200

export interface Form<T> {
  fields: Record<string, string>
  lists: Record<string, string[]>
  file: T
}

/** The part of a form before its file. */
export type Sofar = Pick<Form<unknown>, 'fields' | 'lists'>

export interface FormReader<T> {
  /** The parts beside `file`. */
  fields: readonly string[]
  /** Parts like those that may be absent. */
  optional?: readonly string[]
  /** Short parts that may be absent or repeated, and how many of them there may be in all. */
  lists?: { names: readonly string[]; most: number }
  /** The limit of a part that is in no list, in bytes: 200 by default. */
  maxFieldBytes?: number
  /** The limit of all of them together, in characters; none by default. */
  maxTogether?: number
  /** The limit of the whole body in bytes, including its boundaries. */
  maxBytes: number
  /** Gets the file's bytes, and the fields that came before it; reading stops with its rejection. */
  receive: (bytes: Readable, sofar: Sofar, fileName: string | undefined) => Promise<T>
}

/**
 * Reads a form of `fields`, what else it may have, and one part `file`. Refuses `unsupported_media_type` for another type of body,
 * `payload_too_large`, and `invalid_input` for malformed, unknown, repeated or missing parts. Stops when `signal`
 * fires, with its reason. The rest of a refused body is read and dropped, so that its sender gets the response.
 */
export async function readForm<T>(
  request: IncomingMessage,
  {
    fields,
    optional = [],
    lists: { names, most } = noLists,
    maxFieldBytes = shortField,
    maxTogether = Number.POSITIVE_INFINITY,
    maxBytes,
    receive,
  }: FormReader<T>,
  signal: AbortSignal,
): Promise<Form<T>> {
  requireLength(request, maxBytes)
  const known = [...fields, ...optional]
  const parser = parserFor(request, { parts: known.length + most + 1, fieldSize: maxFieldBytes })
  const values: Record<string, string> = {}
  const lists: Record<string, string[]> = Object.fromEntries(names.map((name) => [name, []]))
  let together = 0
  let file: Readable | undefined
  let received: Promise<T> | undefined
  let cancel = (): void => {}
  try {
    await new Promise<void>((resolve, reject) => {
      const wrong = (path: string, problem: string): void => reject(invalidInput({ path, problem }))
      const malformed = (): void => wrong('body', 'malformed multipart/form-data')
      const endedEarly = (): void => {
        if (!request.complete) wrong('body', 'ended early')
      }
      parser.on('field', (name, value, _nameTruncated, truncated) => {
        const list = Object.hasOwn(lists, name) ? lists[name] : undefined
        if (!list && !known.includes(name)) return wrong(plainName(name), 'unknown part')
        if (Object.hasOwn(values, name)) return wrong(name, 'repeated part')
        together += value.length
        const isLong = truncated || together > maxTogether || (list && value.length > shortField)
        if (isLong) return wrong(name, 'too long')
        if (list) list.push(value)
        else values[name] = value
      })
      parser.on('file', (name: string | undefined, bytes, fileName: string | undefined) => {
        // A part that breaks off; a stream that its reader abandoned also emits this, and adds nothing.
        bytes.on('error', () => bytes.destroyed || malformed())
        if (name !== 'file' || file) {
          bytes.resume()
          return wrong(plainName(name), name === 'file' ? 'repeated part' : 'unknown part')
        }
        file = bytes
        received = receive(bytes, { fields: values, lists }, fileName)
        received.catch(reject)
      })
      parser.on('partsLimit', () => wrong('body', 'too many parts'))
      parser.on('error', malformed)
      parser.on('finish', resolve)
      let bytesRead = 0
      let pieces = 0
      request.on('data', (chunk: Buffer) => {
        bytesRead += chunk.length
        pieces += 1
        const excess = excessOf({ bytes: bytesRead, pieces }, maxBytes)
        if (!excess) return
        request.unpipe(parser)
        reject(excess)
      })
      request.on('error', endedEarly)
      request.on('close', endedEarly)
      cancel = () => reject(signal.reason)
      signal.addEventListener('abort', cancel)
      if (signal.aborted) cancel()
      // A sender that hung up while waiting for its turn says so only once.
      if (request.destroyed) endedEarly()
      request.pipe(parser)
    })
    for (const name of fields) if (!Object.hasOwn(values, name)) invalid({ path: name, problem: 'required' })
    if (!received) return invalid({ path: 'file', problem: 'required' })
    return { fields: values, lists, file: await received }
  } catch (error) {
    request.unpipe(parser)
    request.resume()
    file?.destroy(error as Error)
    await received?.catch(() => {})
    throw error
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

/** No form of a page has more before its file, in characters and in milliseconds. */
const before = { most: 524_288, time: 10_000 }

/** What a form may have before its file. */
export type StartParts = Pick<FormReader<never>, 'optional' | 'lists' | 'maxFieldBytes'>

/** The fields before the file. A refused form is shown again with them, however early it was refused. */
interface FormStart {
  /** Whoever reads the form tells what came. */
  note(sofar: Sofar): void
  /** What was noted. Reads the form up to its file if nobody has begun to. Empty if it is malformed or late. */
  find(): Promise<Sofar>
}

export function startOfForm(request: IncomingMessage, parts: StartParts): FormStart {
  let known: Sofar | undefined
  const isUntouched = (): boolean => request.readableFlowing === null
  return {
    note(sofar) {
      known = sofar
    },
    async find() {
      known ??= isUntouched() ? await readStart(request, parts) : undefined
      return known ?? { fields: {}, lists: {} }
    },
  }
}

async function readStart(request: IncomingMessage, parts: StartParts): Promise<Sofar | undefined> {
  let found: Sofar | undefined
  const receive = async (_bytes: Readable, sofar: Sofar): Promise<never> => {
    found = sofar
    return refuse('unauthorized')
  }
  const limits = { maxTogether: before.most, maxBytes: Number.POSITIVE_INFINITY }
  await readForm(request, { fields: [], ...parts, ...limits, receive }, AbortSignal.timeout(before.time)).catch(
    () => {},
  )
  return found
}

/** A part by its own name where that is short and plain. */
const plainName = (name = ''): string => (/^[\w.-]{1,64}$/.test(name) ? name : 'body')

const noLists = { names: [], most: 0 } as const

function parserFor(request: IncomingMessage, limits: { parts: number; fieldSize: number }): BusboyInstance {
  try {
    return new Busboy({
      headers: request.headers as BusboyHeaders,
      isPartAFile: (name, _type, fileName) => name === 'file' || fileName !== undefined,
      limits,
    })
  } catch {
    return refuse('unsupported_media_type', { message: 'Send multipart/form-data with a boundary' })
  }
}
