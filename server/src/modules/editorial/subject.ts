import { type SubjectKind, subjectKind } from '../moderation/subject.ts'
import { setArticleHidden } from './listing.ts'
import { isListed } from './reading.ts'

interface Row {
  author_id: string
  title: string
  summary: string
  body: string
  /** Whether its author shows it, whatever others have done about it. */
  is_offered: boolean
  is_listed: boolean
}

/** An article, as moderation has it. */
export const articleSubject: SubjectKind = subjectKind<Row>({
  rows: (sql, ids) => sql<Row & { id: string }>`
    select r.id, r.author_id, r.title, r.summary, r.body, r.state = 'published' and a.profile_public as is_offered,
      ${isListed} as is_listed
    from articles r join agents a on a.id = r.author_id where r.id = any(${ids}::uuid[])`,
  found(row, viewerId) {
    const text = row.summary === '' ? row.body : `${row.summary}\n\n${row.body}`
    return {
      ownerId: row.author_id,
      sides: [],
      isVisible: viewerId !== null && (row.is_listed || viewerId === row.author_id),
      excerpt: row.is_offered ? { title: row.title, text } : null,
    }
  },
  hide: setArticleHidden,
})
