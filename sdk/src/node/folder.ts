// An identity as a folder that only its owner can enter: passport.json, token, key, pins.json, journal/, inbox/.
import { chmod, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { KithIdentityError, KithInputError } from '../errors.ts'
import type { Store } from '../store.ts'
import {
  createFileDurably,
  folderMode,
  isCode,
  makeFolderDurably,
  markOf,
  removeFileDurably,
  writeFileDurably,
} from './disk.ts'
import { folderLocks } from './locks.ts'

export interface FolderStore extends Store {
  /** Absolute path of the folder. */
  readonly path: string
}

const nameShape = /^[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)?$/

/**
 * Open an identity's folder, or make it (mode 0700, files 0600). Every write is synced to disk, with its folder, before
 * it resolves. Throws `KithIdentityError` when other users can enter the folder.
 */
export async function openFolder(path: string): Promise<FolderStore> {
  const root = resolve(path)
  await makeFolderDurably(root)
  await closeToOthers(root)
  await sweep(root)
  const at = (name: string) => {
    if (!nameShape.test(name)) throw new KithInputError(`not a name for a file of an identity: ${name}`)
    return join(root, name)
  }
  const made = new Set<string>()
  /** The path of a name, its subfolder made at its first use. */
  const ready = async (name: string) => {
    const file = at(name)
    const slash = name.indexOf('/')
    if (slash > 0 && !made.has(name.slice(0, slash))) {
      await makeFolderDurably(join(root, name.slice(0, slash)))
      made.add(name.slice(0, slash))
    }
    return file
  }
  return {
    path: root,
    read: (name) => readFile(at(name), 'utf8').catch((error) => absent(error, undefined)),
    write: async (name, text) => writeFileDurably(await ready(name), text),
    create: async (name, text) => createFileDurably(await ready(name), text),
    remove: async (name) => removeFileDurably(at(name)),
    list: async (folder) => {
      const files = await readdir(at(folder)).catch((error) => absent(error, [] as string[]))
      return files.filter((file) => !file.startsWith('.')).sort()
    },
    mark: async (name) => markOf(at(name)),
    lock: folderLocks(join(root, 'locks')),
  }
}

function absent<T>(error: unknown, instead: T): T {
  if (isCode(error, 'ENOENT')) return instead
  throw error
}

async function closeToOthers(root: string): Promise<void> {
  if (process.platform === 'win32') return
  const { mode } = await stat(root)
  if ((mode & 0o077) === 0) return
  // An empty folder reveals nothing yet: it is simply closed. A full one may have been read already.
  if ((await readdir(root)).length > 0)
    throw new KithIdentityError(`other users can enter ${root}: check who could read it, then chmod 700 it`)
  await chmod(root, folderMode)
}

/** Remove what killed processes left half written; the names tell whose they were. */
async function sweep(root: string): Promise<void> {
  const entries = await readdir(root, { withFileTypes: true })
  const folders = [root, ...entries.flatMap((entry) => (entry.isDirectory() ? [join(root, entry.name)] : []))]
  for (const folder of folders)
    for (const file of await readdir(folder)) {
      const pid = /^\.(\d+)\.[0-9a-f]{12}\.tmp$/.exec(file)?.[1]
      if (pid && (await isStale(join(folder, file), Number(pid)))) await rm(join(folder, file), { force: true })
    }
}

/** Old enough that even a process of another host would have renamed it, and not of a living one here. */
async function isStale(path: string, pid: number): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  if (!found || Date.now() - found.mtimeMs < 60_000) return false
  try {
    process.kill(pid, 0)
    return pid === process.pid ? Date.now() - found.mtimeMs > 600_000 : false
  } catch (error) {
    return isCode(error, 'ESRCH')
  }
}
