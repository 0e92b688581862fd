// The processes under load, each a child of its own: Kith as it is started for real, the floor, and their databases.
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type EmbeddedPostgres, startEmbedded } from '../server/src/embedded/embedded.ts'
import { cleanEnv, dataFolder, type Program, serve, shippedFlags, startProgram } from '../server/test/launch.ts'
import { type HttpClient, openHttp } from './http-client.ts'
import type { Pair, Target } from './load.ts'

export interface Kith {
  url: string
  pid: number
  dataDir: string
  /** Milliseconds from the spawn to the line that says it is ready. */
  readyAfter: number
  /** Ends the process as an operator would; `kill` as a power cut would. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>
  remove(): Promise<void>
}

/** `npm start`, without npm: the same program and flags, but no limits for the load, and the settings given here. */
export async function startKith(dataDir?: string, settings: Record<string, string> = {}): Promise<Kith> {
  const folder = dataDir ?? (await dataFolder({ prefix: 'kith-bench-' })).dataDir
  const began = performance.now()
  const env = { LOG_LEVEL: 'error', ...settings }
  const { url, pid, stop } = await serve(folder, { flags: shippedFlags, env })
  return {
    url,
    pid,
    dataDir: folder,
    readyAfter: performance.now() - began,
    stop: (signal) => stop(signal).then(() => {}),
    remove: () => rm(dirname(folder), { recursive: true, force: true }),
  }
}

export interface BenchAgent {
  id: string
  token: string
  publicKey: string
}

export async function registerAgents(url: string, count: number, prefix: string): Promise<BenchAgent[]> {
  const http = await openHttp(url, 8)
  const agents = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const { publicKey } = generateKeyPairSync('x25519')
      const key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64')
      const body = { handle: `${prefix}${index}`, display_name: `Agent ${index}`, encryption_public_key: key }
      const response = await http.request('POST', '/api/v1/bots/register', undefined, JSON.stringify(body))
      const grant = JSON.parse(response.body) as { bot: { id: string }; token: string }
      return { id: grant.bot.id, token: grant.token, publicKey: key }
    }),
  )
  http.close()
  return agents
}

/** Friends two by two: the first sends, the second receives. */
export async function kithTarget({ url, pid }: Kith, pairCount: number): Promise<Target> {
  const agents = await registerAgents(url, pairCount * 2, `b${randomBytes(3).toString('hex')}`)
  const http = await openHttp(url, 8)
  const pairs = await Promise.all(
    Array.from({ length: pairCount }, async (_, index): Promise<Pair> => {
      const [sender, receiver] = [agents[index * 2], agents[index * 2 + 1]] as [BenchAgent, BenchAgent]
      const asked = await http.request(
        'POST',
        '/api/v1/contacts/requests',
        sender.token,
        JSON.stringify({ recipient_id: receiver.id }),
      )
      const contact = (JSON.parse(asked.body) as { contact: { id: string } }).contact.id
      await http.request('POST', `/api/v1/contacts/${contact}/accept`, receiver.token)
      return {
        path: '/api/v1/messages',
        token: sender.token,
        body: (id, ciphertext) =>
          `{"recipient_id":"${receiver.id}","client_message_id":"${id}","nonce":"${randomBytes(24).toString('base64')}",` +
          `"ciphertext":"${ciphertext}","encryption_version":"box-v1","sender_public_key":"${sender.publicKey}",` +
          `"recipient_public_key":"${receiver.publicKey}"}`,
        socketUrl: `${url.replace('http', 'ws')}/ws/v1/events/`,
        socketHeaders: { authorization: `Bearer ${receiver.token}` },
        protocols: ['platform.events.v10'],
        idOf(frame) {
          if (!frame.includes('"message.created"')) {
            const other = JSON.parse(frame) as { type: string; event_id: string }
            return other.type === 'event' ? { id: '', eventId: other.event_id } : undefined
          }
          const event = JSON.parse(frame) as { event_id: string; payload: { client_message_id: string } }
          return { id: event.payload.client_message_id, eventId: event.event_id }
        },
      }
    }),
  )
  http.close()
  return { url, pairs, pids: [pid] }
}

export interface Floor {
  target: Target
  embedded: EmbeddedPostgres
  stop(): Promise<void>
}

/** The floor on an embedded PostgreSQL with the settings that Kith's has. */
export async function startFloor(pairCount: number): Promise<Floor> {
  const folder = await mkdtemp(join(tmpdir(), 'kith-floor-'))
  const embedded = await startEmbedded({ folder: join(folder, 'postgres'), log: () => {} })
  const [port, program] = await startOther('floor-server.ts', /^(\d+)\n/, JSON.stringify(embedded.connection))
  const url = `http://127.0.0.1:${port}`
  const pairs = Array.from({ length: pairCount }, (_, index): Pair => {
    const [from, to] = [50_000 + index, 100_000 + index]
    return {
      path: '/send',
      token: undefined,
      body: (id, ciphertext) => `{"id":"${id}","from":${from},"to":${to},"body":"${ciphertext}"}`,
      socketUrl: `${url.replace('http', 'ws')}/${to}`,
      socketHeaders: {},
      protocols: [],
      idOf(frame) {
        const event = JSON.parse(frame) as { event_id: number; id: string }
        return { id: event.id, eventId: event.event_id }
      },
    }
  })
  return {
    target: { url, pairs, pids: [program.pid, embedded.pid] },
    embedded,
    async stop() {
      await program.stop()
      await embedded.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Another program of the benchmarks; it is there once its output matches. */
export async function startOther(name: string, pattern: RegExp, ...args: string[]): Promise<[string, Program]> {
  const file = fileURLToPath(new URL(name, import.meta.url))
  const program = startProgram([process.execPath, file, ...args], { env: cleanEnv({}) })
  const [, found] = await program.says(pattern)
  return [found as string, program]
}

export async function residentMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}

/** Makes two agents friends; resolves with the contact's id. */
export async function befriend(http: HttpClient, one: BenchAgent, other: BenchAgent): Promise<string> {
  const body = JSON.stringify({ recipient_id: other.id })
  const asked = await http.request('POST', '/api/v1/contacts/requests', one.token, body)
  const { contact } = JSON.parse(asked.body) as { contact: { id: string } }
  await http.request('POST', `/api/v1/contacts/${contact.id}/accept`, other.token)
  return contact.id
}
