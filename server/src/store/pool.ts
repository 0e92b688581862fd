// A pool that refuses at once if too many wait for it: a wait that cannot end in time helps nobody.
import type pg from 'pg'

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
