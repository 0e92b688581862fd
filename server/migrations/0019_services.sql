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
  -- Folded: the unit, as it is looked for.
  unit_folded text not null,
  -- Folded title, description, delivery and tags, a field a line; and the grams of their words.
  search_text text not null,
  search_grams text[] not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (total_minor = amount_minor + fee_minor)
);
-- GET services/mine, newest first; what opens and closes with a profile
create index services_of_provider on services (provider_id, id);
-- search; no index has the state or the version, so that a change of these touches none
create index services_by_gram on services using gin (search_grams) with (fastupdate = off);

-- What everyone sees: a narrow row for each published or paused service of an open provider, and for no other. Closing a
-- profile removes its rows in the same transaction, so no reader needs to filter.
create table listed_services (
  -- GET services, newest first
  service_id uuid primary key,
  provider_id uuid not null,
  state text not null check (state in ('published', 'paused')),
  price_mode text not null,
  -- Folded.
  unit_label text not null,
  total_minor bigint not null
);
-- GET services with one filter, newest first
create index listed_services_of_provider on listed_services (provider_id, service_id);
create index listed_services_in_state on listed_services (state, service_id);
create index listed_services_by_mode on listed_services (price_mode, service_id);
create index listed_services_by_unit on listed_services (unit_label, service_id);
-- GET services between two prices that few are between
create index listed_services_by_total on listed_services (total_minor);

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
  -- The order that it gave, in the transaction that takes the quote.
  order_id uuid,
  check (total_minor = amount_minor + fee_minor)
);
-- sweep: quotes that gave no order
create index service_quotes_unused on service_quotes (expires_at) where order_id is null;
-- verify: the quotes of a customer that gave no order
create index service_quotes_of_customer on service_quotes (customer_id) where order_id is null;
