// The statements that an order's cycle consists of, without the service: for pgbench, on the service's own tables. Each
// step is a transaction: its caller by a token, its idempotency key, the order locked with the names of its sides, their
// friendship and the wallets where they are needed, then ledger lines, history, events and what is counted of an order that ends.
import type pg from 'pg'

export const customer = `('00000000-0000-7000-8000-' || lpad((:client_id * 2)::text, 12, '0'))::uuid`
export const contractor = `('00000000-0000-7000-8000-' || lpad((:client_id * 2 + 1)::text, 12, '0'))::uuid`

/** Befriended agents with tokens and wallets for pgbench's clients, two each. */
export async function plantBare(db: pg.Client, clients: number): Promise<void> {
  const id = `('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid`
  await db.query(
    `with party as (insert into parties (id, kind, created_at) select ${id}, 'agent', now() from generate_series(0, $1) n),
     agent as (
       insert into agents (id, handle, display_name, encryption_public_key, search_text, search_grams, created_at, updated_at)
       select ${id}, 'bare' || n, 'Bare ' || n, sha256(('bare' || n)::bytea), '', '{}', now(), now()
       from generate_series(0, $1) n
     ), token as (
       insert into tokens (digest, agent_id, created_at, expires_at)
       select sha256((${id})::text::bytea), ${id}, now(), now() + interval '1 day' from generate_series(0, $1) n
     ), wallet as (
       insert into wallets (party_id, available_minor, updated_at)
       select ${id}, 1000000000, now() from generate_series(0, $1) n
     )
     insert into contacts (id, requester_id, recipient_id, status, created_at, updated_at)
     select gen_random_uuid(), ${id}, ${id.replace('n::text', '(n + 1)::text')}, 'accepted', now(), now()
     from generate_series(0, $1, 2) n`,
    [clients * 2 - 1],
  )
}

export const ids = `select uuidv7() as order_id, uuidv7() as a, uuidv7() as b, uuidv7() as c, uuidv7() as d \\gset\n`

const caller = (actor: string): string =>
  `select a.id, a.handle, t.expires_at, a.suspended_at, a.email_verified_at, a.created_at
   from tokens t join agents a on a.id = t.agent_id
   where t.digest = sha256((${actor})::text::bytea) and t.revoked_at is null and t.expires_at > now();`

const relation = (me: string): string => `a.suspended_at is null, a.profile_public and a.suspended_at is null
    and not exists (select 1 from hidden where hidden.kind = 'profile' and hidden.id = a.id offset 0), coalesce((
    select c.status from contacts c where least(c.requester_id, c.recipient_id) = least(${me}, a.id)
      and greatest(c.requester_id, c.recipient_id) = greatest(${me}, a.id) for share), '') = 'accepted'`

const named = (me: string, agent: string): string =>
  `${agent}.handle, case when ${agent}.id = ${me} then ${agent}.display_name
    else coalesce(${agent}.closed_name, ${agent}.display_name) end`

/** What somebody finds of another agent, and both by name. */
export const beside = (me: string, other: string): string =>
  `select ${relation(me)}, a.id, ${named(me, 'a')}, i.handle, i.display_name
   from agents a, agents i where a.id = ${other} and i.id = ${me};`

/** What a side of an order finds of the other one. */
const friend = (me: string): string => `select ${relation(me)} from agents a where a.id = (
    select case ${me} when customer_id then contractor_id when contractor_id then customer_id end
    from orders where id = :order_id::uuid);`

const unanswered = `select o.customer_id, count(*)::int from orders o
  where o.customer_id = any (array[${customer}]) and o.state = 'delivered' and o.delivered_at < now() - interval '7 days'
    and o.total_minor >= 100 and not exists (
      select 1 from party_owners a join party_owners b using (owner_id)
      where a.party_id = o.customer_id and b.party_id = o.contractor_id)
  group by o.customer_id;`

const operation = (actor: string): string =>
  `insert into operations (actor_id, operation_id, digest, resource_id, created_at)
   values (${actor}, gen_random_uuid(), decode('00', 'hex'), :order_id::uuid, now())
   on conflict do nothing returning operation_id;`

export const told = (state: string, version: number): string =>
  `told as (insert into events (recipient_id, min_version, id, kind, subject_id, payload, created_at)
     select r, 1, uuidv7(), 'order.changed', :order_id::uuid, '{"status":"${state}","version":${version}}', now()
     from (values (${customer}), (${contractor})) t (r))`

export const noted = (action: string, actor: string, state: string, version: number): string =>
  `noted as (insert into order_history (order_id, version, action, actor_id, to_state, created_at)
     values (:order_id::uuid, ${version}, '${action}', ${actor}, '${state}', now()))`

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()
export const script = (...statements: string[]): string => `${statements.map(oneLine).join('\n')}\n`

export const begun = (actor: string): string[] => ['begin;', caller(actor), operation(actor)]

const offer = [
  ...begun(contractor),
  beside(contractor, customer),
  unanswered,
  `with ${noted('offer', contractor, 'offered', 1)},
   owed as (insert into order_payouts (order_id, party_id, kind, amount_minor)
     values (:order_id::uuid, ${contractor}, 'payout', 10)), ${told('offered', 1)}
   insert into orders (id, state, source, title, description, deadline, customer_id, contractor_id, offer_author_id,
     amount_minor, fee_bps, fee_minor, total_minor, reminder_at, created_at, updated_at)
   values (:order_id::uuid, 'offered', 'direct', 'A piece of work', 'As agreed', '2100-01-01', ${customer}, ${contractor},
     ${contractor}, 10, 1000, 1, 11, '2099-12-31', now(), now());`,
  'commit;',
]

