// Large tables, filled by SQL: what they hold is only as real as the measure needs.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { findRunning } from '../server/src/embedded/embedded.ts'
import type { Kith } from './targets.ts'

export async function databaseOf(kith: Kith): Promise<pg.Client> {
  const connection = await findRunning(join(kith.dataDir, 'postgres'))
  if (!connection) throw new Error('the embedded database is not running')
  const client = new pg.Client(connection)
  await client.connect()
  return client
}

export const uuid7 = (millisecond: string): string =>
  `(lpad(to_hex((${millisecond})::bigint), 12, '0') || '7' || substr(md5(random()::text), 1, 3) || '8' ||
    substr(md5(random()::text), 1, 15))::uuid`

/** Messages of a contact over the last 80 days, the newest a minute ago, each of so many bytes: a multiple of 32. */
export async function addMessages(db: pg.Client, contactId: string, count: number, bytes = 64): Promise<void> {
  await db.query(
    `insert into messages (id, contact_id, sender_id, recipient_id, client_message_id, digest, nonce, ciphertext, created_at)
     select ${uuid7(`extract(epoch from at) * 1000`)}, c.id, c.requester_id, c.recipient_id, gen_random_uuid(),
       sha256(n::text::bytea), substr(sha256(('nonce' || n)::bytea), 1, 24),
       (select string_agg(sha256((n || '/' || i)::bytea), ''::bytea) from generate_series(1, $3::int / 32) i), at
     from contacts c, generate_series(1, $2::int) n,
       lateral (select now() - interval '1 minute' - interval '80 days' * (1 - n / $2::float8) as at) t
     where c.id = $1`,
    [contactId, count, bytes],
  )
  await db.query('vacuum analyze messages')
}

/** Open profiles with a common word, and one word in every thousandth that only it has with its like. */
export async function addAgents(db: pg.Client, count: number): Promise<void> {
  await db.query(
    `with new as (
       select n, gen_random_uuid() as id, 'crowd' || n as handle,
         'crowd' || n || E'\\nAgent ' || n || E'\\ntranslates texts' || E'\\nworks with care ' || md5(n::text) as text
       from generate_series(1, $1::int) n
     ),
     parties as (insert into parties (id, kind, created_at) select id, 'agent', now() from new)
     insert into agents (id, handle, display_name, specialty, bio, encryption_public_key, search_text, search_grams,
       created_at, updated_at)
     select id, handle, 'Agent ' || n, 'translates texts', 'works with care ' || md5(n::text),
       sha256(n::text::bytea), lower(text), grams(lower(text)), now(), now()
     from new`.replace('grams(lower(text))', gramsOf('lower(text)')),
    [count],
  )
  await db.query(
    `insert into counters (name, shard, value) values ('open_agents', 99, $1)
    on conflict (name, shard) do update set value = counters.value + excluded.value`,
    [count],
  )
  await db.query('vacuum analyze agents')
}

/** Open profiles that differ in a number alone: a great many of them are made in little time. */
export async function addCrowd(db: pg.Client, count: number): Promise<void> {
  const { rows } = await db.query(`select indexdef as definition from pg_indexes where indexname = 'agents_by_gram'`)
  await db.query('drop index agents_by_gram')
  await db.query(`set maintenance_work_mem = '1GB'`)
  await db.query(
    `with new as materialized (
       select n, gen_random_uuid() as id, 'crowd' || n as handle,
         'crowd' || n || E'\\nagent ' || n || E'\\ntranslates texts\\nworks with care and an eye for detail' as text
       from generate_series(1, $1::int) n
     ),
     usual as materialized (
       select ${gramsOf(`'crowd agent translates texts works with care and an eye for detail'`)} as grams
     ),
     parties as (insert into parties (id, kind, created_at) select id, 'agent', now() from new)
     insert into agents (id, handle, display_name, specialty, bio, encryption_public_key, search_text, search_grams,
       created_at, updated_at)
     select id, handle, 'Agent ' || n, 'translates texts', 'works with care and an eye for detail',
       sha256(n::text::bytea), text,
       usual.grams || array(select distinct substr(n::text, at, size)
         from generate_series(1, 3) size, generate_series(1, length(n::text)) at where at + size - 1 <= length(n::text)),
       now(), now()
     from new, usual`,
    [count],
  )
  await db.query(
    `insert into counters (name, shard, value) values ('open_agents', 99, $1)
    on conflict (name, shard) do update set value = counters.value + excluded.value`,
    [count],
  )
  await db.query(rows[0].definition)
  await db.query('vacuum analyze agents')
}

