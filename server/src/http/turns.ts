// A fair share for everybody: for each caller, or each address if the caller is unknown, a few requests are processed
// at a time. The rest wait in a queue of their own, and others pass them (docs/contract/limits.md).
import type { FastifyRequest } from 'fastify'
import { fairQueue, QueueFull } from '../kernel/fair-queue.ts'
import { type Code, Refusal } from '../kernel/refuse.ts'
import { perService, type Service } from '../service.ts'
import { addressOf } from './address.ts'
import { isLimited, isMutating, type Route } from './route.ts'
import { requireRead } from './unread.ts'

/**
 * A request holds about one connection of the pool, which has 16. Work without the database does not count here:
 * transfers of bytes, and messages, which are written many at a time.
 */
export const turnsOf = perService(() =>
  fairQueue({ total: 32, each: 4, waitingEach: 256, waitingTotal: 4096, waitAtMost: 10_000 }),
)

/** Whom a request counts for: its caller, or else its address. */
export const countedFor = (service: Service, { admitted, raw }: FastifyRequest): string =>
  admitted?.caller.id ?? addressOf(service, raw)

/** Runs `work` of a request when `key` has its turn; refuses it if too much is already waiting. */
export const inTurn = <T>(
  service: Service,
  key: string,
  { raw: { socket } }: FastifyRequest,
  route: Pick<Route, 'method' | 'caller'>,
  work: () => Promise<T>,
): Promise<T> =>
  takeTurn(service, key, { socket, excess: excess(route) }, () => {
    // Only now, because many may have waited for the same turn.
    if (!isMutating(route)) requireRead(service, key)
    return work()
  })

/** {@link inTurn} for work that is not a request of a route: `excess` is the refusal if too much of `key` waits. */
export async function takeTurn<T>(
  service: Service,
  key: string,
  { socket, excess }: { socket: { destroyed: boolean }; excess: Code },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await turnsOf(service).run(key, work, () => socket.destroyed)
  } catch (error) {
    if (!(error instanceof QueueFull)) throw error
    service.metrics.turnsRefused.inc({ why: error.why })
    throw new Refusal(error.why === 'own' ? excess : 'service_unavailable', { retryAfter: 1 })
  }
}

const excess = (route: Pick<Route, 'method' | 'caller'>): Code =>
  isMutating(route) ? (isLimited(route) ? 'write_limited' : 'service_unavailable') : 'read_limited'