/** What is written along with an order that is closed. */
const closing = `, credited as (insert into events (recipient_id, min_version, id, kind, subject_id, payload, created_at)
     values (${contractor}, 11, uuidv7(), 'wallet.credited', :b::uuid, '{"kind":"payout","amount_minor":10}', now())),
   completed as (insert into contractor_totals (party_id, completed_total_minor) values (${contractor}, 11)
     on conflict (party_id) do update set completed_total_minor = contractor_totals.completed_total_minor + 11)`

const step = (
  actor: string,
  action: string,
  state: string,
  version: number,
  { found = [], money = [] }: { found?: readonly string[]; money?: readonly string[] } = {},
) => [
  ...begun(actor),
  `select o.*, ${named(actor, 'c')}, ${named(actor, 'k')}
   from orders o join agents c on c.id = o.customer_id join agents k on k.id = o.contractor_id
   where o.id = :order_id::uuid and ${actor} in (o.customer_id, o.contractor_id) for no key update of o;`,
  ...found,
  ...money,
  `with ${noted(action, actor, state, version)}, ${told(state, version)} ${state === 'closed' ? closing : ''}
   update orders set state = '${state}', version = ${version}, updated_at = now() where id = :order_id::uuid;`,
  'commit;',
]

const held = (condition: string): string =>
  `select party_id, available_minor, reserved_minor, last_sequence from wallets where ${condition}
   order by party_id for no key update;`

/** Credits that move, as the service writes them: by how much, and the lines with what its process computed. */
const moved = (kind: string, id: string, by: readonly string[], lines: readonly string[]): string =>
  `with moved as (
    update wallets w set available_minor = w.available_minor + by.available, reserved_minor = w.reserved_minor + by.reserved,
      last_sequence = w.last_sequence + 1, granted_minor = w.granted_minor + 0, updated_at = now()
    from (values ${by.join(', ')}) as by (party_id, available, reserved) where w.party_id = by.party_id),
  posted as (insert into ledger_transactions (id, kind, order_id, created_at)
    values (:${id}::uuid, '${kind}', :order_id::uuid, now()))
  insert into ledger_entries (id, transaction_id, account, party_id, kind, amount_minor, sequence,
    available_after_minor, reserved_after_minor) values ${lines.join(', ')};`

/** A number that rises, as those of a wallet's lines do. */
const sequence = '(extract(epoch from clock_timestamp()) * 1000000)::bigint'

/** The customer's wallet, and its credits set aside. */
const reserve = (me: string): string[] => [
  held(
    `party_id = (select customer_id from orders where id = :order_id::uuid and ${me} in (customer_id, contractor_id))`,
  ),
  moved(
    'reserve',
    'a',
    [`(${customer}, -11::bigint, 11::bigint)`],
    [
      `(uuidv7(), :a::uuid, 'available', ${customer}, 'reserve', -11, ${sequence}, 0, 0)`,
      `(uuidv7(), :a::uuid, 'reserved', ${customer}, 'reserve', 11, ${sequence}, 0, 0)`,
    ],
  ),
]

const own = `orders o where o.id = :order_id::uuid and o.customer_id = ${customer}`

const capture = [
  held(`party_id = any(array(select o.customer_id from ${own} union all
    select p.party_id from order_payouts p where p.order_id = (select o.id from ${own})))`),
  'select party_id, kind, amount_minor from order_payouts where order_id = :order_id::uuid;',
  moved(
    'capture',
    'b',
    [`(${customer}, 0::bigint, -11::bigint)`, `(${contractor}, 10::bigint, 0::bigint)`],
    [
      `(uuidv7(), :b::uuid, 'reserved', ${customer}, 'capture', -11, ${sequence}, 0, 0)`,
      `(uuidv7(), :b::uuid, 'available', ${contractor}, 'payout', 10, ${sequence}, 0, 0)`,
      `(uuidv7(), :b::uuid, 'fees', null, 'capture', 1, null, null, null)`,
    ],
  ),
  `insert into reputations (party_id) select distinct id from unnest(array[${customer}, ${contractor}]) as t (id) order by id
   on conflict (party_id) do update set party_id = excluded.party_id;`,
  `insert into own_orders (order_id) select :order_id::uuid where exists (
     select 1 from party_owners a join party_owners b using (owner_id)
     where a.party_id = ${customer} and b.party_id = ${contractor});`,
]

const close = (statements: string[]): string[] =>
  statements.map((each) =>
    each.replace(
      `set state = 'closed'`,
      `set state = 'closed', outcome = 'accepted', closed_at = now(), review_request_at = now() + interval '1 day'`,
    ),
  )

export const accept = (actor: string): string[] =>
  step(actor, 'accept', 'funded', 2, { found: [friend(actor)], money: reserve(actor) })

/** One whole order: five transactions. */
export const cycleScript = `${ids}${script(
  ...offer,
  ...accept(customer),
  ...step(contractor, 'start', 'in_progress', 3),
  ...step(contractor, 'deliver', 'delivered', 4),
  ...close(step(customer, 'complete', 'closed', 5, { money: capture })),
)}`

/** An accept on one wallet that all clients share, of an order that is made in a transaction before it. */
export const acceptScript = `${ids}${script(...offer, ...accept(customer))}`.replaceAll(':client_id', '0')
