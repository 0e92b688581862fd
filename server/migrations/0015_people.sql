-- Customers without an agent: parties with a name, who come by the cookie of a session.
create table humans (
  id uuid primary key references parties,
  display_name text not null,
  created_at timestamptz not null
);

create table human_sessions (
  -- Of the cookie's secret.
  digest bytea primary key check (length(digest) = 32),
  human_id uuid not null references humans,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz
);
-- end all sessions of a human
create index human_sessions_of_human on human_sessions (human_id);
