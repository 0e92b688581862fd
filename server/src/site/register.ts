// Puts the pages under Fastify: methods, forms, tags and what is not found, once for all of them.
import { METHODS } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addressOf } from '../http/address.ts'
import { wholeBody } from '../http/body.ts'
import { startOfForm } from '../http/multipart.ts'
import type { OpenApi } from '../http/openapi-document.ts'
import { isOwnOrigin } from '../http/origins.ts'
import {
  type FixedPage,
  type FormTarget,
  isFixed,
  isFormTarget,
  isUploadTarget,
  type LivePage,
  methodsOf,
  type PageRoute,
  type Redirect,
  type SessionOf,
  type Shown,
  type Unsent,
  type UploadTarget,
  type Visit,
} from '../http/page.ts'
import { limitReads } from '../http/reads.ts'
import { isForm } from '../http/serve.ts'
import { inTurn } from '../http/turns.ts'
import { refuse } from '../kernel/refuse.ts'
import type { Service } from '../service.ts'
import { lead, sendAnswer } from './answers.ts'
import { headersOf } from './headers.ts'
import { keeper } from './keeper.ts'
import { languageNamed, languagesIn } from './language.ts'
import { pathOfSite } from './paths.ts'
import { answerNotFound, answerProblem, isPassing, takesHtml } from './problems.ts'
import { type Fixed, fixed, sendFixed } from './send.ts'
import { fieldsOf, isFromHere, isSameToken, isVouchedFor, listsOf } from './sent-forms.ts'
import { findSession, formTokenIn, readerOf } from './sessions.ts'
import { staleForm } from './stale.ts'

interface SiteParts {
  pages: readonly PageRoute[]
  openapi: () => OpenApi
}

/** Registers the site; errors and unknown paths below /api/v1 stay with the API. */
export function addSite(app: FastifyInstance, service: Service, { pages, openapi: make }: SiteParts): void {
  // What is ordered, searched and shown of the contract is kept by the one document.
  let made: OpenApi | undefined
  const openapi = (): OpenApi => {
    made ??= make()
    return made
  }
  // A context of its own: its form parser and its error pages are not the API's.
  app.register(async (site) => {
    const readForm = wholeBody(service, (_request, bytes, done) => done(null, bytes.toString()))
    site.addContentTypeParser('application/x-www-form-urlencoded', readForm)
    site.setErrorHandler((error, request, reply) => answerProblem(service, error, request, reply))
    // Whatever Node can read is a method that a page may refuse.
    const unknown = METHODS.filter((method) => method !== 'CONNECT' && !site.supportedMethods.includes(method))
    for (const method of unknown) site.addHttpMethod(method, { hasBody: true })
    const visited = new Set(pages.filter((page) => !isFormTarget(page)).map(({ path }) => path))
    for (const page of pages) addPage(site, page, { service, openapi }, depthOf(page, visited))
    addUnserved(site, pages, visited, service)
  })
}

function addPage(
  site: FastifyInstance,
  page: PageRoute,
  { service, openapi }: Pick<Visit, 'service' | 'openapi'>,
  depth: number,
): void {
  const url = page.path.replace(/\{(\w+)\}/g, ':$1')
  const visitOf: VisitOf = async (request, knows) => {
    const query = knows.query ? queryOf(request, knows.query) : {}
    const language = languageNamed(service, request)
    return {
      service,
      openapi,
      params: request.params as Record<string, string>,
      address: addressOf(service, request.raw),
      host: request.headers.host,
      query,
      accept: request.headers.accept,
      languages: languagesIn(request, language),
      language,
      here: hereOf(request, query, service.publicUrl, depth),
      ...(knows.session && (await findSession(service, knows.session, request))),
    }
  }
  if (isFixed(page)) site.get(url, sendingAsked(page, service, visitOf))
  else if (isUploadTarget(page))
    site.post(url, { config: { takesForm: true } }, takingFile({ ...page, depth }, service, visitOf))
  else if (isFormTarget(page))
    site.post(url, { bodyLimit: page.limit }, takingForm({ ...page, depth }, service, visitOf))
  else addLive(site, url, { ...page, depth }, service, visitOf)
}

/** How many parts of a page's path name what a browser can visit: the page itself, or the one above an address for its forms. */
function depthOf({ path }: PageRoute, visited: ReadonlySet<string>): number {
  const parts = path.split('/')
  while (parts.length > 1 && !visited.has(parts.join('/'))) parts.pop()
  return parts.length
}

