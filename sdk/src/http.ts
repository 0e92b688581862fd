// One request, one answer. Refusals become KithError; everything without a complete answer becomes KithNetworkError.
import type { Clock } from './clock.ts'
import { KithError, KithInputError } from './errors.ts'
import { foreignRefusal, foreignSuccess, noAnswer } from './reach.ts'
import type { Runtime } from './runtime.ts'
import { isObject } from './strict-json.ts'

export interface Call {
  method: string
  /** Below /api/v1, with its leading slash. */
  path: string
  query?: Record<string, string | number | boolean | undefined> | undefined
  /** The exact JSON text to send; without it and without `form` the request has no body. */
  body?: string | undefined
  /** Bytes to send instead of JSON. */
  form?: Form | undefined
  /** More headers, such as those of a range. */
  headers?: Record<string, string> | undefined
  token?: string | undefined
  signal?: AbortSignal | undefined
  /** As in `TransportOptions`, where the usual wait does not fit. */
  timeoutMs?: number | undefined
}

/** A body of bytes: their type, their exact number, and the same bytes for every attempt. */
export interface Form {
  type: string
  length: number
  open(): Blob | ReadableStream<Uint8Array>
}

export interface Answer<T = unknown> {
  status: number
  body: T
  requestId: string | undefined
}

export type Transport = (call: Call) => Promise<Answer>

export interface TransportOptions {
  /** The service's origin. */
  baseUrl: string
  runtime: Runtime
  /** Learns the service's time from each response. */
  clock?: Clock
  /** Longest wait for a complete answer, in ms; each 4 KiB of it that came earn a second more, for slow links, up to a minute. */
  timeoutMs?: number | undefined
  /** Most bytes of an answer that are read. */
  maxAnswerBytes?: number | undefined
  /** What all paths are below, `/api/v1` if it is not said. */
  below?: string
}

/**
 * The origin of a service: `https:`, or `http:` on loopback for tunnels (docs/contract/representation.md#transport).
 * Throws `KithInputError` for anything else, credentials and paths included, so that a token never travels in the
 * clear.
 */
export function checkBaseUrl(baseUrl: string): string {
  const url = URL.parse ? URL.parse(baseUrl) : URL.canParse(baseUrl) ? new URL(baseUrl) : null
  if (!url) throw new KithInputError(`not a URL: ${baseUrl}; the address of a service looks like https://kith.example`)
  const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback))
    throw new KithInputError('the base URL must be https, or http on loopback')
  if (url.username || url.password || url.search || url.hash || url.pathname !== '/')
    throw new KithInputError(
      `the base URL must be an origin: ${url.origin}, without credentials, path, query or fragment`,
    )
  return url.origin
}

/** A transport to one origin. It never follows a redirect: the token would travel along. */
export function createTransport(options: TransportOptions): Transport {
  const origin = checkBaseUrl(options.baseUrl)
  const { runtime, clock, timeoutMs = 30_000, maxAnswerBytes = 16 * 1024 * 1024, below = '/api/v1' } = options
  return async (call) => {
    const sent = runtime.now()
    const waitMs = call.timeoutMs ?? timeoutMs
    const wait = earnedWait(waitMs)
    const signal = call.signal ? AbortSignal.any([call.signal, wait.signal]) : wait.signal
    let response: Response
    let text: string
    try {
      response = await runtime.fetch(`${origin}${below}${call.path}${queryOf(call.query)}`, {
        ...requestOf(call, 'application/json'),
        signal,
      })
      clock?.hear(response, sent)
      text = await readText(response, maxAnswerBytes, wait.earn)
    } catch (cause) {
      if (call.signal?.aborted) throw call.signal.reason
      throw noAnswer({ origin, request: `${call.method} ${call.path}`, seconds: waitMs / 1000 }, cause)
    } finally {
      wait.end()
    }
    return understand(origin, response, text, below !== '')
  }
}

/** A slower answer than this many bytes a second ends when its time is over. */
const leastRate = 4096
/** However much came before, nothing is waited for longer, unless the whole wait is. */
const mostSilentMs = 60_000

/** What is left of a wait, in ms, once so many bytes came: a slow link is no silence, and a drip is no answer. */
export const leftAfter = (left: number, bytes: number, waitMs: number): number =>
  Math.min(left + (bytes / leastRate) * 1000, Math.max(waitMs, mostSilentMs))

/** Ends after a time that grows with what comes. */
function earnedWait(ms: number) {
  const ended = new AbortController()
  const late = () => ended.abort(new DOMException('no complete answer in time', 'TimeoutError'))
  let until = performance.now() + ms
  let timer = setTimeout(late, ms)
  return {
    signal: ended.signal,
    earn(bytes: number) {
      const now = performance.now()
      until = now + leftAfter(until - now, bytes, ms)
      clearTimeout(timer)
      timer = setTimeout(late, until - now)
    },
    end: () => clearTimeout(timer),
  }
}

/** An answer of bytes. Whoever does not read `chunks` to the end calls `cancel`. */
export interface Bytes {
  status: number
  headers: Headers
  /** Throws `KithNetworkError` where they break off, or nothing comes for as long as the time-out. */
  chunks: AsyncIterable<Uint8Array>
  cancel(): void
}

