// What moderation has to know of an idea; a problem and a question are nobody's to report.
// docs/contract/feedback.md#who-sees-what.

import { part } from '../../kernel/part.ts'
import type { SubjectKind } from '../moderation/subject.ts'
import { isListed, setIdeaHidden } from './listing.ts'

export const ideaSubject: SubjectKind = {
  async find(sql, id, viewerId) {
    const [idea] = await sql<{ author_id: string; title: string; body: string; isListed: boolean }>`
      select f.author_id, f.title, f.body, ${isListed(part`f.id`)} as "isListed" from feedback f
      where f.id = ${id} and f.category = 'idea'`
    if (!idea) return undefined
    return {
      ownerId: idea.author_id,
      sides: [],
      isVisible: viewerId !== null && (idea.isListed || idea.author_id === viewerId),
      excerpt: { title: idea.title, text: idea.body },
    }
  },
  hide: setIdeaHidden,
}
