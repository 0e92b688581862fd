// One of several processes that serve behind one port, as its own start sees it: what the primary process gives it.
import type { MetricObjectWithValues, MetricValue } from 'prom-client'
import type { RateLimiter } from '../../kernel/limits.ts'
import type { Note, Siblings } from '../../realtime/wakeups.ts'
import type { Purpose } from '../../service.ts'
import type { Connection } from '../../store/sql.ts'
import type { SweepState } from '../../store/sweeps.ts'
import { openLine } from './line.ts'
import type { OfPrimary, OfWorker } from './verbs.ts'

export interface Worker {
  /** From 1. */
  readonly number: number
  /** Of its node: the same for the one that takes its place. */
  readonly name: string
  readonly nodeId: string
  readonly host: string
  readonly port: number
  /** Whether it takes the port before anything else; otherwise once it can serve. */
  readonly isFirst: boolean
  /** The other workers, to be told of events. */
  readonly siblings: Siblings
  listens(port: number): void
  /** Waits until it is there. */
  database(): Promise<{ connection: Connection; embedded?: undefined; isOwn: boolean; port: number }>
  /** Counts for all workers together. */
  countersFor(purpose: Purpose): RateLimiter
  /** What to do once this worker is to run the sweeps, and how they are going. */
  hasSweeps(sweeps: { begin: () => void; states: () => readonly SweepState[] }): void
  /** Of the worker that runs them. */
  sweepStates(): Promise<readonly SweepState[]>
  hasMetrics(read: () => Promise<readonly MetricObjectWithValues<MetricValue<string>>[]>): void
  ready(address: string): void
  /** Says why it cannot start. */
  failed(reason: string): Promise<void>
  onDrain(drain: () => void): void
}

const answerWithin = 2000

/** Learns from the primary process which worker this one is. */
export async function joinPrimary(host: string): Promise<Worker> {
  let drain: (() => void) | undefined
  let isDraining = false
  let sweeps: Parameters<Worker['hasSweeps']>[0] | undefined
  let isSweeping = false
  let metrics: Parameters<Worker['hasMetrics']>[0] | undefined
  let hear: (note: Note) => void = () => {}
  let crew = new Set<string>()
  const here: OfPrimary = {
    drain: () => {
      isDraining = true
      drain?.()
    },
    sweep: () => {
      isSweeping = true
      sweeps?.begin()
    },
    crew: (nodeIds) => {
      crew = new Set(nodeIds)
    },
    note: (note) => hear(note),
    metrics: async () => (await metrics?.()) ?? [],
    sweepStates: () => sweeps?.states() ?? [],
  }
  const line = openLine<OfWorker>(
    { send: (message, sent) => process.send?.(message, undefined, undefined, sent) },
    here,
  )
  process.on('message', line.receive)
  const { number, nodeId, port, isFirst } = await line.ask('begin', null)
  return {
    number,
    name: `${host}:${port} worker ${number}`,
    nodeId,
    host,
    port,
    isFirst,
    siblings: {
      has: (id) => id !== nodeId && crew.has(id),
      tell: (note, to) => line.hint('note', { note, to: to ?? null }),
      listen: (receive) => {
        hear = receive
      },
    },
    listens: (found) => line.tell('listening', found),
    database: () => line.ask('database', null),
    countersFor: (purpose) => ({
      take: (key, limit, windowSeconds, uses = 1) => line.ask('count', [purpose, key, limit, windowSeconds, uses]),
    }),
    hasSweeps(given) {
      sweeps = given
      if (isSweeping) given.begin()
    },
    async sweepStates() {
      const states = await line.ask('sweepStates', null, answerWithin).catch(() => [])
      return states.map(revived)
    },
    hasMetrics(read) {
      metrics = read
    },
    ready: (address) => line.tell('ready', address),
    failed: (reason) => line.ask('failed', reason, answerWithin).catch(() => {}),
    onDrain(given) {
      drain = given
      if (isDraining) given()
    },
  }
}

/** Moments are texts on the way. */
const revived = (state: SweepState): SweepState => ({
  ...state,
  dueAt: new Date(state.dueAt),
  last: state.last && { ...state.last, endedAt: new Date(state.last.endedAt) },
  failure: state.failure && { ...state.failure, at: new Date(state.failure.at) },
})
