// A disk of its own for a database, in memory: so that it can be full without filling the machine's.
import { execFile } from 'node:child_process'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Mounts it on a folder, with a size in MiB; false if this user may not. */
export const mountDisk = (folder: string, size: number): Promise<boolean> =>
  run('mount', ['-t', 'tmpfs', '-o', `size=${size}m`, 'kith-nemesis', folder]).then(
    () => true,
    () => false,
  )

/** As soon as nothing uses it. */
export async function unmountDisk(folder: string): Promise<void> {
  await run('umount', ['--lazy', folder])
}

/** Leaves no byte of it for so long, in milliseconds. */
export async function fillDisk(folder: string, milliseconds: number): Promise<void> {
  const ballast = join(folder, 'ballast')
  const file = await open(ballast, 'w')
  try {
    const piece = Buffer.alloc(2 ** 20)
    for (let isFull = false; !isFull; ) {
      isFull = await file.write(piece).then(
        ({ bytesWritten }) => bytesWritten < piece.length,
        () => true,
      )
    }
    await sleep(milliseconds)
  } finally {
    await file.close()
    await rm(ballast)
  }
}
