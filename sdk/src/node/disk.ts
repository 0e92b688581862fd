// Writes that are on the disk when they resolve, whole or not at all: temporary file, fsync, rename, fsync of the folder.
import { randomBytes } from 'node:crypto'
import { closeSync, fstatSync, openSync } from 'node:fs'
import { link, mkdir, open, rename, rm, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Files hold secrets: for the owner alone. */
export const fileMode = 0o600
export const folderMode = 0o700

/** Temporary files carry the process that writes them, so that those of a dead one can be told and removed. */
export function temporaryName(folder: string): string {
  return join(folder, `.${process.pid}.${randomBytes(6).toString('hex')}.tmp`)
}

/** Replace or make a file. */
export async function writeFileDurably(path: string, text: string): Promise<void> {
  const folder = dirname(path)
  const temporary = await writeTemporary(folder, text)
  try {
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await syncFolder(folder)
}

/** Make a file only where none is: false, and nothing changed, if there was one. */
export async function createFileDurably(path: string, text: string): Promise<boolean> {
  const folder = dirname(path)
  const temporary = await writeTemporary(folder, text)
  try {
    // Unlike rename, link refuses an existing name: the file appears whole, or not at all.
    await link(temporary, path)
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false
    throw error
  } finally {
    await rm(temporary, { force: true })
  }
  await syncFolder(folder)
  return true
}

export async function removeFileDurably(path: string): Promise<void> {
  try {
    await unlink(path)
  } catch (error) {
    if (isCode(error, 'ENOENT')) return
    throw error
  }
  await syncFolder(dirname(path))
}

/** Make a folder, for the owner alone, with those above it. */
export async function makeFolderDurably(path: string): Promise<void> {
  const first = await makeFolders(path)
  if (first !== undefined) await syncFolder(dirname(first))
}

/**
 * Make a folder with those above it; the first that was missing. Node's own `recursive` never ends below a folder that
 * takes no new ones and says so as /proc does, and it hides that a disk is read-only.
 */
async function makeFolders(path: string): Promise<string | undefined> {
  const make = async () => {
    try {
      await mkdir(path, { mode: folderMode })
      return path
    } catch (error) {
      if (!isCode(error, 'ENOENT') && (await isFolder(path))) return undefined
      throw error
    }
  }
  try {
    return await make()
  } catch (error) {
    if (!isCode(error, 'ENOENT') || dirname(path) === path) throw error
    const first = await makeFolders(dirname(path))
    const last = await make()
    return first ?? last
  }
}

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() ?? false

/** A rename or new name is only safe once the folder itself is on the disk. */
export async function syncFolder(path: string): Promise<void> {
  // Windows neither needs this nor allows it.
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** So long ago a file must have changed before its times tell the next change from it, on any file system. */
const settledMs = 3_000

/**
 * Identifies the content of a file: while the mark is the same, nobody has replaced it. Undefined if there is no such file, or
 * if it changed so recently that its successor could have the same mark. Synchronous: through Node's threads it would take
 * thirty times as long, for each message that is opened.
 */
export function markOf(path: string): string | undefined {
  let file: number
  try {
    // A network file system asks its server when a file is opened; the answer to `stat` alone may be old.
    file = openSync(path, 'r')
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
  try {
    const { dev, ino, size, mtimeNs, ctimeNs, ctimeMs } = fstatSync(file, { bigint: true })
    return Date.now() - Number(ctimeMs) < settledMs ? undefined : [dev, ino, size, mtimeNs, ctimeNs].join(' ')
  } finally {
    closeSync(file)
  }
}

async function writeTemporary(folder: string, text: string): Promise<string> {
  const path = temporaryName(folder)
  const file = await open(path, 'wx', fileMode)
  try {
    await file.writeFile(text)
    await file.sync()
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await file.close()
  }
  return path
}

export function isCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException | null)?.code === code
}
