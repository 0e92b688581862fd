// The process that was started, if it has workers: it owns the port, the embedded database, the limits, the metrics and the
// signals, and replaces a worker that has ended. It answers no request itself. docs/several-nodes.md#workers.
import { randomUUID } from 'node:crypto'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import { serverOptions } from '../../http/serve.ts'
import type { Clock } from '../../kernel/clock.ts'
import { memoryLimiter } from '../../kernel/limits.ts'
import { safeError } from '../../log.ts'
import { createMetrics } from '../../metrics.ts'
import { freeEarlierRuns, unregister } from '../../realtime/leases.ts'
import { secretsOf } from '../../secrets.ts'
import { migrate } from '../../store/migrate.ts'
import { openSql, type Sql } from '../../store/sql.ts'
import { requireUsable } from '../data-folder.ts'
import { ofPrimary, openDatabase, reach, requireSameSecret, warnOfFewConnections } from '../database.ts'
import { answerStarting, listen, refuseStarting, urlOf } from '../listening.ts'
import { stopLimit } from '../signals.ts'
import { limited, takeDown, type Undo } from '../undo.ts'
import { type Crew, createCrew, type Member, soundAfter } from './crew.ts'
import { gatherMetrics } from './gathered.ts'
import type { Database } from './verbs.ts'

interface Supervision {
  readonly address: string
  readonly publicUrl: string
  stop(): Promise<void>
  abort(): Promise<void>
}

interface SupervisionOptions {
  clock: Clock
  log: Logger
  /** Ends a start that is under way. */
  signal: AbortSignal
  /** The workers crash again and again: there is no point in going on. */
  onCrashes: (error: Error) => void
}

/** Milliseconds before a worker is started again, by how many in a row did not last; after the last of them no more is. */
const delays = [0, 500, 1000, 2000, 4000]
const tellArchiveEvery = 2000
/** Of a stop, for what is left once the workers have been killed. */
const afterWorkers = 1500

/** Starts the service as several workers; rejects with a one-line reason, leaving nothing behind, when it cannot. */
export async function supervise(config: Config, options: SupervisionOptions): Promise<Supervision> {
  const undo: Undo[] = []
  try {
    return await bringUp(config, options, undo)
  } catch (error) {
    await takeDown(undo, options.log)
    throw error
  }
}

