// SQL written as SQL: a tagged template that turns its values into parameters and names its text, so that every
// statement is prepared once per connection. Transactions carry the one moment in which everything in them happens.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Clock } from '../kernel/clock.ts'
import { newId } from '../kernel/clock.ts'
import { createWatch, keepAlive, type Watch } from './deadlines.ts'
import { type Line, openLine, type Row } from './flight.ts'
import { openPool } from './pool.ts'
import { meaning, setAll } from './session.ts'
import { beginReading, commit, snapshotsOf } from './snapshots.ts'
import { fixed, statement } from './statement.ts'

export type { Row }

/** Runs one statement. `${value}` becomes a parameter; `${part}` (made by {@link part}) is spliced in as SQL. */
export type Query = <T extends object = Row>(strings: TemplateStringsArray, ...values: unknown[]) => Promise<T[]>

/**
 * What a verb works with: the caller's transaction, its moment, and what follows its commit. Statements requested
 * together (`Promise.all`) travel to the database together.
 */
export type Tx = Query & {
  /**
   * A write without a result: it travels with the next statement, or with the commit. If it fails the transaction
   * fails, at its next request.
   */
  readonly write: (strings: TemplateStringsArray, ...values: unknown[]) => void
  /** The moment of this transaction, from the process's clock. */
  readonly now: Date
  /** A new UUIDv7 of this moment. */
  readonly newId: () => string
  /** Rolls this transaction back and runs its work again, which can see `isRestarted`. */
  readonly restart: () => never
  readonly isRestarted: boolean
  /** The error of its first statement that failed; after it nothing more can be requested. */
  readonly failure: () => Error | undefined
  /** Runs after the commit has been acknowledged; never after a rollback. */
  readonly afterCommit: (work: () => void) => void
  /** Wakes the sockets of these agents after the commit; a hint that a poll backs. */
  readonly wake: Wake
}

type Wake = (agentIds: readonly string[]) => void

export type Sql = Query & {
  /**
   * Runs `work` in a transaction: commits its result, rolls back when it throws. After a serialisation failure or
   * deadlock (40001, 40P01) it runs `work` again, a moment later, so `work` must have no effect outside the transaction
   * except through `afterCommit`.
   */
  readonly transaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
  /** Runs statements on one connection without a transaction, so that those requested together travel together. */
  readonly together: <T>(work: (sql: Query) => Promise<T>) => Promise<T>
  /** Several reads that see one state of the database. */
  readonly snapshot: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
  readonly pool: pg.Pool
  /** The most that the pool has. */
  readonly maxConnections: number
  /** Rejects if the server does not answer this pool within 2 s, or has no tables of Kith. */
  readonly ping: () => Promise<void>
  readonly end: () => Promise<void>
}

type Attempt = <T>(isRestarted: boolean, work: (tx: Tx) => Promise<T>) => Promise<T>

const begin = fixed('begin')

/** Of one transaction that loses to others. */
const mostAttempts = 4

// int8 as a number: money is at most 9·10^15, which a double holds exactly (docs/contract/wallet.md#credits).
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, (text: string) => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new Error('a bigint of the database is beyond 2^53')
  return value
})

// From connections in UTC, so it has this form unless it is infinite or very long ago.
const parseOther = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ, 'text') as (text: string) => unknown
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text: string) =>
  text[10] === ' ' && text.endsWith('+00') ? new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`) : parseOther(text),
)

export interface Connection {
  connectionString?: string
  host?: string
  port?: number
  user?: string
  database?: string
}

interface SqlOptions {
  clock: Clock
  connection: Connection
  maxConnections?: number
  /** `generic`: no statement is ever planned for its values, for a pool with a few statements by key. */
  plan?: 'auto' | 'generic'
  /** Gets the agents with new events, once these are committed. */
  onWake?: Wake
  onError?: (error: Error) => void
  /** Called when the server's disk had no room for a statement. */
  onFull?: (error: unknown) => void
  /** Called when a table of a statement was not there, or not for this role. */
  onWithheld?: (error: unknown) => void
  /**
   * Begins no session with a replica. None can be with a replica later: a primary that becomes one ends all of them.
   */
  primaryOnly?: boolean
  /** Shared by the pools of one server; its own by default. */
  watch?: Watch
}

// A prepared statement keeps the plan that it got while its tables were small, when a scan looks cheap: every statement
// here has an index, so none may prefer to read a whole table.
const planning = {
  auto: { enable_seqscan: 'off' },
  generic: {
    enable_seqscan: 'off',
    // A bitmap reads all that matches before the first row comes, whatever the limit.
    enable_bitmapscan: 'off',
    enable_hashjoin: 'off',
    enable_mergejoin: 'off',
    plan_cache_mode: 'force_generic_plan',
  },
} as const

/**
 * The settings of a session. They are set by a statement: a pooler refuses most of them as parameters of a new
 * connection, or ignores them. Where commits do not wait for the disk, those of the service do: what is acknowledged is durable.
 */
const sessionOf = (plan: keyof typeof planning): string =>
  [
    setAll({
      ...planning[plan],
      ...meaning,
      jit: 'off',
      statement_timeout: '15s',
      // A client that fell silent holds its locks this long; the longest normal pause is that of sending a mail.
      idle_in_transaction_session_timeout: '25s',
    }),
    `select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'`,
    'select pg_is_in_recovery() as "isReplica"',
  ].join('; ')

