// A pooler between the service and its database must give each connection a session of its own: prepared statements,
// settings, LISTEN and locks belong to a session. docs/several-nodes.md#a-pooler.

import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { ConfigError } from '../config.ts'
import { isAway, type Sql } from './sql.ts'

/** Other clients of the pooler may hide once or twice that it changes sessions. */
const rounds = 5

type Setting = 'DATABASE_URL' | 'DATABASE_REPLICA_URL'

const refusal = (setting: Setting, cause?: unknown): ConfigError =>
  new ConfigError(
    `${setting} leads to a pooler that changes the session of a connection: use pool_mode = session (PgBouncer), or the address of PostgreSQL itself`,
    { cause },
  )

/** Throws a {@link ConfigError} if connections of this pool share sessions of the server, or change them. It needs two of them. */
export async function requireSessions({ pool }: Sql, setting: Setting = 'DATABASE_URL'): Promise<void> {
  const one = await pool.connect()
  try {
    const session = await sessionOf(one)
    // PostgreSQL itself told this connection which session it has.
    if ((one as unknown as { processID: number | null }).processID === session) return
    for (let round = 1; round <= rounds; round++) {
      const before = await sessionOf(one)
      const other = await pool.connect()
      try {
        // While the other one has a transaction, its session can be nobody else's.
        const taken = await sessionInTransaction(other, setting)
        if (before !== session || taken === session) throw refusal(setting)
        if ((await sessionOf(one)) !== session) throw refusal(setting)
      } finally {
        other.release(true)
      }
    }
  } finally {
    one.release()
  }
}

/** The same of a replica, if it answers within so many milliseconds: a start does not depend on it. */
export async function requireSessionsOfReplica(replica: Sql, patience = 2000): Promise<void> {
  const known = requireSessions(replica, 'DATABASE_REPLICA_URL').catch((error) => {
    if (!isAway(error)) throw error
  })
  await Promise.race([known, sleep(patience, undefined, { ref: false })])
}

async function sessionOf(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid as number
}

async function sessionInTransaction(client: pg.ClientBase, setting: Setting): Promise<number> {
  try {
    await client.query('begin')
  } catch (error) {
    // PgBouncer refuses it where it changes sessions with every statement.
    if ((error as { code?: string }).code === '08P01') throw refusal(setting, error)
    throw error
  }
  return sessionOf(client)
}
