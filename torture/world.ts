// Agents who are all friends, with their receivers, people who order from them, what they asked for, and what they were last
// told of their orders.
import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { type Book, openBook } from './book.ts'
import type { Client, Credentials, Reply } from './client.ts'
import { forEach } from './for-each.ts'
import { type Actor, type Agent, type Ledger, openLedger, type Thing, type Write } from './ledger.ts'
import { type Market, openMarket } from './market.ts'
import { type Oversight, openOversight } from './oversight.ts'
import { type Entrance, leave, openPeople, type People, type Person, returner, signIn } from './people.ts'
import { type Random, randomOf } from './random.ts'
import { openReceiver, type Receiver } from './receiver.ts'
import { ensure, violated } from './violation.ts'

export interface World {
  number: number
  agents: readonly Agent[]
  /** Staff: who decides disputes and answers feedback, and who judges. Neither is anybody's friend. */
  support: Agent
  moderator: Agent
  /** The one of the agents who writes articles. */
  author: Agent
  receivers: ReadonlyMap<string, Receiver>
  ledger: Ledger
  /** The contact of two agents, by {@link pairKey}. */
  contacts: ReadonlyMap<string, string>
  /** Pairs in which one side has begun to block the other. */
  blocked: Set<string>
  /** Orders between agents. */
  orders: Book
  /** People who order without an agent, and what they order. */
  people: People
  entrance: Entrance
  /** Whether as many orders are under way as there may be: few, so that many meet at the same ones. Offers leave room to others. */
  isBusy(what?: 'offers'): boolean
  market: Market
  oversight: Oversight
  /** What all agents of the world are specialised in, and nobody else is; what they make public says it. */
  word: string
  random(name: string): Random
  urls: readonly string[]
  /** Asks; undefined if no answer came, or one that the service is not there. */
  get(actor: Actor, path: string, random: Random): Promise<Reply | undefined>
  /** The same of what is there. */
  read(actor: Actor, path: string, random: Random): Promise<Reply | undefined>
  /** The same of what may have been taken from the agent meanwhile: undefined then too. */
  look(actor: Actor, path: string, random: Random): Promise<Reply | undefined>
  /** Reads what somebody else has changed. */
  reread(what: { thing: Thing; id: string }, random: Random): Promise<void>
  /** Sends a write, and notes what its answer says. */
  send(write: Write, random: Random, options?: { quiet: boolean }): Promise<Reply | undefined>
  /** Sends what is no write of anyone's: it must be refused. */
  probe(actor: Actor, path: string, body: object, random: Random): Promise<Reply | undefined>
  /** Notes an order that was read or answered. */
  learn(order: Reply['body'], quick?: boolean): void
  close(): Promise<void>
}

export const pairKey = (one: string, two: string): string => [one, two].sort().join(' ')

export interface WorldOptions {
  seed: number
  number: number
  agents: number
  people: number
  support: Agent
  moderator: Agent
  entrance: Entrance
  fail: (error: unknown) => void
}

const mostLive = { all: 40, offers: 25 }

