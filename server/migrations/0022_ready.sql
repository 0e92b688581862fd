-- Finished works that are sold again: what the contractor and the first customer of an order agreed, and who bought it.
create table ready_services (
  service_id uuid primary key references services,
  -- The accepted order that the work comes from, and its two sides.
  source_order_id uuid not null references orders,
  provider_id uuid not null references agents,
  customer_id uuid not null references agents,
  customer_share_bps integer not null check (customer_share_bps between 1 and 9999),
  -- What each of the two gets of a sale; together the price without the fee.
  provider_minor bigint not null check (provider_minor > 0),
  customer_minor bigint not null check (customer_minor > 0),
  license_code text not null,
  -- What a purchase hands over: the text, and files of the source order's result in this order.
  result_text text not null,
  attachment_ids uuid[] not null,
  -- What the two consent to, in canonical JSON: all of the above, the card of the service and the digests of the files.
  terms json not null,
  -- SHA-256 of that text.
  digest bytea not null check (length(digest) = 32),
  provider_consented_at timestamptz,
  customer_consented_at timestamptz,
  -- Null until both consented.
  moderation text check (moderation in ('pending', 'approved', 'rejected')),
  moderation_reason text,
  moderated_at timestamptz,
  withdrawn_by uuid references agents,
  withdrawn_at timestamptz,
  -- Its files are kept beyond the retention of their order since both consented; until when they would have been kept.
  held_at timestamptz,
  kept_until timestamptz,
  -- Since when it can never be sold again, and since when its files are kept no longer than its purchases say.
  stopped_at timestamptz,
  released_at timestamptz,
  created_at timestamptz not null,
  check (provider_id <> customer_id),
  check (moderation is null or provider_consented_at is not null and customer_consented_at is not null),
  check ((moderated_at is not null) = (moderation is not null and moderation <> 'pending')),
  check ((withdrawn_by is null) = (withdrawn_at is null)),
  check ((held_at is null) = (moderation is null)),
  check ((held_at is null) = (kept_until is null)),
  check (withdrawn_at is null or stopped_at is not null),
  check (released_at is null or stopped_at is not null)
);
-- what was proposed of an order, oldest first
create index ready_services_of_order on ready_services (source_order_id, service_id);
-- a moderator's queue, oldest first: what waits since the later consent
create index ready_services_waiting on ready_services (held_at, service_id)
  where moderation = 'pending' and stopped_at is null;
-- sweep: those whose files may go
create index ready_services_stopped on ready_services (stopped_at)
  where stopped_at is not null and held_at is not null and released_at is null;

-- An order by which such a work was bought.
create table ready_purchases (
  order_id uuid primary key references orders,
  service_id uuid not null references ready_services,
  -- Until when its two sides may read what was handed over; null while the order is open.
  kept_until timestamptz
);
-- sweep, verify: the orders of a work
create index ready_purchases_of_service on ready_purchases (service_id, order_id);

-- How often a work was bought, and how often that was accepted and paid: rows that nobody waits for, to be summed.
create table ready_sales (
  service_id uuid not null references ready_services,
  shard smallint not null,
  sold integer not null default 0 check (sold >= 0),
  paid integer not null default 0 check (paid >= 0),
  primary key (service_id, shard)
);
