// Which event is handled when: at most so many at once, those of one subject in their order, each tried until it is handled
// or a dead letter. It runs nothing itself, so that its stories need no process and no clock.
import type { KithEvent } from '@kith/sdk/identity'
import { tryLater } from './handler.ts'
import type { Letter, Letters } from './letters.ts'
import { subjectOf } from './subject.ts'

/** A line of standard output. */
export interface Attempt {
  event_id: string
  attempt: number
  exit: number
  outcome: 'handled' | 'later' | 'dead'
}

export interface Deps {
  letters: Letters
  /** How many run at once. */
  parallel: number
  /** Attempts that count, until it is a dead letter. */
  tries: number
  /** Runs the command, and has its exit code; undefined if that has to wait, and why was told. */
  run(event: KithEvent, attempt: number, signal: AbortSignal): Promise<number | undefined>
  /** Calls an event of the inbox done. */
  done(event: KithEvent): Promise<void>
  says(attempt: Attempt): Promise<void>
  /** Rejects if the signal aborts first. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
  now(): number
}

export interface Delivery {
  /** Handle an event after those of its subject that were offered before. */
  offer(event: KithEvent, subject?: string): void
  /** A dead letter that gets as many tries again. */
  offerAgain(letter: Letter, subject?: string): void
  has(eventId: string): boolean
  /** Resolves once everything offered is handled or dead. */
  idle(): Promise<void>
  /** Rejects when a disk or a reader fails; otherwise it stays open. */
  failed: Promise<never>
  /** Ends what runs, without counting it, and starts nothing more. */
  stop(): Promise<void>
}

interface Item {
  event: KithEvent
  /** Of a dead letter that is tried again. */
  letter?: Letter
  /** Runs of this process that were not the last one. */
  runs: number
}

const firstWaitMs = 1_000
const longestWaitMs = 300_000

/** Ms to wait after so many runs. */
const waitAfter = (runs: number): number => Math.min(longestWaitMs, firstWaitMs * 2 ** (runs - 1))

export function createDelivery(deps: Deps): Delivery {
  const { letters, parallel, tries } = deps
  /** What is left to do of each subject; the first is running, waiting, or about to run. */
  const lanes = new Map<string, Item[]>()
  /** Subjects whose first event may run now. */
  const ready: string[] = []
  const offered = new Set<string>()
  const running = new Set<Promise<void>>()
  const stopping = new AbortController()
  let fail: (error: unknown) => void = () => {}
  const failed = new Promise<never>((_, reject) => {
    fail = reject
  })
  // Who does not look at it is told by `idle` that nothing is left.
  failed.catch(() => {})
  const waiters: (() => void)[] = []

  function put(item: Item, subject = subjectOf(item.event)): void {
    offered.add(item.event.event_id)
    const lane = lanes.get(subject)
    if (lane) lane.push(item)
    else {
      lanes.set(subject, [item])
      makeReady(subject)
    }
  }

  function makeReady(subject: string): void {
    ready.push(subject)
    startNext()
  }

  function startNext(): void {
    while (running.size < parallel && ready.length > 0 && !stopping.signal.aborted) {
      const subject = ready.shift()!
      const turn: Promise<void> = runFirst(subject)
        .catch(fail)
        .finally(() => {
          running.delete(turn)
          startNext()
        })
      running.add(turn)
    }
  }

  async function runFirst(subject: string): Promise<void> {
    const lane = lanes.get(subject)!
    const item = lane[0]!
    if (!(await attempt(item))) {
      const waiting = deps.sleep(waitAfter(++item.runs), stopping.signal)
      // The place is free for others meanwhile.
      void waiting.then(
        () => makeReady(subject),
        () => {},
      )
      return
    }
    lane.shift()
    offered.delete(item.event.event_id)
    if (lane.length > 0) return makeReady(subject)
    lanes.delete(subject)
    if (lanes.size === 0) for (const waiter of waiters.splice(0)) waiter()
  }

  /** False: it is tried again. */
  async function attempt({ event, letter }: Item): Promise<boolean> {
    const { event_id } = event
    const before = Math.max(await letters.attempts(event_id), letter?.attempts ?? 0)
    const attempt = before + 1
    // Before it runs: if this process is killed meanwhile, the next run is no first one.
    await letters.count(event_id, attempt)
    const exit = await deps.run(event, attempt, stopping.signal)
    if (exit === undefined) {
      await letters.count(event_id, before)
      return false
    }
    const outcome = await settle()
    await deps.says({ event_id, attempt, exit, outcome })
    return outcome !== 'later'

    async function settle(): Promise<Attempt['outcome']> {
      if (exit === 0) {
        await (letter ? letters.settle(event_id) : deps.done(event))
        await letters.count(event_id, 0)
        return 'handled'
      }
      if (exit === tryLater || stopping.signal.aborted) {
        await letters.count(event_id, before)
        return 'later'
      }
      if (attempt < tries + (letter?.attempts ?? 0)) return 'later'
      await letters.bury({
        event,
        attempts: attempt,
        exit: exit as number,
        died_at: new Date(deps.now()).toISOString(),
      })
      if (!letter) await deps.done(event)
      await letters.count(event_id, 0)
      return 'dead'
    }
  }

  return {
    offer: (event, subject) => put({ event, runs: 0 }, subject),
    offerAgain: (letter, subject) => put({ event: letter.event, letter, runs: 0 }, subject),
    has: (eventId) => offered.has(eventId),
    idle: () => (lanes.size === 0 ? Promise.resolve() : new Promise((resolve) => waiters.push(resolve))),
    failed,
    async stop() {
      stopping.abort()
      await Promise.allSettled(running)
    },
  }
}
