// Uploads, from the reservation to the verdict: each upload id is inspected once, and what was answered is kept.
// docs/contract/attachments.md#uploading.
import { createWriteStream } from 'node:fs'
import { link, unlink } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type FileFormat, isNormalised, type Purpose, reservationBytes } from '../../inspect/formats.ts'
import type { Inspection } from '../../inspect/inspect.ts'
import type { RejectionReason } from '../../inspect/look.ts'
import type { Agent, Human } from '../../kernel/callers.ts'
import { after, days, earlier } from '../../kernel/clock.ts'
import { isRestricted, passGate } from '../../kernel/gate.ts'
import { Refusal, refuse } from '../../kernel/refuse.ts'
import { safeError } from '../../log.ts'
import { perService, type Service } from '../../service.ts'
import { orMissing } from '../../storage/folders.ts'
import { ObjectMissing } from '../../storage/storage.ts'
import type { Tx } from '../../store/sql.ts'
import { unboundLifetime } from './bindings.ts'
import { type AttachmentRow, attachmentColumns } from './cards.ts'
import { createDraining } from './draining.ts'
import { derivedBytes, derivedColumns, newPaths, type Paths, putObjects } from './objects.ts'
import { type Arrival, createPace, type PaceTimes, usualPace } from './pace.ts'
import { deadAfter, incomingPath, removeLeftovers } from './purge.ts'
import { createSlots } from './slots.ts'
import { createTurns } from './upload-turns.ts'
import { adjust, giveBack, reserve } from './usage.ts'

export interface Times {
  /** From the head of a request to the whole of its body, and as long again until its inspection begins; milliseconds. */
  acceptance: number
  /** What takes longer to inspect is answered as pending. */
  answerWithin: number
  /** How fast a body must come in. */
  pace?: PaceTimes
}

const usual: Times = { acceptance: 300_000, answerWithin: 20_000 }
const lookAgainEvery = 250
const removedWithin = 2000

export interface Accepted {
  created: boolean
  file: AttachmentRow
}

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

/** Reads an upload into a new file, telling how it comes in, until the signal ends it; leaves no file where it fails. */
export type Receive = (path: string, signal: AbortSignal, arrival: Arrival) => Promise<Received>

export interface Uploads {
  /** Takes an upload; resolves once it is ready, rejected, or known to take longer. */
  accept(me: Uploader, receive: Receive): Promise<Accepted>
  /**
   * Takes up what dead nodes left: restarts one inspection, or releases what one had reserved. True when there may be
   * more at once.
   */
  recover(): Promise<boolean>
  /** What waits for an inspection is refused soon, and what is inspected is answered soon, as pending. */
  drain(): void
  /** Ends what runs; it is taken up again at the next start. */
  stop(): Promise<void>
}

/** A file that is being inspected here. */
interface Job extends Pick<AttachmentRow, 'id' | 'owner_id' | 'purpose' | 'file_format' | 'bytes' | 'created_at'> {
  path: string
  /** It has its verdict, and nothing else touches its objects. */
  isJudged?: boolean
  /** Its original goes to the storage before there is a verdict. */
  keeping?: Promise<void>
}

/** The uploads of a running process. */
export const uploadsOf = perService((service) => createUploads(service))

