// Pages that say what went wrong, for browsers; everything else gets the envelope of the API.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerError } from '../http/errors.ts'
import { isOwnOrigin } from '../http/origins.ts'
import type { Unsent } from '../http/page.ts'
import { apiPrefix } from '../http/serve.ts'
import { Refusal } from '../kernel/refuse.ts'
import { safeError } from '../log.ts'
import type { Service } from '../service.ts'
import { isUnavailable } from '../store/sql.ts'
import { type Frame, frameOf } from './frame.ts'
import { headersOf } from './headers.ts'
import { languageNamed, languagesIn } from './language.ts'
import { renderPage, type View } from './layout.ts'
import { elsewhereView, problemView } from './pages/errors.ts'
import { isTyped, unsentView } from './parts/unsent.ts'
import type { Key } from './words.ts'

/** A page for browsers; everything else, and all of the API, gets the envelope. */
export function answerNotFound(service: Service, request: FastifyRequest, reply: FastifyReply) {
  const path = pathOf(request)
  const isApi = path === apiPrefix || path.startsWith(`${apiPrefix}/`)
  if (isApi || !takesHtml(request)) return reply.callNotFound()
  return reply
    .code(404)
    .headers(headersOf({ cache: 'never' }))
    .send(renderProblem(service, request, undefined, ({ words }) => problemView(words, 404, path)))
}

const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0] as string

/** `unsent` is the form that could not be taken: what was typed into it stays, where it may be taken later. */
export function answerProblem(
  service: Service,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  unsent?: Unsent,
) {
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
  const isKept = unsent !== undefined && isTyped(unsent) && isPassing(error)
  return reply
    .code(status)
    .headers(headersOf({ cache: 'never', isSecret: !isKept }))
    .send(
      renderProblem(service, request, unsent?.here, (frame) => {
        const told = { ...kept, title: titleOf(status), status }
        if (isKept) return unsentView({ frame, words: frame.words }, told, unsent)
        const host = isCrossSite(error) ? hostElsewhere(request, service.publicUrl) : undefined
        return host === undefined ? problemView(frame.words, status, pathOf(request)) : elsewhereView(frame, host)
      }),
    )
}

/** Whether the same may be taken later: too much was asked for, or the service failed. */
export function isPassing(error: unknown): boolean {
  const status = statusOf(error)
  return status === 429 || status >= 500
}

const kept = { text: 'unsent.failed.text', send: 'unsent.again' } as const

const titleOf = (status: number): Key => (status === 429 ? 'problem.limited.heading' : 'problem.failed.heading')

function renderProblem(
  service: Service,
  request: FastifyRequest,
  here: string | undefined,
  view: (frame: Frame) => View,
): string {
  const frame = frameOf(service, { languages: languagesIn(request, languageNamed(service, request)), here })
  return renderPage(frame, view(frame))
}

const isCrossSite = (error: unknown): boolean => error instanceof Refusal && error.code === 'csrf_failed'

/** The host at which a reader sees this site, where that is another one than it is set up with. */
function hostElsewhere({ headers }: FastifyRequest, publicUrl: string): string | undefined {
  const origin = URL.parse(headers.origin ?? '')
  if (!origin || isOwnOrigin(publicUrl, origin.origin)) return undefined
  return origin.host === headers.host || headers['sec-fetch-site'] === 'same-origin' ? origin.host : undefined
}

function statusOf(error: unknown): number {
  if (error instanceof Refusal) return error.status
  if (isUnavailable(error)) return 503
  const status = (error as { statusCode?: number }).statusCode ?? 500
  return status >= 400 && status < 500 ? status : 500
}

export const takesHtml = (request: FastifyRequest): boolean => (request.headers.accept ?? '').includes('text/html')
