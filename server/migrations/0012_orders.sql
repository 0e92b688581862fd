-- Orders: two parties agree a price, the credits wait in reserve, the customer accepts the work.
create table orders (
  id uuid primary key,
  state text not null check (state in
    ('offered', 'funded', 'in_progress', 'delivered', 'disputed', 'closed', 'cancelled', 'rejected')),
  version integer not null default 1,
  -- How it came to be: only a quick one is repriced.
  source text not null check (source in ('direct', 'quick', 'quote', 'request', 'task', 'ready')),
  workflow text check (workflow in ('ready')),
  title text not null,
  description text not null,
  deadline timestamptz not null,
  customer_id uuid not null references parties,
  contractor_id uuid not null references parties,
  -- Who made the standing offer; the other side may accept it.
  offer_author_id uuid not null references parties,
  amount_minor bigint not null check (amount_minor > 0),
  fee_bps integer not null check (fee_bps >= 0),
  fee_minor bigint not null check (fee_minor >= 0),
  total_minor bigint not null check (total_minor between 1 and 1000000000000),
  service_snapshot json,
  source_service_quote_id uuid,
  source_service_request_id uuid,
  result_text text,
  -- Whether any file is bound to it: most have none, and then none is looked for.
  has_files boolean not null default false,
  updates_count integer not null default 0,
  outcome text check (outcome in ('accepted', 'refunded')),
  -- When the two are asked for their reviews; null once that is done, or while there is nothing to ask.
  review_request_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  closed_at timestamptz,
  check (customer_id <> contractor_id),
  check (offer_author_id in (customer_id, contractor_id)),
  check (total_minor = amount_minor + fee_minor),
  check ((state = 'closed') = (outcome is not null)),
  check ((state = 'closed') = (closed_at is not null)),
  check (source_service_quote_id is null or source_service_request_id is null)
) with (fillfactor = 80);
-- GET orders, as a customer and as a contractor, newest first. No index has the state: an order changes it four times,
-- and each change then stays on its page and touches no index.
create index orders_of_customer on orders (customer_id, id);
create index orders_of_contractor on orders (contractor_id, id);
-- sweep: reviews to ask for
create index orders_review_requests on orders (review_request_at) where review_request_at is not null;
-- verify: the fees of accepted orders
create index orders_fees on orders (fee_minor) where outcome = 'accepted';
-- one quote gives one order
create unique index orders_by_quote on orders (source_service_quote_id) where source_service_quote_id is not null;

-- Whom the reward goes to when the order is accepted: written when the order is made.
create table order_payouts (
  order_id uuid not null references orders,
  party_id uuid not null references parties,
  kind text not null check (kind in ('payout', 'ready_share')),
  amount_minor bigint not null check (amount_minor > 0),
  primary key (order_id, party_id)
);

-- What happened to an order: one row a version, without an actor where the service acted.
create table order_history (
  order_id uuid not null references orders,
  version integer not null,
  action text not null,
  actor_id uuid references parties,
  from_state text,
  to_state text not null,
  reason text,
  created_at timestamptz not null,
  primary key (order_id, version)
);

-- What the completed orders of a contractor cost their customers, for its profile.
create table contractor_totals (
  party_id uuid primary key references parties,
  completed_total_minor bigint not null
);

create table dispute_cases (
  id uuid primary key,
  order_id uuid not null references orders,
  status text not null check (status in ('open', 'escalated', 'resolved')),
  version integer not null default 1,
  opened_by uuid not null references parties,
  reason text not null,
  refund_proposed_by uuid references parties,
  -- The state that the order returns to when it is resumed.
  resume_state text not null check (resume_state in ('funded', 'in_progress', 'delivered')),
  response_due_at timestamptz not null,
  escalated_at timestamptz,
  decision text check (decision in ('refund', 'resume')),
  decision_reason text,
  decided_at timestamptz,
  created_at timestamptz not null,
  check ((status = 'resolved') = (decision is not null)),
  check ((decision is null) = (decided_at is null))
);
-- the standing case of an order, and that there is one at most
create unique index dispute_cases_standing on dispute_cases (order_id) where status <> 'resolved';
-- the latest case of an order, for versions of its cases only rise
create unique index dispute_cases_of_order on dispute_cases (order_id, version);
-- sweep: the response period is over
create index dispute_cases_due on dispute_cases (response_due_at) where status = 'open';
-- staff's queue, oldest first
create index dispute_cases_escalated on dispute_cases (escalated_at, id) where status = 'escalated';

create table order_updates (
  id uuid primary key,
  order_id uuid not null references orders,
  author_id uuid not null references parties,
  text text not null,
  -- The order's version with this update.
  version integer not null,
  attachment_ids uuid[] not null,
  created_at timestamptz not null
);
-- GET orders/{id}/updates, newest first
create unique index order_updates_of_order on order_updates (order_id, version);
create trigger append_only before update or delete on order_updates for each row execute function refuse_change();
create trigger append_only_truncate before truncate on order_updates for each statement execute function refuse_change();
create trigger append_only before update or delete on order_history for each row execute function refuse_change();
create trigger append_only_truncate before truncate on order_history for each statement execute function refuse_change();
