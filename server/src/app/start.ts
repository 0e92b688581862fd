// Brings one process up, part by part, and takes it down again in the opposite order.
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Config, ConfigError } from '../config.ts'
import { loadDocuments } from '../documents.ts'
import { type EmbeddedPostgres, startEmbedded } from '../embedded/embedded.ts'
import { createHub } from '../events/hub.ts'
import { unreachable } from '../failure.ts'
import { answerHeaders } from '../http/answer-headers.ts'
import { bareAnswer } from '../http/bare-answer.ts'
import { envelope } from '../http/errors.ts'
import { openapi } from '../http/openapi.ts'
import { redisLimiter } from '../http/redis-limiter.ts'
import { serve, serverOptions } from '../http/serve.ts'
import { createInspector } from '../inspect/inspect.ts'
import type { Clock } from '../kernel/clock.ts'
import { memoryLimiter } from '../kernel/limits.ts'
import { Refusal } from '../kernel/refuse.ts'
import { safeError } from '../log.ts'
import { createMailer } from '../mail/deliver.ts'
import { createMetrics } from '../metrics.ts'
import { processOf } from '../operator/process.ts'
import { createChannel } from '../realtime/channel.ts'
import { type Secrets, secretsOf } from '../secrets.ts'
import { readFrom, type Service } from '../service.ts'
import { brandOf } from '../site/brand/brand.ts'
import { addSite } from '../site/register.ts'
import { observed } from '../storage/observed.ts'
import { openStorage } from '../storage/open.ts'
import { createWatch } from '../store/deadlines.ts'
import { connectionOf, embeddedFolderOf, serverSettings } from '../store/locate.ts'
import { migrate } from '../store/migrate.ts'
import { openReplica } from '../store/replica.ts'
import { type Connection, isUnavailable, openSql, type Sql } from '../store/sql.ts'
import { startSweeps } from '../store/sweeps.ts'
import { verifySweep } from '../verify/verify.ts'
import { type Archiver, createArchiver } from '../wal/archiver.ts'
import { requireDataFolder } from './data-folder.ts'
import { watchDisk } from './disk.ts'
import { addHealth } from './health.ts'
import { serveMetrics } from './metrics-server.ts'
import { acknowledged, modules, pages, queues, routes, tags, waits, walks } from './modules.ts'
import { verifyEvery } from './platform.ts'
import { stopLimit } from './signals.ts'
import { watchWaits } from './waits.ts'

export interface Running {
  /** Where the process listens. */
  readonly address: string
  readonly service: Service
  /** Of the embedded PostgreSQL; undefined with DATABASE_URL. */
  readonly embedded: EmbeddedPostgres | undefined
  readonly metricsAddress: string | undefined
  /**
   * Drains: after DRAIN_DELAY_SECONDS, open requests finish, sockets close with 1001, the database shuts down cleanly.
   * What has not ended 10 s later is cut off.
   */
  stop(): Promise<void>
  /** Ends at once, as far as the database allows: the second signal. */
  abort(): Promise<void>
}

/** Takes a part down; `left` are the milliseconds that the whole stop has left. */
type Undo = (left: number) => Promise<unknown> | unknown

/** Milliseconds of the stop's for one part of it. */
const partLimit = 5000
/** What open requests, and then each part, leave of them to what ends later: the last is the embedded database. */
const afterRequests = 3000
const afterParts = 1500

export interface StartOptions {
  clock: Clock
  log: Logger
  /** Ends a start that is under way; afterwards it says nothing. */
  signal?: AbortSignal
}

/** Starts the service; rejects with a one-line reason, leaving nothing behind, when it cannot. */
export async function start(config: Config, options: StartOptions): Promise<Running> {
  const { log } = options
  const undo: Undo[] = []
  try {
    return await bringUp(config, options, undo)
  } catch (error) {
    await takeDown(undo, log)
    throw error
  }
}

