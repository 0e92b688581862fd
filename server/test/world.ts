// A world for a story: a real service on a real database with its own clock, and agents with names in it. Every answer
// is held against the contract of its route.
import assert from 'node:assert/strict'
import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { Agent as Connections, type IncomingMessage, request as send } from 'node:http'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Logger } from 'pino'
import { WebSocket } from 'ws'
import { routes, walks } from '../src/app/modules.ts'
import { type Running, start } from '../src/app/start.ts'
import { readConfig } from '../src/config.ts'
import { type EventKind, eventKinds } from '../src/events/kinds.ts'
import { systemClock } from '../src/kernel/clock.ts'
import { ErrorEnvelope } from '../src/kernel/schema.ts'
import { createLog } from '../src/log.ts'
import { type Mail, mailsIn } from '../src/mail/read.ts'
import type { HiddenKind } from '../src/modules/moderation/hidden.ts'
import { unhide } from '../src/modules/staff/hiding.ts'
import type { Answer as Said } from '../src/operator/command.ts'
import type { Service } from '../src/service.ts'
import { mayTakeLong } from '../src/store/deadlines.ts'
import { openSql, type Sql } from '../src/store/sql.ts'
import { verify } from '../src/verify/verify.ts'
import { type Browsing, human, operator, staff, visitor } from './actors.ts'
import { conforms } from './conforms.ts'
import { freshDatabase } from './database.ts'
import { eventually } from './eventually.ts'
import { openDoors } from './launch.ts'
import { assertPosts } from './posts.ts'
import { remove, scratchPlace } from './scratch.ts'
import { recordStatements } from './statements.ts'
import { assertTasks } from './tasks.ts'
import { assertUsageAddsUp } from './usage.ts'

export { eventually }

recordStatements()

export interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a body by reading it
  body: any
  headers: Headers
}

export interface WorldOptions {
  /** Settings over those of a test: the gate off, no limits. */
  env?: Record<string, string>
  /** Another database than a fresh one, to run a second node or to start again. */
  databaseUrl?: string
  dataDir?: string
  /** How far the clock is from the machine's at the start. */
  offset?: number
  /** Where it logs, for a story about that. */
  log?: Logger
  /** Whether sweeps run by themselves; a story that runs one itself would not see what another holds or has done. */
  sweeping?: boolean
}

export interface World {
  url: string
  running: Running
  service: Service
  sql: Sql
  databaseUrl: string
  mailDir: string
  dataDir: string
  /** The last warnings in the service's log. */
  readonly warnings: readonly string[]
  /** Moves the service's clock. */
  travel(milliseconds: number): void
  now(): Date
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>
  agent(handle: string, fields?: Record<string, unknown>, keys?: ReturnType<typeof keyPair>): Promise<Agent>
  /** Registers by the whole way of the gate: email, page, code, proof. */
  agentWithEmail(handle: string, email: string, fields?: Record<string, unknown>): Promise<Agent>
  friends(one: string, two: string): Promise<[Agent, Agent, string]>
  /** A customer with a session in a browser. */
  human(name: string): Promise<Browsing>
  /** A visitor of the site with its cookie. */
  visitor(): Promise<Browsing>
  /** An agent with every role of staff. */
  staff(handle: string): Promise<Agent>
  /** Says words of the operator's command; refusals are thrown. */
  operator(...words: string[]): Promise<Said>
  mails(to?: string): Promise<Mail[]>
  /** A second node on the same database. */
  node(env?: Record<string, string>): Promise<World>
  /** Asserts what must hold at the end of every story, then stops the service and drops the database. */
  close(): Promise<void>
  /** Stops the service and drops the database without those assertions, for rows that were planted in bulk. */
  drop(): Promise<void>
}

export interface RequestOptions {
  token?: string | undefined
  json?: unknown
  /** A body that is not valid JSON. */
  raw?: string | Buffer
  headers?: Record<string, string>
}

export interface Agent {
  id: string
  handle: string
  token: string
  publicKey: string
  privateKey: string
  // biome-ignore lint/suspicious/noExplicitAny: as in Answer
  bot: any
  get(path: string): Promise<Answer>
  post(path: string, json?: unknown): Promise<Answer>
  patch(path: string, json: unknown): Promise<Answer>
  /** An envelope with a random nonce and ciphertext. */
  envelope(to: Agent, fields?: Record<string, unknown>): Record<string, unknown>
  send(to: Agent, fields?: Record<string, unknown>): Promise<Answer>
  events(version?: number, at?: World): Promise<EventSocket>
}

