// Processes that look into one image after another, since most of the time that a small one takes is the start of a
// process: at most one a slot, each for the files of one sender and one purpose. docs/files.md#inspection says why that
// is as safe as a process for each file.
import type { Metrics } from '../metrics.ts'
import type { DerivedName } from '../storage/keys.ts'
import type { FileFormat, Purpose } from './formats.ts'
import { type Kept, startKept } from './kept.ts'
import type { Means } from './means.ts'
import type { Ending, Limits } from './sandbox.ts'
import type { Scratch } from './scratch.ts'

/** Of the platform, each with a user of its own; docs/contract/attachments.md. */
export const inspectionSlots = [1, 2] as const

const keptFormats: readonly FileFormat[] = ['jpeg', 'png']

/** What a process may have had when it is ended although nothing is wrong with it. */
export interface Keeping {
  files: number
  cpuSeconds: number
  /** Of memory, more than it had at its start. */
  grownBytes: number
  idleMilliseconds: number
  /** How long nothing is inspected before one is started for whoever comes next. */
  spareAfterMilliseconds: number
}

const usual: Keeping = {
  files: 64,
  cpuSeconds: 2,
  grownBytes: 128 * 1024 ** 2,
  idleMilliseconds: 30_000,
  spareAfterMilliseconds: 250,
}

export interface InspectionTask {
  /** The original, a local file. */
  path: string
  format: FileFormat
  purpose: Purpose
  /** Where derived files may be written; the caller removes them. */
  derivedPaths: Readonly<Record<DerivedName, string>>
  /** The most bytes that the derived files may have together. */
  derivedBytes: number
  /** Which of the inspections that run at once this is, so that no two have the same user; else one that is free here. */
  slot?: number
  /** Who sent it. With a slot its process may be one that has had images of the same sender before. */
  ownerId?: string
}

/** A task that may be handed to a process which is kept. */
export interface KeptTask extends InspectionTask {
  slot: number
  ownerId: string
}

export interface InspectorsOptions {
  /** Started with `images`; child.ts. */
  readonly script: string
  readonly limits: Limits
  readonly metrics:
    | Pick<Metrics, 'inspectors' | 'inspectorsStarted' | 'inspectorsReused' | 'inspectorsEnded'>
    | undefined
  readonly keeping: Partial<Keeping> | undefined
}

/** A file in the hands of a process, which is suspended or has ended. */
export interface Look {
  readonly ending: Ending
  /** It had other files, or died after it had waited: what it says against this one is not the last word. */
  readonly wasUsed: boolean
  readonly scratch: Scratch
  /** Keeps it for the next file of the same sender where this one was sound, or ends it. */
  release(isSound: boolean): Promise<void>
}

type Sender = Pick<InspectionTask, 'ownerId' | 'purpose' | 'format'>

export interface Inspectors {
  /** Resolves once a process has reported or ended; the caller releases it. */
  look(task: KeptTask, means: Means, signal: AbortSignal): Promise<Look>
  /** Ends what waits at a slot that is needed for another process. */
  vacate(slot: number): Promise<void>
  /** The slots, first that which has a process for such a file, last those that have one for others. */
  order(slots: readonly number[], sender: Sender): readonly number[]
  close(): Promise<void>
}

/**
 * Whether a process of several files may have this one. While it is suspended it does not see that its parent is gone,
 * so the kernel has to; and only a filter holds apart two of one user, as two nodes of one machine may have them.
 */
export const mayKeep = (task: InspectionTask, means: Means): task is KeptTask =>
  task.slot !== undefined &&
  task.ownerId !== undefined &&
  keptFormats.includes(task.format) &&
  means.prefix.length > 0 &&
  means.prlimit &&
  means.own?.includes('seccomp') === true

type EndReason = 'files' | 'spent' | 'failed' | 'idle' | 'place' | 'stop'

interface Place {
  readonly process: Kept
  /** Whose files it has had; nobody's where undefined. */
  holder?: string
  /** Whoever uses it ends it where it dies, since its files are in use until then. */
  isBusy: boolean
  waitsSince: number
  idle?: NodeJS.Timeout
  ending?: Promise<void>
}

const holderOf = ({ ownerId, purpose }: Sender): string => `${ownerId} ${purpose}`

