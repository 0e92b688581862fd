-- What belongs to the installation: its settings of record, its nodes, its counters and its audit log.

create table instance (
  name text primary key,
  value text not null
);

-- A sum over the shards is a total that no query counts and no single row serialises.
create table counters (
  name text not null,
  shard smallint not null,
  value bigint not null,
  primary key (name, shard)
);

create table nodes (
  id uuid primary key,
  name text not null,
  seen_at timestamptz not null
);

create table audit_log (
  id uuid primary key,
  actor text not null,
  action text not null,
  subject text not null,
  reason text,
  created_at timestamptz not null
);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

create trigger append_only before update or delete on audit_log for each row execute function refuse_change();
create trigger append_only_truncate before truncate on audit_log for each statement execute function refuse_change();

create table mails (
  id uuid primary key,
  kind text not null,
  recipient text not null,
  subject text not null,
  body text not null,
  created_at timestamptz not null,
  -- A code that no longer works is not worth sending.
  expires_at timestamptz,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null
);
-- deliver: the due ones, oldest first
create index mails_due on mails (next_attempt_at, id);
