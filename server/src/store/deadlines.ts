// Connections whose other end fell silent. A network that drops packets, or a server that hangs, says nothing: TCP
// gives up after a quarter of an hour, and an idle connection is not checked at all. So each connection that owes an
// answer has a deadline of ours. After it the connection is destroyed and never lent again, because its answer could
// still come.
import type pg from 'pg'
import { PoolFull } from './pool.ts'
import { Late, within } from './within.ts'

/** Longer than the server's own statement limit, so that only silence reaches it. Milliseconds. */
export const answerWithin = 18_000
/** The same for a connection that was last heard before another one reached its deadline. */
const suspectAnswerWithin = 5000
/** How often, and how many times, a ping checks whether the other connections of its pool were heard meanwhile. */
const pingStep = 400
const pingSteps = 5
const lookEvery = 1000

/** The kernel's own probes detect dead connections that are idle or only receive: after 20 s. */
export const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const

/** The parts of the driver's client that show whether it waits; its types lack some. */
type Client = pg.ClientBase & {
  readonly readyForQuery?: boolean
  readonly connection: { readonly stream: { readonly bytesRead: number; destroy(error?: Error): void } }
}

interface Watched {
  lent: boolean
  bytesRead: number
  /** When it was last heard, and when it last owed nothing; in the watch's own time. */
  heardAt: number
  quietSince: number
}

/** The error of a statement whose answer did not come in time; nobody knows whether it took effect. */
class SilentConnection extends Error {
  readonly code = 'ETIMEDOUT'
  constructor() {
    super('the database did not answer in time')
  }
}

export interface Watch {
  add(pool: pg.Pool): void
  remove(pool: pg.Pool): void
  /**
   * Rejects unless this pool hears from the server within 2 s; its idle connections are then not trusted. If the pool
   * is busy, or its queue is full, its connections show within half a second that the server answers. Rejects too if
   * Kith's tables are not there, or not for this role.
   */
  ping(pool: pg.Pool): Promise<void>
}

const patient = new WeakSet<pg.ClientBase>()

/** This connection's statements may take as long as they need, as migrations do. It must not go back to its pool. */
export const mayTakeLong = (client: pg.ClientBase): void => void patient.add(client)

/** Watches pools of one server: what happens to a connection of one says something about the others. */
export function createWatch(): Watch {
  const pools = new Map<pg.Pool, Map<Client, Watched>>()
  let timer: NodeJS.Timeout | undefined
  // Stops while this process is blocked: answers that arrived meanwhile are only read afterwards.
  let time = 0
  let lookedAt = 0

  /** Notes what has arrived on this connection since the last call; returns whether there was anything. */
  function hear(client: Client, watched: Watched): boolean {
    const { bytesRead } = client.connection.stream
    if (bytesRead === watched.bytesRead) return false
    watched.bytesRead = bytesRead
    watched.heardAt = time
    watched.quietSince = time
    return true
  }

  // Connections last heard before this moment may have fallen silent too.
  let suspected = Number.NEGATIVE_INFINITY

  function look(): void {
    const now = performance.now()
    time += Math.min(now - lookedAt, 2 * lookEvery)
    lookedAt = now
    for (const clients of pools.values()) {
      for (const [client, watched] of clients) {
        if (hear(client, watched)) continue
        if (client.readyForQuery !== false || patient.has(client)) watched.quietSince = time
        else if (time - watched.quietSince >= answerWithin) {
          // The previous words of the others may only be noted one look later.
          suspected = Math.max(suspected, watched.quietSince + 2 * lookEvery)
          end(client)
        }
      }
    }
    for (const clients of pools.values()) {
      for (const [client, { lent, heardAt, quietSince }] of clients) {
        if (heardAt > suspected || patient.has(client)) continue
        if (!lent || time - quietSince >= suspectAnswerWithin) end(client)
      }
    }
  }

  return {
    add(pool) {
      const clients = new Map<Client, Watched>()
      pools.set(pool, clients)
      if (timer === undefined) {
        lookedAt = performance.now()
        timer = setInterval(look, lookEvery).unref()
      }
      pool.on('connect', (connected) => {
        const client = connected as unknown as Client
        const { bytesRead } = client.connection.stream
        clients.set(client, { lent: true, bytesRead, heardAt: time, quietSince: time })
        client.once('end', () => clients.delete(client))
      })
      const note = (client: unknown, lent: boolean): void => {
        const watched = clients.get(client as Client)
        if (watched) watched.lent = lent
      }
      pool.on('acquire', (client) => note(client, true))
      pool.on('release', (_error, client) => note(client, false))
    },
    remove(pool) {
      pools.delete(pool)
      if (pools.size > 0) return
      clearInterval(timer)
      timer = undefined
    },
    async ping(pool) {
      const clients = pools.get(pool) ?? new Map<Client, Watched>()
      for (const [client, watched] of clients) hear(client, watched)
      const before = new Map([...clients.keys()].map((client) => [client, client.connection.stream.bytesRead]))
      const began = time
      const wasHeard = (): boolean =>
        [...clients.keys()].some((each) => each.connection.stream.bytesRead !== before.get(each))
      const asked = pool.query(state).then(
        ({ rowCount }) => {
          if (rowCount === 0) throw new Error('the database is empty')
        },
        (error: unknown) => {
          if (error instanceof PoolFull) return never
          throw error
        },
      )
      for (let step = 1; ; step++) {
        try {
          await within(pingStep, asked, 'the database did not answer in time')
          return
        } catch (error) {
          if (error instanceof Late) {
            if (wasHeard()) return
            if (step < pingSteps) continue
          }
          for (const [client, { lent, heardAt }] of clients) if (!lent && heardAt <= began) end(client)
          throw error
        }
      }
    },
  }
}

/** No row, or a refusal, of a database that is being restored, or that an operator keeps from this role. */
const state = 'select 1 from migrations limit 1'

/** Only the connections of a full pool can say more. */
const never = new Promise<never>(() => {})

function end(client: Client): void {
  // The driver says so a moment later: until then the pool would hand one that was just released to whoever waits.
  Object.assign(client, { _queryable: false })
  client.connection.stream.destroy(new SilentConnection())
}
