// Backups in a folder: their names, and which of them a prune removes. It reads names and first entries, and all of the newest
// backup, for the newest good one must stay.
import { lstat, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, ConfigError } from '../config.ts'
import { type Clock, hours } from '../kernel/clock.ts'
import { sync } from '../kernel/durable.ts'
import { deriveSecrets } from '../secrets.ts'
import { reasonFor } from './archive.ts'
import { readGeneratedKey } from './backup.ts'
import { BackupError, unreadable } from './format.ts'
import { requireBackup, verify } from './read.ts'

/** Sorted by name they are sorted by time. */
const pattern = /^kith-(\d{4}-\d\d)-\d\dT\d{6}Z\.tar\.gz$/
const unfinished = /^kith-\d{4}-\d\d-\d\dT\d{6}Z\.tar\.gz\.[0-9a-f]{12}\.part$/

export const backupName = (moment: Date): string =>
  `kith-${moment.toISOString().slice(0, 19).replaceAll(':', '')}Z.tar.gz`

/** FILE, or a name by the time in a folder. */
export async function pathFor(path: string, clock: Clock): Promise<string> {
  const found = await stat(path).catch(() => undefined)
  return found?.isDirectory() ? join(path, backupName(clock.now())) : path
}

/** FILE, or the newest backup in a folder: one of a clock that was ahead would be that for as long. */
export async function newestIn(path: string, clock: Clock): Promise<string> {
  const found = await stat(path).catch(() => undefined)
  if (!found?.isDirectory()) return path
  const newest = (await readdir(path))
    .filter((name) => pattern.test(name) && name <= backupName(clock.now()))
    .sort()
    .at(-1)
  if (newest === undefined) throw new BackupError(`${path} has no backups`)
  return join(path, newest)
}

export interface Keep {
  last: number
  /** Of so many months, the first backup of each. */
  months: number
}

/** `14`, or `14,12`. */
export function keepOf(text: string): Keep {
  const [, last, months = '0'] = /^([1-9]\d{0,3})(?:,(\d{1,3}))?$/.exec(text) ?? []
  if (last === undefined)
    throw new ConfigError(`${text} is not a number of backups, or that and a number of months, as in 14 or 14,12`)
  return { last: Number(last), months: Number(months) }
}

interface Pruned {
  kept: string[]
  removed: string[]
  /** What has a backup's name and is not one of this installation. */
  foreign: string[]
  /** Those of a clock that was ahead, whose order nobody knows. */
  ahead: string[]
  damaged: string[]
  /** What is still there, each with the reason. */
  stuck: string[]
}

interface KeepOptions {
  clock: Clock
  signal?: AbortSignal
  remove?: Remove
}

type Remove = (path: string) => Promise<void>

/**
 * Removes the backups of this installation beyond the newest `last`, the first of each of the newest `months`, and the newest
 * that is good. Nothing else is touched: no other name, no link, no backup of another installation. If none is good,
 * nothing is removed.
 */
export async function keepBackups(config: Config, folder: string, keep: Keep, options: KeepOptions): Promise<Pruned> {
  const installation = deriveSecrets(config.secretKey ?? (await readGeneratedKey(config.dataDir))).fingerprint
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(folder, error)
  })
  const own: string[] = []
  const ahead: string[] = []
  const foreign: string[] = []
  const latest = backupName(options.clock.now())
  for (const name of names
    .filter((each) => pattern.test(each))
    .sort()
    .reverse()) {
    if (!(await isOwn(join(folder, name), installation))) foreign.push(name)
    else (name > latest ? ahead : own).push(name)
  }
  const damaged: string[] = []
  let good: string | undefined
  for (const name of own) {
    if (await isWhole(join(folder, name), options.signal)) {
      good = name
      break
    }
    damaged.push(name)
  }
  if (good === undefined)
    throw new BackupError(`${folder} has no good backup of this installation: nothing was removed`)
  const firsts = [...Map.groupBy(own, monthOf).values()].map((month) => month.at(-1) as string)
  const kept = new Set([...own.slice(0, keep.last), ...firsts.slice(0, keep.months), good])
  const over = own.filter((name) => !kept.has(name))
  const stuck = await removeAll(folder, over, options.remove)
  const removed = over.filter((name) => !stuck.some((each) => each.startsWith(name)))
  stuck.push(...(await removeAbandoned(folder, options.clock, options.remove)))
  await sync(folder)
  return { kept: [...kept].sort(), removed: removed.sort(), foreign, ahead, damaged, stuck }
}

const monthOf = (name: string): string => pattern.exec(name)?.[1] ?? ''

async function isOwn(path: string, installation: string): Promise<boolean> {
  if (!(await lstat(path)).isFile()) return false
  const mark = await requireBackup(path).catch(() => undefined)
  return mark?.installation === installation
}

async function isWhole(path: string, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    await verify(path, { signal, progress: () => {} })
    return true
  } catch (error) {
    if (error instanceof BackupError) return false
    throw error
  }
}

/**
 * Removes what killed backups have left in a folder, because the next one may need its room: a backup that is being written
 * renews its file every minute. Gives what could not be removed.
 */
export async function removeAbandoned(folder: string, clock: Clock, remove?: Remove): Promise<string[]> {
  const abandoned: string[] = []
  for (const name of (await readdir(folder).catch(() => [])).filter((each) => unfinished.test(each))) {
    const found = await lstat(join(folder, name)).catch(() => undefined)
    if (found?.isFile() && clock.now().getTime() - found.mtimeMs > hours(1)) abandoned.push(name)
  }
  return removeAll(folder, abandoned, remove)
}

/** Gives those that are still there, each with the reason. */
async function removeAll(folder: string, names: readonly string[], remove: Remove = rm): Promise<string[]> {
  const stuck: string[] = []
  for (const name of names)
    await remove(join(folder, name)).catch(({ code }: NodeJS.ErrnoException) => {
      // Two of these at once: the other was first.
      if (code !== 'ENOENT') stuck.push(`${name}: ${reasonFor(code)}`)
    })
  return stuck
}
