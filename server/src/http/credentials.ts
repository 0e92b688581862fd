// Recently valid credentials, by digest: the owner never changes; whether one is still valid is checked each time. Any
// other credential is looked up only while its address has not guessed too often.
import type { Admitted, Agent, Caller, Human } from '../kernel/callers.ts'
import { safeError } from '../log.ts'
import { perService, type Service } from '../service.ts'
import { findByToken, tokenDigest } from './authenticate.ts'
import { countGuess, requireFewGuesses } from './reads.ts'

type Known = Admitted<Agent> | Admitted<Human>

const maxKnown = 10_000

/** By the result of {@link credentialOf}; the oldest go first. */
export const knownCallers = perService(() => new Map<string, Known>())

/** Identifies a credential: its digest and its kind, because each kind is looked up elsewhere. */
export const credentialOf = (kind: Caller['kind'], digest: Buffer): string => `${kind} ${digest.toString('latin1')}`

/**
 * Looks up whose a credential is and remembers it. Throws `read_limited` without looking if it was not valid recently
 * and `address` has shown too many invalid ones; an undefined address is not counted.
 */
export async function lookUp<T extends Known>(
  service: Service,
  credential: string,
  address: string | undefined,
  find: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const known = knownCallers(service)
  if (address !== undefined && !known.has(credential)) await requireFewGuesses(service, address, credential)
  const admitted = await find()
  if (!admitted) {
    known.delete(credential)
    if (address !== undefined) await countGuess(service, address, credential)
    return undefined
  }
  if (known.size >= maxKnown && !known.has(credential)) known.delete(known.keys().next().value as string)
  known.set(credential, admitted)
  return admitted
}

/**
 * Remembers a token that was just given to somebody, who may use it at once however much was guessed from the same
 * address. A failure here does not undo the giving: the token is just not remembered.
 */
export async function remember(service: Service, token: string): Promise<void> {
  const digest = tokenDigest(token)
  try {
    await lookUp(service, credentialOf('agent', digest), undefined, () =>
      findByToken(service.sql, digest, service.clock.now()),
    )
  } catch (error) {
    service.log.warn({ error: safeError(error) }, 'a new token could not be cached')
  }
}