/** The error of a session that was to be with a primary. `25006` is PostgreSQL's own code for a write on a replica. */
class NotPrimary extends Error {
  readonly code = '25006'
  constructor() {
    super('the database is a replica')
  }
}

/**
 * Opens a pool. Statements are bounded by 15 s, waiting for a connection by 10 s, an idle transaction by 25 s; a
 * connection that owes an answer and is silent for 18 s is destroyed (deadlines.ts).
 */
export function openSql({
  clock,
  connection,
  maxConnections = 16,
  plan = 'auto',
  onWake = () => {},
  onError = () => {},
  onFull = () => {},
  onWithheld = () => {},
  primaryOnly = false,
  watch = createWatch(),
}: SqlOptions): Sql {
  const session = sessionOf(plan)
  const pool = openPool({
    ...connection,
    ...keepAlive,
    types,
    max: maxConnections,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
    application_name: 'kith',
    verify: (client, done) =>
      void client.query(session, (error, results) => {
        const isReplica = (): boolean => (results as unknown as pg.QueryResult[]).at(-1)?.rows[0].isReplica
        done(error ?? (primaryOnly && isReplica() ? new NotPrimary() : undefined))
      }),
  })
  watch.add(pool)
  const open = new Set<Promise<void>>()
  let ending = false
  const tell = (error: Error): void => {
    if (!ending) onError(error)
  }
  pool.on('error', tell)
  // If a lent connection breaks, its borrower learns it from the failing statement, and we learn it here.
  pool.on('connect', (client) => {
    client.on('error', tell)
    const closed = new Promise<void>((resolve) => client.once('end', resolve)).finally(() => open.delete(closed))
    open.add(closed)
  })

  function heed(error: unknown): void {
    if (code(error) === '53100') onFull(error)
    if (withheldTable.has(code(error))) onWithheld(error)
  }

  async function together<T>(work: (sql: Query) => Promise<T>): Promise<T> {
    const client = await pool.connect()
    const line = openLine(client, types)
    let failure: Error | undefined
    try {
      return await work(queryOn(line))
    } catch (error) {
      failure = line.failure
      heed(error)
      throw error
    } finally {
      line.close()
      client.release(failure)
    }
  }

  async function attempt<T>(isRestarted: boolean, work: (tx: Tx) => Promise<T>): Promise<T> {
    const client = await pool.connect()
    const line = openLine(client, types, [begin])
    const committed: (() => void)[] = []
    let broken: Error | undefined
    try {
      const result = await work(transactionOn(line, committed, isRestarted))
      if (line.isAsked) await line.ask(commit)
      for (const follow of committed) follow()
      return result
    } catch (error) {
      line.close()
      heed(error)
      // A session that may not write never may, where its role or database says so: the next one may.
      if (line.isUsed) broken = code(error) === '25006' ? (error as Error) : await undo(client)
      throw error
    } finally {
      line.close()
      client.release(broken)
    }
  }

  /** The error of a rollback that failed. */
  const undo = (client: pg.PoolClient): Promise<Error | undefined> =>
    client.query('rollback').then(
      () => undefined,
      (error: Error) => error,
    )

  const snapshots = snapshotsOf(pool)

  async function attemptReading<T>(isRestarted: boolean, work: (tx: Tx) => Promise<T>): Promise<T> {
    const lent = await snapshots.borrow()
    const { client, isOpen } = lent
    const line = openLine(client, types, isOpen ? [commit, beginReading] : [beginReading])
    const committed: (() => void)[] = []
    let result: T
    try {
      result = await work(transactionOn(line, committed, isRestarted))
    } catch (error) {
      line.close()
      heed(error)
      client.release(isOpen || line.isUsed ? await undo(client) : undefined)
      throw error
    }
    line.close()
    snapshots.giveBack({ ...lent, isOpen: isOpen || line.isUsed })
    for (const follow of committed) follow()
    return result
  }

  function transactionOn(line: Line, committed: (() => void)[], isRestarted: boolean): Tx {
    const now = clock.now()
    return Object.assign(queryOn(line), {
      now,
      newId: () => newId(now),
      write: (strings: TemplateStringsArray, ...values: unknown[]) => line.hold(statement(strings, values)),
      afterCommit: (follow: () => void) => void committed.push(follow),
      wake: (agentIds: readonly string[]) => void committed.push(() => onWake(agentIds)),
      isRestarted,
      failure: () => line.failure,
      restart: () => {
        throw new Restart()
      },
    })
  }

  async function run<T>(attempt: Attempt, work: (tx: Tx) => Promise<T>): Promise<T> {
    let isRestarted = false
    for (let attempts = 1; ; attempts++) {
      try {
        return await attempt(isRestarted, work)
      } catch (error) {
        isRestarted ||= error instanceof Restart
        if (error instanceof Restart) continue
        if (attempts >= mostAttempts || !isRetryable(error)) throw error
      }
      // Not at once, so that the winner can finish, and not all losers at the same moment.
      await sleep(attempts * (5 + Math.random() * 10))
    }
  }

  const alone: Query = (strings, ...values) => together((sql) => sql(strings, ...values))
  const sql: Sql = Object.assign(alone, {
    together,
    transaction: <T>(work: (tx: Tx) => Promise<T>) => run(attempt, work),
    snapshot: <T>(work: (tx: Tx) => Promise<T>) => run(attemptReading, work),
    pool,
    maxConnections,
    ping: () => watch.ping(pool),
    async end() {
      ending = true
      await pool.end()
      watch.remove(pool)
      // The pool has only released its connections: a server that stops first would break them.
      await Promise.race([Promise.all(open), sleep(1000, undefined, { ref: false })])
    },
  })
  return sql
}

