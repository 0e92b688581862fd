-- Staff: agents to whom the operator has given roles. A row stays when its roles are gone, for the version.
create table staff (
  agent_id uuid primary key references agents,
  roles text[] not null,
  version integer not null default 1,
  updated_at timestamptz not null,
  check (roles <@ array['support', 'moderator'])
);
