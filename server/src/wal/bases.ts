// The base copies of an archive, whose archive it is, and what of it is old enough to go.
import { BackupError } from '../backup/format.ts'
import { ConfigError } from '../config.ts'
import { days, earlier } from '../kernel/clock.ts'
import type { BaseManifest } from './base.ts'
import {
  baseFolder,
  identityName,
  isSegment,
  labelOfKey,
  logFileOf,
  logFolderOf,
  manifestOf,
  timelineOf,
} from './names.ts'
import type { Place } from './place.ts'

interface Identity {
  format: 1
  system_identifier: string
}

const another = (place: Place): ConfigError =>
  new ConfigError(`ARCHIVE_URL (${place.name}) is the archive of another database: choose another place`)

/** Makes an empty place the archive of a database, and refuses one that is another's, or has objects that are not an archive's. */
export async function claim(place: Place, systemIdentifier: string): Promise<void> {
  const known = await identityOf(place)
  if (known) {
    if (known.system_identifier !== systemIdentifier) throw another(place)
    return
  }
  const identity: Identity = { format: 1, system_identifier: systemIdentifier }
  await place.put(identityName, Buffer.from(`${JSON.stringify(identity)}\n`))
}

async function identityOf(place: Place): Promise<Identity | undefined> {
  const bytes = await place.get(identityName)
  if (!bytes) return undefined
  const identity = JSON.parse(bytes.toString()) as Identity
  if (identity.format !== 1) {
    throw new BackupError(`${place.name} has archive format ${identity.format}; this version reads format 1`)
  }
  return identity
}

/** The complete base copies, the oldest first. */
export async function listBases(place: Place): Promise<BaseManifest[]> {
  const { complete } = await labels(place)
  const manifests = await Promise.all(complete.map((label) => readManifest(place, label)))
  return manifests.filter((manifest) => manifest !== undefined)
}

export async function readManifest(place: Place, label: string): Promise<BaseManifest | undefined> {
  const bytes = await place.get(manifestOf(label))
  return bytes && (JSON.parse(bytes.toString()) as BaseManifest)
}

interface Labels {
  /** Sorted: by time. */
  complete: string[]
  keys: Map<string, string[]>
}

async function labels(place: Place): Promise<Labels> {
  const keys = new Map<string, string[]>()
  for await (const { key } of place.list(baseFolder)) {
    const label = labelOfKey(key)
    if (label !== undefined) keys.set(label, [...(keys.get(label) ?? []), key])
  }
  const complete = [...keys].filter(([label, all]) => all.includes(manifestOf(label))).map(([label]) => label)
  return { complete: complete.sort(), keys }
}

/** Removes what copies on a timeline left that were never complete. None may be on its way there. */
export async function removeUnfinished(place: Place, timeline: string): Promise<void> {
  const { complete, keys } = await labels(place)
  for (const [label, all] of keys) {
    if (!label.endsWith(timeline) || complete.includes(label)) continue
    for (const key of all) await place.remove(key)
  }
}

/** The newest timeline that a base copy of the archive is on. */
export async function newestTimeline(place: Place): Promise<string> {
  const { complete } = await labels(place)
  return (
    complete
      .map((label) => label.slice(-8))
      .sort()
      .at(-1) ?? ''
  )
}

/** The segments of a timeline, sorted. */
export async function segmentsOf(place: Place, timeline: string): Promise<string[]> {
  const names: string[] = []
  for await (const { key } of place.list(logFolderOf(timeline))) {
    const name = logFileOf(key)
    if (name !== undefined && isSegment(name)) names.push(name)
  }
  return names.sort()
}

/**
 * Removes what no moment of the last `keepDays` needs. The newest copy that is older than those stays, for the first moments
 * begin from it, and so does every segment from the oldest copy of its timeline on. Nothing whose name is not an archive's
 * is touched. Returns how many objects went.
 */
export async function pruneArchive(place: Place, { keepDays, now }: { keepDays: number; now: Date }): Promise<number> {
  const cut = earlier(now, days(keepDays))
  const { keys } = await labels(place)
  const bases = await listBases(place)
  const first = bases.findLast(({ finished_at }) => new Date(finished_at) <= cut) ?? bases[0]
  if (!first) return 0
  const kept = bases.filter(({ label }) => label >= first.label)
  const known = new Set(bases.map(({ label }) => label))
  // One without a manifest may still be on its way, but none that began before the newest complete one.
  const newest = bases.at(-1)?.label ?? ''
  const gone = [...keys.keys()].filter((label) => (known.has(label) ? label < first.label : label < newest))
  let removed = 0
  const remove = async (key: string): Promise<void> => {
    await place.remove(key)
    removed += 1
  }
  for (const label of gone) {
    // The manifest first: a copy that lacks a part must not pass for one.
    for (const key of (keys.get(label) ?? []).sort()) await remove(key)
  }
  const starts = new Map<string, string>()
  for (const { start_segment } of kept) {
    const timeline = timelineOf(start_segment)
    if (!((starts.get(timeline) ?? 'G') < start_segment)) starts.set(timeline, start_segment)
  }
  for await (const { key, modified } of place.list('wal/')) {
    const name = logFileOf(key)
    if (name === undefined || name.endsWith('.history')) continue
    const start = starts.get(timelineOf(name))
    if (start === undefined ? modified < cut : name.slice(0, 24) < start) await remove(key)
  }
  return removed
}
