// Prometheus metrics on a port of their own (METRICS_PORT), for no one else's eyes.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { collectDefaultMetrics } from 'prom-client'
import { ConfigError } from '../config.ts'
import { turnsOf } from '../http/turns.ts'
import type { Service } from '../service.ts'

/** Serves GET /metrics when METRICS_PORT is set; returns where. */
export async function serveMetrics(service: Service, undo: ((left: number) => unknown)[]): Promise<string | undefined> {
  const { metricsPort: port, metricsHost: host } = service.config
  if (port === undefined) return undefined
  const { registry, databaseConnections, mailQueue, turns } = service.metrics
  collectDefaultMetrics({ register: registry })
  const server = createServer((request, response) => {
    if (request.url !== '/metrics' || request.method !== 'GET') return void response.writeHead(404).end()
    const { pool } = service.sql
    databaseConnections.set({ state: 'open' }, pool.totalCount)
    databaseConnections.set({ state: 'idle' }, pool.idleCount)
    databaseConnections.set({ state: 'waited_for' }, pool.waitingCount)
    for (const [state, count] of Object.entries(turnsOf(service).state())) turns.set({ state }, count)
    service.sql<{ waiting: number }>`select count(*)::int as waiting from mails`
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
