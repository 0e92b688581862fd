// Who sent a request, by the strategy that its route names: a Bearer token, the cookie of a human's or a visitor's
// session, or nobody (docs/contract/authentication.md, docs/contract/people.md).
import { isDeepStrictEqual } from 'node:util'
import type { FastifyRequest } from 'fastify'
import type { Admitted, Agent, Human } from '../kernel/callers.ts'
import { isRestricted } from '../kernel/gate.ts'
import { Refusal, refuse, unauthorized } from '../kernel/refuse.ts'
import type { Service } from '../service.ts'
import type { Query } from '../store/sql.ts'
import { addressOf } from './address.ts'
import { agentOfToken, authenticate, bearerDigest, findByToken } from './authenticate.ts'
import { noteCall } from './calls.ts'
import { cookieName, isCsrfToken, type Person, readCookie, secretDigest } from './cookies.ts'
import { credentialOf, knownCallers, lookUp } from './credentials.ts'
import { findHuman } from './humans.ts'
import { isOwnOrigin } from './origins.ts'
import { isMutating, type Route, type Strategy } from './route.ts'
import { inTurn } from './turns.ts'
import { findVisitor } from './visitors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    admitted: Admitted | undefined
    /** The token's owner, from memory: the token itself must still be checked. */
    unchecked: Buffer | undefined
  }
}

export interface Callers {
  /**
   * Sets `request.admitted`; always `unauthorized` for a bad credential, and for a missing one if the route needs one.
   */
  identify(route: Route, request: FastifyRequest): Promise<void>
  /**
   * Checks the token of a remembered caller, with one statement among others; `unauthorized`, or {@link CallerChanged}
   * if the caller has changed: from then on the request has the current one.
   */
  confirmer(request: FastifyRequest): (sql: Query) => Promise<void>
  /** The final error of a failed request: a token that was only remembered is checked first. */
  answerOf(request: FastifyRequest, error: unknown): Promise<unknown>
}

/** The work must be repeated for the caller's current state; nothing of it may stay. */
export class CallerChanged extends Error {}

export function createCallers(service: Service): Callers {
  const { sql, clock, secrets, publicUrl } = service
  const known = knownCallers(service)

  async function byToken(route: Route, request: FastifyRequest): Promise<void> {
    const digest = bearerDigest(request.raw)
    if (digest === undefined) {
      if (route.caller === 'agent') unauthorized()
      return
    }
    const credential = credentialOf('agent', digest)
    const recalled = recall(route, credential)
    if (recalled) {
      request.admitted = recalled
      request.unchecked = digest
      return
    }
    const ask = () => agentOfToken(service, digest)
    request.admitted = (await find(credential, route, request, ask)) ?? unauthorized()
  }

  function recall({ deferred, confirms }: Route, credential: string): Admitted<Agent> | undefined {
    const recalled = known.get(credential) as Admitted<Agent> | undefined
    if (deferred || !recalled) return deferred ? recalled : undefined
    // An agent that a gate would stop may be unrestricted by now.
    return confirms && !recalled.caller.suspendedAt && !isRestricted(service, recalled.caller) ? recalled : undefined
  }

  function confirmer(request: FastifyRequest): (sql: Query) => Promise<void> {
    const { unchecked, admitted } = request
    if (!unchecked || !admitted) return async () => {}
    return async (sql) => {
      const standing = await findByToken(sql, unchecked, clock.now())
      request.unchecked = undefined
      if (!standing) return unauthorized()
      if (isDeepStrictEqual(standing.caller, admitted.caller)) return
      known.set(credentialOf('agent', unchecked), standing)
      request.admitted = standing
      throw new CallerChanged()
    }
  }

  /** Takes a turn of the credential's recent owner, or else of its address. */
  function find<T extends Admitted<Agent> | Admitted<Human>>(
    credential: string,
    route: Route,
    request: FastifyRequest,
    ask: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const address = addressOf(service, request.raw)
    return inTurn(service, known.get(credential)?.caller.id ?? address, request, route, () =>
      lookUp(service, credential, address, ask),
    )
  }

  type FindPerson = (cookie: string, route: Route, request: FastifyRequest) => Promise<Admitted | undefined>
  type Caller = Exclude<Person, 'operator'>
  const findPerson: Record<Caller, FindPerson> = {
    async human(cookie, route, request) {
      const digest = secretDigest(cookie)
      return digest && find(credentialOf('human', digest), route, request, () => findHuman(service, digest))
    },
    async visitor(_cookie, _route, request) {
      const found = await findVisitor(service, request.headers.cookie)
      // It ends when the browser forgets its cookie, or nobody uses it for long.
      return (
        found && { caller: { kind: 'visitor', id: found.id }, session: { digest: found.digest, expiresAt: forever } }
      )
    },
  }

  async function byCookie(route: Route, person: Caller, request: FastifyRequest): Promise<void> {
    const cookie = readCookie(request.headers.cookie, cookieName(person, publicUrl))
    const admitted = cookie === undefined ? undefined : await findPerson[person](cookie, route, request)
    if (!admitted) return refuse('unauthorized')
    requireOwnOrigin(request)
    if (isMutating(route)) {
      const given = request.headers['x-csrf-token']
      const token = typeof given === 'string' ? given : undefined
      if (!isCsrfToken(secrets, person, admitted.session.digest, token)) refuse('csrf_failed')
    }
    request.admitted = admitted
  }

  /** A page of another site may send its reader's cookie along: then the browser says where the request comes from. */
  function requireOwnOrigin({ headers: { origin } }: FastifyRequest): void {
    if (origin !== undefined && !isOwnOrigin(publicUrl, origin)) refuse('csrf_failed')
  }

  function noToken({ headers }: FastifyRequest): void {
    if (headers.authorization !== undefined) refuse('forbidden', { message: 'This is for people: send no token' })
  }

  const strategies: Record<Strategy, (route: Route, request: FastifyRequest) => Promise<void>> = {
    anyone: byToken,
    agent: byToken,
    async human(route, request) {
      noToken(request)
      await byCookie(route, 'human', request)
    },
    async visitor(route, request) {
      noToken(request)
      await byCookie(route, 'visitor', request)
    },
    async browser(_route, request) {
      noToken(request)
      // A request that starts a session has no form token yet: the browser must say that the page is ours.
      if (!isOwnOrigin(publicUrl, request.headers.origin ?? '')) refuse('csrf_failed')
    },
  }

  return {
    confirmer,
    async identify(route, request) {
      await strategies[route.caller](route, request)
      if (request.admitted?.caller.kind === 'agent') noteCall(service, request.admitted.caller.id)
    },
    async answerOf(request, error) {
      let answer = error
      try {
        const { unchecked, admitted } = request
        const route = request.routeOptions.config.route
        if (unchecked && admitted && route) {
          await inTurn(service, admitted.caller.id, request, route, () => authenticate(sql, unchecked, clock.now()))
        }
      } catch (earlier) {
        answer = earlier
      }
      // A dead token is not remembered again, or it would keep using up its agent's limit of writes.
      const isDead = answer instanceof Refusal && answer.code === 'unauthorized'
      if (isDead && request.admitted) {
        const { caller, session } = request.admitted
        known.delete(credentialOf(caller.kind, session.digest))
      }
      return answer
    },
  }
}

const forever = new Date(8_640_000_000_000_000)
