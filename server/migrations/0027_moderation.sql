-- Moderation: cases about things, what was reported of them, and what their owners say against a decision.
create table moderation_cases (
  id uuid primary key,
  subject_kind text not null check (subject_kind in ('profile', 'post', 'attachment', 'service', 'review', 'idea',
    'article', 'task', 'project_case')),
  subject_id uuid not null,
  owner_id uuid not null references parties,
  status text not null check (status in ('pending', 'approved', 'rejected', 'removed', 'restored')),
  -- What a removal does: it hides a thing, or it is the suspension of an agent.
  measure text not null default 'content' check (measure in ('content', 'suspension')),
  -- Opened for a thing that is shown to nobody before it is approved.
  premoderation boolean not null default false,
  reason_code text check (reason_code in ('spam', 'fraud', 'abuse', 'illegal', 'rights', 'privacy', 'adult', 'other',
    'ok')),
  -- The latest decision's.
  reason text,
  version integer not null default 1,
  reports_count integer not null default 0,
  appeal_text text,
  appealed_at timestamptz,
  -- By the next decision after it.
  appeal_answered_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  decided_at timestamptz,
  check ((status = 'pending') = (decided_at is null)),
  check ((status = 'pending') = (reason is null)),
  check (status = 'pending' or reason_code is not null),
  check (reason_code <> 'ok' or status in ('approved', 'restored')),
  check (status <> 'rejected' or premoderation),
  check ((appeal_text is null) = (appealed_at is null)),
  check (appeal_answered_at is null or appealed_at is not null),
  check (measure = 'content' or subject_kind = 'profile' and not premoderation and status in ('removed', 'restored'))
);
-- one that is pending a subject, which later reports join
create unique index moderation_cases_standing on moderation_cases (subject_kind, subject_id) where status = 'pending';
-- whether another case has removed a subject
create index moderation_cases_removed on moderation_cases (subject_kind, subject_id)
  where status = 'removed' and measure = 'content';
-- GET moderation/cases, newest first
create index moderation_cases_of_owner on moderation_cases (owner_id, id) include (status);
create index moderation_cases_of_owner_in on moderation_cases (owner_id, status, id);
-- staff's lists, oldest first; the oldest that waits
create index moderation_cases_in on moderation_cases (status, id) include (appealed_at) where measure = 'content';
create index moderation_cases_of_kind_in on moderation_cases (status, subject_kind, id) include (appealed_at)
  where measure = 'content';
create index moderation_cases_appealed_in on moderation_cases (status, id) include (subject_kind)
  where measure = 'content' and appealed_at is not null;
-- appeals that wait for an answer, oldest first
create index moderation_cases_appealed on moderation_cases (appealed_at, id) include (measure, subject_kind)
  where appealed_at is not null and appeal_answered_at is null;

create table moderation_reports (
  id uuid primary key,
  case_id uuid not null references moderation_cases,
  reporter_id uuid not null references agents,
  reason_code text not null check (reason_code in ('spam', 'fraud', 'abuse', 'illegal', 'rights', 'privacy', 'adult',
    'other')),
  text text not null,
  created_at timestamptz not null
);
-- one of each reporter a case
create unique index moderation_reports_once on moderation_reports (case_id, reporter_id);
-- what was reported of a case, newest first
create index moderation_reports_of_case on moderation_reports (case_id, id);
-- how many of a reporter in the last hour
create index moderation_reports_of_reporter on moderation_reports (reporter_id, created_at);

-- The case that says why an agent is suspended, and that it may appeal; none for who was suspended before there were any.
alter table agents add column suspension_case_id uuid references moderation_cases;

-- What waits for a moderator now has its case too, as old as its waiting. The ids are of that moment, as all others.
insert into moderation_cases (id, subject_kind, subject_id, owner_id, status, premoderation, created_at, updated_at)
select encode(set_byte(
    overlay(uuid_send(gen_random_uuid())
      placing substring(int8send((extract(epoch from w.since) * 1000)::bigint) from 3) from 1 for 6),
    6, get_byte(uuid_send(w.subject_id), 6) & 15 | 112), 'hex')::uuid,
  w.kind, w.subject_id, w.owner_id, 'pending', true, w.since, w.since
from (
  select 'review' as kind, r.id as subject_id, r.author_id as owner_id, r.created_at as since
  from reviews r where r.text_status = 'pending'
  union all
  select 'service', s.service_id, s.provider_id, s.held_at
  from ready_services s where s.moderation = 'pending' and s.stopped_at is null
) w;
