// How fast uploads come in, for as long as they hold a turn: who sends too little for too long ends, and who is slow
// while others wait gives way to them.

/** Milliseconds, and bytes a second over that time. */
export interface Rate {
  over: number
  least: number
}

export interface PaceTimes {
  /** What an upload must bring in any case. */
  alone: Rate
  /** What it must bring while others wait, lest one of them gets its turn. */
  crowded: Rate
  /** Between two looks. */
  every: number
}

export const usualPace: PaceTimes = {
  alone: { over: 10_000, least: 8 * 1024 },
  crowded: { over: 2000, least: 64 * 1024 },
  every: 500,
}

export interface Pace {
  /** Watches an upload from now on; ends it by `tooSlow`. */
  begin(key: string, tooSlow: () => void): { add(bytes: number): void; end(): void }
}

interface Flow {
  key: string
  tooSlow: () => void
  bytes: number
  /** How many there were at each look, the newest first. */
  seen: { at: number; bytes: number }[]
}

/** `waiting`: the keys that wait for a turn because others hold them all. */
export function createPace({ alone, crowded, every }: PaceTimes, waiting: () => readonly string[]): Pace {
  const flows = new Set<Flow>()
  let timer: NodeJS.Timeout | undefined
  let lastLook = 0

  /** Bytes a second over the time of a rate; undefined for one that is younger than that. */
  function rateOf({ seen, bytes }: Flow, over: number, now: number): number | undefined {
    const then = seen.find(({ at }) => at <= now - over)
    return then && ((bytes - then.bytes) / (now - then.at)) * 1000
  }

  const isBelow = (flow: Flow, { over, least }: Rate, now: number): boolean =>
    (rateOf(flow, over, now) ?? Number.POSITIVE_INFINITY) < least

  function look(): void {
    const now = performance.now()
    // After a pause of this process what was sent meanwhile is not yet read, and nobody is to blame.
    const isLate = now - lastLook > 2 * every
    lastLook = now
    if (!isLate) judge(now)
    for (const flow of flows) {
      flow.seen.unshift({ at: now, bytes: flow.bytes })
      const old = flow.seen.findIndex(({ at }) => at <= now - Math.max(alone.over, crowded.over))
      if (old >= 0) flow.seen.length = old + 1
    }
  }

  function judge(now: number): void {
    for (const flow of flows) if (isBelow(flow, alone, now)) finish(flow)
    for (const key of waiting()) {
      const slowest = slowestFor(key, now)
      if (slowest) finish(slowest)
    }
  }

  /** Whoever has most uploads on their way loses one first, and nobody to one that has as many. */
  function slowestFor(waitingKey: string, now: number): Flow | undefined {
    const running = new Map<string, number>()
    for (const { key } of flows) running.set(key, (running.get(key) ?? 0) + 1)
    const count = (key: string): number => running.get(key) ?? 0
    return [...flows]
      .filter((flow) => count(flow.key) > count(waitingKey) && isBelow(flow, crowded, now))
      .map((flow) => ({ flow, rate: rateOf(flow, crowded.over, now) ?? 0 }))
      .sort((a, b) => count(b.flow.key) - count(a.flow.key) || a.rate - b.rate)[0]?.flow
  }

  function finish(flow: Flow): void {
    forget(flow)
    flow.tooSlow()
  }

  function forget(flow: Flow): void {
    flows.delete(flow)
    if (flows.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    begin(key, tooSlow) {
      const flow: Flow = { key, tooSlow, bytes: 0, seen: [{ at: performance.now(), bytes: 0 }] }
      flows.add(flow)
      if (timer === undefined) {
        lastLook = performance.now()
        timer = setInterval(look, every).unref()
      }
      return {
        add(bytes) {
          flow.bytes += bytes
        },
        end: () => forget(flow),
      }
    },
  }
}
