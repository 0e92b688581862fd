// Rows for the table of plans: orders of every kind, disputes, tasks and bids, ready-made works, project cases. No credits move.
import { days, earlier } from '../../src/kernel/clock.ts'
import { type Part, part } from '../../src/kernel/part.ts'
import { recountDue } from '../../src/modules/reputation/recount.ts'
import type { Sql } from '../../src/store/sql.ts'
import { plantTasks } from '../tasks.ts'

/**
 * An order for each of `rows` (n, at, state, source, customer, contractor, author, is_reviewed), with its payout and history.
 * IDs rise with `at` and n.
 */
async function plantOrders(sql: Sql, rows: Part): Promise<void> {
  await sql`
    with row as materialized (select id_at(r.at, r.n) as id, r.* from (${rows}) r), made as (
      insert into orders (id, state, version, source, title, description, deadline, customer_id, contractor_id,
        offer_author_id, amount_minor, fee_bps, fee_minor, total_minor, outcome, closed_at, delivered_at,
        customer_reviewed, contractor_reviewed, created_at, updated_at)
      select id, state, case when state in ('cancelled', 'rejected') then 2 else 1 end, source, 'A title',
        'Some work to be done', at + interval '7 days' + n * interval '1 second', customer, contractor, author, 1000, 1000,
        100, 1100, case state when 'closed' then 'accepted' end, case state when 'closed' then at end,
        case when state in ('delivered', 'closed') then at end, is_reviewed, is_reviewed, at, at
      from row
    ), owed as (
      insert into order_payouts (order_id, party_id, kind, amount_minor) select id, contractor, 'payout', 1000 from row
    )
    insert into order_history (order_id, version, action, actor_id, from_state, to_state, created_at)
    select id, 1, 'offer', author, null, 'offered', at from row
    union all
    select id, 2, case state when 'cancelled' then 'cancel' else 'reject' end, customer, 'offered', state, at from row
    where state in ('cancelled', 'rejected') order by 1, 2`
}

/** Offers in three states. The reader has one in ten, as customer and contractor in turn; the first human has one in ten. */
export const plantOffers = (
  sql: Sql,
  now: Date,
  { reader, others, people }: { reader: string; others: readonly string[]; people: readonly string[] },
): Promise<void> =>
  plantOrders(
    sql,
    part`
    select n, ${earlier(now, days(1))}::timestamptz + n * interval '1 second' as at,
      (array['offered', 'cancelled', 'rejected'])[1 + n % 3] as state,
      case when person is null then 'direct' else 'human' end as source,
      customer, contractor, customer as author, false as is_reviewed
    from generate_series(0, ${offers - 1}::int) n,
      lateral (select n % 20 as one, (n * 7 + 1 + n / 20) % 20 as two) o,
      lateral (select case n % 10 when 1 then (${people}::uuid[])[1]
        when 2 then (${people}::uuid[])[2 + (n / 10) % 9] end as person) p,
      lateral (select
        coalesce(person, case when n % 20 = 0 then ${reader} else (${others}::uuid[])[1 + one] end) as customer,
        case when n % 20 = 10 or n % 100 = 1 then ${reader}
          else (${others}::uuid[])[1 + case when one = two then (n + 1) % 20 else two end] end as contractor) sides`,
  )

export const offers = 20_000

/** Orders between two agents: a quarter waits for each, and one in a hundred of the closed ones lacks its reviews. */
export const plantTurns = (sql: Sql, now: Date, [busy, other]: readonly [string, string]): Promise<void> =>
  plantOrders(
    sql,
    part`
    select n, ${now}::timestamptz as at, (array['offered', 'offered', 'closed', 'cancelled'])[1 + n % 4] as state,
      'direct' as source, customer, contractor, case when n % 8 < 4 then customer else contractor end as author,
      n % 100 <> 2 as is_reviewed
    from generate_series(1, 4000) n,
      lateral (select (${[busy, other]}::uuid[])[1 + n % 2] as customer, (${[other, busy]}::uuid[])[1 + n % 2] as contractor) s`,
  )

