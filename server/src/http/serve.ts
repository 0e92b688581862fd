// Fastify under the list of routes: the order of checks, in one place. docs/contract/representation.md#order-of-checks.
import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type Duplex, Readable } from 'node:stream'
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify'
import { newId } from '../kernel/clock.ts'
import { passGate } from '../kernel/gate.ts'
import { Refusal, refuse } from '../kernel/refuse.ts'
import { safeError } from '../log.ts'
import type { Service } from '../service.ts'
import { StorageFailed } from '../storage/storage.ts'
import { isUnavailable } from '../store/sql.ts'
import { addressOf } from './address.ts'
import { answerHeaders } from './answer-headers.ts'
import { answerBroken, openResponse, refuseTunnel } from './bare-answer.ts'
import { type Done, wholeBody } from './body.ts'
import { bodyTimeouts, hasBody } from './body-timeout.ts'
import { CallerChanged, type Callers, createCallers } from './callers.ts'
import { checksOf } from './checks.ts'
import { countDownload } from './downloads.ts'
import { answerError } from './errors.ts'
import { parseObject } from './json.ts'
import { largeFrom } from './large-bodies.ts'
import { observe } from './observe.ts'
import { boundPipelining } from './pipelining.ts'
import { parseQuery } from './query.ts'
import { limitReads } from './reads.ts'
import { type Answer, type BytesAnswer, bodyLimit, isLimited, isMutating, type Route } from './route.ts'
import { endStalled } from './stalled.ts'
import { faultOfHost, targetOf } from './target.ts'
import { countedFor, inTurn } from './turns.ts'
import { unreadOf } from './unread.ts'
import { limitByAddress, limitWrites } from './writes.ts'

declare module 'fastify' {
  interface FastifyRequest {
    query_: Record<string, unknown>
  }
  interface FastifyContextConfig {
    route?: Route
    /** It is not an API route, and reads `multipart/form-data` itself. */
    takesForm?: boolean
  }
}

export const apiPrefix = '/api/v1'

/** Limits of Node's server: 408 for headers that take 10 s to arrive, 431 beyond 16 KiB of them. */
export const serverOptions: ServerOptions = {
  // The longest that any body may take; `bodyTimeouts` is stricter for everything except uploads.
  requestTimeout: 310_000,
  headersTimeout: 10_000,
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16 * 1024,
  connectionsCheckingInterval: 1000,
  // Node's own refusal of a missing Host is not an envelope: ours follows.
  requireHostHeader: false,
  // Any other offer to upgrade, such as h2c, is ignored, as HTTP allows. An upgrade behind unanswered requests is ignored too:
  // their responses would come in the middle of its frames.
  shouldUpgradeCallback: ({ headers, socket }) =>
    headers.upgrade?.toLowerCase() === 'websocket' && !openResponse(socket),
}

const noCompilers = {
  buildValidator: () => () => () => true,
  buildSerializer: () => () => JSON.stringify,
} as unknown as NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>

interface HttpServer {
  app: FastifyInstance
  /** Refuses new requests with 503 from now on. */
  drain(): void
}

