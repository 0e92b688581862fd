// Turns every error into one of the refusals, and every refusal into one envelope.
// docs/contract/errors.md#the-envelope.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Code, Refusal } from '../kernel/refuse.ts'
import { safeError } from '../log.ts'
import type { Service } from '../service.ts'
import { StorageFailed } from '../storage/storage.ts'
import { PoolFull } from '../store/pool.ts'
import { isUnavailable } from '../store/sql.ts'
import { lingerAfter } from './lingering.ts'
import { logRefusal } from './refusal-log.ts'

/** Fastify's own refusals. */
const frameworkCodes: Readonly<Record<string, Code>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_input',
  FST_ERR_BAD_URL: 'not_found',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
  FST_ERR_ASYNC_CONSTRAINT: 'not_found',
}

/** How many fields a refusal lists: it must not be many times larger than the request. */
const mostFields = 50

export const envelope = (refusal: Refusal) => ({
  error: {
    code: refusal.code,
    message: refusal.message,
    ...(refusal.extras.details && { details: cut(refusal.extras.details) }),
  },
})

const cut = (details: object): object =>
  'fields' in details && Array.isArray(details.fields)
    ? { ...details, fields: details.fields.slice(0, mostFields) }
    : details

/** Answers any error; unexpected ones are logged, without the values in them. */
export function answerError(service: Service, error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const refusal = asRefusal(service, error, request)
  const { details: _details, headers, retryAfter } = refusal.extras
  service.metrics.refusals.inc({ code: refusal.code })
  if (refusal.status < 500) logRefusal(service, request, refusal)
  if (headers) reply.headers(headers)
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  // Fastify closes a connection after any body it refuses; if that arrived completely the connection can continue,
  // except in a drain.
  if (!request.raw.complete) lingerAfter(request.raw)
  else if (refusal.status !== 503 && reply.raw.shouldKeepAlive) reply.removeHeader('connection')
  reply.code(refusal.status).header('content-type', 'application/json; charset=utf-8')
  return reply.send(JSON.stringify(envelope(refusal)))
}

function asRefusal(service: Service, error: unknown, request: FastifyRequest): Refusal {
  if (error instanceof Refusal) return error
  const code = frameworkCodes[(error as { code?: string }).code ?? '']
  if (code) return new Refusal(code)
  // The caller hung up in the middle of its body: nobody reads this response, and nothing of ours failed.
  if (!request.raw.complete && request.raw.destroyed) return new Refusal('invalid_input')
  if (error instanceof PoolFull) service.metrics.poolRefused.inc()
  const away = isUnavailable(error) ? 'database' : error instanceof StorageFailed ? 'storage' : undefined
  service.log[away ? 'warn' : 'error'](
    { request_id: request.id, route: request.routeOptions?.url, error: safeError(error) },
    away ? `the ${away} is not available` : 'a request failed',
  )
  return away ? new Refusal('service_unavailable', { retryAfter: 1 }) : new Refusal('internal')
}
