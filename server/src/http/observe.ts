// What metrics and log record of a response: its route, status and time; nothing of its content.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { perService, type Service } from '../service.ts'
import type { Route } from './route.ts'

declare module 'fastify' {
  interface FastifyRequest {
    startedAt: number
  }
}

const slowMilliseconds = 1000

interface Counted {
  answers: { inc(): void }
  seconds: { observe(value: number): void }
}

/** By method, status and route: to find a counter by its labels takes longer than to count. */
const countersOf = perService(() => new Map<string, Counted>())

/** Counts a response, and logs it if it was slow. */
export function observe(service: Service, request: FastifyRequest, reply: FastifyReply): void {
  const { method } = request
  // By the pattern of the route, never by the path: there are as many labels as routes.
  const served = request.routeOptions.config?.route
  const route = served?.path ?? 'other'
  const status = reply.statusCode
  const milliseconds = performance.now() - request.startedAt
  const counters = countersOf(service)
  const key = `${method} ${status} ${route}`
  let counted = counters.get(key)
  if (!counted) {
    const { requests, requestSeconds } = service.metrics
    counted = { answers: requests.labels({ method, route, status }), seconds: requestSeconds.labels({ method, route }) }
    counters.set(key, counted)
  }
  counted.answers.inc()
  counted.seconds.observe(milliseconds / 1000)
  if (milliseconds > slowMilliseconds && !(served && movesFiles(served))) {
    const facts = { request_id: request.id, route, status, milliseconds: Math.round(milliseconds) }
    service.log.warn(facts, 'a slow response')
  }
}

/** Receives or sends whole files: how long that takes depends on the other side's connection. */
const movesFiles = ({ form, success }: Route): boolean =>
  form !== undefined || Object.values(success).some((schema) => 'x-media-types' in schema)
