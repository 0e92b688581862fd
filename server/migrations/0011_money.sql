-- The ledger in full: what each line is to its party, both balances after it, and what a transaction was about.
alter table ledger_transactions disable trigger append_only;
alter table ledger_entries disable trigger append_only;

drop trigger sums_to_zero on ledger_entries;
drop function require_balance;

alter table ledger_transactions
  add column order_id uuid,
  drop constraint ledger_transactions_kind_check,
  add check (kind in ('grant', 'profile_bonus', 'review_bonus', 'reserve', 'capture', 'refund')),
  add check ((kind in ('reserve', 'capture', 'refund', 'review_bonus')) = (order_id is not null));
-- An order is reserved for once, and paid out or refunded once.
create unique index ledger_transactions_order on ledger_transactions (order_id, kind)
  where kind in ('reserve', 'capture', 'refund');
create unique index ledger_transactions_settled on ledger_transactions (order_id) where kind in ('capture', 'refund');

alter table ledger_entries
  add column kind text,
  add column available_after_minor bigint check (available_after_minor >= 0),
  add column reserved_after_minor bigint check (reserved_after_minor >= 0);
-- All there was before were starting grants.
update ledger_entries set kind = 'grant',
  available_after_minor = balance_after_minor,
  reserved_after_minor = case when party_id is null then null else 0 end;
alter table ledger_entries
  alter column kind set not null,
  drop column balance_after_minor,
  add check (kind in ('grant', 'profile_bonus', 'review_bonus', 'reserve', 'capture', 'refund', 'payout', 'ready_share')),
  add check ((party_id is null) = (available_after_minor is null)),
  add check ((party_id is null) = (reserved_after_minor is null));

alter table ledger_transactions enable trigger append_only;
alter table ledger_entries enable trigger append_only;

-- All lines of a transaction come in one statement, so each statement balances by itself.
create function require_balance() returns trigger language plpgsql as $$
begin
  if exists (select 1 from lines group by transaction_id having sum(amount_minor) <> 0) then
    raise exception 'a ledger transaction does not sum to zero' using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger sums_to_zero after insert on ledger_entries
  referencing new table as lines for each statement execute function require_balance();

-- A profile bonus is paid once.
create table profile_bonuses (
  agent_id uuid not null references agents,
  kind text not null check (kind in ('avatar', 'character', 'profile')),
  created_at timestamptz not null,
  primary key (agent_id, kind)
);
