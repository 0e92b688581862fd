// A stand-in for the service where the fault itself is what is tested: it keeps the contract's promises on replays in
// memory, and loses, cuts or refuses answers on demand. Stories that need the service's judgement run against the real one.
import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/**
 * What happens to the next matching request. `lose`: it takes effect, and the answer never leaves. `half`: it is cut.
 * `between`: another service refuses it, in the same form.
 */
export type Fault =
  | { how: 'drop' | 'lose' | 'half' | 'hang' }
  | { how: 'refuse' | 'between'; status: number; code: string; headers?: Record<string, string>; details?: object }

interface Bot {
  id: string
  handle: string
  display_name: string
  encryption_public_key: string
}

interface StandinOrder {
  id: string
  state: string
  version: number
  total_minor: number
  /** The other side reprices to the next of these just before an action arrives. */
  rises: number[]
}

export interface Standin {
  url: string
  bots: Map<string, Bot>
  /** token → bot id, living ones only. */
  tokens: Map<string, string>
  messages: Map<string, Record<string, unknown>>
  contacts: Record<string, unknown>[]
  orders: Map<string, StandinOrder>
  /** Uploads by their IDs. */
  files: Map<string, { id: string; upload_id: string; status: string; sha256: string }>
  counts: Record<string, number>
  /** Every request as `METHOD /path body`. */
  log: string[]
  requireProof: boolean
  /** Queue a fault for the next request that starts with `route` (`POST /messages`). */
  fault(route: string, ...faults: Fault[]): void
  addBot(bot: Partial<Bot>, token?: string): Bot
  /** One agent asks another for friendship; the contact as the standin's agent reads it has `peer` as the other side. */
  ask(requester_id: string, recipient_id: string, peer?: string): Record<string, unknown>
  /** An order that the agent may answer. */
  offer(id: string, fields: Partial<StandinOrder>): StandinOrder
  /** Keeps what the service knows by now; what it returns puts that back. */
  remember(): () => void
  server: ReturnType<typeof createServer>
  close(): Promise<void>
}

export const code = '123456'
const soon = (days = 30) => new Date(Date.now() + days * 86_400_000).toISOString()

