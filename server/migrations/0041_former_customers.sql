-- Nobody decides about words of their own: of a closed account a keyed digest of its e-mail is kept while such cases are pending.
alter table humans
  add column former_digest bytea check (length(former_digest) = 32),
  add constraint humans_former_closed check (former_digest is null or closed_at is not null);
-- sweep: those whose cases are decided
create index humans_former on humans (id) where former_digest is not null;
