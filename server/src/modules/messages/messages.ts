// Private messages: envelopes of box-v1 that the server stores, delivers and forgets after 90 days, unopened.
// docs/contract/messages.md.

import type { PayloadOf } from '../../events/kinds.ts'
import { emit } from '../../events/outbox.ts'
import type { Agent } from '../../kernel/callers.ts'
import { days, earlier, firstIdOf } from '../../kernel/clock.ts'
import { before } from '../../kernel/lists.ts'
import { type Part, part } from '../../kernel/part.ts'
import { refuse } from '../../kernel/refuse.ts'
import type { Query, Tx } from '../../store/sql.ts'
import { wasOf } from './past.ts'

export const retention: number = days(90)
export const maxPage = 100

export type Message = PayloadOf<'message.created'>

/** Whether a message (alias `m`) is still there: the one retention rule, held by reading and not by the sweep. */
export const isLiving = (now: Date): Part =>
  part`m.ciphertext is not null and m.created_at > ${earlier(now, retention)}`

/** A message as both sides and its event show it; a key never changes, so it is the agent's. */
export const messageColumns: Part = part`m.id, m.sender_id, m.recipient_id, m.client_message_id, m.created_at,
  translate(encode(m.nonce, 'base64'), E'\n', '') as nonce,
  translate(encode(m.ciphertext, 'base64'), E'\n', '') as ciphertext,
  translate(encode(s.encryption_public_key, 'base64'), E'\n', '') as sender_public_key,
  translate(encode(r.encryption_public_key, 'base64'), E'\n', '') as recipient_public_key`
export const messageSides: Part = part`join agents s on s.id = m.sender_id join agents r on r.id = m.recipient_id`

export type MessageRow = Omit<Message, 'created_at' | 'encryption_version'> & { created_at: Date }

export const messageOf = (row: MessageRow): Message => ({
  id: row.id,
  sender_id: row.sender_id,
  recipient_id: row.recipient_id,
  client_message_id: row.client_message_id,
  nonce: row.nonce,
  ciphertext: row.ciphertext,
  encryption_version: 'box-v1',
  sender_public_key: row.sender_public_key,
  recipient_public_key: row.recipient_public_key,
  created_at: row.created_at.toISOString(),
})

interface Wanted {
  peer: string | undefined
  before: string | undefined
}

/** The IDs of a page of the caller's messages and of one more, newest first. An unknown `before` is `not_found`. */
async function pageIds(sql: Query, now: Date, me: Agent, { peer, before: beforeId }: Wanted): Promise<Part> {
  if (beforeId !== undefined) {
    const [own] = await sql`
      select 1 from messages where id = ${beforeId} and ${me.id} in (sender_id, recipient_id)
      union all select 1 where ${wasOf(part`${me.id}::uuid`, part`${beforeId}::uuid`)}`
    if (!own) refuse('not_found')
  }
  // IDs begin with their time, so that a page reads nothing that is over and not deleted yet.
  const oldest = firstIdOf(earlier(now, retention))
  const page = part`and ${isLiving(now)} and m.id >= ${oldest}::uuid
    ${beforeId === undefined ? part`` : part`and m.id < ${beforeId}`}
    order by m.id desc limit ${maxPage + 1}`
  const ids =
    peer === undefined
      ? part`(select m.id from messages m where m.sender_id = ${me.id} ${page})
          union all (select m.id from messages m where m.recipient_id = ${me.id} ${page})`
      : part`select m.id from messages m where m.contact_id = (
            select c.id from contacts c
            where least(c.requester_id, c.recipient_id) = least(${me.id}::uuid, ${peer}::uuid)
              and greatest(c.requester_id, c.recipient_id) = greatest(${me.id}::uuid, ${peer}::uuid)) ${page}`
  return part`select id from (${ids}) hits order by id desc limit ${maxPage + 1}`
}

/** The caller's messages, newest first; with `peer` those of one conversation. */
export async function list(sql: Query, now: Date, me: Agent, wanted: Wanted) {
  const rows = await sql<MessageRow>`
    select ${messageColumns} from (${await pageIds(sql, now, me, wanted)}) hit
    join messages m on m.id = hit.id ${messageSides} order by m.id desc`
  const { rows: messages, next_before } = before(rows.map(messageOf), maxPage)
  return { messages, next_before }
}

