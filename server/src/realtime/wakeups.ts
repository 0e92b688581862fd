// How nodes tell each other that agents have new events: a hint by PostgreSQL's NOTIFY or by Redis, coalesced, and
// backed by a poll. It is sent beside the writers' transactions, for NOTIFY at commit takes a lock of all the database.
import pg from 'pg'
import type { Logger } from 'pino'
import { safeError } from '../log.ts'
import { askRegularly, keepAlive } from '../store/deadlines.ts'
import type { Connection, Sql } from '../store/sql.ts'

const channel = 'kith_events'
const gatherMilliseconds = 5
/** 36 characters an id below NOTIFY's 8000 bytes. */
const maxIds = 180

type Note = { from: string; wake?: string[]; probe?: string; hello?: true }

export interface Listener {
  /** These agents have new events. */
  wake(agentIds: readonly string[]): void
  /** Ping the connections of this agent and drop the silent ones. */
  probe(agentId: string): void
  /** Another node has just started. */
  hello(): void
}

export interface Wakeups {
  wake(agentIds: readonly string[]): void
  probe(agentId: string): void
  close(): Promise<void>
}

interface Bus {
  publish(text: string): Promise<unknown>
  close(): Promise<void>
}

/** Joins the nodes; what other nodes say reaches `listener`, what this one says reaches them. */
export async function joinWakeups(
  options: { nodeId: string; sql: Sql; connection: Connection; redisUrl: string | undefined; log: Logger },
  listener: Listener,
): Promise<Wakeups> {
  const { nodeId, log } = options
  const receive = (text: string): void => {
    try {
      const note = JSON.parse(text) as Note
      if (note.from === nodeId) return
      if (note.wake) listener.wake(note.wake)
      if (note.probe) listener.probe(note.probe)
      if (note.hello) listener.hello()
    } catch {
      // Others may speak on the channel too, of a shared Redis most of all.
    }
  }
  const say = (note: Omit<Note, 'from'>): void => {
    // A lost hint costs a poll's time, nothing else.
    bus.publish(JSON.stringify({ from: nodeId, ...note })).catch(() => {})
  }
  const hello = (): void => say({ hello: true })
  const bus: Bus = options.redisUrl
    ? await joinRedis(options.redisUrl, { receive, hello, log })
    : joinPostgres(options.sql, options.connection, receive, log)
  if (!options.redisUrl) hello()

  const gathered = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  const flush = (): void => {
    timer = undefined
    const ids = [...gathered]
    gathered.clear()
    for (let at = 0; at < ids.length; at += maxIds) say({ wake: ids.slice(at, at + maxIds) })
  }
  return {
    wake(agentIds) {
      for (const id of agentIds) gathered.add(id)
      timer ??= setTimeout(flush, gatherMilliseconds)
    },
    probe: (agentId) => say({ probe: agentId }),
    async close() {
      clearTimeout(timer)
      await bus.close()
    },
  }
}

/** LISTEN on a connection of its own, opened again whenever it breaks. */
function joinPostgres(sql: Sql, connection: Connection, receive: (text: string) => void, log: Logger): Bus {
  let closed = false
  let client: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined
  const connect = async (): Promise<void> => {
    const fresh = new pg.Client({
      ...connection,
      ...keepAlive,
      application_name: 'kith wake-ups',
      connectionTimeoutMillis: 10_000,
    })
    let lost = false
    const again = (error?: unknown): void => {
      if (lost || closed) return
      lost = true
      if (error) log.warn({ error: safeError(error) }, 'the wake-up connection broke; the poll covers for it')
      fresh.end().catch(() => {})
      retry = setTimeout(() => void connect(), 500)
    }
    fresh.on('error', again)
    fresh.on('end', () => again())
    fresh.on('notification', ({ payload }) => payload && receive(payload))
    try {
      await fresh.connect()
      await fresh.query(`listen ${channel}`)
      askRegularly(fresh)
      client = fresh
      if (closed) await fresh.end()
    } catch (error) {
      again(error)
    }
  }
  void connect()
  return {
    publish: (text) => sql`select pg_notify(${channel}, ${text})`,
    async close() {
      closed = true
      clearTimeout(retry)
      await client?.end().catch(() => {})
    },
  }
}

async function joinRedis(
  url: string,
  { receive, hello, log }: { receive: (text: string) => void; hello: () => void; log: Logger },
): Promise<Bus> {
  const { createClient } = await import('@redis/client')
  // A hint that cannot be given now is worth nothing later.
  const publisher = createClient({ url, disableOfflineQueue: true })
  publisher.on('ready', hello)
  const subscriber = createClient({ url })
  for (const client of [publisher, subscriber]) {
    client.on('error', (error: unknown) => log.warn({ error: safeError(error) }, 'Redis is not reachable'))
    // Both go on trying by themselves: a Redis that is away does not keep the service from starting.
    client.connect().catch(() => {})
  }
  subscriber.subscribe(channel, receive).catch(() => {})
  return {
    publish: (text) => publisher.publish(channel, text),
    async close() {
      publisher.destroy()
      subscriber.destroy()
    },
  }
}
