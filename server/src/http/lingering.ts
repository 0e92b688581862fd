// The end of a connection whose client may still be sending. Closed at once, it would answer the next bytes with a reset, and
// the client would lose the response that it has not read yet (RFC 9112, section 9.6).
import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { seconds } from '../kernel/clock.ts'

/** How long a client that has its last response may send nothing, and how long it may go on with a body. */
const silence = seconds(2)
const longest = seconds(20)

/** Sends the last bytes of a connection, and closes it soon, whether its client does or not: else it could keep the socket forever. */
export function endWith(stream: Duplex, bytes: string): void {
  stream.end(bytes)
  destroyAfter(stream, silence)
}

/** Drops the rest of a body behind the last response of its connection, which Node would close as soon as it is sent. */
export function lingerAfter(request: IncomingMessage): void {
  const { socket } = request
  socket.destroySoon = () => {
    if (request.complete) return Socket.prototype.destroySoon.call(socket)
    socket.end()
    socket.setTimeout(silence)
    destroyAfter(socket, longest)
    request.once('end', () => socket.destroy())
  }
}

function destroyAfter(stream: Duplex, time: number): void {
  const late = setTimeout(() => stream.destroy(), time).unref()
  stream.once('close', () => clearTimeout(late))
}
