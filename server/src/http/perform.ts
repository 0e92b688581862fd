// Lets a form of the site call a route of the API: the same body, the same limits and refusals apply, and a form sent
// twice is a replay. docs/contract/site.md#forms.
import type { FastifyReply } from 'fastify'
import type { Caller, Session } from '../kernel/callers.ts'
import { refuse } from '../kernel/refuse.ts'
import type { Service } from '../service.ts'
import { checksOf } from './checks.ts'
import { type Answer, bodyLimit, isLimited, type Route } from './route.ts'
import { limitByAddress, limitWrites } from './writes.ts'

interface Performance {
  service: Service
  /** Who is signed in; nobody if this starts a session. */
  me?: Caller
  session?: Session
  params?: Readonly<Record<string, string>>
  /** As in JSON. */
  body: Record<string, unknown>
  /** The client's address, as limits count it. */
  address: string
  reply: FastifyReply
}

/**
 * The response of a route whose caller was already found. Throws the route's refusals; not for routes that take files
 * or send bytes.
 */
export async function perform<T>(
  route: Route,
  { service, me, session, params = {}, body: given, address, reply }: Performance,
): Promise<{ status: number; headers: Readonly<Record<string, string>>; body: T }> {
  if (me && isLimited(route)) await limitWrites(service, me, reply)
  if (route.countedByAddress) await limitByAddress(service, route.countedByAddress, address)
  if (Buffer.byteLength(JSON.stringify(given)) > (route.bodyLimit ?? bodyLimit)) refuse('payload_too_large')
  const checks = checksOf(route)
  checks.params(params)
  const answer: Answer = await route.handle({
    service,
    me: me as Caller,
    session: session as Session,
    params: params as never,
    query: {} as never,
    body: checks.body(given) as never,
    confirm: async () => {},
    address,
    request: reply.request.raw,
  })
  if (!('body' in answer)) throw new TypeError(`${route.method} ${route.path} is not for forms`)
  return { status: answer.status ?? 200, headers: answer.headers ?? {}, body: answer.body as T }
}
