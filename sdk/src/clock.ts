// The service's time, as the Date header of its responses tells it: the clock of an agent's machine may be hours off, and
// the service judges deadlines by its own.
import type { Runtime } from './runtime.ts'

export interface Clock {
  /** The service's time in ms; that of this machine until a response has told it. */
  now(): number
  /** Whether a response has told it. */
  isKnown(): boolean
  /** A response to a request that was sent at `sent`, by the clock of this machine. */
  hear(response: Response, sent: number): void
}

export function createClock(runtime: Pick<Runtime, 'now'>): Clock {
  let offset: number | undefined
  return {
    now: () => runtime.now() + (offset ?? 0),
    isKnown: () => offset !== undefined,
    hear({ headers }, sent) {
      const told = Date.parse(headers.get('date') ?? '')
      // A proxy or a login in between may have any clock.
      if (Number.isNaN(told) || !headers.has('x-request-id')) return
      // The header counts whole seconds and was written on the way: the least difference that explains it.
      offset = Math.max(told - runtime.now(), Math.min(0, told + 1000 - sent))
    },
  }
}
