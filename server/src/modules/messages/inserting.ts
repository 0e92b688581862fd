// The two statements that send. Nearly every envelope has no fault: a short statement inserts it if every check holds, and a
// second one with all lookups judges only those that were not inserted. docs/decisions/0004-hot-path.md.
import { hash } from 'node:crypto'
import { sinceOf } from '../../events/kinds.ts'
import type { Admitted, Agent } from '../../kernel/callers.ts'
import { days, earlier, newId } from '../../kernel/clock.ts'
import { gateRefusal } from '../../kernel/gate.ts'
import { type Part, part } from '../../kernel/part.ts'
import type { Code } from '../../kernel/refuse.ts'
import type { Service } from '../../service.ts'
import { type Message, retention } from './messages.ts'
import { idKey, isPast, nonceKey } from './past.ts'

/** An envelope whose fields were checked for their form; base64 is canonical. */
export type Envelope = Omit<Message, 'id' | 'sender_id' | 'created_at'>

export interface Send {
  sender: Admitted<Agent>
  envelope: Envelope
}

export interface Created {
  outcome: 'created'
  id: string
  created_at: Date
  /** When its statement began, by `performance.now()`. */
  begunAt: number
  /** The message as its response and its event have it, once it was made. */
  json?: string
}

export type Stored = Created | { outcome: 'replay'; id: string; created_at: Date }

export type Outcome = Stored | Again | Refused

/** Another statement wrote the same ID or nonce at the same moment. */
interface Again {
  outcome: 'again'
}

export interface Refused {
  outcome: Code
  /** The case that its sender is suspended by. */
  suspensionCaseId: string | null
}

/** The columns of an envelope in {@link one} and {@link many}. */
const decoded = part`decode(token_digest, 'base64') as token_digest, recipient_id, client_message_id,
  decode(nonce, 'base64') as nonce, decode(ciphertext, 'base64') as ciphertext,
  decode(digest, 'base64') as digest, decode(sender_key, 'base64') as sender_key,
  decode(recipient_key, 'base64') as recipient_key, message_id`

/** Envelopes as rows, in their order; `ord` counts from 1. */
function many(sends: readonly Send[], ids: readonly string[]): Part {
  // Neither base64 nor UUIDs hold a comma: one string a column is cheaper to make and to read than an array.
  const column = (of: (send: Send) => string): string => sends.map(of).join(',')
  return part`
    select ord::int, ${decoded}
    from unnest(
      string_to_array(${column(tokenOf)}, ','),
      string_to_array(${column(({ envelope }) => envelope.recipient_id)}, ',')::uuid[],
      string_to_array(${column(({ envelope }) => envelope.client_message_id)}, ',')::uuid[],
      string_to_array(${column(({ envelope }) => envelope.nonce)}, ','),
      string_to_array(${column(({ envelope }) => envelope.ciphertext)}, ','),
      string_to_array(${column(({ envelope }) => envelopeDigest(envelope))}, ','),
      string_to_array(${column(({ envelope }) => envelope.sender_public_key)}, ','),
      string_to_array(${column(({ envelope }) => envelope.recipient_public_key)}, ','),
      string_to_array(${ids.join(',')}, ',')::uuid[]
    ) with ordinality as t (token_digest, recipient_id, client_message_id, nonce, ciphertext, digest,
      sender_key, recipient_key, message_id, ord)`
}

/** One envelope as a row, without what a list of them needs: half of a single send was to prepare its plan. */
const one = (send: Send, id: string): Part => part`
  select ${decoded} from (select ${tokenOf(send)}::text as token_digest, ${send.envelope.recipient_id}::uuid as recipient_id,
    ${send.envelope.client_message_id}::uuid as client_message_id, ${send.envelope.nonce}::text as nonce,
    ${send.envelope.ciphertext}::text as ciphertext, ${envelopeDigest(send.envelope)}::text as digest,
    ${send.envelope.sender_public_key}::text as sender_key, ${send.envelope.recipient_public_key}::text as recipient_key,
    ${id}::uuid as message_id) t`

const tokenOf = ({ sender }: Send): string => sender.session.digest.toString('base64')

/** The events of the rows of `inserted`: a message has one of its creation, which goes by the message's own ID. */
const emitting = (now: Date): Part => part`
  insert into events (recipient_id, min_version, id, kind, subject_id, created_at)
  select recipient_id, ${sinceOf('message.created')}, id, 'message.created', id, ${now} from inserted`

/** Who and what is younger than this has no message in the past; a day less than 90, for the clocks of other nodes. */
const pastFrom = (now: Date): Date => earlier(now, retention - days(1))

