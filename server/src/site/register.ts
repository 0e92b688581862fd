// Puts the site under Fastify: the pages, the contract, the documents, and the owner's confirmation.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { answerError } from '../http/errors.ts'
import type { OpenApi } from '../http/openapi-document.ts'
import { apiPrefix } from '../http/serve.ts'
import { Refusal } from '../kernel/refuse.ts'
import { safeError } from '../log.ts'
import type { Service } from '../service.ts'
import { isUnavailable } from '../store/sql.ts'
import { findAsset } from './assets.ts'
import { type Confirmation, renderConfirmation, renderNoConfirmation } from './confirm.ts'
import { renderNotFound, renderProblem } from './errors.ts'
import { renderLanding } from './landing.ts'
import { pageHeaders } from './layout.ts'
import { renderReference } from './reference.ts'
import { type Fixed, fixed, sendFixed } from './send.ts'

export interface SiteDocument {
  name: string
  title: string
  version: string
  url: string
  sha256: string
  bytes: Buffer
  /** Whether this is the version that holds now. */
  current: boolean
}

export interface SiteParts {
  documents: readonly SiteDocument[]
  openapi: () => OpenApi
  confirmation: {
    /** What a live secret stands for; undefined for an unknown or expired one. */
    find: (secret: string) => Promise<{ state: 'pending' | 'confirmed'; handle: string } | undefined>
    /** Confirms; false where there was nothing to confirm. */
    confirm: (secret: string) => Promise<boolean>
  }
}

const operatorOf = ({ config }: Service) => ({ name: config.operatorName, contact: config.operatorContact })

const confirmPath = '/owner/confirm/:secret'
const formLimit = 1024

/** Registers the site; errors and unknown paths below /api/v1 stay with the API. */
export function addSite(app: FastifyInstance, service: Service, parts: SiteParts): void {
  // A context of its own: its form parser and its error pages are not the API's.
  app.register(async (site) => {
    site.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: formLimit },
      // Sending the form is all that it says: what is in it does not matter.
      (_request, _text, done) => done(null, undefined),
    )
    site.setErrorHandler((error, request, reply) => answerProblem(service, error, request, reply))
    addPages(site, service, parts)
    addDocuments(site, parts)
    addConfirmation(site, service, parts)
    site.get('/*', answerNotFound)
  })
}

function addPages(site: FastifyInstance, service: Service, { documents, openapi }: SiteParts): void {
  const frame = {
    documents: documents
      .filter(({ current }) => current)
      .map(({ title, name, version }) => ({ title, href: documentPath(name, version) })),
    operator: operatorOf(service),
  }
  const publicUrl = (): string => service.publicUrl
  const pages: Record<string, () => string> = {
    '/': () => renderLanding({ publicUrl: publicUrl(), ownerConfirmation: service.config.ownerEmailGate, ...frame }),
    '/docs': () => renderReference(openapi(), { publicUrl: publicUrl(), ...frame }),
  }
  for (const [path, render] of Object.entries(pages)) {
    const body = once(() => fixed(Buffer.from(render())))
    site.get(path, async (request, reply) => sendFixed(request, reply, await body(), pageHeaders({ sensitive: false })))
  }
  const contract = once(() => fixed(Buffer.from(`${JSON.stringify(openapi(), null, 2)}\n`)))
  site.get('/openapi.json', async (request, reply) =>
    sendFixed(request, reply, await contract(), {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=60',
    }),
  )
  const assets = new Map<string, Promise<Fixed>>()
  site.get('/assets/:file', async (request, reply) => {
    const asset = findAsset(request.url.split('?', 1)[0] as string)
    if (!asset) return answerNotFound(request, reply)
    const body = assets.get(asset.path) ?? fixed(asset.bytes)
    assets.set(asset.path, body)
    return sendFixed(request, reply, await body, {
      'content-type': asset.contentType,
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'same-origin',
    })
  })
}

const documentPath = (name: string, version: string): string => `/documents/${name}/${version}`

/** The exact bytes of each document, whose hash the contract names: no page is made of them here. */
function addDocuments(site: FastifyInstance, { documents }: SiteParts): void {
  const bodies = new Map<SiteDocument, Promise<Fixed>>()
  site.get<{ Params: { name: string; version: string } }>('/documents/:name/:version', async (request, reply) => {
    const { name, version } = request.params
    const document = documents.find((each) => each.name === name && each.version === version)
    if (!document) return answerNotFound(request, reply)
    const body = bodies.get(document) ?? fixed(document.bytes)
    bodies.set(document, body)
    return sendFixed(request, reply, await body, {
      'content-type': 'text/markdown; charset=utf-8',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cache-control': 'public, max-age=3600',
    })
  })
}

function addConfirmation(site: FastifyInstance, service: Service, { documents, confirmation }: SiteParts): void {
  const shown = documents
    .filter(({ current }) => current)
    .map(({ bytes, ...document }) => ({ ...document, text: bytes.toString('utf8') }))
  const answer = (reply: FastifyReply, secret: string, state: Confirmation['state'], handle: string, status = 200) =>
    reply
      .code(status)
      .headers(pageHeaders({ sensitive: true }))
      .send(
        renderConfirmation({
          state,
          handle,
          documents: shown,
          publicUrl: service.publicUrl,
          operator: operatorOf(service),
          action: `/owner/confirm/${encodeURIComponent(secret)}`,
        }),
      )
  const gone = (reply: FastifyReply) =>
    reply
      .code(404)
      .headers(pageHeaders({ sensitive: true }))
      .send(renderNoConfirmation())

  type Request = FastifyRequest<{ Params: { secret: string } }>
  site.get(confirmPath, async (request: Request, reply) => {
    const { secret } = request.params
    const found = await confirmation.find(secret)
    if (!found) return gone(reply)
    return answer(reply, secret, found.state === 'pending' ? 'pending' : 'already', found.handle)
  })
  site.post(confirmPath, { bodyLimit: formLimit }, async (request: Request, reply) => {
    const { secret } = request.params
    if (!isFromHere(request, service.publicUrl)) throw new Refusal('forbidden')
    const found = await confirmation.find(secret)
    if (!found) return gone(reply)
    if (found.state === 'confirmed') return answer(reply, secret, 'already', found.handle)
    if (await confirmation.confirm(secret)) return answer(reply, secret, 'confirmed', found.handle)
    // A twin of this request was faster, or the link's time ended in between.
    const now = await confirmation.find(secret)
    return now?.state === 'confirmed' ? answer(reply, secret, 'already', now.handle) : gone(reply)
  })
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
    .headers({ ...pageHeaders({ sensitive: false }), 'cache-control': 'no-store' })
    .send(renderNotFound())
}

function answerProblem(service: Service, error: unknown, request: FastifyRequest, reply: FastifyReply) {
  if (!takesHtml(request)) return answerError(service, error, request, reply)
  const status = statusOf(error)
  if (status === 500) {
    const where = { request_id: request.id, route: request.routeOptions?.url }
    service.log.error({ ...where, error: safeError(error) }, 'a page failed')
  }
  if (status === 503) reply.header('retry-after', '5')
  return reply
    .code(status)
    .headers(pageHeaders({ sensitive: true }))
    .send(renderProblem(status))
}

function statusOf(error: unknown): number {
  if (error instanceof Refusal) return error.status
  if (isUnavailable(error)) return 503
  const status = (error as { statusCode?: number }).statusCode ?? 500
  return status >= 400 && status < 500 ? status : 500
}

const takesHtml = (request: FastifyRequest): boolean => (request.headers.accept ?? '').includes('text/html')

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}
