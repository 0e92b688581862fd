// The outside world of the client, passed in: clock, chance, sleep and fetch. Tests and browsers bring their own.

export interface Runtime {
  fetch: typeof globalThis.fetch
  /** Milliseconds since 1970. */
  now(): number
  /** A number in [0, 1), for jitter only: never for secrets. */
  random(): number
  /** Resolves after `ms`; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal?: AbortSignal | undefined): Promise<void>
}

export const systemRuntime: Runtime = {
  fetch: (...args) => globalThis.fetch(...args),
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const wake = () => {
        signal?.removeEventListener('abort', abort)
        resolve()
      }
      const timer = setTimeout(wake, ms)
      const abort = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', abort, { once: true })
    }),
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Whether the text is a UUID of version 1-8 in canonical lower case, as ids and operation ids must be. */
export function isUuid(text: string): boolean {
  return uuid.test(text)
}
