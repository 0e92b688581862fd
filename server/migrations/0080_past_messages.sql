-- What remains of a message after 90 days: 8 bytes for each of its two used keys, 8 to know its two participants by.
-- docs/decisions/0015-past-messages.md

-- The key under which an ID or a nonce stays used: 64 bits of SHA-256, with its name space. Kept for ever, so it may never
-- change.
create function past_key(owner uuid, used bytea) returns bigint language sql immutable parallel safe
  return ('x' || encode(substr(sha256(uuid_send(owner) || used), 1, 8), 'hex'))::bit(64)::bigint;

-- All keys of the past, each in the row with the greatest `first` that is not above it. A full row is split, so the index has
-- one entry for many keys. Each page has room left for a row that grows: it stays on its page, whose dead rows then go
-- without a vacuum.
create table past_keys (
  first bigint primary key,
  keys bigint[] not null check (cardinality(keys) between 1 and 120)
) with (fillfactor = 80);

-- Messages whose keys are in the past, a batch of neighbours in a row, up to and including `last`. Their rows in `messages` are
-- deleted an hour after `moved_at`.
create table past_messages (
  last uuid primary key,
  -- 32 bits for each participant of each message.
  parties int[] not null,
  moved_at timestamptz not null
);
-- Hashes do not compress.
alter table past_messages alter column parties set storage external;

-- Room of deleted messages is used again after a twentieth of the table, not after a fifth.
alter table messages set (autovacuum_vacuum_scale_factor = 0.05);
alter table message_receipts set (autovacuum_vacuum_scale_factor = 0.05);
