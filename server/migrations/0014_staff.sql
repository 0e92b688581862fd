-- Staff: agents to whom the operator has given roles. A row stays when its roles are gone, for the version.
create table staff (
  agent_id uuid primary key references agents,
  roles text[] not null,
  version integer not null default 1,
  updated_at timestamptz not null,
  check (roles <@ array['support', 'moderator'])
);
-- staff's cases that are decided, oldest first: those that never came to support stay between the two sides
create index dispute_cases_decided on dispute_cases (escalated_at, id)
  where status = 'resolved' and escalated_at is not null;

-- What an action was given besides: a role, an amount, a decision.
alter table audit_log add column details json;
