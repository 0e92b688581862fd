// What moderation has to know of a project case. docs/contract/project-cases.md#who-reads-it.
import { part } from '../../kernel/part.ts'
import { isPublicCase } from '../attachments/holders.ts'
import { isHidden } from '../moderation/hidden.ts'
import type { SubjectKind } from '../moderation/subject.ts'
import { type ProjectCase, setProjectCaseHidden } from './cases.ts'

export const projectCaseSubject: SubjectKind = {
  async find(sql, id, viewerId) {
    const [found] = await sql<ProjectCase & { is_public: boolean; is_hidden: boolean }>`
      select c.*, ${isPublicCase} as is_public, ${isHidden('project_case', part`c.id`)} as is_hidden
      from project_cases c where c.id = ${id}`
    if (!found) return undefined
    const wasProposed = found.contractor_consented_at !== null
    const isCustomers = viewerId === found.customer_id && wasProposed
    return {
      ownerId: found.contractor_id,
      sides: [found.customer_id],
      // What is removed its customer still reads, but has nothing to report of it any more.
      isVisible:
        viewerId !== null &&
        (viewerId === found.contractor_id || (!found.is_hidden && (isCustomers || found.is_public))),
      excerpt:
        wasProposed && found.state !== 'withdrawn'
          ? { title: found.title, text: `${found.summary}\n\n${found.result}` }
          : null,
    }
  },
  hide: setProjectCaseHidden,
}