/** Closed orders of two agents, each the customer of half, with the customer's review; one in eight is not revealed yet. */
export async function plantReviews(sql: Sql, now: Date, [famous, ann]: readonly [string, string]): Promise<void> {
  await plantOrders(
    sql,
    part`
    select n, ${earlier(now, days(8))}::timestamptz as at, case when n <= 3 then 'delivered' else 'closed' end as state,
      'direct' as source, (${[ann, famous]}::uuid[])[1 + n % 2] as customer, (${[famous, ann]}::uuid[])[1 + n % 2] as contractor,
      ${ann}::uuid as author, true as is_reviewed
    from generate_series(1, 4000) n`,
  )
  await sql`
    insert into reviews (id, order_id, author_id, subject_id, subject_role, rating, recommend, criteria, reveal_at, revealed,
      created_at)
    select gen_random_uuid(), id, customer_id, contractor_id, 'contractor', 5, true, '{}',
      ${now}::timestamptz + case when is_old then interval '0' else interval '1 day' end, is_old, ${now}
    from orders cross join lateral (select right(id::text, 1) <> '0' as is_old) r
    where state = 'closed' and ${famous} in (customer_id, contractor_id)`
  await sql`insert into reputations_due (party_id) values (${famous}), (${ann}) on conflict do nothing`
  while (await recountDue(sql));
}

/** Cancelled orders of humans: the first has two thousand, each other one. */
export const plantCancelled = (sql: Sql, now: Date, contractor: string, people: readonly string[]): Promise<void> =>
  plantOrders(
    sql,
    part`
    select n, ${earlier(now, days(2))}::timestamptz as at, 'cancelled' as state, 'human' as source,
      (${people}::uuid[])[1 + greatest(0, n - 2000)] as customer, ${contractor}::uuid as contractor,
      (${people}::uuid[])[1 + greatest(0, n - 2000)] as author, false as is_reviewed
    from generate_series(1, ${1999 + people.length}::int) n`,
  )

/** Copies of a ready-made work, of its source order and of a purchase. Half of the purchases are of the one work. */
export async function plantReadyMade(
  sql: Sql,
  now: Date,
  { serviceId, sourceId, buyer }: { serviceId: string; sourceId: string; buyer: string },
): Promise<void> {
  const [works, sources, purchases] = [1500, 150, 4000]
  await sql`
    insert into orders select (jsonb_populate_record(o, jsonb_build_object('id', gen_random_uuid(), 'title', 'A copy'))).*
    from orders o, generate_series(1, ${sources}::int) where o.id = ${sourceId}`
  await sql`
    insert into services select (jsonb_populate_record(s, jsonb_build_object('id', gen_random_uuid()))).*
    from services s, generate_series(1, ${works}::int) where s.id = ${serviceId}`
  await sql`
    with source as (
      select id, row_number() over () as n from orders where title = 'A copy'
    ), other as (
      select c.id, row_number() over () as n from services c join services s using (provider_id)
      where s.id = ${serviceId} and c.id <> s.id
    )
    insert into ready_services
    select (jsonb_populate_record(r, jsonb_build_object('service_id', other.id, 'source_order_id', source.id,
      'moderation', case when other.n % 10 = 0 then 'pending' else 'approved' end,
      'moderated_at', case when other.n % 10 = 0 then null else r.moderated_at end,
      'stopped_at', case when other.n % 10 = 1 then r.created_at end,
      'released_at', case when other.n % 20 = 1 then r.created_at end))).*
    from ready_services r, other join source on source.n = other.n % ${sources}::int + 1 where r.service_id = ${serviceId}`
  await sql`
    with bought as (
      insert into orders
      select (jsonb_populate_record(o, jsonb_build_object('id', gen_random_uuid(), 'title', 'A copy', 'source', 'ready',
        'offer_author_id', o.contractor_id, 'customer_id', ${buyer}::text))).*
      from orders o, generate_series(1, ${purchases}::int) where o.id = ${sourceId} returning id
    ), numbered as (
      select id, row_number() over () as n from bought
    ), other as (
      select service_id, row_number() over () as n from ready_services where service_id <> ${serviceId}
    )
    insert into ready_purchases (order_id, service_id, kept_until)
    select b.id, case when b.n % 2 = 0 then ${serviceId} else other.service_id end, ${now}
    from numbered b join other on other.n = b.n % ${works}::int + 1`
  await sql`
    insert into ready_sales (service_id, shard, sold)
    select service_id, shard, 1 from ready_services, generate_series(0, 3) shard on conflict do nothing`
}

/** The reader's cases on each side; and the newest published ones, by a contractor with a closed profile. */
export const told = { own: 400, closed: 900 } as const