class Restart extends Error {}

function queryOn(line: Line): Query {
  return async <T extends object>(strings: TemplateStringsArray, ...values: unknown[]) => {
    try {
      return (await line.ask(statement(strings, values))) as T[]
    } catch (error) {
      throw traced(error)
    }
  }
}

/** An error of the database has the stack of the driver's reading: the caller's stack says more. */
function traced(error: unknown): unknown {
  if (error instanceof Error) Error.captureStackTrace(error)
  return error
}

const code = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''

/** Whether the statement or transaction lost to another one and can simply be run again. */
export const isRetryable = (error: unknown): boolean => code(error) === '40001' || code(error) === '40P01'

/** The name of the unique constraint or index that a statement violated, if that is why it failed. */
export function violatedUnique(error: unknown): string | undefined {
  if (code(error) !== '23505') return undefined
  return (error as { constraint?: string }).constraint
}

/** Of the system, when an address is not reachable, or not now. */
const networkFaults = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'ENOENT', 'ENOTFOUND', 'EAI_AGAIN'],
  ...['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'ENETRESET', 'EADDRNOTAVAIL', 'EMFILE', 'ENFILE'],
])

/** Of the driver, which gives them no code. */
const driverFaults =
  /(Connection terminated|timeout expired|timeout exceeded when trying|Client (has encountered|was closed)|Cannot use a pool after)/

/** A schema or a table is not there, or not for this role. */
const withheldTable = new Set(['3F000', '42P01', '42501'])

/** The same of the whole database: of a running service, that an operator is at work. */
const withheld = new Set([...withheldTable, '28000', '28P01', '3D000'])

/** Whether the database of a running service is {@link isAway}, or withheld from it: the caller may try again later. */
export const isUnavailable = (error: unknown): boolean => isAway(error) || withheld.has(code(error))

/** Whether the database could not be reached, went away, is full or a replica. */
export function isAway(error: unknown): boolean {
  // Several addresses of one name, each of which failed.
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isAway)
  const state = code(error)
  return (
    /^(08|53|57P)/.test(state) ||
    // A time-out of ours, or a conflict that several attempts did not resolve.
    ['25P03', '57014', '40001', '40P01'].includes(state) ||
    // A replica, which was the primary or is in its place.
    state === '25006' ||
    networkFaults.has(state) ||
    (error instanceof Error && driverFaults.test(error.message))
  )
}

/** One row, for a statement that always returns one. */
export function only<T>(rows: readonly T[]): T {
  const [row] = rows
  if (row === undefined) throw new Error('a statement that always returns a row returned none')
  return row
}
