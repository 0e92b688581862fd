// What every room of a running process is given. Made once by app/start.ts, from the parts below the rooms.
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { LegalDocument } from './documents.ts'
import type { EventHub } from './events/hub.ts'
import type { Inspector } from './inspect/inspect.ts'
import type { Clock } from './kernel/clock.ts'
import type { RateLimiter } from './kernel/limits.ts'
import type { Mailer } from './mail/queue.ts'
import type { Speak } from './mail/words.ts'
import type { Metrics } from './metrics.ts'
import type { Secrets } from './secrets.ts'
import type { Storage } from './storage/storage.ts'
import type { Query, Sql } from './store/sql.ts'

/** What is counted apart, so that many keys of one do not push out those of another. */
export type Purpose = 'changes' | 'reads' | 'guesses' | 'drawings'

export interface Service {
  readonly config: Config
  /** The origin {base_url}, without a trailing slash. */
  readonly publicUrl: string
  /** Of this process among those on the same database; another one at each start. */
  readonly nodeId: string
  readonly clock: Clock
  readonly sql: Sql
  /**
   * Runs a read for many readers, on a replica of the database if there is one that is up to date. It may run twice, and
   * gets the service with the pool to read from.
   */
  readonly reading: <T>(read: (service: Service) => Promise<T>) => Promise<T>
  /** A small pool of its own for the statements of the hot path, none of which waits for a slow one. */
  readonly hot: Query & Pick<Sql, 'together'>
  readonly secrets: Secrets
  readonly limiter: RateLimiter
  /** Counts of this service alone, of all its workers together: no other node waits for them. */
  readonly countersFor: (purpose: Purpose) => RateLimiter
  readonly log: Logger
  readonly metrics: Metrics
  /** When the email gate was first on; undefined while it never was. */
  readonly gateSince: Date | undefined
  /** Hands committed events to the sockets of this node and wakes the others. */
  readonly hub: EventHub
  readonly mailer: Mailer
  /** The words of emails. */
  readonly speak: Speak
  readonly storage: Storage
  readonly inspector: Inspector
  readonly documents: readonly LegalDocument[]
}

/** The service whose reads another one answers from a replica. */
const originals = new WeakMap<Service, Service>()

/** This service with another pool to read from; what rooms keep for a running process is the same. */
export function readFrom(service: Service, sql: Sql): Service {
  const other = { ...service, sql }
  originals.set(other, service)
  return other
}

/** The service itself, where this one reads from a replica. */
export const primaryOf = (service: Service): Service => originals.get(service) ?? service

/** What a room keeps for a running process (a queue, a batch): made when it is first asked for, one for each service. */
export function perService<T>(make: (service: Service) => T): PerService<T> {
  const made = new WeakMap<Service, T>()
  const of = (given: Service): T => {
    const service = primaryOf(given)
    let known = made.get(service)
    if (known === undefined) {
      known = make(service)
      made.set(service, known)
    }
    return known
  }
  return Object.assign(of, { use: (service: Service, instead: T) => void made.set(service, instead) })
}

export type PerService<T> = ((service: Service) => T) & {
  /** Has this service use another one from now on. */
  use(service: Service, instead: T): void
}
