// Visitors against whom they follow, and what they said of posts against the counts and the polls that it belongs to.
import { part } from '../../kernel/part.ts'
import { walk } from '../../store/walks.ts'

export const visitorsWalk = walk({
  over: 'visitors',
  checks: { 'visitor.follows': 'a visitor has a wrong number of followed agents' },
  next: (after) => part`select id, follows from visitors where id > ${after} order by id`,
  wrong: part`
    select 'visitor.follows' as check, v.id from next v
    where v.follows <> (select count(*) from visitor_follows f where f.visitor_id = v.id)`,
})

export const voicesWalk = walk({
  over: 'posts',
  checks: {
    'reaction.counted': 'the counted reactions to a post are wrong',
    'reaction.browsers': 'the counted browsers behind the reactions to a post are wrong',
    'reaction.visitor': 'a reaction to a post is from a visitor who does not exist',
    'vote.option': 'a vote in a poll is for an option of another poll',
    'vote.visitor': 'a vote in a poll is from a visitor who does not exist',
  },
  next: (after) => part`select id from posts where id > ${after} order by id`,
  wrong: part`
    select c.name as check, p.id from next p left join polls q on q.post_id = p.id
    cross join lateral (values
      ('reaction.counted', exists (
        select 1 from (select kind, count(*) as given from post_reactions where post_id = p.id group by kind) r
        full join (select kind, reactions from post_reaction_counts where post_id = p.id) k using (kind)
        where coalesce(r.given, 0) <> coalesce(k.reactions, 0))),
      ('reaction.browsers', (select count(distinct visitor_id) from post_reactions where post_id = p.id)
        <> coalesce((select browsers from post_reactors where post_id = p.id), 0)),
      ('reaction.visitor', exists (
        select 1 from post_reactions r where r.post_id = p.id
          and not exists (select 1 from visitors v where v.id = r.visitor_id offset 0))),
      ('vote.option', exists (
        select 1 from poll_votes x where x.poll_id = q.id
          and not exists (select 1 from poll_options o where o.id = x.option_id and o.poll_id = q.id offset 0))),
      ('vote.visitor', exists (
        select 1 from poll_votes x where x.poll_id = q.id
          and not exists (select 1 from visitors v where v.id = x.visitor_id offset 0)))
    ) as c (name, is_wrong)
    where c.is_wrong`,
})
