// Kills at random moments: nodes of the service, their workers, PostgreSQL, one of its processes, or everything at once.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Nodes } from './nodes.ts'
import type { Random } from './random.ts'

const kinds = ['service', 'worker', 'database', 'service and database', 'process of the database'] as const
export type Kind = (typeof kinds)[number]

/** Acknowledged writes between a recovery and the next kill, so that a slow machine gets to work as well as a fast one. */
const [fewest, most] = [20, 200]
/** And the longest wait for them, in milliseconds. */
const longestPeace = 1_000

/** How long a node may stay down, in milliseconds. */
const longestDown = 200

export interface Chaos {
  kills: Readonly<Record<string, number>>
  /**
   * Kills one thing after the other until the signal, and has everything up again when it ends; `done` says how many
   * writes were acknowledged so far.
   */
  run(done: () => number, signal: AbortSignal): Promise<void>
}

export function openChaos(nodes: Nodes, random: Random): Chaos {
  const kills: Record<Kind, number> = {
    service: 0,
    worker: 0,
    database: 0,
    'service and database': 0,
    'process of the database': 0,
  }
  // A deck, so that a short run has met each of them.
  let deck: Kind[] = []
  const possible = kinds.filter((kind) => kind !== 'worker' || nodes.hasWorkers)

  async function strike(kind: Kind): Promise<void> {
    kills[kind] += 1
    const node = random.integer(0, nodes.urls.length - 1)
    if (kind === 'worker') return nodes.killWorker(node, (pids) => random.pick(pids))
    if (kind === 'process of the database') return nodes.killBackend((pids) => random.pick(pids))
    if (kind === 'database') return nodes.killDatabase()
    if (kind === 'service and database') await Promise.all([nodes.killDatabase(), nodes.kill(node)])
    else await nodes.kill(node)
    await sleep(random.integer(0, longestDown))
    await nodes.start(node)
  }

  return {
    kills,
    async run(done, signal) {
      while (!signal.aborted) {
        const [enough, deadline] = [done() + random.integer(fewest, most), performance.now() + longestPeace]
        while (!signal.aborted && done() < enough && performance.now() < deadline) await sleep(5)
        if (signal.aborted) return
        if (deck.length === 0) deck = random.shuffled(possible)
        await strike(deck.pop() as Kind)
        await nodes.ready()
      }
    },
  }
}
