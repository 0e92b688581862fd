// What an upload leaves in its row, its owner's sums and the storage: at its beginning, at its verdict, and if its node is lost.
// docs/contract/attachments.md#uploading.
import { copyFile, link, unlink } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type FileFormat, type Purpose, reservationBytes } from '../../inspect/formats.ts'
import type { Inspection } from '../../inspect/inspect.ts'
import type { RejectionReason } from '../../inspect/look.ts'
import type { Agent, Human } from '../../kernel/callers.ts'
import { after, days, earlier } from '../../kernel/clock.ts'
import { isRestricted, passGate } from '../../kernel/gate.ts'
import { Refusal, refuse } from '../../kernel/refuse.ts'
import { safeError } from '../../log.ts'
import type { Service } from '../../service.ts'
import { orMissing } from '../../storage/folders.ts'
import type { Tx } from '../../store/sql.ts'
import { unboundLifetime } from './bindings.ts'
import { type AttachmentRow, attachmentColumns } from './cards.ts'
import { derivedBytes, derivedColumns, type Paths, putObjects } from './objects.ts'
import { deadAfter, incomingPath } from './purge.ts'
import { adjust, giveBack, reserve } from './usage.ts'

/** How long the removal of an upload that was undone may hold up its answer, in milliseconds. */
const removedWithin = 2000

/** Who has files. */
export type Uploader = Agent | Human

/** What came in, on the disk. */
export interface Received {
  purpose: Purpose
  uploadId: string
  format: FileFormat
  bytes: number
  sha256: Buffer
  /** What its owner called it; null if they did not say. */
  name: string | null
  /** Where the file lies; the receiver of this answers for its removal. */
  path: string
}

/** A file that is being inspected here. */
export interface Job
  extends Pick<AttachmentRow, 'id' | 'owner_id' | 'purpose' | 'file_format' | 'bytes' | 'created_at'>,
    Pick<Received, 'name'> {
  /** Whoever inspects it answers for its removal. */
  path: string
  /** It has its verdict, and nothing else touches its objects. */
  isJudged?: boolean
  /** Its original goes to the storage before there is a verdict. */
  keeping?: Promise<void>
}