/** Puts the routes under Fastify on a server that already listens; the caller starts it with `app.ready()`. */
export function serve(service: Service, routes: readonly Route[], server: Server): HttpServer {
  let draining = false
  // A client that has sent everything and only listens still gets its response; Node's types lack this option.
  Object.assign(server, { httpAllowHalfOpen: true })
  // An unknown expectation may be ignored too.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    server.emit('request', request, response),
  )
  server.on('connect', (_request: IncomingMessage, stream: Duplex) => refuseTunnel(service, stream as Socket))
  const app = Fastify({
    serverFactory: (handler) => server.on('request', boundPipelining(handler).listener),
    logger: false,
    genReqId: () => newId(service.clock.now()),
    rewriteUrl: targetOf,
    bodyLimit,
    // No path is longer than the headers may be: a long ID is simply a wrong ID.
    routerOptions: { maxParamLength: 16 * 1024 },
    return503OnClosing: false,
    // Validation and serialisation are ours: Fastify's own compilers need not even be loaded.
    schemaController: { compilersFactory: noCompilers },
    clientErrorHandler: (error, socket) => answerBroken(service, error, socket as Socket),
    frameworkErrors: (error, request, reply) => {
      begin(service, request, reply)
      return answerError(service, error, request, reply)
    },
  })
  const waiting = bodyTimeouts(({ socket }) =>
    answerBroken(service, Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket),
  )
  app.decorateRequest('admitted', undefined)
  app.decorateRequest('unchecked', undefined)
  app.decorateRequest('query_')
  app.decorateRequest('startedAt', 0)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', wholeBody(service, readJson))
  app.addContentTypeParser('*', wholeBody(service, readNothing))
  app.addContentTypeParser(/^multipart\/form-data/i, (request, _payload, done) => leaveForm(request, done))

  app.addHook('onRequest', (request, reply, done) => {
    begin(service, request, reply)
    waiting.begin(request.raw, takesForm(request))
    if (draining) {
      reply.header('connection', 'close')
      return done(new Refusal('service_unavailable', { retryAfter: 5 }))
    }
    // Before its body is read: a path that is not served has no body to check.
    done(faultOfHead(request) ?? (isServed(request) ? undefined : notServed(routes, request)))
  })
  app.addHook('onSend', (request, { raw }, payload, done) => {
    if (typeof payload === 'string' && payload.length >= largeFrom)
      unreadOf(service).add(countedFor(service, request), payload.length, raw)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    observe(service, request, reply)
    done()
  })
  app.addHook('preHandler', (request, _reply, done) => {
    waiting.end(request.raw)
    done()
  })
  app.addHook('onClose', (_app, done) => {
    waiting.stop()
    done()
  })
  const named = new Set(routes.flatMap(({ path }) => (path.includes('{') ? [] : [apiPrefix + path])))
  // `bots/register` is no ID of a bot, although `bots/{bot_id}` would take it for one.
  const isServed = (request: FastifyRequest): boolean =>
    !request.is404 && !(request.routeOptions.config.route?.path.includes('{') && named.has(pathOf(request.raw)))
  const callers = createCallers(service)
  app.setErrorHandler(async (error, request, reply) =>
    // A database that does not answer is asked nothing else: its silence would be waited for twice.
    answerError(service, isUnavailable(error) ? error : await callers.answerOf(request, error), request, reply),
  )
  app.setNotFoundHandler(async (request, reply) => answerError(service, notServed(routes, request), request, reply))
  for (const route of routes) addRoute(app, service, route, callers)
  return { app, drain: () => (draining = true) }
}

/** Headers of every response. */
function begin({ publicUrl }: Service, request: FastifyRequest, reply: FastifyReply): void {
  request.startedAt = performance.now()
  reply.header('x-request-id', request.id)
  reply.headers(answerHeaders(publicUrl))
  if (!isChunkedAtMost(request.raw) || offersUpgrade(request.raw)) reply.raw.shouldKeepAlive = false
}

/** Faults in the head of a request, before anything else is checked. */
function faultOfHead({ raw }: FastifyRequest): Refusal | undefined {
  const message = faultOfHost(raw)
  if (message !== undefined) return new Refusal('invalid_input', { message })
  if (!isChunkedAtMost(raw)) {
    return new Refusal('invalid_input', { message: 'The only transfer coding that is read is chunked' })
  }
  // The router would take `*` for the start page, and `#` for the end of the path, after which nothing would be checked.
  if (!raw.url?.startsWith('/') || raw.url.includes('#')) return new Refusal('not_found')
  return undefined
}

/** Node reads `gzip, chunked` as chunked and leaves the rest coded; a proxy may read it otherwise. RFC 9112, section 6.1. */
const isChunkedAtMost = ({ headers: { 'transfer-encoding': coding } }: IncomingMessage): boolean =>
  coding === undefined || /^[ \t]*chunked[ \t]*$/i.test(coding)

