// Requests byte by byte, for what no client of good manners sends: headers that are there twice, bytes that are no text.
import { connect } from 'node:net'

interface RawAnswer {
  status: number
  /** Status line and headers as they came. */
  head: string
  text: string
}

/** Sends lines as they stand, each character a byte, and takes all that comes until the connection ends. */
export function sendRaw(base: string, lines: readonly string[]): Promise<RawAnswer> {
  const { hostname, port } = new URL(base)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('close', () => {
      const whole = Buffer.concat(chunks).toString('latin1')
      const at = whole.indexOf('\r\n\r\n')
      const head = at < 0 ? whole : whole.slice(0, at)
      const text = at < 0 ? '' : Buffer.from(whole.slice(at + 4), 'latin1').toString()
      resolve({ status: Number(head.split(' ')[1]), head, text })
    })
    socket.end(Buffer.from(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`, 'latin1'))
  })
}
