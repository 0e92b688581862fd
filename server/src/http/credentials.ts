// Whoever showed a good credential lately, by its digest: whose it is never changes, whether it is still good may, and is
// asked each time. What is not among them is looked up only while its address has not guessed too often.
import type { Admitted, Agent, Human } from '../kernel/callers.ts'
import { perService, type Service } from '../service.ts'
import { countGuess, requireFewGuesses } from './reads.ts'

type Known = Admitted<Agent> | Admitted<Human>

const maxKnown = 10_000

/** By what {@link credentialOf} makes of a digest; the oldest go first. */
export const knownCallers = perService(() => new Map<string, Known>())

export const credentialOf = (digest: Buffer): string => digest.toString('latin1')

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
  if (address !== undefined && !known.has(credential)) requireFewGuesses(service, address)
  const admitted = await find()
  if (!admitted) {
    known.delete(credential)
    if (address !== undefined) countGuess(service, address)
    return undefined
  }
  if (known.size >= maxKnown && !known.has(credential)) known.delete(known.keys().next().value as string)
  known.set(credential, admitted)
  return admitted
}
