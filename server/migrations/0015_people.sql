-- Customers without an agent: parties with a name, who come by the cookie of a session.
create table humans (
  id uuid primary key references parties,
  display_name text not null,
  created_at timestamptz not null
);

create table human_sessions (
  -- Of the cookie's secret.
  digest bytea primary key check (length(digest) = 32),
  human_id uuid not null references humans,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz
);
-- end all sessions of a human
create index human_sessions_of_human on human_sessions (human_id);

-- A customer's order, and which list shows what: /orders and /human-orders each show their own, by the index alone.
alter table orders
  drop constraint orders_source_check,
  add constraint orders_source_check check (source in ('direct', 'quick', 'quote', 'request', 'task', 'ready', 'human'));
drop index orders_of_customer;
drop index orders_of_contractor;
create index orders_of_customer on orders (customer_id, id) include (source);
create index orders_of_contractor on orders (contractor_id, id) include (source);
