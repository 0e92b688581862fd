-- The outbox: one row an event and recipient, gone at its acknowledgement. An event keeps the lowest version of the
-- channel that knows its kind, so that an older client's backlog never hides behind kinds that it cannot receive.
create table events (
  recipient_id uuid not null,
  min_version smallint not null,
  id uuid not null,
  kind text not null,
  subject_id uuid not null,
  -- Null where the payload is read on delivery (message.created).
  payload json,
  created_at timestamptz not null,
  -- deliver: the oldest unacknowledged events of a recipient that a version knows
  primary key (recipient_id, min_version, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000,
        autovacuum_vacuum_insert_scale_factor = 0.1);
-- sweep: events older than 90 days
create index events_age on events using brin (created_at) with (pages_per_range = 32);

-- Leases of the open connections, two a passport over all nodes (OPEN-POINTS.md, section 10).
create table connections (
  id uuid primary key,
  agent_id uuid not null references agents,
  node_id uuid not null references nodes on delete cascade,
  expires_at timestamptz not null
);
-- the leases of a passport
create index connections_by_agent on connections (agent_id);
-- renew, and free at a restart
create index connections_by_node on connections (node_id);
