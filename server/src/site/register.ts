// Puts the pages under Fastify: methods, forms, tags and what is not found, once for all of them.
import { METHODS } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { answerError } from '../http/errors.ts'
import type { OpenApi } from '../http/openapi-document.ts'
import {
  type Feed,
  type FixedPage,
  type Form,
  isFixed,
  type LivePage,
  methodsOf,
  type Page,
  type Shown,
  type Visit,
} from '../http/page.ts'
import { limitReads } from '../http/reads.ts'
import { apiPrefix } from '../http/serve.ts'
import { addressOf, inTurn } from '../http/turns.ts'
import { invalid, Refusal, refuse } from '../kernel/refuse.ts'
import { safeError } from '../log.ts'
import type { Service } from '../service.ts'
import { isUnavailable } from '../store/sql.ts'
import { renderNotFound, renderProblem } from './errors.ts'
import { headersOf } from './headers.ts'
import { type Fixed, fixed, sendFixed } from './send.ts'

export interface SiteParts {
  pages: readonly Page[]
  openapi: () => OpenApi
}

/** Registers the site; errors and unknown paths below /api/v1 stay with the API. */
export function addSite(app: FastifyInstance, service: Service, { pages, openapi }: SiteParts): void {
  // A context of its own: its form parser and its error pages are not the API's.
  app.register(async (site) => {
    site.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, text, done) =>
      done(null, text),
    )
    site.setErrorHandler((error, request, reply) => answerProblem(service, error, request, reply))
    // Whatever Node can read is a method that a page may refuse.
    const unknown = METHODS.filter((method) => method !== 'CONNECT' && !site.supportedMethods.includes(method))
    for (const method of unknown) site.addHttpMethod(method, { hasBody: true })
    for (const page of pages) addPage(site, page, { service, openapi })
    site.get('/*', answerNotFound)
  })
}

