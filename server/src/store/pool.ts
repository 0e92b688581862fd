// A pool that refuses at once if too many wait for it: a wait that cannot end in time helps nobody. And what it connects with.
import pg from 'pg'

/** `53300` is PostgreSQL's own code for too many connections. */
export class PoolFull extends Error {
  readonly code = '53300'
}

type Callback = (error: Error | undefined, client: pg.PoolClient | undefined, done: () => void) => void

/** From now on the pool refuses with {@link PoolFull} anyone beyond `limit` waiting for a connection. */
export function boundWaiting(pool: pg.Pool, limit: number): void {
  const connect = pool.connect.bind(pool) as (callback?: Callback) => Promise<pg.PoolClient>
  // `query` goes through here too, with a callback.
  const bounded = (callback?: Callback): Promise<pg.PoolClient> | undefined => {
    // Those with a connection available, or about to be, wait only for a moment.
    const free = pool.idleCount + pool.options.max - pool.totalCount
    if (pool.waitingCount < limit + free) return connect(callback)
    const error = new PoolFull('too many wait for a connection of the pool')
    if (!callback) return Promise.reject(error)
    callback(error, undefined, () => {})
    return undefined
  }
  pool.connect = bounded as typeof pool.connect
}

/**
 * A server that begins no session, for a fault of its own such as a full disk. `08001` is PostgreSQL's own code for it. Within a
 * session the codes that it gives then (XX, 58) mean that something is broken for good.
 */
class NoSession extends Error {
  readonly code = '08001'
}

type Connected = (error: Error | null, client?: pg.Client) => void

/** A connection of a pool, which fails with {@link NoSession} if the server begins none. */
export class Session extends pg.Client {
  override connect(): Promise<pg.Client>
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<pg.Client> | undefined {
    if (!callback) return super.connect()
    // Called in the same turn: until then nobody listens for its errors.
    super.connect((error: (Error & { code?: string }) | null) => {
      const code = error?.code ?? ''
      callback(/^(XX|58)/.test(code) ? new NoSession(`the database begins no session: ${code}`) : error)
    })
    return undefined
  }
}
