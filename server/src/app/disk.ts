// What the database refuses while it answers: a full disk refuses writes with SQLSTATE 53100 while reads go on, a server
// may be set to be read only, as managed ones are before their disk is full, and a table may be gone or withheld.
import { statfs } from 'node:fs/promises'
import type { Logger } from 'pino'
import { safeError } from '../log.ts'
import type { Service } from '../service.ts'

/** Milliseconds after the last refusal for which it counts: of a full disk, a small write may pass meanwhile. */
const lasts = 30_000

export interface Refusals {
  /** To be called when the database refused a statement for this. */
  refused(error: unknown): void
  isRecent(): boolean
}

interface Words {
  degraded: string
  begins: string
  ends: string
}

const watchRefusals =
  ({ degraded, begins, ends }: Words) =>
  (log: Logger, now: () => number = () => performance.now()): Refusals => {
    let lastRefused = Number.NEGATIVE_INFINITY
    let wasTold = false
    return {
      refused(error) {
        lastRefused = now()
        if (wasTold) return
        wasTold = true
        log.error({ degraded, error: safeError(error) }, begins)
      },
      isRecent() {
        const isRecent = now() - lastRefused < lasts
        if (wasTold && !isRecent) {
          wasTold = false
          log.info(ends)
        }
        return isRecent
      },
    }
  }

export const watchDisk = watchRefusals({
  degraded: 'disk',
  begins: 'the disk of the database is full: nothing can be written until there is room',
  ends: 'the disk of the database has room again: no write failed for 30 s',
})

export const watchTables = watchRefusals({
  degraded: 'tables',
  begins: 'the database withholds a table: what needs it is refused until it is back, and granted to this role',
  ends: 'the database no longer withholds a table: none was missed for 30 s',
})

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