/** What became of the messages of such a page. */
export async function statuses(sql: Query, now: Date, me: Agent, wanted: Wanted) {
  const found = await sql<StatusRow>`
    select ${statusColumns} from (${await pageIds(sql, now, me, wanted)}) hit
    join messages m on m.id = hit.id ${receipts} order by m.id desc`
  const { rows, next_before } = before(found, maxPage)
  return { statuses: rows.map((row) => ({ message_id: row.id, status: show(row) })), next_before }
}

export interface MessageStatus {
  server_accepted_at: string
  delivery_status: 'not_confirmed' | 'delivered'
  delivered_at: string | null
  delivery_source: 'recipient_event_ack' | null
  processing_status: 'not_reported' | 'queued' | 'processed'
  queued_at: string | null
  processed_at: string | null
  processing_source: 'recipient_report' | null
  read_status: 'not_available'
  version: number
}

interface StatusRow {
  id: string
  sender_id: string
  recipient_id: string
  created_at: Date
  delivered_at: Date | null
  queued_at: Date | null
  processed_at: Date | null
  version: number
}

const statusColumns = part`m.id, m.sender_id, m.recipient_id, m.created_at, t.delivered_at, t.queued_at, t.processed_at,
  coalesce(t.version, 1)::int as version`
const receipts = part`left join message_receipts t on t.message_id = m.id`

/** What became of a message, for its two participants. */
export async function status(sql: Query, now: Date, me: Agent, id: string): Promise<MessageStatus> {
  return show(await findStatus(sql, now, me, id))
}

async function findStatus(sql: Query, now: Date, me: Agent, id: string): Promise<StatusRow> {
  const [row] = await sql<StatusRow>`
    select ${statusColumns} from messages m ${receipts}
    where m.id = ${id} and ${me.id} in (m.sender_id, m.recipient_id) and ${isLiving(now)}`
  return row ?? refuse('not_found')
}

/** The recipient's report; a repeated one changes nothing, and none goes back behind `processed`. */
export async function reportProcessing(
  tx: Tx,
  me: Agent,
  id: string,
  report: 'queued' | 'processed',
): Promise<MessageStatus> {
  const message = await findStatus(tx, tx.now, me, id)
  if (message.recipient_id !== me.id) refuse('forbidden', { message: 'Only the recipient can report this' })
  const [changed] =
    report === 'queued'
      ? await tx<{ version: number }>`
          insert into message_receipts as t (message_id, queued_at, version) values (${id}, ${tx.now}, 2)
          on conflict (message_id) do update set queued_at = excluded.queued_at, version = t.version + 1
          where t.queued_at is null and t.processed_at is null returning version`
      : await tx<{ version: number }>`
          insert into message_receipts as t (message_id, processed_at, version) values (${id}, ${tx.now}, 2)
          on conflict (message_id) do update set processed_at = excluded.processed_at, version = t.version + 1
          where t.processed_at is null returning version`
  const standing = await findStatus(tx, tx.now, me, id)
  if (changed) {
    const payload = { message_id: id, version: changed.version }
    await emit(tx, { kind: 'message.status_changed', to: [message.sender_id], subject: id, payload })
  } else if (report === 'queued' && standing.processed_at) {
    refuse('processing_already_completed')
  }
  return show(standing)
}

const show = (row: StatusRow): MessageStatus => ({
  server_accepted_at: row.created_at.toISOString(),
  delivery_status: row.delivered_at ? 'delivered' : 'not_confirmed',
  delivered_at: row.delivered_at?.toISOString() ?? null,
  delivery_source: row.delivered_at ? 'recipient_event_ack' : null,
  processing_status: row.processed_at ? 'processed' : row.queued_at ? 'queued' : 'not_reported',
  queued_at: row.queued_at?.toISOString() ?? null,
  processed_at: row.processed_at?.toISOString() ?? null,
  processing_source: row.processed_at || row.queued_at ? 'recipient_report' : null,
  read_status: 'not_available',
  version: row.version,
})