/** Those of a running process. */
export function createUploadRecords(service: Service) {
  const { sql, storage, nodeId, log } = service

  async function claimUpload(tx: Tx, me: Uploader, received: Received) {
    const { purpose, uploadId, format, bytes, sha256, name, path } = received
    const id = tx.newId()
    const reserved = reservationBytes(format, purpose)
    const inserted = tx<Omit<Job, 'path' | 'name'>>`
      insert into attachments as f (id, owner_id, upload_id, purpose, file_format, status, bytes, sha256,
        original_name, allocated_bytes, node_id, created_at, updated_at)
      values (${id}, ${me.id}, ${uploadId}, ${purpose}, ${format}, 'pending', ${bytes}, ${sha256}, ${name}, ${reserved},
        ${nodeId}, ${tx.now}, ${tx.now})
      on conflict (owner_id, upload_id) do nothing
      returning f.id, f.owner_id, f.purpose, f.file_format, f.bytes, f.created_at`
    const [[fresh], requireRoom] = await Promise.all([inserted, reserve(tx, me, reserved, id)])
    if (fresh) {
      await admit(tx, me, purpose)
      requireRoom()
      return { mine: true as const, job: { ...fresh, name, path } }
    }
    const [prior] = await tx<{ id: string; purpose: string; sha256: Buffer }>`
      select id, purpose, sha256 from attachments where owner_id = ${me.id} and upload_id = ${uploadId}`
    if (!prior) return { mine: false as const, id }
    if (prior.purpose !== purpose || !prior.sha256.equals(sha256)) return refuse('idempotency_conflict')
    return { mine: false as const, id: prior.id }
  }

  /** Who may begin nothing new may still upload what a standing order needs. */
  async function admit(tx: Tx, me: Uploader, purpose: Purpose): Promise<void> {
    const mayOnlyEnd = me.kind === 'agent' && (me.suspendedAt !== null || isRestricted(service, me))
    const isForOrder = mayOnlyEnd && purpose === 'order' && (await hasStandingOrder(tx, me, service.config))
    passGate(service, me, isForOrder ? 'own' : 'new')
  }

  /** Puts the original where any node can find it, so that a pending upload that was answered is never lost. */
  async function keepPending(job: Job): Promise<void> {
    const path = incomingPath(service)
    try {
      // Some file systems have no links.
      await link(job.path, path).catch(() => copyFile(job.path, path))
      await storage.put(`${job.id}/original`, path)
      await sql`
        update attachments set stored = true where id = ${job.id} and status = 'pending' and node_id = ${nodeId}`
    } finally {
      await unlinkIfThere(path)
    }
  }

  /** Gives the settled record; undefined if another node has taken it over. */
  async function conclude(job: Job, inspection: Inspection, paths: Paths): Promise<AttachmentRow | undefined> {
    if (inspection.outcome === 'rejected') return concludeRejected(job, inspection.reason)
    const reserved = reservationBytes(job.file_format, job.purpose)
    const { facts, derived } = inspection
    await putObjects(storage, job.id, paths, derived)
    const kept = job.bytes + derivedBytes(derived)
    const settled = await sql.transaction(async (tx) => {
      const [own] = await tx<AttachmentRow>`
        update attachments f set status = 'ready', allocated_bytes = ${kept}, node_id = null, stored = true,
          ${derivedColumns(derived)},
          width = ${facts.width}, height = ${facts.height}, duration_ms = ${facts.durationMilliseconds},
          frames_per_second = ${facts.framesPerSecond}, video_codec = ${facts.videoCodec},
          audio_codec = ${facts.audioCodec}, purge_after = ${after(job.created_at, unboundLifetime)},
          updated_at = ${tx.now}
        where id = ${job.id} and status = 'pending' and node_id = ${nodeId} returning ${attachmentColumns}`
      if (own) adjust(tx, job.owner_id, { bytes: kept - reserved, files: 0 })
      return own
    })
    if (settled) return settled
    // Another node took this one for dead. Where it undid the upload, these are the bytes of no record.
    const record = await sql`select 1 from attachments where id = ${job.id}`
    if (record.length === 0) await storage.remove(job.id)
    return undefined
  }

  async function concludeRejected(job: Job, reason: RejectionReason): Promise<AttachmentRow | undefined> {
    const settled = await sql.transaction(async (tx) => {
      const [own] = await tx<AttachmentRow>`
        update attachments f set status = 'rejected', rejection_reason = ${reason}, original_name = null, allocated_bytes = 0,
          node_id = null, stored = false, updated_at = ${tx.now}
        where id = ${job.id} and status = 'pending' and node_id = ${nodeId} returning ${attachmentColumns}`
      const reserved = reservationBytes(job.file_format, job.purpose)
      if (own) adjust(tx, job.owner_id, { bytes: -reserved, files: -1 })
      return own
    })
    // It is there where the verdict was late. What a storage that is down keeps goes with the next reconciliation.
    await storage.remove(job.id).catch(() => {})
    return settled
  }

  /** Undoes an upload whose inspection could not be run: it may be sent again as if it had never been. */
  async function abandon(job: Job, error: unknown): Promise<void> {
    if (!(error instanceof Refusal)) log.warn({ error: safeError(error) }, 'an upload could not be inspected or stored')
    const isGone = await sql.transaction(async (tx) => {
      const gone = await tx`
        delete from attachments
        where id = ${job.id} and status = 'pending' and node_id = ${nodeId} and not stored returning 1 as gone`
      if (gone.length > 0) giveBack(tx, job.owner_id, reservationBytes(job.file_format, job.purpose))
      return gone.length > 0
    })
    if (!isGone) return
    // What stays behind in a storage that is down has no row, and goes with the next reconciliation. One that is silent
    // has made the sender wait long enough.
    const removed = storage.remove(job.id).catch(() => {})
    await Promise.race([removed, sleep(removedWithin, undefined, { ref: false })])
  }

  async function takeOrphan(tx: Tx, ownIds: readonly string[], dead: readonly string[]) {
    const [row] = await tx<AttachmentRow & { stored: boolean }>`
      select ${attachmentColumns}, f.stored from attachments f
      where f.status = 'pending' and f.id <> all (${ownIds}::uuid[])
        and case when f.node_id = ${nodeId} then f.stored or f.created_at < ${earlier(tx.now, deadAfter)}
          else not exists (select 1 from nodes n where n.id = f.node_id and n.id <> all (${dead}::uuid[])) end
      order by f.updated_at limit 1 for no key update of f skip locked`
    if (!row) return undefined
    if (row.stored) {
      // Behind the others, so that one that cannot be inspected holds up none.
      await tx`update attachments set node_id = ${nodeId}, updated_at = ${tx.now} where id = ${row.id}`
    } else {
      await tx`delete from attachments where id = ${row.id}`
      giveBack(tx, row.owner_id, row.allocated_bytes)
    }
    return row
  }

  return { claimUpload, keepPending, conclude, concludeRejected, abandon, takeOrphan }
}

export const unlinkIfThere = (path: string): Promise<void> => unlink(path).catch(orMissing(undefined))

/** Whether an order of the agent takes files: it is under way, or accepted and still open to updates. */
async function hasStandingOrder(
  tx: Tx,
  me: Uploader,
  { fileRetentionDays }: { fileRetentionDays: number },
): Promise<boolean> {
  const [found] = await tx`
    select 1 from orders
    where (customer_id = ${me.id} or contractor_id = ${me.id})
      and (state in ('funded', 'in_progress', 'delivered', 'disputed')
        or outcome = 'accepted' and closed_at > ${earlier(tx.now, days(fileRetentionDays))}) limit 1`
  return found !== undefined
}
