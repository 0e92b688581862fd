// An archive in a folder.
import { randomUUID } from 'node:crypto'
import {
  constants,
  copyFile,
  link,
  open,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  writeFile,
} from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { sync } from '../kernel/durable.ts'
import { makeFolder, orMissing } from '../storage/folders.ts'
import { baseFolder, fileFolder, logFolder } from './names.ts'
import { Occupied, type Place } from './place.ts'

const partial = /^\.part-[0-9a-f-]{36}$/

/** A folder of this machine, or one that is mounted. */
export function openFolder(folder: string): Place {
  /** What this process is writing. */
  const writing = new Set<string>()
  const pathOf = (key: string): string => join(folder, ...key.split('/'))

  /** Each base copy has a folder of its own. */
  const leaveNoFolder = async (key: string): Promise<void> => {
    if (key.startsWith(baseFolder)) await rmdir(dirname(pathOf(key))).catch(() => {})
  }

  async function* below(path: string): AsyncGenerator<{ full: string; key: string; isPartial: boolean }> {
    const items = await readdir(path, { withFileTypes: true }).catch(orMissing([]))
    for (const item of items.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const full = join(path, item.name)
      if (item.isDirectory()) yield* below(full)
      const key = relative(folder, full).split(sep).join('/')
      if (item.isFile()) yield { full, key, isPartial: partial.test(item.name) }
    }
  }

  return {
    name: folder,
    async put(key, content) {
      const path = pathOf(key)
      const parent = dirname(path)
      await makeFolder(parent)
      const temporary = join(parent, `.part-${randomUUID()}`)
      writing.add(temporary)
      try {
        if (Buffer.isBuffer(content)) await writeFile(temporary, content, { mode: 0o600, flag: 'wx' })
        else await copyFile(content.path, temporary, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
        await sync(temporary)
        await nameOnce(temporary, path, key)
        await sync(parent)
      } finally {
        await rm(temporary, { force: true })
        writing.delete(temporary)
        await leaveNoFolder(key)
      }
    },
    get: (key) => readFile(pathOf(key)).catch(orMissing(undefined)),
    fetch: (key, path) => copyFile(pathOf(key), path, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE),
    async *list(prefix) {
      const top = prefix.slice(0, prefix.lastIndexOf('/') + 1)
      for await (const { full, key, isPartial } of below(pathOf(top))) {
        if (isPartial || !key.startsWith(prefix)) continue
        const found = await stat(full).catch(orMissing(undefined))
        if (found) yield { key, bytes: found.size, modified: found.mtime }
      }
    },
    async remove(key) {
      await rm(pathOf(key), { force: true })
      await leaveNoFolder(key)
    },
    async tidy() {
      for (const top of [baseFolder, fileFolder, logFolder]) {
        for await (const { full, key, isPartial } of below(pathOf(top))) {
          if (!isPartial || writing.has(full)) continue
          await rm(full, { force: true })
          await leaveNoFolder(key)
        }
      }
    },
    close: () => {},
  }
}

async function nameOnce(temporary: string, path: string, key: string): Promise<void> {
  try {
    await link(temporary, path)
  } catch (error) {
    const existing = await stat(path).catch(orMissing(undefined))
    // A file system without links.
    if (!existing && (error as NodeJS.ErrnoException).code !== 'ENOENT') return rename(temporary, path)
    if (!existing || !(await hasSameBytes(temporary, path))) throw existing ? new Occupied(key) : error
  }
}

async function hasSameBytes(one: string, other: string): Promise<boolean> {
  const files = await Promise.all([open(one, 'r'), open(other, 'r')])
  try {
    for (;;) {
      const [a, b] = await Promise.all(files.map((file) => file.read(Buffer.alloc(1024 * 1024), 0, 1024 * 1024)))
      if (!a || !b || !a.buffer.subarray(0, a.bytesRead).equals(b.buffer.subarray(0, b.bytesRead))) return false
      if (a.bytesRead === 0) return true
    }
  } finally {
    await Promise.all(files.map((file) => file.close()))
  }
}
