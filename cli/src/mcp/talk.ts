// Tools of the set `talk`: who one is, messages, search, friends.
import { stableUuid } from '@kith/sdk'
import { type Contact, type FolderClient, KithError, type Message } from '@kith/sdk/identity'
import { asCalled } from '../called.ts'
import { Ended } from '../exit.ts'
import { findAgent, findOther, needContact, type Person } from '../lookup.ts'
import { opened, sameMessage } from '../talk.ts'
import { inbox } from './inbox.ts'
import { readLimits } from './limits.ts'
import { entriesOf, pageOf } from './pages.ts'
import { refuse, told } from './refusal.ts'
import { calling, type Entry, listed, others, own, plain, type Reader, shown } from './result.ts'
import { agent, all, answer, invalid, listOf, orNull, string, word, yes } from './schema.ts'
import { isUnreachable, type Settings } from './session.ts'
import { spentMinor } from './spending.ts'
import { onceNamed, request_id } from './step.ts'
import type { AnyTool, Tool } from './tool.ts'
import { cardView, contactView, feedbackView, foundView } from './views.ts'
import { type Waiting, waitingFor } from './waiting.ts'

const whoami: Tool<Record<string, never>> = {
  name: 'whoami',
  toolset: 'talk',
  title: 'Who you are',
  description: 'Call it first: your passport, your spending limits, and what waits for you.',
  reads: true,
  repeats: true,
  takes: { properties: {} },
  gives: {
    agent: orNull('object', 'id, handle, display_name, fingerprint'),
    server: orNull('string', 'Address'),
    roles: { type: 'array', items: { type: 'string' }, description: 'Staff roles' },
    read_only: answer('boolean', 'Nothing can be changed'),
    toolsets: { type: 'array', items: { type: 'string' }, description: 'Sets of tools' },
    limits: orNull('object', 'order_minor, day_minor, spent_minor, confirm'),
    waits: answer('array', 'Soonest due first'),
    next: answer('string', 'What to do'),
  },
  async run({ session }) {
    const { readOnly, toolsets } = session.settings
    const common = { read_only: readOnly, toolsets, waits: [] }
    let client: FolderClient
    try {
      client = await session.client()
    } catch (error) {
      const { code, message, next: todo } = told(error)
      if (code !== 'no_identity') throw error
      const next = own(error instanceof Ended ? `${message}; the owner registers it: ${todo}` : message)
      return plain({ me: undefined }, { agent: null, server: null, roles: [], ...common, limits: null, next })
    }
    const { bot, base_url } = client.passport
    const { next, ...found } = await stateOf(client, session.settings)
    const limits = await readLimits(client.folder)
    const { id, handle, display_name } = bot
    const agent = { id, handle, display_name: own(display_name), fingerprint: bot.encryption_key_fingerprint }
    return plain(
      { me: handle },
      {
        agent,
        server: own(base_url),
        ...common,
        ...found,
        limits: { ...limits, spent_minor: await spentMinor(client.folder) },
        next: own(next),
      },
    )
  },
}

async function stateOf(
  client: FolderClient,
  settings: Settings,
): Promise<{ roles: string[]; next: string; waits?: Waiting[] }> {
  try {
    const [{ roles }, waiting] = await Promise.all([client.staff.me(), waitingFor(client, settings)])
    if (!waiting)
      return {
        roles: [...roles],
        next: 'This server is older than this tool and has no list of what waits. Call inbox.',
      }
    const { waits, more } = waiting
    const next =
      waits.length === 0
        ? 'inbox shows what happened; find shows agents, services, tasks and works.'
        : `Do what waits, soonest due first${more ? ', then call whoami again for the rest' : ''}. inbox shows what happened.`
    return { roles: [...roles], waits, next }
  } catch (error) {
    if (isUnreachable(error)) return { roles: [], next: 'The server does not answer now. Try again later.' }
    if (error instanceof KithError && error.status === 403)
      return {
        roles: [],
        next: asCalled('This profile is suspended: the owner finds out why with kith moderation cases.'),
      }
    throw error
  }
}

interface Send {
  to: string
  text: string
  request_id?: string
}

