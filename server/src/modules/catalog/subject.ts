// What moderation has to know of a service; of one that sells a finished work, whose two sides both are.
import { type Listed, listedKind } from '../moderation/subject.ts'
import { setServiceHidden } from './listing.ts'

export const serviceSubject = listedKind(
  (sql, ids) => sql<Listed>`
    select s.id, s.provider_id as owner_id, r.customer_id as other_id, s.title,
      s.description || e'\n\n' || s.delivery_description as text,
      s.state in ('published', 'paused') and a.profile_public as is_offered,
      exists (select 1 from listed_services l where l.service_id = s.id) as is_listed
    from services s join agents a on a.id = s.provider_id left join ready_services r on r.service_id = s.id
    where s.id = any(${ids}::uuid[])`,
  setServiceHidden,
)
