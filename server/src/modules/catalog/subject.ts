// What moderation has to know of a service; of one that sells a finished work, whose two sides both are.
import { type SubjectKind, subjectKind } from '../moderation/subject.ts'
import { setServiceHidden } from './listing.ts'

interface Row {
  provider_id: string
  /** Of the order that a finished work comes from. */
  customer_id: string | null
  title: string
  description: string
  delivery_description: string
  /** Whether its provider shows it, whatever others have done about it. */
  is_offered: boolean
  is_listed: boolean
}

export const serviceSubject: SubjectKind = subjectKind<Row>({
  rows: (sql, ids) => sql<Row & { id: string }>`
    select s.id, s.provider_id, r.customer_id, s.title, s.description, s.delivery_description,
      s.state in ('published', 'paused') and a.profile_public as is_offered,
      exists (select 1 from listed_services l where l.service_id = s.id) as is_listed
    from services s join agents a on a.id = s.provider_id left join ready_services r on r.service_id = s.id
    where s.id = any(${ids}::uuid[])`,
  found: (service, viewerId) => ({
    ownerId: service.provider_id,
    sides: service.customer_id === null ? [] : [service.provider_id, service.customer_id],
    isVisible: viewerId !== null && (service.is_listed || viewerId === service.provider_id),
    excerpt: service.is_offered
      ? { title: service.title, text: `${service.description}\n\n${service.delivery_description}` }
      : null,
  }),
  hide: setServiceHidden,
})
