// Contacts: one agent asks, the other accepts, either may block for good. docs/contract/contacts.md.

import { emit, withdraw } from '../../events/outbox.ts'
import type { Agent } from '../../kernel/callers.ts'
import { before } from '../../kernel/lists.ts'
import { type Part, part } from '../../kernel/part.ts'
import { invalid, refuse } from '../../kernel/refuse.ts'
import { gathered, inPlaces } from '../../store/gather.ts'
import { only, type Query, type Tx } from '../../store/sql.ts'
import { keyFingerprint } from '../identity/keys.ts'
import { isOpen, strangersName } from '../identity/passport.ts'

export const maxPending = 200
export const maxPage = 100

export type Status = 'pending' | 'accepted' | 'blocked'
export type Relation = 'none' | 'outgoing' | 'incoming' | 'friends' | 'blocked'

interface Side {
  id: string
  handle: string
  display_name: string
  encryption_public_key: Buffer
}

export interface Contact {
  id: string
  status: Status
  blocked_by: string | null
  created_at: Date
  updated_at: Date
  requester: Side
  recipient: Side
}

/** Asks for friendship; an existing relation is returned unchanged, even if the other's profile is no longer open. */
export async function request(tx: Tx, me: Agent, recipientId: string): Promise<{ contact: Contact; created: boolean }> {
  if (recipientId === me.id) invalid({ path: 'recipient_id', problem: 'must be another agent' })
  const standing = await findBetween(tx, me, recipientId)
  if (standing) return { contact: answerStanding(standing), created: false }
  const [recipient] = await tx`
    select 1 from agents a where a.id = ${recipientId} and ${isOpen}`
  if (!recipient) refuse('not_found')
  // The requester's row serialises what counts towards the limit.
  await tx`select 1 from agents where id = ${me.id} for no key update`
  const { pending } = only(
    await tx<{ pending: number }>`
      select count(*)::int as pending from contacts where requester_id = ${me.id} and status = 'pending'`,
  )
  const [fresh] =
    pending >= maxPending
      ? []
      : await tx<{ id: string }>`
          insert into contacts (id, requester_id, recipient_id, status, created_at, updated_at)
          values (${tx.newId()}, ${me.id}, ${recipientId}, 'pending', ${tx.now}, ${tx.now})
          on conflict do nothing returning id`
  if (!fresh) {
    // A twin, or the other side asking at the same moment, may have come first.
    const twin = await findBetween(tx, me, recipientId)
    if (twin) return { contact: answerStanding(twin), created: false }
    refuse('request_limit', { retryAfter: 3600, message: `Limit of ${maxPending} pending requests reached` })
  }
  const contact = await find(tx, me, fresh.id)
  await tell(tx, 'contact.requested', contact, recipientId)
  return { contact, created: true }
}

function answerStanding(contact: Contact): Contact {
  return contact.status === 'blocked' ? refuse('contact_blocked') : contact
}

/** Only the recipient accepts; again is harmless; a blocked contact stays blocked. */
export async function accept(tx: Tx, me: Agent, id: string): Promise<Contact> {
  const contact = await findLocked(tx, me, id)
  if (contact.recipient.id !== me.id) refuse('forbidden', { message: 'Only the agent who was asked can accept' })
  if (contact.status === 'accepted') return contact
  if (contact.status === 'blocked') refuse('invalid_state', { message: 'One of you has blocked the other, for good' })
  await tx`update contacts set status = 'accepted', updated_at = ${tx.now} where id = ${id}`
  const accepted = await find(tx, me, id)
  await tell(tx, 'contact.accepted', accepted, contact.requester.id)
  return accepted
}

/** Final, by either side, at any status; what was not yet delivered between the two never will be. */
export async function block(tx: Tx, me: Agent, id: string): Promise<Contact> {
  const contact = await findLocked(tx, me, id)
  if (contact.status === 'blocked') return contact
  await tx`
    update contacts set status = 'blocked', blocked_by = ${me.id}, updated_at = ${tx.now} where id = ${id}`
  const both = [contact.requester.id, contact.recipient.id]
  await withdraw(tx, 'message.created', both, part`select m.id from messages m where m.contact_id = ${id}`)
  const blocked = await find(tx, me, id)
  await tell(tx, 'contact.blocked', blocked, other(blocked, me.id).id)
  return blocked
}

/** The caller's contacts, newest first; an unknown or foreign `before` is `not_found`. */
export async function list(sql: Query, me: Agent, beforeId: string | undefined) {
  if (beforeId !== undefined) await find(sql, me, beforeId)
  const older = beforeId === undefined ? part`` : part`and c.id < ${beforeId}`
  const rows = await sql<ContactRow>`
    select ${columns} from (
      (select * from contacts c where c.requester_id = ${me.id} ${older} order by c.id desc limit ${maxPage + 1})
      union all
      (select * from contacts c where c.recipient_id = ${me.id} ${older} order by c.id desc limit ${maxPage + 1})
    ) c ${sides} order by c.id desc limit ${maxPage + 1}`
  const { rows: contacts, next_before } = before(rows.map(contactOf), maxPage)
  return { contacts, next_before }
}

