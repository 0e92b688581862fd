// Brings one process up, part by part, and takes it down again in the opposite order.
import { randomUUID } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { loadDocuments } from '../documents.ts'
import type { EmbeddedPostgres } from '../embedded/embedded.ts'
import { createHub } from '../events/hub.ts'
import { openapi } from '../http/openapi.ts'
import { redisLimiter } from '../http/redis-limiter.ts'
import { serve, serverOptions } from '../http/serve.ts'
import { createInspector } from '../inspect/inspect.ts'
import type { Clock } from '../kernel/clock.ts'
import { memoryLimiter } from '../kernel/limits.ts'
import { safeError } from '../log.ts'
import { createMailer } from '../mail/deliver.ts'
import { createMetrics } from '../metrics.ts'
import { processOf } from '../operator/process.ts'
import { createChannel } from '../realtime/channel.ts'
import { secretsOf } from '../secrets.ts'
import { readFrom, type Service } from '../service.ts'
import { brandOf } from '../site/brand/brand.ts'
import { addSite } from '../site/register.ts'
import { observed } from '../storage/observed.ts'
import { openStorage } from '../storage/open.ts'
import { createWatch } from '../store/deadlines.ts'
import { connectionOf } from '../store/locate.ts'
import { migrate } from '../store/migrate.ts'
import { requireSessionsOfReplica } from '../store/pooler.ts'
import { openReplica } from '../store/replica.ts'
import { openSql, type Sql } from '../store/sql.ts'
import { verifySweep } from '../verify/verify.ts'
import { requireUsable } from './data-folder.ts'
import { connectionsOf, openDatabase, reach, requireSameSecret, warnOfFewConnections } from './database.ts'
import { watchDisk, watchTables } from './disk.ts'
import { addHealth } from './health.ts'
import { answerStarting, listen, refuseStarting, urlOf, watchConnections } from './listening.ts'
import { serveMetrics } from './metrics-server.ts'
import { acknowledged, modules, pages, queues, routes, tags, waits, walks } from './modules.ts'
import { verifyEvery } from './platform.ts'
import { sweepWith } from './sweeping.ts'
import { limited, takeDown, type Undo } from './undo.ts'
import { watchWaits } from './waits.ts'
import type { Worker } from './workers/worker.ts'

