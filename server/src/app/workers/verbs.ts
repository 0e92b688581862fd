// What the primary process and its workers say to each other.
import type { MetricObjectWithValues, MetricValue } from 'prom-client'
import type { Allowance } from '../../kernel/limits.ts'
import type { Note } from '../../realtime/wakeups.ts'
import type { Purpose } from '../../service.ts'
import type { Connection } from '../../store/sql.ts'
import type { SweepState } from '../../store/sweeps.ts'

/** What a worker learns first. */
export interface Beginning {
  /** From 1; another one takes it over when this one has ended. */
  number: number
  nodeId: string
  /** Where the primary listens. */
  address: string
  port: number
}

export interface Database {
  connection: Connection
  /** Whether no other service can use it, because the primary runs it. */
  isOwn: boolean
}

/** One use of a limit, as {@link RateLimiter.take} counts it. */
export type Use = [purpose: Purpose, key: string, limit: number, windowSeconds: number, uses: number]

/** What comes with a socket that the primary process sends: the worker says when it has taken it. */
export interface Handed {
  handed: number
  /** The worker at its other end; undefined for the connection of a client. */
  peer?: string
}

export const isHanded = (message: unknown): message is Handed =>
  typeof message === 'object' && message !== null && 'handed' in message

export type OfWorker = {
  begin: (nothing: null) => Beginning
  /** Waits until there is one. */
  database: (nothing: null) => Promise<Database>
  /** It takes connections from now on. */
  ready: (nothing: null) => void
  /** It takes no more of them. */
  leaves: (nothing: null) => void
  /** It has the socket of that number. */
  taken: (handed: number) => void
  /** It cannot start, and why, in one line. */
  failed: (reason: string) => void
  count: (use: Use) => Allowance | Promise<Allowance>
  /** For one other worker, or for all. */
  note: (sent: { note: Note; to: string | null }) => void
  sweepStates: (nothing: null) => Promise<readonly SweepState[]>
}

export type OfPrimary = {
  drain: (nothing: null) => void
  /** This worker runs the sweeps from now on. */
  sweep: (nothing: null) => void
  /** The nodes of all workers. */
  crew: (nodeIds: readonly string[]) => void
  /** Whether the archive of the database lacks what it should have. */
  archive: (isBehind: boolean) => void
  note: (note: Note) => void
  metrics: (nothing: null) => Promise<readonly MetricObjectWithValues<MetricValue<string>>[]>
  sweepStates: (nothing: null) => readonly SweepState[]
}