/** What no page serves: a path of one by another method, or of none. */
function addUnserved(
  site: FastifyInstance,
  pages: readonly PageRoute[],
  visited: ReadonlySet<string>,
  service: Service,
): void {
  const patterns = pages.map((page) => ({
    pattern: new RegExp(`^${page.path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
    allowed: methodsOf(page),
    depth: isFormTarget(page) ? depthOf(page, visited) : 1,
  }))
  site.route({
    method: site.supportedMethods,
    url: '/*',
    // Before its body is read: what is not taken has no body to judge.
    onRequest: async (request, reply) => {
      const path = `/${(request.params as { '*': string })['*']}`
      const known = patterns.find(({ pattern }) => pattern.test(path))
      const isRead = request.method === 'GET' || request.method === 'HEAD'
      if (known && !known.allowed.includes(request.method)) {
        // Whoever visits the address of a form that was refused gets its page.
        const to = hereOf(request, {}, service.publicUrl, known.depth)
        if (isRead && known.depth > 1 && takesHtml(request) && to !== request.url) return lead(reply, { to })
        refuse('method_not_allowed', { headers: { allow: known.allowed.join(', ') } })
      }
      return isRead ? answerNotFound(service, request, reply) : reply.callNotFound()
    },
    handler: async () => undefined,
  })
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
type VisitOf = (
  request: FastifyRequest,
  knows: { query?: readonly string[] | undefined; session?: SessionOf | undefined },
) => Promise<Visit>

function sendingFixed(page: FixedPage, service: Service, visitOf: VisitOf): Handler {
  const headers = headersOf(page)
  const kept = keeper<Fixed>(service, page.keptFor)
  return async (request, reply) => {
    const visit = await visitOf(request, {})
    const make = async (): Promise<Fixed | undefined> => {
      const bytes = await service.reading((reading) => Promise.resolve(page.bytes({ ...visit, service: reading })))
      return bytes && fixed(bytes)
    }
    const find = () => kept(JSON.stringify([visit.params, page.variant?.(visit), visit.language]), make)
    const body = page.keptFor === undefined ? await find() : await inVisit(service, request, reply, find)
    return body ? sendFixed(request, reply, body, headers) : answerNotFound(service, request, reply)
  }
}

/** A page that is made only for a visitor who asks it for something. */
function sendingAsked(page: FixedPage, service: Service, visitOf: VisitOf): Handler {
  const sendKept = sendingFixed(page, service, visitOf)
  const { queried } = page
  if (!queried) return sendKept
  const { query } = queried
  return async (request, reply) => {
    // Most ask for nothing, and are counted nowhere.
    if (!request.url.includes('?')) return sendKept(request, reply)
    const shown = await inVisit(service, request, reply, async () =>
      shownOf(queried, await visitOf(request, { query })),
    )
    return shown ? sendAnswer(request, reply, service, page, shown) : sendKept(request, reply)
  }
}

/** What a visit shows, read from a replica if there is one; the console, whose pages write their visits down, is not. */
const shownOf = (page: Pick<LivePage, 'show' | 'knows' | 'readsItself'>, visit: Visit): Promise<Shown | Redirect> =>
  page.knows === 'operator' || page.readsItself
    ? page.show(visit)
    : visit.service.reading((service) => page.show({ ...visit, service }))

/** Whoever visits is counted by the address alone, and a form with the visits. */
async function inVisit<T>(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  work: () => Promise<T>,
): Promise<T> {
  const address = addressOf(service, request.raw)
  await limitReads(service, address, reply)
  return inTurn(service, address, request, { method: 'GET', caller: 'anyone' }, work)
}

function addLive(site: FastifyInstance, url: string, page: LivePage & Deep, service: Service, visitOf: VisitOf): void {
  const knows = { query: page.query, session: page.knows }
  site.get(url, async (request, reply) => {
    const [visit, shown] = await inVisit(service, request, reply, async () => {
      const found = await visitOf(request, knows)
      const visit = { ...found, ...(await readerOf(service, page, request.headers.cookie)) }
      return [visit, await shownOf(page, visit)] as const
    })
    const isGreeted = Boolean(visit.isByOperator) || typeof visit.reader === 'string'
    const hasToken = formTokenIn(visit) !== undefined
    const isOwn = hasToken || (isGreeted && shown !== undefined && 'html' in shown)
    return sendAnswer(request, reply, service, { ...page, cache: isOwn ? 'never' : page.cache, hasToken }, shown)
  })
  const { form } = page
  if (!form) return
  const take = form.guard === 'session' ? takingForm : takingSecretForm
  const handler = take({ ...page, ...form }, service, visitOf)
  if (form.guard === 'session' || form.fields.length > 0) site.post(url, { bodyLimit: form.limit }, handler)
  else site.register(async (own) => addUnread(own, service, { url, bodyLimit: form.limit, handler }))
}

/** Sending it is all that it says: it may come in either form that there is, as mail programs send one (RFC 8058, 3.2). */
function addUnread(
  own: FastifyInstance,
  service: Service,
  { url, bodyLimit, handler }: { url: string; bodyLimit: number; handler: Handler },
): void {
  own.removeContentTypeParser(/^multipart\/form-data/i)
  own.addContentTypeParser(
    'multipart/form-data',
    wholeBody(service, (_request, _bytes, done) => done(null, '')),
  )
  own.post(url, { bodyLimit }, handler)
}

/** {@link depthOf}. */
interface Deep {
  depth: number
}

type Target = Pick<FormTarget, 'fields' | 'lists' | 'knows' | 'send'> &
  Pick<LivePage, 'cache' | 'query' | 'isSecret' | 'hasScript'> &
  Deep

/** The secret in the address is the credential. */
function takingSecretForm(page: Target, service: Service, visitOf: VisitOf): Handler {
  return async (request, reply) => {
    if (!isFromHere(request, service.publicUrl)) refuse('forbidden')
    const fields = fieldsOf(page, request.body)
    const sent = await inVisit(service, request, reply, async () =>
      page.send({
        ...(await visitOf(request, { query: page.query })),
        fields,
        lists: {},
        unsent: { ...placesOf(request, service.publicUrl, page), fields, lists: {} },
        reply,
      }),
    )
    return sendAnswer(request, reply, service, page, sent)
  }
}

function takingForm(page: Target, service: Service, visitOf: VisitOf): Handler {
  return async (request, reply) => {
    if (!isVouchedFor(request, service.publicUrl)) refuse('csrf_failed')
    const { came_from: from, ...given } = fieldsOf(
      { fields: ['csrf_token', 'came_from', ...page.fields] },
      request.body,
    )
    const { csrf_token: token, ...fields } = given
    const lists = listsOf(page, request.body)
    const unsent: Unsent = { ...placesOf(request, service.publicUrl, page, from), fields: given, lists }
    try {
      const sent = await inVisit(service, request, reply, async () => {
        const visit = await visitOf(request, { query: page.query, session: page.knows })
        const wanted = formTokenIn(visit)
        if (wanted !== undefined && !isSameToken(token, wanted)) return staleForm(visit, unsent)
        return page.send({ ...visit, fields, lists, unsent, reply })
      })
      return sendAnswer(request, reply, service, page, sent)
    } catch (error) {
      return answerProblem(service, error, request, reply, unsent)
    }
  }
}

/** The upload waits for its turn among uploads. */
function takingFile(page: UploadTarget & Deep, service: Service, visitOf: VisitOf): Handler {
  return async (request, reply) => {
    if (!isVouchedFor(request, service.publicUrl)) refuse('csrf_failed')
    if (!isForm(request)) refuse('unsupported_media_type')
    const start = startOfForm(request.raw, page.parts)
    const { from, here } = placesOf(request, service.publicUrl, page)
    const sentTo = page.sentTo(request.params as Visit['params'])
    const unsent = async (): Promise<Unsent> => {
      const { fields, lists } = await start.find()
      // It is sent again without the file: the page then says that one was chosen and not added.
      const file = Object.keys(fields).length > 0 && { file: 'file' }
      return { fields: { ...fields, ...file }, lists, sentTo, from, here }
    }
    try {
      const visit = await inVisit(service, request, reply, () => visitOf(request, { session: page.knows }))
      const wanted = formTokenIn(visit)
      const isOwnToken = (given: string | undefined): boolean => wanted === undefined || isSameToken(given, wanted)
      const { note } = start
      const sent = await page.receive({ ...visit, request: request.raw, reply, note, unsent, isOwnToken })
      return sendAnswer(request, reply, service, page, sent)
    } catch (error) {
      return answerProblem(service, error, request, reply, isPassing(error) ? await unsent() : undefined)
    }
  }
}

/** Where a form was sent to, and the page that it was sent from: as a page that sends it again says, or the browser. */
function placesOf(request: FastifyRequest, publicUrl: string, { depth }: Deep, cameFrom?: string) {
  const { url, headers } = request
  const referer = URL.parse(headers.referer ?? '')
  const named = referer && isOwnOrigin(publicUrl, referer.origin) ? referer.pathname + referer.search : undefined
  const from = pathOfSite(cameFrom, publicUrl) ?? pathOfSite(named, publicUrl)
  const here = hereOf(request, {}, publicUrl, depth)
  return {
    sentTo: pathOfSite(url, publicUrl) ?? '/',
    from,
    // With its query.
    here: from?.split('?', 1)[0] === here ? from : here,
  }
}

/** A path that a browser could take for another site leads to the start. */
function hereOf({ url }: FastifyRequest, query: Visit['query'], publicUrl: string, depth: number): string {
  const path = pathOfSite(url.split('?', 1)[0], publicUrl)?.split('/').slice(0, depth).join('/') || '/'
  return Object.keys(query).length === 0 ? path : `${path}?${new URLSearchParams(query)}`
}

/** What a page reads of its query; an address with one of it twice is nobody's. */
function queryOf(request: FastifyRequest, names: readonly string[]): Record<string, string> {
  const at = request.url.indexOf('?')
  const given = new URLSearchParams(at < 0 ? '' : request.url.slice(at + 1))
  return Object.fromEntries(
    names.flatMap((name) => {
      const [value, second] = given.getAll(name)
      if (second !== undefined) refuse('not_found')
      return value === undefined ? [] : [[name, value]]
    }),
  )
}
