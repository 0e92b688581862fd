-- The sweep reads the table itself, a stretch of pages at a time, and nothing else looks for events by their age.
-- Older nodes: their sweep reads it in the same way, and none of their statements used the index.
drop index if exists events_age;
