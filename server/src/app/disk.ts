// Whether the database can still write: a full disk refuses writes with SQLSTATE 53100 while reads go on.
import { statfs } from 'node:fs/promises'
import type { Logger } from 'pino'

/** Milliseconds after the last refused write for which the disk counts as full: a small write may pass meanwhile. */
const fullFor = 30_000

export interface Disk {
  /** To be called when the database refused a write for want of room. */
  refused(): void
  isFull(): boolean
}

export function watchDisk(log: Logger, now: () => number = () => performance.now()): Disk {
  let lastRefused = Number.NEGATIVE_INFINITY
  let wasTold = false
  return {
    refused() {
      lastRefused = now()
      if (wasTold) return
      wasTold = true
      log.error({ degraded: 'disk' }, 'the disk of the database is full: nothing can be written until there is room')
    },
    isFull() {
      const isFull = now() - lastRefused < fullFor
      if (wasTold && !isFull) {
        wasTold = false
        log.info('the disk of the database has room again: no write failed for 30 s')
      }
      return isFull
    },
  }
}

/** Bytes that are free for this user on the disk of a folder; undefined if the folder cannot be read. */
export async function freeBytes(folder: string): Promise<number | undefined> {
  const found = await statfs(folder).catch(() => undefined)
  return found && found.bavail * found.bsize
}
