// One of several processes that serve behind one port, as its own start sees it: what the primary process gives it.
import type { Server } from 'node:http'
import { Socket } from 'node:net'
import type { MetricObjectWithValues, MetricValue } from 'prom-client'
import type { RateLimiter } from '../../kernel/limits.ts'
import type { Note, Siblings } from '../../realtime/wakeups.ts'
import type { Purpose } from '../../service.ts'
import type { Connection } from '../../store/sql.ts'
import type { SweepState } from '../../store/sweeps.ts'
import { openLine } from './line.ts'
import { createPeers } from './peers.ts'
import { isHanded, type OfPrimary, type OfWorker } from './verbs.ts'

export interface Worker {
  /** From 1. */
  readonly number: number
  /** Of its node: the same for the one that takes its place. */
  readonly name: string
  readonly nodeId: string
  /** Where the primary process listens. */
  readonly address: string
  readonly port: number
  /** The other workers, to be told of events. */
  readonly siblings: Siblings
  /** Waits until it is there. */
  database(): Promise<{ connection: Connection; embedded?: undefined; archiver?: undefined; isOwn: boolean }>
  /** Of the archive of that database, as the primary last said. */
  isArchiveBehind(): boolean
  /** Counts for all workers together. */
  countersFor(purpose: Purpose): RateLimiter
  /** What to do once this worker is to run the sweeps, and how they are going. */
  hasSweeps(sweeps: { begin: () => void; states: () => readonly SweepState[] }): void
  /** Of the worker that runs them. */
  sweepStates(): Promise<readonly SweepState[]>
  hasMetrics(read: () => Promise<readonly MetricObjectWithValues<MetricValue<string>>[]>): void
  /** Takes connections from now on, and none any more. */
  serve(server: Server): void
  leaves(): void
  /** Says why it cannot start. */
  failed(reason: string): Promise<void>
  onDrain(drain: () => void): void
}

const answerWithin = 2000

/** Learns from the primary process which worker this one is. */
export async function joinPrimary(): Promise<Worker> {
  let drain: (() => void) | undefined
  let isDraining = false
  let sweeps: Parameters<Worker['hasSweeps']>[0] | undefined
  let isSweeping = false
  let metrics: Parameters<Worker['hasMetrics']>[0] | undefined
  let hear: (note: Note) => void = () => {}
  let crew = new Set<string>()
  let isArchiveBehind = false
  let take = (socket: Socket): void => void socket.destroy()
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
    archive: (isBehind) => {
      isArchiveBehind = isBehind
    },
    note: (note) => hear(note),
    metrics: async () => (await metrics?.()) ?? [],
    sweepStates: () => sweeps?.states() ?? [],
  }
  const line = openLine<OfWorker>(
    { send: (message, sent) => process.send?.(message, undefined, undefined, sent) },
    here,
  )
  const peers = createPeers((note) => hear(note))
  process.on('message', (message, socket) => {
    if (line.receive(message) || !isHanded(message)) return
    line.tell('taken', message.handed)
    // Without one its other side has left.
    if (!(socket instanceof Socket)) return
    if (message.peer !== undefined) peers.join(message.peer, socket)
    else take(socket)
  })
  const { number, nodeId, address, port } = await line.ask('begin', null)
  return {
    number,
    name: `${address}:${port} worker ${number}`,
    nodeId,
    address,
    port,
    siblings: {
      has: (id) => id !== nodeId && crew.has(id),
      ids: () => [...crew].filter((id) => id !== nodeId),
      tell(note, to) {
        if (to === undefined || !peers.tell(to, note)) line.hint('note', { note, to: to ?? null })
      },
      listen: (receive) => {
        hear = receive
      },
    },
    database: () => line.ask('database', null),
    isArchiveBehind: () => isArchiveBehind,
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
    serve(server) {
      take = (socket) => {
        socket.allowHalfOpen = true
        server.emit('connection', socket)
      }
      // What a server that listens begins then: to end connections that take too long.
      server.emit('listening')
      line.tell('ready', null)
    },
    leaves: () => line.tell('leaves', null),
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
