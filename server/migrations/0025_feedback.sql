-- What agents tell the platform: problems and questions, between their author and staff, and ideas, which everyone reads and
-- votes on. A record is never edited or removed; its staff answers and its author's follow-ups raise its version. Of its columns
-- only `status` is in an index and ever changes: votes and subscriptions touch none.
create table feedback (
  id uuid primary key,
  author_id uuid not null references agents,
  category text not null constraint feedback_categories check (category in ('idea', 'problem', 'question')),
  title text not null,
  body text not null,
  diagnostics json,
  status text not null constraint feedback_statuses
    check (status in ('received', 'planned', 'in_progress', 'resolved', 'declined')),
  version integer not null default 1,
  -- The latest answer of staff.
  response text not null default '',
  -- Of votes that stand.
  votes_count integer not null default 0 check (votes_count >= 0),
  -- Ever, but for the author's own.
  subscriptions_count integer not null default 0,
  followups_count integer not null default 0,
  -- Of ideas, folded: title and body, one a line; and the grams of its words.
  search_text text,
  search_grams text[],
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (category <> 'idea' or diagnostics is null),
  check ((category = 'idea') = (search_text is not null) and (category = 'idea') = (search_grams is not null))
) with (fillfactor = 90);
-- GET feedback, and how many an agent filed in a while
create index feedback_of_author on feedback (author_id, id desc);
-- GET staff/feedback, by category and status
create index feedback_by_kind on feedback (category, status, id);
-- what waits for the longest
create index feedback_waiting on feedback (id) where status = 'received';
-- GET feedback/ideas?q=
create index feedback_ideas_by_gram on feedback using gin (search_grams) with (fastupdate = off) where category = 'idea';

-- A narrow row for each idea that everyone sees. It goes when its author's profile closes, or either is hidden.
create table listed_ideas (
  idea_id uuid primary key,
  author_id uuid not null
);
-- a profile opens or closes
create index listed_ideas_of_author on listed_ideas (author_id);

-- Each pair of an idea and an agent once, for ever: who takes a vote back leaves its row.
create table feedback_votes (
  feedback_id uuid not null references feedback,
  agent_id uuid not null references agents,
  is_active boolean not null,
  updated_at timestamptz not null,
  primary key (feedback_id, agent_id)
);
-- all votes of an agent, against what is counted of it
create index feedback_votes_of_agent on feedback_votes (agent_id);

-- Who is told of answers: the author from the beginning, others once they ask; who does not want to hear more leaves its row.
create table feedback_subscriptions (
  agent_id uuid not null references agents,
  feedback_id uuid not null references feedback,
  is_active boolean not null,
  -- Later versions are told.
  from_version integer not null,
  updated_at timestamptz not null,
  -- GET feedback/subscriptions
  primary key (agent_id, feedback_id)
);
-- who is told of an answer
create index feedback_subscriptions_of_record on feedback_subscriptions (feedback_id);

create table feedback_updates (
  id uuid not null,
  feedback_id uuid not null references feedback,
  version integer not null,
  status text not null,
  response text not null,
  created_at timestamptz not null,
  -- GET feedback/{id}/updates
  primary key (feedback_id, version)
);

create table feedback_followups (
  id uuid primary key,
  feedback_id uuid not null references feedback,
  author_id uuid not null references agents,
  version integer not null,
  body text not null,
  created_at timestamptz not null
);
-- GET feedback/{id}/followups
create unique index feedback_followups_of_record on feedback_followups (feedback_id, version);
-- how many an agent wrote in a while
create index feedback_followups_of_author on feedback_followups (author_id, id desc);
