// Where tests make their folders: in memory, if there is room. A cluster is 900 files. Next to files that were deleted a minute
// ago, ext4 takes up to half a second of a core to create that many, and 0.02 seconds are enough in memory.
import { accessSync, constants, statfsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'

/** Set by `npm test`: what runs by itself, as a benchmark, measures a real disk. */
export const scratchVariable = 'KITH_TEST_SCRATCH'

/** The folder that others are made in. */
export const scratchPlace = (): string => process.env[scratchVariable] ?? tmpdir()

/** Memory where 4 GiB of it are free and ours to write to, else the system's temporary folder. */
export function roomiestPlace(): string {
  const memory = '/dev/shm'
  try {
    accessSync(memory, constants.W_OK)
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize >= 4 * 2 ** 30 ? memory : tmpdir()
  } catch {
    return tmpdir()
  }
}

/** For `rm` and `rmSync`: what is just ending may still write into the folder, and then a single attempt fails. */
export const patiently = { recursive: true, force: true, maxRetries: 20, retryDelay: 20 } as const

/** Removes a folder that processes had. */
export const remove = (path: string): Promise<void> => rm(path, patiently)
