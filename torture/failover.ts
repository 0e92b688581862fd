// Strikes against PostgreSQL's cluster under load: what an outage is to a client of the database, and to the agents of Kith.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Chaos } from './chaos.ts'
import type { Cluster } from './cluster.ts'
import type { Nodes } from './nodes.ts'
import type { Random } from './random.ts'
import { ensure } from './violation.ts'

export const strikes = [
  'primary killed',
  'primary frozen',
  'primary cut off',
  'primary cut off from etcd',
  'PostgreSQL killed',
  'replica frozen',
  'switchover',
] as const
export type Strike = (typeof strikes)[number]

/** Acknowledged writes before a strike. */
const fewestWrites = 50
/** How much later than a bare client the nodes must serve again, in milliseconds. */
const longestAfter = 5000
/** For the cluster itself to serve again: then the run says so. */
const longestOutage = 120_000

interface FailoverOptions {
  nodes: Nodes
  cluster: Cluster
  random: Random
  /** Those that are wanted. */
  kinds: readonly Strike[]
  /** Between two checks. */
  strikesOfPhase: number
  log: (line: string) => void
}

export function openFailovers({ nodes, cluster, random, kinds, strikesOfPhase, log }: FailoverOptions): Chaos {
  const kills = Object.fromEntries(kinds.map((kind) => [kind, 0])) as Record<Strike, number>
  let deck: Strike[] = []

  /** Strikes; resolves with what ends it. */
  async function strike(kind: Strike): Promise<() => Promise<unknown>> {
    const { primary, successor } = (await cluster.roles()) ?? {}
    if (primary === undefined || successor === undefined) throw new Error('the cluster is not whole')
    switch (kind) {
      case 'primary killed':
        // It comes back by itself, once another one has taken over.
        await cluster.signal(primary, 'SIGKILL', 'machine')
        return async () => {}
      case 'PostgreSQL killed':
        await cluster.signal(primary, 'SIGKILL', 'PostgreSQL')
        return async () => {}
      case 'primary frozen':
      case 'replica frozen': {
        const frozen = kind === 'primary frozen' ? primary : successor
        await cluster.signal(frozen, 'SIGSTOP', 'machine')
        return () => cluster.signal(frozen, 'SIGCONT', 'machine')
      }
      case 'primary cut off':
      case 'primary cut off from etcd': {
        const what = kind === 'primary cut off' ? 'everything' : 'etcd'
        await cluster.cut(primary, what, true)
        return () => cluster.cut(primary, what, false)
      }
      case 'switchover':
        await cluster.switchOver()
        return async () => {}
    }
  }

  const movesPrimary = (kind: Strike): boolean => kind !== 'replica frozen' && kind !== 'PostgreSQL killed'

  /** Waits until the cluster serves again, then until the nodes do; says how long each took. */
  async function outage(kind: Strike, before: number | undefined, done: () => number): Promise<string> {
    const began = performance.now()
    const limit = AbortSignal.timeout(longestOutage)
    while (movesPrimary(kind)) {
      const now = (await cluster.roles())?.primary
      if (now !== undefined && now !== before) break
      limit.throwIfAborted()
      await sleep(50)
    }
    await cluster.write(limit)
    const databaseAt = performance.now()
    const acknowledged = done()
    await nodes.ready()
    const readyAt = performance.now()
    while (done() === acknowledged) {
      ensure(performance.now() - databaseAt < 2 * longestAfter, 'no write is acknowledged after a failover', kind)
      await sleep(20)
    }
    const after = performance.now() - databaseAt
    const told = `${kind}: the database wrote again after ${seconds(databaseAt - began)}, the nodes were ready ${seconds(readyAt - databaseAt)} and wrote ${seconds(after)} later`
    ensure(after < longestAfter, 'the nodes serve too long after the database', told)
    return told
  }

  return {
    kills,
    async run(done, signal) {
      const whole = (): Promise<void> =>
        cluster.whole(signal).catch((error) => {
          if (!signal.aborted) throw error
        })
      for (let struck = 0; struck < strikesOfPhase && !signal.aborted; struck++) {
        const enough = done() + fewestWrites
        while (!signal.aborted && done() < enough) await sleep(20)
        if (signal.aborted) return
        await whole()
        if (signal.aborted) return
        if (deck.length === 0) deck = random.shuffled(kinds)
        const kind = deck.pop() as Strike
        const before = (await cluster.roles())?.primary
        const end = await strike(kind)
        kills[kind] += 1
        try {
          log(await outage(kind, before, done))
        } finally {
          await end()
        }
      }
      await whole()
    },
  }
}

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`