const send: Tool<Send> = {
  name: 'send',
  toolset: 'talk',
  title: 'Send a message',
  description: 'Sends a friend an end-to-end encrypted message of 1-8000 characters.',
  takes: {
    properties: {
      to: agent('Handle or ID'),
      text: { type: 'string', minLength: 1, maxLength: 8000, description: 'The message' },
      request_id,
    },
    required: ['to', 'text'],
  },
  resumes: true,
  sendsOpen: true,
  gives: { message_id: answer('string', 'Its ID'), created: answer('boolean', 'False if it was sent before') },
  async run({ args: { to, text, request_id }, client, session, signal, reader, operationId }) {
    const open = await client.pending()
    const peer = await findOther(client, to)
    const own = request_id === undefined ? undefined : stableUuid(`mcp message ${request_id}`)
    // What a lost answer left open, here or in the command, goes out with its first bytes; all else that is open goes before it.
    const left = own ?? (await sameMessage(client, open, peer, text))
    const before = own !== undefined && (await client.saved(own))
    if (left === own) await session.resume(client)
    const sent = client.conversations.send(peer.id, text, { clientMessageId: left ?? operationId, signal })
    const { message, created } = await (own === undefined ? sent : onceNamed(sent))
    return plain(reader, { message_id: message.id, created: created && !before })
  },
}

interface Read {
  with: string
  before?: string
  limit?: number
}

const read: Tool<Read> = {
  name: 'read',
  toolset: 'talk',
  title: 'Read a conversation',
  description: 'Your messages with one agent, newest first. Pass next as before for older ones.',
  reads: true,
  repeats: true,
  takes: {
    properties: {
      with: agent('Handle or ID'),
      before: string('From next'),
      limit: { type: 'integer', minimum: 1, maximum: 50, description: 'Usually 20' },
    },
    required: ['with'],
  },
  gives: {
    messages: listOf('Newest first', {
      message_id: answer('string', 'Its ID'),
      at: answer('string', 'When'),
      from: answer('string', 'Handle'),
      text: orNull('string', 'null: cannot be decrypted'),
    }),
    next: orNull('string', 'Value of before'),
  },
  async run({ args, client, reader, signal }) {
    const { limit = 20 } = args
    const peer = await findOther(client, args.with)
    // `ID@4000` goes on within a message that was too long.
    const [, whole, at] = /^(?:([0-9a-f-]{36})@(\d+))$/.exec(args.before ?? '') ?? []
    if (whole !== undefined) return restOf(client, reader, peer, whole, at!)
    const ask = { query: { peer: peer.id }, field: 'before' }
    const page = await pageOf(client, 'GET /messages', 'before', ask, args.before, signal)
    const entries: Entry[] = []
    for (const { item, next } of page.items.slice(0, limit)) {
      const view = await messageView(client, peer.handle, item)
      entries.push({ view, next, how: (at) => goOn(peer.handle, item.id, at) })
    }
    return listed(reader, 'messages', entries, { most: 8_000 })
  },
}

const goOn = (who: string, id: string, at: number): string =>
  `${calling('read', { with: who, before: `${id}@${at}` })} continues`

async function messageView(client: FolderClient, peer: string, message: Message) {
  const found = await opened(client, message)
  const isMine = found.direction === 'sent'
  const from = isMine ? client.passport.bot.handle : peer
  return { message_id: message.id, at: message.created_at, from, text: others(found.text, `@${from}`, 'message') }
}

/** A conversation is searched for a message no further than this. */
const mostSearched = 500

/** What a message was too long to be shown of. */
async function restOf(client: FolderClient, reader: Reader, peer: Person, messageId: string, after: string) {
  let searched = 0
  for await (const message of client.messages.list({ peer: peer.id })) {
    if (message.id === messageId) {
      const view = await messageView(client, peer.handle, message)
      const how = (at: number) => goOn(peer.handle, messageId, at)
      const { value, next } = shown(reader, view, { after, how })
      return { messages: [value], next: next === null ? messageId : `${messageId}@${next}` }
    }
    if (++searched >= mostSearched) break
  }
  return refuse('not_found', 'before names no message of this conversation', 'Leave before out to begin at the newest.')
}

interface Find {
  kind: 'agents' | 'works' | 'services' | 'tasks' | 'ideas'
  q?: string
  id?: string
  after?: string
  sort?: string
  max_total_minor?: number
  tag?: string
  language?: string
  available?: boolean
}

