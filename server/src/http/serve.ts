// Fastify under the list of routes: the order of checks, the envelope of errors, limits and headers, once for all.
// OPEN-POINTS.md, section 2.

import type { Server, ServerOptions } from 'node:http'
import { isIPv6, type Socket } from 'node:net'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { newId } from '../clock.ts'
import { safeError } from '../log.ts'
import type { Service } from '../service.ts'
import { isUnavailable } from '../store/sql.ts'
import { type Agent, authenticate, bearerToken, countHeader, passGate, tokenDigest } from './authenticate.ts'
import { parseObject } from './json.ts'
import { limitHeaders } from './limits.ts'
import { parseQuery } from './lists.ts'
import { type Code, Refusal, refusals, refuse } from './refuse.ts'
import { type Answer, isMutating, type Route } from './route.ts'
import { closed, type TObject } from './schema.ts'
import { type Check, checker } from './validate.ts'

declare module 'fastify' {
  interface FastifyRequest {
    me: Agent | undefined
    /** Whose token this is, by memory alone: the token itself is still to be checked. */
    unchecked: Buffer | undefined
    query_: Record<string, unknown>
    startedAt: number
  }
  interface FastifyContextConfig {
    route?: Route
  }
}

export const apiPrefix = '/api/v1'
const bodyLimit = 64 * 1024
const slowMilliseconds = 1000

/** Limits of Node's server: 408 for a request that takes 20 s to arrive, 431 beyond 16 KiB of headers. */
export const serverOptions: ServerOptions = {
  requestTimeout: 20_000,
  headersTimeout: 10_000,
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16 * 1024,
  connectionsCheckingInterval: 1000,
}

export interface HttpServer {
  app: FastifyInstance
  /** Refuses new requests with 503 from now on. */
  drain(): void
}

/** Puts the routes under Fastify on a server that listens already; the caller begins by `app.ready()`. */
export function serve(service: Service, routes: readonly Route[], server: Server): HttpServer {
  let draining = false
  server.on('clientError', (error, socket) => answerBrokenRequest(service, error, socket as Socket))
  const app = Fastify({
    serverFactory: (handler) => server.on('request', handler),
    logger: false,
    genReqId: () => newId(service.clock.now()),
    trustProxy: service.config.trustedProxies.length > 0 ? [...service.config.trustedProxies] : false,
    bodyLimit,
    routerOptions: { maxParamLength: 256 },
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => answerError(service, error, request, reply),
  })
  app.decorateRequest('me', undefined)
  app.decorateRequest('unchecked', undefined)
  app.decorateRequest('query_')
  app.decorateRequest('startedAt', 0)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    const charset = /charset\s*=\s*"?([^\s;"]+)/i.exec(request.headers['content-type'] ?? '')?.[1]
    if (charset !== undefined && charset.toLowerCase() !== 'utf-8') {
      return done(new Refusal('unsupported_media_type', { message: 'JSON is UTF-8' }))
    }
    try {
      done(null, (bytes as Buffer).length === 0 ? undefined : parseObject(bytes as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })

  app.addHook('onRequest', (request, reply, done) => {
    request.startedAt = performance.now()
    reply.header('x-request-id', request.id)
    reply.header('cache-control', 'no-store')
    reply.header('x-content-type-options', 'nosniff')
    if (countHeader(request.raw.rawHeaders, 'host') > 1) {
      return done(new Refusal('invalid_input', { message: 'More than one Host header' }))
    }
    if (draining) {
      reply.header('connection', 'close')
      return done(new Refusal('service_unavailable', { retryAfter: 5 }))
    }
    // Without a body a content type says nothing.
    if (request.headers['content-length'] === '0') delete request.headers['content-type']
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    observe(service, request, reply)
    done()
  })
  app.setErrorHandler(async (error, request, reply) => {
    try {
      // A token that was only recalled is checked before anything else is said.
      if (request.unchecked) await authenticate(service, request.unchecked)
    } catch (earlier) {
      return answerError(service, earlier, request, reply)
    }
    return answerError(service, error, request, reply)
  })

  const patterns = routes.map((route) => ({
    route,
    pattern: new RegExp(`^${apiPrefix}${route.path.replace(/\{\w+\}/g, '[^/]+')}$`),
  }))
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] as string
    const methods = patterns.filter(({ pattern }) => pattern.test(path)).map(({ route }) => route.method)
    if (methods.length === 0) return answerError(service, new Refusal('not_found'), request, reply)
    const allow = [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))]
    const refusal = new Refusal('method_not_allowed', { headers: { allow: allow.join(', ') } })
    return answerError(service, refusal, request, reply)
  })

  const recall = tokenOwners()
  for (const route of routes) addRoute(app, service, route, recall)
  return { app, drain: () => (draining = true) }
}

