// What files cost: sums of each owner and of the platform, and the quotas over them.
// docs/contract/attachments.md#quotas; the sums are kept in the transaction of what they count.

import { reservationBytes } from '../../inspect/formats.ts'
import type { Party } from '../../kernel/callers.ts'
import { type Part, part } from '../../kernel/part.ts'
import { refuse } from '../../kernel/refuse.ts'
import { only, type Query, type Tx } from '../../store/sql.ts'
import type { StorageUsageRow } from '../../store/tables.ts'
import { fileDoors } from './cards.ts'

const gibibyte = 1024 ** 3

export const quotas = {
  /** Of an agent, or of a customer. */
  owner: { bytes: gibibyte, files: 1000, upload_records: 10_000 },
  platform: { bytes: 10 * gibibyte, files: 10_000, upload_records: Number.POSITIVE_INFINITY },
} as const

type Scope = keyof typeof quotas
type Resource = keyof (typeof quotas)['owner']

/** Under which the platform's own sums stand. */
export const platform = '00000000-0000-0000-0000-000000000000'

/**
 * Sets bytes aside for one more file, if the transaction has its record; both travel in one flight. What it gives refuses
 * `storage_quota_exceeded` and `storage_record_limit`.
 */
export async function reserve(tx: Tx, owner: Party, bytes: number, id: string): Promise<() => void> {
  const wanted = { bytes, files: 1, upload_records: 1 }
  const isThere = part`exists (select 1 from attachments where id = ${id})`
  // The platform last, so that the one row that all uploads share is held as short as can be.
  const [[own], [all]] = await Promise.all([add(tx, owner.id, wanted, isThere), add(tx, platform, wanted, isThere)])
  return () => {
    if (own) requireWithin('owner', owner, own, wanted)
    if (all) requireWithin('platform', owner, all, wanted)
  }
}

/** Changes what the kept files of an owner cost. */
export function adjust(tx: Tx, ownerId: string, change: { bytes: number; files: number }): void {
  addBoth(tx, ownerId, { ...change, upload_records: 0 })
}

/** Gives back what an upload that came to nothing had reserved, its record included. */
export function giveBack(tx: Tx, ownerId: string, bytes: number): void {
  addBoth(tx, ownerId, { bytes: -bytes, files: -1, upload_records: -1 })
}

type Sums = Record<Resource, number>

/** Nobody reads the new sums, so this travels with what the transaction sends next, or with its commit. */
function addBoth(tx: Tx, ownerId: string, change: Sums): void {
  for (const each of [ownerId, platform]) {
    makeRow(tx, each)
    tx.write`${adding(each, change)}`
  }
}

/** The new sums; none if they were not to change. */
function add(tx: Tx, ownerId: string, change: Sums, isWanted: Part): Promise<StorageUsageRow[]> {
  makeRow(tx, ownerId)
  return tx<StorageUsageRow>`${adding(ownerId, change)} and ${isWanted} returning *`
}

/** Before its sums change: the values of an insert are checked before its conflict is found. */
function makeRow(tx: Tx, ownerId: string): void {
  tx.write`insert into storage_usage (owner_id) values (${ownerId}) on conflict do nothing`
}

const adding = (ownerId: string, change: Sums): Part => part`
  update storage_usage set bytes = bytes + ${change.bytes}, files = files + ${change.files},
    upload_records = upload_records + ${change.upload_records}
  where owner_id = ${ownerId}`

function requireWithin(scope: Scope, { kind }: Party, sums: Sums, wanted: Sums): void {
  for (const resource of ['upload_records', 'files', 'bytes'] as const) {
    const limit = quotas[scope][resource]
    if (sums[resource] <= limit) continue
    const used = sums[resource] - wanted[resource]
    const own = { used, limit, available: Math.max(0, limit - used), required: wanted[resource] }
    refuse(resource === 'upload_records' ? 'storage_record_limit' : 'storage_quota_exceeded', {
      retryAfter: 3600,
      ...(scope !== 'owner' && { message: 'The storage of this server is full; only its operator can make room' }),
      details: {
        scope: scope === 'owner' ? kind : scope,
        resource,
        retryable: false,
        storage_url: `/api/v1${fileDoors[kind]}/storage`,
        uploads_url: `/api/v1${fileDoors[kind]}?scope=all`,
        support_url: '/docs',
        ...(scope === 'owner' && own),
      },
    })
  }
}

/** What all owners together use. */
export async function totalUsage(sql: Query): Promise<Sums> {
  const [sums] = await sql<Sums>`
    select bytes, files, upload_records from storage_usage where owner_id = ${platform}`
  return sums ?? { bytes: 0, files: 0, upload_records: 0 }
}

/** `GET attachments/storage`: what the caller uses, may use, and could have back. */
export async function figures(sql: Query, me: Party) {
  // One statement, so that the groups are those of the sums.
  type Groups = Record<'pending' | 'unbound_files' | 'unbound_bytes' | 'purging_files' | 'purging_bytes', number>
  const now = only(
    await sql<Groups & { [K in Resource]: number | null }>`
      select (select bytes from storage_usage where owner_id = ${me.id}),
        (select files from storage_usage where owner_id = ${me.id}),
        (select upload_records from storage_usage where owner_id = ${me.id}),
        count(*) filter (where status = 'pending')::int as pending,
        count(*) filter (where status = 'ready' and purge_after is not null)::int as unbound_files,
        coalesce(sum(allocated_bytes) filter (where status = 'ready' and purge_after is not null), 0)::bigint
          as unbound_bytes,
        count(*) filter (where status = 'purging')::int as purging_files,
        coalesce(sum(allocated_bytes) filter (where status = 'purging'), 0)::bigint as purging_bytes
      from attachments where owner_id = ${me.id} and status not in ('rejected', 'purged')`,
  )
  const of = (resource: Resource) => {
    const [used, limit] = [now[resource] ?? 0, quotas.owner[resource]]
    return { used, limit, available: Math.max(0, limit - used) }
  }
  return {
    bytes: of('bytes'),
    files: of('files'),
    upload_records: of('upload_records'),
    pending_uploads: now.pending,
    unbound_ready: { files: now.unbound_files, bytes: now.unbound_bytes },
    cleanup_pending: { files: now.purging_files, bytes: now.purging_bytes },
    reservation_bytes: {
      image_or_pdf: reservationBytes('jpeg', 'portfolio'),
      video: reservationBytes('mp4', 'portfolio'),
      order_video: reservationBytes('mp4', 'order'),
      source: reservationBytes('psd', 'order'),
      audio: reservationBytes('mp3', 'order'),
      order_archive: reservationBytes('zip', 'order'),
    },
  }
}
