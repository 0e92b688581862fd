// Prometheus metrics on a port of their own (METRICS_PORT), for no one else's eyes.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { type Config, ConfigError } from '../config.ts'
import { turnsOf } from '../http/turns.ts'
import { oldestUnanswered } from '../mail/waiting.ts'
import type { Service } from '../service.ts'
import type { Sql } from '../store/sql.ts'
import { freeBytes } from './disk.ts'
import { listenFault } from './listening.ts'
import type { Undo } from './undo.ts'
import type { Worker } from './workers/worker.ts'

/** Serves GET /metrics, of these pools too, when METRICS_PORT is set; returns where. */
export async function serveMetrics(
  service: Service,
  named: Readonly<Record<string, Sql>>,
  { undo, worker }: { undo: Undo[]; worker: Pick<Worker, 'hasMetrics'> | undefined },
): Promise<string | undefined> {
  if (service.config.metricsPort === undefined) return undefined
  const { registry } = service.metrics
  const look = looking(service, named)
  worker?.hasMetrics(async () => {
    await look()
    return registry.getMetricsAsJSON()
  })
  if (worker) return undefined
  return openMetrics(service.config, undo, async () => {
    await look()
    return registry.metrics()
  })
}

/** Returns a function that sets what is known only by looking. */
function looking(service: Service, named: Readonly<Record<string, Sql>>): () => Promise<void> {
  const { registry, databaseConnections, databasePoolSize, turns } = service.metrics
  const pools = Object.entries(named).map(([name, { pool, maxConnections }]) => ({ name, pool, maxConnections }))
  for (const { name, maxConnections } of pools) databasePoolSize.set({ pool: name }, maxConnections)
  collectDefaultMetrics({ register: registry })
  return async () => {
    for (const { name, pool } of pools) {
      const { totalCount, idleCount, waitingCount } = pool
      databaseConnections.set({ pool: name, state: 'used' }, totalCount - idleCount)
      databaseConnections.set({ pool: name, state: 'idle' }, idleCount)
      databaseConnections.set({ pool: name, state: 'waiting' }, waitingCount)
    }
    for (const [state, count] of Object.entries(turnsOf(service).state())) turns.set({ state }, count)
    await refresh(service)
  }
}

/** Serves GET /metrics where METRICS_PORT says; returns where. */
export async function openMetrics(
  { metricsPort: port, metricsHost: host }: Pick<Config, 'metricsPort' | 'metricsHost'>,
  undo: Undo[],
  collect: () => Promise<string>,
): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics' || request.method !== 'GET') return void response.writeHead(404).end()
    collect()
      .then((text) => response.writeHead(200, { 'content-type': Registry.PROMETHEUS_CONTENT_TYPE }).end(text))
      .catch(() => response.writeHead(500).end())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new ConfigError(
          `Cannot listen on ${host}:${port} for metrics: ${listenFault(error, 'METRICS_PORT', 'METRICS_HOST')}`,
        ),
      ),
    )
    server.listen(port, host, resolve)
  })
  undo.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://${host}:${(server.address() as AddressInfo).port}/metrics`
}

/** Reads what is known only by asking; what cannot be asked keeps its last figure. */
async function refresh({ sql, clock, config, metrics }: Service): Promise<void> {
  const { mailQueue, oldestMail, diskFree, replicationLag, tableBytes, tableRows } = metrics
  const mails = async (): Promise<void> => {
    const [row] = await sql<{ waiting: number }>`
      select count(*)::int as waiting from (select from mails limit 100000) as waiting`
    mailQueue.set(row?.waiting ?? 0)
    const oldest = await oldestUnanswered(sql)
    oldestMail.set(oldest ? Math.max(0, clock.now().getTime() - oldest.getTime()) / 1000 : 0)
  }
  const disks = async (): Promise<void> => {
    const folders = { data: config.dataDir, ...(config.storage.kind === 'file' && { files: config.storage.folder }) }
    for (const [of, folder] of Object.entries(folders)) {
      const bytes = await freeBytes(folder)
      if (bytes !== undefined) diskFree.set({ of }, bytes)
    }
  }
  const replicas = async (): Promise<void> => {
    // Without pg_monitor a role sees that there is a replica, and nothing about it.
    const rows = await sql<{ replica: string; seconds: number }>`
      select concat_ws(' ', application_name, client_addr) as replica,
        coalesce(extract(epoch from replay_lag), 0)::float8 as seconds
      from pg_stat_replication where state in ('streaming', 'catchup') limit 100`
    replicationLag.reset()
    for (const { replica, seconds } of rows) replicationLag.set({ replica }, seconds)
  }
  const tables = async (): Promise<void> => {
    // Partitions count for their table.
    const rows = await sql<{ table: string; bytes: number; live: number; dead: number }>`
      select coalesce(p.relname, s.relname) as table, sum(pg_total_relation_size(s.relid))::bigint as bytes,
        sum(s.n_live_tup)::bigint as live, sum(s.n_dead_tup)::bigint as dead
      from pg_stat_user_tables s left join pg_inherits i on i.inhrelid = s.relid left join pg_class p on p.oid = i.inhparent
      where s.schemaname = current_schema() and s.n_live_tup + s.n_dead_tup > 1000 group by 1 limit 500`
    tableBytes.reset()
    tableRows.reset()
    for (const { table, bytes, live, dead } of rows) {
      tableBytes.set({ table }, bytes)
      tableRows.set({ table, state: 'live' }, live)
      tableRows.set({ table, state: 'dead' }, dead)
    }
  }
  await Promise.allSettled([mails(), disks(), replicas(), tables()])
}
