// The port: taken before anything else is done, so that a start that cannot have it leaves nothing behind.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Server as NetServer, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Config, ConfigError } from '../config.ts'
import { answerHeaders } from '../http/answer-headers.ts'
import { bareAnswer } from '../http/bare-answer.ts'
import { envelope } from '../http/errors.ts'
import { endWith } from '../http/lingering.ts'
import { Refusal } from '../kernel/refuse.ts'
import { afterRequests } from './undo.ts'

export function listen(server: NetServer, config: Pick<Config, 'host' | 'port'>): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new ConfigError(`Cannot listen on ${config.host}:${config.port}: ${listenFault(error, 'PORT', 'HOST')}`)),
    )
    server.listen(config.port, config.host, resolve)
  })
}

export const urlOf = ({ address, port }: Pick<AddressInfo, 'address' | 'port'>): string =>
  `http://${address.includes(':') ? `[${address}]` : address}:${port}`

/** Why, and the setting that changes it. */
export function listenFault({ code, message }: NodeJS.ErrnoException, port: string, host: string): string {
  if (code === 'EADDRINUSE') return `another program is listening there (set ${port})`
  if (code === 'EACCES') return `this user may not use that port (set ${port})`
  if (code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL') return `this machine has no such address (set ${host})`
  return code ?? message
}

export function answerStarting(request: IncomingMessage, response: ServerResponse): void {
  const refusal = new Refusal('service_unavailable', { message: 'The service is starting' })
  const [status, body] =
    request.url === '/health/live'
      ? [200, { status: 'live' }]
      : [503, request.url === '/health/ready' ? { status: 'not_ready', failing: 'start' } : envelope(refusal)]
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': randomUUID(),
    ...answerHeaders(),
  }
  response.writeHead(status as number, { ...headers, ...(status === 503 && { 'retry-after': '1' }) })
  response.end(JSON.stringify(body))
}

export function refuseStarting(_request: IncomingMessage, stream: Duplex): void {
  const refusal = new Refusal('service_unavailable', { retryAfter: 2, message: 'The service is starting' })
  stream.on('error', () => stream.destroy())
  endWith(stream, bareAnswer(refusal, randomUUID()))
}

/** The connections of a server that is to close once they have ended. */
export interface Connections {
  /** Lets open requests finish, as long as there is time. */
  close(left: number): Promise<void>
}

export function watchConnections(server: Server): Connections {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  /** Closes those without a request; before Node 26 the server itself leaves those on which nothing came yet. */
  const closeIdle = (): void => {
    server.closeIdleConnections()
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
  }
  return {
    async close(left) {
      const hurry = setTimeout(() => server.closeAllConnections(), Math.max(0, left - afterRequests))
      // A connection that is kept alive is idle only once its last answer is out.
      const idle = setInterval(closeIdle, 50)
      // The server of a worker, which does not listen, has closed at once.
      await new Promise((resolve) => server.close(resolve))
      while (open.size > 0) await sleep(10)
      clearInterval(idle)
      clearTimeout(hurry)
    },
  }
}
