// The general limit on what one agent changes in a minute; replays count (SPEC.md, Limits).
import type { FastifyReply } from 'fastify'
import type { Service } from '../service.ts'
import type { Agent } from './authenticate.ts'
import { limitHeaders } from './limits.ts'
import { refuse } from './refuse.ts'

const windowSeconds = 60

/** Counts one write and says in the headers what is left; beyond the limit `write_limited`. */
export async function limitWrites(service: Service, me: Agent, reply: FastifyReply): Promise<void> {
  const limit = service.config.writeLimitPerMinute
  if (limit === 0) return
  const state = await service.limiter.take(`write:${me.id}`, limit, windowSeconds)
  reply.headers(limitHeaders('writes', windowSeconds, state))
  if (!state.allowed) refuse('write_limited', { retryAfter: state.resetSeconds })
}