export type ByteTransport = (call: Call) => Promise<Bytes>

/** A transport whose answers are bytes of any number; `timeoutMs` is the longest silence. Refusals are `KithError`. */
export function createByteTransport(options: TransportOptions): ByteTransport {
  const origin = checkBaseUrl(options.baseUrl)
  const { runtime, timeoutMs = 30_000 } = options
  return async (call) => {
    const silence = new AbortController()
    const signal = call.signal ? AbortSignal.any([call.signal, silence.signal]) : silence.signal
    const broken = (cause: unknown) => {
      if (call.signal?.aborted) return call.signal.reason
      // The silence of the service ends the request by this signal, whatever is thrown then.
      const why = silence.signal.aborted ? silence.signal.reason : cause
      return noAnswer({ origin, request: `${call.method} ${call.path}`, seconds: timeoutMs / 1000 }, why)
    }
    const hush = () => silence.abort(new DOMException('no data arrived in time', 'TimeoutError'))
    let timer = setTimeout(hush, timeoutMs)
    let response: Response
    let refusal: string | undefined
    try {
      response = await runtime.fetch(`${origin}/api/v1${call.path}${queryOf(call.query)}`, {
        ...requestOf(call, '*/*'),
        signal,
      })
      if (!response.ok) refusal = await readText(response, 1024 * 1024)
    } catch (error) {
      clearTimeout(timer)
      throw broken(error)
    }
    const cancel = () => {
      clearTimeout(timer)
      silence.abort()
    }
    if (refusal !== undefined || requestIdOf(response) === undefined) {
      cancel()
      if (refusal !== undefined) understand(origin, response, refusal)
      throw foreignSuccess(origin, response)
    }
    async function* watched(): AsyncGenerator<Uint8Array> {
      try {
        for await (const chunk of response.body ? chunks(response.body) : []) {
          clearTimeout(timer)
          yield chunk
          timer = setTimeout(hush, timeoutMs)
        }
      } catch (error) {
        throw broken(error)
      } finally {
        clearTimeout(timer)
      }
    }
    return { status: response.status, headers: response.headers, chunks: watched(), cancel }
  }
}

/** What every request has in common. A redirect is an error, for the token would travel along. */
function requestOf(call: Call, accept: string): RequestInit {
  const headers: Record<string, string> = { accept, ...call.headers }
  if (call.token !== undefined) headers['authorization'] = `Bearer ${call.token}`
  const request: RequestInit & { duplex?: 'half' } = { method: call.method, headers, redirect: 'error' }
  if (call.body !== undefined) {
    headers['content-type'] = 'application/json'
    request.body = call.body
  } else if (call.form !== undefined) {
    const body = call.form.open()
    headers['content-type'] = call.form.type
    request.body = body
    // A stream does not know its length, and without one the service could not refuse it before it came.
    if (!(body instanceof Blob)) {
      headers['content-length'] = String(call.form.length)
      request.duplex = 'half'
    }
  }
  return request
}

const requestIdOf = (response: Response): string | undefined => response.headers.get('x-request-id') ?? undefined

/** `named`: only an answer with an ID is of Kith, for other services speak JSON too (docs/contract/representation.md#headers). */
function understand(origin: string, response: Response, text: string, named = true): Answer {
  const requestId = requestIdOf(response)
  const isForeign = named && requestId === undefined
  const body = parse(text)
  if (response.ok) {
    if (isForeign || !isObject(body)) throw foreignSuccess(origin, response)
    return { status: response.status, body, requestId }
  }
  const retryAfter = seconds(response.headers.get('retry-after'))
  const envelope = isObject(body) && isObject(body['error']) ? body['error'] : {}
  const { code, message, details } = envelope
  if (isForeign || typeof code !== 'string') throw foreignRefusal(origin, response, { requestId, retryAfter })
  throw new KithError({
    status: response.status,
    code,
    message: typeof message === 'string' ? message : undefined,
    details: isObject(details) ? details : undefined,
    requestId,
    retryAfter,
  })
}

/** Whole seconds of a numeric `Retry-After`; undefined if there is none (a date is not of this contract). */
export function seconds(header: string | null | undefined): number | undefined {
  return header && /^\d{1,9}$/.test(header) ? Number(header) : undefined
}

async function readText(response: Response, maxBytes: number, read?: (bytes: number) => void): Promise<string> {
  if (!response.body) return ''
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let size = 0
  for await (const chunk of chunks(response.body)) {
    size += chunk.byteLength
    read?.(chunk.byteLength)
    if (size > maxBytes) throw new Error(`the response is larger than ${maxBytes} bytes`)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** Not every browser iterates a ReadableStream itself. */
async function* chunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  let ended = false
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      yield value
    }
    ended = true
  } finally {
    if (!ended) await reader.cancel().catch(() => {})
  }
}

function queryOf(query: Call['query']): string {
  const entries = Object.entries(query ?? {}).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, String(value)]],
  )
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries)}`
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
