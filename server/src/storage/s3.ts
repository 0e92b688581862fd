// Attachment bytes in a bucket of an S3-compatible service, below an optional prefix: `<prefix><id>/<name>`.
import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3'
import { days, minutes, seconds } from '../kernel/clock.ts'
import type { S3 } from '../kernel/s3-url.ts'
import { hourly, makeFolder, removeLeftovers } from './folders.ts'
import { parseKey, requireId, requireKey } from './keys.ts'
import { connect, pages, rethrow, sendFile, told, withoutStalls } from './s3-client.ts'
import { ObjectMissing, type Storage, type StoredObject } from './storage.ts'

/** All objects of an attachment: its row is locked meanwhile, and the database ends who holds one for 25 s. */
const removedWithin = seconds(20)

export interface S3Options {
  /** The local folder of {@link Storage.incoming}. */
  incoming: string
  /** From when on an upload in parts is taken for one whose process has ended, in milliseconds of the service's time. */
  abandonedAfter?: number
  /** How many objects, or uploads in parts, one answer of a list holds. */
  pageSize?: number
  /** How long a small file may take to be put, in milliseconds. */
  patience?: number
  /** How long a reader waits for the next byte of an object, in milliseconds. */
  stalledAfter?: number
  /** How long a check may take, in milliseconds: somebody waits for it. */
  checkedWithin?: number
}

/**
 * Needs the rights to get, put, delete and list; with that to list and abort uploads in parts, those of killed processes
 * are removed after a day. Errors name the service's code and status, and nothing that was sent to it.
 */
export async function openS3Storage(
  { bucket, prefix, ...settings }: S3,
  {
    incoming,
    abandonedAfter = days(1),
    pageSize = 1000,
    patience = seconds(30),
    stalledAfter = seconds(30),
    checkedWithin = seconds(5),
  }: S3Options,
): Promise<Storage> {
  await makeFolder(incoming)
  await removeLeftovers(incoming).catch(() => {})
  // A part is sent before its answer begins.
  const client = connect(settings, { maxSockets: 32, answersWithin: minutes(2), silence: seconds(20) })
  // Readers keep their sockets for as long as they read, which puts and checks must not wait for; to the service one
  // with a slow receiver is silent. Three attempts end before a transaction that waits for them.
  const readers = connect(settings, { maxSockets: 256, answersWithin: seconds(7), silence: minutes(5) })

  const closing = new AbortController()
  const old = { bucket, prefix, pageSize, abandonedAfter, signal: closing.signal }
  const abortOld = (): Promise<void> => abortAbandoned(client, old)
  const first = abortOld().catch(() => {})
  const stop = hourly(async () => {
    await removeLeftovers(incoming)
    await abortOld()
  })
  let checkedAt = Number.NEGATIVE_INFINITY

  return {
    incoming,
    async put(key, path) {
      requireKey(key)
      await sendFile(client, { Bucket: bucket, Key: prefix + key }, path, patience)
      await rm(path, { force: true })
    },
    async open(key, range) {
      requireKey(key)
      const Range = range && `bytes=${range.start}-${range.end}`
      const { Body, $metadata } = await readers
        .send(new GetObjectCommand({ Bucket: bucket, Key: prefix + key, Range }))
        .catch((error: Error) => {
          if (error.name === 'NoSuchKey') throw new ObjectMissing(key)
          if (error.name === 'InvalidRange') throw new RangeError('The range begins beyond the object')
          throw told(error)
        })
      const body = Body as Readable
      if (range && $metadata.httpStatusCode !== 206) {
        body.destroy()
        throw new Error('S3 answered a range with the whole object')
      }
      return withoutStalls(body, stalledAfter)
    },
    async remove(attachmentId) {
      const below = { Bucket: bucket, Prefix: `${prefix}${requireId(attachmentId)}/`, MaxKeys: pageSize }
      const limit = { abortSignal: AbortSignal.timeout(removedWithin) }
      for await (const { Key } of pages(client, below, limit)) {
        await client.send(new DeleteObjectCommand({ Bucket: bucket, Key }), limit).catch(rethrow)
      }
    },
    async *list(after) {
      // `0` follows `/`: what is below an id comes before it, and the next id after it.
      const StartAfter = after === undefined ? undefined : `${prefix}${requireId(after)}0`
      const input = { Bucket: bucket, Prefix: prefix, StartAfter, MaxKeys: pageSize }
      for await (const { Key = '', Size = 0 } of pages(client, input)) {
        const key = Key.slice(prefix.length)
        if (parseKey(key)) yield { key, bytes: Size } satisfies StoredObject
      }
    },
    async check() {
      const limit = { abortSignal: AbortSignal.timeout(checkedWithin) }
      const object = { Bucket: bucket, Key: `${prefix}.check` }
      // Readiness is asked for often, and writes cost: what could be written a minute ago still can be.
      if (performance.now() - checkedAt >= minutes(1)) {
        await client.send(new PutObjectCommand({ ...object, Body: Buffer.alloc(0) }), limit).catch(rethrow)
        checkedAt = performance.now()
        return
      }
      // A key that may write is not always one that may read.
      const { Body } = await client.send(new GetObjectCommand(object), limit).catch(rethrow)
      await Body?.transformToByteArray()
    },
    async close() {
      closing.abort()
      client.destroy()
      readers.destroy()
      await Promise.all([first, stop()])
    },
  }
}

interface Abandoned {
  bucket: string
  prefix: string
  pageSize: number
  abandonedAfter: number
  signal: AbortSignal
}

/** Parts that nobody completes are no object, yet lie there for ever. */
async function abortAbandoned(client: S3Client, options: Abandoned): Promise<void> {
  const { bucket, prefix, pageSize, abandonedAfter, signal: abortSignal } = options
  let after: { KeyMarker: string | undefined; UploadIdMarker: string | undefined } | undefined
  do {
    const command = new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix, MaxUploads: pageSize, ...after })
    let now = Number.NaN
    command.middlewareStack.add(
      (next) => async (args) => {
        const result = await next(args)
        const { headers } = result.response as { headers: Record<string, string> }
        now = Date.parse(headers['date'] ?? '')
        return result
      },
      { step: 'deserialize', priority: 'low' },
    )
    const page: ListMultipartUploadsCommandOutput = await client.send(command, { abortSignal })
    for (const { Key = '', UploadId, Initiated } of page.Uploads ?? []) {
      const age = now - (Initiated?.getTime() ?? Number.NaN)
      if (!parseKey(Key.slice(prefix.length)) || !(age >= abandonedAfter)) continue
      await client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }), { abortSignal })
    }
    const more = page.IsTruncated && page.NextKeyMarker
    after = more ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker } : undefined
  } while (after)
}
