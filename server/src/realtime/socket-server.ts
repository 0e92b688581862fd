// ws as the channel uses it: what is refused before a frame is looked at, and by which code. docs/contract/events.md.
import type { Duplex } from 'node:stream'
import { WebSocket, WebSocketServer } from 'ws'
import { seconds } from '../kernel/clock.ts'
import { maxFragments, maxFrame, maxPieces } from './client-frames.ts'

/** A peer that does not read will not answer a close either. (The types of ws lack this option.) */
const closing: object = { closeTimeout: seconds(2) }
/** Options that the types of ws lack. */
const pieces: object = { maxFragments, maxBufferedChunks: maxPieces }

/** The contract has one code for the faults that ws finds in a frame: 1009 is too long, 1008 in too many pieces. */
class ClientSocket extends WebSocket {
  override close(code?: number, reason?: string | Buffer): void {
    const wrongFrame = code === 1002 || code === 1007 || code === 1008 || code === 1009
    super.close(wrongFrame ? 4400 : code, reason)
  }
}

/** As many pongs may wait for a peer that does not read; what pings meanwhile is answered with them (RFC 6455, section 5.5.3). */
const maxPongs = 4096

export function answerPings(socket: WebSocket): void {
  let waiting = 0
  socket.on('ping', (data) => {
    if (waiting >= maxPongs) return
    waiting += 1
    socket.pong(data, false, () => {
      waiting -= 1
    })
  })
}

/** Takes upgrades that were admitted; it listens nowhere. `refuse` answers a broken handshake. */
export function createSocketServer(refuse: (stream: Duplex) => void): WebSocketServer {
  const server = new WebSocketServer({
    noServer: true,
    WebSocket: ClientSocket,
    perMessageDeflate: false,
    maxPayload: maxFrame,
    ...pieces,
    ...closing,
    // It would end a connection without a code at 60 pings in one packet.
    autoPong: false,
    handleProtocols: (protocols) => protocols.values().next().value ?? false,
  })
  server.on('wsClientError', (_error, stream) => refuse(stream))
  return server
}
