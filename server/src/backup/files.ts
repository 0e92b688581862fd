// The files of a restore wait in a folder of their own until all else is done, and then take their places by renames: one
// that is killed meanwhile leaves nothing that the next one would have to keep.
import { mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Writable } from 'node:stream'
import { sync } from '../kernel/durable.ts'
import { makeFolders } from '../kernel/make-folders.ts'
import { restoredName } from '../storage/local.ts'

export type Undo = () => Promise<unknown>

export interface WaitingFiles {
  /** A stream into a new file that is going to have this path below the storage folder. */
  open(path: string): Promise<Writable>
  /** The same for a file that `write` makes. */
  add(path: string, write: (full: string) => Promise<void>): Promise<void>
  /** Gives all files their places. */
  place(): Promise<void>
}

/** Makes the storage folder where it is missing. Running `undo` takes everything away again. */
export async function openWaitingFiles(storage: string, undo: Undo[]): Promise<WaitingFiles> {
  const waiting = join(storage, restoredName)
  // Of one that was killed.
  await rm(waiting, { recursive: true, force: true })
  const made = await makeFolders(waiting, 0o700)
  undo.push(() => rm(made ?? waiting, { recursive: true, force: true }))
  const folders = new Set([waiting])

  async function roomFor(path: string): Promise<string> {
    const full = join(waiting, path)
    for (let parent = dirname(full); !folders.has(parent); parent = dirname(parent)) folders.add(parent)
    await mkdir(dirname(full), { recursive: true, mode: 0o700 })
    return full
  }

  return {
    async add(path, write) {
      const full = await roomFor(path)
      await write(full)
      await sync(full)
    },
    async open(path) {
      const file = await open(await roomFor(path), 'wx', 0o600)
      return new Writable({
        write: (chunk: Buffer, _encoding, done) => void file.appendFile(chunk).then(() => done(), done),
        final: (done) => void file.sync().then(() => done(), done),
        destroy: (error, done) => void file.close().then(() => done(error), done),
      })
    },
    async place() {
      for (const folder of folders) await sync(folder)
      for (const name of await readdir(waiting)) {
        undo.push(() => rm(join(storage, name), { recursive: true, force: true }))
        await rename(join(waiting, name), join(storage, name))
      }
      await rmdir(waiting)
      await sync(storage)
    },
  }
}
