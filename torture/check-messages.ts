// Messages and contacts, as the API tells them to both sides: each acknowledged one exactly once.

import { forEach } from './for-each.ts'
import type { Agent, Write } from './ledger.ts'
import type { Random } from './random.ts'
import { read, readAll } from './reading.ts'
import { ensure } from './violation.ts'
import { pairKey, type World } from './world.ts'

interface Message {
  id: string
  sender_id: string
  recipient_id: string
  client_message_id: string
}

/** Statuses that are read, at random: of each message would take longer than the load. */
const statusesRead = 150

/** Reads every history; gives the acknowledged messages by their ids. */
export async function checkMessages(world: World, random: Random): Promise<Map<string, Write>> {
  const writes = world.ledger.writes.filter(({ kind, state }) => kind === 'message' && state === 'acknowledged')
  const messages = new Map(writes.map((write) => [write.made as string, write]))
  ensure(messages.size === writes.length, 'two messages have one id', ...writes)
  await forEach(world.agents, async (agent) => {
    const found = await readAll<Message>(world, random, agent, '/messages', (body) => body.messages)
    const seen = new Set<string>()
    for (const message of found) {
      const write = messages.get(message.id)
      ensure(write !== undefined, 'a history has a message that nobody was told of', message)
      ensure(isTheWrite(message, write), 'a history tells a message as another one', message, write)
      ensure(!seen.has(message.id), 'a message is in a history twice', message)
      seen.add(message.id)
    }
    const lost = writes.filter((write) => isOf(write, agent) && !seen.has(write.made as string))
    ensure(lost.length === 0, 'an acknowledged message is in no history', agent.handle, ...lost)
  })
  await checkStatuses(world, random, messages)
  return messages
}

const isOf = ({ by, body }: Write, { id }: Agent): boolean => by.id === id || body?.['recipient_id'] === id

/** Whether a message, as it is told, is what was sent. */
export const isTheWrite = (message: object, { by, body = {} }: Write): boolean =>
  (message as Message).sender_id === by.id &&
  Object.entries(body).every(([field, value]) => (message as Record<string, unknown>)[field] === value)

/** Whether a block between the two of a message was begun. */
export const isBlocked = (world: World, { sender_id, recipient_id }: Message): boolean =>
  world.blocked.has(pairKey(sender_id, recipient_id))

const levels = ['not_reported', 'queued', 'processed']

/** What was confirmed of a message shows in its status: its acknowledgement, and each report. */
async function checkStatuses(world: World, random: Random, messages: ReadonlyMap<string, Write>): Promise<void> {
  const reports = Map.groupBy(
    world.ledger.writes.filter(({ kind, state }) => kind === 'report' && state === 'acknowledged'),
    ({ path }) => path.split('/')[2] as string,
  )
  const confirmed = new Set<string>()
  for (const receiver of world.receivers.values()) {
    for (const { kind, payload, ackedAt } of receiver.events.values()) {
      // A block takes the event back; its acknowledgement is still confirmed, and delivers nothing.
      if (kind !== 'message.created' || ackedAt === undefined || isBlocked(world, payload)) continue
      confirmed.add(payload.id)
    }
  }
  const ids = random.shuffled([...new Set([...confirmed, ...reports.keys()])]).slice(0, statusesRead)
  await forEach(ids, async (id) => {
    const write = messages.get(id) as Write
    const { status } = await read(world, random, write.by, `/messages/${id}/status`)
    const isDelivered = status.delivery_status === 'delivered'
    ensure(isDelivered || !confirmed.has(id), 'a confirmed acknowledgement of a message was lost', write, status)
    const reported = (reports.get(id) ?? []).map(({ body }) => levels.indexOf(body?.['status'] as string))
    const isReported = levels.indexOf(status.processing_status) >= Math.max(0, ...reported)
    ensure(isReported, 'an acknowledged report on a message was lost', status, ...(reports.get(id) ?? []))
  })
}

/** Every contact is a friendship, or blocked where that was acknowledged. */
export async function checkContacts(world: World, random: Random): Promise<void> {
  const blocks = world.ledger.writes.filter(({ kind, state }) => kind === 'block' && state === 'acknowledged')
  const blocked = new Set(blocks.map(({ path }) => path.split('/')[2]))
  const all = [...world.contacts]
  await forEach(world.agents, async (agent) => {
    const found = await readAll<{ id: string; status: string; peer: { id: string } }>(
      world,
      random,
      agent,
      '/contacts',
      (body) => body.contacts,
    )
    ensure(found.length === world.agents.length - 1, 'an agent has not one contact with each', agent.handle, found)
    for (const { id, status, peer } of found) {
      const pair = pairKey(agent.id, peer.id)
      ensure(world.contacts.get(pair) === id, 'a contact is another one', agent.handle, id, all)
      const wanted = blocked.has(id) ? 'blocked' : 'accepted'
      ensure(status === wanted, `a contact is ${status} instead of ${wanted}`, id, ...blocks)
    }
  })
}