export function createUploads(
  service: Service,
  { acceptance, answerWithin, pace: paceTimes = usualPace }: Times = usual,
): Uploads {
  const { sql, storage, inspector, nodeId, log } = service
  const receiving = createTurns(32, 8, 8)
  const pace = createPace(paceTimes, () => receiving.waiting())
  const runInSlot = createSlots(service)
  const jobs = new Map<string, Promise<void>>()
  const requests = new Set<Promise<unknown>>()
  let recovering = false
  const stopping = new AbortController()
  const ended = (): Refusal => new Refusal('service_unavailable', { retryAfter: 5 })
  const draining = createDraining(ended)

  const incoming = (): string => incomingPath(service)

  /** Runs `work` with a signal that fires with the refusal to answer: it was too long, or the service stops. */
  async function inTime<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const end = new AbortController()
    const stop = (): void => end.abort(stopping.signal.reason)
    const timer = setTimeout(() => end.abort(new Refusal('request_timeout')), acceptance)
    stopping.signal.addEventListener('abort', stop)
    if (stopping.signal.aborted) stop()
    try {
      return await work(end.signal)
    } finally {
      clearTimeout(timer)
      stopping.signal.removeEventListener('abort', stop)
    }
  }

  function accept(me: Uploader, receive: Receive): Promise<Accepted> {
    const accepted = acceptFile(me, receive, incoming()).catch((error) => {
      throw isStorageFault(error) ? new Refusal('service_unavailable', { retryAfter: 30 }) : error
    })
    requests.add(accepted)
    return accepted.finally(() => requests.delete(accepted))
  }

  async function acceptFile(me: Uploader, receive: Receive, path: string): Promise<Accepted> {
    const received = await inTime(async (signal) => {
      const end = await receiving.take(me.id, signal)
      return receiveInPace(me, receive, path, signal).finally(end)
    })
    try {
      for (;;) {
        const claim = await sql.transaction((tx) => claimUpload(tx, me, received))
        if (claim.mine) {
          return { created: true, file: await draining.during((drained) => inspectFirst(claim.job, drained)) }
        }
        const settled = await waitFor(claim.id)
        if (settled) return { created: false, file: settled }
        // Its first sender was lost with its node, and nothing of it is left: this one takes its place.
      }
    } finally {
      await unlinkIfThere(path)
    }
  }

  /** Refuses `request_timeout` also where the bytes come in too slowly, for whoever sends holds a turn meanwhile. */
  async function receiveInPace(me: Uploader, receive: Receive, path: string, signal: AbortSignal) {
    const tooSlow = new AbortController()
    const flow = pace.begin(me.id, () =>
      tooSlow.abort(new Refusal('request_timeout', { message: 'The body arrived too slowly' })),
    )
    try {
      return await receive(path, AbortSignal.any([signal, tooSlow.signal]), flow)
    } finally {
      flow.end()
    }
  }

  async function claimUpload(tx: Tx, me: Uploader, received: Received) {
    const { purpose, uploadId, format, bytes, sha256, name, path } = received
    const id = tx.newId()
    const reserved = reservationBytes(format, purpose)
    const inserted = tx<Omit<Job, 'path'>>`
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
      return { mine: true as const, job: { ...fresh, path } }
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

  /** The upload once it is settled, or pending for good reason; undefined if it is no more. */
  async function waitFor(id: string): Promise<AttachmentRow | undefined> {
    const began = performance.now()
    for (;;) {
      const [file] = await sql<AttachmentRow & { stored: boolean }>`
        select ${attachmentColumns}, f.stored from attachments f where f.id = ${id}`
      const waited = performance.now() - began
      if (file?.status !== 'pending' || (file.stored && waited > answerWithin)) return file
      if (waited > acceptance) refuse('request_timeout')
      const own = jobs.get(id)?.catch(() => {})
      const pause = sleep(lookAgainEvery, undefined, { ref: false })
      await Promise.race([pause, ...(own ? [own] : [])])
      stopping.signal.throwIfAborted()
      // One that is inspected here ends soon; on another node it may take minutes.
      if (draining.isUnderWay && !own) throw ended()
    }
  }

  async function inspectFirst(job: Job, drained: AbortSignal): Promise<AttachmentRow> {
    const { promise: beginning, resolve: began } = Promise.withResolvers<void>()
    const work = inTime((waiting) => runJob(job, AbortSignal.any([waiting, drained]), began))
    track(job.id, work)
    await Promise.race([work, beginning])
    const late = sleep(answerWithin, true, { ref: false, signal: drained }).catch(() => true)
    const isLate = await Promise.race([work, late])
    if (isLate && !job.isJudged) {
      job.keeping = keepPending(job)
      await job.keeping
    } else await work
    return find(job.id)
  }

  function track(id: string, work: Promise<void>): void {
    jobs.set(id, work)
    work.catch(() => {}).finally(() => jobs.delete(id))
  }

  async function runJob(job: Job, waiting: AbortSignal, began: () => void): Promise<void> {
    const paths = newPaths(incoming)
    const { owner_id: ownerId, file_format: format, purpose } = job
    try {
      // A separate link, because the sender's file is deleted when its request is answered.
      await link(job.path, paths.original)
      const inspect = (slot: number): Promise<Inspection> => {
        began()
        const room = reservationBytes(format, purpose) - job.bytes
        const task = { path: paths.original, derivedPaths: paths, derivedBytes: room }
        return inspector.inspect({ ...task, format, purpose, slot, ownerId }, stopping.signal)
      }
      const lane = isNormalised(format, purpose) ? 'long' : 'short'
      const order = (slots: readonly number[]) => inspector.order(slots, { format, purpose, ownerId })
      const judged = Promise.withResolvers<Inspection>()
      const look = async (slot: number): Promise<void> => judged.resolve(await inspect(slot))
      const slotIsFree = runInSlot({ ownerId, lane, order }, look, waiting)
      slotIsFree.catch(judged.reject)
      const inspection = await judged.promise.finally(() => {
        job.isJudged = true
        return job.keeping?.catch(() => {})
      })
      // The slot is given back meanwhile.
      await conclude(job, inspection, paths).finally(() => slotIsFree)
    } catch (error) {
      if (!stopping.signal.aborted) await abandon(job, error)
      throw error instanceof Refusal ? error : new Refusal('service_unavailable', { retryAfter: 30 })
    } finally {
      await Promise.all(Object.values(paths).map(unlinkIfThere))
    }
  }

  /** Puts the original where any node can find it, so that a pending upload that was answered is never lost. */
  async function keepPending(job: Job): Promise<void> {
    const path = incoming()
    try {
      await link(job.path, path)
      await storage.put(`${job.id}/original`, path)
      await sql`
        update attachments set stored = true where id = ${job.id} and status = 'pending' and node_id = ${nodeId}`
    } finally {
      await unlinkIfThere(path)
    }
  }

  async function conclude(job: Job, inspection: Inspection, paths: Paths): Promise<void> {
    if (inspection.outcome === 'rejected') return concludeRejected(job, inspection.reason)
    const reserved = reservationBytes(job.file_format, job.purpose)
    const { facts, derived } = inspection
    await putObjects(storage, job.id, paths, derived)
    const kept = job.bytes + derivedBytes(derived)
    const isOwn = await sql.transaction(async (tx) => {
      const own = await tx`
        update attachments set status = 'ready', allocated_bytes = ${kept}, node_id = null, stored = true,
          ${derivedColumns(derived)},
          width = ${facts.width}, height = ${facts.height}, duration_ms = ${facts.durationMilliseconds},
          frames_per_second = ${facts.framesPerSecond}, video_codec = ${facts.videoCodec},
          audio_codec = ${facts.audioCodec}, purge_after = ${after(job.created_at, unboundLifetime)},
          updated_at = ${tx.now}
        where id = ${job.id} and status = 'pending' and node_id = ${nodeId} returning 1 as own`
      if (own.length > 0) adjust(tx, job.owner_id, { bytes: kept - reserved, files: 0 })
      return own.length > 0
    })
    if (isOwn) return
    // Another node took this one for dead. Where it undid the upload, these are the bytes of no record.
    const record = await sql`select 1 from attachments where id = ${job.id}`
    if (record.length === 0) await storage.remove(job.id)
  }

  async function concludeRejected(job: Job, reason: RejectionReason): Promise<void> {
    await sql.transaction(async (tx) => {
      const own = await tx`
        update attachments set status = 'rejected', rejection_reason = ${reason}, original_name = null, allocated_bytes = 0,
          node_id = null, stored = false, updated_at = ${tx.now}
        where id = ${job.id} and status = 'pending' and node_id = ${nodeId} returning 1 as own`
      const reserved = reservationBytes(job.file_format, job.purpose)
      if (own.length > 0) adjust(tx, job.owner_id, { bytes: -reserved, files: -1 })
    })
    // It is there where the verdict was late. What a storage that is down keeps goes with the next reconciliation.
    await storage.remove(job.id).catch(() => {})
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

  async function find(id: string): Promise<AttachmentRow> {
    const [file] = await sql<AttachmentRow>`select ${attachmentColumns} from attachments f where f.id = ${id}`
    return file ?? refuse('service_unavailable', { retryAfter: 1 })
  }

  async function recover(): Promise<boolean> {
    if (draining.isUnderWay) return false
    const orphan = recovering ? undefined : await sql.transaction(takeOrphan)
    if (!orphan) {
      await removeLeftovers(service)
      return false
    }
    if (!orphan.stored) {
      await storage.remove(orphan.id)
      return true
    }
    recovering = true
    // Not waited for: a sweep that is at work holds up the end of the process, and an inspection may take minutes.
    track(
      orphan.id,
      inspectAgain({ ...orphan, path: incoming() }).finally(() => (recovering = false)),
    )
    return false
  }

  async function takeOrphan(tx: Tx) {
    const [row] = await tx<AttachmentRow & { stored: boolean }>`
      select ${attachmentColumns}, f.stored from attachments f
      where f.status = 'pending' and f.id <> all (${[...jobs.keys()]}::uuid[])
        and case when f.node_id = ${nodeId} then f.stored or f.created_at < ${earlier(tx.now, deadAfter)}
          else not exists (select 1 from nodes n where n.id = f.node_id and n.seen_at > ${earlier(tx.now, deadAfter)}) end
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

  async function inspectAgain(job: Job): Promise<void> {
    try {
      const original = await storage.open(`${job.id}/original`)
      await pipeline(original, createWriteStream(job.path, { flags: 'wx', mode: 0o600 }))
      await runJob(job, stopping.signal, () => {})
    } catch (error) {
      if (error instanceof ObjectMissing) await concludeRejected(job, 'broken')
      else if (!stopping.signal.aborted)
        log.warn({ attachment: job.id, error: safeError(error) }, 'a pending upload could not be inspected again')
    } finally {
      await unlinkIfThere(job.path)
    }
  }

  return {
    accept,
    recover,
    drain: draining.begin,
    async stop() {
      stopping.abort(ended())
      await Promise.allSettled([...requests, ...jobs.values()])
    },
  }
}

const unlinkIfThere = (path: string): Promise<void> => unlink(path).catch(orMissing(undefined))

const isStorageFault = (error: unknown): boolean => {
  const { code } = error as NodeJS.ErrnoException
  return ['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EMFILE', 'ENFILE', 'ENOENT', 'EACCES'].includes(code ?? '')
}

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
