// The two loads, the same for every target: sends alone, and sends to the recipient's socket and its acknowledgement.
import { randomBytes, randomUUID } from 'node:crypto'
import { WebSocket } from 'ws'
import { type HttpClient, openHttp } from './http-client.ts'
import { processorTime } from './processor-time.ts'
import { quantile } from './statistics.ts'

/** One sender and one receiver of a target, and how its messages look. */
export interface Pair {
  /** The path and body of a message with this id, and the token to send it with. */
  path: string
  token: string | undefined
  body(id: string, ciphertext: string): string
  socketUrl: string
  socketHeaders: Record<string, string>
  protocols: string[]
  /** The message id that an event frame is about, undefined for other frames. */
  idOf(frame: string): { id: string; eventId: string | number } | undefined
}

export interface Target {
  url: string
  pairs: Pair[]
  /** Its processes, and those of its database unless they are their children. */
  pids: readonly number[]
}

export interface Result {
  perSecond: number
  p50: number
  p95: number
  p99: number
  /** Processor time of the target for each, in microseconds. */
  cost: number
}

/** 1 KiB of plaintext and the 16 bytes of its authenticator. */
const ciphertext = (): string => randomBytes(1040).toString('base64')
const warmUp = 1000

/** A sender and a receiver that are connected. */
export interface Link {
  /** Sends a message with this id; resolves once the service has taken it. */
  send(id: string, text: string): Promise<void>
  /** Called with the ID of each message that the receiver has acknowledged. */
  onArrival: (id: string) => void
  close(): void
}

/** POST → commit → recipient's socket → acknowledgement, `inFlight` at a time for each pair. */
export async function endToEnd(target: Target, pairCount: number, inFlight: number, seconds: number): Promise<Result> {
  const http = await openHttp(target.url, pairCount * inFlight)
  const links: Link[] = []
  for (const pair of target.pairs.slice(0, pairCount)) links.push(await linkOf(http, pair))
  return throughLinks(target.pids, links, inFlight, seconds).finally(() => http.close())
}

async function linkOf(http: HttpClient, pair: Pair): Promise<Link> {
  const socket = new WebSocket(pair.socketUrl, pair.protocols, {
    headers: pair.socketHeaders,
    perMessageDeflate: false,
  })
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  const link: Link = {
    async send(id, text) {
      const response = await http.request('POST', pair.path, pair.token, pair.body(id, text))
      if (response.status !== 201) throw new Error(`${response.status} ${response.body}`)
    },
    onArrival: () => {},
    close: () => socket.terminate(),
  }
  socket.on('message', (data) => {
    const event = pair.idOf(String(data))
    if (!event) return
    socket.send(JSON.stringify({ type: 'ack', event_id: event.eventId }))
    link.onArrival(event.id)
  })
  return link
}

/** From the sender to its answer and the receiver's acknowledgement, `inFlight` at a time for each; closes them at the end. */
export async function throughLinks(
  pids: readonly number[],
  links: readonly Link[],
  inFlight: number,
  seconds: number,
): Promise<Result> {
  const text = ciphertext()
  const latencies: number[] = []
  let counting = false
  let stopped = false
  const work: Promise<void>[] = []
  for (const link of links) {
    const arrivals = new Map<string, () => void>()
    link.onArrival = (id) => arrivals.get(id)?.()
    for (let lane = 0; lane < inFlight; lane++) {
      work.push(
        (async () => {
          while (!stopped) {
            const id = randomUUID()
            const began = performance.now()
            const arrived = new Promise<void>((resolve) => arrivals.set(id, resolve))
            await link.send(id, text)
            await arrived
            arrivals.delete(id)
            if (counting) latencies.push(performance.now() - began)
          }
        })(),
      )
    }
  }
  const result = await measure({ pids }, latencies, seconds, (on) => {
    counting = on
  })
  stopped = true
  await Promise.race([Promise.all(work), new Promise((resolve) => setTimeout(resolve, 2000))])
  for (const link of links) link.close()
  return result
}

/** POST → commit → answer, `inFlight` at a time over all pairs. */
export function sendsOnly(target: Target, inFlight: number, seconds: number): Promise<Result> {
  const text = ciphertext()
  return requests(target, inFlight, seconds, async (http, lane) => {
    const pair = target.pairs[lane % target.pairs.length] as Pair
    const response = await http.request('POST', pair.path, pair.token, pair.body(randomUUID(), text))
    if (response.status !== 201) throw new Error(`${response.status} ${response.body}`)
  })
}

/** Requests of any kind, one after the other in each of so many lanes. */
export async function requests(
  target: Pick<Target, 'url' | 'pids'>,
  inFlight: number,
  seconds: number,
  one: (http: HttpClient, lane: number) => Promise<void>,
): Promise<Result> {
  const http = await openHttp(target.url, inFlight)
  const latencies: number[] = []
  let counting = false
  let stopped = false
  const work = Array.from({ length: inFlight }, async (_, lane) => {
    while (!stopped) {
      const began = performance.now()
      await one(http, lane)
      if (counting) latencies.push(performance.now() - began)
    }
  })
  const result = await measure(target, latencies, seconds, (on) => {
    counting = on
  })
  stopped = true
  await Promise.all(work)
  http.close()
  return result
}

async function measure(
  { pids }: Pick<Target, 'pids'>,
  latencies: number[],
  seconds: number,
  count: (on: boolean) => void,
): Promise<Result> {
  await new Promise((resolve) => setTimeout(resolve, warmUp))
  count(true)
  const [began, used] = [performance.now(), processorTime(pids)]
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  count(false)
  const elapsed = (performance.now() - began) / 1000
  return {
    perSecond: latencies.length / elapsed,
    p50: quantile(latencies, 0.5),
    p95: quantile(latencies, 0.95),
    p99: quantile(latencies, 0.99),
    cost: ((processorTime(pids) - used) * 1000) / latencies.length,
  }
}
