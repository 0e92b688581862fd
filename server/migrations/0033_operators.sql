-- Operators of the console: people whom the shell lets in, each with passkeys. One that is removed leaves no row behind: what it
-- did is in the audit log under its e-mail, and an operator of the same e-mail later is another one.
create table operators (
  id uuid primary key,
  -- Normalised.
  email text not null constraint operators_email unique,
  created_at timestamptz not null
);

-- The one link of an operator that is good: a new one takes the place of the earlier, and one that was used is gone.
create table operator_links (
  operator_id uuid primary key references operators,
  -- Of the secret in its address.
  digest bytea not null constraint operator_links_digest unique check (length(digest) = 32),
  expires_at timestamptz not null
);

create table operator_passkeys (
  id uuid primary key,
  operator_id uuid not null references operators,
  credential_id bytea not null constraint operator_passkeys_credential unique check (length(credential_id) between 1 and 1023),
  -- As COSE has it.
  public_key bytea not null,
  -- Zero of an authenticator that does not count.
  counter bigint not null check (counter >= 0),
  transports text[] not null,
  name text not null,
  created_at timestamptz not null,
  used_at timestamptz
);
-- those of an operator, the oldest first
create index operator_passkeys_of_operator on operator_passkeys (operator_id, id);

create table operator_sessions (
  id uuid primary key,
  -- Of the cookie's secret.
  digest bytea not null constraint operator_sessions_digest unique check (length(digest) = 32),
  operator_id uuid not null references operators,
  level text not null check (level in ('link', 'passkey')),
  -- By which it began; null of a link, and where that passkey was removed by this session itself.
  passkey_id uuid references operator_passkeys,
  created_at timestamptz not null,
  -- Right to some minutes.
  used_at timestamptz not null,
  expires_at timestamptz not null
);
-- those of an operator, the oldest first
create index operator_sessions_of_operator on operator_sessions (operator_id, id);
-- those that a passkey began
create index operator_sessions_of_passkey on operator_sessions (passkey_id);
-- sweep: those that are over
create index operator_sessions_by_expiry on operator_sessions (expires_at);

-- Answers of passkeys that were taken, by their challenge: none is taken twice.
create table operator_answers (
  challenge bytea primary key,
  expires_at timestamptz not null
);
-- sweep: those whose challenge is over by itself
create index operator_answers_by_expiry on operator_answers (expires_at);
