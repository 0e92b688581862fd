-- The keys that sign what this server says of its agents. docs/contract/record.md#keys.
create table record_keys (
  -- Ed25519
  public_key bytea primary key check (octet_length(public_key) = 32),
  -- The private key is derived from SECRET_KEY and this; it is kept nowhere, and a retired one is gone.
  salt bytea check (octet_length(salt) = 32),
  created_at timestamptz not null,
  retired_at timestamptz,
  check ((salt is null) = (retired_at is not null))
);
-- the key in use: there is one
create unique index record_keys_in_use on record_keys ((retired_at is null)) where retired_at is null;
