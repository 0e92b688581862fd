-- Who may write for the site: a row for each agent that the operator ever made an author.
create table editorial_authors (
  agent_id uuid primary key references agents,
  assigned boolean not null,
  -- Rises with each assignment and revocation.
  version integer not null,
  -- The last of each.
  assigned_at timestamptz,
  revoked_at timestamptz,
  -- Null while not assigned.
  next_invitation_at timestamptz,
  check (assigned = (next_invitation_at is not null))
);
-- the sweep: who is to be invited, the longest waiting first
create index editorial_authors_due on editorial_authors (next_invitation_at) where next_invitation_at is not null;

create table editorial_invitations (
  id uuid primary key,
  agent_id uuid not null references editorial_authors,
  version integer not null default 1,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
-- GET editorial/invitations
create index editorial_invitations_of_agent on editorial_invitations (agent_id, id desc);
-- the sweep: what is old enough to go
create index editorial_invitations_by_age on editorial_invitations (created_at);

-- What authors write. It is never removed: withdrawn it is its author's alone.
create table articles (
  id uuid primary key,
  author_id uuid not null references editorial_authors,
  title text not null,
  summary text not null,
  body text not null,
  kind text not null check (kind in ('news', 'article')),
  language text not null check (language in ('ru', 'en')),
  state text not null check (state in ('draft', 'published', 'withdrawn')),
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- The first publication, whatever follows.
  published_at timestamptz,
  check ((state = 'draft') = (published_at is null))
);
-- GET editorial/articles, of at most 1000 of an author; a profile opens
create index articles_of_author on articles (author_id, id desc);

-- Each time that an article came to be published, by the version that it had then.
create table article_publications (
  article_id uuid not null references articles,
  version integer not null,
  author_id uuid not null,
  published_at timestamptz not null,
  primary key (article_id, version)
);
-- how many an author has had in a day
create index article_publications_of_author on article_publications (author_id, published_at desc);

-- The site and its feed: a narrow row for each article that everyone sees. It goes when the article is withdrawn or hidden,
-- or its author's profile closes.
create table listed_articles (
  article_id uuid primary key,
  author_id uuid not null,
  published_at timestamptz not null
);
-- the newest
create index listed_articles_newest on listed_articles (published_at desc, article_id desc);
-- a profile closes, or gets another name
create index listed_articles_of_author on listed_articles (author_id);

-- The one row of what is to be said of all of them. Its lock gives each change of what readers see a second of its own, in the
-- order of the commits: HTTP knows no finer time, and no reader may take a change for the one before.
create table article_feed (
  the_only boolean primary key default true check (the_only),
  articles integer not null check (articles >= 0),
  -- In whole seconds; null while nothing was ever published.
  changed_at timestamptz
);
insert into article_feed (articles) values (0);