/** The same grams that the service makes: 1-3 characters of each word. */
const gramsOf = (text: string): string => `array(
  select distinct substr(word, at, size)
  from regexp_split_to_table(${text}, '\\s+') word, generate_series(1, 3) size, generate_series(1, length(word)) at
  where at + size - 1 <= length(word))`

/** Unacknowledged events of an agent, oldest first: every second one of a kind that version 1 does not know. */
export async function addEvents(db: pg.Client, agentIds: readonly string[], count: number): Promise<void> {
  await db.query(
    `insert into events (recipient_id, min_version, id, kind, subject_id, payload, created_at)
     select r.id, case when n % 2 = 0 then 1 else 2 end, ${uuid7(`extract(epoch from now()) * 1000 - $2::int + n`)},
       case when n % 2 = 0 then 'order.changed' else 'bid.changed' end, gen_random_uuid(),
       json_build_object('version', n), now() - interval '1 hour'
     from unnest($1::uuid[]) as r (id), generate_series(1, $2::int) n`,
    [agentIds, count],
  )
  await db.query('vacuum analyze events')
}

/** Public posts of an open author over the last year, every second one portfolio; `hits` of them have a rare word. */
export async function addPosts(
  db: pg.Client,
  authorId: string,
  count: number,
  { hits }: { hits: number },
): Promise<void> {
  // Filled row by row the index of grams takes most of the time; it is the same when it is made afterwards.
  const { rows } = await db.query(`select indexdef as definition from pg_indexes where indexname = 'posts_by_gram'`)
  await db.query('drop index posts_by_gram')
  await db.query(`set maintenance_work_mem = '1GB'`)
  await db.query(
    `insert into posts (id, author_id, title, text, kind, visibility, project, search_text, search_grams, created_at,
       updated_at)
     select ${uuid7(`extract(epoch from at) * 1000`)}, $1, 'Work ' || n, text,
       case when n % 2 = 0 then 'portfolio' else 'update' end, 'public', '{}', searched,
       ${gramsOf('searched')}, at, at
     from generate_series(1, $2::int) n,
       lateral (select now() - interval '1 minute' - interval '365 days' * (n / $2::float8) as at) t,
       lateral (select 'with care ' || substr(md5(n::text), 1, 12) ||
         case when $3 > 0 and n % ($2 / greatest($3, 1)) = 0 then ' zymurgy 酿酒' else '' end as text) u,
       lateral (select 'work ' || n || E'\\n' || text || E'\\n\\x01\\n' as searched) v`,
    [authorId, count, hits],
  )
  await db.query(
    `insert into listed_posts (post_id, author_id, kind, created_at)
     select id, author_id, kind, created_at from posts where author_id = $1`,
    [authorId],
  )
  await db.query(
    `with made as (select kind, count(*) as posts from posts where author_id = $1 group by kind),
     own as (insert into post_counts (author_id, kind, visibility, posts) select $1, kind, 'public', posts from made)
     insert into counters (name, shard, value) select 'listed_' || kind, 99, posts from made
     on conflict (name, shard) do update set value = counters.value + excluded.value`,
    [authorId],
  )
  // Older posts belong to blocks that are closed: counted again.
  await db.query('delete from listed_blocks')
  await db.query(rows[0].definition)
  await db.query('vacuum analyze posts, listed_posts')
}

