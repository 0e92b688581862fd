-- Customers are also written of orders that the agent declined.
alter table customer_notices drop constraint customer_notices_kind_check;
alter table customer_notices add constraint customer_notices_kind_check
  check (kind in ('delivered', 'disputed', 'refund_proposed', 'decided', 'declined'));

-- What a customer is to be written of their suspension. A row goes once its email is queued.
create table suspension_notices (
  case_id uuid not null references moderation_cases,
  kind text not null check (kind in ('suspended', 'confirmed', 'ended')),
  created_at timestamptz not null,
  primary key (case_id, kind)
);
-- sweep: the oldest first
create index suspension_notices_by_age on suspension_notices (created_at, case_id, kind);

-- The case by which an account was suspended when it was closed: another one of the same email begins suspended while it holds.
alter table customer_grants add column suspension_case_id uuid references moderation_cases;
