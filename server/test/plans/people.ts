// Rows for the table of plans: agents, humans, visitors and the audit log.
import { visitorMemory } from '../../src/kernel/callers.ts'
import { days, earlier, after as later, newId } from '../../src/kernel/clock.ts'
import { searchGrams, searchText } from '../../src/modules/identity/search.ts'
import type { Sql } from '../../src/store/sql.ts'
import { withoutGrams } from '../unindexed.ts'

export const agents = 20_000
/** The newest of them, and as many older agents as below, have closed profiles. */
export const closed = 200
const older = 30_000
const customers = 5000
const visitors = 20_000

/** How long ago they registered. */
const registered = days(30)
const trades = ['Translation', 'Carpentry', 'Перевод', '机器学习', 'Music', 'Research', 'Drawing', 'Accounting']
export const tradeOf = (n: number): string => trades[n % trades.length] as string

/**
 * Agents agent_0, agent_1 …, named `Agent number …` in another order. Four know zymurgy; one in a hundred is suspended, one in
 * forty has no verified email, one in a thousand is staff. Returns their IDs, oldest first.
 */
export async function plantAgents(sql: Sql, now: Date): Promise<string[]> {
  const at = earlier(now, registered)
  const rows = Array.from({ length: agents }, (_, n) => {
    const fields = {
      handle: `agent_${n}`,
      display_name: `Agent number ${(n * 7919) % agents}`,
      specialty: `${tradeOf(n)} of kind ${n % 100}`,
      bio: n % 5000 === 0 ? 'One who knows zymurgy 酿酒' : `A helper for many things, ${trades[n % 3]} and more`,
    }
    // The closed ones come after the agents that registered through the service.
    const id = newId(n < agents - closed ? new Date(at.getTime() + n) : later(now, n))
    return { n, id, ...fields, text: searchText(fields), grams: searchGrams(fields) }
  })
  await withoutGrams(sql, 'agents', async () => {
    for (let from = 0; from < agents; from += 2000) {
      await sql`
        with row as materialized (
          select * from jsonb_to_recordset(${JSON.stringify(rows.slice(from, from + 2000))}::jsonb) as r (n int, id uuid,
            handle text, display_name text, specialty text, bio text, text text, grams jsonb)
        ), party as (
          insert into parties (id, kind, created_at) select id, 'agent', ${at} from row
        ), owner as (
          insert into owners (email, passports, created_at) select 'o' || n || '@owners.example', 1, ${at} from row
        )
        insert into agents (id, handle, display_name, specialty, bio, encryption_public_key, search_text, search_grams,
          profile_public, owner_email, email_verified_at, suspended_at, created_at, updated_at)
        select id, handle, display_name, specialty, bio, sha256(id::text::bytea), text,
          array(select jsonb_array_elements_text(grams)), n < ${agents - closed}::int, 'o' || n || '@owners.example',
          case when n % 40 > 0 then ${at}::timestamptz end, case when n % 100 = 1 then ${at}::timestamptz end, ${at}, ${at}
        from row`
    }
  })
  await sql`
    with row as materialized (select id_at(${earlier(at, days(1))}, n) as id, n from generate_series(1, ${older}::int) n),
    party as (insert into parties (id, kind, created_at) select id, 'agent', ${at} from row)
    insert into agents (id, handle, display_name, encryption_public_key, search_text, search_grams, profile_public,
      email_verified_at, created_at, updated_at)
    select id, 'shade_' || n, 'Shade', sha256(id::text::bytea), '', '{}', false, ${at}, ${at}, ${at} from row`
  const ids = rows.map(({ id }) => id)
  await sql`
    insert into specialty_words (word, place, agent_id)
    select 'kind', ('x' || right(replace(id::text, '-', ''), 8))::bit(32)::bigint >> 1, id from unnest(${ids}::uuid[]) id`
  await sql`
    insert into staff (agent_id, roles, updated_at)
    select id, '{support}', ${now} from unnest(${ids.filter((_, n) => n % 1000 === 0)}::uuid[]) id`
  await sql`delete from counters where name = 'open_agents'`
  await sql`
    insert into counters (name, shard, value)
    select 'open_agents', 0, count(*) from agents where profile_public and suspended_at is null`
  return ids
}

/** Humans with a session each; one session in twenty expired long ago. */
export async function plantCustomers(sql: Sql, now: Date): Promise<string[]> {
  const planted = await sql<{ id: string }>`
    with born as materialized (
      select gen_random_uuid() as id, n from generate_series(1, ${customers}::int) n
    ), party as (
      insert into parties (id, kind, created_at) select id, 'human', ${now} from born
    ), granted as (
      insert into customer_grants (email_digest, created_at) select sha256(id::text::bytea), ${now} from born
    ), wallet as (
      insert into wallets (party_id, updated_at) select id, ${now} from born
    ), session as (
      insert into human_sessions (digest, human_id, created_at, expires_at)
      select sha256((id || 'session')::bytea), id, ${now},
        case when n % 20 = 0 then ${earlier(now, days(8))}::timestamptz else ${later(now, days(30))} end
      from born
    )
    insert into humans (id, display_name, email, grant_digest, created_at)
    select id, 'Shade', id || '@example.org', sha256(id::text::bytea), ${now} from born returning id`
  return planted.map(({ id }) => id)
}

/** One visitor in two hundred is due to be forgotten, 2,500 follow four agents, and the one returned follows all `followed`. */
export async function plantVisitors(sql: Sql, now: Date, followed: readonly string[]): Promise<string> {
  const seen = earlier(now, days(1))
  await sql`
    insert into visitors (id, created_at, used_at)
    select gen_random_uuid(), ${now},
      case when n % 200 = 0 then ${earlier(now, visitorMemory + days(1))}::timestamptz else ${seen} end
    from generate_series(1, ${visitors}::int) n`
  const [vera] = (await sql`
    update visitors set follows = ${followed.length}
    where id = (select id from visitors where used_at = ${seen} limit 1) returning id`) as [{ id: string }]
  await sql`
    insert into visitor_follows (visitor_id, agent_id, created_at)
    select ${vera.id}::uuid, a.id, ${now}::timestamptz from unnest(${followed}::uuid[]) a (id)
    union all
    select v.id, a.id, ${now} from (select id from visitors where id <> ${vera.id} limit 2500) v
    cross join unnest(${followed.slice(0, 4)}::uuid[]) a (id)`
  await sql`
    update visitors v set follows = 4
    where id <> ${vera.id} and exists (select 1 from visitor_follows f where f.visitor_id = v.id)`
  return vera.id
}

/** When the audit log begins; an entry follows every five minutes. */
export const firstEntry = new Date('2026-01-01T00:00:00Z')

/** Entries by two busy actors and a rare one, who made one in a thousand; one in five thousand has a rare action. */
export async function plantAuditLog(sql: Sql): Promise<void> {
  await sql`
    insert into audit_log (id, actor, action, subject, reason, details, created_at)
    select id_at(at, n),
      (array['operator:rare@op.example', 'staff:mia', 'operator:busy@op.example'])[
        case when n % 1000 = 0 then 1 when n % 3 = 0 then 2 else 3 end],
      (array['moderation.remove', 'agent.suspend', 'credits.grant'])[case when n % 5000 = 0 then 2 else 1 + n % 2 * 2 end],
      'subject-' || n % 4000, 'Because ' || n, json_build_object('n', n), at
    from generate_series(0, 19999) n,
      lateral (select ${firstEntry}::timestamptz + n * interval '5 minutes' as at) t`
}
