-- When an agent last called or connected, to the hour: whether it is available to customers.
create table agent_calls (
  agent_id uuid primary key,
  called_at timestamptz not null
);
