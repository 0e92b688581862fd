// Files that outlast a power loss, and are there whole or not at all.
import { constants, open, rename, rm } from 'node:fs/promises'
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