export async function world(options: WorldOptions = {}): Promise<World> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(scratchPlace(), 'kith-world-')))
  const database = options.databaseUrl ? { url: options.databaseUrl, drop: async () => {} } : await freshDatabase()
  let offset = options.offset ?? 0
  const clock = { now: () => new Date(Date.now() + offset) }
  const env = {
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    SECRET_KEY: 'a secret key for tests, of enough characters',
    ...openDoors,
    LOG_LEVEL: process.env['KITH_TEST_LOG'] ?? 'warn',
    ...options.env,
  }
  const warnings: string[] = []
  const note = (line: string): unknown => warnings.push(line.trim()) > 10 && warnings.shift()
  const quiet = { format: 'json', to: { write: note } } as const
  const log = options.log ?? createLog(env.LOG_LEVEL, process.env['KITH_TEST_LOG'] === undefined ? quiet : {})
  const running = await start(readConfig(env), { clock, log, sweeping: options.sweeping ?? false })
  const sql = patientSql(database.url)
  const mailDir = join(dataDir, 'mail')
  const nodes: World[] = []
  // On a connection that is new to the tables, checking them takes PostgreSQL three times as long.
  const warm = (): Sql => [sql, running.service.sql].find(({ pool }) => pool.idleCount > 0) ?? sql

  const self: World = {
    url: running.address,
    running,
    service: running.service,
    sql,
    databaseUrl: database.url,
    mailDir,
    dataDir,
    travel(milliseconds) {
      offset += milliseconds
      for (const node of nodes) node.travel(milliseconds)
    },
    now: () => clock.now(),
    warnings,
    request: (method, path, requestOptions) => request(running.address, method, path, requestOptions),
    async agent(handle, fields = {}, keys = keyPair()) {
      const answer = await self.request('POST', '/bots/register', {
        json: { handle, display_name: handle, encryption_public_key: keys.publicKey, ...fields },
      })
      assert.equal(answer.status, 201, JSON.stringify(answer.body))
      return agentOf(self, keys, answer.body)
    },
    async agentWithEmail(handle, email, fields = {}) {
      const keys = keyPair()
      const proof = await prove(self, { handle, email, encryption_public_key: keys.publicKey })
      return self.agent(handle, { ...proof, ...fields }, keys)
    },
    async friends(one, two) {
      const [a, b] = [await self.agent(one), await self.agent(two)]
      const contactId = await befriend(a, b)
      return [a, b, contactId]
    },
    human: (name) => human(self, name),
    visitor: () => visitor(self),
    staff: (handle) => staff(self, handle),
    operator: (...words) => operator(self, ...words),
    mails: (to) => mailsIn(mailDir, to),
    async node(extra = {}) {
      const env = { ...options.env, ...extra }
      const node = await world({ ...options, env, databaseUrl: database.url, dataDir, offset })
      nodes.push(node)
      return node
    },
    async close() {
      try {
        await showHidden(warm())
        await assertInvariants(warm())
      } finally {
        // A story that failed must not leave a service behind that keeps the test process alive.
        await self.drop()
      }
    },
    async drop() {
      for (const node of nodes) await node.drop()
      await running.stop()
      await sql.end()
      await database.drop()
      if (!options.dataDir) await remove(dataDir)
    },
  }
  return self
}

/** A world for one test. */
export async function worldFor(t: Pick<TestContext, 'after'>, options?: WorldOptions): Promise<World> {
  const made = await world(options)
  t.after(() => made.close())
  return made
}

/** The story's own connections: what plants thousands of rows on a busy machine takes longer than a request may. */
function patientSql(connectionString: string): Sql {
  const sql = openSql({ clock: systemClock, connection: { connectionString }, maxConnections: 3 })
  const { options } = sql.pool
  const { verify } = options
  options.verify = (client, done) => {
    mayTakeLong(client)
    verify?.(client, (error) => (error ? done(error) : void client.query('set statement_timeout = 0', done)))
  }
  return sql
}

/** Shows again what a story hid by itself, and no case did. */
async function showHidden(sql: Sql): Promise<void> {
  const hidden = await sql<{ kind: HiddenKind; id: string }>`
    select kind, id from hidden h where not exists (
      select 1 from moderation_cases c where c.subject_kind = h.kind and c.subject_id = h.id)`
  for (const { kind, id } of hidden) await sql.transaction((tx) => unhide(tx, kind, id))
}

/**
 * The ledger is what its entries say, and so are balances and orders; every open profile is counted. `aside` names a check that
 * the story breaks on purpose at this moment.
 */
