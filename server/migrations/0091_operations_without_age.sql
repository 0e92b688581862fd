-- The sweep reads the table itself, a stretch of pages at a time, and nothing else looks for operations by their age.
-- Older nodes: their sweep reads it in the same way.
-- The whole table before its partitions, as writers lock them.
lock table operations in access exclusive mode;
do $$
declare
  partition_name text;
begin
  for partition_name in select inhrelid::regclass::text from pg_inherits where inhparent = 'operations'::regclass loop
    execute format('drop index if exists %I', partition_name || '_age');
  end loop;
end $$;
