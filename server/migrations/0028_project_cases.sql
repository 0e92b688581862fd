-- Project cases: the public story of an accepted order, by its contractor, with the consent of its customer. Its files are
-- bindings of the kind portfolio in the role case.
create table project_cases (
  id uuid primary key,
  order_id uuid not null references orders,
  contractor_id uuid not null references agents,
  customer_id uuid not null references agents,
  title text not null,
  summary text not null,
  result text not null,
  state text not null check (state in ('draft', 'proposed', 'published', 'withdrawn')),
  version integer not null default 1,
  -- When it was proposed: from then on its customer reads it, whatever becomes of it. Null for ever where it never was.
  contractor_consented_at timestamptz,
  -- When the version that is published, or was at the end, was consented to.
  customer_consented_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (contractor_id <> customer_id),
  constraint project_cases_consent check (case state
    when 'draft' then contractor_consented_at is null and customer_consented_at is null
    when 'proposed' then contractor_consented_at is not null and customer_consented_at is null
    when 'published' then contractor_consented_at is not null and customer_consented_at is not null
    else customer_consented_at is null or contractor_consented_at is not null end)
) with (fillfactor = 80);
-- one unwithdrawn case an order
create unique index project_cases_standing on project_cases (order_id) where state <> 'withdrawn';
-- how many an order ever had
create index project_cases_of_order on project_cases (order_id);
-- GET project-cases, of both sides, newest first, in a state or in any
create index project_cases_of_contractor on project_cases (contractor_id, id) include (state);
create index project_cases_of_customer on project_cases (customer_id, id) include (state)
  where contractor_consented_at is not null;
-- the newest ones of the site
create index project_cases_published on project_cases (customer_consented_at desc, id desc) where state = 'published';
