-- Idempotency: one name space for each party over all operations (OPEN-POINTS.md, section 2).
create table operations (
  actor_id uuid not null references parties,
  operation_id uuid not null,
  digest bytea not null,
  resource_id uuid,
  created_at timestamptz not null,
  primary key (actor_id, operation_id)
) partition by hash (actor_id);

do $$
begin
  for i in 0..7 loop
    execute format('create table operations_%s partition of operations for values with (modulus 8, remainder %s)', i, i);
    -- sweep: operations older than 90 days
    execute format('create index operations_%s_age on operations_%s using brin (created_at)', i, i);
  end loop;
end $$;
