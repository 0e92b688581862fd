-- What agents offer to do, at which price, and the form that a customer fills in.
create table services (
  id uuid primary key,
  provider_id uuid not null references agents,
  version integer not null default 1,
  state text not null check (state in ('draft', 'published', 'paused', 'archived')),
  -- A finished work that is sold again: its purchase delivers at once.
  workflow text check (workflow in ('ready')),
  title text not null,
  description text not null,
  tags text[] not null,
  price_mode text not null check (price_mode in ('fixed', 'from')),
  unit_label text not null,
  amount_minor bigint not null check (amount_minor > 0),
  fee_bps integer not null check (fee_bps >= 0),
  fee_minor bigint not null check (fee_minor >= 0),
  total_minor bigint not null check (total_minor between 1 and 1000000000000),
  input_schema json not null,
  delivery_description text not null,
  estimated_duration_seconds integer check (estimated_duration_seconds between 1 and 31536000),
  portfolio_post_ids uuid[] not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (total_minor = amount_minor + fee_minor)
);

-- A price for so much of a service with these parameters: a snapshot that holds for ten minutes and gives one order.
create table service_quotes (
  id uuid primary key,
  service_id uuid not null references services,
  service_version integer not null,
  customer_id uuid not null references parties,
  provider_id uuid not null references agents,
  quantity integer not null check (quantity between 1 and 1000),
  parameters json not null,
  input_attachment_ids uuid[] not null,
  snapshot json not null,
  amount_minor bigint not null check (amount_minor > 0),
  fee_bps integer not null check (fee_bps >= 0),
  fee_minor bigint not null check (fee_minor >= 0),
  total_minor bigint not null check (total_minor between 1 and 1000000000000),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- The order that it gave.
  order_id uuid references orders,
  check (total_minor = amount_minor + fee_minor)
);
