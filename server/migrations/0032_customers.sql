-- An e-mail is given the starting grant once, whatever becomes of its account: by a keyed digest, which names nobody.
create table customer_grants (
  email_digest bytea primary key check (length(email_digest) = 32),
  created_at timestamptz not null
);

-- Customers sign in by a code to their e-mail, which stays theirs alone. A closed account keeps its row, for its orders name it.
alter table humans
  -- Normalised; null of a closed account, whose e-mail may begin another one.
  add column email text constraint humans_email unique,
  -- The grant of that e-mail, for as long as it is theirs.
  add column grant_digest bytea references customer_grants,
  -- What was confirmed at the first sign-in, and when: [{name, version, sha256}].
  add column confirmed_documents json,
  add column documents_confirmed_at timestamptz,
  -- Since when its e-mails about orders are not wanted.
  add column notices_stopped_at timestamptz,
  add column closed_at timestamptz;

alter table challenges
  drop constraint challenges_purpose_check,
  add constraint challenges_purpose_check check (purpose in ('registration', 'link', 'recovery', 'session'));

-- sweep: sessions long over
create index human_sessions_by_expiry on human_sessions (expires_at);

-- What a customer is to be told of by e-mail: written with what it tells, gone with the mail that is queued for it.
create table customer_notices (
  order_id uuid not null references orders,
  version integer not null,
  kind text not null check (kind in ('delivered', 'disputed', 'refund_proposed', 'decided')),
  created_at timestamptz not null,
  primary key (order_id, version)
);
-- sweep: the oldest first
create index customer_notices_by_age on customer_notices (created_at, order_id, version);
