// What nodes tell each other: that agents have new events, that a passport's connections are to be probed, who is
// connected here. All of it is a hint, coalesced and backed by a poll. It goes by Redis while that can be reached, and
// by PostgreSQL's NOTIFY where there is none or it fails; every node listens on both, for a hint may come twice.
import type { Logger } from 'pino'
import type { Connection, Sql } from '../store/sql.ts'
import { listen } from './wakeups-postgres.ts'
import { joinRedis } from './wakeups-redis.ts'

const gatherMilliseconds = 5
/** Below NOTIFY's 8000 bytes, with what is around them: 36 characters an agent. */
const maxAgents = 180
/** Two ids and a version an event. */
const maxEvents = 90

/** A committed event, by its key in the outbox. */
export type EventKey = readonly [recipientId: string, minVersion: number, id: string]

interface Note {
  from: string
  /** These agents have new events in the outbox. */
  wake?: string[]
  /** These events are new in the outbox. */
  events?: EventKey[]
  /** These agents have just connected to the node that says so. */
  came?: string[]
  /** Ping the connections of this agent and drop the silent ones. */
  probe?: string
  /** The node that says so has just started. */
  hello?: true
}

export interface Listener {
  wake(agentIds: readonly string[]): void
  events(keys: readonly EventKey[]): void
  came(agentIds: readonly string[]): void
  probe(agentId: string): void
  hello(): void
  /** Hints may have been missed. */
  missed(): void
}

export interface Wakeups {
  wake(agentIds: readonly string[]): void
  events(keys: readonly EventKey[]): void
  came(agentId: string): void
  probe(agentId: string): void
  hello(): void
  close(): Promise<void>
}

/** One way from node to node. */
export interface Bus {
  /** Rejects, within a second, where nobody can have heard it. */
  publish(text: string): Promise<unknown>
  close(): Promise<void>
}

export interface WakeupOptions {
  nodeId: string
  sql: Sql
  connection: Connection
  redisUrl: string | undefined
  log: Logger
  /** How many other nodes are alive, as far as is known. */
  peers: () => number
}

/** Joins the nodes; what other nodes say reaches `listener`, what this one says reaches them. */
export async function joinWakeups(options: WakeupOptions, listener: Listener): Promise<Wakeups> {
  const { nodeId, log, peers } = options
  const receive = (text: string): void => {
    try {
      const note = JSON.parse(text) as Note
      if (note.from === nodeId) return
      if (note.events) listener.events(note.events)
      if (note.wake) listener.wake(note.wake)
      if (note.came) listener.came(note.came)
      if (note.probe) listener.probe(note.probe)
      if (note.hello) listener.hello()
    } catch {
      // Others may speak on the channel too, of a shared Redis most of all.
    }
  }
  const postgres = await listen({ ...options, receive, missed: () => listener.missed() })
  const redis = options.redisUrl ? await joinRedis(options.redisUrl, { receive, peers, log }) : undefined

  const say = async (note: Omit<Note, 'from'>): Promise<void> => {
    const text = JSON.stringify({ from: nodeId, ...note })
    try {
      if (redis) return void (await redis.publish(text))
    } catch {
      // The other way, at once.
    }
    // A lost hint costs a poll's time, nothing else.
    await postgres.publish(text).catch(() => {})
  }

  let agents = new Set<string>()
  let arrivals = new Set<string>()
  let keys: EventKey[] = []
  let timer: NodeJS.Timeout | undefined
  const flush = (): void => {
    timer = undefined
    for (const wake of chunks([...agents], maxAgents)) void say({ wake })
    for (const came of chunks([...arrivals], maxAgents)) void say({ came })
    for (const events of chunks(keys, maxEvents)) void say({ events })
    agents = new Set()
    arrivals = new Set()
    keys = []
  }
  const soon = (): void => {
    timer ??= setTimeout(flush, gatherMilliseconds)
  }
  return {
    wake(agentIds) {
      for (const id of agentIds) agents.add(id)
      soon()
    },
    events(more) {
      keys.push(...more)
      soon()
    },
    came(agentId) {
      arrivals.add(agentId)
      soon()
    },
    probe: (agentId) => void say({ probe: agentId }),
    hello: () => void say({ hello: true }),
    async close() {
      clearTimeout(timer)
      await Promise.all([postgres.close(), redis?.close()])
    },
  }
}

function* chunks<T>(all: readonly T[], size: number): Iterable<T[]> {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size)
}
