// What nodes tell each other: that agents have new events, that a passport's connections should be probed, who is
// connected here. Everything is a hint, batched and backed by a poll. It goes through Redis while that is reachable,
// otherwise through PostgreSQL's NOTIFY; every node listens on both, because a hint may come twice. Workers of one service
// tell each other directly.
import type { Logger } from 'pino'
import type { PushedEvent } from '../events/hub.ts'
import { type EventKind, sinceOf } from '../events/kinds.ts'
import { seconds } from '../kernel/clock.ts'
import { safeError } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { Connection, Sql } from '../store/sql.ts'
import { listen } from './wakeups-postgres.ts'
import { joinRedis } from './wakeups-redis.ts'

/** Hints gather for so long after the last ones left; the first one after a pause leaves at once. */
const gatherMilliseconds = 50
/** News of a delivery, for which nobody waits: most of it then goes with other events. */
const statusMilliseconds = 50
/** Below NOTIFY's 8000 bytes, with everything around them: 36 characters per agent. */
const maxAgents = 180
/** Two ids, a version, and the payload of a status: an id and a version. */
const maxEvents = 40

/** A committed event, by its key in the outbox. */
export type EventKey = readonly [recipientId: string, minVersion: number, id: string]

/** An event with its payload: to another node if that is small and never changes, whatever happens to its subject. */
export type ToldEvent = EventKey | readonly [...EventKey, kind: EventKind, payload: object]

export interface Note {
  from: string
  /** When it was told, or the first of its writes began, in milliseconds of {@link now}; only between workers. */
  at?: number
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
  /** These two agents are blocked; the sender waits to be told `known` with the same number. Never through Redis. */
  blocked?: [one: string, other: string, asked: number]
  known?: number
}

/** The other workers of this service. */
export interface Siblings {
  has(nodeId: string): boolean
  ids(): readonly string[]
  /** Tells one, or all. */
  tell(note: Note, to?: string): void
  /** Has `receive` hear what they tell. */
  listen(receive: (note: Note) => void): void
}

interface Listener {
  wake(agentIds: readonly string[]): void
  /** None of their writes began before `begunAt` (`performance.now()`). */
  events(events: readonly ToldEvent[], begunAt: number): void
  came(nodeId: string, agentIds: readonly string[]): void
  probe(agentId: string): void
  hello(): void
  /** No message between these two may reach a socket from now on. */
  blocked(one: string, other: string): void
  /** Hints may have been missed. */
  missed(): void
}

export interface Wakeups {
  wake(agentIds: readonly string[]): void
  events(events: readonly PushedEvent[]): void
  came(agentId: string): void
  probe(agentId: string): void
  hello(): void
  /** Resolves once all who may be delivering to one of them know, or whatever they have read before is too old to be sent. */
  blocked(one: string, other: string): Promise<void>
  close(): Promise<void>
}

interface WakeupOptions {
  nodeId: string
  sql: Sql
  /** Undefined if no other nodes than the siblings can exist. */
  connection: Connection | undefined
  siblings: Siblings | undefined
  redisUrl: string | undefined
  log: Logger
  metrics: Metrics
  /** How many other nodes are known to be alive. */
  peers: () => number
  nodesOf: (agentId: string) => readonly string[]
  /** The other nodes that hold a lease of one of these agents. */
  holders: (agentIds: readonly string[]) => Promise<readonly string[]>
}

