// What moderation has to know of a project case. docs/contract/project-cases.md#who-reads-it.
import { part } from '../../kernel/part.ts'
import { isPublicProjectCase } from '../attachments/holders.ts'
import { isHidden } from '../moderation/hidden.ts'
import { type SubjectKind, subjectKind } from '../moderation/subject.ts'
import { type ProjectCase, setProjectCaseHidden } from './project-cases.ts'

interface Row extends ProjectCase {
  is_public: boolean
  is_hidden: boolean
  /** Whether moderators may read what it says, once it was proposed. */
  is_offered: boolean
}

/** Whether the customer of a case (alias `c`) has shown it to moderation, in a case that is to be decided, or removed it. */
// moderation_cases_standing, moderation_cases_removed
const isReportedByCustomer = part`exists (
  select 1 from (
    select m.id from moderation_cases m
    where m.subject_kind = 'project_case' and m.subject_id = c.id and m.status = 'pending'
    union all
    select m.id from moderation_cases m
    where m.subject_kind = 'project_case' and m.subject_id = c.id and m.status = 'removed' and m.measure = 'content'
  ) m join moderation_reports r on r.case_id = m.id and r.reporter_id = c.customer_id)`

export const projectCaseSubject: SubjectKind = subjectKind<Row>({
  rows: (sql, ids) => sql<Row & { id: string }>`
    select c.*, ${isPublicProjectCase} as is_public, ${isHidden('project_case', part`c.id`)} as is_hidden,
      contractor.profile_public and customer.profile_public or ${isReportedByCustomer} as is_offered
    from project_cases c
    join agents contractor on contractor.id = c.contractor_id join agents customer on customer.id = c.customer_id
    where c.id = any(${ids}::uuid[])`,
  found(found, viewerId) {
    const wasProposed = found.contractor_consented_at !== null
    const isCustomers = viewerId === found.customer_id && wasProposed
    return {
      ownerId: found.contractor_id,
      sides: [found.customer_id],
      isVisible:
        viewerId !== null &&
        (viewerId === found.contractor_id || (!found.is_hidden && (isCustomers || found.is_public))),
      excerpt:
        wasProposed && found.state !== 'withdrawn' && found.is_offered
          ? { title: found.title, text: `${found.summary}\n\n${found.result}` }
          : null,
    }
  },
  hide: setProjectCaseHidden,
})
