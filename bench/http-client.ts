// The least HTTP/1.1 client that keeps its connections: the load must not cost more than what it measures.
import { connect, type Socket } from 'node:net'

export interface Response {
  status: number
  body: string
}

export interface HttpClient {
  /** One request at a time on each connection; waits for a free one. */
  request(method: string, path: string, token?: string, body?: string): Promise<Response>
  close(): void
}

interface Slot {
  socket: Socket
  /** Of the request that waits for its response. */
  waits: { resolve: (response: Response) => void; reject: (error: Error) => void } | undefined
  received: Buffer
}

const separator = Buffer.from('\r\n\r\n')

export async function openHttp(url: string, connections: number): Promise<HttpClient> {
  const { hostname, port, host } = new URL(url)
  const free: Slot[] = []
  const waiting: ((slot: Slot) => void)[] = []

  const open = (): Promise<Slot> =>
    new Promise((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true })
      const slot: Slot = { socket, waits: undefined, received: Buffer.alloc(0) }
      const fail = (error: Error): void => {
        reject(error)
        settle(slot)?.reject(error)
      }
      socket.on('data', (bytes) => receive(slot, bytes as Buffer))
      socket.on('error', fail)
      socket.on('close', () => fail(new Error('the connection was closed before the response')))
      socket.on('connect', () => resolve(slot))
    })

  function receive(slot: Slot, bytes: Buffer): void {
    slot.received = slot.received.length === 0 ? bytes : Buffer.concat([slot.received, bytes])
    const head = slot.received.indexOf(separator)
    if (head < 0) return
    const header = slot.received.toString('latin1', 0, head)
    const length = Number(/content-length: (\d+)/i.exec(header)?.[1] ?? 0)
    if (slot.received.length < head + 4 + length) return
    const response = {
      status: Number(header.slice(9, 12)),
      body: slot.received.toString('utf8', head + 4, head + 4 + length),
    }
    settle(slot)?.resolve(response)
  }

  /** Gives a connection to the next request; returns who waited for its response. */
  function settle(slot: Slot): Slot['waits'] {
    const { waits } = slot
    if (!waits) return undefined
    slot.waits = undefined
    slot.received = Buffer.alloc(0)
    handOn(slot)
    return waits
  }

  function handOn(slot: Slot): void {
    const next = waiting.shift()
    if (next) next(slot)
    else free.push(slot)
  }

  free.push(...(await Promise.all(Array.from({ length: connections }, open))))
  const take = async (): Promise<Slot> => {
    const slot = free.pop() ?? (await new Promise<Slot>((resolve) => waiting.push(resolve)))
    // A server closes what is idle for long.
    if (!slot.socket.destroyed) return slot
    return open().catch((error) => {
      handOn(slot)
      throw error
    })
  }
  return {
    async request(method, path, token, body) {
      const slot = await take()
      return new Promise((resolve, reject) => {
        slot.waits = { resolve, reject }
        slot.socket.write(
          `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n${token ? `Authorization: Bearer ${token}\r\n` : ''}` +
            `${body === undefined ? '' : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`}` +
            `\r\n${body ?? ''}`,
        )
      })
    },
    close() {
      for (const slot of free) slot.socket.destroy()
    },
  }
}
