// Sends what a page says: what it shows, a feed, a download, or where it leads.
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Download, Feed, LivePage, Redirect, Shown } from '../http/page.ts'
import { endStalled } from '../http/stalled.ts'
import type { Service } from '../service.ts'
import { headersOf } from './headers.ts'
import { answerNotFound } from './problems.ts'
import { sendMade, sendOnce } from './send.ts'

type SentPage = Pick<LivePage, 'cache' | 'isSecret' | 'hasScript' | 'variesOn' | 'isShared'> & {
  /** Whether forms of a session are on it; unless it is known that none are, it is not compressed. */
  hasToken?: boolean
}

export async function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  service: Service,
  page: SentPage,
  sent: Shown | Redirect,
) {
  return sent && 'to' in sent ? lead(reply, sent) : sendShown(request, reply, service, page, sent)
}

export function lead(reply: FastifyReply, { to, cookies }: Redirect) {
  if (cookies) reply.header('set-cookie', [...cookies])
  return reply
    .code(303)
    .headers({ ...headersOf({ cache: 'never' }), location: to })
    .send()
}

async function sendShown(request: FastifyRequest, reply: FastifyReply, service: Service, page: SentPage, shown: Shown) {
  if (!shown) return answerNotFound(service, request, reply)
  if ('chunks' in shown) return sendDownload(request, reply, shown)
  if ('bytes' in shown) return sendFeed(request, reply, service, page, shown)
  const { status = 200, retryAfter, html } = shown
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  // What was sent by a form is nobody else's.
  const isKept = status === 200 && page.cache !== 'never' && request.method !== 'POST'
  const headers = headersOf({ ...page, cache: isKept ? page.cache : 'never' })
  if (!isKept) {
    reply.code(status).headers(headers)
    const isOpen = page.hasToken === false && page.isSecret !== true
    return isOpen ? sendOnce(request, reply, Buffer.from(html), headers['vary']) : reply.send(html)
  }
  return sendMade(request, reply, Buffer.from(html), headers)
}

async function sendFeed(request: FastifyRequest, reply: FastifyReply, service: Service, page: SentPage, feed: Feed) {
  const { bytes, contentType, changedAt } = feed
  // A date that is still to come may not be told (RFC 9110, 8.8.2.1): until then there is only the tag.
  const known = changedAt && changedAt <= service.clock.now() ? changedAt : undefined
  const headers = {
    ...headersOf({ cache: page.cache, contentType, variesOn: page.variesOn, isShared: page.isShared }),
    ...(known && { 'last-modified': known.toUTCString() }),
  }
  return sendMade(request, reply, bytes, headers, known)
}

/** Of a client that goes away, or takes nothing for too long, nothing more is made. */
function sendDownload(
  { method, raw }: FastifyRequest,
  reply: FastifyReply,
  { chunks, contentType, fileName }: Download,
) {
  reply.headers({
    ...headersOf({ cache: 'never', contentType }),
    ...(fileName !== undefined && { 'content-disposition': `attachment; filename="${fileName}"` }),
  })
  if (method !== 'HEAD') endStalled(raw.socket, reply.raw)
  return reply.send(Readable.from(method === 'HEAD' ? [] : chunks()))
}
