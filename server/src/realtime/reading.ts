// Reads the outbox for the connections of this node: many of them in one statement, and few statements at once, so that
// any number of connections leaves room in the database for others.
import { Refusal } from '../kernel/refuse.ts'
import { safeError } from '../log.ts'
import type { Service } from '../service.ts'
import { coalesce } from '../store/coalesce.ts'
import { missing, type OutboxEvent, oldestEvents, stillThere } from './backlog.ts'
import { type Connection, hasRoom, window } from './connection.ts'
import type { EventKey } from './wakeups.ts'

/** Connections of one statement, and statements at once. */
const together = 32
const statements = 2
/** Events of a read. Events that a full socket does not take are read again, because a block may come in between. */
const readAtOnce = 64
/** Events of one statement for several connections. */
const readTogether = 128
/** For the first read of a connection: its first event must not wait for a backlog to be read. */
const readFirst = 4
/** Ids that one statement of the poll carries. */
const idsAtOnce = 8192

type Parts = Pick<Service, 'sql' | 'clock'>

interface ReadEvents {
  events: readonly OutboxEvent[]
  /** Not before this moment of `performance.now()`. */
  readAt: number
  /** Whether nothing else was waiting. */
  isAll: boolean
}

const receiverOf = (connection: Connection) => ({
  connection,
  recipientId: connection.agent.id,
  version: connection.version,
  sent: [...connection.inFlight.keys()],
})

/** Returns a function that reads the next events of a connection in its turn; undefined if they cannot be read now. */
export function createReader({
  hot,
  clock,
  log,
}: Pick<Service, 'hot' | 'clock' | 'log'>): (connection: Connection) => Promise<ReadEvents | undefined> {
  return coalesce<Connection, ReadEvents | undefined>({
    write: async (connections) => {
      const able = connections.filter(hasRoom)
      const share = Math.max(readFirst, Math.min(readAtOnce, Math.floor(readTogether / able.length)))
      const receivers = able.map((connection) => {
        // Events announced from here on may have been committed too late for this statement.
        connection.pumpAgain = false
        const isFirst = connection.inFlight.size === 0 && !connection.acknowledged
        const most = Math.min(isFirst ? readFirst : share, window - connection.inFlight.size)
        return { ...receiverOf(connection), most }
      })
      if (able.length === 0) return []
      let readAt = 0
      try {
        const read = await hot.together((sql) => {
          // Its snapshot is taken later. To wait for a connection does not make it older.
          readAt = performance.now()
          return oldestEvents(sql, clock.now(), receivers)
        })
        const found = new Map(
          receivers.map(({ connection, most }, at) => {
            const events = read[at] ?? []
            return [connection, { events, readAt, isAll: events.length < most }]
          }),
        )
        return connections.map((connection) => found.get(connection))
      } catch (error) {
        // Once per statement, not once per connection.
        log.warn({ error: safeError(error) }, 'events could not be read')
        return []
      }
    },
    maxBatch: together,
    concurrency: statements,
    maxWaiting: Number.POSITIVE_INFINITY,
    // No request waits for it.
    waitAtMost: Number.POSITIVE_INFINITY,
    onFull: () => new Refusal('service_unavailable'),
  })
}

/** Which of these connections can get an event that is not on its way to them: one query for any number of them. */
export async function behind({ sql, clock }: Parts, connections: readonly Connection[]): Promise<Connection[]> {
  const found: Connection[] = []
  const able = connections.filter((connection) => !connection.pumping && hasRoom(connection)).map(receiverOf)
  for (const some of bounded(able, ({ sent }) => 1 + sent.length)) {
    for (const { connection } of await missing(sql, clock.now(), some)) found.push(connection)
  }
  return found
}

/**
 * Events in flight that need no acknowledgement any longer: another node got it, or a block or retention removed them.
 * `turn` counts the calls: with very many connections each call checks the oldest event in flight and another share of
 * the rest, and everything if something of that is gone.
 */
export async function gone(sql: Parts['sql'], connections: readonly Connection[], turn: number): Promise<Gone[]> {
  const stride = Math.ceil((connections.length * window) / idsAtOnce)
  const samples = connections.map((connection) => ({
    connection,
    keys: keysOf(connection).filter((_, at) => at === 0 || at % stride === turn % stride),
  }))
  const first = await goneAmong(sql, samples)
  if (stride <= 1) return first
  return goneAmong(
    sql,
    first.map(({ connection }) => ({ connection, keys: keysOf(connection) })),
  )
}

export interface Gone {
  connection: Connection
  ids: string[]
}

interface Sample {
  connection: Connection
  keys: readonly EventKey[]
}

const keysOf = ({ agent, inFlight }: Connection): EventKey[] =>
  Array.from(inFlight, ([id, minVersion]) => [agent.id, minVersion, id])

async function goneAmong(sql: Parts['sql'], samples: readonly Sample[]): Promise<Gone[]> {
  const found: Gone[] = []
  for (const some of bounded(samples, ({ keys }) => keys.length)) {
    const there = await stillThere(
      sql,
      some.flatMap(({ keys }) => keys),
    )
    for (const { connection, keys } of some) {
      const ids = keys.flatMap(([, , id]) => (there.has(id) ? [] : [id]))
      if (ids.length > 0) found.push({ connection, ids })
    }
  }
  return found
}

/** Consecutive groups of a total weight of at most {@link idsAtOnce}. */
function* bounded<T>(all: readonly T[], weightOf: (one: T) => number): Iterable<T[]> {
  let some: T[] = []
  let weight = 0
  for (const one of all) {
    const more = weightOf(one)
    if (some.length > 0 && weight + more > idsAtOnce) {
      yield some
      some = []
      weight = 0
    }
    some.push(one)
    weight += more
  }
  if (some.length > 0) yield some
}