export async function assertInvariants(sql: Sql, aside?: string): Promise<void> {
  const found = (await verify(sql, walks)).examples.filter(({ check }) => check !== aside)
  assert.deepEqual(found, [], 'the ledger and what rests on it are what the entries say')
  const [counted] = await sql<{ counted: number; open: number }>`
    select (select coalesce(sum(value), 0)::int from counters where name = 'open_agents') as counted,
      (select count(*)::int from agents a where profile_public and suspended_at is null
        and not exists (select 1 from hidden where kind = 'profile' and hidden.id = a.id)) as open`
  assert.equal(counted?.counted, counted?.open, 'the counter of open agents')
  await assertPosts(sql)
  await assertTasks(sql)
  await assertUsageAddsUp(sql)
}

export function keyPair(): { publicKey: string; privateKey: string } {
  const { privateKey } = generateKeyPairSync('x25519')
  const raw = (der: Buffer): string => der.subarray(-32).toString('base64')
  return {
    publicKey: raw(createPublicKey(privateKey).export({ format: 'der', type: 'spki' })),
    privateKey: raw(
      createPrivateKey(privateKey.export({ format: 'pem', type: 'pkcs8' })).export({ format: 'der', type: 'pkcs8' }),
    ),
  }
}

const patterns = Map.groupBy(
  routes.map((route) => ({ route, pattern: new RegExp(`^${route.path.replace(/\{\w+\}/g, '[^/]+')}$`) })),
  ({ route }) => route.method as string,
)

const connections = new Connections({ keepAlive: true })

export async function request(
  base: string,
  method: string,
  path: string,
  { token, json, raw, headers = {} }: RequestOptions = {},
): Promise<Answer> {
  const body = raw ?? (json === undefined ? undefined : JSON.stringify(json))
  // A story waits for the service; fetch would take as long again.
  const sent = send(`${base}${path.startsWith('/') && !path.startsWith('//') ? `/api/v1${path}` : path}`, {
    agent: connections,
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      ...headers,
    },
  })
  sent.end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const text = Buffer.concat(await response.toArray()).toString()
  const isJson = response.headers['content-type']?.startsWith('application/json')
  const answer = {
    status: response.statusCode as number,
    body: isJson && text !== '' ? JSON.parse(text) : undefined,
    headers: new Headers(
      Object.entries(response.headersDistinct).flatMap(([name, values = []]) =>
        values.map((value) => [name, value] as [string, string]),
      ),
    ),
  }
  holdAgainstContract(method, path, answer)
  return answer
}

/** An answer that the route's contract does not know fails the test that got it. */
function holdAgainstContract(method: string, asked: string, answer: Answer): void {
  const path = asked.split('?', 1)[0] as string
  assert.match(answer.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/, 'every answer carries X-Request-Id')
  if (answer.status >= 400) {
    assert.deepEqual(conforms(ErrorEnvelope, answer.body), [], 'the envelope of errors')
    return
  }
  const found = (patterns.get(method) ?? []).filter(({ pattern }) => pattern.test(path))
  const route = (found.find(({ route }) => route.path === path) ?? found[0])?.route
  if (!route) return
  const isBrief = /[?&]view=brief$/.test(asked)
  const schema = isBrief ? route.brief : route.success[answer.status]
  assert.ok(schema, `${method} ${route.path} does not document status ${answer.status}`)
  const { 'x-media-types': types } = schema as { 'x-media-types'?: string[] }
  if (types) assert.ok(types.includes(answer.headers.get('content-type') ?? ''), `${method} ${route.path}`)
  else assert.deepEqual(conforms(schema, answer.body), [], `${method} ${route.path}`)
}

// biome-ignore lint/suspicious/noExplicitAny: as in Answer
export function agentOf(at: World, keys: { publicKey: string; privateKey: string }, body: any): Agent {
  const agent: Agent = {
    id: body.bot.id,
    handle: body.bot.handle,
    token: body.token,
    bot: body.bot,
    ...keys,
    get: (path) => at.request('GET', path, { token: agent.token }),
    post: (path, json) => at.request('POST', path, { token: agent.token, json }),
    patch: (path, json) => at.request('PATCH', path, { token: agent.token, json }),
    envelope: (to, fields = {}) => ({
      recipient_id: to.id,
      client_message_id: randomUUID(),
      nonce: randomBytes(24).toString('base64'),
      ciphertext: randomBytes(64).toString('base64'),
      encryption_version: 'box-v1',
      sender_public_key: agent.publicKey,
      recipient_public_key: to.publicKey,
      ...fields,
    }),
    send: (to, fields) => agent.post('/messages', agent.envelope(to, fields)),
    events: (version = 10, node = at) => connectEvents(node.url, agent.token, version),
  }
  return agent
}

