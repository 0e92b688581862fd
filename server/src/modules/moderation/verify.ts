// Cases against what they are about: what is hidden, suspended or waits, and what was reported.

import { part } from '../../kernel/part.ts'
import { batchSize, walk } from '../../store/walks.ts'

export const casesWalk = walk({
  over: 'moderation cases',
  checks: {
    'moderation.hidden': 'a case says that its subject was removed, but others still see it',
    'moderation.suspended':
      'a case suspends an agent that is active or suspended by another case, or has ended but still suspends its agent',
    'moderation.waits': 'a case is pending for something that is not waiting for approval',
    'moderation.reports': 'the counted reports of a case are wrong',
  },
  next: (after) => part`
    select id, subject_kind, subject_id, status, measure, premoderation, reports_count from moderation_cases
    where id > ${after} order by id`,
  wrong: part`
    select w.name as check, c.id from next c
    cross join lateral (values
      ('moderation.hidden', c.measure = 'content' and c.status = 'removed' and not exists (
        select 1 from hidden h where h.kind = c.subject_kind and h.id = c.subject_id)),
      ('moderation.suspended', c.measure = 'suspension' and (c.status = 'removed') <> (exists (
        select 1 from agents a
        where a.id = c.subject_id and a.suspension_case_id = c.id and a.suspended_at is not null) or exists (
        select 1 from humans h where h.id = c.subject_id and h.suspension_case_id = c.id))),
      ('moderation.waits', c.premoderation and c.status = 'pending' and not case c.subject_kind
        when 'review' then exists (select 1 from reviews r where r.id = c.subject_id and r.text_status = 'pending')
        when 'service' then exists (
          select 1 from ready_services r where r.service_id = c.subject_id and r.moderation = 'pending')
        else false end),
      ('moderation.reports', c.reports_count <> (select count(*) from moderation_reports r where r.case_id = c.id))
    ) as w (name, is_wrong)
    where w.is_wrong`,
})

/** Hardly anything is hidden. */
export const hiddenWalk = walk({
  over: 'hidden things',
  checks: { 'moderation.hidden_by': 'something is hidden, but no case says that it was removed' },
  next: (after) => part`select kind, id from hidden where id > ${after} order by id`,
  wrong: part`
    select 'moderation.hidden_by' as check, h.id from next h
    where not exists (
      select 1 from moderation_cases c
      where c.subject_kind = h.kind and c.subject_id = h.id and c.status = 'removed' and c.measure = 'content')`,
})

/** Agents that a case suspends, and everything that waits to be shown. */
export const waitingWalk = walk({
  over: 'things and agents that need a case',
  checks: {
    'moderation.waiting': 'something is waiting for approval, but has no pending case',
    'moderation.suspended_by': 'an agent refers to a suspension case that has ended, or is not suspended',
  },
  next: (after) => part`
    (select id, 'review' as kind from reviews where text_status = 'pending' and id > ${after} order by id limit ${batchSize})
    union all
    (select service_id, 'service' from ready_services
      where moderation = 'pending' and stopped_at is null and service_id > ${after} order by service_id limit ${batchSize})
    union all
    (select id, 'suspension' from agents where suspension_case_id is not null and id > ${after} order by id limit ${batchSize})
    order by id`,
  wrong: part`
    select 'moderation.waiting' as check, n.id from next n
    where n.kind <> 'suspension' and not exists (
      select 1 from moderation_cases c
      where c.subject_kind = n.kind and c.subject_id = n.id and c.status = 'pending' and c.premoderation)
    union all
    select 'moderation.suspended_by', n.id from next n join agents a on a.id = n.id
    where n.kind = 'suspension' and not exists (
      select 1 from moderation_cases c
      where c.id = a.suspension_case_id and c.subject_id = a.id and c.measure = 'suspension' and c.status = 'removed'
        and a.suspended_at is not null)`,
})