/** The sweep that counts the feed in blocks has caught up with so many posts that were put in at once. */
export async function blocksClosed(db: pg.Client, posts: number): Promise<void> {
  const deadline = performance.now() + 120_000
  for (;;) {
    const { rows } = await db.query(`select count(*)::int as closed from listed_blocks where series = 'all'`)
    if (rows[0].closed > posts / 1000 - 50) return
    if (performance.now() > deadline) throw new Error('the blocks of the feed were never closed')
    await sleep(500)
  }
}

/** What services are about: some of these words each, so that most of the grams of any other word are common. */
const vocabulary = (
  'logo design poster drawing translation review test summary research table script contract report interview ' +
  'letter story music melody recipe travel plan budget garden lesson course essay speech slogan campaign market ' +
  'analysis forecast model dataset label photo retouch portrait animation subtitle transcript proof audit security ' +
  'website server database migration backup monitoring chart diagram manual guide checklist calendar negotiation ' +
  'history physics chemistry biology astronomy statistics grammar poetry mosaic ceramics carpentry architecture'
).split(' ')

export const searched = {
  /** Ten services each: a word of uncommon letters, and one whose grams the others have. */
  rare: 'zymurgy',
  rareOfCommonGrams: 'stration',
  /** Every hundredth service. */
  hundredth: 'quixotic',
}

/** Listed services over the last year, of providers in turns; `hits` of them have the rare words. */
export async function addServices(
  db: pg.Client,
  providerIds: readonly string[],
  count: number,
  { hits }: { hits: number },
): Promise<void> {
  const { rows } = await db.query(`select indexdef as definition from pg_indexes where indexname = 'services_by_gram'`)
  await db.query('drop index services_by_gram')
  await db.query(`set maintenance_work_mem = '1GB'`)
  await db.query(
    `with phrase as materialized (
       select k, text, ${gramsOf(`'service ' || text || ' a file'`)} as grams
       from generate_series(0, 499) k, lateral (
         select string_agg(($5::text[])[1 + ('x' || substr(md5(k || ' ' || i), 1, 7))::bit(28)::int % cardinality($5::text[])], ' ')
         from generate_series(1, 8) i) t (text)
     ),
     extra as materialized (
       select mark, text, ${gramsOf('text')} as grams from (values (1, $6::text), (2, $7)) t (mark, text)
     ),
     made as (
       select ${uuid7(`extract(epoch from at) * 1000`)} as id, ($1::uuid[])[1 + n % cardinality($1::uuid[])] as provider, n, at,
         p.text || coalesce(' ' || e.text, '') as text, 100 + 10 * (n % 977) as amount,
         p.grams || coalesce(e.grams, '{}') || array(
           select distinct substr(n::text, at, size)
           from generate_series(1, 3) size, generate_series(1, length(n::text)) at where at + size - 1 <= length(n::text)) as grams
       from generate_series(1, $2::int) n
       join phrase p on p.k = n % 500
       left join extra e on e.mark = case when $3 > 0 and n % ($2 / greatest($3, 1)) = 0 then 1 when n % 100 = 7 then 2 end,
         lateral (select now() - interval '1 minute' - interval '365 days' * (n / $2::float8) as at) t
     ),
     written as (
       insert into services (id, provider_id, state, title, description, tags, price_mode, unit_label, unit_folded, amount_minor,
         fee_bps, fee_minor, total_minor, input_schema, delivery_description, portfolio_post_ids, search_text,
         search_grams, created_at, updated_at)
       select id, provider, 'published', 'Service ' || n, text, '{}', case when n % 4 = 0 then 'from' else 'fixed' end, 'piece',
         'piece', amount, 1000, amount / 10, amount + amount / 10, $4::json, 'A file', '{}',
         'service ' || n || E'\\n' || text || E'\\na file', grams, at, at
       from made
       returning id, provider_id, state, price_mode, unit_folded, total_minor
     )
     insert into listed_services (service_id, provider_id, state, price_mode, unit_label, total_minor) select * from written`,
    [
      providerIds,
      count,
      hits,
      JSON.stringify({ version: 1, fields: [] }),
      vocabulary,
      `${searched.rare} ${searched.rareOfCommonGrams}`,
      searched.hundredth,
    ],
  )
  await db.query(rows[0].definition)
  await db.query('vacuum analyze services, listed_services')
}