export function createInspectors({ script, limits, metrics, keeping: given }: InspectorsOptions): Inspectors {
  const keeping = { ...usual, ...given }
  const closing = new AbortController()
  const places = new Map<number, Place>()
  /** What is done to a place is done one after another. */
  const changes = new Map<number, Promise<unknown>>()
  let looks = 0
  let spareTimer: NodeJS.Timeout | undefined

  function change<T>(slot: number, work: () => Promise<T>): Promise<T> {
    const changed = (changes.get(slot) ?? Promise.resolve()).then(work)
    const settled = changed.catch(() => {})
    changes.set(slot, settled)
    return changed
  }

  async function fillPlace(slot: number, path: string, means: Means, signal: AbortSignal): Promise<Place> {
    const process = await startKept({ script, arguments: ['images'], limits, slot }, path, means, signal)
    const place: Place = { process, isBusy: true, waitsSince: 0 }
    places.set(slot, place)
    metrics?.inspectorsStarted.inc()
    metrics?.inspectors.set(places.size)
    void process.exited.then(() => {
      if (!place.isBusy) void clearPlace(slot, place, 'failed')
    })
    return place
  }

  function clearPlace(slot: number, place: Place, reason: EndReason): Promise<void> {
    clearTimeout(place.idle)
    // Nothing is needed from its files, so it does not matter how they close.
    place.ending ??= place.process
      .end()
      .catch(() => {})
      .then(() => {
        if (places.get(slot) === place) places.delete(slot)
        metrics?.inspectorsEnded.inc({ reason })
        metrics?.inspectors.set(places.size)
      })
    return place.ending
  }

  function wait(slot: number, place: Place): void {
    place.isBusy = false
    place.waitsSince = performance.now()
    const endIdle = async (): Promise<void> => {
      if (!place.isBusy) await clearPlace(slot, place, 'idle')
    }
    // It may have died a moment ago.
    if (!place.process.isSound()) return void clearPlace(slot, place, 'failed')
    place.idle = setTimeout(() => void change(slot, endIdle), keeping.idleMilliseconds).unref()
  }

  /** The process that is at the slot where it is for this task; else another in its place. */
  async function take(
    task: KeptTask,
    means: Means,
    signal: AbortSignal,
  ): Promise<{ place: Place; hadWaited: boolean }> {
    const { slot, path } = task
    const there = places.get(slot)
    if (there) {
      clearTimeout(there.idle)
      const isForOthers = there.holder !== undefined && there.holder !== holderOf(task)
      if (!isForOthers && !there.ending && there.process.isSound()) {
        there.isBusy = true
        const isFilled = await there.process.scratch.fill(path).catch((error) => {
          void clearPlace(slot, there, 'failed')
          throw error
        })
        if (isFilled) return { place: there, hadWaited: true }
      }
      await clearPlace(slot, there, isForOthers ? 'place' : 'failed')
    }
    const place = await fillPlace(slot, task.derivedPaths.preview, means, AbortSignal.any([signal, closing.signal]))
    await place.process.scratch.fill(path).catch((error) => {
      void clearPlace(slot, place, 'failed')
      throw error
    })
    return { place, hadWaited: false }
  }

  async function look(task: KeptTask, means: Means, signal: AbortSignal): Promise<Look> {
    const { slot, format, purpose, derivedBytes } = task
    clearTimeout(spareTimer)
    looks++
    const done = (): void => {
      looks--
      if (looks > 0 || closing.signal.aborted) return
      const startSpare = (): void => void prepareSpare(task.derivedPaths.preview, means)
      spareTimer = setTimeout(startSpare, keeping.spareAfterMilliseconds).unref()
    }
    try {
      const { place, hadWaited } = await change(slot, () => take(task, means, signal))
      const { process } = place
      place.holder = holderOf(task)
      if (process.files > 0) metrics?.inspectorsReused.inc()
      try {
        const ending = await process.ask(JSON.stringify({ format, purpose, derivedBytes }), signal)
        return {
          ending,
          wasUsed: hadWaited && (process.files > 1 || ending.code !== 0),
          scratch: process.scratch,
          async release(isSound) {
            const reason =
              isSound && process.isSound() ? await whyEnd(process).catch(() => 'failed' as const) : 'failed'
            // The next one at this slot waits for its end, and nobody else.
            if (reason) void clearPlace(slot, place, reason)
            else wait(slot, place)
            done()
          },
        }
      } catch (error) {
        void clearPlace(slot, place, 'failed')
        throw error
      }
    } catch (error) {
      done()
      throw error
    }
  }

  /** Why a process is not to have another file; undefined if it may, with everything of the last one emptied. */
  async function whyEnd(process: Kept): Promise<EndReason | undefined> {
    if (process.files >= keeping.files) return 'files'
    const [{ cpuSeconds, grownBytes }] = await Promise.all([process.spent(), process.scratch.clear()])
    return cpuSeconds > keeping.cpuSeconds || grownBytes > keeping.grownBytes ? 'spent' : undefined
  }

  /** In the place of the one that has waited longest, where there is no other place. */
  async function prepareSpare(path: string, means: Means): Promise<void> {
    const isFree = (slot: number): boolean =>
      looks === 0 && !closing.signal.aborted && places.get(slot)?.isBusy !== true
    if ([...places.values()].some(({ holder }) => holder === undefined)) return
    const since = (slot: number): number => places.get(slot)?.waitsSince ?? -1
    const [slot] = inspectionSlots.toSorted((one, other) => since(one) - since(other))
    if (slot === undefined) return
    await change(slot, async () => {
      if (!isFree(slot)) return
      const there = places.get(slot)
      if (there) await clearPlace(slot, there, 'place')
      const place = await fillPlace(slot, path, means, closing.signal)
      place.process.suspend()
      wait(slot, place)
    }).catch(() => {}) // whoever comes next starts one, and hears why that cannot be
  }

  return {
    look,
    vacate: (slot) =>
      change(slot, async () => {
        const there = places.get(slot)
        if (there) await clearPlace(slot, there, 'place')
      }),
    order(slots, sender) {
      const isKept = keptFormats.includes(sender.format)
      const cost = (slot: number): number => {
        const place = places.get(slot)
        if (!place) return isKept ? 2 : 0
        if (place.holder === undefined) return 1
        return isKept && place.holder === holderOf(sender) ? 0 : 3
      }
      return slots.toSorted((one, other) => cost(one) - cost(other))
    },
    async close() {
      clearTimeout(spareTimer)
      closing.abort(new Error('the service stops'))
      await Promise.all([...changes.values()])
      await Promise.all([...places].map(([slot, place]) => clearPlace(slot, place, 'stop')))
    },
  }
}
