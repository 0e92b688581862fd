// One request, one answer. Refusals become KithError; everything without a complete answer becomes KithNetworkError.
import { KithError, KithInputError, KithNetworkError } from './errors.ts'
import type { Runtime } from './runtime.ts'

export interface Call {
  method: string
  /** Below /api/v1, with its leading slash. */
  path: string
  query?: Record<string, string | number | boolean | undefined> | undefined
  /** The exact JSON text to send; without it the request has no body. */
  body?: string | undefined
  token?: string | undefined
  signal?: AbortSignal | undefined
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
  /** Longest wait for a complete answer, in ms. */
  timeoutMs?: number | undefined
  /** Most bytes of an answer that are read. */
  maxAnswerBytes?: number | undefined
}

/**
 * The origin of a service: `https:`, or `http:` on loopback for tunnels (SPEC, point 7). Throws `KithInputError` for
 * anything else, credentials and paths included, so that a token never travels in the clear.
 */
export function checkBaseUrl(baseUrl: string): string {
  const url = URL.parse ? URL.parse(baseUrl) : URL.canParse(baseUrl) ? new URL(baseUrl) : null
  if (!url) throw new KithInputError(`no URL: ${baseUrl}`)
  if (url.username || url.password || url.search || url.hash || url.pathname !== '/')
    throw new KithInputError('the base URL is an origin: no credentials, path, query or fragment')
  const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback))
    throw new KithInputError('the base URL must be https, or http on loopback')
  return url.origin
}

/** A transport to one origin. It never follows a redirect: the token would travel along. */
export function createTransport(options: TransportOptions): Transport {
  const origin = checkBaseUrl(options.baseUrl)
  const { runtime, timeoutMs = 30_000, maxAnswerBytes = 16 * 1024 * 1024 } = options
  return async (call) => {
    const timeout = AbortSignal.timeout(timeoutMs)
    const signal = call.signal ? AbortSignal.any([call.signal, timeout]) : timeout
    const headers: Record<string, string> = { accept: 'application/json' }
    if (call.body !== undefined) headers['content-type'] = 'application/json'
    if (call.token !== undefined) headers['authorization'] = `Bearer ${call.token}`
    let response: Response
    let text: string
    try {
      response = await runtime.fetch(`${origin}/api/v1${call.path}${queryOf(call.query)}`, {
        method: call.method,
        headers,
        signal,
        redirect: 'error',
        ...(call.body === undefined ? {} : { body: call.body }),
      })
      text = await readText(response, maxAnswerBytes)
    } catch (cause) {
      if (call.signal?.aborted) throw call.signal.reason
      throw new KithNetworkError(`${call.method} ${call.path}: no complete answer`, { cause })
    }
    return understand(call, response, text)
  }
}

function understand(call: Call, response: Response, text: string): Answer {
  const requestId = response.headers.get('x-request-id') ?? undefined
  const body = parse(text)
  if (response.ok) {
    // A success that is no JSON object comes from something in between: whether the service acted is unknown.
    if (!isObject(body)) throw new KithNetworkError(`${call.method} ${call.path}: the answer is not the service's`)
    return { status: response.status, body, requestId }
  }
  const envelope = isObject(body) && isObject(body['error']) ? body['error'] : {}
  const { code, message, details } = envelope
  throw new KithError({
    status: response.status,
    code: typeof code === 'string' ? code : 'unexpected_answer',
    message: typeof message === 'string' ? message : undefined,
    details: isObject(details) ? details : undefined,
    requestId,
    retryAfter: seconds(response.headers.get('retry-after')),
  })
}

/** Whole seconds of a numeric `Retry-After`; undefined where there is none (a date is not of this contract). */
export function seconds(header: string | null | undefined): number | undefined {
  return header && /^\d{1,9}$/.test(header) ? Number(header) : undefined
}

async function readText(response: Response, maxBytes: number): Promise<string> {
  if (!response.body) return ''
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let size = 0
  for await (const chunk of chunks(response.body)) {
    size += chunk.byteLength
    if (size > maxBytes) throw new Error(`the answer is larger than ${maxBytes} bytes`)
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

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
