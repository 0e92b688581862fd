// LISTEN on its own connection, reopened whenever it breaks or goes silent. The connection also says that its node is
// alive: it holds a lock with the node's ID, which PostgreSQL releases when the process is gone.
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { seconds } from '../kernel/clock.ts'
import { safeError } from '../log.ts'
import type { Connection, Sql } from '../store/sql.ts'
import { aliveLock } from './leases.ts'

/** One channel between nodes. */
export interface Bus {
  /** Tells one node, or all. Rejects within a second if a node cannot have heard it. */
  publish(text: string, to?: string): Promise<unknown>
  close(): Promise<void>
}

/** What all nodes listen to. */
export const channel = 'kith_events'
/** What one node alone listens to, so that nobody else reads its hints. */
export const channelOf = (nodeId: string): string => `kith_${nodeId.replaceAll('-', '')}`

const retryAfter = 500
const probeEvery = seconds(10)
/** A reply that takes longer will never come. */
const answerWithin = seconds(5)

interface ListenOptions {
  nodeId: string
  sql: Sql
  connection: Connection
  log: Logger
  receive: (text: string) => void
  /** The connection was lost, and is back. */
  missed: () => void
}

/** Resolves once the first attempt to connect has ended, successfully or not. */
export async function listen({ nodeId, sql, connection, log, receive, missed }: ListenOptions): Promise<Bus> {
  let closed = false
  /** Set while it is connected. */
  let standing: pg.Client | undefined
  let end: (() => Promise<void>) | undefined
  let retry: NodeJS.Timeout | undefined

  let turn: Promise<unknown> = Promise.resolve()
  /** One query at a time: a session has no reliable queue of its own. */
  const ask = (client: pg.Client, query: { name: string; text: string; values: unknown[] }): Promise<unknown> => {
    const asked = turn.then(() => client.query(query))
    turn = asked.catch(() => {})
    return asked
  }

  async function connect(isFirst: boolean): Promise<void> {
    const client = new pg.Client({
      ...connection,
      application_name: 'kith wake-ups',
      keepAlive: true,
      keepAliveInitialDelayMillis: probeEvery,
      connectionTimeoutMillis: answerWithin,
      query_timeout: answerWithin,
    })
    let probe: NodeJS.Timeout | undefined
    let lost = false
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
    const again = (error?: unknown): void => {
      if (lost || closed) return
      lost = true
      if (standing === client) standing = undefined
      clearInterval(probe)
      if (error) log.warn({ error: safeError(error) }, 'the wake-up connection was lost; polling covers for it')
      // A silent connection would not take a goodbye either.
      stream.destroy()
      retry = setTimeout(() => void connect(false), retryAfter)
    }
    /** Also after a break: the previous session may have held it until now. */
    const holdLock = (): Promise<unknown> =>
      ask(client, {
        name: 'alive',
        text: `select case when not exists (select 1 from pg_locks where pid = pg_backend_pid() and locktype = 'advisory')
          then pg_try_advisory_lock($1, hashtext($2)) end`,
        values: [aliveLock, nodeId],
      })
    client.on('error', again)
    client.on('end', () => again())
    client.on('notification', ({ payload }) => payload && receive(payload))
    try {
      await client.connect()
      // A hint need not survive a crash, so its NOTIFY waits for neither the disk nor a replica.
      await client.query(
        `set synchronous_commit = off; set idle_session_timeout = 0; listen ${channel}; listen ${channelOf(nodeId)}`,
      )
      await holdLock()
      end = async () => {
        clearInterval(probe)
        await Promise.race([client.end(), sleep(1000, undefined, { ref: false })])
        stream.destroy()
      }
      if (closed) return await end()
      // It broke after its last answer, and the next one is on its way.
      if (lost) return
      standing = client
      probe = setInterval(() => void holdLock().catch(again), probeEvery)
      if (!isFirst) missed()
    } catch (error) {
      again(error)
    }
  }
  await connect(true)

  return {
    // On its own connection: a session is not woken by its own NOTIFY.
    publish(text, to) {
      const name = to === undefined ? channel : channelOf(to)
      return standing
        ? ask(standing, { name: 'notify', text: 'select pg_notify($1, $2)', values: [name, text] })
        : sql`select pg_notify(${name}, ${text})`
    },
    async close() {
      closed = true
      clearTimeout(retry)
      await end?.().catch(() => {})
    },
  }
}