function addRoute(app: FastifyInstance, service: Service, route: Route, recall: TokenOwners): void {
  const params = checker(closed(route.params ?? {}))
  const check: Check | undefined = route.body && checker(route.body as TObject)
  const bodyMayBeAbsent = route.body !== undefined && Object.keys(route.body.properties).length === 0
  const limited = isMutating(route) && route.access === 'agent'

  app.route({
    method: route.method,
    url: apiPrefix + route.path.replace(/\{(\w+)\}/g, ':$1'),
    bodyLimit: route.bodyLimit ?? bodyLimit,
    config: { route },
    onRequest: async (request, reply) => {
      await identify(service, route, request, recall)
      if (limited && request.me) await limitWrites(service, request.me, reply)
      const search = request.raw.url?.split('?').slice(1).join('?') ?? ''
      if (params(request.params as Record<string, unknown>).length > 0) refuse('not_found')
      request.query_ = parseQuery(route.query ?? {}, search, route.invalidQuery ?? 'invalid_input')
    },
    handler: async (request, reply) => {
      let body = request.body as Record<string, unknown> | undefined
      if (check) {
        if (body === undefined && !bodyMayBeAbsent) refuse('invalid_json', { message: 'A JSON object is needed' })
        body ??= {}
        const fields = check(body)
        if (fields.length > 0) refuse(bodyCode(route, body), { details: { fields } })
      } else if (body !== undefined) {
        refuse('invalid_input', { message: 'This method takes no body' })
      }
      const gate = typeof route.gate === 'function' ? route.gate(body as never) : route.gate
      if (request.me && gate !== 'verb') passGate(service, request.me, gate)
      request.unchecked = undefined
      const answer: Answer = await route.handle({
        service,
        me: request.me as Agent,
        params: request.params as never,
        query: request.query_ as never,
        body: body as never,
        address: limitAddress(request.ip),
      })
      if (answer.headers) reply.headers(answer.headers)
      reply.code(answer.status ?? 200).header('content-type', 'application/json; charset=utf-8')
      return reply.send(JSON.stringify(answer.body))
    },
  })
}

const bodyCode = ({ invalidBody = 'invalid_input' }: Route, body: Record<string, unknown>): Code =>
  typeof invalidBody === 'function' ? invalidBody(body) : invalidBody

async function identify(service: Service, route: Route, request: FastifyRequest, recall: TokenOwners): Promise<void> {
  const token = bearerToken(request.raw.rawHeaders, request.headers.authorization)
  if (token === undefined) {
    if (route.access === 'agent') refuse('unauthorized', { headers: { 'www-authenticate': 'Bearer' } })
    return
  }
  const digest = tokenDigest(token)
  if (route.deferred) {
    const known = recall.get(digest)
    if (known) {
      request.me = known
      request.unchecked = digest
      return
    }
  }
  request.me = await authenticate(service, digest)
  if (route.deferred) recall.set(digest, request.me)
}

interface TokenOwners {
  get(digest: Buffer): Agent | undefined
  set(digest: Buffer, agent: Agent): void
}

/**
 * Whose a token is never changes, so it may be remembered; whether it is still good may not. Bounded by dropping the
 * oldest of 10,000.
 */
function tokenOwners(): TokenOwners {
  const owners = new Map<string, Agent>()
  return {
    get: (digest) => owners.get(digest.toString('latin1')),
    set: (digest, agent) => {
      if (owners.size >= 10_000) owners.delete(owners.keys().next().value as string)
      owners.set(digest.toString('latin1'), agent)
    },
  }
}

