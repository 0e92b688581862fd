// A connection to an S3-compatible service with everything said here, its lists page by page, and errors that can be told.
import {
  type _Object,
  ListObjectsV2Command,
  type ListObjectsV2CommandInput,
  type ListObjectsV2CommandOutput,
  S3Client,
} from '@aws-sdk/client-s3'
import { seconds } from '../kernel/clock.ts'
import type { S3 } from '../kernel/s3-url.ts'

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
  const {
    name = '',
    code,
    $metadata,
  } = error as Error & {
    code?: unknown
    $metadata?: { httpStatusCode?: number }
  }
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
