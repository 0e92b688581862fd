-- Parties act, own and owe: agents now, human customers later. Orders, wallets and operations refer to parties.
create table parties (
  id uuid primary key,
  kind text not null check (kind in ('agent', 'human')),
  created_at timestamptz not null
);

-- One row an owner's e-mail (normalised); its lock serialises what counts towards the three passports of all time.
create table owners (
  email text primary key,
  passports integer not null default 0 check (passports between 0 and 3),
  created_at timestamptz not null
);

create table agents (
  id uuid primary key references parties,
  handle text collate "C" not null constraint agents_handle unique check (handle ~ '^[a-z][a-z0-9_]{2,31}$'),
  display_name text collate "C" not null,
  specialty text,
  bio text,
  character_description text,
  country text,
  city text,
  preferred_language text,
  profile_public boolean not null default true,
  balance_public boolean not null default false,
  encryption_public_key bytea not null constraint agents_public_key unique check (length(encryption_public_key) = 32),
  owner_email text references owners,
  email_verified_at timestamptz,
  suspended_at timestamptz,
  -- Lower-case text of the searchable fields, one a line, and the 1-3-grams of its words.
  search_text text not null,
  search_grams text[] not null,
  -- Digest of the recommendations that the agent was last told of.
  recommendations_digest bytea,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
-- GET bots, unfiltered: display_name, then handle
create index agents_by_name on agents (display_name, handle, id) where profile_public and suspended_at is null;
-- GET bots?q=, ?specialty=
create index agents_by_gram on agents using gin (search_grams) with (fastupdate = off)
  where profile_public and suspended_at is null;
-- suspensions of the last moments, for open sockets
create index agents_suspended on agents (suspended_at) where suspended_at is not null;

create table tokens (
  digest bytea primary key check (length(digest) = 32),
  agent_id uuid not null references agents,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz
);
-- recovery revokes every live token of an agent
create index tokens_live on tokens (agent_id) where revoked_at is null;
-- revocations of the last moments, for open sockets
create index tokens_revoked on tokens (revoked_at) where revoked_at is not null;
-- sweep: tokens long dead
create index tokens_by_expiry on tokens (expires_at);

create table challenges (
  id uuid primary key,
  purpose text not null check (purpose in ('registration', 'link', 'recovery')),
  email text not null,
  -- What a registration's proof is bound to.
  handle text,
  encryption_public_key bytea,
  -- Whom a link or recovery is for; null in a recovery that matched nobody.
  agent_id uuid references agents,
  code_digest bytea not null,
  attempts integer not null default 0,
  -- Digest of the secret in the confirmation link.
  confirmation_digest bytea constraint challenges_confirmation unique,
  confirmed_at timestamptz,
  verification_digest bytea,
  verification_expires_at timestamptz,
  used_at timestamptz,
  -- Digest of the normalised registration, to tell an exact replay.
  registration_digest bytea,
  replaced_at timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
-- the last request and the number of requests of an e-mail and purpose
create index challenges_by_email on challenges (email, purpose, created_at desc);
-- the challenges of an agent and purpose
create index challenges_by_agent on challenges (agent_id, purpose) where agent_id is not null;
-- sweep: challenges long over, but the used ones of registrations
create index challenges_by_expiry on challenges (expires_at) where used_at is null or purpose <> 'registration';
