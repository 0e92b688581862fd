// The statements that an order by a quote consists of, without the service, and those of a page of the catalogue: for pgbench,
// on the service's own tables.
import type pg from 'pg'
import { accept, begun, beside, contractor, customer, ids, noted, plantBare, script, told } from './orders-bare.ts'

const idOf = (place: string, mark: string): string =>
  `('00000000-0000-7000-${mark}-' || lpad((${place})::text, 12, '0'))::uuid`
const service = idOf(':client_id', '9000')

/** Befriended agents for pgbench's clients, two each; the second offers a service. */
export async function plantMarket(db: pg.Client, clients: number): Promise<void> {
  await plantBare(db, clients)
  await db.query(
    `with made as (
       insert into services (id, provider_id, state, title, description, tags, price_mode, unit_label, unit_folded,
         amount_minor, fee_bps, fee_minor, total_minor, input_schema, delivery_description, portfolio_post_ids, search_text,
         search_grams, created_at, updated_at)
       select ${idOf('n', '9000')}, ${idOf('n * 2 + 1', '8000')}, 'published', 'A logo', 'Round, and of any colour', '{}', 'fixed',
         'logo', 'logo', 10, 1000, 1, 11, '{"version":1,"fields":[]}', 'A file', '{}', '', '{}', now(), now()
       from generate_series(0, $1::int) n
       returning id, provider_id, state, price_mode, unit_folded, total_minor
     )
     insert into listed_services (service_id, provider_id, state, price_mode, unit_label, total_minor) select * from made`,
    [clients - 1],
  )
}

/** The columns of a service (alias `s`) and its provider (`a`), as the service reads them. */
const columns = `s.id, s.provider_id, s.version, s.state, s.workflow, s.title, s.description, s.tags, s.price_mode, s.unit_label,
  s.amount_minor, s.fee_bps, s.fee_minor, s.total_minor, s.input_schema, s.delivery_description,
  s.estimated_duration_seconds, s.created_at, s.updated_at,
  case when s.portfolio_post_ids = '{}' then s.portfolio_post_ids else array(
    select p.id from unnest(s.portfolio_post_ids) with ordinality as p (id, place)
    where (select true from listed_posts l where l.post_id = p.id) order by p.place) end as portfolio_post_ids,
  a.handle, a.display_name,
  a.profile_public and a.suspended_at is null
    and not exists (select 1 from hidden where hidden.kind = 'profile' and hidden.id = a.id offset 0)
    and not exists (select 1 from hidden where hidden.kind = 'service' and hidden.id = s.id offset 0) as is_there,
  case when s.workflow = 'ready' then (
    select json_build_object('digest', encode(r.digest, 'hex'), 'license_code', r.license_code, 'sold_count', (
      select coalesce(sum(x.sold), 0) from ready_sales x where x.service_id = r.service_id))
    from ready_services r where r.service_id = s.id) end as ready`

/** What is answered with a quote and kept with it, as large as the service writes it; no colon of it is a variable's. */
const snapshot = JSON.stringify(
  {
    service: {
      id: '00000000-0000-7000-8000-000000000000',
      provider: { id: '00000000-0000-7000-8000-000000000000', handle: 'contractor', display_name: 'Contractor' },
      texts: { title: 'A logo', description: 'Round, and of any colour', delivery_description: 'A file' },
      price: { mode: 'fixed', unit_label: 'logo', amount_minor: 10, fee_bps: 1000, fee_minor: 1, total_minor: 11 },
      form: { version: 1, fields: [] },
      rest: 'x'.repeat(500),
    },
    quantity: 1,
    parameters: {},
  },
  null,
  1,
)

const counted = (by: 1 | -1): string => {
  const own =
    by > 0
      ? `insert into party_counts (party_id, name, value) values (${customer}, 'service_quotes', 1)
         on conflict (party_id, name) do update set value = party_counts.value + excluded.value returning value`
      : `update party_counts set value = value - 1 where party_id = ${customer} and name = 'service_quotes' returning value`
  return `with own as (${own}), shared as (
      insert into counters (name, shard, value) select 'service_quotes', pg_backend_pid() % 64, ${by} from own
      on conflict (name, shard) do update set value = counters.value + excluded.value)
    select own.value, ${by} + coalesce((select sum(value) from counters where name = 'service_quotes'), 0) from own;`
}

const quote = [
  ...begun(customer),
  `select ${columns}
   from services s join agents a on a.id = s.provider_id
   where s.id = ${service}
     and (s.provider_id = ${customer} or (select true from listed_services l where l.service_id = s.id));`,
  counted(1),
  `insert into service_quotes (id, service_id, service_version, customer_id, provider_id, quantity, parameters,
     input_attachment_ids, snapshot, amount_minor, fee_bps, fee_minor, total_minor, created_at, expires_at)
   values (:d::uuid, ${service}, 1, ${customer}, ${contractor}, 1, '{}', '{}', '${snapshot}', 10, 1000, 1, 11, now(),
     now() + interval '10 minutes');`,
  'commit;',
]

const order = [
  ...begun(customer),
  `update service_quotes q set order_id = :order_id::uuid
   where q.id = :d::uuid and q.customer_id = ${customer} and q.order_id is null and q.expires_at > now()
   returning q.*,
     (select a.profile_public and a.suspended_at is null
        and not exists (select 1 from hidden where kind = 'profile' and hidden.id = a.id offset 0)
        and not exists (select 1 from hidden where kind = 'service' and hidden.id = q.service_id offset 0)
      from agents a where a.id = q.provider_id),
     (select s.state from services s where s.id = q.service_id),
     (select c.status from contacts c where least(c.requester_id, c.recipient_id) = least(${customer}, q.provider_id)
        and greatest(c.requester_id, c.recipient_id) = greatest(${customer}, q.provider_id) for share);`,
  beside(customer, `(select provider_id from service_quotes where id = :d::uuid and customer_id = ${customer})`),
  counted(-1),
  `with ${noted('offer', customer, 'offered', 1)},
   owed as (insert into order_payouts (order_id, party_id, kind, amount_minor)
     values (:order_id::uuid, ${contractor}, 'payout', 10)), ${told('offered', 1)}
   insert into orders (id, state, source, title, description, deadline, customer_id, contractor_id, offer_author_id,
     amount_minor, fee_bps, fee_minor, total_minor, service_snapshot, source_service_quote_id, reminder_at, created_at,
     updated_at)
   values (:order_id::uuid, 'offered', 'quote', 'My logo', 'As agreed', '2100-01-01', ${customer}, ${contractor}, ${customer},
     10, 1000, 1, 11, '${snapshot}', :d::uuid, '2099-12-31', now(), now());`,
  'commit;',
]

/** A quote, the order by it and its accept: three transactions. */
export const quoteScript = `${ids}${script(...quote, ...order, ...accept(contractor))}`

/** The statement of a page of the catalogue of one price mode. */
export const pageScript: string = script(
  `with hit as materialized (
     select l.service_id from listed_services l
     where (l.price_mode, l.service_id) < ('fixed', 'ffffffff-ffff-ffff-ffff-ffffffffffff') and l.price_mode >= 'fixed'
     order by l.price_mode desc, l.service_id desc limit 21)
   select true, found.* from (select 1) one left join hit on true left join lateral (
     select ${columns} from services s join agents a on a.id = s.provider_id where s.id = hit.service_id offset 0) found on true
   order by found.id desc;`,
)
