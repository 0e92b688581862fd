// The event channel of the stand-in: what the service promises of it, and the ways it can fail.
import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'
import type { KithEvent } from '../src/types.ts'

interface StandinSocket {
  /** Not acknowledged yet, oldest first; delivered on every connection. */
  events: KithEvent[]
  /** Acknowledgements as they came. */
  acks: string[]
  connections: number
  /** Authorization and subprotocol of each handshake. */
  handshakes: { authorization: string | undefined; protocol: string | undefined; url: string | undefined }[]
  open: Set<WebSocket>
  /** Answer the next handshakes with these instead; `isForeign`: as something in between does. */
  refuse: { status: number; isForeign?: boolean; headers?: Record<string, string> }[]
  /** Close the next connections with these codes as soon as they are open. */
  closeWith: number[]
  /** Take acknowledgements without answering them, and forget them: as if the connection had broken before. */
  deaf: boolean
  emit(event: KithEvent): void
}

export function attachSocket(server: Server, tokens?: Map<string, string>): StandinSocket {
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: (set) => [...set][0] ?? false })
  const self: StandinSocket = {
    events: [],
    acks: [],
    connections: 0,
    handshakes: [],
    open: new Set(),
    refuse: [],
    closeWith: [],
    deaf: false,
    emit(event) {
      self.events.push(event)
      for (const socket of self.open) socket.send(JSON.stringify({ type: 'event', ...event }))
    },
  }
  server.on('upgrade', (request, stream, head) => {
    const refusal = self.refuse.shift()
    self.handshakes.push({
      authorization: request.headers.authorization,
      protocol: request.headers['sec-websocket-protocol'],
      url: request.url,
    })
    if (refusal) {
      const named = { ...(!refusal.isForeign && { 'x-request-id': randomUUID() }), ...refusal.headers }
      const headers = Object.entries(named).map(([name, value]) => `${name}: ${value}\r\n`)
      return void stream.end(
        `HTTP/1.1 ${refusal.status} No\r\n${headers.join('')}content-length: 0\r\nconnection: close\r\n\r\n`,
      )
    }
    sockets.handleUpgrade(request, stream, head, (socket) => {
      self.connections++
      const token = request.headers.authorization?.replace('Bearer ', '') ?? ''
      if (tokens && !tokens.has(token)) return socket.close(4401)
      const close = self.closeWith.shift()
      if (close !== undefined) return close === 1006 ? socket.terminate() : socket.close(close)
      self.open.add(socket)
      socket.on('close', () => self.open.delete(socket))
      socket.on('message', (data) => {
        const { type, event_id } = JSON.parse(data.toString())
        if (type !== 'ack') return socket.close(4400)
        self.acks.push(event_id)
        if (self.deaf) return
        self.events = self.events.filter((event) => event.event_id !== event_id)
        socket.send(JSON.stringify({ type: 'acked', event_id }))
      })
      for (const event of self.events) socket.send(JSON.stringify({ type: 'event', ...event }))
    })
  })
  return self
}
