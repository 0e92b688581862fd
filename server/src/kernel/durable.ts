// Files that outlast a power loss, and are there whole or not at all.
import { constants, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Waits until a file's bytes, or a folder's names, are on the disk. */
export async function sync(path: string): Promise<void> {
  const handle = await open(path, constants.O_RDONLY)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Writes a file that only this user reads; until all of it is on the disk it has another name in the same folder, `part`,
 * and what a full disk took of it is removed.
 */
export async function writeWhole(path: string, bytes: string | Uint8Array, part = `${path}.part`): Promise<void> {
  try {
    const file = await open(part, 'w', 0o600)
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
  await sync(dirname(path))
}

/**
 * Makes a folder with those above it; resolves to the first that was missing. Node's own `recursive` never ends below a
 * folder that takes no new ones and says so as /proc does, and it hides that a disk is read-only.
 */
export async function makeFolders(path: string, mode?: number): Promise<string | undefined> {
  const make = async (): Promise<string | undefined> => {
    try {
      await mkdir(path, { mode })
      return path
    } catch (error) {
      if (!isMissing(error) && (await stat(path).catch(() => undefined))?.isDirectory()) return undefined
      throw error
    }
  }
  try {
    return await make()
  } catch (error) {
    if (!isMissing(error) || dirname(path) === path) throw error
    const first = await makeFolders(dirname(path), mode)
    const last = await make()
    return first ?? last
  }
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'
