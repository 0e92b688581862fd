// What is made for the first visitor and kept for the others, by its address.
import type { Clock } from '../kernel/clock.ts'

interface Kept<T> {
  made: Promise<T | undefined>
  /** In milliseconds of the clock; undefined while it is being made. */
  at?: number
}

/** With a time limit no more than this are kept: anyone may ask for every file of a long site map. */
const mostKept = 20

/**
 * Makes a thing once for everyone who asks for its address, also at the same moment. Without a time limit it is kept as long as the
 * process runs. What is not found, or failed, is not kept.
 */
export function keeper<T>({ clock }: { clock: Clock }, keptFor?: number) {
  const things = new Map<string, Kept<T>>()
  const now = (): number => clock.now().getTime()
  const isFresh = ({ at }: Kept<T>): boolean =>
    at === undefined || keptFor === undefined || Math.abs(now() - at) < keptFor

  return (address: string, make: () => Promise<T | undefined>): Promise<T | undefined> => {
    const known = things.get(address)
    if (known && isFresh(known)) return known.made
    const thing: Kept<T> = { made: make() }
    things.delete(address)
    things.set(address, thing)
    const forget = (): void => {
      if (things.get(address) === thing) things.delete(address)
    }
    thing.made.then((found) => {
      thing.at = now()
      if (found === undefined) forget()
    }, forget)
    const [oldest] = things.keys()
    if (keptFor !== undefined && things.size > mostKept && oldest !== undefined) things.delete(oldest)
    return thing.made
  }
}
