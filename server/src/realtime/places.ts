// The places of connections: a passport has two over all nodes (leases.ts). One is taken before a connection gets anything, and given
// back once that is gone.
import { setTimeout as sleep } from 'node:timers/promises'
import { seconds } from '../kernel/clock.ts'
import { fairQueue, QueueFull } from '../kernel/fair-queue.ts'
import type { Service } from '../service.ts'
import type { Connection } from './connection.ts'
import * as leases from './leases.ts'

/** How long a connection that is probed has to answer. */
export const probeTime: number = seconds(2)

export interface Places {
  /** Whether there was one. A connection in the way may have died unnoticed, or be closing: it gets time to make room. */
  take(connection: Connection): Promise<boolean>
  /** Gives one back; if the database is unavailable, as soon as it is back. */
  free(connection: Connection): void
  /** Gives back all that could not be given back before. */
  freeAll(): Promise<void>
}

/** `probe` pings the connections of an agent, wherever they are, and ends the silent ones. */
export function createPlaces(
  { sql, metrics }: Pick<Service, 'sql' | 'metrics'>,
  node: leases.Node,
  probe: (agentId: string) => void,
): Places {
  /** Of connections that are gone, or may never have had one; the database does not know yet. */
  const unfreed = new Set<string>()
  let isFreeing = false
  /** Those of one agent wait for each other in the database anyway: waiting here holds no connection of the pool. */
  const handshakes = fairQueue({ total: 8, each: 1, waitingEach: 16, waitingTotal: 4096, waitAtMost: 10_000 })
  /** By agent, the connections that have no place yet. */
  const contenders = new Map<string, readonly Connection[]>()
  const contendersOf = (agentId: string): readonly Connection[] =>
    contenders.get(agentId)?.filter(({ socket }) => socket.readyState === socket.OPEN) ?? []

  /** One statement at a time for everything that came meanwhile: many disconnects must not fill the pool. */
  async function freeAll(): Promise<void> {
    if (isFreeing) return
    isFreeing = true
    try {
      while (unfreed.size > 0) {
        const ids = [...unfreed]
        await leases.release(sql, ids)
        for (const id of ids) unfreed.delete(id)
      }
    } finally {
      isFreeing = false
    }
  }

  async function acquire({ id, agent, socket }: Connection): Promise<boolean> {
    const lease = { id, agentId: agent.id, node }
    const isGone = (): boolean => socket.readyState !== socket.OPEN
    const attempt = () => handshakes.run(agent.id, () => leases.acquire(sql, lease), isGone)
    try {
      if (await attempt()) return true
      probe(agent.id)
      for (const time of [250, probeTime]) {
        await sleep(time)
        if (isGone()) return false
        if (await attempt()) return true
      }
    } catch (error) {
      if (!(error instanceof QueueFull)) throw error
      metrics.turnsRefused.inc({ why: error.why })
      // This many of one agent at once are more than two; nobody waits for one that is gone.
      if (error.why !== 'own' && error.why !== 'gone') throw error
    }
    return false
  }

  return {
    async take(connection) {
      const { id } = connection.agent
      const others = contendersOf(id)
      // Of more than there are places one could win at most by luck, and a flood of them would stay open meanwhile.
      if (others.length >= leases.maxConnections) return false
      contenders.set(id, [...others, connection])
      try {
        return await acquire(connection)
      } finally {
        const left = contendersOf(id).filter((other) => other !== connection)
        if (left.length > 0) contenders.set(id, left)
        else contenders.delete(id)
      }
    },
    free({ id }) {
      unfreed.add(id)
      freeAll().catch(() => {})
    },
    freeAll,
  }
}
