// Sending, the hot path: every check, the message and its event in one statement for all that wait, then the answer
// and the recipient's socket. docs/decisions/0004-hot-path.md says why it is one.
import { hash } from 'node:crypto'
import { sinceOf } from '../../events/kinds.ts'
import type { Admitted, Agent } from '../../kernel/callers.ts'
import { earlier, newId } from '../../kernel/clock.ts'
import { gateRefusal, inactiveBy } from '../../kernel/gate.ts'
import { type Code, Refusal, refuse, unauthorized } from '../../kernel/refuse.ts'
import { perService, type Service } from '../../service.ts'
import { coalesce } from '../../store/coalesce.ts'
import type { Query } from '../../store/sql.ts'
import { type Message, retention } from './messages.ts'

/** An envelope whose fields were checked for their form; base64 is canonical. */
export type Envelope = Omit<Message, 'id' | 'sender_id' | 'created_at'>

interface Send {
  sender: Admitted<Agent>
  envelope: Envelope
}

export interface SentMessage {
  message: Message
  created: boolean
}

type Outcome = { outcome: 'created' | 'replay'; id: string; created_at: Date } | { outcome: 'again' } | Refused

interface Refused {
  outcome: Code
  /** The case that its sender is suspended by. */
  suspensionCaseId: string | null
}

const maxAttempts = 5

/** Sends as the agent of a session, whose token may have been recalled from memory: it is checked with all else. */
export type Sender = (sender: Admitted<Agent>, envelope: Envelope) => Promise<SentMessage>

/**
 * Returns the verb that sends. The caller's token is checked in the same statement, so the agent may come from
 * memory. Refuses, in this order: unauthorized; idempotency_conflict, message_expired (a used client_message_id);
 * profile_inactive, owner_email_required; invalid_input (to the sender itself), not_found; contact_not_accepted; key_changed,
 * peer_key_changed, nonce_reuse.
 */
function createSender(service: Service): Sender {
  const write = coalesce<Send, Outcome>({
    write: (sends) => {
      service.metrics.sendBatch.observe(sends.length)
      return insertAll(service, service.hot, sends)
    },
    written: (sends, outcomes) => push(service, sends, outcomes),
    keys: ({ sender, envelope }) => [
      `${sender.caller.id} ${envelope.client_message_id}`,
      `${[sender.caller.id, envelope.recipient_id].sort().join(' ')} ${envelope.nonce}`,
    ],
    maxBatch: 64,
    // One is prepared while the other waits for the disk. Workers write beside each other anyway: more at once would only
    // make each write smaller.
    concurrency: service.config.workers > 1 ? 1 : 2,
    maxWaiting: 10_000,
    onFull: () => new Refusal('service_unavailable', { retryAfter: 1 }),
  })
  return async (sender, envelope) => {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const result = await write({ sender, envelope })
      // Another node wrote the same id or nonce at the same moment, or blocked: what it did decides the next time.
      if (result.outcome === 'again') continue
      if (result.outcome !== 'created' && result.outcome !== 'replay') return refuseSend(result as Refused)
      const message = messageFrom(sender, envelope, result as { id: string; created_at: Date })
      return { message, created: result.outcome === 'created' }
    }
    return refuse('service_unavailable', { retryAfter: 1 })
  }
}

/** The sender of a running process. */
export const senderOf = perService(createSender)

function refuseSend({ outcome: code, suspensionCaseId }: Refused): never {
  if (code === 'unauthorized') unauthorized()
  if (code === 'invalid_input') {
    refuse(code, { details: { fields: [{ path: 'recipient_id', problem: 'must be another agent' }] } })
  }
  return refuse(code, code === 'profile_inactive' ? inactiveBy(suspensionCaseId) : {})
}

const messageFrom = (
  { caller: sender }: Admitted<Agent>,
  envelope: Envelope,
  { id, created_at }: { id: string; created_at: Date },
): Message => ({
  id,
  sender_id: sender.id,
  recipient_id: envelope.recipient_id,
  client_message_id: envelope.client_message_id,
  nonce: envelope.nonce,
  ciphertext: envelope.ciphertext,
  encryption_version: 'box-v1',
  sender_public_key: envelope.sender_public_key,
  recipient_public_key: envelope.recipient_public_key,
  created_at: created_at.toISOString(),
})

/** What a replay is compared by: the envelope without its idempotency key. */
const envelopeDigest = ({
  recipient_id,
  nonce,
  sender_public_key,
  recipient_public_key,
  ciphertext,
}: Envelope): string =>
  hash('sha256', [recipient_id, nonce, sender_public_key, recipient_public_key, ciphertext].join(' '), 'base64')

interface Row {
  ord: number
  outcome: string
  prior_id: string | null
  prior_created_at: Date | null
  inserted: boolean
  suspension_case_id: string | null
}

