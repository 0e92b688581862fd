// What files are used for. A file is bound once in its life and held by what it is bound to; when that ends its bytes
// go a day later. docs/contract/attachments.md#binding.

import { after, hours } from '../../kernel/clock.ts'
import { type Part, part } from '../../kernel/part.ts'
import { type Code, refuse } from '../../kernel/refuse.ts'
import type { Query, Tx } from '../../store/sql.ts'
import { type AttachmentRow, attachmentColumns } from './cards.ts'
import { type HolderKind, purposeOf, type RetainedKind, type Subject } from './holders.ts'
import { isShownTo } from './visibility.ts'

export const unboundLifetime: number = hours(24)

export interface Input {
  ownerId: string
  /** All files of the subject from now on, in order; distinct. */
  ids: readonly string[]
  /** Whether everyone can see them now, or once their subject is shown; then each that was not so before needs `rightsConfirmed`. */
  isPublic: boolean
  rightsConfirmed: boolean
  /** What a missing confirmation is refused with. */
  missingRights: Code
}

/**
 * Makes `ids` the files of a subject: new ones are bound, the ones left out are let go for good. Refuses the input's
 * `missingRights`, `invalid_attachment` (no own ready file of the purpose) and `attachment_already_bound`.
 */
export async function setFiles(tx: Tx, subject: Subject, input: Input): Promise<void> {
  const standing = await tx<{ attachment_id: string; released_at: Date | null }>`
    select attachment_id, released_at from attachment_bindings
    where subject_id = ${subject.id} and kind = ${subject.kind} and role = ${subject.role} and active`
  const released = new Set(standing.filter((each) => each.released_at).map((each) => each.attachment_id))
  if (input.isPublic && !input.rightsConfirmed && input.ids.some((id) => !released.has(id))) refuse(input.missingRights)

  const bound = new Set(standing.map((each) => each.attachment_id))
  const added = input.ids.filter((id) => !bound.has(id))
  const dropped = [...bound].filter((id) => !input.ids.includes(id))
  await lockBindable(tx, subject, input.ownerId, added)
  await letGo(tx, subject, dropped)
  if (input.ids.length === 0) return
  await tx`
    insert into attachment_bindings (attachment_id, kind, subject_id, role, position, released_at, created_at)
    select id, ${subject.kind}, ${subject.id}, ${subject.role}, place - 1, ${input.isPublic ? tx.now : null}, ${tx.now}
    from unnest(${input.ids}::uuid[]) with ordinality as t (id, place)
    on conflict (attachment_id, kind, subject_id, role) do update set position = excluded.position,
      released_at = coalesce(attachment_bindings.released_at, excluded.released_at)`
  await tx`
    update attachments set first_bound_at = ${tx.now}, purge_after = null, updated_at = ${tx.now}
    where id = any(${added}::uuid[])`
}

/**
 * Adds files behind those of a subject, whose own row is locked. Those that it has already stay where they are, and must
 * still be own and ready. Refuses as {@link setFiles} does, and with `excess` where there would be more than `most`.
 */
export async function addFiles(
  tx: Tx,
  subject: Subject,
  { ownerId, ids, most, excess }: Pick<Input, 'ownerId' | 'ids'> & { most: number; excess: Code },
): Promise<void> {
  const { kind, id, role } = subject
  if (ids.length === 0) return
  const standing = await tx<{ attachment_id: string }>`
    select attachment_id from attachment_bindings
    where subject_id = ${id} and kind = ${kind} and role = ${role} and active`
  const bound = new Set(standing.map((each) => each.attachment_id))
  const added = ids.filter((each) => !bound.has(each))
  if (bound.size + added.length > most) refuse(excess)
  await lockBindable(tx, subject, ownerId, ids, bound)
  await tx`
    insert into attachment_bindings (attachment_id, kind, subject_id, role, position, created_at)
    select id, ${kind}, ${id}, ${role}, ${bound.size} + place - 1, ${tx.now}
    from unnest(${added}::uuid[]) with ordinality as t (id, place)`
  await tx`
    update attachments set first_bound_at = ${tx.now}, purge_after = null, updated_at = ${tx.now}
    where id = any(${added}::uuid[])`
}

/** Lets go of every file of a subject, in whatever role. */
export async function endBindings(tx: Tx, { kind, id }: Pick<Subject, 'kind' | 'id'>): Promise<void> {
  const roles = await tx<{ role: Subject['role']; ids: string[] }>`
    select role, array_agg(attachment_id order by attachment_id) as ids from attachment_bindings
    where subject_id = ${id} and kind = ${kind} and active group by role`
  for (const { role, ids } of roles) await letGo(tx, { kind, id, role }, ids)
}

/**
 * Hands the files of a subject, whose own row is locked, on to another in their order. Something holds them at every moment,
 * so nothing purges them on the way.
 */
