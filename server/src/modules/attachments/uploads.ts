// Uploads, from the reservation to the verdict: each upload id is inspected once, and what was answered is kept.
// docs/contract/attachments.md#uploading.
import { createWriteStream, existsSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { isNormalised, reservationBytes } from '../../inspect/formats.ts'
import type { Inspection } from '../../inspect/inspect.ts'
import { Refusal, refuse } from '../../kernel/refuse.ts'
import { safeError } from '../../log.ts'
import { perService, type Service } from '../../service.ts'
import { isDiskFault, isFolderFault } from '../../storage/folders.ts'
import { ObjectMissing, StorageFailed } from '../../storage/storage.ts'
import { type AttachmentRow, attachmentColumns, type OwnFile } from './cards.ts'
import { createDraining } from './draining.ts'
import { newPaths } from './objects.ts'
import { type Arrival, createPace, type PaceTimes, usualPace } from './pace.ts'
import { incomingPath, removeLeftovers, watchNodes } from './purge.ts'
import { createSlots } from './slots.ts'
import { createUploadRecords, type Job, type Received, type Uploader, unlinkIfThere } from './upload-records.ts'
import { createTurns } from './upload-turns.ts'

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

export interface Accepted {
  created: boolean
  file: AttachmentRow
  /** What only its owner may know of it, where nothing can have changed since; else it is looked up. */
  own?: OwnFile
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
  /** Whether one was refused within the last half a minute for what the storage, or the disk before it, did not take. */
  areRefused(): boolean
  /** What waits for an inspection is refused soon, and what is inspected is answered soon, as pending. */
  drain(): void
  /** Ends what runs; it is taken up again at the next start. */
  stop(): Promise<void>
}

export const uploadsOf = perService((service) => createUploads(service))

export function createUploads(
  service: Service,
  { acceptance, answerWithin, pace: paceTimes = usualPace }: Times = usual,
): Uploads {
  const { sql, storage, inspector, log } = service
  const receiving = createTurns(32, 8, 8)
  const pace = createPace(paceTimes, () => receiving.waiting())
  const runInSlot = createSlots(service)
  const jobs = new Map<string, Promise<unknown>>()
  const requests = new Set<Promise<unknown>>()
  const trouble = createTrouble()
  let recovering = false
  const stopping = new AbortController()
  const ended = (): Refusal => new Refusal('service_unavailable', { retryAfter: 5 })
  const draining = createDraining(ended)

  const records = createUploadRecords(service)
  const incoming = (): string => incomingPath(service)
  const findDead = watchNodes(service)

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
      if (!isFolderFault(error)) throw error
      trouble.note()
      log.warn({ error: safeError(error) }, 'an upload could not be received')
      throw new Refusal('service_unavailable', { retryAfter: 30 })
    })
    requests.add(accepted)
    return accepted.finally(() => requests.delete(accepted))
  }

  async function acceptFile(me: Uploader, receive: Receive, path: string): Promise<Accepted> {
    const received = await inTime(async (signal) => {
      const end = await receiving.take(me.id, signal)
      return receiveInPace(me, receive, path, signal).finally(end)
    })
    let isTakenOver = false
    try {
      for (;;) {
        const claim = await sql.transaction((tx) => records.claimUpload(tx, me, received))
        if (claim.mine) {
          isTakenOver = true
          return { created: true, ...(await draining.during((drained) => inspectFirst(claim.job, drained))) }
        }
        const settled = await waitFor(claim.id)
        if (settled) return { created: false, file: settled }
        // Its first sender was lost with its node, and nothing of it is left: this one takes its place.
      }
    } finally {
      if (!isTakenOver) await unlinkIfThere(path)
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

  async function inspectFirst(job: Job, drained: AbortSignal): Promise<Omit<Accepted, 'created'>> {
    const { promise: beginning, resolve: began } = Promise.withResolvers<undefined>()
    const work = inTime((waiting) => runJob(job, AbortSignal.any([waiting, drained]), () => began(undefined)))
    track(job.id, work)
    await Promise.race([work, beginning])
    const late = sleep(answerWithin, 'late' as const, { ref: false, signal: drained }).catch(() => 'late' as const)
    const first = await Promise.race([work, late])
    let file: AttachmentRow | undefined
    if (first === 'late' && !job.isJudged) {
      job.keeping = records.keepPending(job)
      await job.keeping
    } else file = first === 'late' ? await work : first
    if (!file) return { file: await find(job.id) }
    // Nothing could hold it before that.
    return { file, own: { file, name: file.status === 'ready' ? job.name : null, binding: undefined } }
  }

  function track(id: string, work: Promise<unknown>): void {
    jobs.set(id, work)
    work.catch(() => {}).finally(() => jobs.delete(id))
  }

  /** Takes over the file of the job; what it gives is the settled record, if this node settled it. */
  async function runJob(job: Job, waiting: AbortSignal, began: () => void): Promise<AttachmentRow | undefined> {
    const paths = { ...newPaths(incoming), original: job.path }
    const { owner_id: ownerId, file_format: format, purpose } = job
    try {
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
      return await records.conclude(job, inspection, paths).finally(() => slotIsFree)
    } catch (error) {
      if (isDiskFault(error) || error instanceof StorageFailed) trouble.note()
      if (!stopping.signal.aborted) await records.abandon(job, error)
      throw error instanceof Refusal ? error : new Refusal('service_unavailable', { retryAfter: 30 })
    } finally {
      // The storage has taken over most of them.
      const left = Object.values(paths).filter((path) => existsSync(path))
      await Promise.all(left.map(unlinkIfThere))
    }
  }

  async function find(id: string): Promise<AttachmentRow> {
    const [file] = await sql<AttachmentRow>`select ${attachmentColumns} from attachments f where f.id = ${id}`
    return file ?? refuse('service_unavailable', { retryAfter: 1 })
  }

  async function recover(): Promise<boolean> {
    if (draining.isUnderWay) return false
    const dead = await findDead()
    const orphan = recovering
      ? undefined
      : await sql.transaction((tx) => records.takeOrphan(tx, [...jobs.keys()], dead))
    if (!orphan) {
      await removeLeftovers(service, dead)
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
      inspectAgain({ ...orphan, name: null, path: incoming() }).finally(() => (recovering = false)),
    )
    return false
  }

  async function inspectAgain(job: Job): Promise<void> {
    try {
      const original = await storage.open(`${job.id}/original`)
      await pipeline(original, createWriteStream(job.path, { flags: 'wx', mode: 0o600 }))
      await runJob(job, stopping.signal, () => {})
    } catch (error) {
      if (error instanceof ObjectMissing) await records.concludeRejected(job, 'broken')
      else if (!stopping.signal.aborted)
        log.warn({ attachment: job.id, error: safeError(error) }, 'a pending upload could not be inspected again')
    } finally {
      await unlinkIfThere(job.path)
    }
  }

  return {
    accept,
    recover,
    areRefused: trouble.isRecent,
    drain: draining.begin,
    async stop() {
      stopping.abort(ended())
      await Promise.allSettled([...requests, ...jobs.values()])
    },
  }
}

/** Milliseconds for which a fault counts: a small file may be taken meanwhile. */
const troubledFor = 30_000

function createTrouble() {
  let last = Number.NEGATIVE_INFINITY
  return {
    note() {
      last = performance.now()
    },
    isRecent: () => performance.now() - last < troubledFor,
  }
}
