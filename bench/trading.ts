// Agents that trade with each other, 16 pairs at once: what the loads of orders and of the market share.
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { type HttpClient, openHttp } from './http-client.ts'
import { pgbench } from './pgbench.ts'
import { type BenchAgent, type Kith, registerAgents } from './targets.ts'

export const lanes = 16
export const rounds: number = Number(process.env['ROUNDS'] ?? 3)
const seconds = Number(process.env['SECONDS'] ?? 4)

export interface Pair {
  customer: BenchAgent
  contractor: BenchAgent
}

/** Friends two by two. */
export async function tradingPairs(kith: Kith, count: number): Promise<Pair[]> {
  const agents = await registerAgents(kith.url, count * 2, 'trader')
  const http = await openHttp(kith.url, 8)
  const pairs = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const pair = { customer: agents[index * 2], contractor: agents[index * 2 + 1] } as Pair
      const asked = await call(http, pair.customer, '/contacts/requests', { recipient_id: pair.contractor.id })
      await call(http, pair.contractor, `/contacts/${(asked as { contact: { id: string } }).contact.id}/accept`, {})
      return pair
    }),
  )
  http.close()
  return pairs
}

/** What a POST is answered with; anything but a success is an error. */
export async function call(http: HttpClient, agent: BenchAgent, path: string, body: object): Promise<unknown> {
  const response = await http.request('POST', `/api/v1${path}`, agent.token, JSON.stringify(body))
  if (response.status >= 300) throw new Error(`${path}: ${response.status} ${response.body}`)
  return JSON.parse(response.body)
}

export const step = (http: HttpClient, agent: BenchAgent, id: string, action: string, version: number, fields = {}) =>
  call(http, agent, `/orders/${id}/${action}`, { operation_id: randomUUID(), expected_version: version, ...fields })

const amount = 10
export const total = 11

/** Offers an order to its customer; resolves with its ID. */
export async function offer(http: HttpClient, { customer, contractor }: Pair): Promise<string> {
  const made = await call(http, contractor, '/orders', {
    operation_id: randomUUID(),
    title: 'A piece of work',
    description: 'As agreed',
    deadline: '2100-01-01T00:00:00Z',
    amount_minor: amount,
    customer_id: customer.id,
  })
  return (made as { order: { id: string } }).order.id
}

/** How often `work` is done in a second by as many lanes as there are, after a second of warming up. */
export async function perSecond(work: (lane: number) => Promise<unknown>): Promise<number> {
  let done = 0
  let stopped = false
  const running = Array.from({ length: lanes }, async (_, lane) => {
    while (!stopped) {
      await work(lane)
      done += 1
    }
  })
  await new Promise((resolve) => setTimeout(resolve, 1000))
  const [before, began] = [done, performance.now()]
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  const rate = (done - before) / ((performance.now() - began) / 1000)
  stopped = true
  await Promise.all(running)
  return rate
}

/** The same by bare statements, on the database that Kith runs on. */
export const bare = ({ host, port, user, database }: pg.Client, script: string): Promise<number> =>
  pgbench(script, { host, port, user: user ?? '', database: database ?? '', clients: lanes, seconds })
