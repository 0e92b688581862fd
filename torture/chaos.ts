// Faults at random moments: kills of nodes, their workers, PostgreSQL, one of its processes, or everything at once; and with a
// server of the run's own also pauses, jumps of clocks, a full disk, a Redis that is away or silent, and a network that is slow,
// silent or cut.
import { setTimeout as sleep } from 'node:timers/promises'
import { longestJump } from './clocks.ts'
import type { Nodes } from './nodes.ts'
import type { Random } from './random.ts'

/** Acknowledged writes between a recovery and the next fault, so that a slow machine gets to work as well as a fast one. */
const [fewest, most] = [20, 200]
/** And the longest wait for them, in milliseconds. */
const longestPeace = 1_000

/** How long a node may stay down, in milliseconds. */
const longestDown = 200
/** How long what is neither down nor well may last, in milliseconds: longer than any round trip, shorter than a client waits. */
const [shortestTrouble, longestTrouble] = [300, 3_000]
/** For each piece of data in a slow network, in milliseconds. */
const longestDelay = 40

export interface Chaos {
  /** How often each fault was there. */
  kills: Readonly<Record<string, number>>
  /** Faults that this machine cannot have. */
  missing?: readonly string[]
  /**
   * One fault after the other until the signal, and everything up again when it ends; `done` says how many writes were
   * acknowledged so far.
   */
  run(done: () => number, signal: AbortSignal): Promise<void>
}

type Fault = (node: number) => Promise<void> | void

/** The one for so long, in milliseconds, then the other. */
export const inTurn = (first: Chaos, milliseconds: number, second: Chaos): Chaos => ({
  get kills() {
    return { ...first.kills, ...second.kills }
  },
  missing: [...(first.missing ?? []), ...(second.missing ?? [])],
  async run(done, signal) {
    // A time-out of AbortSignal's own may be collected before its time, as nothing here listens.
    const enough = new AbortController()
    const timer = setTimeout(() => enough.abort(), milliseconds)
    await first.run(done, AbortSignal.any([signal, enough.signal])).finally(() => clearTimeout(timer))
    await second.run(done, signal)
  },
})

export function openChaos(nodes: Nodes, random: Random): Chaos {
  const restarted = async (node: number): Promise<void> => {
    await sleep(random.integer(0, longestDown))
    await nodes.start(node)
  }
  const troubled = troubles()
  const possible: Record<string, Fault | undefined> = {
    service: async (node) => {
      await nodes.kill(node)
      await restarted(node)
    },
    worker: nodes.hasWorkers ? (node) => nodes.killWorker(node, (pids) => random.pick(pids)) : undefined,
    database: () => nodes.killDatabase(),
    'service and database': async (node) => {
      await Promise.all([nodes.killDatabase(), nodes.kill(node)])
      await restarted(node)
    },
    'process of the database': () => nodes.killBackend((pids) => random.pick(pids)),
    ...troubled,
  }
  const faults: Record<string, number> = {}
  for (const [name, fault] of Object.entries(possible)) if (fault) faults[name] = 0
  // A deck, so that a short run has met each of them.
  let deck: string[] = []

  function troubles(): Record<string, Fault | undefined> {
    const { nemesis } = nodes
    if (!nemesis) return {}
    const { server, clocks, redis } = nemesis
    const span = (): number => random.integer(shortestTrouble, longestTrouble)
    const onWire = (trouble: 'silence' | 'cut'): Fault => {
      return async (node) => {
        const wire = server.wires[node]
        wire?.[trouble]()
        await sleep(span())
        wire?.heal()
      }
    }
    const { fillDisk } = server
    return {
      'paused node': (node) => nemesis.pauseNode(node, span()),
      'paused database': () => server.pause(span()),
      'clock that jumps': clocks && ((node) => clocks.set(node, random.integer(-longestJump, longestJump))),
      'full disk': fillDisk && (() => fillDisk(span())),
      'slow network': async () => {
        for (const wire of server.wires) wire.slow(random.integer(1, longestDelay))
        await sleep(span())
        for (const wire of server.wires) wire.heal()
      },
      'paused Redis': redis && (() => redis.pause(span())),
      Redis: redis && (() => redis.restart(random.integer(0, longestDown))),
      'silent network': onWire('silence'),
      'cut network': onWire('cut'),
    }
  }

  return {
    kills: faults,
    missing: Object.keys(troubled).filter((name) => troubled[name] === undefined),
    async run(done, signal) {
      while (!signal.aborted) {
        const [enough, deadline] = [done() + random.integer(fewest, most), performance.now() + longestPeace]
        while (!signal.aborted && done() < enough && performance.now() < deadline) await sleep(5)
        if (signal.aborted) return
        if (deck.length === 0) deck = random.shuffled(Object.keys(faults))
        const name = deck.pop() as string
        faults[name] = (faults[name] ?? 0) + 1
        await possible[name]?.(random.integer(0, nodes.urls.length - 1))
        await nodes.nemesis?.server.ready()
        await nodes.ready()
      }
    },
  }
}
