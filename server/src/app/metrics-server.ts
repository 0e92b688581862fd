// Prometheus metrics on a port of their own (METRICS_PORT), for no one else's eyes.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { collectDefaultMetrics } from 'prom-client'
import { ConfigError } from '../config.ts'
import { turnsOf } from '../http/turns.ts'
import type { Service } from '../service.ts'
import type { Sql } from '../store/sql.ts'

/** Serves GET /metrics, of these pools too, when METRICS_PORT is set; returns where. */
export async function serveMetrics(
  service: Service,
  named: Readonly<Record<string, Sql>>,
  undo: ((left: number) => unknown)[],
): Promise<string | undefined> {
  const { metricsPort: port, metricsHost: host } = service.config
  if (port === undefined) return undefined
  const { registry, databaseConnections, databasePoolSize, mailQueue, turns } = service.metrics
  const pools = Object.entries(named).map(([name, { pool }]) => ({ name, pool }))
  for (const { name, pool } of pools) databasePoolSize.set({ pool: name }, pool.options.max)
  collectDefaultMetrics({ register: registry })
  const server = createServer((request, response) => {
    if (request.url !== '/metrics' || request.method !== 'GET') return void response.writeHead(404).end()
    for (const { name, pool } of pools) {
      const { totalCount, idleCount, waitingCount } = pool
      databaseConnections.set({ pool: name, state: 'used' }, totalCount - idleCount)
      databaseConnections.set({ pool: name, state: 'idle' }, idleCount)
      databaseConnections.set({ pool: name, state: 'waiting' }, waitingCount)
    }
    for (const [state, count] of Object.entries(turnsOf(service).state())) turns.set({ state }, count)
    service.sql<{ waiting: number }>`
      select count(*)::int as waiting from (select from mails limit 100000) as waiting`
      .then(([row]) => mailQueue.set(row?.waiting ?? 0))
      .catch(() => {})
      .then(() => registry.metrics())
      .then((text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text))
      .catch(() => response.writeHead(500).end())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new ConfigError(`Cannot listen on ${host}:${port} for metrics: ${error.code}`)),
    )
    server.listen(port, host, resolve)
  })
  undo.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://${host}:${(server.address() as AddressInfo).port}/metrics`
}
