// Requests that Node could not parse, or did not get in time, never become requests: they are answered on the bare
// socket.
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { newId } from '../kernel/clock.ts'
import { type Code, Refusal } from '../kernel/refuse.ts'
import type { Service } from '../service.ts'
import { answerHeaders } from './answer-headers.ts'
import { envelope } from './errors.ts'
import { endWith } from './lingering.ts'

const codes: Readonly<Record<string, Code>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'payload_too_large',
}

const answered = new WeakSet<Socket>()

/** Answers a connection that Node's parser gave up on, and closes it. */
export function answerBroken(service: Service, error: Error & { code?: string }, socket: Socket): void {
  // After the first fault on a connection, the rest means nothing.
  if (answered.has(socket)) return
  answered.add(socket)
  const arriving = arrivingOn(socket)
  const code = codes[error.code ?? ''] ?? 'invalid_input'
  const refusal = new Refusal(code, code === 'invalid_input' ? { message: 'Malformed HTTP request' } : {})
  const end = (): void => {
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
    const open = openResponse(socket)
    // Half a response is on its way: anything written now would be read as its rest.
    if (open?.headersSent) return void socket.destroy()
    // The fault came after a complete request: its response goes first, or this one would be taken for it.
    if (open?.req.complete) return void open.once('close', () => setImmediate(end))
    // This request already has its response, such as a 401: a second one would be taken for that of the next request.
    if (!open && arriving && !arriving.complete) return void socket.destroy()
    service.metrics.refusals.inc({ code })
    endWith(socket, bareAnswer(refusal, newId(service.clock.now()), service.publicUrl))
  }
  end()
}

/** Answers CONNECT, which asks a proxy for a tunnel: without an answer, a client with this server as its proxy learns nothing. */
export function refuseTunnel(service: Service, socket: Socket): void {
  socket.on('error', () => socket.destroy())
  // The responses to earlier requests of the connection would come in the middle of this one.
  if (openResponse(socket)) return void socket.destroy()
  const refusal = new Refusal('invalid_input', { message: 'This server is not a proxy: it does not take CONNECT' })
  service.metrics.refusals.inc({ code: refusal.code })
  endWith(socket, bareAnswer(refusal, newId(service.clock.now()), service.publicUrl))
}

/** What Node has of a socket; its types leave it out. */
interface Parsed {
  _httpMessage?: (ServerResponse & { req: IncomingMessage }) | null
  parser?: { incoming: IncomingMessage | null } | null
}

/** The first response of a connection that is not sent yet. */
export const openResponse = (socket: Socket) => (socket as Parsed)._httpMessage

/** The last request whose head has arrived. */
const arrivingOn = (socket: Socket) => (socket as Parsed).parser?.incoming

/**
 * A refusal as the bytes of a complete HTTP response, for code with only a socket; without an address while that is
 * unknown.
 */
export function bareAnswer(refusal: Refusal, requestId: string, publicUrl = ''): string {
  const body = JSON.stringify(envelope(refusal))
  const { retryAfter, headers: own = {} } = refusal.extras
  const headers = [
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries(answerHeaders(publicUrl)).map(([name, value]) => `${name}: ${value}`),
    `X-Request-Id: ${requestId}`,
    ...Object.entries(own).map(([name, value]) => `${name}: ${value}`),
    ...(retryAfter === undefined ? [] : [`Retry-After: ${retryAfter}`]),
    'Connection: close',
  ]
  return `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${headers.join('\r\n')}\r\n\r\n${body}`
}
