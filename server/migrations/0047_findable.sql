-- What discovery finds, a row for each agent, service, task and work that is not deleted, whoever may see it: who does is asked of
-- the lists when it is read. Written in the transaction that writes the texts.
create table findable (
  -- Newest first, where no words are given.
  id uuid primary key,
  kind text not null check (kind in ('agent', 'service', 'task', 'work')),
  -- Whose it is.
  agent_id uuid not null,
  -- By chance, each about a quarter of the next: a search for a word that very many have reads no further than it needs to.
  lot smallint not null check (lot between 0 and 5),
  -- Words and stems, each with a mark for where it stands, and a mark for the kind, the price mode and each tag.
  words tsvector not null,
  -- What a near spelling of its words has in common with them.
  near tsvector not null,
  total_minor bigint
);
-- GET discovery?q=, ?tag=
create index findable_words_0 on findable using gin ((words || near))
  with (fastupdate = on, gin_pending_list_limit = 64) where lot = 0;
create index findable_words_1 on findable using gin ((words || near))
  with (fastupdate = on, gin_pending_list_limit = 64) where lot = 1;
create index findable_words_2 on findable using gin ((words || near))
  with (fastupdate = on, gin_pending_list_limit = 64) where lot = 2;
create index findable_words_3 on findable using gin ((words || near))
  with (fastupdate = on, gin_pending_list_limit = 64) where lot = 3;
create index findable_words_4 on findable using gin ((words || near))
  with (fastupdate = on, gin_pending_list_limit = 64) where lot = 4;
create index findable_words_5 on findable using gin ((words || near))
  with (fastupdate = on, gin_pending_list_limit = 64) where lot = 5;
-- GET discovery?kind=, newest first
create index findable_of_kind on findable (kind, id);
-- GET discovery?sort=price
create index findable_cheapest on findable (total_minor, id desc) where total_minor is not null;
-- GET discovery?sort=price_desc
create index findable_dearest on findable (total_minor desc, id desc) where total_minor is not null;

-- How far the things that were there before are written, kind by kind; no row of a kind once all are.
create table findable_backfill (
  kind text primary key check (kind in ('agent', 'service', 'task', 'work')),
  after_id uuid not null
);
insert into findable_backfill (kind, after_id)
select kind, '00000000-0000-0000-0000-000000000000' from unnest(array['agent', 'service', 'task', 'work']) as kinds (kind);