export interface Running {
  /** Where the process listens. */
  readonly address: string
  /** The origin in its links. */
  readonly publicUrl: string
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

interface StartOptions {
  clock: Clock
  log: Logger
  /** What the primary process gives, if this is one of several workers. */
  worker?: Worker | undefined
  /** Ends a start that is under way; afterwards it says nothing. */
  signal?: AbortSignal
  /** False for a caller that does all periodic work itself. */
  sweeping?: boolean | undefined
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

async function bringUp(
  config: Config,
  { clock, log, signal, worker, sweeping = true }: StartOptions,
  undo: Undo[],
): Promise<Running> {
  const server = createServer(serverOptions)
  server.on('request', answerStarting)
  server.on('upgrade', refuseStarting)
  const connections = watchConnections(server)
  if (!worker) await listen(server, config)
  undo.push((left) => connections.close(left))

  if (!worker) await requireUsable(config)
  signal?.throwIfAborted()
  const { connection, embedded, ...given } = worker
    ? await worker.database()
    : await openDatabase(config, { clock, log }, undo)
  const { address, port } = worker ?? (server.address() as AddressInfo)
  const publicUrl = config.publicUrl ?? `http://127.0.0.1:${port}`
  signal?.throwIfAborted()
  const hub = createHub()
  let draining = false
  const onError = warnOfConnections(log, () => draining)
  const [disk, tables] = [watchDisk(log), watchTables(log)]
  const told = { onWake: hub.wake, onError, onFull: disk.refused, onWithheld: tables.refused }
  const options = { clock, connection, primaryOnly: true, watch: createWatch(), ...told }
  const sql = openSql({ ...options, maxConnections: connectionsOf(config.workers).main })
  undo.push(limited(() => sql.end()))
  const hot = openSql({ ...options, maxConnections: connectionsOf(config.workers).messages, plan: 'generic' })
  undo.push(limited(() => hot.end()))
  await reach(sql, config, signal)
  if (!worker) await warnOfFewConnections(sql, config, log)
  const applied = await migrate(sql, clock)
  signal?.throwIfAborted()
  if (applied.length > 0) log.info({ migrations: applied.length }, 'the database was migrated')

  const secrets = await secretsOf(config)
  await requireSameSecret(sql, secrets)
  const metrics = createMetrics()
  const shared = config.redisUrl ? await redisLimiter(config.redisUrl, { clock, log, metrics }) : undefined
  if (shared) undo.push(limited(() => shared.close()))
  const countersFor = worker?.countersFor ?? (() => memoryLimiter(clock))
  const limiter = shared ?? countersFor('changes')
  embedded?.onRestart(() => metrics.databaseRestarts.inc())
  await given.archiver?.start(metrics)
  const replica = config.databaseReplicaUrl
    ? openReplica({
        primary: sql,
        replica: openSql({
          clock,
          connection: connectionOf(config.databaseReplicaUrl),
          maxConnections: connectionsOf(config.workers).main,
          onError,
        }),
        onRead: (by) => metrics.replicaReads.inc({ by }),
      })
    : undefined
  if (replica) {
    undo.push(limited(() => replica.end()))
    await requireSessionsOfReplica(replica.sql)
  }

  const storage = observed(await openStorage(config), metrics)
  undo.push(limited(() => storage.close()))
  const nodeId = worker?.nodeId ?? randomUUID()
  const counting = { limiter, countersFor }
  const base = { config, publicUrl, nodeId, clock, sql, hot, secrets, ...counting, log, metrics, hub }
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
    connection: given.isOwn ? undefined : connection,
    redisUrl: config.redisUrl,
    alone: embedded !== undefined,
    siblings: worker?.siblings,
    listensOn: worker?.name ?? (config.port === 0 ? randomUUID() : `${config.host}:${config.port}`),
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
    isArchiveBehind: () => given.archiver?.isBehind() ?? worker?.isArchiveBehind() ?? false,
    disk,
    tables,
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
  const sweeper = sweepWith(sweeping ? sweeps : [], service, worker)
  undo.push(limited(() => sweeper.stop()))
  processOf.use(service, {
    queues,
    waits,
    walks,
    sweeps: sweeper.states,
    health: async () => ({ ...(await checks()), redis: shared?.isUsable() }),
  })
  const metricsAddress = await serveMetrics(service, { main: sql, messages: hot }, { undo, worker })
  await inTurn(modules, (module) => module.start?.(service))
  if (!worker || worker.number === 1) await waiting.warn()
  // The other nodes get hints about the events of the last requests too.
  undo.push(limited(() => channel.stop()))
  await channel.start()
  signal?.throwIfAborted()
  // Before the pools and the mailer end: open requests still need them.
  undo.push((left) => connections.close(left))
  undo.push(limited(() => channel.closeSockets()))
  undo.push(() => {
    http.drain()
    for (const module of modules) module.drain?.(service)
  })
  server.off('request', answerStarting)
  server.off('upgrade', refuseStarting)
  for (const listener of serving) server.on('request', listener)
  channel.attach(server)
  worker?.serve(server)

  async function drain(): Promise<void> {
    draining = true
    // A client that keeps its connection is told to make another one, which the balancer brings to another node.
    server.prependListener('request', (_request, response) => {
      response.shouldKeepAlive = false
    })
    if (config.drainDelaySeconds > 0) await sleep(config.drainDelaySeconds * 1000)
    worker?.leaves()
    await takeDown(undo, log)
  }
  let stopping: Promise<void> | undefined
  return {
    address: urlOf({ address, port }),
    publicUrl,
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
