// What 90 days end: reading already refuses it (isLiving); here the keys go to the past, and an hour later the rows go.
import { days, earlier, firstIdOf, hours } from '../../kernel/clock.ts'
import { part } from '../../kernel/part.ts'
import { only, type Sql, type Tx } from '../../store/sql.ts'
import { retention } from './messages.ts'
import { idKey, lowest, mostKeys, nonceKey, partyKey } from './past.ts'

const batch = 1000
const deletedUpTo = 'messages_deleted_up_to'
const beforeAll = '00000000-0000-0000-0000-000000000000'

/** How long a row stays after its keys were written: a statement that sends and began before does not see them. */
const stays = hours(1)
/** Nodes of an earlier version know nothing of the keys, so nothing is deleted until an upgrade from one must be over. */
const upgradeTakes = days(1)
const upgrade = '0080_past_messages.sql'

/** Moves the next messages to the past and deletes the next ones that are there long enough. True when there may be more. */
export function forgetMessages(sql: Sql, now: Date): Promise<boolean> {
  return sql.transaction(async (tx) => {
    // A second sweeper waits for the first, and goes on behind it.
    await tx`select pg_advisory_xact_lock(hashtextextended('past messages', 0))`
    const moved = await move(tx, now)
    const deleted = await deleteBatch(tx, now)
    return moved || deleted
  })
}

/** IDs begin with their time: what is older than 90 days is what comes after the last batch and before that moment's IDs. */
async function move(tx: Tx, now: Date): Promise<boolean> {
  const rows = await tx<{ seen: number }>`
    with old as materialized (
      select * from messages
      where id > coalesce((select last from past_messages order by last desc limit 1), ${beforeAll}::uuid)
        and id < ${firstIdOf(earlier(now, retention))}::uuid
      order by id limit ${batch}
    ),
    used as (
      select ${idKey(part`sender_id`, part`client_message_id`)} as key from old
      union all select ${nonceKey(part`contact_id`, part`nonce`)} from old
    ),
    placed as (
      select coalesce((select first from past_keys where first <= key order by first desc limit 1), ${lowest}) as first,
        array_agg(key) as keys
      from used group by 1
    ),
    -- In front: of a row that only grew there, the log of changes has no more than what is new.
    grown as materialized (
      select first, keys || coalesce((select p.keys from past_keys p where p.first = placed.first), '{}') as keys from placed
    ),
    split as (
      select first, key, (row_number() over (partition by first order by key) - 1)
        * ceil(cardinality(keys) / ${mostKeys}::float8)::int / cardinality(keys) as part
      from grown, unnest(keys) key where cardinality(keys) > ${mostKeys}
    ),
    kept as (
      insert into past_keys (first, keys)
      select first, keys from grown where cardinality(keys) <= ${mostKeys}
      union all select case part when 0 then first else min(key) end, array_agg(key) from split group by first, part
      on conflict (first) do update set keys = excluded.keys
    ),
    noted as (
      insert into past_messages (last, parties, moved_at)
      select (select id from old order by id desc limit 1),
        array_agg(${partyKey(part`party`, part`id`)}), ${now}
      from old, unnest(array[sender_id, recipient_id]) party having count(*) > 0
    )
    select count(*)::int as seen from old`
  return only(rows).seen === batch
}

async function deleteBatch(tx: Tx, now: Date): Promise<boolean> {
  const rows = await tx<{ seen: number }>`
    with place as materialized (
      select coalesce((select value from instance where name = ${deletedUpTo}), ${beforeAll})::uuid as id
    ),
    next as materialized (
      select last, moved_at from past_messages where last > (select id from place) order by last limit 1
    ),
    due as materialized (
      select last from next where moved_at <= ${earlier(now, stays)}
        and exists (select from migrations where name = ${upgrade} and applied_at <= ${earlier(now, upgradeTakes)})
    ),
    gone as (
      delete from messages where id > (select id from place) and id <= (select last from due) returning id
    ),
    receipts as (delete from message_receipts t using gone where t.message_id = gone.id),
    noted as (
      insert into instance (name, value) select ${deletedUpTo}, last::text from due
      on conflict (name) do update set value = excluded.value
    )
    select count(*)::int as seen from due`
  return only(rows).seen > 0
}
