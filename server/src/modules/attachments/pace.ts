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

/** What is reported about an upload while it arrives. */
export interface Arrival {
  add(bytes: number): void
  /** Its sender is not waited for: what it sent is still on its way to the disk, or was all. No time passes for it. */
  pause(): void
  resume(): void
}

export interface Pace {
  /** Watches an upload from now on; ends it by `tooSlow`. */
  begin(key: string, tooSlow: () => void): Arrival & { end(): void }
}

interface Flow {
  key: string
  tooSlow: () => void
  bytes: number
  /** Milliseconds in which its sender was waited for, until `since`. */
  waited: number
  /** Undefined while it is paused. */
  since: number | undefined
  /** How many there were at each look, the newest first, by the flow's own clock. */
  seen: { at: number; bytes: number }[]
}

/** `waiting`: the keys that wait for a turn because others hold them all. */
export function createPace({ alone, crowded, every }: PaceTimes, waiting: () => readonly string[]): Pace {
  const flows = new Set<Flow>()
  let timer: NodeJS.Timeout | undefined
  let lastLook = 0

  /** The flow's own clock, which stands still while it is paused. */
  const clockOf = ({ waited, since }: Flow, now: number): number => waited + (since === undefined ? 0 : now - since)

  /** Bytes a second over the time of a rate; undefined for one that is younger than that. */
  function rateOf(flow: Flow, over: number, now: number): number | undefined {
    const at = clockOf(flow, now)
    const then = flow.seen.find((each) => each.at <= at - over)
    return then && ((flow.bytes - then.bytes) / (at - then.at)) * 1000
  }

  const isBelow = (flow: Flow, { over, least }: Rate, now: number): boolean =>
    flow.since !== undefined && (rateOf(flow, over, now) ?? Number.POSITIVE_INFINITY) < least

  function look(): void {
    const now = performance.now()
    // After a pause of this process what was sent meanwhile is not yet read, and nobody is to blame.
    const isLate = now - lastLook > 2 * every
    lastLook = now
    if (!isLate) judge(now)
    for (const flow of flows) {
      if (flow.since === undefined) continue
      const at = clockOf(flow, now)
      flow.seen.unshift({ at, bytes: flow.bytes })
      const old = flow.seen.findIndex((each) => each.at <= at - Math.max(alone.over, crowded.over))
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
      const since = performance.now()
      const flow: Flow = { key, tooSlow, bytes: 0, waited: 0, since, seen: [{ at: 0, bytes: 0 }] }
      flows.add(flow)
      if (timer === undefined) {
        lastLook = performance.now()
        timer = setInterval(look, every).unref()
      }
      return {
        add(bytes) {
          flow.bytes += bytes
        },
        pause() {
          flow.waited = clockOf(flow, performance.now())
          flow.since = undefined
        },
        resume() {
          flow.since ??= performance.now()
        },
        end: () => forget(flow),
      }
    },
  }
}
