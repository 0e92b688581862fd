// Rate limits: fixed windows, counted outside any transaction, in this process or in Redis for all nodes.
import type { Clock } from './clock.ts'

export interface Allowance {
  allowed: boolean
  limit: number
  remaining: number
  /** Whole seconds until the window ends, at least 1. */
  resetSeconds: number
}

export interface RateLimiter {
  /** Counts `uses` of `key`, one by default; 0 only looks. A limit of 0 means no limit. */
  take(key: string, limit: number, windowSeconds: number, uses?: number): Promise<Allowance> | Allowance
}

interface MemoryLimiter extends RateLimiter {
  take(key: string, limit: number, windowSeconds: number, uses?: number): Allowance
}

const maxKeys = 100_000

/** Counts in this process. Bounded: past 100,000 keys the ended windows are dropped, then the oldest. */
export function memoryLimiter(clock: Clock): MemoryLimiter {
  const windows = new Map<string, { ends: number; used: number }>()
  const makeRoom = (now: number): void => {
    for (const [key, window] of windows) if (window.ends <= now) windows.delete(key)
    for (const key of windows.keys()) {
      // Many at once, because scanning all of them takes time.
      if (windows.size < maxKeys * 0.9) break
      windows.delete(key)
    }
  }
  return {
    take(key, limit, windowSeconds, uses = 1) {
      const now = clock.now().getTime()
      let window = windows.get(key)
      if (!window || window.ends <= now || window.ends > now + windowSeconds * 1000) {
        if (windows.size >= maxKeys) makeRoom(now)
        window = { ends: now + windowSeconds * 1000, used: 0 }
        windows.set(key, window)
      }
      window.used += uses
      return allowance(limit, window.used, window.ends - now)
    },
  }
}

export function allowance(limit: number, used: number, milliseconds: number): Allowance {
  return {
    allowed: limit === 0 || used <= limit,
    limit,
    remaining: Math.max(0, limit - used),
    resetSeconds: Math.max(1, Math.ceil(milliseconds / 1000)),
  }
}

/** The headers of draft-ietf-httpapi-ratelimit-headers-10. */
export function limitHeaders(policy: string, windowSeconds: number, state: Allowance): Record<string, string> {
  return {
    'ratelimit-policy': `"${policy}";q=${state.limit};w=${windowSeconds}`,
    ratelimit: `"${policy}";r=${state.remaining};t=${state.resetSeconds}`,
  }
}
