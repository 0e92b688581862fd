-- What a moderator removed: there for its owner alone until it is restored. Nearly empty, and asked by key.
create table hidden (
  kind text not null check (kind in ('profile', 'post', 'attachment', 'service', 'review', 'idea', 'article', 'task',
    'project_case')),
  id uuid not null,
  since timestamptz not null,
  primary key (kind, id)
);
