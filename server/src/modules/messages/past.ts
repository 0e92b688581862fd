// What is known of messages whose 90 days are over: which IDs and nonces were used, and who took part.
// docs/decisions/0015-past-messages.md
import { type Part, part } from '../../kernel/part.ts'

/** Of the ID that a sender chose. */
export const idKey = (sender: Part, clientMessageId: Part): Part =>
  part`past_key(${sender}, uuid_send(${clientMessageId}))`

/** Of a nonce between the two agents of a contact. */
export const nonceKey = (contact: Part, nonce: Part): Part => part`past_key(${contact}, ${nonce})`

/** Whether a message of the past used this key. */
export const isPast = (key: Part): Part => part`coalesce((
  select ${key} = any (keys) from past_keys where first <= ${key} order by first desc limit 1), false)`

/** What a participant of a message of the past is known by. */
export const partyKey = (party: Part, message: Part): Part =>
  part`(past_key(${party}, uuid_send(${message})) >> 32)::int`

/** Whether a message of the past was this agent's. */
export const wasOf = (party: Part, message: Part): Part => part`coalesce((
  select ${partyKey(party, message)} = any (parties) from past_messages where last >= ${message} order by last limit 1), false)`

/** The most keys in a row of `past_keys`: a send reads one row for each of its keys, a sweep writes it again. */
export const mostKeys = 120

/** `first` of the lowest row. */
export const lowest: Part = part`(-9223372036854775808)::bigint`
