// multipart/form-data with one file and some fields, each exactly once unless it is a list (RFC 7578). The file is handed on as
// it comes in with the name that it was sent under; its declared type is told to nobody.
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import { invalid, invalidInput, Refusal, refuse } from '../kernel/refuse.ts'

const shortField = 200

export interface Form<T> {
  fields: Record<string, string>
  lists: Record<string, string[]>
  file: T
}

/** What has come of a form before its file. */
export type Sofar = Pick<Form<unknown>, 'fields' | 'lists'>

export interface FormReader<T> {
  /** The parts beside `file`. */
  fields: readonly string[]
  /** Short parts that there may be none of, or several, and how many of all of them there may be. */
  lists?: { names: readonly string[]; most: number }
  /** The most bytes of one of `fields`: 200 when undefined. */
  maxFieldBytes?: number
  /** The most bytes of the whole body, its boundaries included. */
  maxBytes: number
  /** Gets the file's bytes, and of the fields those that came before it; what it rejects with ends the reading. */
  receive: (bytes: Readable, sofar: Sofar, fileName: string | undefined) => Promise<T>
}

/**
 * Reads a form of exactly `fields` and one part `file`. Refuses `unsupported_media_type` for another type of body,
 * `payload_too_large`, and `invalid_input` for malformed, unknown, repeated or missing parts. Stops when `signal`
 * fires, with its reason. What is left of a refused body is read and forgotten, so that its sender comes to the answer.
 */
export async function readForm<T>(
  request: IncomingMessage,
  { fields, lists: { names, most } = noLists, maxFieldBytes = shortField, maxBytes, receive }: FormReader<T>,
  signal: AbortSignal,
): Promise<Form<T>> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) refuse('payload_too_large')
  const parser = parserFor(request, { parts: fields.length + most + 1, fieldSize: maxFieldBytes })
  const values: Record<string, string> = {}
  const lists: Record<string, string[]> = Object.fromEntries(names.map((name) => [name, []]))
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
        if (!list && !fields.includes(name)) return wrong(name === 'file' ? name : 'body', 'unknown part')
        if (Object.hasOwn(values, name)) return wrong(name, 'repeated part')
        if (truncated || (list && value.length > shortField)) return wrong(name, 'too long')
        if (list) list.push(value)
        else values[name] = value
      })
      parser.on('file', (name: string | undefined, bytes, fileName: string | undefined) => {
        // A part that breaks off; a stream that its reader gave up speaks too, and has nothing to add.
        bytes.on('error', () => bytes.destroyed || malformed())
        if (name !== 'file' || file) {
          bytes.resume()
          return wrong(name === 'file' ? name : 'body', file ? 'repeated part' : 'unknown part')
        }
        file = bytes
        received = receive(bytes, { fields: values, lists }, fileName)
        received.catch(reject)
      })
      parser.on('partsLimit', () => wrong('body', 'too many parts'))
      parser.on('error', malformed)
      parser.on('finish', resolve)
      let bytesRead = 0
      request.on('data', (chunk: Buffer) => {
        bytesRead += chunk.length
        if (bytesRead > maxBytes) reject(new Refusal('payload_too_large'))
      })
      request.on('error', endedEarly)
      request.on('close', endedEarly)
      cancel = () => reject(signal.reason)
      signal.addEventListener('abort', cancel)
      if (signal.aborted) cancel()
      // Who hung up while it waited for its turn says so only once.
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
