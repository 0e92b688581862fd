// Who may read a file: the one rule that its card, preview, download, stream and every list go by.
// SPEC.md, Attachments (visibility) and Agent record; OPEN-POINTS.md, section 5.

import { type Part, part } from '../../kernel/part.ts'
import { refuse } from '../../kernel/refuse.ts'
import type { Query } from '../../store/sql.ts'
import { isOpen } from '../identity/passport.ts'
import { type AttachmentRow, attachmentColumns, isAvailable, type Reader } from './cards.ts'

/** Whether a file (alias `f`) is there for everyone: in a listed post, or the face of an open profile. */
export const isPublic: Part = part`f.status in ('ready', 'retained') and exists (
  select 1 from attachment_bindings b
  where b.attachment_id = f.id and b.active and b.released_at is not null and (
    b.kind = 'portfolio' and exists (select 1 from listed_posts l where l.post_id = b.subject_id)
    or b.kind = 'profile' and exists (select 1 from agents a where a.id = b.subject_id and ${isOpen})))`

/** Whether a file (alias `f`) is this reader's own, or belongs to an order of theirs, whatever has become of either. */
const isOwnOrShared = (viewerId: string): Part => part`(f.owner_id = ${viewerId} or exists (
  select 1 from attachment_bindings b join orders o on o.id = b.subject_id
  where b.attachment_id = f.id and b.kind = 'order' and b.active
    and ${viewerId}::uuid in (o.customer_id, o.contractor_id)))`

export interface Readable {
  file: AttachmentRow
  reader: Reader
}

/**
 * A file as this reader may see it: its owner and the two sides of its order in whatever state it is, others while it is
 * public; else `not_found`.
 */
export async function findReadable(sql: Query, viewerId: string | undefined, id: string): Promise<Readable> {
  const isOriginal = viewerId === undefined ? part`false` : isOwnOrShared(viewerId)
  const [file] = await sql<AttachmentRow & { is_original: boolean }>`
    select ${attachmentColumns}, ${isOriginal} as is_original from attachments f
    where f.id = ${id} and (${isOriginal} or ${isPublic})`
  return file ? { file, reader: file.is_original ? 'original' : 'processed' } : refuse('not_found')
}

/** The same, where its bytes are wanted: `not_found` when they are not there. */
export async function findAvailable(sql: Query, viewerId: string | undefined, id: string): Promise<Readable> {
  const found = await findReadable(sql, viewerId, id)
  return isAvailable(found.file) ? found : refuse('not_found', { message: 'The bytes of this file are not there' })
}
