// Whoever showed a good credential lately, by its digest: whose it is never changes, whether it is still good may, and is
// asked each time. What is not among them is looked up only while its address has not guessed too often.
import type { Admitted, Agent, Caller, Human } from '../kernel/callers.ts'
import { safeError } from '../log.ts'
import { perService, type Service } from '../service.ts'
import { findByToken, tokenDigest } from './authenticate.ts'
import { countGuess, requireFewGuesses } from './reads.ts'

type Known = Admitted<Agent> | Admitted<Human>

const maxKnown = 10_000

/** By what {@link credentialOf} makes of a digest; the oldest go first. */
export const knownCallers = perService(() => new Map<string, Known>())

/** What a credential is known by: its digest, and of whose kind it is, for each kind is looked up elsewhere. */
export const credentialOf = (kind: Caller['kind'], digest: Buffer): string => `${kind} ${digest.toString('latin1')}`

/**
 * Looks up whose a credential is and remembers it. Throws `read_limited` without looking where it was not good lately
 * and `address` has shown too many that were not; undefined is an address that nobody knows, and it is not counted.
 */
export async function lookUp<T extends Known>(
  service: Service,
  credential: string,
  address: string | undefined,
  find: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const known = knownCallers(service)
  if (address !== undefined && !known.has(credential)) requireFewGuesses(service, address, credential)
  const admitted = await find()
  if (!admitted) {
    known.delete(credential)
    if (address !== undefined) countGuess(service, address, credential)
    return undefined
  }
  if (known.size >= maxKnown && !known.has(credential)) known.delete(known.keys().next().value as string)
  known.set(credential, admitted)
  return admitted
}

/**
 * Remembers a token that was just given to somebody, who may use it at once however much was guessed from its address.
 * What is given is given: a failure here only leaves it a stranger.
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
