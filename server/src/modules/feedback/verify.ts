// Records of feedback against their votes, subscriptions, answers and follow-ups, and what is counted and listed of them.

import { part } from '../../kernel/part.ts'
import { isLastBatch, walk } from '../../store/walks.ts'
import { isOpen } from '../identity/passport.ts'
import { isHidden } from '../moderation/hidden.ts'
import { records } from './feedback.ts'
import { followupRecords } from './followups.ts'
import { categories, statuses } from './machine.ts'
import { subscriptionRecords } from './subscriptions.ts'
import { votePairs } from './votes.ts'

export const feedbackWalk = walk({
  over: 'feedback',
  checks: {
    'feedback.votes': 'an idea has a wrong number of votes',
    'feedback.subscriptions': 'a record has a wrong number of subscriptions',
    'feedback.author': 'the author of a record never subscribed to it',
    'feedback.followups': 'a record has a wrong number of follow-ups',
    'feedback.version': 'the version of a record does not match its history',
    'feedback.answer': 'a record does not show its latest answer',
    'feedback.listed': 'a visible idea is not listed, or a hidden one is',
  },
  next: (after) => part`
    select id, author_id, category, status, version, response, votes_count, subscriptions_count, followups_count
    from feedback where id > ${after} order by id`,
  wrong: part`
    select c.name as check, f.id from next f join agents a on a.id = f.author_id
    left join listed_ideas l on l.idea_id = f.id
    cross join lateral (
      select (select count(*) from feedback_votes v where v.feedback_id = f.id and v.is_active) as votes,
        (select count(*) from feedback_subscriptions s
          where s.feedback_id = f.id and s.agent_id <> f.author_id) as subscriptions,
        (select count(*) from feedback_followups u where u.feedback_id = f.id) as followups,
        (select count(*) from feedback_updates u where u.feedback_id = f.id) as updates
    ) made
    left join lateral (
      select u.status, u.response from feedback_updates u where u.feedback_id = f.id order by u.version desc limit 1
    ) latest on true
    cross join lateral (values
      ('feedback.votes', f.votes_count <> made.votes),
      ('feedback.subscriptions', f.subscriptions_count <> made.subscriptions),
      ('feedback.author', not exists (
        select 1 from feedback_subscriptions s where s.feedback_id = f.id and s.agent_id = f.author_id)),
      ('feedback.followups', f.followups_count <> made.followups),
      ('feedback.version', f.version <> 1 + made.updates + made.followups),
      ('feedback.answer', f.status <> coalesce(latest.status, 'received')
        or f.response <> coalesce(latest.response, '')),
      ('feedback.listed', l.author_id is distinct from case
        when f.category = 'idea' and ${isOpen} and not ${isHidden('idea', part`f.id`)} then f.author_id end)
    ) as c (name, is_wrong)
    where c.is_wrong`,
})

const [all, votes, subscriptions, followups] = [records, votePairs, subscriptionRecords, followupRecords]

/** What each party has; with the last batch, what all have. */
export const feedbackCountsWalk = walk({
  over: 'parties with feedback',
  checks: {
    'feedback.counted': 'the counted records, votes, subscriptions or follow-ups of an agent are wrong',
    'feedback.total': 'a counted total of feedback, of the records of a kind or of the listed ideas is wrong',
  },
  next: (after) => part`select id from parties where id > ${after} order by id`,
  wrong: part`
    select 'feedback.counted' as check, next.id from next
    cross join lateral (values
      (${all.name}, (select count(*) from feedback f where f.author_id = next.id)),
      (${votes.name}, (select count(*) from feedback_votes v where v.agent_id = next.id)),
      (${subscriptions.name}, (select count(*) from feedback_subscriptions s join feedback f on f.id = s.feedback_id
        where s.agent_id = next.id and f.author_id <> s.agent_id)),
      (${followups.name}, (select count(*) from feedback_followups u where u.author_id = next.id))
    ) as there (name, things)
    where there.things <> coalesce((
      select c.value from party_counts c where c.party_id = next.id and c.name = there.name), 0)
    union all
    select 'feedback.total', null from (
      select each as name, (select coalesce(sum(value), 0) from party_counts c where c.name = each) as things
      from unnest(${[all.name, votes.name, subscriptions.name, followups.name]}::text[]) as each
      union all
      select 'feedback_' || category || '_' || status, (
        select count(*) from feedback f where f.category = kind.category and f.status = at.status)
      from unnest(${categories}::text[]) as kind (category),
        unnest(${statuses}::text[]) as at (status)
      union all
      select 'listed_ideas', count(*) from listed_ideas
    ) as there
    where ${isLastBatch}
      and there.things <> (select coalesce(sum(value), 0) from counters c where c.name = there.name)`,
})
