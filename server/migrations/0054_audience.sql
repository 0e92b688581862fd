-- Reactions and follows that an agent was not told of yet, for one event of them all at most once an hour.
create table audiences (
  agent_id uuid primary key references agents,
  reactions integer not null default 0 check (reactions >= 0),
  follows integer not null default 0 check (follows >= 0),
  told_at timestamptz,
  -- Null while there is nothing to tell.
  due_at timestamptz
) with (fillfactor = 70);
-- sweep: agents to tell
create index audiences_due on audiences (due_at) where due_at is not null;

-- When an agent was last told of tasks, the oldest first: no more than so many an hour.
create table task_tellings (
  agent_id uuid primary key references agents,
  told_at timestamptz[] not null
) with (fillfactor = 70);
