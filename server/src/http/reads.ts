// The limits on reads: reads of one caller in a minute, and invalid tokens of one address (READ_LIMIT_PER_MINUTE;
// docs/contract/limits.md). Each node counts separately, the workers of one service together.
import type { FastifyReply } from 'fastify'
import { limitHeaders } from '../kernel/limits.ts'
import { refuse } from '../kernel/refuse.ts'
import { perService, type Service } from '../service.ts'

const windowSeconds = 60

const counterOf = perService(({ countersFor }) => countersFor('reads'))
/**
 * How often an address showed each invalid credential: separate, so that guesses do not push out the counts of reads.
 */
const badOf = perService(({ countersFor }) => countersFor('guesses'))

/** Counts one read for a caller or an address and reports the rest in the headers; beyond the limit `read_limited`. */
export async function limitReads(service: Service, countedFor: string, reply: FastifyReply): Promise<void> {
  const limit = service.config.readLimitPerMinute
  if (limit === 0) return
  const state = await counterOf(service).take(`read:${countedFor}`, limit, windowSeconds)
  reply.headers(limitHeaders('reads', windowSeconds, state))
  if (!state.allowed) refuse('read_limited', { retryAfter: state.resetSeconds })
}

/** How many different invalid credentials an address may show in a minute, and each how often: a share of its reads. */
const guessShare = 1 / 30

const guessesIn = (service: Service): number => Math.ceil(service.config.readLimitPerMinute * guessShare)

/**
 * `read_limited` for an address that has shown too many invalid credentials, or this one too often: no more are looked
 * up. A client that keeps using one dead token does not use up what others behind its address may show.
 */
export async function requireFewGuesses(service: Service, address: string, credential: string): Promise<void> {
  const limit = guessesIn(service)
  if (limit === 0) return
  let state = await counterOf(service).take(`guess:${address}`, limit, windowSeconds, 0)
  if (state.remaining > 0) state = await badOf(service).take(`${address} ${credential}`, limit, windowSeconds, 0)
  if (state.remaining > 0) return
  refuse('read_limited', {
    retryAfter: state.resetSeconds,
    message: 'Too many invalid tokens from this address; recently valid ones still work',
  })
}

/** Counts an invalid credential that was looked up: once for its address, however often it comes. */
export async function countGuess(service: Service, address: string, credential: string): Promise<void> {
  const limit = guessesIn(service)
  if (limit === 0) return
  const { remaining } = await badOf(service).take(`${address} ${credential}`, limit, windowSeconds)
  if (remaining === limit - 1) await counterOf(service).take(`guess:${address}`, limit, windowSeconds)
}