/**
 * Accepted orders of two parties with their history and their ledger lines, five each: a reserve and a capture. The
 * balances end where they were.
 */
export async function addLedgerEntries(
  db: pg.Client,
  customerId: string,
  contractorId: string,
  count: number,
): Promise<void> {
  const cycles = Math.ceil(count / 5)
  const id = uuid7('extract(epoch from now()) * 1000 - 1e9 + n')
  await db.query('alter table ledger_entries disable trigger user')
  await db.query(
    `with wallet as (select * from wallets where party_id = $1), payee as (select * from wallets where party_id = $2),
     cycle as materialized (
       select n, ${id} as order_id, ${id} as reserve_id, ${id} as capture_id from generate_series(1, $3::int) n
     ), made as (
       insert into orders (id, state, version, source, title, description, deadline, customer_id, contractor_id,
         offer_author_id, amount_minor, fee_bps, fee_minor, total_minor, outcome, created_at, updated_at, closed_at)
       select order_id, 'closed', 5, 'direct', 'A piece of work', 'As agreed', now(), $1, $2, $2, 10, 1000, 1, 11,
         'accepted', now(), now(), now() from cycle
     ), noted as (
       insert into order_history (order_id, version, action, actor_id, from_state, to_state, created_at)
       select order_id, line.* from cycle, lateral (values
         (1, 'offer', $2::uuid, null, 'offered', now()), (2, 'accept', $1, 'offered', 'funded', now()),
         (3, 'start', $2, 'funded', 'in_progress', now()), (4, 'deliver', $2, 'in_progress', 'delivered', now()),
         (5, 'complete', $1, 'delivered', 'closed', now())) as line
     ), owed as (
       insert into order_payouts (order_id, party_id, kind, amount_minor) select order_id, $2, 'payout', 10 from cycle
     ), reserves as (
       insert into ledger_transactions (id, kind, order_id, created_at)
       select reserve_id, 'reserve', order_id, now() from cycle
     ), captures as (
       insert into ledger_transactions (id, kind, order_id, created_at)
       select capture_id, 'capture', order_id, now() from cycle
     )
     insert into ledger_entries (id, transaction_id, account, party_id, kind, amount_minor, sequence,
       available_after_minor, reserved_after_minor)
     select ${id}, line.* from cycle, wallet, payee, lateral (values
       (reserve_id, 'available', wallet.party_id, 'reserve', -11::bigint, wallet.last_sequence + 2 * n - 1, 0::bigint, 11::bigint),
       (reserve_id, 'reserved', wallet.party_id, 'reserve', 11, wallet.last_sequence + 2 * n - 1, 0, 11),
       (capture_id, 'reserved', wallet.party_id, 'capture', -11, wallet.last_sequence + 2 * n, 0, 0),
       (capture_id, 'available', payee.party_id, 'payout', 10, payee.last_sequence + n, 10, 0),
       (capture_id, 'fees', null, 'capture', 1, null, null, null)) as line`,
    [customerId, contractorId, cycles],
  )
  await db.query('alter table ledger_entries enable trigger user')
  await db.query(
    `update wallets set last_sequence = last_sequence + case when party_id = $1 then 2 else 1 end * $3::int
     where party_id in ($1, $2)`,
    [customerId, contractorId, cycles],
  )
  await db.query('vacuum analyze ledger_entries, ledger_transactions, orders, order_history, order_payouts')
}
