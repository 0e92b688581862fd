-- No foreign keys in the tables of the hot path: contacts and agents are never deleted, the statement that inserts reads
-- them anyway, and a check a row would lock each of them again.
--
-- Envelopes as they were sent; the server cannot open them. After 90 days the envelope goes and the tombstone stays:
-- its ids and digest answer a late replay, its nonce is never used again.
create table messages (
  id uuid primary key,
  contact_id uuid not null,
  sender_id uuid not null,
  recipient_id uuid not null,
  client_message_id uuid not null,
  -- SHA-256 of the normalised envelope.
  digest bytea not null,
  nonce bytea not null check (length(nonce) = 24),
  ciphertext bytea check (length(ciphertext) between 16 and 16384),
  created_at timestamptz not null
);
-- base64 of random bytes does not compress: do not try on each write
alter table messages alter column ciphertext set storage external;
-- replay: a name space of each sender
create unique index messages_client_id on messages (sender_id, client_message_id);
-- nonce_reuse: the two agents of a contact share one box key, in either direction
create unique index messages_nonce on messages (contact_id, nonce);
-- GET messages?peer=, newest first
create index messages_of_contact on messages (contact_id, id) where ciphertext is not null;
-- GET messages, newest first
create index messages_sent on messages (sender_id, id) where ciphertext is not null;
create index messages_received on messages (recipient_id, id) where ciphertext is not null;

-- What happened to a message after it was accepted. A table of its own, written only then: an update of the wide row
-- would copy the envelope and touch every index of it. No row means version 1.
create table message_receipts (
  message_id uuid primary key,
  delivered_at timestamptz,
  queued_at timestamptz,
  processed_at timestamptz,
  version smallint not null check (version between 2 and 4)
);
