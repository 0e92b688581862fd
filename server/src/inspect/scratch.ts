// The files of a process that looks into several uploads: opened before it is confined, since afterwards it can open
// none, and without a name, so that a crash leaves nothing behind. This side fills and empties them between two uploads.
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { type DerivedName, derivedNames } from '../storage/keys.ts'

export interface Scratch {
  /** What the process gets as 3, 4, 5 …: the original, only to be read, and what may be derived. */
  readonly descriptors: readonly number[]
  /** Has the process the bytes of this file as its original; false if it left something in what should be empty. */
  fill(path: string): Promise<boolean>
  /** Copies what was derived into new files with these names, which the caller closes: the copy is what is judged. */
  copy(paths: Readonly<Record<DerivedName, string>>): Promise<FileHandle[]>
  /** Empties all of it. */
  clear(): Promise<void>
  close(): Promise<void>
}

const mebibyte = 1024 ** 2
const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_RDWR, O_TRUNC } = constants

/** Makes them beside `path`, whose name theirs begin with. */
export async function openScratch(path: string): Promise<Scratch> {
  const handles: FileHandle[] = []
  const close = async (): Promise<void> => {
    await Promise.all(handles.map((handle) => handle.close()))
  }
  const make = async (again?: number): Promise<FileHandle[]> => {
    const name = `${path}.${randomUUID()}`
    // What is appended begins at the beginning once the file was emptied, wherever the process had been in it.
    const made = [await open(name, O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)]
    handles.push(...made)
    try {
      if (again !== undefined) made.push(await open(name, again | O_NOFOLLOW))
    } finally {
      handles.push(...made.slice(1))
      await unlink(name)
    }
    return made
  }
  try {
    const [original, asRead] = (await make(O_RDONLY)) as [FileHandle, FileHandle]
    const derived: FileHandle[] = []
    for (const _ of derivedNames) derived.push(...(await make()))
    return {
      descriptors: [asRead, ...derived].map(({ fd }) => fd),
      async fill(from) {
        const sizes = await Promise.all([original, ...derived].map((file) => file.stat().then(({ size }) => size)))
        if (sizes.some((size) => size > 0)) return false
        const source = await open(from, O_RDONLY | O_NOFOLLOW)
        try {
          await append(source, original, (await source.stat()).size)
        } finally {
          await source.close()
        }
        return true
      },
      async copy(paths) {
        const copies: FileHandle[] = []
        try {
          for (const [index, name] of derivedNames.entries()) {
            const file = derived[index] as FileHandle
            const copy = await open(paths[name], O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600)
            copies.push(copy)
            await append(file, copy, (await file.stat()).size)
          }
          return copies
        } catch (error) {
          await Promise.all(copies.map((each) => each.close()))
          throw error
        }
      },
      async clear() {
        await Promise.all([original, ...derived].map((file) => file.truncate(0)))
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** The first `size` bytes, and no more of a file that grows meanwhile. */
async function append(from: FileHandle, to: FileHandle, size: number): Promise<void> {
  const buffer = Buffer.allocUnsafe(Math.min(size, mebibyte))
  for (let at = 0; at < size; ) {
    const { bytesRead } = await from.read(buffer, 0, Math.min(buffer.length, size - at), at)
    if (bytesRead === 0) return
    await to.appendFile(buffer.subarray(0, bytesRead))
    at += bytesRead
  }
}