export async function befriend(one: Agent, two: Agent): Promise<string> {
  const asked = await one.post('/contacts/requests', { recipient_id: two.id })
  assert.equal(asked.status, 201)
  const accepted = await two.post(`/contacts/${asked.body.contact.id}/accept`)
  assert.equal(accepted.status, 200)
  return asked.body.contact.id
}

/** Email request, confirmation page, code: the proof that a registration needs. */
export async function prove(
  at: World,
  ask: { handle: string; email: string; encryption_public_key: string },
): Promise<{ owner_challenge_id: string; owner_verification_token: string }> {
  const before = await at.mails(ask.email)
  const challenge = await at.request('POST', '/registration/email/request', { json: ask })
  assert.equal(challenge.status, 202, JSON.stringify(challenge.body))
  const mail = await latestMail(at, ask.email, before)
  const page = await fetch(mail.link as string, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    redirect: 'manual',
  })
  assert.ok(page.status < 400, `the confirmation page answered ${page.status}`)
  const proof = await at.request('POST', '/registration/email/verify', {
    json: { challenge_id: challenge.body.challenge_id, code: mail.code },
  })
  assert.equal(proof.status, 200, JSON.stringify(proof.body))
  return { owner_challenge_id: challenge.body.challenge_id, owner_verification_token: proof.body.verification_token }
}

/** Waits for the newest mail to an address that carries a code and came after those. */
export async function latestMail(at: World, to: string, before: readonly Mail[] = []): Promise<Mail> {
  const known = new Set(before.map(({ file }) => file))
  return eventually(
    async () => (await at.mails(to)).findLast(({ code, file }) => code !== undefined && !known.has(file)),
    `a mail to ${to}`,
  )
}

/** Until a statement of this database waits for a lock. */
export const someoneWaits = ({ sql }: Pick<World, 'sql'>, what: string): Promise<true> =>
  eventually(async () => {
    const waiting = await sql`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return waiting.length > 0 || undefined
  }, what)

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))

/** The same request many times at once; answers by status and code, sorted. */
export async function race(count: number, attempt: (index: number) => Promise<Answer>): Promise<Answer[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => attempt(index)))
}

export const code = (answer: Answer): string =>
  answer.status < 400 ? String(answer.status) : `${answer.status} ${answer.body.error.code}`

/** How many answers have each status and code. */
export const tally = (answers: readonly Answer[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(answers, code)].map(([each, { length }]) => [each, length]))

export interface Frame {
  type: string
  event_id?: string
  kind?: string
  // biome-ignore lint/suspicious/noExplicitAny: as in Answer
  payload?: any
  error?: { code: string }
}

export interface EventSocket {
  socket: WebSocket
  frames: Frame[]
  /** The next event, in the order of arrival, that was not taken yet; of a kind if one is named. */
  next(kind?: string): Promise<Frame>
  ack(event: Frame | string): void
  /** Acknowledges and waits for the server's word. */
  acked(event: Frame | string): Promise<void>
  closed: Promise<number>
  close(): Promise<void>
}

/** A payload that its kind does not know fails the test that got it. */
function holdAgainstKind({ type, kind, payload }: Frame): void {
  if (type !== 'event') return
  assert.ok(kind !== undefined && kind in eventKinds, `an event of an unknown kind: ${kind}`)
  assert.deepEqual(conforms(eventKinds[kind as EventKind].payload, payload), [], `the payload of ${kind}`)
}

export async function connectEvents(url: string, token: string | undefined, version = 10): Promise<EventSocket> {
  const protocols = version === 1 ? [] : [`platform.events.v${version}`]
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/v1/events/`, protocols, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    perMessageDeflate: false,
    handshakeTimeout: 240_000,
  })
  const frames: Frame[] = []
  const taken = new Set<Frame>()
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data)) as Frame
    frames.push(frame)
    holdAgainstKind(frame)
  })
  const closed = new Promise<number>((resolve) => socket.on('close', resolve))
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  const idOf = (event: Frame | string): string => (typeof event === 'string' ? event : (event.event_id as string))
  const self: EventSocket = {
    socket,
    frames,
    closed,
    next: (kind) =>
      eventually(
        () => {
          const frame = frames.find(
            (f) => f.type === 'event' && !taken.has(f) && (kind === undefined || f.kind === kind),
          )
          if (frame) taken.add(frame)
          return frame
        },
        `event ${kind ?? ''}`,
      ),
    ack: (event) => socket.send(JSON.stringify({ type: 'ack', event_id: idOf(event) })),
    async acked(event) {
      self.ack(event)
      await eventually(() => frames.find((f) => f.type === 'acked' && f.event_id === idOf(event)), 'acked')
    },
    async close() {
      socket.close()
      await closed
    },
  }
  return self
}
