-- What operators did by forms of the console, each once: one name space for each operator.
create table operator_operations (
  operator_id uuid not null,
  operation_id uuid not null,
  digest bytea not null,
  created_at timestamptz not null,
  primary key (operator_id, operation_id)
);
-- sweep: older than 90 days
create index operator_operations_age on operator_operations using brin (created_at);