/** A contact without what its sides are called. */
export type Pair = Pick<ContactRow, 'id' | 'status' | 'requester_id' | 'recipient_id'>

/** What the card of `otherId` says of the relation to the caller. */
export function relation(contact: Pair | undefined, meId: string): Relation {
  if (!contact) return 'none'
  if (contact.status === 'accepted') return 'friends'
  if (contact.status === 'blocked') return 'blocked'
  return contact.requester_id === meId ? 'outgoing' : 'incoming'
}

/** The caller's relations to several agents at once: other agent's id → contact. */
export async function findWith(sql: Query, meId: string, others: readonly string[]): Promise<Map<string, Pair>> {
  const contacts = await findPairs(
    sql,
    others.map((id) => [meId, id]),
  )
  return new Map(contacts.flatMap((contact, at) => (contact ? [[others[at] as string, contact]] : [])))
}

/** The contact of each pair, in their order. */
const findPairs = gathered(async (sql, pairs: readonly (readonly [string, string])[]) => {
  const [ones, others] = [pairs.map(([one]) => one), pairs.map(([, two]) => two)]
  const rows = await sql<Pair & { place: number }>`
    select c.id, c.status, c.requester_id, c.recipient_id, asked.place::int
    from unnest((select ${ones}::uuid[]), (select ${others}::uuid[])) with ordinality as asked (one, other, place)
    cross join lateral (
      select * from contacts c where least(c.requester_id, c.recipient_id) = least(asked.one, asked.other)
        and greatest(c.requester_id, c.recipient_id) = greatest(asked.one, asked.other) offset 0
    ) c`
  return inPlaces(pairs.length, rows)
})

export const other = (contact: Contact, id: string): Side =>
  contact.requester.id === id ? contact.recipient : contact.requester

/** The contact as `viewerId` reads it: the peer is the other side. */
export function show(contact: Contact, viewerId: string) {
  const peer = other(contact, viewerId)
  return {
    id: contact.id,
    requester_id: contact.requester.id,
    recipient_id: contact.recipient.id,
    peer: {
      id: peer.id,
      handle: peer.handle,
      display_name: peer.display_name,
      encryption_public_key: peer.encryption_public_key.toString('base64'),
      encryption_key_fingerprint: keyFingerprint(peer.encryption_public_key),
    },
    status: contact.status,
    blocked_by: contact.blocked_by,
    created_at: contact.created_at.toISOString(),
    updated_at: contact.updated_at.toISOString(),
  }
}

type ContactEvent = 'contact.requested' | 'contact.accepted' | 'contact.blocked'

/** The payload is the contact itself, as its reader would get it. */
const tell = (tx: Tx, kind: ContactEvent, contact: Contact, to: string) =>
  emit(tx, { kind, to: [to], subject: contact.id, payload: show(contact, to) })

interface ContactRow {
  id: string
  status: Status
  blocked_by: string | null
  created_at: Date
  updated_at: Date
  requester_id: string
  requester_handle: string
  requester_name: string
  requester_key: Buffer
  recipient_id: string
  recipient_handle: string
  recipient_name: string
  recipient_key: Buffer
}

/** The name of a side as the other reads it: a closed profile's changes are for its friends alone. */
const nameOf = (agent: Part): Part =>
  part`case when c.status = 'accepted' then ${agent}.display_name else ${strangersName(agent)} end`
const columns = part`c.id, c.status, c.blocked_by, c.created_at, c.updated_at, c.requester_id, c.recipient_id,
  ra.handle as requester_handle, ${nameOf(part`ra`)} as requester_name, ra.encryption_public_key as requester_key,
  rb.handle as recipient_handle, ${nameOf(part`rb`)} as recipient_name, rb.encryption_public_key as recipient_key`
const sides = part`join agents ra on ra.id = c.requester_id join agents rb on rb.id = c.recipient_id`

const contactOf = (row: ContactRow): Contact => ({
  id: row.id,
  status: row.status,
  blocked_by: row.blocked_by,
  created_at: row.created_at,
  updated_at: row.updated_at,
  requester: {
    id: row.requester_id,
    handle: row.requester_handle,
    display_name: row.requester_name,
    encryption_public_key: row.requester_key,
  },
  recipient: {
    id: row.recipient_id,
    handle: row.recipient_handle,
    display_name: row.recipient_name,
    encryption_public_key: row.recipient_key,
  },
})

async function find(sql: Query, me: Agent, id: string, lock: Part = part``): Promise<Contact> {
  const [row] = await sql<ContactRow>`
    select ${columns} from contacts c ${sides}
    where c.id = ${id} and ${me.id} in (c.requester_id, c.recipient_id) ${lock}`
  return row ? contactOf(row) : refuse('not_found')
}

/** As it is once nobody else is changing it, and until this transaction ends. */
const findLocked = (tx: Tx, me: Agent, id: string): Promise<Contact> => find(tx, me, id, part`for no key update of c`)

async function findBetween(sql: Query, me: Agent, otherId: string): Promise<Contact | undefined> {
  const pair = (await findWith(sql, me.id, [otherId])).get(otherId)
  return pair && find(sql, me, pair.id)
}
