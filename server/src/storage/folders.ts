// Folders that outlive a power loss, and the one in which files wait until they are put.
import { randomUUID } from 'node:crypto'
import { open, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { hours } from '../kernel/clock.ts'
import { sync } from '../kernel/durable.ts'
import { makeFolders } from '../kernel/make-folders.ts'

/** Makes a folder and those above it, private to this user; each survives a power loss. One that is there keeps its mode. */
export async function makeFolder(path: string): Promise<void> {
  const full = resolve(path)
  const first = await makeFolders(full, 0o700)
  if (first === undefined) return
  // A name lasts once the folder that holds it is synced.
  for (let parent = dirname(full); ; parent = dirname(parent)) {
    await sync(parent)
    if (parent === dirname(first)) return
  }
}

/** Syncs folders: those who ask while one sync is under way share the next, which begins after all that they did. */
export function createSyncs(): (path: string) => Promise<void> {
  const running = new Map<string, Promise<void>>()
  const next = new Map<string, Promise<void>>()
  const begin = (path: string): Promise<void> => {
    const done = sync(path).finally(() => running.get(path) === done && running.delete(path))
    running.set(path, done)
    return done
  }
  return (path) => {
    const now = running.get(path)
    if (!now) return begin(path)
    const shared =
      next.get(path) ??
      now
        .catch(() => {})
        .then(() => {
          next.delete(path)
          return begin(path)
        })
    next.set(path, shared)
    return shared
  }
}

/**
 * Writes a small file and removes it again; resolves to the file system's own time in milliseconds, or rejects. A full
 * disk takes empty files, so that `bytes` say for how many there must be room.
 */
export async function tryWriting(folder: string, bytes: number): Promise<number> {
  const path = join(folder, `check-${randomUUID()}`)
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(Buffer.alloc(bytes))
    return (await file.stat()).mtimeMs
  } finally {
    await file.close()
    await rm(path, { force: true })
  }
}

/**
 * Removes the files that nobody has written to for two hours: their process has ended in the middle. Younger ones may
 * be those of another node. Both times are the file system's, which may not be those of this machine.
 */
export async function removeLeftovers(incoming: string): Promise<void> {
  const now = await tryWriting(incoming, 0)
  for (const item of await readdir(incoming, { withFileTypes: true })) {
    if (!item.isFile()) continue
    const path = join(incoming, item.name)
    const found = await stat(path).catch(orMissing(undefined))
    if (found && now - found.mtimeMs > hours(2)) await rm(path, { force: true })
  }
}

/** Runs `work` every hour, even after a failure; the function that it returns stops it and waits for a run. */
export function hourly(work: () => Promise<void>): () => Promise<void> {
  let running = Promise.resolve()
  const timer = setInterval(() => {
    // What can not be tidied up now is tidied up the next time.
    running = running.then(work).catch(() => {})
  }, hours(1))
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}

export const orMissing =
  <T>(instead: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT') return instead
    throw error
  }

/** Whether a disk is full, broken or read-only. */
export const isDiskFault = (error: unknown): boolean => hasCode(error, ['ENOSPC', 'EDQUOT', 'EIO', 'EROFS'])

/** Whether a folder cannot be used now, by a fault of its disk or of whoever set it up. */
export const isFolderFault = (error: unknown): boolean =>
  isDiskFault(error) || hasCode(error, ['EMFILE', 'ENFILE', 'ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ESTALE'])

const hasCode = (error: unknown, codes: readonly string[]): boolean =>
  codes.includes((error as NodeJS.ErrnoException | undefined)?.code ?? '')
