// The manifest of a room: everything that it adds to the process. app/modules.ts lists them; the API, the pages, the sweeps, the
// operator's queues, the verification and the tags of the contract are folded from that list.

import type { Acknowledged } from './events/acknowledged.ts'
import type { PageRoute } from './http/page.ts'
import type { Route } from './http/route.ts'
import type { Service } from './service.ts'
import type { Query, Tx } from './store/sql.ts'
import type { Sweep } from './store/sweeps.ts'
import type { Walk } from './store/walks.ts'

/** Something that waits here, on the whole and by number: never whom it is for or what it says. */
export interface Queue<T extends object = object> {
  /** Its key in `queue --json`. */
  name: string
  read: (tx: Tx) => Promise<T>
  /** What a person reads about it. */
  lines: (found: T, now: Date) => string[]
}

/** What waits here for a person to look at it. */
export interface Wait {
  /** Of the metric, the log and `/health/ready`. */
  name: string
  /** Milliseconds after which somebody should have looked. */
  patience: number
  /** Since when the oldest waits; null if nothing does. */
  oldest: (sql: Query) => Promise<Date | null>
  /** How many wait. */
  count: (sql: Query) => Promise<number>
  /** The operator's words that show it. */
  words: string
}

export interface Module {
  /** The tag of its routes in the contract, and what it is about. */
  tag?: { name: string; description: string }
  routes?: readonly Route[]
  pages?: readonly PageRoute[]
  /** What follows when a recipient acknowledges an event. */
  acknowledged?: Acknowledged
  sweeps?: (service: Service) => readonly Sweep[]
  queues?: readonly Queue[]
  waits?: readonly Wait[]
  /** In the order in which they are walked. */
  walks?: readonly Walk[]
  /** Before the first request. */
  start?: (service: Service) => Promise<void>
  /** The process is to end: what holds up a request for long, and can be asked for again, is given up now. */
  drain?: (service: Service) => void
  /** Once the last request has ended; the pools are still open. */
  stop?: (service: Service) => Promise<void>
}

/** A queue with the type of what it finds kept to itself. */
export const queue = <T extends object>(given: Queue<T>): Queue => given as unknown as Queue