async function bringUp(config: Config, options: SupervisionOptions, undo: Undo[]): Promise<Supervision> {
  const { clock, log, signal, onCrashes } = options
  const database = Promise.withResolvers<Database>()
  const serving = Promise.withResolvers<void>()
  // A start that fails before has a reason of its own.
  serving.promise.catch(() => {})
  signal.addEventListener('abort', () => serving.reject(signal.reason), { once: true })
  const { acceptor, give } = await accept(config)
  undo.push(() => acceptor.close())
  const { address, port } = acceptor.address() as AddressInfo
  signal.throwIfAborted()
  const metrics = createMetrics()
  let sql: Sql | undefined
  let isUp = false
  let crashes = 0
  const again = new Set<NodeJS.Timeout>()

  function replace(member: Member, ending: string): void {
    // Its agents connect to the others at once, and need their places.
    if (sql) unregister(sql, { id: member.nodeId, name: '' }).catch(() => {})
    const { number, reason, readyAt } = member
    if (!isUp) {
      serving.reject(new Error(reason ?? `worker ${number} ended during the start (${ending})`))
      return
    }
    const lasted = readyAt !== undefined && performance.now() - readyAt >= soundAfter
    crashes = lasted ? 1 : crashes + 1
    const delay = delays[crashes - 1]
    if (delay === undefined) {
      onCrashes(
        new Error(`${delays.length} workers in a row ended soon after their start; the last: ${reason ?? ending}`),
      )
      return
    }
    metrics.workersRestarted.inc()
    log.error({ worker: number, ending, ...(reason && { reason }) }, 'a worker ended unexpectedly and is started again')
    const timer = setTimeout(() => {
      again.delete(timer)
      crew.start(number)
    }, delay)
    again.add(timer)
  }

  const crew: Crew = createCrew({
    address,
    port,
    log,
    database: database.promise,
    countersFor: () => memoryLimiter(clock),
    onReady: () => {
      if (crew.members().every(({ readyAt }) => readyAt !== undefined)) serving.resolve()
    },
    onEnd: replace,
    onOther: (message) => process.send?.(message),
  })
  const gathered = gatherMetrics(crew, metrics)
  undo.push(() => {
    for (const timer of again) clearTimeout(timer)
    return crew.drain(stopLimit - afterWorkers)
  })
  give(crew.hand)
  await requireUsable(config)
  signal.throwIfAborted()
  for (let number = 1; number <= config.workers; number++) crew.start(number)
  const below: Undo[] = []
  undo.unshift((left) => takeDown(below, log, Math.max(left, afterWorkers)))
  const { connection, embedded, archiver } = await openDatabase(config, { clock, log }, below)
  signal.throwIfAborted()
  embedded?.onRestart(() => metrics.databaseRestarts.inc())
  await archiver?.start(metrics)
  if (archiver) {
    const telling = setInterval(() => {
      for (const { line } of crew.members()) line.tell('archive', archiver.isBehind())
    }, tellArchiveEvery)
    below.push(() => clearInterval(telling))
  }
  const onError = (error: Error): void => log.debug({ error: safeError(error) }, 'a connection of the primary was lost')
  sql = openSql({ clock, connection, primaryOnly: true, maxConnections: ofPrimary, onError })
  const own = sql
  below.push(limited(() => own.end()))
  await reach(sql, config, signal)
  await warnOfFewConnections(sql, config, log)
  const applied = await migrate(sql, clock)
  signal.throwIfAborted()
  if (applied.length > 0) log.info({ migrations: applied.length }, 'the database was migrated')
  await requireSameSecret(sql, await secretsOf(config))
  if (embedded) {
    await freeEarlierRuns(sql, { id: randomUUID(), name: '' }, { now: clock.now(), alone: true, those: 'all' })
  }
  await gathered.serve(config, undo)
  database.resolve({ connection, isOwn: embedded !== undefined })
  await serving.promise
  signal.throwIfAborted()
  isUp = true

  let stopping: Promise<void> | undefined
  async function stop(): Promise<void> {
    for (const timer of again) clearTimeout(timer)
    const began = performance.now()
    setTimeout(() => acceptor.close(), config.drainDelaySeconds * 1000).unref()
    await crew.drain(config.drainDelaySeconds * 1000 + stopLimit - afterWorkers)
    const took = performance.now() - began - config.drainDelaySeconds * 1000
    await takeDown(undo, log, Math.max(afterWorkers, stopLimit - took))
  }
  return {
    address: urlOf({ address, port }),
    publicUrl: config.publicUrl ?? `http://127.0.0.1:${port}`,
    stop: () => {
      stopping ??= stop()
      return stopping
    },
    async abort() {
      crew.kill()
      await embedded?.stop('immediate')
    },
  }
}

/** Takes the port. Each connection goes to `give`, if that takes it; else it is answered that the service is starting. */
async function accept(
  config: Config,
): Promise<{ acceptor: Server; give: (hand: (socket: Socket) => boolean) => void }> {
  let give: (socket: Socket) => boolean = () => false
  const starting = createHttpServer(serverOptions, answerStarting).on('upgrade', refuseStarting)
  const acceptor = createServer({ pauseOnConnect: true, allowHalfOpen: true, noDelay: true }, (socket) => {
    if (give(socket)) return
    starting.emit('connection', socket)
    socket.resume()
  })
  await listen(acceptor, config)
  return {
    acceptor,
    give: (hand) => {
      give = hand
    },
  }
}