async function bringUp(config: Config, { clock, log, signal }: StartOptions, undo: Undo[]): Promise<Running> {
  const server = createServer(serverOptions)
  server.on('request', answerStarting)
  server.on('upgrade', refuseStarting)
  await listen(server, config)
  const closeIdle = idleCloser(server)
  undo.push((left) => closeServer(server, closeIdle, left))
  const { address, port } = server.address() as AddressInfo
  const publicUrl = config.publicUrl ?? `http://127.0.0.1:${port}`

  await requireDataFolder(config.dataDir)
  signal?.throwIfAborted()
  const { connection, embedded, archiver } = await openDatabase(config, { clock, log }, undo)
  signal?.throwIfAborted()
  const hub = createHub()
  let draining = false
  const onError = warnOfConnections(log, () => draining)
  const disk = watchDisk(log)
  const options = { clock, connection, onWake: hub.wake, onError, onFull: disk.refused, watch: createWatch() }
  const sql = openSql(options)
  undo.push(limited(() => sql.end()))
  const hot = openSql({ ...options, maxConnections: 3, plan: 'generic' })
  undo.push(limited(() => hot.end()))
  await reach(sql, config, signal)
  const applied = await migrate(sql, clock)
  signal?.throwIfAborted()
  if (applied.length > 0) log.info({ migrations: applied.length }, 'the database was migrated')

  const secrets = await secretsOf(config)
  await requireSameSecret(sql, secrets)
  const metrics = createMetrics()
  const shared = config.redisUrl ? await redisLimiter(config.redisUrl, { clock, log, metrics }) : undefined
  if (shared) undo.push(limited(() => shared.close()))
  const limiter = shared ?? memoryLimiter(clock)
  embedded?.onRestart(() => metrics.databaseRestarts.inc())
  await archiver?.start(metrics)
  const replica = config.databaseReplicaUrl
    ? openReplica({
        primary: sql,
        replica: openSql({ clock, connection: connectionOf(config.databaseReplicaUrl), onError }),
        onRead: (by) => metrics.replicaReads.inc({ by }),
      })
    : undefined
  if (replica) undo.push(limited(() => replica.end()))

  const storage = observed(await openStorage(config), metrics)
  undo.push(limited(() => storage.close()))
  const base = { config, publicUrl, nodeId: randomUUID(), clock, sql, hot, secrets, limiter, log, metrics, hub }
  const service: Service = {
    ...base,
    storage,
    inspector: createInspector(base),
    gateSince: await rememberGate(sql, config, clock),
    documents: await loadDocuments(config.documentsDir, publicUrl),
    mailer: createMailer({ ...base, look: () => brandOf(service).mails }),
    speak: (languages) => brandOf(service).catalogue.of(languages),
    reading: (read) =>
      replica
        ? replica.read(
            () => read(onReplica),
            () => read(service),
          )
        : read(service),
  }
  const onReplica = replica ? readFrom(service, replica.sql) : service
  undo.push(limited(() => service.inspector.close()))
  // What the operator gave that cannot be used stops the start, and no reader meets it.
  brandOf(service)
  const channel = createChannel(service, {
    acknowledged,
    connection,
    redisUrl: config.redisUrl,
    alone: embedded !== undefined,
    listensOn: config.port === 0 ? randomUUID() : `${config.host}:${config.port}`,
  })
  undo.push(limited(() => inTurn(modules.toReversed(), (module) => module.stop?.(service))))

  const http = serve(service, routes, server)
  // Fastify's handler waits until all is there, for two would answer one request.
  const serving = server.listeners('request').filter((listener) => listener !== answerStarting) as RequestListener[]
  for (const listener of serving) server.off('request', listener)
  undo.push(limited(() => http.app.close()))
  const waiting = watchWaits(service, waits)
  const checks = addHealth(http.app, {
    service,
    overdue: waiting.overdue,
    pools: [sql, hot],
    embedded,
    archiver,
    disk,
    replica,
    checkChannel: () => channel.check(),
    isDraining: () => draining,
  })
  addSite(http.app, service, { pages, openapi: () => openapi(routes, tags) })
  await http.app.ready()
  service.mailer.start()
  undo.push(limited(() => service.mailer.stop()))
  const verification = { name: 'ledger', everyMilliseconds: verifyEvery, run: verifySweep(service, walks) }
  const sweeps = [...modules.flatMap((module) => module.sweeps?.(service) ?? []), verification, waiting.sweep]
  const sweeper = startSweeps(sweeps, service)
  undo.push(limited(() => sweeper.stop()))
  processOf.use(service, {
    queues,
    waits,
    walks,
    sweeps: sweeper.states,
    health: async () => ({ ...(await checks()), redis: shared?.isReachable() }),
  })
  const metricsAddress = await serveMetrics(service, { main: sql, messages: hot }, undo)
  await inTurn(modules, (module) => module.start?.(service))
  await waiting.warn()
  // The other nodes get hints about the events of the last requests too.
  undo.push(limited(() => channel.stop()))
  await channel.start()
  signal?.throwIfAborted()
  // Before the pools and the mailer end: open requests still need them.
  undo.push((left) => closeServer(server, closeIdle, left))
  undo.push(limited(() => channel.closeSockets()))
  undo.push(() => {
    http.drain()
    for (const module of modules) module.drain?.(service)
  })
  server.off('request', answerStarting)
  server.off('upgrade', refuseStarting)
  for (const listener of serving) server.on('request', listener)
  channel.attach(server)

  async function drain(): Promise<void> {
    draining = true
    // A client that keeps its connection is told to make another one, which the balancer brings to another node.
    server.prependListener('request', (_request, response) => {
      response.shouldKeepAlive = false
    })
    if (config.drainDelaySeconds > 0) await sleep(config.drainDelaySeconds * 1000)
    await takeDown(undo, log)
  }
  let stopping: Promise<void> | undefined
  const host = address.includes(':') ? `[${address}]` : address
  return {
    address: `http://${host}:${port}`,
    service,
    embedded,
    metricsAddress,
    stop: () => {
      stopping ??= drain()
      return stopping
    },
    async abort() {
      server.closeAllConnections()
      await embedded?.stop('immediate')
    },
  }
}