/** The keys of a row, null where a new sender or a new contact cannot have used one; computed once for two uses of each. */
const pastKeys = (now: Date): Part => part`cross join lateral (select
    case when a.created_at <= ${pastFrom(now)} then ${idKey(part`a.id`, part`i.client_message_id`)} end as of_id,
    case when c.created_at <= ${pastFrom(now)} then ${nonceKey(part`c.id`, part`i.nonce`)} end as of_nonce offset 0) k`

/** No message of the past used the ID or the nonce of a row with {@link pastKeys}. */
const isUnused = part`and not ${isPast(part`k.of_id`)} and not ${isPast(part`k.of_nonce`)}`

// One order for all nodes, so that the same envelopes sent to two of them wait for each other and never in a ring.
const inOneOrder = part`order by a.id, i.client_message_id`

/**
 * Inserts the envelopes that have no fault, with their events; undefined for each of the others, whatever its fault
 * is. A used ID or nonce is a unique key that its row would violate, or a key of the past.
 */
export async function insertFaultless(service: Service, sends: readonly Send[]): Promise<(Created | undefined)[]> {
  const [now, begunAt] = [service.clock.now(), performance.now()]
  const ids = sends.map(() => newId(now))
  const [first] = sends as [Send]
  const isOne = sends.length === 1
  // Statements of new agents save all of it.
  const mayRepeat = sends.some(({ sender }) => sender.caller.createdAt <= pastFrom(now))
  const rows = await service.hot<{ id: string }>`
    with inserted as (
      insert into messages (id, contact_id, sender_id, recipient_id, client_message_id, digest, nonce, ciphertext, created_at)
      select i.message_id, c.id, a.id, i.recipient_id, i.client_message_id, i.digest, i.nonce, i.ciphertext, ${now}
      from (${isOne ? one(first, ids[0] as string) : many(sends, ids)}) i
      -- Fenced as in the other statement, and one condition over all of them: none can move into a lookup.
      cross join lateral (
        select agent_id, revoked_at, expires_at from tokens where digest = i.token_digest offset 0) t
      cross join lateral (
        select id, suspended_at, email_verified_at, created_at, encryption_public_key from agents
        where id = t.agent_id offset 0) a
      cross join lateral (select id, encryption_public_key from agents where id = i.recipient_id offset 0) r
      -- A block waits for this statement, or this statement sees the block: nothing is sent past one.
      cross join lateral (
        select id, status, created_at from contacts where least(requester_id, recipient_id) = least(a.id, r.id)
          and greatest(requester_id, recipient_id) = greatest(a.id, r.id) for share) c
      ${mayRepeat ? pastKeys(now) : part``}
      where case
        when t.revoked_at is not null or t.expires_at <= ${now} then false
        when ${gateRefusal(service, now)} is not null then false
        else a.id <> i.recipient_id and c.status = 'accepted'
          and a.encryption_public_key = i.sender_key and r.encryption_public_key = i.recipient_key
          ${mayRepeat ? isUnused : part``}
      end
      ${isOne ? part`` : inOneOrder}
      on conflict do nothing returning id, recipient_id
    ),
    emitted as (${emitting(now)})
    select id from inserted`
  const inserted = new Set(rows.map(({ id }) => id))
  return ids.map((id) => (inserted.has(id) ? { outcome: 'created', id, created_at: now, begunAt } : undefined))
}

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

/**
 * Judges each envelope: inserts those that have no fault, with their events, and finds the first fault of the others.
 */
export async function insertJudged(service: Service, sends: readonly Send[]): Promise<Outcome[]> {
  const [now, begunAt] = [service.clock.now(), performance.now()]
  const ids = sends.map(() => newId(now))
  const rows = await service.hot<Row>`
    with input as materialized (${many(sends, ids)}),
    judged as materialized (
      select i.*, a.id as sender_id, a.suspension_case_id, c.id as contact_id, p.id as prior_id, p.created_at as prior_created_at,
        case
          when a.id is null then 'unauthorized'
          -- Once its row is deleted only the ID is known: so another envelope gets the same refusal from the first moment.
          when p.ciphertext is null and p.id is not null or p.created_at <= ${earlier(now, retention)} then 'message_expired'
          when p.id is not null and p.digest <> i.digest then 'idempotency_conflict'
          when p.id is not null then 'replay'
          when ${isPast(idKey(part`a.id`, part`i.client_message_id`))} then 'message_expired'
          when g.refusal is not null then g.refusal
          when i.recipient_id = a.id then 'invalid_input'
          when r.id is null then 'not_found'
          when c.status is distinct from 'accepted' then 'contact_not_accepted'
          when a.encryption_public_key <> i.sender_key then 'key_changed'
          when r.encryption_public_key <> i.recipient_key then 'peer_key_changed'
          when n.id is not null or ${isPast(nonceKey(part`c.id`, part`i.nonce`))} then 'nonce_reuse'
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
    emitted as (${emitting(now)})
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
    return { outcome: 'created', id: ids[at] as string, created_at: now, begunAt }
  })
}