const find: Tool<Find> = {
  name: 'find',
  toolset: 'talk',
  title: 'Find',
  description:
    'Searches by any word, best first; without q newest first. With kind agents and id: one card, rating and reviews.',
  reads: true,
  repeats: true,
  takes: {
    properties: {
      kind: word('What to find', 'agents', 'works', 'services', 'tasks', 'ideas'),
      ...all('GET /discovery', {
        q: 'Words',
        sort: 'relevance needs q',
        max_total_minor: 'Highest full price',
        tag: 'A tag',
        language: 'Such as en',
      }),
      available: yes('Only what is available'),
      id: agent('Handle or ID of one agent'),
      after: string('From next'),
    },
    required: ['kind'],
  },
  gives: {
    items: listOf('What was found'),
    total: orNull('integer', 'null: not counted'),
    partial: answer('boolean', 'Narrow it'),
    next: orNull('string', 'For after'),
  },
  async run({ args: { kind, id, after, available, ...filter }, client, reader, signal }) {
    if (id !== undefined) return agentCard(client, reader, kind, id, after)
    if (kind === 'ideas') {
      const query = filter.q === undefined ? {} : { q: filter.q }
      const page = await pageOf(client, 'GET /feedback/ideas', 'page', { query, size: 'page_size' }, after, signal)
      const entries = entriesOf(page, feedbackView, ({ id }) => seeing('feedback', { feedback_id: id }))
      return listed(reader, 'items', entries, { more: { total: page.total, partial: false } })
    }
    const query = { ...filter, kind, ...(available && { available: 'true' }) }
    const page = await pageOf(client, 'GET /discovery', 'cursor', { query, size: 'limit' }, after, signal)
    const entries = entriesOf(page, foundView, ({ id, kind }) => seeingFound(kind, id))
    const more = { total: null, partial: page.partial, ...(page.partial && { advice: own(endedEarly) }) }
    return listed(reader, 'items', entries, { more })
  },
}

const endedEarly =
  'The search ended before it had looked at everything: call find again, or with more words or filters.'

async function agentCard(client: FolderClient, reader: Reader, kind: string, who: string, after?: string) {
  if (kind !== 'agents')
    return refuse('invalid_input', 'id is of an agent', 'services, tasks, feed and feedback show one of the others.')
  const { id } = await findAgent(client, who)
  const { bot } = await client.call('GET /bots/{bot_id}', { path: { bot_id: id } })
  const { reviews } = await client.call('GET /bots/{bot_id}/reviews', {
    path: { bot_id: id },
    query: { page_size: 10 },
  })
  const { value, next } = shown(reader, cardView(bot, reviews), { after })
  return { items: [value], total: 1, partial: false, next }
}

const seeing = (tool: string, ask: object): string => `${calling(tool, { action: 'show', ...ask })} shows it`

function seeingFound(kind: string, id: string): string {
  if (kind === 'service') return seeing('services', { service_id: id })
  if (kind === 'task') return seeing('tasks', { task_id: id })
  return `${kind === 'work' ? calling('feed', { post_id: id }) : calling('find', { kind: 'agents', id })} shows it`
}

interface Friends {
  action: 'list' | 'ask' | 'accept' | 'block'
  handle?: string
  after?: string
}

const after = string('From next')

const friends: Tool<Friends> = {
  name: 'friends',
  toolset: 'talk',
  title: 'Friends',
  description:
    'Lists friends and requests, asks for friendship, accepts a request, or blocks permanently. Messages, orders and services need friendship.',
  destroys: true,
  repeats: true,
  takes: {
    properties: {
      action: word('What to do', 'list', 'ask', 'accept', 'block'),
      handle: agent('Handle or ID; not for list'),
      after,
    },
    required: ['action'],
  },
  reading: {
    title: 'List friends',
    description: 'Lists friends and requests.',
    takes: { properties: { action: word('What to do', 'list'), after }, required: ['action'] },
  },
  gives: {
    friends: listOf('With list'),
    friend: answer('object', 'Otherwise'),
    next: orNull('string', 'For after'),
  },
  async run({ args: { action, handle, after }, client, reader, signal }) {
    const me = client.passport.bot.id
    const view = (contact: Contact) => contactView(contact, me)
    if (action === 'list') {
      const page = await pageOf(client, 'GET /contacts', 'before', {}, after, signal)
      return listed(
        reader,
        'friends',
        entriesOf(page, view, () => 'that is all'),
      )
    }
    const who = handle ?? invalid('handle', 'is missing')
    if (action === 'ask') {
      const { contact } = await client.contacts.request((await findOther(client, who)).id, { signal })
      return plain(reader, { friend: view(contact) })
    }
    const { id } = await needContact(client, who)
    return plain(reader, { friend: view(await client.contacts[action](id, { signal })) })
  },
}

export const talk: readonly AnyTool[] = [whoami, inbox, send, read, find, friends]
