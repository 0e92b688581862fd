// Requests that may get no answer: over connections that are kept, so that one that was cut takes what was under way.
import { Agent, request } from 'node:http'

/** What a request carries to say whose it is. */
export type Credentials = Readonly<Record<string, string>>

export interface Reply {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: the checker says what it expects of a body by reading it
  body: any
  retryAfter: string | undefined
  /** Name and value of the cookie that it sets. */
  cookie: string | undefined
}

export interface Client {
  /** How many requests were answered, with 503 and otherwise, and how many were not. */
  readonly answers: Readonly<Record<'answered' | '503' | 'no answer', number>>
  /** The answer, or undefined if none came: then the outcome is unknown. */
  call(url: string, method: string, path: string, credentials?: Credentials, json?: object): Promise<Reply | undefined>
  close(): void
}

/** For an answer, in milliseconds: the service says 503 once a database has been silent for 18 s. */
const longestWait = 30_000

/** Hears of each answer, as it was sent. */
export type Reader = (path: string, text: string) => void

export function openClient(reader: Reader): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const answers = { answered: 0, '503': 0, 'no answer': 0 }
  return {
    answers,
    call: (url, method, path, credentials, json) =>
      new Promise<Reply | undefined>((resolve) => {
        const body = json === undefined ? undefined : JSON.stringify(json)
        const sent = request(`${url}/api/v1${path}`, {
          method,
          agent,
          timeout: longestWait,
          headers: {
            ...credentials,
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
            reader(path, text)
            resolve({
              status: response.statusCode as number,
              body: text === '' ? undefined : JSON.parse(text),
              retryAfter: response.headers['retry-after'],
              cookie: response.headers['set-cookie']?.[0]?.split(';')[0],
            })
          })
        })
        sent.end(body)
      }).then((reply) => {
        answers[!reply ? 'no answer' : reply.status === 503 ? '503' : 'answered'] += 1
        return reply
      }),
    close: () => agent.destroy(),
  }
}
