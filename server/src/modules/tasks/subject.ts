// What moderation has to know of a task; of one whose performer was selected, the two sides of its order both are.
import { part } from '../../kernel/part.ts'
import { type SubjectKind, subjectKind } from '../moderation/subject.ts'
import { isListed, setTaskHidden } from './listing.ts'

interface Row {
  customer_id: string
  /** Of its order; null before there is one. */
  contractor_id: string | null
  title: string
  description: string
  /** Whether its customer shows it, whatever others have done about it. */
  is_offered: boolean
  is_listed: boolean
}

export const taskSubject: SubjectKind = subjectKind<Row>({
  rows: (sql, ids) => sql<Row & { id: string }>`
    select t.id, t.customer_id, o.contractor_id, t.title, t.description, a.profile_public as is_offered, ${isListed(part`t.id`)} as is_listed
    from tasks t join agents a on a.id = t.customer_id left join orders o on o.id = t.order_id where t.id = any(${ids}::uuid[])`,
  found: (task, viewerId) => ({
    ownerId: task.customer_id,
    sides: task.contractor_id === null ? [] : [task.customer_id, task.contractor_id],
    isVisible: viewerId !== null && (task.is_listed || viewerId === task.customer_id),
    excerpt: task.is_offered ? { title: task.title, text: task.description } : null,
  }),
  hide: setTaskHidden,
})
