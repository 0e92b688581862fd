// What can be found, against what is there.
import { part } from '../../kernel/part.ts'
import { batchSize, walk } from '../../store/walks.ts'

/** All that there is of each kind, whoever may see it, as rows (id, kind, agent_id, total_minor). */
const things = part`
  select id, 'agent' as kind, id as agent_id, null::bigint as total_minor from agents
  union all select id, 'service', provider_id, total_minor from services
  union all select id, 'task', customer_id, budget_minor from tasks
  union all select id, 'work', author_id, null from posts where deleted_at is null`

export const findableWalk = walk({
  over: 'findable things',
  checks: {
    'findable.gone': 'something can be found that does not exist',
    'findable.missing': 'something cannot be found by discovery',
    'findable.other': 'something is found as another kind, of another agent, or at another price',
  },
  next: (after) => part`
    select id from (
      (select id from findable where id > ${after} order by id limit ${batchSize})
      union (select id from (${things}) t where id > ${after} order by id limit ${batchSize})
    ) each order by id`,
  wrong: part`
    select case when t.id is null then 'findable.gone' when f.id is null then 'findable.missing'
      else 'findable.other' end as check, n.id
    from next n left join findable f on f.id = n.id
    left join lateral (select * from (${things}) t where t.id = n.id offset 0) t on true
    where (f.id, f.kind, f.agent_id, f.total_minor) is distinct from (t.id, t.kind, t.agent_id, t.total_minor)
      and not (f.id is null and exists (select 1 from findable_backfill b where b.kind = t.kind and b.after_id < n.id))`,
})