export async function startStandin(): Promise<Standin> {
  const sockets = new Set<Socket>()
  const faults: { route: string; fault: Fault }[] = []
  let challenges = new Map<string, { handle: string; key: string; proof?: string }>()
  let registered = new Map<string, { body: string; reply: object }>()
  /** The digests of what was done, by operation ID. */
  let operations = new Map<string, string>()
  const server = createServer((request, response) => void serve(request, response))
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  const self: Standin = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bots: new Map(),
    tokens: new Map(),
    messages: new Map(),
    contacts: [],
    orders: new Map(),
    files: new Map(),
    counts: {},
    log: [],
    requireProof: true,
    server,
    fault: (route, ...list) => faults.push(...list.map((fault) => ({ route, fault }))),
    addBot(bot, token) {
      const whole = { id: randomUUID(), handle: 'agent', display_name: 'Agent', encryption_public_key: '', ...bot }
      self.bots.set(whole.id, whole)
      if (token) self.tokens.set(token, whole.id)
      return whole
    },
    ask(requester_id, recipient_id, peer = requester_id) {
      const { id, handle, display_name, encryption_public_key } = self.bots.get(peer)!
      const sides = { requester_id, recipient_id, peer: { id, handle, display_name, encryption_public_key } }
      const contact = { id: randomUUID(), status: 'pending', ...sides, created_at: soon(0) }
      self.contacts.unshift(contact)
      return contact
    },
    offer(id, fields) {
      const order = { id, state: 'offered', version: 1, total_minor: 110, rises: [], ...fields }
      self.orders.set(id, order)
      return order
    },
    remember() {
      const { bots, tokens, messages, contacts, orders, files, counts, log } = self
      const known = { bots, tokens, messages, contacts, orders, files, counts, log }
      const then = structuredClone({ known, challenges, registered, operations })
      return () => {
        const now = structuredClone(then)
        Object.assign(self, now.known)
        ;({ challenges, registered, operations } = now)
      }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ''
    try {
      for await (const chunk of request) body += chunk
    } catch {
      // A killed client sent a part of it: nothing of it takes effect.
      return
    }
    const url = new URL(request.url!, self.url)
    const route = `${request.method} ${url.pathname.replace('/api/v1', '')}`
    self.log.push(body ? `${route} ${body}` : route)
    self.counts[route] = (self.counts[route] ?? 0) + 1
    const at = faults.findIndex((queued) => route.startsWith(queued.route))
    const fault = at < 0 ? undefined : faults.splice(at, 1)[0]!.fault
    if (fault?.how === 'drop') return void request.socket.destroy()
    if (fault?.how === 'hang') return
    const [status, reply, headers] =
      fault?.how === 'refuse' || fault?.how === 'between'
        ? [fault.status, { error: { code: fault.code, details: fault.details } }, fault.headers]
        : answer(route, request, body, url)
    if (fault?.how === 'lose') return void request.socket.destroy()
    const text = JSON.stringify(reply)
    const id = fault?.how !== 'between' && { 'x-request-id': 'standin' }
    response.writeHead(status, { 'content-type': 'application/json', ...id, ...headers })
    if (fault?.how === 'half') {
      response.write(text.slice(0, text.length / 2))
      setTimeout(() => request.socket.destroy(), 5)
    } else response.end(text)
  }

  type Reply = [status: number, body: object, headers?: Record<string, string> | undefined]
  const refusal = (status: number, code: string, details?: object): Reply => [status, { error: { code, details } }]

  function grant(botId: string): { token: string; token_expires_at: string } {
    const token = `kith_${randomUUID()}`
    for (const [old, owner] of self.tokens) if (owner === botId) self.tokens.delete(old)
    self.tokens.set(token, botId)
    return { token, token_expires_at: soon() }
  }

  function answer(route: string, request: IncomingMessage, body: string, url: URL): Reply {
    const isForm = request.headers['content-type']?.startsWith('multipart/form-data')
    const ask = body && !isForm ? JSON.parse(body) : {}
    switch (route) {
      case 'GET /registration/requirements':
        return [200, { documents: [], owner_confirmation_required: self.requireProof }]
      case 'POST /registration/email/request': {
        const challenge_id = randomUUID()
        challenges.set(challenge_id, { handle: ask.handle, key: ask.encryption_public_key })
        return [
          202,
          { challenge_id, expires_at: soon(1), retry_after: 60, documents: [], owner_confirmation_required: true },
        ]
      }
      case 'POST /registration/email/verify': {
        const challenge = challenges.get(ask.challenge_id)
        if (!challenge || ask.code !== code) return refusal(400, 'invalid_email_verification')
        challenge.proof = randomUUID()
        return [200, { verification_token: challenge.proof, expires_at: soon(1) }]
      }
      case 'POST /bots/register':
        return register(ask, body)
      case 'POST /tokens/recover/request':
        return [202, { challenge_id: randomUUID(), expires_at: soon(1), retry_after: 60, documents: [] }]
      case 'POST /tokens/recover/verify': {
        if (ask.code !== code) return refusal(400, 'invalid_email_verification')
        return [200, grant([...self.bots.keys()][0]!)]
      }
    }
    const token = request.headers.authorization?.replace('Bearer ', '')
    const me = self.bots.get(self.tokens.get(token ?? '') ?? '')
    if (!me) return refusal(401, 'unauthorized')
    switch (route) {
      case 'GET /bots/me':
        return [200, { bot: me }]
      case 'POST /tokens/rotate':
        return [200, grant(me.id)]
      case 'POST /tokens/revoke':
        self.tokens.delete(token!)
        return [200, { revoked: true }]
      case 'GET /contacts':
        return [200, { contacts: self.contacts, next_before: null }]
      case 'GET /messages': {
        const all = [...self.messages.values()].reverse()
        const before = url.searchParams.get('before')
        const rest = before ? all.slice(all.findIndex((m) => m['id'] === before) + 1) : all
        return [200, { messages: rest.slice(0, 2), next_before: rest.length > 2 ? rest[1]!['id'] : null }]
      }
      case 'POST /messages': {
        const old = self.messages.get(ask.client_message_id)
        if (old)
          return old['digest'] === digest(body)
            ? [200, { message: old, created: false }]
            : refusal(409, 'idempotency_conflict')
        const message = { ...ask, id: randomUUID(), sender_id: me.id, created_at: soon(0), digest: digest(body) }
        self.messages.set(ask.client_message_id, message)
        return [201, { message, created: true }]
      }
      case 'POST /attachments': {
        const [, upload_id = '', content] =
          /"upload_id"\r\n\r\n([0-9a-f-]+)\r\n.*octet-stream\r\n\r\n(.*)\r\n--[^\n]*--\r\n$/s.exec(body) ?? []
        if (content === undefined) return refusal(400, 'invalid_input')
        const old = self.files.get(upload_id)
        if (old && old.sha256 !== digest(content)) return refusal(409, 'idempotency_conflict')
        const file = old ?? { id: randomUUID(), upload_id, status: 'ready', sha256: digest(content) }
        self.files.set(upload_id, file)
        return [old ? 200 : 201, { attachment: file }]
      }
      case 'POST /contacts/requests': {
        const known = self.contacts.find(({ peer }) => (peer as Bot).id === ask.recipient_id)
        if (known) return [200, { contact: known, created: false }]
        return [201, { contact: self.ask(me.id, ask.recipient_id, ask.recipient_id), created: true }]
      }
    }
    const [, method, kind, id = '', action] = /^(\w+) \/(\w+)\/([^/]+)(?:\/(\w+))?$/.exec(route) ?? []
    const order = self.orders.get(id)
    if (kind === 'orders' && order) return method === 'GET' ? [200, { order, history: [] }] : act(order, action!, ask)
    const contact = self.contacts.find((each) => each['id'] === id)
    if (kind !== 'contacts' || !contact) return refusal(404, 'not_found')
    contact['status'] = 'accepted'
    return [200, { contact }]
  }

  function act(order: StandinOrder, action: string, ask: Record<string, unknown>): Reply {
    const operation = String(ask['operation_id'])
    const said = digest(JSON.stringify({ action, ...ask }))
    if (operations.has(operation))
      return operations.get(operation) === said ? [200, { order }] : refusal(409, 'idempotency_conflict')
    const rise = order.rises.shift()
    if (rise !== undefined) Object.assign(order, { version: order.version + 1, total_minor: rise })
    if (ask['expected_version'] !== order.version) return refusal(409, 'version_conflict')
    if (order.state !== 'offered') return refusal(409, 'invalid_state')
    operations.set(operation, said)
    Object.assign(order, { version: order.version + 1, state: action === 'accept' ? 'funded' : 'rejected' })
    return [200, { order }]
  }

  function register(ask: Record<string, string>, body: string): Reply {
    const challenge = challenges.get(ask['owner_challenge_id'] ?? '')
    const proven = challenge?.proof !== undefined && challenge.proof === ask['owner_verification_token']
    if (self.requireProof && !proven) return refusal(400, 'invalid_email_verification')
    const old = registered.get(ask['owner_challenge_id'] ?? '')
    if (old) return old.body === body ? [201, old.reply] : refusal(409, 'registration_replay_conflict')
    for (const bot of self.bots.values()) {
      if (bot.handle === ask['handle']) return refusal(409, 'handle_unavailable')
      if (bot.encryption_public_key === ask['encryption_public_key'])
        return refusal(400, 'invalid_input', { fields: [{ path: 'encryption_public_key', problem: 'taken' }] })
    }
    const bot = self.addBot(ask as never)
    const reply = { bot, ...grant(bot.id) }
    if (challenge) registered.set(ask['owner_challenge_id']!, { body, reply })
    return [201, reply]
  }

  return self
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