/**
 * Node skips what it has read behind an offer to upgrade that is ignored: the response to a later request would be taken
 * for that of a skipped one.
 */
const offersUpgrade = ({ headers: { upgrade, connection = '' } }: IncomingMessage): boolean =>
  upgrade !== undefined && /\bupgrade\b/i.test(connection)

function readJson(request: FastifyRequest, bytes: Buffer, done: Done): void {
  try {
    done(null, jsonOf(request, bytes))
  } catch (error) {
    done(error as Error)
  }
}

function jsonOf(request: FastifyRequest, bytes: Buffer): Record<string, unknown> | undefined {
  // Without a body a content type means nothing.
  if (bytes.length === 0) return undefined
  const charset = /charset\s*=\s*"?([^\s;"]+)/i.exec(request.headers['content-type'] ?? '')?.[1]
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    refuse('unsupported_media_type', { message: 'JSON must be UTF-8' })
  }
  // RFC 9110, section 15.5.16: the response names the codings it accepts.
  const coding = request.headers['content-encoding'] ?? 'identity'
  if (!/^[ \t]*identity[ \t]*$/i.test(coding)) {
    const headers = { 'accept-encoding': 'identity' }
    refuse('unsupported_media_type', { message: 'Send JSON without a content coding', headers })
  }
  return parseObject(bytes)
}

function readNothing(_request: FastifyRequest, bytes: Buffer, done: Done): void {
  done(bytes.length === 0 ? null : new Refusal('unsupported_media_type'), undefined)
}

/** Left to the handler, if one takes a form. */
function leaveForm(request: FastifyRequest, done: Done): void {
  const isTaken = takesForm(request) || !hasBody(request.raw)
  done(isTaken ? null : new Refusal('unsupported_media_type'), undefined)
}

const takesForm = ({ routeOptions: { config } }: FastifyRequest): boolean =>
  config.takesForm === true || config.route?.form !== undefined

const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?', 1)[0] as string

/** A path without routes is 404; one with routes, but not for this method, is 405. */
function notServed(routes: readonly Route[], { raw, method }: FastifyRequest): Refusal {
  const path = pathOf(raw)
  const named = routes.filter((route) => apiPrefix + route.path === path)
  const here = named.length > 0 ? named : routes.filter(({ path: pattern }) => isAt(path, pattern))
  const methods = here.map((route) => route.method)
  const allow = [...new Set(methods.flatMap((each) => (each === 'GET' ? ['GET', 'HEAD'] : [each])))]
  if (allow.length === 0 || allow.includes(method)) return new Refusal('not_found')
  return new Refusal('method_not_allowed', { headers: { allow: allow.join(', ') } })
}

function isAt(path: string, pattern: string): boolean {
  const given = path.split('/')
  const wanted = (apiPrefix + pattern).split('/')
  return (
    given.length === wanted.length &&
    wanted.every((segment, at) => (segment.startsWith('{') ? given[at] !== '' : segment === given[at]))
  )
}

