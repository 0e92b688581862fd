// Requests that no client of good manners sends, byte by byte through a proxy: broken, cut off, or refused before their end.
import tls from 'node:tls'

const head = (line: string, ...headers: string[]): string =>
  `${[`${line} HTTP/1.1`, 'Host: localhost', ...headers].join('\r\n')}\r\n\r\n`

const chunked = 'Transfer-Encoding: chunked'
const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13']
const upload = ['POST /api/v1/attachments', 'Content-Type: multipart/form-data; boundary=x'] as const
const mebibyte = 'x'.repeat(1024 * 1024)

export const rudeRequests: readonly string[] = [
  `${head('POST /api/v1/messages', chunked)}zz\r\n`,
  `${head('GET /api/v1/bots/me', chunked)}zz\r\n`,
  `${head(...upload, chunked)}5\r\nhello\r\n-1\r\n`,
  `${head('POST /api/v1/messages', chunked)}2;${'e'.repeat(30_000)}\r\n{}\r\n0\r\n\r\n`,
  `${head('POST /api/v1/messages', chunked)}2\r\n{}\r\n0\r\nbad trailer\r\n\r\n`,
  // Half a body.
  `${head('POST /api/v1/messages', 'Content-Length: 100')}{"a":`,
  `${head('GET /api/v1/bots/me', 'Content-Length: 100')}aa`,
  `${head(...upload, 'Content-Length: 90000000')}${mebibyte}`,
  // Refused while the client still sends.
  `${head(...upload, 'Authorization: Bearer kith_x', `Content-Length: ${mebibyte.length}`)}${mebibyte}`,
  `${head('POST /api/v1/messages', 'Content-Type: application/json', `Content-Length: ${mebibyte.length}`)}${mebibyte}`,
  // Wrong lengths.
  `${head('POST /api/v1/messages', 'Content-Length: abc')}{}`,
  `${head('POST /api/v1/messages', 'Content-Length: 2', 'Content-Length: 3')}{}`,
  `${head('POST /api/v1/messages', 'Content-Length: 5', chunked)}0\r\n\r\n`,
  `${head('POST /api/v1/messages', 'Content-Length: 2')}{}junk\r\n\r\n`,
  // Upgrades that come to nothing.
  head('GET /ws/v1/events/', ...upgrade, 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='),
  head('GET /ws/v1/events/', ...upgrade, 'Sec-WebSocket-Key: x'),
  head('GET /', ...upgrade),
  // Headers that only the node finds too long, or no HTTP.
  head('GET /', ...[1, 2, 3].map((each) => `X-Long-${each}: ${'a'.repeat(7_000)}`)),
  head('GET /', 'X-Nul: a\0b'),
  head('GET /%zz%ff'),
  'GET /\r\n\r\n',
  // Refused with 503 by a server that sends no email.
  head('GET /sign-in'),
]

/** When the client leaves: once it has an answer, at the end of what it sends, or in the middle of it. */
export const leavings = ['answered', 'ended', 'broken off'] as const

export function sendRudely(
  port: number,
  text: string,
  from: string,
  leaves: (typeof leavings)[number],
  waits = 3_000,
): Promise<void> {
  return new Promise((resolve) => {
    const socket = tls.connect({
      host: '127.0.0.1',
      port,
      servername: 'localhost',
      localAddress: from,
    } as tls.ConnectionOptions)
    socket.on('data', () => leaves === 'answered' && socket.destroy())
    socket.on('error', () => {})
    socket.on('close', () => resolve())
    // Some proxies wait for the rest of half a body.
    socket.setTimeout(waits, () => socket.destroy())
    const bytes = Buffer.from(text, 'latin1')
    if (leaves === 'ended') socket.end(bytes)
    else socket.write(bytes, () => leaves === 'broken off' && socket.destroy())
  })
}
