// Requests that may get no answer: over connections that are kept, so that one that was cut takes what was under way.
import { Agent, request } from 'node:http'

export interface Reply {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: the checker says what it expects of a body by reading it
  body: any
  retryAfter: string | undefined
}

export interface Client {
  /** The answer, or undefined where none came: then nobody knows what became of it. */
  call(url: string, method: string, path: string, token?: string, json?: object): Promise<Reply | undefined>
  close(): void
}

/** For an answer, in milliseconds. */
const longestWait = 15_000

export function openClient(): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  return {
    call: (url, method, path, token, json) =>
      new Promise((resolve) => {
        const body = json === undefined ? undefined : JSON.stringify(json)
        const sent = request(`${url}/api/v1${path}`, {
          method,
          agent,
          timeout: longestWait,
          headers: {
            ...(token !== undefined && { authorization: `Bearer ${token}` }),
            ...(body !== undefined && {
              'content-type': 'application/json',
              'content-length': Buffer.byteLength(body),
            }),
          },
        })
        sent.once('timeout', () => sent.destroy())
        sent.once('error', () => resolve(undefined))
        sent.once('close', () => resolve(undefined))
        sent.once('response', (response) => {
          const pieces: Buffer[] = []
          response.on('data', (piece: Buffer) => pieces.push(piece))
          response.once('error', () => resolve(undefined))
          response.once('end', () => {
            if (!response.complete) return resolve(undefined)
            const text = Buffer.concat(pieces).toString()
            resolve({
              status: response.statusCode as number,
              body: text === '' ? undefined : JSON.parse(text),
              retryAfter: response.headers['retry-after'],
            })
          })
        })
        sent.end(body)
      }),
    close: () => agent.destroy(),
  }
}