function listen(server: Server, config: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new ConfigError(`Cannot listen on ${config.host}:${config.port}: ${listenFault(error)}`)),
    )
    server.listen(config.port, config.host, resolve)
  })
}

const listenFault = ({ code, message }: NodeJS.ErrnoException): string =>
  code === 'EADDRINUSE'
    ? 'another program is listening there (set PORT)'
    : code === 'EACCES'
      ? 'this user may not use that port (set PORT)'
      : (code ?? message)

function answerStarting(request: IncomingMessage, response: ServerResponse): void {
  const refusal = new Refusal('service_unavailable', { message: 'The service is starting' })
  const [status, body] =
    request.url === '/health/live'
      ? [200, { status: 'live' }]
      : [503, request.url === '/health/ready' ? { status: 'not_ready', failing: 'start' } : envelope(refusal)]
  const headers = { 'content-type': 'application/json; charset=utf-8', ...answerHeaders() }
  response.writeHead(status as number, { ...headers, ...(status === 503 && { 'retry-after': '1' }) })
  response.end(JSON.stringify(body))
}

function refuseStarting(_request: IncomingMessage, stream: Duplex): void {
  const refusal = new Refusal('service_unavailable', { retryAfter: 2, message: 'The service is starting' })
  stream.on('error', () => stream.destroy())
  stream.end(bareAnswer(refusal, randomUUID()))
}

/** Closes connections without a request; before Node 26 the server itself leaves those on which nothing came yet. */
function idleCloser(server: Server): () => void {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return () => {
    server.closeIdleConnections()
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
  }
}

/** Lets open requests finish, as long as there is time. */
async function closeServer(server: Server, closeIdle: () => void, left: number): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve))
  // A connection that is kept alive is idle only once its last answer is out.
  const idle = setInterval(closeIdle, 50)
  const hurry = setTimeout(() => server.closeAllConnections(), Math.max(0, left - afterRequests))
  await closed
  clearInterval(idle)
  clearTimeout(hurry)
}

