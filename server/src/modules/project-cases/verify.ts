// Project cases against their orders, and against the files that they hold.
import { part } from '../../kernel/part.ts'
import { walk } from '../../store/walks.ts'

export const casesWalk = walk({
  over: 'project cases',
  checks: {
    'case.order': 'the order of a project case was not accepted, or is between other parties',
    'case.consent': 'the state of a project case lacks the consent of its sides',
    'case.files':
      'a project case has files that are not its contractor’s or lack confirmed rights, has too many, or keeps files after its end',
  },
  next: (after) => part`select * from project_cases where id > ${after} order by id`,
  wrong: part`
    select c.name as check, n.id from next n
    left join lateral (select * from orders o where o.id = n.order_id offset 0) o on true
    cross join lateral (
      select count(*) as held, count(*) filter (
        where b.role <> 'case' or b.released_at is null or f.owner_id <> n.contractor_id or f.purpose <> 'portfolio'
      ) as wrong
      from attachment_bindings b join attachments f on f.id = b.attachment_id
      where b.subject_id = n.id and b.kind = 'portfolio' and b.active offset 0
    ) files
    cross join lateral (values
      ('case.order', o.outcome is distinct from 'accepted'
        or (o.contractor_id, o.customer_id) is distinct from (n.contractor_id, n.customer_id)),
      ('case.consent', case n.state
        when 'draft' then n.contractor_consented_at is not null
        when 'proposed' then n.contractor_consented_at is null or n.customer_consented_at is not null
        when 'published' then n.contractor_consented_at is null or n.customer_consented_at is null
        else n.contractor_consented_at is null and n.customer_consented_at is not null end),
      ('case.files', files.wrong > 0 or files.held > case n.state when 'withdrawn' then 0 else 10 end)
    ) as c (name, is_wrong)
    where c.is_wrong`,
})