export async function handOver(tx: Tx, from: Subject, to: Subject): Promise<void> {
  await tx`
    with ended as (
      update attachment_bindings set active = false, ended_at = ${tx.now}
      where subject_id = ${from.id} and kind = ${from.kind} and role = ${from.role} and active
      returning attachment_id, position
    )
    insert into attachment_bindings (attachment_id, kind, subject_id, role, position, created_at)
    select attachment_id, ${to.kind}, ${to.id}::uuid, ${to.role}, position, ${tx.now} from ended`
}

/** Keeps the ready files of what has ended until then, and no longer. */
export async function retainFiles(
  tx: Tx,
  { kind, id }: { kind: RetainedKind; id: string },
  until: Date,
): Promise<void> {
  // In the order of ids, as everyone locks files.
  await tx`
    with held as materialized (
      select id from attachments
      where status = 'ready' and id in (
        select attachment_id from attachment_bindings where subject_id = ${id} and kind = ${kind} and active)
      order by id for no key update
    )
    update attachments set status = 'retained', purge_after = ${until}, updated_at = ${tx.now}
    where id in (select id from held)`
}

/** Keeps the bytes of files even if what holds them is deleted; false if any of them is already due. */
export async function keepFiles(tx: Tx, ids: readonly string[]): Promise<boolean> {
  const rows = await tx`
    with held as materialized (
      select id from attachments
      where id = any(${ids}::uuid[]) and status in ('ready', 'retained')
        and (purge_after is null or purge_after > ${tx.now})
      order by id for no key update
    )
    update attachments set purge_after = null, updated_at = ${tx.now} where id in (select id from held) returning id`
  return rows.length === ids.length
}

/** Lets the bytes of files that were kept go at a moment. */
export async function releaseFiles(tx: Tx, ids: readonly string[], until: Date): Promise<void> {
  await tx`
    with held as materialized (
      select id from attachments
      where id = any(${ids}::uuid[]) and status = 'retained' order by id for no key update
    )
    update attachments set purge_after = ${until}, updated_at = ${tx.now} where id in (select id from held)`
}

async function lockBindable(
  tx: Tx,
  subject: Subject,
  ownerId: string,
  ids: readonly string[],
  bound: ReadonlySet<string> = new Set(),
): Promise<void> {
  if (ids.length === 0) return
  // In the order of ids, so that two posts that want the same files wait for each other in one direction.
  const rows = await tx<{ id: string; first_bound_at: Date | null }>`
    select id, first_bound_at from attachments
    where id = any(${ids}::uuid[]) and owner_id = ${ownerId} and purpose = ${purposeOf(subject)} and status = 'ready'
    order by id for no key update`
  if (rows.length < ids.length) refuse('invalid_attachment')
  if (rows.some((row) => row.first_bound_at && !bound.has(row.id))) refuse('attachment_already_bound')
}

async function letGo(
  tx: Tx,
  { kind, id, role }: Pick<Subject, 'kind' | 'id' | 'role'>,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  await tx`select 1 from attachments where id = any(${ids}::uuid[]) order by id for no key update`
  await tx`
    update attachment_bindings set active = false, ended_at = ${tx.now}
    where attachment_id = any(${ids}::uuid[]) and kind = ${kind} and subject_id = ${id} and role = ${role}`
  await tx`
    update attachments set purge_after = ${after(tx.now, unboundLifetime)}, updated_at = ${tx.now}
    where id = any(${ids}::uuid[]) and not exists (
      select 1 from attachment_bindings b where b.attachment_id = attachments.id and b.active)`
}

type BoundFile = AttachmentRow & { subject_id: string; role: string }

/**
 * The files of several subjects of a kind as their reader is to find them, in all roles or in some, each subject's by role
 * and position. Whether the reader may see the subjects themselves was asked before.
 */
export function filesOf<K extends HolderKind>(
  sql: Query,
  viewerId: string | null,
  kind: K,
  subjectIds: readonly string[],
  roles?: readonly Extract<Subject, { kind: K }>['role'][],
): Promise<BoundFile[]> {
  return sql<BoundFile>`
    select b.subject_id, b.role, ${attachmentColumns}
    from attachment_bindings b join attachments f on f.id = b.attachment_id
    where b.subject_id = any(${subjectIds}::uuid[]) and b.kind = ${kind} and b.active
      and ${isShownTo(viewerId)}
      ${roles ? part`and b.role = any(${roles}::text[])` : part``}
    order by b.subject_id, b.role, b.position`
}

/** The same of one subject, in all roles, as a value of a larger statement: a list of {@link AttachmentJson}, or null. */
export const filesJson = (viewerId: string | null | Part, kind: HolderKind, subjectId: Part): Part => part`(
  select json_agg(file) from (
    select ${attachmentColumns} from attachment_bindings b join attachments f on f.id = b.attachment_id
    where b.subject_id = ${subjectId} and b.kind = ${kind} and b.active and ${isShownTo(viewerId)}
    order by b.role, b.position
  ) file)`
