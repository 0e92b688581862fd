// When to ask again, and how long to wait. Only reads and saved mutations come through here.
import { KithError, KithNetworkError } from './errors.ts'
import type { Runtime } from './runtime.ts'

export interface RetryPolicy {
  /** How often a request is sent at most. */
  attempts: number
  /** First ceiling of the back-off, in ms; it doubles with each attempt. */
  baseMs: number
  /** Highest ceiling of the back-off, in ms. */
  capMs: number
  /** Most time spent waiting in all, in ms. A longer `Retry-After` goes to the caller instead. */
  budgetMs: number
}

export const defaultRetry: RetryPolicy = { attempts: 5, baseMs: 250, capMs: 8_000, budgetMs: 60_000 }

/** Full jitter: anything up to the ceiling, so that clients cut off together do not come back together. */
export function backoff(policy: { baseMs: number; capMs: number }, attempt: number, random: number): number {
  return random * Math.min(policy.capMs, policy.baseMs * 2 ** attempt)
}

/** Whether the same request may have another answer soon: 408, 429, 5xx, or no answer at all. */
export function isPassing(error: unknown): error is KithError | KithNetworkError {
  if (error instanceof KithNetworkError) return true
  if (!(error instanceof KithError)) return false
  // A full quota is a 429 that says of itself that time does not help; a missing set-up waits for a person.
  if (error.details?.['retryable'] === false || error.code === 'verification_setup_pending') return false
  return error.status === 408 || error.status === 429 || error.status >= 500
}

/** Run `attempt` until it succeeds, fails for good, or the policy is used up; then its last error is thrown. */
export async function retrying<T>(
  runtime: Runtime,
  policy: RetryPolicy,
  attempt: () => Promise<T>,
  signal?: AbortSignal | undefined,
): Promise<T> {
  let waited = 0
  for (let n = 0; ; n++) {
    try {
      return await attempt()
    } catch (error) {
      if (signal?.aborted || !isPassing(error) || n + 1 >= policy.attempts) throw error
      const wait = waitAfter(error, backoff(policy, n, runtime.random()))
      waited += wait
      if (waited > policy.budgetMs) throw error
      await runtime.sleep(wait, signal)
    }
  }
}

/** The service's own wish comes first; jitter is added to it, never taken from it. */
function waitAfter(error: KithError | KithNetworkError, jitter: number): number {
  const asked = error instanceof KithError ? error.retryAfter : undefined
  return asked === undefined ? jitter : asked * 1000 + jitter
}
