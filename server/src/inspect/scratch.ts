// The files of a process that looks into several uploads: opened before it is confined, since afterwards it can open
// none, and without a name, so that a crash leaves nothing behind. This side fills and empties them between two uploads.
import { randomUUID } from 'node:crypto'
import { constants, fstatSync } from 'node:fs'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { type DerivedName, derivedNames } from '../storage/keys.ts'

export interface Scratch {
  /** What the process gets as 3, 4, 5 …: the original, only to be read, and what may be derived. */
  readonly descriptors: readonly number[]
  /** Has the process the bytes of this file as its original; false if it left something in what should be empty. */
  fill(path: string): Promise<boolean>
  /**
   * Copies what was derived into new files with these names, which the caller closes: the copy is what is judged. What is
   * empty gets no file.
   */
  copy(paths: Readonly<Record<DerivedName, string>>): Promise<(FileHandle | undefined)[]>
  /** Empties all of it. */
  clear(): Promise<void>
  close(): Promise<void>
}

/** Enough for most images at once. */
const pieceBytes = 512 * 1024
const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_RDWR, O_TRUNC } = constants

/** Makes them beside `path`, whose name theirs begin with. */
export async function openScratch(path: string): Promise<Scratch> {
  const handles: FileHandle[] = []
  // One for all files: many short-lived ones would have V8 collect the whole heap for their bytes.
  const buffer = Buffer.allocUnsafeSlow(pieceBytes)
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
        if ([original, ...derived].some((file) => sizeOf(file) > 0)) return false
        const source = await open(from, O_RDONLY | O_NOFOLLOW)
        try {
          await append(source, original, sizeOf(source), buffer)
        } finally {
          await source.close()
        }
        return true
      },
      async copy(paths) {
        const copies: (FileHandle | undefined)[] = []
        try {
          for (const [index, name] of derivedNames.entries()) {
            const file = derived[index] as FileHandle
            const size = sizeOf(file)
            const copy = size > 0 ? await open(paths[name], O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600) : undefined
            copies.push(copy)
            if (copy) await append(file, copy, size, buffer)
          }
          return copies
        } catch (error) {
          await Promise.all(copies.map((each) => each?.close()))
          throw error
        }
      },
      async clear() {
        await Promise.all([original, ...derived].map((file) => sizeOf(file) > 0 && file.truncate(0)))
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Of an open file: that waits for no disk, and for no other thread. */
const sizeOf = (file: FileHandle): number => fstatSync(file.fd).size

/** The first `size` bytes, and no more of a file that grows meanwhile. */
async function append(from: FileHandle, to: FileHandle, size: number, buffer: Buffer): Promise<void> {
  for (let at = 0; at < size; ) {
    const { bytesRead } = await from.read(buffer, 0, Math.min(buffer.length, size - at), at)
    if (bytesRead === 0) return
    for (let written = 0; written < bytesRead; ) {
      written += (await to.write(buffer, written, bytesRead - written)).bytesWritten
    }
    at += bytesRead
  }
}
