// Locks between processes that a kill -9 cannot leave behind. Node has no flock, so a lock is a row of numbered files
// `locks/<name>.<n>`: the highest number holds, and a new holder only ever creates the next one. A file that might be
// in force is never removed to take its place, which is where lock files usually go wrong.
import { link, readdir, readFile, rename, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { busy } from '../errors.ts'
import { localLocks, type Unlock } from '../store.ts'
import { fileMode, isCode, makeFolderDurably, temporaryName } from './disk.ts'
import { currentHolder, type Holder, isAlive } from './holder.ts'

const beatMs = 5_000
/** A holder in another place (a container, another host) that shows no sign of life for this long is dead. */
const silentMs = 20_000
const lookAgainMs = 50

type Record = { free: true } | { free: false; holder: Holder }

/** Locks in a folder of their own, for processes and for the parts of one process alike. */
export function folderLocks(folder: string): (name: string, waitMs?: number) => Promise<Unlock> {
  const within = localLocks()
  return async (name, waitMs = 30_000) => {
    const deadline = performance.now() + waitMs
    // One contender of a process at a time, so that the files only sort out processes.
    const unlockWithin = await within(name, waitMs)
    try {
      const release = await acquire(folder, name, deadline)
      return async () => {
        await release().finally(unlockWithin)
      }
    } catch (error) {
      await unlockWithin()
      throw error
    }
  }
}

async function acquire(folder: string, name: string, deadline: number): Promise<Unlock> {
  await makeFolderDurably(folder)
  for (;;) {
    const top = (await numbers(folder, name)).at(-1) ?? 0
    const record = top === 0 ? undefined : await readRecord(pathOf(folder, name, top))
    if (top === 0 || (record && (record.free || !(await holds(record.holder, pathOf(folder, name, top)))))) {
      const release = await take(folder, name, top + 1)
      if (release) return release
      continue
    }
    if (performance.now() >= deadline) {
      const who = record && !record.free ? `process ${record.holder.pid}` : 'another process'
      throw busy(name, who)
    }
    await new Promise((resolve) => setTimeout(resolve, lookAgainMs * (0.5 + Math.random())))
  }
}

/** Create the next number; undefined if someone else was quicker. */
async function take(folder: string, name: string, n: number): Promise<Unlock | undefined> {
  const path = pathOf(folder, name, n)
  const holder = await currentHolder()
  const temporary = temporaryName(folder)
  try {
    await writeFile(temporary, JSON.stringify({ free: false, holder } satisfies Record), { mode: fileMode, flag: 'wx' })
    await link(temporary, path)
  } catch (error) {
    if (isCode(error, 'EEXIST')) return undefined
    throw error
  } finally {
    await rm(temporary, { force: true })
  }
  const all = await numbers(folder, name)
  if (all.at(-1) !== n) {
    // Seen late: higher numbers came and old ones went since the look. This one never was in force.
    await rm(path, { force: true })
    return undefined
  }
  // The one below stays, so that no reader finds the row empty between two holders.
  for (const old of all) if (old < n - 1) await rm(pathOf(folder, name, old), { force: true })
  const beat = setInterval(() => void utimes(path, new Date(), new Date()).catch(() => {}), beatMs)
  beat.unref()
  let held = true
  return async () => {
    if (!held) return
    held = false
    clearInterval(beat)
    const free = temporaryName(folder)
    try {
      await writeFile(free, JSON.stringify({ free: true } satisfies Record), { mode: fileMode, flag: 'wx' })
      await rename(free, path)
    } catch {
      // A full disk must not leave it held while this process lives: an empty file is free too, and needs no room.
      await truncate(path).catch(unlessMissing)
    } finally {
      await rm(free, { force: true })
    }
  }
}

/** Others took it over meanwhile, and have removed its file since. */
function unlessMissing(error: unknown): void {
  if (!isCode(error, 'ENOENT')) throw error
}

async function holds(holder: Holder, path: string): Promise<boolean> {
  const alive = await isAlive(holder)
  if (alive !== undefined) return alive
  const seen = await stat(path).catch(() => undefined)
  return seen !== undefined && Date.now() - seen.mtimeMs < silentMs
}

async function readRecord(path: string): Promise<Record | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Record
  } catch (error) {
    // Gone because a higher number took over.
    if (isCode(error, 'ENOENT')) return undefined
    // Files appear whole; only a power cut can leave an empty one, and no holder outlives that.
    if (error instanceof SyntaxError) return { free: true }
    throw error
  }
}

async function numbers(folder: string, name: string): Promise<number[]> {
  const found = (await readdir(folder)).flatMap((file) => {
    const dot = file.lastIndexOf('.')
    const n = Number(file.slice(dot + 1))
    return file.slice(0, dot) === name && Number.isSafeInteger(n) && n > 0 ? [n] : []
  })
  return found.sort((a, b) => a - b)
}

function pathOf(folder: string, name: string, n: number): string {
  return join(folder, `${name}.${n}`)
}
