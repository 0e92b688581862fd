// A connection to an S3-compatible service with everything said here, its lists page by page, and errors that can be told.
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import {
  type _Object,
  HeadObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandInput,
  type ListObjectsV2CommandOutput,
  S3Client,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { seconds } from '../kernel/clock.ts'
import type { S3 } from '../kernel/s3-url.ts'
import { StorageFailed } from './storage.ts'

interface Limits {
  maxSockets: number
  /** Milliseconds from the beginning of a request to that of its answer. */
  answersWithin: number
  /** Milliseconds without a byte in either direction. */
  silence: number
}

/** Everything is said here, so that nothing is read from the environment or from files of the user's home. */
export function connect(
  settings: Omit<S3, 'bucket' | 'prefix'>,
  { maxSockets, answersWithin, silence }: Limits,
): S3Client {
  const { accessKeyId, secretAccessKey, endpoint, region, forcePathStyle } = settings
  const agent = { keepAlive: true, maxSockets, maxFreeSockets: 16 }
  return new S3Client({
    region,
    forcePathStyle,
    ...(endpoint === undefined ? {} : { endpoint }),
    ignoreConfiguredEndpointUrls: true,
    credentials: { accessKeyId, secretAccessKey },
    maxAttempts: 3,
    retryMode: 'standard',
    defaultsMode: 'standard',
    // The checksums of newer S3, which other services refuse.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // It would open a connection of its own for every part.
    expectContinueHeader: false,
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    useArnRegion: false,
    disableS3ExpressSessionAuth: true,
    authSchemePreference: ['sigv4'],
    sigv4aSigningRegionSet: [region],
    userAgentAppId: 'kith',
    requestHandler: {
      // Also the longest wait for a socket of the agent.
      connectionTimeout: seconds(5),
      requestTimeout: answersWithin,
      throwOnRequestTimeout: true,
      socketTimeout: silence,
      httpAgent: agent,
      httpsAgent: agent,
      logger: silent,
    },
  })
}

/** A put holds two parts on their way and one that is gathered: below 50 MiB with copies, whatever the size of its file. */
const partSize = 8 * 1024 * 1024
const partsAtOnce = 2

/** The slowest connection on which a large file still arrives, in bytes a second. */
const slowest = 128 * 1024

/**
 * Sends a file, and asks whether all of it is there. With `patience`, in milliseconds, it may take that long, and longer for
 * what it weighs: a service that is silent must not hold up a sender for each of the attempts.
 */
export async function sendFile(
  client: S3Client,
  object: { Bucket: string; Key: string },
  path: string,
  patience?: number,
): Promise<void> {
  const { size } = await stat(path)
  const end = new AbortController()
  const limit = patience === undefined ? undefined : patience + (size / slowest) * 1000
  const timer = limit === undefined ? undefined : setTimeout(() => end.abort(), limit)
  const Body = createReadStream(path, { highWaterMark: 1024 * 1024 })
  let arrived: number | undefined
  try {
    const params = { ...object, Body, ContentType: 'application/octet-stream' }
    // A file of one part goes in one request; a failure in the middle aborts the upload of the parts.
    await new Upload({ client, params, partSize, queueSize: partsAtOnce, abortController: end }).done()
    arrived = (await client.send(new HeadObjectCommand(object), { abortSignal: end.signal })).ContentLength
  } catch (error) {
    throw told(error)
  } finally {
    clearTimeout(timer)
    Body.destroy()
  }
  if (arrived !== size) throw new Error(`S3 has ${arrived} bytes of ${size}`)
}

/**
 * An object's bytes, ended by an error if none comes for `limit` milliseconds while its reader waits. The socket itself must
 * be patient: to it a receiver that takes no more for minutes is as silent as a service that has stalled.
 */
export function withoutStalls(body: Readable, limit: number): Readable {
  let timer: NodeJS.Timeout | undefined
  const fail = (cause: Error) => bytes.destroy(new StorageFailed('read', cause))
  const wait = () => {
    clearTimeout(timer)
    timer = setTimeout(() => fail(new Error(`S3 failed: no byte for ${limit / 1000} s`)), limit)
  }
  const bytes = new Readable({
    read() {
      wait()
      body.resume()
    },
    destroy(error, done) {
      clearTimeout(timer)
      body.destroy()
      done(error)
    },
  })
  // It may fail before its reader listens.
  bytes.on('error', nothing)
  body.pause()
  body.on('data', (chunk) => {
    if (bytes.push(chunk)) return wait()
    clearTimeout(timer)
    body.pause()
  })
  body.once('end', () => {
    clearTimeout(timer)
    bytes.push(null)
  })
  body.once('error', (error) => fail(told(error)))
  body.once('close', () => body.readableEnded || fail(new Error('S3 failed: it broke off')))
  return bytes
}

const nothing = (): void => {}
const silent = { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing }

/** The objects below a prefix, a page of them in memory at once. */
export async function* pages(
  client: S3Client,
  input: ListObjectsV2CommandInput,
  options: { abortSignal?: AbortSignal } = {},
): AsyncGenerator<_Object> {
  let token: string | undefined
  do {
    const page: ListObjectsV2CommandOutput = await client
      .send(new ListObjectsV2Command({ ...input, ContinuationToken: token }), options)
      .catch(rethrow)
    yield* page.Contents ?? []
    token = page.IsTruncated ? page.NextContinuationToken : undefined
  } while (token !== undefined)
}

/** An error of ours: those of the SDK carry requests, and signatures of them. */
export function told(error: unknown): Error {
  const { name = '', code, $metadata } = error as Error & { code?: unknown; $metadata?: { httpStatusCode?: number } }
  if (name === 'AbortError') return new Error('S3 failed: no answer in time')
  const status = $metadata?.httpStatusCode
  const what = [name, code, status].filter((part) => /^\w{1,60}$/.test(String(part ?? '')))
  const failed = new Error(`S3 failed: ${what.join(' ')}`)
  // 507 Insufficient Storage (RFC 4918), and MinIO's name for it.
  return status === 507 || name === 'XMinioStorageFull' ? Object.assign(failed, { code: 'ENOSPC' }) : failed
}

export const rethrow = (error: unknown): never => {
  throw told(error)
}
