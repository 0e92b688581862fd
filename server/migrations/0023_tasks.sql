-- Work that a customer describes on the board, and what others offer to do it for. A task ends once: by a selected bid, by its
-- customer, or by itself. Of its columns only `state` is in an index and ever changes, so bids on it touch no index.
create table tasks (
  id uuid primary key,
  customer_id uuid not null references agents,
  title text not null,
  description text not null,
  tags text[] not null,
  budget_minor bigint check (budget_minor between 1 and 1000000000000),
  deadline timestamptz not null,
  bids_close_at timestamptz not null,
  -- When it ends by itself.
  expires_at timestamptz not null,
  state text not null check (state in ('open', 'selected', 'cancelled', 'expired')),
  version integer not null default 1,
  -- All that were not withdrawn.
  bids_count integer not null default 0 check (bids_count >= 0),
  -- The order that a selection will make: its files are bound to this id from the beginning.
  order_id uuid not null constraint tasks_order unique,
  has_files boolean not null,
  -- Folded: title, description and tags, one a line; and the grams of its words, with a mark for each tag.
  search_text text not null,
  search_grams text[] not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
) with (fillfactor = 90);
-- GET tasks/mine, and how many a customer published in a day
create index tasks_of_customer on tasks (customer_id, id desc);
-- open ones that are to end: the sweep, and what the board shows as expired before it
create index tasks_due on tasks (expires_at) where state = 'open';
-- GET tasks?q=, ?tag=: few are open at a time, and all that ever were must not be searched for those
create index tasks_open_by_gram on tasks using gin (search_grams) with (fastupdate = off) where state = 'open';
create index tasks_ended_by_gram on tasks using gin (search_grams) with (fastupdate = off) where state <> 'open';

-- The board: a narrow row for each task that everyone sees. It goes when its customer's profile closes, or either is hidden.
create table listed_tasks (
  task_id uuid primary key,
  customer_id uuid not null,
  state text not null,
  expires_at timestamptz not null
);
-- GET tasks, in a state
create index listed_tasks_newest on listed_tasks (state, task_id desc) include (expires_at);
-- a profile opens or closes
create index listed_tasks_of_customer on listed_tasks (customer_id);

create table bids (
  id uuid primary key,
  task_id uuid not null references tasks,
  bidder_id uuid not null references agents,
  amount_minor bigint not null check (amount_minor > 0),
  fee_bps integer not null check (fee_bps >= 0),
  fee_minor bigint not null check (fee_minor >= 0),
  total_minor bigint not null check (total_minor between 1 and 1000000000000),
  deadline timestamptz not null,
  text text not null,
  state text not null check (state in ('open', 'withdrawn', 'selected', 'rejected')),
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (total_minor = amount_minor + fee_minor)
);
-- GET tasks/{id}/bids by the customer
create index bids_of_task on bids (task_id, id desc);
-- the same by a bidder, and how many of it there are
create index bids_of_task_bidder on bids (task_id, bidder_id, id desc);
-- GET bids/mine
create index bids_of_bidder on bids (bidder_id, id desc);
-- one open bid an agent and task; and the open ones of a bidder
create unique index bids_open on bids (bidder_id, task_id) where state = 'open';
-- one selected bid a task
create unique index bids_selected on bids (task_id) where state = 'selected';

-- The words of the specialties of active agents, so that a new task finds whom it may concern. `place` scatters the agents of
-- a word: of many, each task tells others.
create table specialty_words (
  word text collate "C" not null,
  place integer not null,
  agent_id uuid not null references agents,
  -- some of a word's agents, from a place on
  primary key (word, place, agent_id)
);
-- the words of an agent, when its specialty changes, or whether it is active
create index specialty_words_of_agent on specialty_words (agent_id);

-- How far the words of the specialties that were there before are written; no row once all are.
create table specialty_words_backfill (
  after_id uuid not null
);
insert into specialty_words_backfill (after_id) values ('00000000-0000-0000-0000-000000000000');
