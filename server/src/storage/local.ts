// Attachment bytes in a folder: `<first six digits of the id>/<id>.<name>`. Six digits of a UUIDv7 are the 4.7 hours in
// which it was made, so that folders stay small, and in their order the ids are in theirs.
import { randomUUID } from 'node:crypto'
import { fstatSync } from 'node:fs'
import {
  access,
  constants,
  copyFile,
  open as openFile,
  readdir,
  rename,
  rm,
  stat,
  statfs,
  unlink,
} from 'node:fs/promises'
import { join } from 'node:path'
import { sync } from '../kernel/durable.ts'
import { createSyncs, hourly, makeFolder, orMissing, removeLeftovers, tryWriting } from './folders.ts'
import { objectNames, parseKey, requireId, requireKey } from './keys.ts'
import { ObjectMissing, type Storage, type StoredObject } from './storage.ts'

/** Below the folder, so that a rename puts a file; nothing in it is an object. */
export const incomingName = '.incoming'

/** Where the files of a restore wait for their places. */
export const restoredName: string = join(incomingName, 'restored')

/** Bytes that must be free for the folder to pass for writable. */
const leastRoom = 1024 * 1024

/** Opens the folder, made where it is missing; several nodes may share it. Rejects where it cannot be one. */
export async function openLocalStorage(folder: string): Promise<Storage> {
  const incoming = join(folder, incomingName)
  await makeFolder(incoming)
  // One that is full or read-only still gives what it has; `check` tells of it.
  await removeLeftovers(incoming).catch(() => {})
  const stop = hourly(() => removeLeftovers(incoming))

  const folderOf = (id: string): string => join(folder, id.slice(0, 6))
  const pathOf = (key: string): string => {
    const { id, name } = requireKey(key)
    return join(folderOf(id), `${id}.${name}`)
  }
  /** Those whose own names are known to be on the disk: who made them may have ended before they were. */
  const lasting = new Set<string>()
  const syncSoon = createSyncs()

  async function moveTo(target: string, path: string): Promise<boolean> {
    return rename(path, target).then(() => true, orElsewhere)
  }

  return {
    incoming,
    async put(key, path) {
      const target = pathOf(key)
      const parent = folderOf(key)
      await syncPrivate(path)
      if (!lasting.has(parent)) {
        await makeFolder(parent)
        await sync(folder)
        lasting.add(parent)
      }
      const moved = await moveTo(target, path).catch(async (error) => {
        if (error.code !== 'ENOENT') throw error
        // Somebody removed the folder.
        await makeFolder(parent)
        return moveTo(target, path)
      })
      if (!moved) await copyTo(path, target, incoming)
      await syncSoon(parent)
      if (!moved) await rm(path, { force: true })
    },
    async open(key, range) {
      const file = await openFile(pathOf(key), 'r').catch(orMissing(undefined))
      if (!file) throw new ObjectMissing(key)
      try {
        const { size } = await file.stat()
        if (range && !(range.start < size)) throw new RangeError('The range begins beyond the object')
        return file.createReadStream({ ...range, highWaterMark: 256 * 1024 })
      } catch (error) {
        await file.close()
        throw error
      }
    },
    async remove(attachmentId) {
      const id = requireId(attachmentId)
      await Promise.all(objectNames.map((name) => unlink(pathOf(`${id}/${name}`)).catch(orMissing(undefined))))
      // Also where nothing was left: who removed it may have ended before that was on the disk.
      await sync(folderOf(id)).catch(orMissing(undefined))
    },
    list: (after) => list(folder, after),
    async check() {
      await makeFolder(incoming)
      await access(folder, constants.W_OK | constants.X_OK)
      await tryWriting(incoming, 1)
      // A full disk may still have room for this one.
      const { bavail, bsize } = await statfs(incoming)
      if (bavail * bsize < leastRoom) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
    },
    close: stop,
  }
}

/** The bytes are on the disk when this resolves, and only this user reads them. */
async function syncPrivate(path: string): Promise<void> {
  const file = await openFile(path, 'r')
  try {
    // A change of the mode is one more that the disk has to take.
    if ((fstatSync(file.fd).mode & 0o777) !== 0o600) await file.chmod(0o600)
    await file.sync()
  } finally {
    await file.close()
  }
}

const orElsewhere = (error: NodeJS.ErrnoException): boolean => {
  if (error.code === 'EXDEV') return false
  throw error
}

/** For a file of another file system: it takes its place in one step too. */
async function copyTo(path: string, target: string, incoming: string): Promise<void> {
  const copy = join(incoming, randomUUID())
  try {
    await copyFile(path, copy, constants.COPYFILE_EXCL)
    await sync(copy)
    await rename(copy, target)
  } catch (error) {
    await rm(copy, { force: true })
    throw error
  }
}

/** In memory at once: the names of the folders, and those of one folder. */
async function* list(folder: string, after?: string): AsyncGenerator<StoredObject> {
  const last = after === undefined ? '' : requireId(after)
  const periods = (await readdir(folder)).filter((name) => /^[0-9a-f]{6}$/.test(name)).sort()
  for (const period of periods) {
    if (period < last.slice(0, 6)) continue
    const names = await readdir(join(folder, period)).catch(orMissing<string[]>([]))
    for (const name of names.sort()) {
      const key = name.replace('.', '/')
      const parsed = parseKey(key)
      if (!parsed || !key.startsWith(period) || parsed.id <= last) continue
      const found = await stat(join(folder, period, name)).catch(orMissing(undefined))
      if (found?.isFile()) yield { key, bytes: found.size }
    }
  }
}
