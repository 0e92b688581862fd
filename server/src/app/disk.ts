// Whether the database can still write: a full disk refuses writes with SQLSTATE 53100 while reads go on, and a server
// may be set to be read only, as managed ones are before their disk is full.
import { statfs } from 'node:fs/promises'
import type { Logger } from 'pino'
import type { Service } from '../service.ts'

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

/** How often the database is asked whether it takes writes, in milliseconds. */
const askEvery = 2000

/** Whether the database took writes when it was last asked; it is asked again meanwhile, so that no busy pool is waited for. */
export function watchWrites({ sql, log }: Pick<Service, 'sql' | 'log'>): () => boolean {
  let takesWrites = true
  let isAsking = false
  let askedAt = Number.NEGATIVE_INFINITY
  async function ask(): Promise<void> {
    const [row] = await sql<{ takesWrites: boolean }>`
      select current_setting('transaction_read_only') = 'off' as "takesWrites"`
    if (!row || row.takesWrites === takesWrites) return
    takesWrites = row.takesWrites
    if (takesWrites) log.info('the database takes writes again')
    else log.error({ degraded: 'writes' }, 'the database is set to be read only: nothing can be written')
  }
  return () => {
    if (!isAsking && performance.now() - askedAt >= askEvery) {
      isAsking = true
      // What does not answer at all is said by the check of the database.
      void ask()
        .catch(() => {})
        .finally(() => {
          isAsking = false
          askedAt = performance.now()
        })
    }
    return takesWrites
  }
}

/** Bytes that are free for this user on the disk of a folder; undefined if the folder cannot be read. */
export async function freeBytes(folder: string): Promise<number | undefined> {
  const found = await statfs(folder).catch(() => undefined)
  return found && found.bavail * found.bsize
}
