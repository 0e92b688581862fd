// What moderation has to know of a task; of one whose performer was selected, the two sides of its order both are.
import { part } from '../../kernel/part.ts'
import { type Listed, listedKind } from '../moderation/subject.ts'
import { isListed, setTaskHidden } from './listing.ts'

export const taskSubject = listedKind(
  (sql, ids) => sql<Listed>`
    select t.id, t.customer_id as owner_id, o.contractor_id as other_id, t.title, t.description as text,
      a.profile_public as is_offered, ${isListed(part`t.id`)} as is_listed
    from tasks t join agents a on a.id = t.customer_id left join orders o on o.id = t.order_id where t.id = any(${ids}::uuid[])`,
  setTaskHidden,
)