function addPage(site: FastifyInstance, page: Page, given: Omit<Visit, 'params'>): void {
  const url = page.path.replace(/\{(\w+)\}/g, ':$1')
  const visitOf = (request: FastifyRequest): Visit => ({ ...given, params: request.params as Record<string, string> })
  if (isFixed(page)) site.get(url, sendingFixed(page, visitOf))
  else addLive(site, url, page, visitOf)
  const allowed = methodsOf(page)
  site.route({
    method: site.supportedMethods.filter((method) => !allowed.includes(method)),
    url,
    // Before its body is read: what is not taken has no body to judge.
    onRequest: async ({ raw }) => {
      // `OPTIONS *` is about the whole server; the router takes it for the first page.
      if (raw.url === '*') refuse('not_found')
      refuse('method_not_allowed', { headers: { allow: allowed.join(', ') } })
    },
    handler: async () => undefined,
  })
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

function sendingFixed(page: FixedPage, visitOf: (request: FastifyRequest) => Visit): Handler {
  const headers = headersOf(page)
  // As many as there are addresses: what is not found is not kept.
  const bodies = new Map<string, Promise<Fixed>>()
  return async (request, reply) => {
    const visit = visitOf(request)
    const address = JSON.stringify(visit.params)
    let body = bodies.get(address)
    if (!body) {
      const bytes = page.bytes(visit)
      if (!bytes) return answerNotFound(request, reply)
      body = fixed(bytes)
      bodies.set(address, body)
    }
    return sendFixed(request, reply, await body, headers)
  }
}

function addLive(
  site: FastifyInstance,
  url: string,
  page: LivePage,
  visitOf: (request: FastifyRequest) => Visit,
): void {
  // Whoever visits is known by the address alone, and a form is counted with the visits.
  const show = (request: FastifyRequest, reply: FastifyReply, visit: Visit, work: () => Promise<Shown>) => {
    const address = addressOf(request)
    limitReads(visit.service, address, reply)
    return inTurn(visit.service, address, request, { method: 'GET', caller: page.caller }, work)
  }
  site.get(url, async (request, reply) => {
    const visit = visitOf(request)
    return sendShown(request, reply, visit.service, page, await show(request, reply, visit, () => page.show(visit)))
  })
  const { form } = page
  if (!form) return
  site.post(url, { bodyLimit: form.limit }, async (request, reply) => {
    const visit = visitOf(request)
    if (!isFromHere(request, visit.service.publicUrl)) refuse('forbidden')
    const fields = fieldsOf(form, request.body)
    const send = () => form.send({ ...visit, fields })
    return sendShown(request, reply, visit.service, page, await show(request, reply, visit, send))
  })
}

async function sendShown(request: FastifyRequest, reply: FastifyReply, service: Service, page: LivePage, shown: Shown) {
  if (!shown) return answerNotFound(request, reply)
  if ('bytes' in shown) return sendFeed(request, reply, service, page, shown)
  const { status = 200, html } = shown
  // What was sent by a form is nobody else's.
  const isKept = status === 200 && page.cache !== 'never' && request.method !== 'POST'
  const headers = headersOf({ ...page, cache: isKept ? page.cache : 'never' })
  if (isKept) return sendFixed(request, reply, await fixed(Buffer.from(html)), headers)
  return reply.code(status).headers(headers).send(html)
}

async function sendFeed(request: FastifyRequest, reply: FastifyReply, service: Service, page: LivePage, feed: Feed) {
  const { bytes, contentType, changedAt } = feed
  // A date that is still to come may not be told (RFC 9110, 8.8.2.1): until then there is only the tag.
  const known = changedAt && changedAt <= service.clock.now() ? changedAt : undefined
  const headers = {
    ...headersOf({ cache: page.cache, contentType }),
    ...(known && { 'last-modified': known.toUTCString() }),
  }
  return sendFixed(request, reply, await fixed(bytes), headers, known)
}

/** The fields of a form that its page reads; one that comes twice is `invalid_input`. */
function fieldsOf({ fields }: Form, body: unknown): Record<string, string> {
  const given = new URLSearchParams(typeof body === 'string' ? body : '')
  const read = fields.flatMap((name): [string, string][] => {
    const [value, second] = given.getAll(name)
    if (second !== undefined) invalid({ path: name, problem: 'is there twice' })
    return value === undefined ? [] : [[name, value]]
  })
  return Object.fromEntries(read)
}

/**
 * Whether a form was sent from this site, as far as the browser says. Under `no-referrer` it sends `Origin: null` for
 * our own page too, so then `Sec-Fetch-Site` decides; the secret in the address is the credential in any case.
 */
function isFromHere(request: FastifyRequest, publicUrl: string): boolean {
  const { origin } = request.headers
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  return origin === undefined || origin === 'null' || origin === new URL(publicUrl).origin
}

/** A page for browsers; everything else, and all of the API, gets the envelope. */
function answerNotFound(request: FastifyRequest, reply: FastifyReply) {
  const path = request.url.split('?', 1)[0] as string
  const isApi = path === apiPrefix || path.startsWith(`${apiPrefix}/`)
  if (isApi || !takesHtml(request)) return reply.callNotFound()
  return reply
    .code(404)
    .headers(headersOf({ cache: 'never' }))
    .send(renderNotFound())
}

function answerProblem(service: Service, error: unknown, request: FastifyRequest, reply: FastifyReply) {
  if (!takesHtml(request)) return answerError(service, error, request, reply)
  const status = statusOf(error)
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
    .send(renderProblem(status))
}

function statusOf(error: unknown): number {
  if (error instanceof Refusal) return error.status
  if (isUnavailable(error)) return 503
  const status = (error as { statusCode?: number }).statusCode ?? 500
  return status >= 400 && status < 500 ? status : 500
}

const takesHtml = (request: FastifyRequest): boolean => (request.headers.accept ?? '').includes('text/html')
