// The files of a finished work: results of the order that it comes from, which stay its. They are kept while the work is
// sold and for each purchase until its own retention ends. docs/contract/ready.md#files.

import { days } from '../../kernel/clock.ts'
import { refuse } from '../../kernel/refuse.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Query, Sql, Tx } from '../../store/sql.ts'
import { releaseFiles } from '../attachments/bindings.ts'
import { hasByte } from '../attachments/stored.ts'
import { isKept, type PurchasedFile, purchasedFiles } from '../orders/resale.ts'

interface ResultFile {
  id: string
  sha256: Buffer
  bytes: number
}

/** The caller's own files among the results of an order, in the order that is asked for; refuses `invalid_attachment`. */
export async function resultFiles(
  tx: Tx,
  ownerId: string,
  orderId: string,
  ids: readonly string[],
): Promise<ResultFile[]> {
  if (ids.length === 0) return []
  const files = await tx<ResultFile>`
    select f.id, f.sha256, f.bytes from attachment_bindings b join attachments f on f.id = b.attachment_id
    where b.subject_id = ${orderId} and b.kind = 'order' and b.role = 'result' and b.active
      and f.id = any(${ids}::uuid[]) and f.owner_id = ${ownerId} and f.status in ('ready', 'retained')
      and (f.purge_after is null or f.purge_after > ${tx.now})
    order by array_position(${ids}::uuid[], f.id)`
  return files.length === ids.length ? files : refuse('invalid_attachment')
}

/** Requires that the records of files say what their terms do and that their bytes lie in the storage, to the last one. */
export async function requireStored(
  sql: Query,
  storage: Storage,
  files: readonly { id: string; sha256: string; size: number }[],
): Promise<void> {
  const records = await sql<ResultFile>`
    select id, sha256, bytes from attachments where id = any(${files.map(({ id }) => id)}::uuid[])`
  const byId = new Map(records.map((each) => [each.id, each]))
  const found = await Promise.all(
    files.map(async ({ id, sha256, size }) => {
      const record = byId.get(id)
      if (record?.sha256.toString('hex') !== sha256 || record.bytes !== size) return false
      return size === 0 || hasByte(storage, `${id}/original`, size - 1)
    }),
  )
  if (found.includes(false)) refuse('invalid_state', { message: 'A file of these terms no longer exists' })
}

/**
 * A file of a purchase as one of its two sides reads it; `not_found` to everyone else, for any other file, and once the
 * retention of this order is over.
 */
export async function findPurchased(
  sql: Query,
  meId: string,
  { orderId, attachmentId, now }: { orderId: string; attachmentId: string; now: Date },
): Promise<PurchasedFile> {
  const [side] = await sql`
    select 1 from orders where id = ${orderId} and source = 'ready' and ${meId}::uuid in (customer_id, contractor_id)`
  const [file] = side ? await purchasedFiles(sql, meId, [orderId], attachmentId) : []
  return file && isKept(file, now) ? file : refuse('not_found')
}

const batch = 50

/** The first works that are no longer sold, whose purchases have all ended, and whose files are still kept. */
export const stoppedReady = (
  sql: Query,
  limit: number,
): Promise<{ service_id: string; source_order_id: string }[]> => sql<{ service_id: string; source_order_id: string }>`
  select r.service_id, r.source_order_id from ready_services r
  where r.stopped_at is not null and r.held_at is not null and r.released_at is null and not exists (
    select 1 from ready_purchases p join orders o on o.id = p.order_id
    where p.service_id = r.service_id and o.state not in ('closed', 'cancelled', 'rejected') offset 0)
  order by r.stopped_at limit ${limit}`

/**
 * Releases the files of works that are no longer sold and whose purchases have all ended: once the last purchase can no
 * longer be read, and not before the source order releases them. True when there may be more.
 */
export function releaseStopped(sql: Sql, { fileRetentionDays }: { fileRetentionDays: number }): Promise<boolean> {
  return sql.transaction(async (tx) => {
    const stopped = await stoppedReady(tx, batch)
    let released = 0
    for (const { service_id: id, source_order_id: orderId } of stopped) released += await release(tx, id, orderId)
    return released === batch
  })

  async function release(tx: Tx, serviceId: string, orderId: string): Promise<0 | 1> {
    // As a consent does that would keep the same files for another work.
    const [order] = await tx`select 1 from orders where id = ${orderId} for no key update skip locked`
    if (!order) return 0
    const [done] = await tx`
      update ready_services set released_at = ${tx.now}
      where service_id = ${serviceId} and stopped_at is not null and released_at is null returning 1`
    if (!done) return 0
    const files = await tx<{ id: string; until: Date }>`
      select f.id, max(greatest(r.kept_until, bought.until,
        case when r.moderation = 'rejected' then r.moderated_at + ${days(fileRetentionDays)} * interval '1 millisecond' end)) as until
      from unnest((select attachment_ids from ready_services where service_id = ${serviceId})) as f (id)
      join ready_services r on r.source_order_id = ${orderId} and r.held_at is not null and f.id = any(r.attachment_ids)
      cross join lateral (
        select max(p.kept_until) as until from ready_purchases p where p.service_id = r.service_id
      ) bought
      group by f.id having bool_and(r.released_at is not null)`
    for (const [until, held] of Map.groupBy(files, (file) => file.until.getTime())) {
      await releaseFiles(
        tx,
        held.map(({ id }) => id),
        new Date(until),
      )
    }
    return 1
  }
}
