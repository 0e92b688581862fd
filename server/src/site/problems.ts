// Pages that say what went wrong, for browsers; everything else gets the envelope of the API.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerError } from '../http/errors.ts'
import { apiPrefix } from '../http/serve.ts'
import { Refusal } from '../kernel/refuse.ts'
import { safeError } from '../log.ts'
import type { Service } from '../service.ts'
import { isUnavailable } from '../store/sql.ts'
import { frameOf } from './frame.ts'
import { headersOf } from './headers.ts'
import { languageNamed, languagesIn } from './language.ts'
import { renderPage } from './layout.ts'
import { problemView } from './pages/errors.ts'

/** A page for browsers; everything else, and all of the API, gets the envelope. */
export function answerNotFound(service: Service, request: FastifyRequest, reply: FastifyReply) {
  const path = request.url.split('?', 1)[0] as string
  const isApi = path === apiPrefix || path.startsWith(`${apiPrefix}/`)
  if (isApi || !takesHtml(request)) return reply.callNotFound()
  return reply
    .code(404)
    .headers(headersOf({ cache: 'never' }))
    .send(renderProblem(service, request, 404))
}

export function answerProblem(service: Service, error: unknown, request: FastifyRequest, reply: FastifyReply) {
  if (!takesHtml(request)) return answerError(service, error, request, reply)
  const status = statusOf(error)
  if (status === 404) return answerNotFound(service, request, reply)
  if (status === 500) {
    const where = { request_id: request.id, route: request.routeOptions?.url }
    service.log.error({ ...where, error: safeError(error) }, 'a page failed')
  }
  const { headers, retryAfter = status === 503 ? 5 : undefined } = error instanceof Refusal ? error.extras : {}
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  if (headers) reply.headers(headers)
  return reply
    .code(status)
    .headers(headersOf({ cache: 'never', isSecret: true }))
    .send(renderProblem(service, request, status))
}

function renderProblem(service: Service, request: FastifyRequest, status: number): string {
  const frame = frameOf(service, { languages: languagesIn(request, languageNamed(service, request)) })
  return renderPage(frame, problemView(frame.words, status))
}

function statusOf(error: unknown): number {
  if (error instanceof Refusal) return error.status
  if (isUnavailable(error)) return 503
  const status = (error as { statusCode?: number }).statusCode ?? 500
  return status >= 400 && status < 500 ? status : 500
}

const takesHtml = (request: FastifyRequest): boolean => (request.headers.accept ?? '').includes('text/html')
