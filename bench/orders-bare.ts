// The statements that an order's cycle consists of, without the service: for pgbench, on the service's own tables. Each
// step looks its caller up by a token, and is a transaction with its idempotency key, its row lock, the look at the
// friendship where it is asked for, its ledger lines, its history and its events.
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

export const caller = (actor: string): string =>
  `select a.id, a.handle, t.expires_at, a.suspended_at, a.email_verified_at, a.created_at
   from tokens t join agents a on a.id = t.agent_id
   where t.digest = sha256((${actor})::text::bytea) and t.revoked_at is null and t.expires_at > now();`

export const friend = `select a.suspended_at, (
    select c.status from contacts c where least(c.requester_id, c.recipient_id) = least(${customer}, ${contractor})
      and greatest(c.requester_id, c.recipient_id) = greatest(${customer}, ${contractor}) for share)
  from agents a where a.id = ${customer};`

export const operation = (actor: string): string =>
  `insert into operations (actor_id, operation_id, digest, resource_id, created_at)
   values (${actor}, gen_random_uuid(), decode('00', 'hex'), :order_id::uuid, now());`

export const told = (state: string, version: number): string =>
  `told as (insert into events (recipient_id, min_version, id, kind, subject_id, payload, created_at)
     select r, 1, uuidv7(), 'order.changed', :order_id::uuid, '{"status":"${state}","version":${version}}', now()
     from unnest(array[${customer}, ${contractor}]) r)`

export const noted = (action: string, actor: string, state: string, version: number): string =>
  `noted as (insert into order_history (order_id, version, action, actor_id, to_state, created_at)
     values (:order_id::uuid, ${version}, '${action}', ${actor}, '${state}', now()))`

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()
export const script = (...statements: string[]): string => `${statements.map(oneLine).join('\n')}\n`

const offer = [
  caller(contractor),
  'begin;',
  operation(contractor),
  friend,
  `with ${noted('offer', contractor, 'offered', 1)},
   owed as (insert into order_payouts (order_id, party_id, kind, amount_minor)
     values (:order_id::uuid, ${contractor}, 'payout', 10)), ${told('offered', 1)}
   insert into orders (id, state, source, title, description, deadline, customer_id, contractor_id, offer_author_id,
     amount_minor, fee_bps, fee_minor, total_minor, created_at, updated_at)
   values (:order_id::uuid, 'offered', 'direct', 'A piece of work', 'As agreed', now(), ${customer}, ${contractor},
     ${contractor}, 10, 1000, 1, 11, now(), now());`,
  'commit;',
]

export const step = (actor: string, action: string, state: string, version: number, money: readonly string[] = []) => [
  caller(actor),
  'begin;',
  operation(actor),
  `select * from orders where id = :order_id::uuid for no key update;`,
  ...money,
  `with ${noted(action, actor, state, version)}, ${told(state, version)}
   update orders set state = '${state}', version = ${version}, updated_at = now() where id = :order_id::uuid;`,
  'commit;',
]

export const reserve = `with moved as (
    update wallets set available_minor = available_minor - 11, reserved_minor = reserved_minor + 11,
      last_sequence = last_sequence + 1 where party_id = ${customer} and available_minor >= 11
    returning party_id, last_sequence, available_minor, reserved_minor),
  posted as (insert into ledger_transactions (id, kind, order_id, created_at)
    values (:a::uuid, 'reserve', :order_id::uuid, now()))
  insert into ledger_entries (id, transaction_id, account, party_id, kind, amount_minor, sequence,
    available_after_minor, reserved_after_minor)
  select uuidv7(), :a::uuid, account, party_id, 'reserve', amount, last_sequence, available_minor, reserved_minor
  from moved, (values ('available', -11), ('reserved', 11)) line (account, amount);`

const capture = [
  `select 1 from wallets where party_id in (${customer}, ${contractor}) order by party_id for no key update;`,
  `with paid as (
    update wallets set reserved_minor = reserved_minor - 11, last_sequence = last_sequence + 1
    where party_id = ${customer} returning party_id, last_sequence, available_minor, reserved_minor),
  earned as (
    update wallets set available_minor = available_minor + 10, last_sequence = last_sequence + 1
    where party_id = ${contractor} returning party_id, last_sequence, available_minor, reserved_minor),
  posted as (insert into ledger_transactions (id, kind, order_id, created_at)
    values (:b::uuid, 'capture', :order_id::uuid, now()))
  insert into ledger_entries (id, transaction_id, account, party_id, kind, amount_minor, sequence,
    available_after_minor, reserved_after_minor)
  select uuidv7(), :b::uuid, 'reserved', party_id, 'capture', -11, last_sequence, available_minor, reserved_minor
  from paid
  union all select uuidv7(), :b::uuid, 'available', party_id, 'payout', 10, last_sequence, available_minor, reserved_minor
  from earned
  union all select uuidv7(), :b::uuid, 'fees', null, 'capture', 1, null, null, null;`,
  `insert into contractor_totals (party_id, completed_total_minor) values (${contractor}, 11)
   on conflict (party_id) do update set completed_total_minor = contractor_totals.completed_total_minor + 11;`,
]

const close = (statements: string[]): string[] =>
  statements.map((each) =>
    each.replace(`set state = 'closed'`, `set state = 'closed', outcome = 'accepted', closed_at = now()`),
  )

/** One whole order: five transactions. */
export const cycleScript = `${ids}${script(
  ...offer,
  ...step(customer, 'accept', 'funded', 2, [friend, reserve]),
  ...step(contractor, 'start', 'in_progress', 3),
  ...step(contractor, 'deliver', 'delivered', 4),
  ...close(step(customer, 'complete', 'closed', 5, capture)),
)}`

/** An accept on one wallet that all clients share, of an order that is made in a transaction before it. */
export const acceptScript =
  `${ids}${script(...offer, ...step(customer, 'accept', 'funded', 2, [friend, reserve]))}`.replaceAll(':client_id', '0')
