// Files by ID, and an agent's own: listing them, and discarding one before it was ever used.
// docs/contract/attachments.md#discarding.
import type { Party } from '../../kernel/callers.ts'
import { type Page, type Rows, withRows } from '../../kernel/lists.ts'
import { part } from '../../kernel/part.ts'
import { refuse } from '../../kernel/refuse.ts'
import { pageOf } from '../../store/page-of.ts'
import { only, type Query, type Tx } from '../../store/sql.ts'
import { note } from '../moderation/hidden.ts'
import {
  type AttachmentRow,
  attachmentColumns,
  type BindingRow,
  isDiscardable,
  type OwnFile,
  type Status,
} from './cards.ts'
import { isShownTo } from './visibility.ts'

export interface Filter extends Page {
  scope: 'unbound' | 'all'
  status: Status | 'all'
}

/** The caller's own uploads, newest first; at most 10,000 exist. Unbound ones are those that nothing holds now. */
export async function list(sql: Query, me: Party, filter: Filter): Promise<Rows<OwnFile>> {
  const isAny = filter.status === 'all'
  const isUnbound = filter.scope === 'unbound'
  const found = await pageOf<AttachmentRow>(sql, filter, {
    given: part`with own as materialized (
      select f.id from attachments f
      where f.owner_id = ${me.id} and (${isAny} or f.status = ${filter.status})
        and (not ${isUnbound}::boolean
          or not exists (select 1 from attachment_bindings b where b.attachment_id = f.id and b.active))
    )`,
    those: [part`from own`],
    shown: (rows) => part`select ${attachmentColumns} from (${rows}) own join attachments f on f.id = own.id`,
  })
  return withRows(found, (files) => ownFiles(sql, files))
}

/** An own file, or `not_found`. */
export async function findOwn(sql: Query, me: Party, id: string): Promise<OwnFile> {
  const [file] = await sql<AttachmentRow>`
    select ${attachmentColumns} from attachments f where f.id = ${id} and f.owner_id = ${me.id}`
  return file ? only(await ownFiles(sql, [file])) : refuse('not_found')
}

/** An owner's files, with what only the owner may know about them. */
export async function ownFiles(sql: Query, files: readonly AttachmentRow[]): Promise<OwnFile[]> {
  const [first] = files
  if (!first) return []
  const ids = files.map(({ id }) => id)
  const [bindings, names] = await Promise.all([
    sql<BindingRow>`
      select distinct on (attachment_id) attachment_id, kind, subject_id, role, active from attachment_bindings
      where attachment_id = any(${ids}::uuid[])
      order by attachment_id, active desc, created_at desc`,
    ownNames(sql, first.owner_id, ids),
  ])
  const byFile = new Map(bindings.map((binding) => [binding.attachment_id, binding]))
  return files.map((file) => ({ file, name: names.get(file.id) ?? null, binding: byFile.get(file.id) }))
}

/** What an owner's files were called where they came from; only those of this owner that have a name. */
export async function ownNames(sql: Query, ownerId: string, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const names = await sql<{ id: string; original_name: string }>`
    select id, original_name from attachments
    where id = any(${ids}::uuid[]) and owner_id = ${ownerId} and original_name is not null`
  return new Map(names.map(({ id, original_name: name }) => [id, name]))
}

/** Forgets what an owner's files were called. */
export async function forgetNames(tx: Tx, ownerId: string): Promise<void> {
  await tx`update attachments set original_name = null where owner_id = ${ownerId} and original_name is not null`
}

/** Lets a ready file go that was never bound: its bytes are on their way out, or gone already (`isPurged`). */
export async function discard(tx: Tx, me: Party, id: string): Promise<{ isPurged: boolean }> {
  const [row] = await tx<{ status: Status; first_bound_at: Date | null }>`
    select status, first_bound_at from attachments where id = ${id} and owner_id = ${me.id} for no key update`
  if (!row) return refuse('not_found')
  if (row.status === 'purged' || row.status === 'purging') return { isPurged: row.status === 'purged' }
  // A statement of its own, which sees what the one that had the lock has bound.
  const held = await tx`select 1 from attachment_bindings where attachment_id = ${id} and active limit 1`
  if (held.length > 0) refuse('attachment_bound')
  if (!isDiscardable(row)) refuse('attachment_not_discardable')
  await tx`
    update attachments set status = 'purging', purge_after = null, updated_at = ${tx.now} where id = ${id}`
  return { isPurged: false }
}

/** Lets all files of an owner go that were never bound; nobody binds one at this moment. */
export async function discardUnbound(tx: Tx, ownerId: string): Promise<void> {
  await tx`
    update attachments set purge_after = ${tx.now}, updated_at = ${tx.now}
    where owner_id = ${ownerId} and status = 'ready' and first_bound_at is null`
}

/** Files by their ids as a reader who may see what names them is to find them. */
export async function filesById(
  sql: Query,
  viewerId: string | null,
  ids: readonly string[],
): Promise<Map<string, AttachmentRow>> {
  if (ids.length === 0) return new Map()
  const files = await sql<AttachmentRow>`
    select ${attachmentColumns} from attachments f where f.id = any(${ids}::uuid[]) and ${isShownTo(viewerId)}`
  return new Map(files.map((file) => [file.id, file]))
}

/** Hides a file from all but its owner, or shows it again; false if there is none, or it was so already. */
export async function setFileHidden(tx: Tx, id: string, hidden: boolean): Promise<boolean> {
  const [file] = await tx`select 1 from attachments where id = ${id} for no key update`
  return file !== undefined && (await note(tx, 'attachment', id, hidden))
}