const writeWindowSeconds = 60

async function limitWrites(service: Service, me: Agent, reply: FastifyReply): Promise<void> {
  const limit = service.config.writeLimitPerMinute
  if (limit === 0) return
  const state = await service.limiter.take(`write:${me.id}`, limit, writeWindowSeconds)
  reply.headers(limitHeaders('writes', writeWindowSeconds, state))
  if (!state.allowed) refuse('write_limited', { retryAfter: state.resetSeconds })
}

/** IPv4 whole, IPv6 by its /64: what a home or a host has to itself. */
export function limitAddress(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped) return mapped
  if (!isIPv6(address)) return address
  const [head = '', tail] = (address.split('%', 1)[0] as string).toLowerCase().split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const groups = tail === undefined ? left : [...left, ...Array(8 - left.length - right.length).fill('0'), ...right]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

const frameworkCodes: Readonly<Record<string, Code>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_input',
  FST_ERR_CTP_EMPTY_TYPE: 'unsupported_media_type',
  FST_ERR_BAD_URL: 'not_found',
  FST_ERR_ASYNC_CONSTRAINT: 'not_found',
}

function asRefusal(service: Service, error: unknown, request: FastifyRequest): Refusal {
  if (error instanceof Refusal) return error
  const code = frameworkCodes[(error as { code?: string }).code ?? '']
  if (code) return new Refusal(code)
  const unavailable = isUnavailable(error)
  service.log[unavailable ? 'warn' : 'error'](
    { request_id: request.id, route: request.routeOptions?.url, error: safeError(error) },
    unavailable ? 'the database is not available' : 'a request failed',
  )
  return unavailable ? new Refusal('service_unavailable', { retryAfter: 1 }) : new Refusal('internal')
}

export const envelope = (refusal: Refusal) => ({
  error: {
    code: refusal.code,
    message: refusal.message,
    ...(refusal.extras.details && { details: refusal.extras.details }),
  },
})

export function answerError(service: Service, error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const refusal = asRefusal(service, error, request)
  service.metrics.refusals.inc({ code: refusal.code })
  if (refusal.extras.headers) reply.headers(refusal.extras.headers)
  if (refusal.extras.retryAfter !== undefined) reply.header('retry-after', String(refusal.extras.retryAfter))
  if (refusal.status === 413) reply.header('connection', 'close')
  reply.code(refusal.status).header('content-type', 'application/json; charset=utf-8')
  return reply.send(JSON.stringify(envelope(refusal)))
}

/** What Node could not parse never becomes a request: answer on the bare socket. */
function answerBrokenRequest(service: Service, error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  const code: Code =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? 'request_timeout'
      : error.code === 'HPE_HEADER_OVERFLOW'
        ? 'headers_too_large'
        : 'invalid_input'
  service.metrics.refusals.inc({ code })
  const refusal = new Refusal(code, code === 'invalid_input' ? { message: 'Not HTTP' } : {})
  const body = JSON.stringify(envelope(refusal))
  socket.end(
    `HTTP/1.1 ${refusals[code]} ${reasons[code] ?? 'Bad Request'}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nCache-Control: no-store\r\nConnection: close\r\n` +
      `X-Request-Id: ${newId(service.clock.now())}\r\n\r\n${body}`,
  )
}

const reasons: Partial<Record<Code, string>> = {
  request_timeout: 'Request Timeout',
  headers_too_large: 'Request Header Fields Too Large',
}

function observe(service: Service, request: FastifyRequest, reply: FastifyReply): void {
  const route = request.routeOptions.config.route?.path ?? 'other'
  const milliseconds = performance.now() - request.startedAt
  service.metrics.requests.inc({ method: request.method, route, status: reply.statusCode })
  service.metrics.requestSeconds.observe({ method: request.method, route }, milliseconds / 1000)
  if (milliseconds > slowMilliseconds) {
    service.log.warn(
      { request_id: request.id, route, status: reply.statusCode, milliseconds: Math.round(milliseconds) },
      'a slow answer',
    )
  }
}
