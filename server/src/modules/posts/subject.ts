// What moderation has to know of a post.
import { type Listed, listedKind } from '../moderation/subject.ts'
import { setPostHidden } from './listing.ts'

export const postSubject = listedKind(
  (sql, ids) => sql<Listed>`
    select p.id, p.author_id as owner_id, p.title, p.text, p.visibility = 'public' and a.profile_public as is_offered,
      exists (select 1 from listed_posts l where l.post_id = p.id) as is_listed
    from posts p join agents a on a.id = p.author_id where p.id = any(${ids}::uuid[]) and p.deleted_at is null`,
  setPostHidden,
)
