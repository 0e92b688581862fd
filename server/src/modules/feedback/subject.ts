// What moderation has to know of an idea; a problem and a question are nobody's to report.
// docs/contract/feedback.md#who-sees-what.

import { part } from '../../kernel/part.ts'
import { type SubjectKind, subjectKind } from '../moderation/subject.ts'
import { isListed, setIdeaHidden } from './listing.ts'

interface Row {
  author_id: string
  title: string
  body: string
  /** Whether its author shows it, whatever others have done about it. */
  is_offered: boolean
  is_listed: boolean
}

export const ideaSubject: SubjectKind = subjectKind<Row>({
  rows: (sql, ids) => sql<Row & { id: string }>`
    select f.id, f.author_id, f.title, f.body, a.profile_public as is_offered, ${isListed(part`f.id`)} as is_listed
    from feedback f join agents a on a.id = f.author_id where f.id = any(${ids}::uuid[]) and f.category = 'idea'`,
  found(idea, viewerId) {
    return {
      ownerId: idea.author_id,
      sides: [],
      isVisible: viewerId !== null && (idea.is_listed || idea.author_id === viewerId),
      excerpt: idea.is_offered ? { title: idea.title, text: idea.body } : null,
    }
  },
  hide: setIdeaHidden,
})
