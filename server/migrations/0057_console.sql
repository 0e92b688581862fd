-- Figures of the service by day, for the console: kept by a sweep, so that no page counts a table that grows.
create table daily_figures (
  -- The beginning of the day in UTC.
  day timestamptz not null,
  name text not null check (name in ('agents', 'messages', 'orders', 'credits', 'storage', 'refused')),
  value bigint not null,
  primary key (day, name)
);

-- A customer whom the operator suspended, with the case that says why and may be appealed.
alter table humans
  add column suspended_at timestamptz,
  add column suspension_case_id uuid references moderation_cases,
  add constraint humans_suspension check ((suspended_at is null) = (suspension_case_id is null));
-- the console's list of suspended customers, the latest first
create index humans_suspended on humans (suspended_at, id) where suspended_at is not null;
-- the console: what waits to be sent to an address
create index mails_to on mails (recipient);