function addRoute(app: FastifyInstance, service: Service, route: Route, callers: Callers): void {
  const checks = checksOf(route)
  const limited = isLimited(route)
  const countAddress = async (request: FastifyRequest): Promise<void> => {
    if (route.countedByAddress) await limitByAddress(service, route.countedByAddress, addressOf(service, request.raw))
  }

  app.route({
    method: route.method,
    url: apiPrefix + route.path.replace(/\{(\w+)\}/g, ':$1'),
    bodyLimit: route.bodyLimit ?? bodyLimit,
    config: { route },
    onRequest: async (request, reply) => {
      await callers.identify(route, request)
      if (!isMutating(route)) await limitReads(service, countedFor(service, request), reply)
      if (limited && request.admitted) await limitWrites(service, request.admitted.caller, reply)
      if (!route.isReplay) await countAddress(request)
      const search = request.raw.url?.split('?').slice(1).join('?') ?? ''
      checks.params(request.params as Record<string, unknown>)
      request.query_ = parseQuery(route.query ?? {}, search, route.invalidQuery ?? 'invalid_input')
      if (route.form && !isForm(request)) refuse('unsupported_media_type', { message: 'Send multipart/form-data' })
    },
    handler: async (request, reply) => {
      const body = checks.body(request.body as Record<string, unknown> | undefined)
      const gate = typeof route.gate === 'function' ? route.gate(body as never, request.query_ as never) : route.gate
      const pass = (): void => {
        const me = request.admitted?.caller
        if (me && me.kind !== 'visitor' && gate !== 'verb') passGate(service, me, gate)
      }
      pass()
      const { isReplay } = route
      if (isReplay) {
        const isCounted = await inTurn(service, countedFor(service, request), request, route, async () => {
          return !(await isReplay(service, body as never))
        })
        if (isCounted) await countAddress(request)
      }
      // From here on the verb decides whether the token is valid.
      if (!route.confirms) request.unchecked = undefined
      const handle = (): Promise<Answer> =>
        route.handle({
          service,
          me: request.admitted?.caller as never,
          session: request.admitted?.session as never,
          params: request.params as never,
          query: request.query_ as never,
          body: body as never,
          confirm: callers.confirmer(request),
          address: addressOf(service, request.raw),
          request: request.raw,
        })
      const handleConfirmed = async (): Promise<Answer> => {
        try {
          return await handle()
        } catch (error) {
          if (!(error instanceof CallerChanged)) throw error
          pass()
          return handle()
        }
      }
      const answer =
        route.deferred || route.form
          ? await handle()
          : await inTurn(service, countedFor(service, request), request, route, handleConfirmed)
      if ('open' in answer) return sendBytes(service, request, reply, answer)
      reply.code(answer.status ?? 200)
      if (answer.headers) reply.headers(answer.headers)
      reply.header('content-type', 'application/json; charset=utf-8')
      return reply.send('json' in answer ? answer.json : JSON.stringify(answer.body))
    },
  })
}

export const isForm = ({ headers }: FastifyRequest): boolean =>
  /^multipart\/form-data\b/i.test(headers['content-type'] ?? '')

async function sendBytes(service: Service, request: FastifyRequest, reply: FastifyReply, answer: Answer & BytesAnswer) {
  const { status = 200, headers = {}, open } = answer
  const isBare = request.method === 'HEAD' || status === 304
  if (!isBare) countDownload(service, countedFor(service, request), reply.raw)
  // Opened before the response starts: if it cannot be opened, that is a refusal like any other. Without a body an
  // empty stream, because Fastify would compute another content length.
  const stored = isBare ? undefined : await open()
  if (stored && reply.raw.destroyed) {
    // Its reader has left meanwhile: nobody would read it to its end, or close it.
    stored.destroy()
    return reply.hijack()
  }
  const told = (error: unknown): void =>
    service.log.warn(
      { request_id: request.id, route: request.routeOptions.url, error: safeError(error) },
      'the bytes of a file broke off',
    )
  const length = headers['content-length']
  const whole = stored && length !== undefined ? wholeOf(service, stored, Number(length), told) : stored
  const bytes = Readable.from(whole ?? [])
  reply.code(status).headers(headers)
  if (!isBare) endStalled(request.raw.socket, reply.raw)
  return reply.send(bytes)
}

/**
 * Bytes that end before their length, or go on after it, are an error, which closes the connection: its reader would wait for the
 * rest, or take it for the next response.
 */
async function* wholeOf(
  { metrics }: Service,
  bytes: AsyncIterable<Buffer>,
  length: number,
  told: (error: unknown) => void,
): AsyncGenerator<Buffer> {
  let sent = 0
  try {
    for await (const piece of bytes) {
      sent += piece.length
      if (sent > length) break
      yield piece
    }
    if (sent === length) return
    metrics.storageFailures.inc({ operation: 'read' })
    throw new StorageFailed('read', new Error(`it gave ${sent} of ${length} bytes`))
  } catch (error) {
    told(error)
    throw error
  }
}
