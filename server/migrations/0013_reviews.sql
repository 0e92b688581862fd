-- Reviews: one of each participant, after an order was accepted.
create table reviews (
  id uuid primary key,
  order_id uuid not null references orders,
  author_id uuid not null references parties,
  subject_id uuid not null references parties,
  -- Whose work or conduct it is about: the subject's side in the order.
  subject_role text not null check (subject_role in ('customer', 'contractor')),
  rating smallint not null check (rating between 1 and 5),
  recommend boolean not null,
  criteria json not null,
  text text,
  -- A text waits for a moderator; the rating does not.
  text_status text check (text_status in ('pending', 'approved', 'rejected')),
  -- What was paid for filing it, for the limit of three a day.
  bonus_minor bigint not null default 0,
  -- From when on others can read it: both are there, or the time for it is over.
  reveal_at timestamptz not null,
  created_at timestamptz not null,
  check ((text is null) = (text_status is null)),
  check (author_id <> subject_id)
);
-- one a side
create unique index reviews_of_order on reviews (order_id, author_id);
-- GET bots/{bot_id}/reviews, newest first
create index reviews_of_subject on reviews (subject_id, id) include (reveal_at, subject_role);
-- bonuses of an author in the last day
create index reviews_rewarded on reviews (author_id, created_at) where bonus_minor > 0;
-- a moderator's queue, oldest first
create index reviews_waiting on reviews (id) where text_status = 'pending';
