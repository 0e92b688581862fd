// A line for each refused request, so that reports of an X-Request-Id can be answered. A flood of refusals must not
// become a flood of lines: beyond a few per second they are only counted.
import type { FastifyRequest } from 'fastify'
import type { Refusal } from '../kernel/refuse.ts'
import { perService, type Service } from '../service.ts'

/** Lines per second on one node. */
const mostLines = 20

interface Budget {
  second: number
  lines: number
  unlogged: number
}

const budgetOf = perService((): Budget => ({ second: 0, lines: 0, unlogged: 0 }))

/** Logs which request was refused and why: its route, status and code, and nothing that the caller sent. */
export function logRefusal(service: Service, request: FastifyRequest, refusal: Refusal): void {
  const { log } = service
  const second = Math.floor(performance.now() / 1000)
  const budget = budgetOf(service)
  if (budget.second !== second) {
    if (budget.unlogged > 0) log.info({ unlogged: budget.unlogged }, 'more requests were refused')
    Object.assign(budget, { second, lines: 0, unlogged: 0 })
  }
  if (budget.lines >= mostLines) {
    budget.unlogged += 1
    return
  }
  budget.lines += 1
  const { method, id: request_id, routeOptions } = request
  const route = routeOptions.config?.route?.path ?? 'other'
  log.info({ request_id, method, route, status: refusal.status, code: refusal.code }, 'a request was refused')
}