/** A part that may hang, as what waits for a database does: it is left behind then. */
const limited =
  (end: () => Promise<unknown> | undefined) =>
  async (left: number): Promise<void> => {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise((_, reject) => {
      timer = setTimeout(
        () => reject(new Error('it did not end in time')),
        Math.max(0, Math.min(left - afterParts, partLimit)),
      )
    })
    await Promise.race([end(), late]).finally(() => clearTimeout(timer))
  }

/** Cleanly while there is time, then at once: what was acknowledged is on the disk. */
async function stopDatabase(embedded: EmbeddedPostgres, left: number): Promise<void> {
  const hurry = setTimeout(() => void embedded.stop('immediate'), Math.max(0, left))
  await embedded.stop().finally(() => clearTimeout(hurry))
}

async function openDatabase(
  config: Config,
  { clock, log }: StartOptions,
  undo: Undo[],
): Promise<{ connection: Connection; embedded?: EmbeddedPostgres; archiver?: Archiver | undefined }> {
  if (config.databaseUrl) return { connection: connectionOf(config.databaseUrl) }
  const archiver = createArchiver({ config, clock, log })
  const embedded = await startEmbedded({
    folder: embeddedFolderOf(config),
    log: (level, message) => log[level]({ from: 'postgresql' }, message),
    settings: await serverSettings(config, { byService: true }),
  })
  // The last changes are there once the database has stopped.
  if (archiver) undo.push((left) => archiver.finish(left))
  undo.push((left) => stopDatabase(embedded, left))
  await archiver?.begin(embedded.connection)
  if (archiver) undo.push(limited(() => archiver.quiet()))
  return { connection: embedded.connection, embedded, archiver }
}

const reachWithin = 8000

/** Waits for a server that is only just starting, but not for long: the one who starts us reads the reason. */
async function reach(sql: Sql, config: Config, signal: AbortSignal | undefined): Promise<void> {
  const deadline = performance.now() + reachWithin
  for (;;) {
    try {
      await sql`select 1`
      return
    } catch (error) {
      signal?.throwIfAborted()
      if (!isUnavailable(error) || performance.now() > deadline) throw unreachable(config.databaseUrl, error)
      await sleep(250)
    }
  }
}

/** Tokens, cursors and codes derive from the key: a node with another one would answer them wrongly. */
async function requireSameSecret(sql: Sql, secrets: Secrets): Promise<void> {
  const [row] = await sql<{ value: string }>`
    insert into instance (name, value) values ('secret_fingerprint', ${secrets.fingerprint})
    on conflict (name) do update set value = instance.value returning value`
  if (row?.value !== secrets.fingerprint) {
    throw new ConfigError('SECRET_KEY is not the one this database was set up with')
  }
}

/** When the gate was first on: the grace period of older passports counts from there. */
async function rememberGate(sql: Sql, config: Config, clock: Clock): Promise<Date | undefined> {
  if (!config.ownerEmailGate) return undefined
  const [row] = await sql<{ value: string }>`
    insert into instance (name, value) values ('gate_since', ${clock.now().toISOString()})
    on conflict (name) do update set value = instance.value returning value`
  return row && new Date(row.value)
}

async function inTurn<T>(items: readonly T[], work: (item: T) => Promise<void> | undefined): Promise<void> {
  for (const item of items) await work(item)
}

async function takeDown(undo: Undo[], log: Logger): Promise<void> {
  const deadline = performance.now() + stopLimit
  for (let step = undo.pop(); step; step = undo.pop()) {
    try {
      await step(deadline - performance.now())
    } catch (error) {
      log.warn({ error: safeError(error) }, 'a part of the service did not stop cleanly')
    }
  }
}

/**
 * One line for those that break together. Whoever ends the service may end its database too, and that news may come
 * before the signal's: in a drain nothing is said.
 */
function warnOfConnections(log: Logger, isDraining: () => boolean): (error: Error) => void {
  let connections = 0
  return (error) => {
    connections += 1
    if (connections > 1) return
    setTimeout(() => {
      if (!isDraining()) log.warn({ connections, error: safeError(error) }, 'database connections were lost')
      connections = 0
    }, togetherWithin).unref()
  }
}

const togetherWithin = 250
