// Keys of the past against the messages that used them, and against the rows in which a send looks for them.
import { part } from '../../kernel/part.ts'
import { walk } from '../../store/walks.ts'
import { idKey, isPast, lowest, nonceKey, wasOf } from './past.ts'

/** Only messages of the last hour in the past are still there to be compared. */
export const pastMessagesWalk = walk({
  over: 'batches of past messages',
  checks: {
    'past.key': 'the ID or nonce of a message of the past could be used again',
    'past.party': 'a participant of a message of the past is not known to be one',
  },
  size: 20,
  next: (after) =>
    part`select last as id, ${after}::uuid as after from past_messages where last > ${after} order by last`,
  wrong: part`
    select c.name as check, m.id
    from messages m cross join lateral (values
      ('past.key', not ${isPast(idKey(part`m.sender_id`, part`m.client_message_id`))}
        or not ${isPast(nonceKey(part`m.contact_id`, part`m.nonce`))}),
      ('past.party', not ${wasOf(part`m.sender_id`, part`m.id`)} or not ${wasOf(part`m.recipient_id`, part`m.id`)})
    ) as c (name, is_wrong)
    where m.id > (select after from next limit 1) and m.id <= (select id from next order by id desc limit 1) and c.is_wrong`,
})

/** Where a row comes in the order of the keys, as text of the same order. */
const place = part`lpad(to_hex(first # ${lowest}), 16, '0')`

export const pastKeysWalk = walk({
  over: 'rows of past keys',
  checks: { 'past.row': 'keys of past messages are in a row where no send looks for them' },
  key: part`place`,
  next: (after) => part`
    select ${place} as place, p.first, p.keys,
      (select n.first from past_keys n where n.first > p.first order by n.first limit 1) as next_first
    from past_keys p ${isPlace(after) ? part`where p.first > ('x' || ${after}::text)::bit(64)::bigint # ${lowest}` : part``}
    order by p.first`,
  wrong: part`
    select 'past.row' as check, null as id from next
    where exists (select from unnest(keys) key where key < first or key >= next_first)`,
})

/** Else it is the beginning. */
const isPlace = (after: string): boolean => !after.includes('-')
