// Who may open an event connection, and how one that may not is told. docs/contract/events.md.
import type { IncomingMessage } from 'node:http'
import { channelPath } from '../events/describe.ts'
import { addressOf } from '../http/address.ts'
import { agentOfToken, bearerToken, countHeader, tokenDigest } from '../http/authenticate.ts'
import { credentialOf, lookUp } from '../http/credentials.ts'
import { isOwnOrigin } from '../http/origins.ts'
import { faultOfHost, targetOf } from '../http/target.ts'
import type { Admitted, Agent } from '../kernel/callers.ts'
import { Refusal } from '../kernel/refuse.ts'
import { safeError } from '../log.ts'
import type { Service } from '../service.ts'
import { negotiate, offeredProtocols } from './versions.ts'

/** RFC 6455, section 4.2.2: with the version that is spoken here. */
export const notWebSocket = new Refusal('invalid_input', {
  message: 'Send Sec-WebSocket-Version: 13 and a Sec-WebSocket-Key of 16 bytes',
  headers: { 'sec-websocket-version': '13' },
})

/** A request to connect that may be upgraded: to serve it, or only to close it with a code. */
type Handshake = { admitted: Admitted<Agent>; version: number } | { closeWith: number }

/** Judges a request to connect; what is no handshake, or cannot be judged, is refused while there is only HTTP. */
export async function judge(service: Service, request: IncomingMessage, isServing: boolean): Promise<Handshake> {
  const { rawHeaders, headers } = request
  const [pathname, query] = targetOf(request).split('?', 2) as [string, string | undefined]
  if (pathname !== channelPath || request.method !== 'GET') throw new Refusal('not_found')
  if (!isServing) throw new Refusal('service_unavailable', { retryAfter: 2 })
  const message = faultOfHost(request)
  if (message !== undefined) throw new Refusal('invalid_input', { message })
  const version = negotiate(offeredProtocols(rawHeaders))
  if (version === undefined) {
    throw new Refusal('invalid_input', { message: 'Send exactly one known subprotocol, or none' })
  }
  const { origin } = headers
  const isForeign = origin !== undefined && !isOwnOrigin(service.publicUrl, origin)
  if (query !== undefined || countHeader(rawHeaders, 'authorization') > 1 || isForeign) return { closeWith: 4403 }
  const admitted = await agentOf(service, request)
  if (!admitted) return { closeWith: 4401 }
  return admitted.caller.suspendedAt ? { closeWith: 4403 } : { admitted, version }
}

async function agentOf(service: Service, request: IncomingMessage): Promise<Admitted<Agent> | undefined> {
  try {
    const token = bearerToken(request.rawHeaders, request.headers.authorization)
    if (token === undefined) return undefined
    const digest = tokenDigest(token)
    // Together with others: after a restart everybody reconnects at once, many from one address, and no token is known;
    // in a queue per address most would be refused.
    const found = lookUp(service, credentialOf('agent', digest), addressOf(service, request), () =>
      agentOfToken(service, digest),
    )
    return await found
  } catch (error) {
    if (!(error instanceof Refusal)) {
      service.log.warn({ error: safeError(error) }, 'an event connection could not be checked')
      throw new Refusal('service_unavailable', { retryAfter: 1 })
    }
    if (error.code === 'unauthorized') return undefined
    throw error
  }
}
