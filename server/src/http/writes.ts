// The limits that the kernel counts before it looks at a request: one caller's changes in a minute, including replays,
// and one address's emails and registrations in an hour (docs/contract/representation.md#rate-limits).
import type { FastifyReply } from 'fastify'
import type { Caller } from '../kernel/callers.ts'
import { limitHeaders } from '../kernel/limits.ts'
import { refuse } from '../kernel/refuse.ts'
import type { Service } from '../service.ts'

const windowSeconds = 60

/** Counts one write and reports the rest in the headers; beyond the limit `write_limited`. */
export async function limitWrites(service: Service, me: Caller, reply: FastifyReply): Promise<void> {
  const limit = service.config.writeLimitPerMinute
  if (limit === 0) return
  const state = await service.limiter.take(`write:${me.id}`, limit, windowSeconds)
  reply.headers(limitHeaders('writes', windowSeconds, state))
  if (!state.allowed) refuse('write_limited', { retryAfter: state.resetSeconds })
}

const addressWindowSeconds = 3600

/** Counts one call of its kind by its address; beyond the hourly limit `registration_limited`. */
export async function limitByAddress(service: Service, kind: 'mail' | 'registration', address: string): Promise<void> {
  const limit = service.config.registrationLimitPerHour
  const state = await service.limiter.take(`${kind}:${address}`, limit, addressWindowSeconds)
  if (!state.allowed) refuse('registration_limited', { retryAfter: state.resetSeconds })
}