/** Project cases in every state, without their orders. The site sorts them by the customer's consent. */
export async function plantProjectCases(
  sql: Sql,
  now: Date,
  { reader, shut, others }: { reader: string; shut: string; others: readonly string[] },
): Promise<void> {
  await sql`alter table project_cases drop constraint project_cases_order_id_fkey`
  const give = (
    count: number,
    given: { by: readonly string[]; of: readonly string[]; state?: string; until: Date },
  ) => sql`
    insert into project_cases (id, order_id, contractor_id, customer_id, title, summary, result, state,
      contractor_consented_at, customer_consented_at, created_at, updated_at)
    select gen_random_uuid(), gen_random_uuid(), (${given.by}::uuid[])[1 + n % ${given.by.length}::int],
      (${given.of}::uuid[])[1 + n / 10 % ${given.of.length}::int], 'Title', 'Summary', repeat('Some result. ', 30), s.state,
      case when s.state <> 'draft' then at end, case when s.state = 'published' then at end, at, at
    from generate_series(1, ${count}::int) n,
      lateral (select coalesce(${given.state ?? null}::text,
        (array['draft', 'proposed', 'published', 'withdrawn'])[1 + n % 4])) s (state),
      lateral (select ${given.until}::timestamptz - n * interval '1 second' as at) t`
  const until = earlier(now, days(1))
  await give(8000, { by: others.slice(0, 5), of: others.slice(5), until })
  await give(told.own - 1, { by: [reader], of: others, until })
  await give(told.own, { by: others, of: [reader], until })
  await give(told.closed, { by: [shut], of: others, state: 'published', until: now })
}

/** A dispute about each order of a customer, in every status; returns the ID of an order whose dispute is escalated. */
export async function plantDisputes(sql: Sql, now: Date, customer: string): Promise<string> {
  const [last] = await sql<{ id: string }>`
    with made as (
      insert into dispute_cases (id, order_id, status, opened_by, reason, resume_state, response_due_at, escalated_at,
        decision, decision_reason, decided_at, created_at)
      select gen_random_uuid(), o.id, s.status, customer_id, 'Late', 'funded', ${now}::timestamptz + n * interval '1 minute',
        case when s.status <> 'open' then at end, case when s.status = 'resolved' then 'resume' end,
        case when s.status = 'resolved' then 'So agreed' end, case when s.status = 'resolved' then at end, at
      from (select id, customer_id, (row_number() over (order by id))::int as n from orders where customer_id = ${customer}) o,
        lateral (select (array['open', 'escalated', 'resolved'])[1 + n % 3] as status,
          ${now}::timestamptz - n * interval '1 minute' as at) s
      returning order_id, status
    )
    select order_id as id from made where status = 'escalated' limit 1`
  return last?.id ?? ''
}

/** Tasks: a tenth open, three tenths cancelled, the rest expired. Five hundred cancelled ones have a bid from each bidder. */
export async function plantMarket(
  sql: Sql,
  now: Date,
  { customers, bidders }: { customers: readonly string[]; bidders: readonly string[] },
): Promise<void> {
  const count = 10_000
  await plantTasks(
    sql,
    Array.from({ length: count }, (_, n) => ({
      customer_id: customers[n % customers.length] as string,
      title: `Task number ${(n * 7919) % count}`,
      description: n % 4990 === 0 ? 'Of zymurgy 酿酒 and more' : 'Some work of a common life',
      tags: n % 2000 === 0 ? ['rare one', 'All'] : ['all'],
      created_at: new Date(now.getTime() - (count - n) * 10),
      state: n % 10 === 0 ? 'open' : n % 10 < 4 ? 'cancelled' : 'expired',
    })),
  )
  await sql`
    insert into bids (id, task_id, bidder_id, amount_minor, fee_bps, fee_minor, total_minor, deadline, text, state,
      created_at, updated_at)
    select gen_random_uuid(), t.id, bidder, 1000, 1000, 100, 1100, t.deadline, 'x', 'rejected', t.created_at, t.updated_at
    from (select * from tasks where state = 'cancelled' limit 500) t, unnest(${bidders}::uuid[]) bidder`
}

/** Agents and services without their words. A quarter of the agents have a rating, which changed several times. */
export async function plantFindable(sql: Sql): Promise<void> {
  await sql`delete from findable`
  await sql`
    insert into findable (id, kind, agent_id, lot, words, near, total_minor)
    select id, 'agent', id, 5, ''::tsvector, ''::tsvector, null::bigint from agents
    union all select id, 'service', provider_id, 5, '', '', total_minor from services`
  await sql`
    insert into ratings (agent_id, since, rank)
    select id, 'epoch'::timestamptz + n * interval '1 day', (100 + (number + n) * 7919 % 400) * 1000000 + 1
    from (select id, row_number() over (order by id) as number from agents) a, generate_series(1, 4) n
    where number % 4 = 0 on conflict do nothing`
}
