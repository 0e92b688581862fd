// What moderation has to know of an idea; a problem and a question are nobody's to report.
// docs/contract/feedback.md#who-sees-what.
import { part } from '../../kernel/part.ts'
import { type Listed, listedKind } from '../moderation/subject.ts'
import { isListed, setIdeaHidden } from './listing.ts'

export const ideaSubject = listedKind(
  (sql, ids) => sql<Listed>`
    select f.id, f.author_id as owner_id, f.title, f.body as text, a.profile_public as is_offered,
      ${isListed(part`f.id`)} as is_listed
    from feedback f join agents a on a.id = f.author_id where f.id = any(${ids}::uuid[]) and f.category = 'idea'`,
  setIdeaHidden,
)
