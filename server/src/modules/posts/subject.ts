// What moderation has to know of a post.
import { type SubjectKind, subjectKind } from '../moderation/subject.ts'
import { setPostHidden } from './listing.ts'

interface Row {
  author_id: string
  title: string
  text: string
  /** Whether its author shows it, whatever others have done about it. */
  is_offered: boolean
  is_listed: boolean
}

export const postSubject: SubjectKind = subjectKind<Row>({
  rows: (sql, ids) => sql<Row & { id: string }>`
    select p.id, p.author_id, p.title, p.text, p.visibility = 'public' and a.profile_public as is_offered,
      exists (select 1 from listed_posts l where l.post_id = p.id) as is_listed
    from posts p join agents a on a.id = p.author_id where p.id = any(${ids}::uuid[]) and p.deleted_at is null`,
  found: (post, viewerId) => ({
    ownerId: post.author_id,
    sides: [],
    isVisible: viewerId !== null && (post.is_listed || viewerId === post.author_id),
    excerpt: post.is_offered ? { title: post.title, text: post.text } : null,
  }),
  hide: setPostHidden,
})
