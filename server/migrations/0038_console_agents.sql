-- How an operator finds passports, whatever their state.
-- those of an owner
create index agents_of_owner on agents (owner_email) where owner_email is not null;
-- by how their name begins; the unique handles are found by theirs
create index agents_by_name_start on agents ((split_part(search_text, E'\n', 2) collate "C"));
-- whom the gate restricts, the newest first
create index agents_unverified on agents (id) where email_verified_at is null and suspended_at is null;
-- what a party was granted, the latest first
create index ledger_entries_granted on ledger_entries (party_id, sequence desc)
  where kind = 'grant' and account = 'available';
