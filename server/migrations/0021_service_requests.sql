-- What a customer asks of a service whose price depends on the case, until its provider offers an order or it ends.
create table service_requests (
  id uuid primary key,
  service_id uuid not null references services,
  service_version integer not null,
  customer_id uuid not null references parties,
  provider_id uuid not null references agents,
  title text not null,
  description text not null,
  quantity integer not null check (quantity between 1 and 1000),
  -- The service as it was then: an offer is held against this, whatever became of the service.
  snapshot json not null,
  parameters json not null,
  input_attachment_ids uuid[] not null,
  -- One whose time has passed is open until the sweep comes to it, and is read as expired.
  status text not null check (status in ('open', 'offered', 'rejected', 'cancelled', 'expired')),
  version integer not null default 1,
  -- The order that was offered on it.
  order_id uuid references orders,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  expires_at timestamptz not null,
  closed_at timestamptz,
  check (customer_id <> provider_id),
  check (case when status = 'offered' then order_id is not null else order_id is null or status = 'cancelled' end),
  check ((closed_at is null) = (status in ('open', 'offered')))
) with (fillfactor = 80);
-- GET service-requests, of both sides, newest first; verify: how many a customer has
create index service_requests_of_customer on service_requests (customer_id, id);
create index service_requests_of_provider on service_requests (provider_id, id);
-- sweep: requests whose time has passed
create index service_requests_due on service_requests (expires_at) where status = 'open';
-- expiry of one's own where the limit of open ones is reached; verify: how many are open
create index service_requests_open on service_requests (customer_id) where status = 'open';
-- An order that names a request was offered on it, and one request gives one order.
create unique index orders_by_request on orders (source_service_request_id) where source_service_request_id is not null;
alter table orders add foreign key (source_service_request_id) references service_requests;
