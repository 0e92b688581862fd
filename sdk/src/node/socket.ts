// The event channel's WebSocket on `ws`, for browsers cannot send an Authorization header.
import WebSocket from 'ws'
import { seconds } from '../http.ts'
import type { Connect, End } from '../receiver.ts'

/** Events have up to 65536 bytes (docs/contract/events.md#limits); the frame around one is little more. */
const maxFrameBytes = 128 * 1024
const handshakeMs = 15_000

/** Opens one connection, answers pings, and ends it when the service is silent for `silenceMs`. */
export const connectSocket: Connect = (target, on) => {
  const socket = new WebSocket(target.url, target.protocol === undefined ? [] : [target.protocol], {
    headers: { authorization: `Bearer ${target.token}` },
    handshakeTimeout: handshakeMs,
    maxPayload: maxFrameBytes,
    perMessageDeflate: false,
    followRedirects: false,
  })
  let ended = false
  let silence: NodeJS.Timeout | undefined
  let verdict: NodeJS.Immediate | undefined
  const listening = () => {
    clearTimeout(silence)
    clearImmediate(verdict)
  }
  const alive = () => {
    listening()
    silence = setTimeout(() => {
      // After a turn of the loop, because a process that was blocked has not read what arrived meanwhile.
      verdict = setImmediate(() => socket.terminate())
    }, target.silenceMs)
  }
  const end = (how: End) => {
    if (ended) return
    ended = true
    listening()
    on.end(how)
  }
  socket.on('open', () => {
    alive()
    on.open()
  })
  socket.on('ping', alive)
  socket.on('message', (data, isBinary) => {
    alive()
    if (!ended && !isBinary) on.frame(data.toString())
  })
  socket.on('unexpected-response', (request, response) => {
    const { 'x-request-id': requestId, 'retry-after': retryAfter } = response.headers
    const status = response.statusCode ?? 0
    end({ kind: 'refused', status, isForeign: requestId === undefined, retryAfter: seconds(retryAfter) })
    response.resume()
    request.destroy()
  })
  socket.on('error', (cause) => end({ kind: 'failed', cause }))
  socket.on('close', (code, reason) => end({ kind: 'closed', code, reason: reason.toString() }))
  return {
    send: (frame) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(frame)
    },
    close: () => {
      socket.close(1000)
      // A service that does not close its side must not keep this process.
      setTimeout(() => socket.terminate(), 1_000).unref()
    },
  }
}
