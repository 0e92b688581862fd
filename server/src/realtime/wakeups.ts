// What nodes tell each other: that agents have new events, that a passport's connections should be probed, who is
// connected here. Everything is a hint, batched and backed by a poll. It goes through Redis while that is reachable,
// otherwise through PostgreSQL's NOTIFY; every node listens on both, because a hint may come twice.
import type { Logger } from 'pino'
import type { PushedEvent } from '../events/hub.ts'
import { type EventKind, sinceOf } from '../events/kinds.ts'
import type { Metrics } from '../metrics.ts'
import type { Connection, Sql } from '../store/sql.ts'
import { listen } from './wakeups-postgres.ts'
import { joinRedis } from './wakeups-redis.ts'

const gatherMilliseconds = 5
/** Below NOTIFY's 8000 bytes, with everything around them: 36 characters per agent. */
const maxAgents = 180
/** Two ids, a version, and the payload of a status: an id and a version. */
const maxEvents = 40

/** A committed event, by its key in the outbox. */
export type EventKey = readonly [recipientId: string, minVersion: number, id: string]

/** An event with its payload, if that is small and never changes, whatever happens to its subject. */
export type ToldEvent = EventKey | readonly [...EventKey, kind: EventKind, payload: object]

interface Note {
  from: string
  /** These agents have new events in the outbox. */
  wake?: string[]
  /** These events are new in the outbox. */
  events?: ToldEvent[]
  /** These agents have just connected to the sending node. */
  came?: string[]
  /** Ping the connections of this agent and drop the silent ones. */
  probe?: string
  /** The sending node has just started. */
  hello?: true
}

export interface Listener {
  wake(agentIds: readonly string[]): void
  events(events: readonly ToldEvent[]): void
  came(nodeId: string, agentIds: readonly string[]): void
  probe(agentId: string): void
  hello(): void
  /** Hints may have been missed. */
  missed(): void
}

export interface Wakeups {
  wake(agentIds: readonly string[]): void
  events(events: readonly PushedEvent[]): void
  came(agentId: string): void
  probe(agentId: string): void
  hello(): void
  close(): Promise<void>
}

export interface WakeupOptions {
  nodeId: string
  sql: Sql
  connection: Connection
  redisUrl: string | undefined
  log: Logger
  metrics: Metrics
  /** How many other nodes are known to be alive. */
  peers: () => number
  /** The other nodes on which an agent may be connected. */
  nodesOf: (agentId: string) => readonly string[]
}

/** Joins the nodes; what other nodes say reaches `listener`, what this one says reaches them. */
export async function joinWakeups(options: WakeupOptions, listener: Listener): Promise<Wakeups> {
  const { nodeId, log, metrics, peers, nodesOf } = options
  const receive = (text: string, isTrusted: boolean): void => {
    try {
      const note = JSON.parse(text) as Note
      if (note.from === nodeId) return
      // Anyone who can write to Redis must not be able to forge the content of an event.
      if (note.events) listener.events(isTrusted ? note.events : note.events.map(([to, since, id]) => [to, since, id]))
      if (note.wake) listener.wake(note.wake)
      if (note.came) listener.came(note.from, note.came)
      if (note.probe) listener.probe(note.probe)
      if (note.hello) listener.hello()
    } catch {
      // Others may use the channel too, above all of a shared Redis.
    }
  }
  const postgres = await listen({ ...options, receive: (text) => receive(text, true), missed: () => listener.missed() })
  const redis = options.redisUrl
    ? await joinRedis(options.redisUrl, { nodeId, receive: (text) => receive(text, false), peers, log, metrics })
    : undefined

  const say = async (note: Omit<Note, 'from'>, to?: string): Promise<void> => {
    const text = JSON.stringify({ from: nodeId, ...note })
    try {
      if (redis) return void (await redis.publish(text, to))
    } catch {
      // The other channel, at once.
      metrics.redisFailures.inc({ use: 'hints' })
    }
    // A lost hint only costs the time of a poll.
    await postgres.publish(text, to).catch(() => {})
  }

  /** By node. */
  let waiting = new Map<string, { agents: Set<string>; events: ToldEvent[] }>()
  let arrivals = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  const flush = (): void => {
    timer = undefined
    for (const came of chunks([...arrivals], maxAgents)) void say({ came })
    for (const [to, { agents, events }] of waiting) {
      for (const wake of chunks([...agents], maxAgents)) void say({ wake }, to)
      for (const some of chunks(events, maxEvents)) void say({ events: some }, to)
    }
    arrivals = new Set()
    waiting = new Map()
  }
  const soon = (): void => {
    timer ??= setTimeout(flush, gatherMilliseconds)
  }
  const waitingFor = (to: string) => {
    const entry = waiting.get(to) ?? { agents: new Set(), events: [] }
    waiting.set(to, entry)
    soon()
    return entry
  }
  /** A message is read at delivery, because a block may come in between. */
  const told = ({ recipientId, kind, id, payload }: PushedEvent): ToldEvent =>
    kind === 'message.status_changed' && !redis
      ? [recipientId, sinceOf(kind), id, kind, payload]
      : [recipientId, sinceOf(kind), id]
  return {
    wake(agentIds) {
      for (const id of agentIds) for (const to of nodesOf(id)) waitingFor(to).agents.add(id)
    },
    events(events) {
      for (const event of events) {
        for (const to of nodesOf(event.recipientId)) waitingFor(to).events.push(told(event))
      }
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