/** Registers the agents and makes them friends, while nothing is cut or killed. */
export async function makeWorld({
  seed,
  number,
  agents: count,
  people: peopleCount,
  support,
  moderator,
  entrance,
  fail,
}: WorldOptions): Promise<World> {
  const { client, urls } = entrance
  const url = urls[0] as string
  const must = (path: string, by: Actor, json?: object) => post(client, url, path, by.credentials, json)
  const agents: Agent[] = []
  const word = `world${number}`
  for (let at = 0; at < count; at++) {
    agents.push(await register(client, url, `w${number}_agent${at}`, { specialty: word }))
  }
  const pairs = agents.flatMap((one, at) => agents.slice(at + 1).map((two) => [one, two] as const))
  const contacts = new Map<string, string>()
  await forEach(pairs, async ([one, two]) => {
    const { contact } = await must('/contacts/requests', one, { recipient_id: two.id })
    await must(`/contacts/${contact.id}/accept`, two)
    contacts.set(pairKey(one.id, two.id), contact.id)
  })
  const random = (name: string): Random => randomOf(seed, `world ${number}, ${name}`)
  const receivers = new Map(
    agents.map((agent) => [agent.id, openReceiver(agent, random(`receiver of ${agent.handle}`), urls, fail)]),
  )
  const ledger = openLedger(client, urls)

  async function get(actor: Actor, path: string, draw: Random): Promise<Reply | undefined> {
    const reply = await client.call(draw.pick(urls), 'GET', path, actor.credentials)
    return reply?.status === 503 && reply.retryAfter !== undefined ? undefined : reply
  }

  async function read(actor: Actor, path: string, draw: Random): Promise<Reply | undefined> {
    const reply = await get(actor, path, draw)
    if (!reply) return undefined
    ensure(reply.status === 200, `GET ${path} answered ${reply.status}`, actor.handle, reply.body)
    return reply
  }

  const learnAll = (body: Reply['body'], reader: Actor): void => {
    self.market.learn(body)
    self.oversight.learn(body, reader)
  }

  const self: World = {
    number,
    agents,
    support,
    moderator,
    author: agents[0] as Agent,
    receivers,
    ledger,
    contacts,
    blocked: new Set(),
    orders: openBook(),
    people: openPeople(),
    entrance,
    isBusy: (what) => self.orders.live.size >= mostLive[what ?? 'all'],
    market: openMarket(),
    oversight: openOversight(),
    word,
    random,
    urls,
    get,
    read,
    async look(actor, path, draw) {
      const reply = await get(actor, path, draw)
      if (!reply || reply.status === 404) return undefined
      ensure(reply.status === 200, `GET ${path} answered ${reply.status}`, actor.handle, reply.body)
      return reply
    },
    async reread(what, draw) {
      const [reader, path] = self.market.pathOf(what) ?? self.oversight.pathOf(what) ?? []
      const agent = agents.find(({ id }) => id === reader)
      const reply = agent && path !== undefined && (await self.look(agent, path, draw))
      if (reply) learnAll(reply.body, agent)
    },
    async send(write, draw, options) {
      const reply = await ledger.attempt(write, draw, options)
      if (reply?.body?.order) self.learn(reply.body.order, write.path === '/orders/quick')
      if (reply && reply.status < 300) learnAll(reply.body, write.by)
      return reply
    },
    async probe(actor, path, body, draw) {
      const reply = await client.call(draw.pick(urls), 'POST', path, actor.credentials, body)
      return reply?.status === 503 ? undefined : reply
    },
    learn(order, quick) {
      const book = self.people.known.has(order.customer_id) ? self.people.orders : self.orders
      book.learn(order, quick)
    },
    async close() {
      await Promise.all([...receivers.values()].map((receiver) => receiver.close()))
    },
  }
  const come = async (name: string): Promise<Person> => {
    const person = await signIn(entrance, name, random(name))
    return person ?? violated('a person cannot sign in to an idle world', name)
  }
  const names = Array.from({ length: peopleCount }, (_, at) => `w${number}_person${at}`)
  // Somebody who left an earlier world comes again, and somebody leaves this one at once.
  const former = returner(entrance)
  await Promise.all([
    ...[...names, ...(former === undefined ? [] : [former])].map(async (name) => self.people.add(await come(name))),
    come(`w${number}_leaver`).then((person) => leave(entrance, person, random('leaver'))),
  ])
  return self
}

/** A request while nothing is cut or killed. */
async function post(
  client: Client,
  url: string,
  path: string,
  credentials?: Credentials,
  json?: object,
): Promise<Reply['body']> {
  const reply = await client.call(url, 'POST', path, credentials, json)
  ensure(reply !== undefined && reply.status < 300, `POST ${path} in an idle world`, reply?.status, reply?.body)
  return reply.body
}

export async function register(client: Client, url: string, handle: string, more: object = {}): Promise<Agent> {
  const publicKey = newPublicKey()
  const fields = { handle, display_name: handle, encryption_public_key: publicKey, ...more }
  const { bot, token } = await post(client, url, '/bots/register', undefined, fields)
  return { id: bot.id, handle, credentials: { authorization: `Bearer ${token}` }, publicKey }
}

function newPublicKey(): string {
  const { publicKey } = generateKeyPairSync('x25519')
  return createPublicKey(publicKey.export({ format: 'pem', type: 'spki' }))
    .export({ format: 'der', type: 'spki' })
    .subarray(-32)
    .toString('base64')
}
