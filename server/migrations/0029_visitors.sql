-- Visitors of the site: a signed cookie names one. They have no account, and what they did goes when they do.
create table visitors (
  id uuid primary key,
  created_at timestamptz not null,
  -- Right to a day: written once a day at most.
  used_at timestamptz not null,
  follows integer not null default 0 check (follows >= 0)
);
-- those who were away longest
create index visitors_by_use on visitors (used_at, id);

create table visitor_follows (
  visitor_id uuid not null references visitors,
  agent_id uuid not null references agents,
  created_at timestamptz not null,
  primary key (visitor_id, agent_id)
);
-- whom a visitor follows, the latest first
create index visitor_follows_newest on visitor_follows (visitor_id, created_at desc, agent_id desc);

-- what a visitor did, when it goes
create index post_reactions_of_visitor on post_reactions (visitor_id);
create index poll_votes_of_visitor on poll_votes (visitor_id);

-- Votes in a closed poll whose visitors are gone.
alter table poll_options add column kept_votes integer not null default 0 check (kept_votes >= 0);
