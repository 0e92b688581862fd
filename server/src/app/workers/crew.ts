// The workers: each is forked, asked, replaced when it has ended, and told what the others say.
import cluster, { type Worker as Child } from 'node:cluster'
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { seconds } from '../../kernel/clock.ts'
import type { RateLimiter } from '../../kernel/limits.ts'
import { safeError } from '../../log.ts'
import type { Purpose } from '../../service.ts'
import { type OpenLine, openLine } from './line.ts'
import { pairOfSockets } from './peers.ts'
import type { Beginning, Database, Handed, OfPrimary, OfWorker } from './verbs.ts'

export interface Member {
  readonly number: number
  readonly nodeId: string
  readonly child: Child
  readonly line: OpenLine<OfPrimary>
  isServing: boolean
  /** Sockets that it has not taken yet, by number. */
  readonly untaken: Map<number, Socket>
  readyAt: number | undefined
  /** Why it could not start. */
  reason: string | undefined
}

interface CrewOptions {
  /** Where the primary listens. */
  address: string
  port: number
  log: Logger
  /** Resolves once there is one. */
  database: Promise<Database>
  countersFor: (purpose: Purpose) => RateLimiter
  onReady: (member: Member) => void
  /** A worker has ended that nobody told to. */
  onEnd: (member: Member, ending: string) => void
  /** Something that is not ours, as of `node --watch`. */
  onOther: (message: unknown) => void
}

export interface Crew {
  members(): readonly Member[]
  start(number: number): void
  /** Gives a connection to the next one that takes connections; false if none does. */
  hand(socket: Socket): boolean
  /** Has all end, and those killed that have not within the limit. */
  drain(limitMilliseconds: number): Promise<void>
  kill(): void
}

/** A worker that served for so long did not die of how it starts. */
export const soundAfter: number = seconds(10)

/** A worker that has not taken a socket for so long stands still, or has no more room for open files. */
const takenWithin = seconds(30)

let handed = 0

/**
 * Sends a socket to a worker. It stays open here until the worker has it, and is closed if the worker ends before: Node would
 * keep what is on its way to a process that has ended, with nobody to answer. The other side of the socket tries again.
 */
function sendSocket({ untaken, child }: Member, socket: Socket, peer?: string): void {
  const message: Handed = { handed: ++handed, ...(peer !== undefined && { peer }) }
  untaken.set(message.handed, socket)
  socket.once('close', () => untaken.delete(message.handed))
  socket.setTimeout(takenWithin, () => socket.destroy())
  child.send(message, socket, { keepOpen: true }, (error) => {
    if (error) socket.destroy()
  })
}

const mainFile = fileURLToPath(new URL('../../main.js', import.meta.url))

export function createCrew(options: CrewOptions): Crew {
  const { address, port, log, database, countersFor } = options
  const members = new Map<number, Member>()
  const limiters = new Map<Purpose, RateLimiter>()
  let isEnding = false
  let allGone = (): void => {}
  let turn = 0
  let sweeper: Member | undefined

  cluster.setupPrimary({ exec: mainFile, args: [], serialization: 'json' })

  const all = (): Member[] => [...members.values()]
  const limiterFor = (purpose: Purpose): RateLimiter => {
    const limiter = limiters.get(purpose) ?? countersFor(purpose)
    limiters.set(purpose, limiter)
    return limiter
  }
  const introduce = (): void => {
    for (const { line } of all())
      line.tell(
        'crew',
        all().map(({ nodeId }) => nodeId),
      )
  }
  /** Without it they are told through this process. */
  async function join(one: Member, other: Member): Promise<void> {
    try {
      const [here, there] = await pairOfSockets()
      sendSocket(one, here, other.nodeId)
      sendSocket(other, there, one.nodeId)
    } catch (error) {
      log.warn({ error: safeError(error) }, 'two workers could not be joined')
    }
  }
  const appoint = (): void => {
    if (sweeper || isEnding) return
    sweeper = all().find(({ readyAt }) => readyAt !== undefined)
    sweeper?.line.tell('sweep', null)
  }

  function start(number: number): void {
    if (isEnding) return
    const beginning: Beginning = { number, nodeId: randomUUID(), address, port }
    const child = cluster.fork()
    const verbs: OfWorker = {
      begin: () => beginning,
      database: () => database,
      ready: () => {
        member.isServing = true
        member.readyAt = performance.now()
        appoint()
        for (const other of all()) if (other !== member && other.readyAt !== undefined) void join(member, other)
        options.onReady(member)
      },
      leaves: () => {
        member.isServing = false
      },
      taken: (number) => void member.untaken.get(number)?.destroy(),
      failed: (reason) => {
        member.reason = reason
      },
      count: ([purpose, key, limit, windowSeconds, uses]) => limiterFor(purpose).take(key, limit, windowSeconds, uses),
      note: ({ note, to }) => {
        for (const other of all()) {
          if (other !== member && (to === null || other.nodeId === to)) other.line.hint('note', note)
        }
      },
      sweepStates: async () => sweeper?.line.ask('sweepStates', null, seconds(1)) ?? [],
    }
    const line = openLine<OfPrimary>({ send: (message, sent) => child.send(message as object, undefined, sent) }, verbs)
    const { nodeId } = beginning
    const unknown = { readyAt: undefined, reason: undefined }
    const member: Member = { number, nodeId, child, line, isServing: false, untaken: new Map(), ...unknown }
    members.set(number, member)
    child.on('message', (message) => {
      if (!line.receive(message)) options.onOther(message)
    })
    child.on('error', (error) => {
      log.error({ worker: number, error: error.message }, 'a worker could not be reached')
      // It never was: the machine takes no more processes.
      if (child.process.pid === undefined) ended(error.message)
    })
    child.on('disconnect', () => {
      member.isServing = false
    })
    child.on('exit', (code, signal) => ended(signal ?? `code ${code}`))
    introduce()

    function ended(ending: string): void {
      if (members.get(number) !== member) return
      line.end()
      for (const socket of member.untaken.values()) socket.destroy()
      members.delete(number)
      if (sweeper === member) sweeper = undefined
      if (isEnding) {
        if (members.size === 0) allGone()
        return
      }
      appoint()
      introduce()
      options.onEnd(member, ending)
    }
  }

  return {
    members: all,
    start,
    hand(socket) {
      const serving = all().filter(({ isServing }) => isServing)
      if (serving.length === 0) return false
      // By turns, but not to one that is too busy to take those it has.
      turn += 1
      const inTurn = serving.map((_, at) => serving[(turn + at) % serving.length] as Member)
      const next = inTurn.reduce((best, each) => (each.untaken.size < best.untaken.size ? each : best))
      sendSocket(next, socket)
      return true
    },
    async drain(limit) {
      isEnding = true
      if (members.size === 0) return
      const gone = new Promise<void>((resolve) => {
        allGone = resolve
      })
      for (const { line, child, readyAt } of all()) {
        // One that is still starting has acknowledged nothing.
        if (readyAt === undefined) child.process.kill('SIGKILL')
        else line.tell('drain', null)
      }
      const timer = setTimeout(() => this.kill(), limit)
      await gone
      clearTimeout(timer)
    },
    kill() {
      isEnding = true
      for (const { child } of all()) child.process.kill('SIGKILL')
    },
  }
}
