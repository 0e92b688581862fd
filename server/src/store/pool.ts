// What the service connects with: a pool that bounds who waits for it and how many sessions begin at once.
import pg from 'pg'

/** `53300` is PostgreSQL's own code for too many connections. */
export class PoolFull extends Error {
  readonly code = '53300'
}

type Callback = (error: Error | undefined, client: pg.PoolClient | undefined, done: () => void) => void

/** How many may wait for each connection of a pool before more are refused at once. */
const waitingPerConnection = 16

/**
 * Sessions of a pool that begin at the same time. Each takes milliseconds of a core: after a failover, when all of them begin,
 * the first few serve those who wait sooner than any would if they shared the cores with the rest.
 */
const mostBeginning = 2
/** One that takes longer may be with a server that is gone, and keeps no other one waiting. Milliseconds. */
const beginsWithin = 1000
/** After a refusal of the server, which has no room for more sessions, those that serve are enough. Milliseconds. */
const refusedFor = 1000

type PoolConfig = pg.PoolConfig & { max: number; verify: NonNullable<pg.PoolConfig['verify']> }

/**
 * A pool that begins few sessions at once, and refuses at once with {@link PoolFull} if too many wait for a connection. If the
 * server refuses another session, the request waits for one that serves. Its `options.max` is how many it may have at this moment.
 */
export function openPool(config: PoolConfig): pg.Pool {
  const { max, verify } = config
  const beginning = new Map<pg.Client, NodeJS.Timeout>()
  let refusedAt = Number.NEGATIVE_INFINITY
  const begun = (client: pg.Client): void => {
    clearTimeout(beginning.get(client))
    beginning.delete(client)
  }
  /** Those who have sessions may need them for long: one that nobody asked for is free for whoever waits. */
  const beginNext = (): void => {
    if (pool.waitingCount > 0 && pool.totalCount < pool.options.max) connect((_error, _client, release) => release())
  }
  const pool = new pg.Pool({
    ...config,
    Client: class extends Session {
      override connect(): Promise<pg.Client>
      override connect(callback: Connected): void
      override connect(callback?: Connected): Promise<pg.Client> | undefined {
        if (!callback) return super.connect()
        const late = (): void => {
          begun(this)
          beginNext()
        }
        beginning.set(this, setTimeout(late, beginsWithin).unref())
        super.connect((error, client) => {
          if (error) begun(this)
          if (isRefusal(error)) refusedAt = performance.now()
          callback(error, client)
        })
        return undefined
      }
    },
    verify: (client, done) =>
      verify(client, (error) => {
        begun(client)
        done(error)
        beginNext()
      }),
  })
  Object.defineProperty(pool.options, 'max', {
    get: () =>
      performance.now() - refusedAt < refusedFor
        ? Math.max(1, pool.totalCount)
        : Math.min(max, pool.totalCount - beginning.size + mostBeginning),
  })
  const connect = pool.connect.bind(pool) as (callback: Callback) => void
  const connectOrWait = (callback: Callback): void =>
    connect((error, client, release) => {
      if (isRefusal(error) && pool.totalCount > beginning.size) connectOrWait(callback)
      else callback(error, client, release)
    })
  // `query` goes through here too, with a callback.
  const bounded = (callback?: Callback): Promise<pg.PoolClient> | undefined => {
    if (!callback) {
      return new Promise((resolve, reject) => bounded((error, client) => (client ? resolve(client) : reject(error))))
    }
    // Those with a connection available, or about to be, wait only for a moment.
    const free = pool.idleCount + max - pool.totalCount
    if (pool.waitingCount < max * waitingPerConnection + free) connectOrWait(callback)
    else callback(new PoolFull('too many wait for a connection of the pool'), undefined, () => {})
    return undefined
  }
  pool.connect = bounded as typeof pool.connect
  return pool
}

/**
 * A server that begins no session, for a fault of its own such as a full disk. `08001` is PostgreSQL's own code for it. Within a
 * session the codes that it gives then (XX, 58) mean that something is broken for good.
 */
class NoSession extends Error {
  readonly code = '08001'
}

/** Whether the server has no room for another session, of this role or at all. */
const isRefusal = (error: unknown): boolean => (error as { code?: unknown } | null | undefined)?.code === '53300'

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
