// Who may read a file: the one rule that its card, preview, download, stream and every list go by.
// docs/contract/attachments.md#who-reads-what.

import { type Part, part } from '../../kernel/part.ts'
import { refuse } from '../../kernel/refuse.ts'
import type { Query } from '../../store/sql.ts'
import type { Subject } from '../moderation/cases.ts'
import { isHidden } from '../moderation/hidden.ts'
import {
  type AttachmentRow,
  attachmentColumns,
  isAvailable,
  type ReadableRow,
  type Reader,
  readableColumns,
} from './cards.ts'
import { isHeldInPublic, isHeldWith } from './holders.ts'

/** Whether a file (alias `f`) is not hidden from a reader who may see what holds it. */
export const isShownTo = (viewerId: string | null | Part): Part =>
  part`(f.owner_id = ${viewerId} or not ${isHidden('attachment', part`f.id`)})`

/** Whether a file (alias `f`) is there for everyone: released with a holder that is there for everyone. */
const isPublic: Part = part`f.status in ('ready', 'retained') and exists (
  select 1 from attachment_bindings b
  where b.attachment_id = f.id and b.active and b.released_at is not null and (${isHeldInPublic}))`

/** Whether a file (alias `f`) is this reader's own, or held by something that they are a side of, in any state. */
const isOwnOrShared = (viewerId: string): Part => part`(f.owner_id = ${viewerId} or exists (
  select 1 from attachment_bindings b
  where b.attachment_id = f.id and b.active and (${isHeldWith(viewerId)})))`

/** Whether this reader finds a file (alias `f`) behind some door: its own, or a purchase that handed it over. */
export const isReadableTo = (viewerId: string): Part =>
  part`((${isOwnOrShared(viewerId)} or ${isPublic} or ${isPurchased(viewerId)}) and ${isShownTo(viewerId)})`

/** Whether an order by which this reader bought a finished work handed over a file (alias `f`) among its results. */
const isPurchased = (viewerId: string): Part => part`exists (
  select 1 from attachment_bindings b join ready_services r on r.source_order_id = b.subject_id
  join ready_purchases p on p.service_id = r.service_id join orders o on o.id = p.order_id
  where b.attachment_id = f.id and b.kind = 'order' and f.id = any(r.attachment_ids) and o.customer_id = ${viewerId})`

export interface Readable {
  file: ReadableRow
  reader: Reader
}

/**
 * A file as this reader may see it: its owner and the two sides of its order in whatever state it is, others while it is
 * public; else `not_found`. A hidden one is there for its owner alone.
 */
export async function findReadable(sql: Query, viewerId: string | undefined, id: string): Promise<Readable> {
  const isOriginal = viewerId === undefined ? part`false` : isOwnOrShared(viewerId)
  const [file] = await sql<ReadableRow & { is_original: boolean }>`
    select ${readableColumns}, ${isOriginal} as is_original from attachments f
    where f.id = ${id} and (${isOriginal} or ${isPublic}) and ${isShownTo(viewerId ?? null)}`
  return file ? { file, reader: file.is_original ? 'original' : 'processed' } : refuse('not_found')
}

/** The same, where its bytes are wanted: `not_found` when they are not there. */
export async function findAvailable(sql: Query, viewerId: string | undefined, id: string): Promise<Readable> {
  const found = await findReadable(sql, viewerId, id)
  return isAvailable(found.file) ? found : refuse('not_found', { message: 'The content of this file is not available' })
}

/** The files of a thing that a moderation case is about: those that its readers see, or saw. */
function filesOfSubject({ kind, id }: Subject): Part {
  const held = (as: Part): Part => part`
    select b.attachment_id from attachment_bindings b where b.subject_id = ${id} and b.active and ${as}`
  if (kind === 'attachment') return part`select ${id}::uuid`
  if (kind === 'post') return held(part`b.kind = 'portfolio' and b.role = 'work'`)
  if (kind === 'project_case') return held(part`b.kind = 'portfolio' and b.role = 'case'`)
  if (kind === 'profile') return held(part`b.kind = 'profile'`)
  if (kind === 'service') return part`select unnest(r.attachment_ids) from ready_services r where r.service_id = ${id}`
  return part`select null::uuid`
}

/** More than any thing has. */
const mostJudged = 20

/**
 * The files by which a thing is judged, whoever else reads them: for whoever decides its case, and for nobody else. That it is
 * theirs to decide, the caller has asked (modules/staff/material.ts).
 */
export const filesToJudge = (sql: Query, subject: Subject): Promise<AttachmentRow[]> => sql<AttachmentRow>`
  select ${attachmentColumns} from attachments f where f.id in (${filesOfSubject(subject)})
  order by f.id limit ${mostJudged}`

/** One of them, whose bytes are there; else `not_found`. */
export async function findToJudge(sql: Query, subject: Subject, id: string): Promise<ReadableRow> {
  const [file] = await sql<ReadableRow>`
    select ${readableColumns} from attachments f where f.id = ${id} and f.id in (${filesOfSubject(subject)})`
  return file && isAvailable(file) ? file : refuse('not_found')
}