/** Joins the nodes; what other nodes say reaches `listener`, what this one says reaches them. */
export async function joinWakeups(options: WakeupOptions, listener: Listener): Promise<Wakeups> {
  const { nodeId, connection, siblings, log, metrics, peers, nodesOf, holders } = options
  /** Questions to the workers, by number: each takes the answer of one. */
  const asking = new Map<number, (from: string) => void>()
  let asked = 0
  const hear = (note: Note, isWhole: boolean, begunAt = performance.now() - longestWay): void => {
    const { from, events, wake, came, probe, hello } = note
    if (typeof from !== 'string' || from === nodeId) return
    if (events) listener.events(isWhole ? events : events.map(keyOf), begunAt)
    if (wake) listener.wake(wake)
    if (came) listener.came(from, came)
    if (probe) listener.probe(probe)
    if (hello) listener.hello()
  }
  const hearBlock = ({ from, blocked, known }: Note): void => {
    if (blocked) {
      const [one, other, number] = blocked
      listener.blocked(one, other)
      tellOfBlock({ known: number }, from)
    }
    if (known !== undefined) asking.get(known)?.(from)
  }
  const hearSibling = (note: Note): void => {
    hear(note, isFresh(note), note.at && note.at - sinceBoot)
    hearBlock(note)
  }
  // Anyone who can write to Redis must not be able to forge the content of an event, or a block.
  const receive = (text: string, isTrusted: boolean): void => {
    try {
      const note = JSON.parse(text) as Note
      hear(note, isTrusted)
      if (isTrusted) hearBlock(note)
    } catch {
      // Others may use the channel too, above all of a shared Redis.
    }
  }
  const postgres =
    connection &&
    (await listen({ ...options, connection, receive: (text) => receive(text, true), missed: () => listener.missed() }))
  const redis = options.redisUrl
    ? await joinRedis(options.redisUrl, { nodeId, receive: (text) => receive(text, false), peers, log, metrics })
    : undefined

  const say = async (note: Omit<Note, 'from' | 'at'>, to?: string): Promise<void> => {
    const isSibling = to !== undefined && siblings?.has(to)
    if (to === undefined || isSibling) siblings?.tell({ from: nodeId, at: now(), ...note }, to)
    if (!postgres || isSibling) return
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
  const tellOfBlock = (note: Pick<Note, 'blocked' | 'known'>, to: string): void => {
    if (siblings?.has(to)) siblings.tell({ from: nodeId, ...note }, to)
    else void postgres?.publish(JSON.stringify({ from: nodeId, ...note }), to).catch(() => {})
  }
  siblings?.listen(hearSibling)
  /** The nodes where one of them is connected. A connection whose lease comes later reads the outbox after the block. */
  const whereEither = async (one: string, other: string): Promise<readonly string[]> => {
    try {
      return postgres ? await holders([one, other]) : []
    } catch (error) {
      log.warn({ error: safeError(error) }, 'the nodes that a block concerns could not be found')
      // No node has this ID, so nobody answers.
      return ['']
    }
  }

  /** By node. */
  const waiting = new Map<string, { agents: Set<string>; events: PushedEvent[] }>()
  let arrivals = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let dueAt = Number.POSITIVE_INFINITY
  let leftAt = Number.NEGATIVE_INFINITY
  const flush = (): void => {
    dueAt = Number.POSITIVE_INFINITY
    leftAt = performance.now()
    for (const came of chunks([...arrivals], maxAgents)) void say({ came })
    arrivals = new Set()
    for (const to of [...waiting.keys()]) send(to)
  }
  const soon = (milliseconds = 0): void => {
    const now = performance.now()
    const at = Math.max(now + milliseconds, leftAt + gatherMilliseconds)
    if (at >= dueAt) return
    dueAt = at
    clearTimeout(timer)
    timer = setTimeout(flush, at - now)
  }
  const waitingFor = (to: string) => {
    const entry = waiting.get(to) ?? { agents: new Set(), events: [] }
    waiting.set(to, entry)
    return entry
  }
  /** All that waits for a node. */
  const send = (to: string): void => {
    const { agents, events } = waitingFor(to)
    waiting.delete(to)
    for (const wake of chunks([...agents], maxAgents)) void say({ wake }, to)
    if (events.length === 0) return
    if (siblings?.has(to))
      siblings.tell({ from: nodeId, at: firstOf(events) + sinceBoot, events: events.map(whole) }, to)
    else for (const some of chunks(events.map(told), maxEvents)) void say({ events: some }, to)
  }
  /** A message is read at delivery, because a block may come in between; so is what took long to write. */
  const told = (event: PushedEvent): ToldEvent =>
    event.kind === status && !redis && performance.now() - event.begunAt < freshFor ? whole(event) : keyOf(whole(event))
  return {
    wake(agentIds) {
      for (const id of agentIds) {
        for (const to of nodesOf(id)) {
          waitingFor(to).agents.add(id)
          soon()
        }
      }
    },
    events(events) {
      const atOnce = new Set<string>()
      for (const event of events) {
        for (const to of nodesOf(event.recipientId)) {
          waitingFor(to).events.push(event)
          if (event.kind === status) soon(statusMilliseconds)
          else if (siblings?.has(to)) atOnce.add(to)
          else soon()
        }
      }
      for (const to of atOnce) send(to)
    },
    came(agentId) {
      arrivals.add(agentId)
      soon()
    },
    probe: (agentId) => void say({ probe: agentId }),
    hello: () => void say({ hello: true }),
    blocked: (one, other) =>
      new Promise((resolve) => {
        const number = ++asked
        const end = (): void => {
          clearTimeout(late)
          asking.delete(number)
          resolve()
        }
        // From the commit on, however long it takes to find whom to tell.
        const late = setTimeout(end, readFor + leavesWithin)
        const told = new Set<string>()
        const unaware = new Set<string>()
        const tell = (nodes: readonly string[]): void => {
          for (const to of nodes) {
            if (told.has(to)) continue
            told.add(to)
            unaware.add(to)
            tellOfBlock({ blocked: [one, other, number] }, to)
          }
        }
        let areAllTold = false
        const endIfKnown = (): void => {
          if (areAllTold && unaware.size === 0) end()
        }
        asking.set(number, (from) => {
          unaware.delete(from)
          endIfKnown()
        })
        tell(siblings?.ids() ?? [])
        void whereEither(one, other).then((nodes) => {
          tell(nodes)
          areAllTold = true
          endIfKnown()
        })
      }),
    async close() {
      clearTimeout(timer)
      flush()
      await Promise.all([postgres?.close(), redis?.close()])
    },
  }
}

const status: EventKind = 'message.status_changed'

const firstOf = (events: readonly PushedEvent[]): number => Math.min(...events.map(({ begunAt }) => begunAt))

export const keyOf = ([to, since, id]: ToldEvent): EventKey => [to, since, id]

const whole = ({ recipientId, kind, id, payload }: PushedEvent): ToldEvent => [
  recipientId,
  sinceOf(kind),
  id,
  kind,
  payload,
]

/**
 * Milliseconds from the beginning of a write, after which a message is read again before it is sent, and other nodes are told only
 * the keys of what was written: a block may have ended it, or its receiver may have acknowledged it and come back.
 */
export const freshFor = seconds(1)
/**
 * Milliseconds from the beginning of a read, after which a message is read again before it is sent. A block waits as long for a
 * node that does not answer; a slow database must be able to answer a read meanwhile, or messages would never be sent.
 */
export const readFor = seconds(5)
/** Frames leave a moment after their age was looked at. */
const leavesWithin = 100

/** Added to `performance.now()`, it gives the time of the machine: the same for all its processes, and set by nobody. */
const sinceBoot = Number(process.hrtime.bigint()) / 1e6 - performance.now()
const now = (): number => performance.now() + sinceBoot

/** How long ago another machine may have begun to write what it tells whole, in milliseconds, with the way of a hint to here. */
const longestWay = seconds(5)

const isFresh = ({ at }: Note): boolean => at !== undefined && now() - at < freshFor

function* chunks<T>(all: readonly T[], size: number): Iterable<T[]> {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size)
}
