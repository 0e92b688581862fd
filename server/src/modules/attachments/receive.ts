// Takes an upload from the wire to the disk with bounded memory: what it is, how long, and its digest.
// docs/contract/attachments.md#uploading.
import { createHash } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { type FormReader, readForm, type Sofar } from '../../http/multipart.ts'
import { detect, detectBytes, mayUnpackItself } from '../../inspect/detect.ts'
import { allowedFormats, type FileFormat, largeFile, maxBytes, type Purpose, purposes } from '../../inspect/formats.ts'
import { endsAsZip, zipTailBytes } from '../../inspect/zip.ts'
import { invalid, refuse, tooLarge } from '../../kernel/refuse.ts'
import { uuidPattern } from '../../kernel/schema.ts'
import { nameToKeep } from './names.ts'
import type { Received } from './upload-records.ts'
import type { Receive } from './uploads.ts'

/** The most bytes of a whole request (docs/contract/attachments.md#uploading). */
export const maxRequest = 262_209_536

/** A form that brings a file, and says of it what it is for and under which id it is sent. */
interface FileForm extends Pick<FormReader<unknown>, 'fields' | 'optional' | 'lists' | 'maxFieldBytes'> {
  /** Of what has come of the form so far, at its end of all; refuses what is wrong with it. */
  read: (sofar: Sofar) => { purpose: Purpose | undefined; uploadId: string | undefined }
}

/** How the upload that a request carries is read: a file for one of these purposes. */
export const receiverOf = (request: IncomingMessage, taken: readonly Purpose[] = purposes): Receive =>
  receiverOfForm(request, {
    fields: ['purpose', 'upload_id'],
    read: ({ fields }) => {
      requireValid(fields, taken)
      return { purpose: purposeOf(fields), uploadId: fields['upload_id'] }
    },
  })

/** The same of a form of another kind. */
export const receiverOfForm =
  (request: IncomingMessage, form: FileForm): Receive =>
  async (path, signal, arrival) => {
    const count = (chunk: Buffer): void => arrival.add(chunk.length)
    // Speaks a tick later, when it may be paused again.
    const resume = (): void => {
      if (!request.isPaused()) arrival.resume()
    }
    // A disk that does not keep up pauses the request, and the end of the body is not yet the end of the writing.
    request.on('data', count).on('pause', arrival.pause).on('resume', resume).on('end', arrival.pause)
    try {
      return await receive(request, path, signal, form)
    } finally {
      request.off('data', count).off('pause', arrival.pause).off('resume', resume).off('end', arrival.pause)
    }
  }

/**
 * Reads the form of an upload into a new file at `path`. Refuses `invalid_input`, `payload_too_large` and
 * `unsupported_media_type`, as early as it can tell, and leaves no file then.
 */
async function receive(
  request: IncomingMessage,
  path: string,
  signal: AbortSignal,
  { read, ...form }: FileForm,
): Promise<Received> {
  const reader = {
    ...form,
    maxBytes: maxRequest,
    receive: async (bytes: Readable, sofar: Sofar, fileName: string | undefined) => ({
      ...(await store(bytes, path, read(sofar).purpose)),
      name: nameToKeep(fileName),
    }),
  }
  try {
    const { file, ...sofar } = await readForm(request, reader, signal)
    const { purpose, uploadId } = read(sofar) as { purpose: Purpose; uploadId: string }
    requireAllowed(file.format, purpose)
    const limit = maxBytes(file.format, purpose)
    if (file.bytes > limit) throw tooLarge(limit)
    return { purpose, uploadId: uploadId.toLowerCase(), path, ...file }
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}

type Fields = Readonly<Record<string, string>>

const purposeOf = (fields: Fields): Purpose | undefined => purposes.find((purpose) => purpose === fields['purpose'])

/** Of the fields that are there, at the end of the form all of them. */
function requireValid(fields: Fields, taken: readonly Purpose[]): void {
  const { purpose, upload_id: uploadId } = fields
  if (purpose !== undefined && !taken.some((each) => each === purpose)) {
    invalid({ path: 'purpose', problem: `must be one of ${taken.join(', ')}` })
  }
  if (uploadId !== undefined && !uuidPattern.test(uploadId.toLowerCase())) {
    invalid({ path: 'upload_id', problem: 'must be a UUID' })
  }
}

/** Without a purpose, which may come after the file, all that an order takes may follow: that is every format. */
function requireAllowed(format: FileFormat | undefined, purpose?: Purpose): asserts format is FileFormat {
  const allowed = allowedFormats[purpose ?? 'order']
  if (format !== undefined && allowed.includes(format)) return
  const names = allowed.map((each) => each.toUpperCase())
  const whose = purpose === undefined ? 'files' : filesFor[purpose]
  const message = `Unsupported file type; ${whose} are ${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
  refuse('unsupported_media_type', { message })
}

const filesFor: Readonly<Record<Purpose, string>> = {
  avatar: 'avatars',
  character: 'pictures of a character',
  portfolio: 'files of a work',
  order: 'files of an order',
}

interface StoredFile {
  format: FileFormat
  bytes: number
  sha256: Buffer
}

/** Bytes that are gathered before they are written: each write wakes another thread. */
const writtenAtOnce = 256 * 1024
/** Pieces of a few bytes take more memory than their bytes. */
const piecesAtOnce = 1024

async function store(source: Readable, path: string, purpose: Purpose | undefined): Promise<StoredFile> {
  const hash = createHash('sha256')
  let head: Buffer | undefined = Buffer.alloc(0)
  let format: FileFormat | undefined
  let bytes = 0
  let limit = largeFile
  let isZipByItsEnd = false
  const look = (start: Buffer): FileFormat => {
    const known = detect(start)
    isZipByItsEnd = known === undefined && mayUnpackItself(start)
    const found = isZipByItsEnd ? 'zip' : known
    requireAllowed(found, purpose)
    if (purpose !== undefined) limit = maxBytes(found, purpose)
    return found
  }
  const out = await open(path, 'wx+', 0o600)
  let waiting: Buffer[] = []
  let waitingBytes = 0
  const write = async (): Promise<void> => {
    const chunks = waiting
    waiting = []
    waitingBytes = 0
    await out.writeFile(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks))
  }
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (head !== undefined) {
        head = Buffer.concat([head, chunk.subarray(0, detectBytes - head.length)])
        if (head.length >= detectBytes) {
          format = look(head)
          head = undefined
        }
      }
      if (bytes > limit) throw tooLarge(limit)
      hash.update(chunk)
      waiting.push(chunk)
      waitingBytes += chunk.length
      if (waitingBytes >= writtenAtOnce || waiting.length >= piecesAtOnce) await write()
    }
    format ??= look(head as Buffer)
    if (bytes > limit) throw tooLarge(limit)
    await write()
    if (isZipByItsEnd) {
      const tail = Buffer.alloc(Math.min(bytes, zipTailBytes))
      await out.read(tail, 0, tail.length, bytes - tail.length)
      if (!endsAsZip(tail)) requireAllowed(undefined, purpose)
    }
  } finally {
    await out.close()
  }
  return { format, bytes, sha256: hash.digest() }
}
