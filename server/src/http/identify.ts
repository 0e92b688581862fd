// Who sent a request: the agent of its token, checked now, or recalled where the verb checks it in its own statement.
import type { FastifyRequest } from 'fastify'
import { Refusal } from '../kernel/refuse.ts'
import type { Service } from '../service.ts'
import { type Agent, authenticate, bearerToken, tokenDigest, unauthorized } from './authenticate.ts'
import type { Route } from './route.ts'

declare module 'fastify' {
  interface FastifyRequest {
    me: Agent | undefined
    /** Whose token this is, by memory alone: the token itself is still to be checked. */
    unchecked: Buffer | undefined
  }
}

export interface Identifier {
  /** Sets `request.me`; `unauthorized` for a bad token everywhere, and for none where an agent is needed. */
  identify(route: Route, request: FastifyRequest): Promise<void>
  /** What is really to be answered to a request that failed: a token that was only recalled is checked first. */
  settle(request: FastifyRequest, error: unknown): Promise<unknown>
}

const maxRecalled = 10_000

export function identifier(service: Service): Identifier {
  // Whose a token is never changes, so it may be remembered; whether it is still good may not.
  const owners = new Map<string, Agent>()
  const keyOf = (digest: Buffer): string => digest.toString('latin1')

  return {
    async identify(route, request) {
      const token = bearerToken(request.raw.rawHeaders, request.headers.authorization)
      if (token === undefined) {
        if (route.access === 'agent') unauthorized()
        return
      }
      const digest = tokenDigest(token)
      if (!route.deferred) {
        request.me = await authenticate(service, digest)
        return
      }
      const known = owners.get(keyOf(digest))
      request.me = known ?? (await authenticate(service, digest))
      if (known) {
        request.unchecked = digest
        return
      }
      if (owners.size >= maxRecalled) owners.delete(owners.keys().next().value as string)
      owners.set(keyOf(digest), request.me)
    },
    async settle(request, error) {
      let settled = error
      try {
        if (request.unchecked) await authenticate(service, request.unchecked)
      } catch (earlier) {
        settled = earlier
      }
      // A dead token is not recalled again, or it would go on using up its agent's limit of writes.
      const isDead = settled instanceof Refusal && settled.code === 'unauthorized'
      if (isDead && request.me) owners.delete(keyOf(request.me.tokenDigest))
      return settled
    },
  }
}
