// Places for work, shared fairly: nobody has more than a few of them at a time, and those who wait are served in turn.

interface FairQueueOptions {
  /** Places in all. */
  total: number
  /** Places of one key at a time. */
  each: number
  /** How many may wait for one key, and in all. */
  waitingEach: number
  waitingTotal: number
  /** How long one may wait, in milliseconds. */
  waitAtMost: number
}

interface FairQueue {
  /**
   * Runs `work` when `key` has its turn. Throws {@link QueueFull} at once if too many wait, or after waiting too long;
   * skips work that, as `isGone` says, nobody waits for.
   */
  run<T>(key: string, work: () => Promise<T>, isGone?: () => boolean): Promise<T>
  /** How much runs and how much waits. */
  state(): { running: number; waiting: number }
}

/** `own`: the key itself has too much waiting; `all`: everybody together; `late` and `gone`: see {@link FairQueue}. */
export type WhyFull = 'own' | 'all' | 'late' | 'gone'

export class QueueFull extends Error {
  readonly why: WhyFull
  constructor(why: WhyFull) {
    super(`no turn: ${why}`)
    this.why = why
  }
}

interface Waiter {
  isGone: (() => boolean) | undefined
  start: () => void
  refuse: (why: WhyFull) => void
}

interface Line {
  running: number
  waiting: Waiter[]
  /** Whether it is among those waiting for a turn. */
  isReady: boolean
}

export function fairQueue({ total, each, waitingEach, waitingTotal, waitAtMost }: FairQueueOptions): FairQueue {
  const lines = new Map<string, Line>()
  // One turn each, in order of arrival: a long queue gets no more turns than a short one.
  const ready: Line[] = []
  let running = 0
  let waiting = 0

  const begin = (line: Line): void => {
    line.running += 1
    running += 1
  }

  const makeReady = (line: Line): void => {
    if (line.isReady || line.waiting.length === 0 || line.running >= each) return
    line.isReady = true
    ready.push(line)
  }

  function serve(): void {
    while (running < total) {
      const line = ready.shift()
      if (!line) return
      line.isReady = false
      const waiter = line.waiting.shift()
      if (waiter) {
        waiting -= 1
        if (waiter.isGone?.()) waiter.refuse('gone')
        else {
          begin(line)
          waiter.start()
        }
      }
      makeReady(line)
    }
  }

  function leave(line: Line): void {
    line.running -= 1
    running -= 1
    makeReady(line)
    serve()
  }

  function forgetIdle(key: string, line: Line): void {
    if (line.running === 0 && line.waiting.length === 0 && lines.get(key) === line) lines.delete(key)
  }

  function wait(line: Line, isGone: Waiter['isGone']): Promise<void> {
    if (line.waiting.length >= waitingEach) throw new QueueFull('own')
    if (waiting >= waitingTotal) throw new QueueFull('all')
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        line.waiting.splice(line.waiting.indexOf(waiter), 1)
        waiting -= 1
        waiter.refuse('late')
      }, waitAtMost)
      const waiter: Waiter = {
        isGone,
        start() {
          clearTimeout(timer)
          resolve()
        },
        refuse(why) {
          clearTimeout(timer)
          reject(new QueueFull(why))
        },
      }
      line.waiting.push(waiter)
      waiting += 1
      makeReady(line)
    })
  }

  return {
    async run(key, work, isGone) {
      const line = lines.get(key) ?? { running: 0, waiting: [], isReady: false }
      lines.set(key, line)
      try {
        // Those who wait have used up their own places, or no place is free at all: nobody is overtaken here.
        if (running < total && line.running < each) begin(line)
        else await wait(line, isGone)
        try {
          return await work()
        } finally {
          leave(line)
        }
      } finally {
        forgetIdle(key, line)
      }
    },
    state: () => ({ running, waiting }),
  }
}