async function insertAll(service: Service, sql: Query, sends: readonly Send[]): Promise<Outcome[]> {
  const now = service.clock.now()
  const ids = sends.map(() => newId(now))
  // Neither base64 nor UUIDs hold a comma: one string a column is cheaper to make and to read than an array.
  const column = (of: (send: Send) => string): string => sends.map(of).join(',')
  const rows = await sql<Row>`
    with input as materialized (
      select ord::int, decode(token_digest, 'base64') as token_digest, recipient_id, client_message_id,
        decode(nonce, 'base64') as nonce, decode(ciphertext, 'base64') as ciphertext,
        decode(digest, 'base64') as digest, decode(sender_key, 'base64') as sender_key,
        decode(recipient_key, 'base64') as recipient_key, message_id
      from unnest(
        string_to_array(${column(({ sender }) => sender.session.digest.toString('base64'))}, ','),
        string_to_array(${column(({ envelope }) => envelope.recipient_id)}, ',')::uuid[],
        string_to_array(${column(({ envelope }) => envelope.client_message_id)}, ',')::uuid[],
        string_to_array(${column(({ envelope }) => envelope.nonce)}, ','),
        string_to_array(${column(({ envelope }) => envelope.ciphertext)}, ','),
        string_to_array(${column(({ envelope }) => envelopeDigest(envelope))}, ','),
        string_to_array(${column(({ envelope }) => envelope.sender_public_key)}, ','),
        string_to_array(${column(({ envelope }) => envelope.recipient_public_key)}, ','),
        string_to_array(${ids.join(',')}, ',')::uuid[]
      ) with ordinality as t (token_digest, recipient_id, client_message_id, nonce, ciphertext, digest,
        sender_key, recipient_key, message_id, ord)
    ),
    judged as materialized (
      select i.*, a.id as sender_id, a.suspension_case_id, c.id as contact_id, p.id as prior_id, p.created_at as prior_created_at,
        case
          when a.id is null then 'unauthorized'
          when p.id is not null and p.digest <> i.digest then 'idempotency_conflict'
          when p.ciphertext is null and p.id is not null or p.created_at <= ${earlier(now, retention)} then 'message_expired'
          when p.id is not null then 'replay'
          when g.refusal is not null then g.refusal
          when i.recipient_id = a.id then 'invalid_input'
          when r.id is null then 'not_found'
          when c.status is distinct from 'accepted' then 'contact_not_accepted'
          when a.encryption_public_key <> i.sender_key then 'key_changed'
          when r.encryption_public_key <> i.recipient_key then 'peer_key_changed'
          when n.id is not null then 'nonce_reuse'
          else 'created'
        end as outcome
      from input i
      -- Each look-up is fenced (offset 0), so that it goes by its unique key whatever the tables held when the plan
      -- was made: plans of small tables were seen to read all live tokens, or every nonce there is.
      left join lateral (select * from tokens where digest = i.token_digest offset 0) t
        on t.revoked_at is null and t.expires_at > ${now}
      left join lateral (select * from agents where id = t.agent_id offset 0) a on true
      left join lateral (select ${gateRefusal(service, now)} as refusal) g on true
      left join lateral (select * from agents where id = i.recipient_id offset 0) r on true
      -- A block waits for this statement, or this statement sees the block: nothing is sent past one.
      left join lateral (
        select id, status from contacts where least(requester_id, recipient_id) = least(a.id, i.recipient_id)
          and greatest(requester_id, recipient_id) = greatest(a.id, i.recipient_id) for share) c on true
      left join lateral (
        select * from messages where sender_id = a.id and client_message_id = i.client_message_id offset 0) p on true
      left join lateral (select id from messages where contact_id = c.id and nonce = i.nonce offset 0) n on true
    ),
    inserted as (
      insert into messages (id, contact_id, sender_id, recipient_id, client_message_id, digest, nonce, ciphertext, created_at)
      select j.message_id, j.contact_id, j.sender_id, j.recipient_id, j.client_message_id, j.digest, j.nonce,
        j.ciphertext, ${now}
      from judged j where j.outcome = 'created'
      -- One order for all nodes, so that the same envelopes sent to two of them wait for each other and never in a ring.
      order by j.sender_id, j.client_message_id
      on conflict do nothing returning id, recipient_id
    ),
    -- A message has one event of its creation: it goes by the message's own id.
    emitted as (
      insert into events (recipient_id, min_version, id, kind, subject_id, created_at)
      select recipient_id, ${sinceOf('message.created')}, id, 'message.created', id, ${now} from inserted
    )
    select j.ord, j.outcome, j.prior_id, j.prior_created_at, j.message_id in (select id from inserted) as inserted,
      j.suspension_case_id
    from judged j order by j.ord`
  return rows.map((row, at): Outcome => {
    if (row.outcome === 'replay') {
      return { outcome: 'replay', id: row.prior_id as string, created_at: row.prior_created_at as Date }
    }
    if (row.outcome !== 'created') {
      return { outcome: row.outcome as Code, suspensionCaseId: row.suspension_case_id }
    }
    if (!row.inserted) return { outcome: 'again' }
    return { outcome: 'created', id: ids[at] as string, created_at: now }
  })
}

/** Straight from memory to the recipient's socket, as the row would be read on delivery. */
function push(service: Service, sends: readonly Send[], outcomes: readonly Outcome[]): void {
  service.hub.push(
    outcomes.flatMap((result, at) => {
      if (result.outcome !== 'created') return []
      const { sender, envelope } = sends[at] as Send
      const { id, created_at } = result as { id: string; created_at: Date }
      return [
        {
          id,
          recipientId: envelope.recipient_id,
          kind: 'message.created' as const,
          payload: messageFrom(sender, envelope, { id, created_at }),
        },
      ]
    }),
  )
}
