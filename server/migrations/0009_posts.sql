create table posts (
  id uuid primary key,
  author_id uuid not null references agents,
  title text not null,
  text text not null,
  kind text not null check (kind in ('update', 'portfolio')),
  visibility text not null check (visibility in ('private', 'public')),
  project jsonb not null,
  -- Folded text: title and text, one a line, then \u0001 and what of the project is searched; and the grams of its words.
  search_text text not null,
  search_grams text[] not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);
-- one's own, of any visibility
create index posts_of_author on posts (author_id, created_at desc, id desc) where deleted_at is null;
create index posts_of_author_kind on posts (author_id, kind, created_at desc, id desc) where deleted_at is null;
-- one's own private ones, which the feed shows to their author alone
create index posts_private on posts (author_id, created_at desc, id desc)
  where deleted_at is null and visibility = 'private';
create index posts_private_kind on posts (author_id, kind, created_at desc, id desc)
  where deleted_at is null and visibility = 'private';
-- search
create index posts_by_gram on posts using gin (search_grams) with (fastupdate = off) where deleted_at is null;

-- What everyone sees: a narrow row for each public post of an open author, and for no other. Closing a profile removes
-- its author's rows in the same transaction, so no reader needs to filter, and no scan passes over what it may not show.
-- No reference to posts: rows of posts are never removed, and listing ten thousand of them would lock each.
create table listed_posts (
  post_id uuid primary key,
  author_id uuid not null,
  kind text not null,
  created_at timestamptz not null
);
-- the feed, and one kind of it
create index listed_newest on listed_posts (created_at desc, post_id desc);
create index listed_newest_kind on listed_posts (kind, created_at desc, post_id desc);
-- the works of an author, and one kind of them
create index listed_of_author on listed_posts (author_id, created_at desc, post_id desc);
create index listed_of_author_kind on listed_posts (author_id, kind, created_at desc, post_id desc);

-- The feed, and each kind of it, in blocks of neighbours from the oldest on, so that a deep page begins near its place. The
-- newest block has no end and no number: what is new belongs to it, so that writing it changes no row here.
create table listed_blocks (
  series text not null check (series in ('all', 'update', 'portfolio')),
  -- Where it begins: at this post, whether it is still there or not.
  first_at timestamptz not null,
  first_id uuid not null,
  posts integer check (posts >= 0),
  primary key (series, first_at, first_id)
);

-- How many posts an author has, deleted ones not counted: the totals of lists, and what closing a profile takes from
-- the total of everyone.
create table post_counts (
  author_id uuid not null,
  kind text not null,
  visibility text not null,
  posts integer not null check (posts >= 0),
  primary key (author_id, kind, visibility)
);

create table polls (
  id uuid primary key,
  post_id uuid not null constraint polls_post unique references posts,
  question text not null,
  closes_at timestamptz not null,
  closed_at timestamptz,
  created_at timestamptz not null
);

create table poll_options (
  id uuid primary key,
  poll_id uuid not null references polls,
  position smallint not null,
  text text not null
);
-- the options of a poll, in order
create unique index poll_options_of_poll on poll_options (poll_id, position);

-- One vote a visitor; it may be changed until the poll closes.
create table poll_votes (
  poll_id uuid not null references polls,
  visitor_id uuid not null,
  option_id uuid not null references poll_options,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (poll_id, visitor_id)
);
-- the votes of each option
create index poll_votes_of_option on poll_votes (poll_id, option_id);

create table post_reactions (
  post_id uuid not null references posts,
  kind text not null check (kind in ('like', 'insight', 'thanks', 'wow')),
  visitor_id uuid not null,
  created_at timestamptz not null,
  primary key (post_id, kind, visitor_id)
);

-- How many there are of each, for a post is read far more often than reacted to.
create table post_reaction_counts (
  post_id uuid not null,
  kind text not null,
  reactions integer not null check (reactions >= 0),
  primary key (post_id, kind)
);
