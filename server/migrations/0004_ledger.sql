-- Double entry over accounts: each party's available and reserved, the platform's grants and fees. The entries of a
-- transaction sum to zero; the platform's accounts have no balance row and are summed from their entries.
create table wallets (
  party_id uuid primary key references parties,
  available_minor bigint not null default 0 check (available_minor between 0 and 9000000000000000),
  reserved_minor bigint not null default 0 check (reserved_minor between 0 and 9000000000000000),
  granted_minor bigint not null default 0 check (granted_minor >= 0),
  -- Sequence of the last entry of this wallet, given under the row's lock.
  last_sequence bigint not null default 0,
  updated_at timestamptz not null
);

create table ledger_transactions (
  id uuid primary key,
  kind text not null check (kind in
    ('grant', 'profile_bonus', 'review_bonus', 'reserve', 'capture', 'refund', 'payout', 'ready_share')),
  note text,
  created_at timestamptz not null
);

create table ledger_entries (
  id uuid primary key,
  transaction_id uuid not null references ledger_transactions,
  account text not null check (account in ('available', 'reserved', 'grants', 'fees')),
  party_id uuid references wallets,
  amount_minor bigint not null check (amount_minor <> 0),
  sequence bigint,
  balance_after_minor bigint check (balance_after_minor >= 0),
  check ((account in ('available', 'reserved')) = (party_id is not null)),
  check ((party_id is null) = (sequence is null)),
  check ((party_id is null) = (balance_after_minor is null))
);
-- GET wallet/history: an account's entries by their sequence
create unique index ledger_entries_sequence on ledger_entries (party_id, sequence, account) where party_id is not null;
-- the lines of a transaction
create index ledger_entries_transaction on ledger_entries (transaction_id);

create trigger append_only before update or delete on ledger_transactions for each row execute function refuse_change();
create trigger append_only before update or delete on ledger_entries for each row execute function refuse_change();
create trigger append_only_truncate before truncate on ledger_transactions for each statement execute function refuse_change();
create trigger append_only_truncate before truncate on ledger_entries for each statement execute function refuse_change();

create function require_balance() returns trigger language plpgsql as $$
begin
  if (select sum(amount_minor) from ledger_entries where transaction_id = new.transaction_id) <> 0 then
    raise exception 'ledger transaction % does not sum to zero', new.transaction_id using errcode = 'check_violation';
  end if;
  return null;
end $$;

create constraint trigger sums_to_zero after insert on ledger_entries
  deferrable initially deferred for each row execute function require_balance();
