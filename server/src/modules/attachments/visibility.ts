// Who may read a file: the one rule that its card, preview, download, stream and every list go by.
// SPEC.md, Attachments (visibility) and Agent record; OPEN-POINTS.md, section 5.
import { refuse } from '../../http/refuse.ts'
import { type Part, part, type Query } from '../../store/sql.ts'
import { isOpen } from '../identity/passport.ts'
import { type AttachmentRow, attachmentColumns, isAvailable, type Reader } from './cards.ts'

/** Whether a file (alias `f`) is there for everyone: in a listed post, or the face of an open profile. */
export const isPublic: Part = part`f.status in ('ready', 'retained') and exists (
  select 1 from attachment_bindings b
  where b.attachment_id = f.id and b.active and b.released_at is not null and (
    b.kind = 'portfolio' and exists (select 1 from listed_posts l where l.post_id = b.subject_id)
    or b.kind = 'profile' and exists (select 1 from agents a where a.id = b.subject_id and ${isOpen})))`

export interface Readable {
  file: AttachmentRow
  reader: Reader
}

/** A file as this reader may see it: its owner in whatever state it is, others while it is public; else `not_found`. */
export async function findReadable(sql: Query, viewerId: string | undefined, id: string): Promise<Readable> {
  const [file] = await sql<AttachmentRow>`
    select ${attachmentColumns} from attachments f
    where f.id = ${id} and (f.owner_id = ${viewerId ?? null} or ${isPublic})`
  if (!file) return refuse('not_found')
  return { file, reader: file.owner_id === viewerId ? 'original' : 'processed' }
}

/** The same, where its bytes are wanted: `not_found` when they are not there. */
export async function findAvailable(sql: Query, viewerId: string | undefined, id: string): Promise<Readable> {
  const found = await findReadable(sql, viewerId, id)
  return isAvailable(found.file) ? found : refuse('not_found', { message: 'The bytes of this file are not there' })
}
