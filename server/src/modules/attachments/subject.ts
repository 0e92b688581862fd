// What moderation has to know of a file: the sides of what it is bound to, or ever was, are its sides too.
import { part } from '../../kernel/part.ts'
import { type SubjectKind, subjectKind } from '../moderation/subject.ts'
import { setFileHidden } from './files.ts'
import { isReadableTo } from './visibility.ts'

interface Row {
  owner_id: string
  file_format: string
  bytes: number
  is_visible: boolean
  sides: string[]
}

export const attachmentSubject: SubjectKind = subjectKind<Row>({
  rows: (sql, ids, viewerId) => sql<Row & { id: string }>`
    select f.id, f.owner_id, f.file_format, f.bytes, ${viewerId === null ? part`false` : isReadableTo(viewerId)} as is_visible,
      array(
        select unnest(array[o.customer_id, o.contractor_id]) from attachment_bindings b join orders o on o.id = b.subject_id
        where b.attachment_id = f.id and b.kind in ('order', 'human_order')
        union
        select unnest(array[r.customer_id, r.provider_id]) from attachment_bindings b
        join service_requests r on r.id = b.subject_id
        where b.attachment_id = f.id and b.kind = 'service_request'
        union
        select unnest(array[c.customer_id, c.contractor_id]) from attachment_bindings b
        join project_cases c on c.id = b.subject_id
        where b.attachment_id = f.id and b.kind = 'portfolio' and b.role = 'case'
      ) as sides
    from attachments f where f.id = any(${ids}::uuid[])`,
  found: (file) => ({
    ownerId: file.owner_id,
    sides: file.sides,
    isVisible: file.is_visible,
    // Neither its name nor what is in it is for others to read here.
    excerpt: { title: `${file.file_format}, ${file.bytes} bytes`, text: '' },
  }),
  hide: setFileHidden,
})
