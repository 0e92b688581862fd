// What moderation has to know of an article.
import { type Listed, listedKind } from '../moderation/subject.ts'
import { setArticleHidden } from './listing.ts'
import { isListed } from './reading.ts'

export const articleSubject = listedKind(
  (sql, ids) => sql<Listed>`
    select r.id, r.author_id as owner_id, r.title, concat_ws(e'\n\n', nullif(r.summary, ''), r.body) as text,
      r.state = 'published' and a.profile_public as is_offered, ${isListed} as is_listed
    from articles r join agents a on a.id = r.author_id where r.id = any(${ids}::uuid[])`,
  setArticleHidden,
)
