// Sends to the archive what was taken over, copies the whole database to it now and then, and removes what is too old.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import type { Logger } from 'pino'
import { openClient, readGeneratedKey } from '../backup/backup.ts'
import { type Archive, type Config, ConfigError } from '../config.ts'
import { type Clock, days } from '../kernel/clock.ts'
import type { Metrics } from '../metrics.ts'
import { embeddedFolderOf } from '../store/locate.ts'
import { type Connection, only } from '../store/sql.ts'
import { copyBase } from './base.ts'
import { claim, newestTimeline, pruneArchive, readManifest, removeUnfinished } from './bases.ts'
import { chainOf } from './chain.ts'
import { createMirror } from './mirror.ts'
import { keyOfLogFile, timelineOf } from './names.ts'
import { openPlace } from './open.ts'
import { Occupied, type Place } from './place.ts'
import type { Spool, Waiting } from './spool.ts'

const decompress = promisify(zstdDecompress)

export type ArchiveMetrics = Pick<Metrics, 'archiveDelay' | 'archiveWaiting' | 'archiveFailures' | 'archiveBase'>

interface SenderOptions {
  config: Config
  archive: Archive
  clock: Clock
  log: Logger
  connection: Connection
  spool: Spool
  metrics: ArchiveMetrics
}

export interface Sender {
  /** Rejects with a {@link ConfigError} if the place is the archive of another database, or of one that was restored from this. */
  claim(): Promise<void>
  send(signal: AbortSignal): Promise<void>
  /** Copies the database if the archive has no copy that goes on to now, or an old one. */
  base(signal: AbortSignal): Promise<void>
  /** Tells the metrics what waits. */
  measure(): Promise<void>
  /** Milliseconds for which the oldest has waited, as of the last measure. */
  delay(): number
  close(): void
}

export async function openSender(options: SenderOptions): Promise<Sender> {
  const { config, archive, clock, log, connection, spool, metrics } = options
  const { storage } = config
  const folder = embeddedFolderOf(config)
  const place = await openPlace(archive.place)
  const mirror =
    storage.kind === 'file' ? createMirror(place, storage.folder, join(folder, 'archive-gone.json')) : undefined
  const own = await identify(connection)
  let claimed = false
  let oldest: number | undefined

  async function requireClaim(): Promise<void> {
    if (claimed) return
    await claim(place, own.system)
    const newest = await newestTimeline(place)
    if (newest > own.timeline) {
      throw new ConfigError(
        `ARCHIVE_URL (${place.name}) is in use by a database that was restored from it (timeline ${newest}), and this is the former one (timeline ${own.timeline}): choose another place`,
      )
    }
    claimed = true
  }

  const delay = (): number => (oldest === undefined ? 0 : Math.max(0, clock.now().getTime() - oldest))

  async function measure(): Promise<void> {
    const waiting = await spool.waiting()
    oldest = waiting.length === 0 ? undefined : Math.min(...waiting.map(({ since }) => since.getTime()))
    metrics.archiveDelay.set(delay() / 1000)
    metrics.archiveWaiting.set(waiting.reduce((sum, { bytes }) => sum + bytes, 0))
  }

  return {
    claim: requireClaim,
    measure,
    delay,
    async send(signal) {
      const waiting = await spool.waiting()
      if (waiting.length === 0) return
      await requireClaim()
      // Before the changes that name them.
      await mirror?.copy(signal)
      for (const each of waiting) {
        signal.throwIfAborted()
        await put(place, each)
        await spool.sent(each)
      }
      await measure()
    },
    async base(signal) {
      await requireClaim()
      const chain = chainOf(folder)
      const label = await chain.label()
      const current = label === undefined ? undefined : await readManifest(place, label)
      const now = clock.now()
      if (current) {
        const finishedAt = new Date(current.finished_at)
        metrics.archiveBase.set(finishedAt.getTime() / 1000)
        if (!isOutdated(finishedAt, now, archive.baseDays)) return
      }
      const secretKey = config.secretKey ?? (await readGeneratedKey(config.dataDir))
      const gaps = spool.gaps()
      // What a killed or failed copy left takes room that this one needs, and so does the log of changes.
      await place.tidy()
      await removeUnfinished(place, own.timeline)
      const made = await copyBase({ place, folder, connection, secretKey, clock, signal }).catch(async (error) => {
        // A stop does not wait for that: the next start does it.
        if (!signal.aborted) await removeUnfinished(place, own.timeline).catch(() => {})
        throw error
      })
      // A gap that came meanwhile is after its beginning.
      if (spool.gaps() === gaps) await chain.extend(made.label)
      metrics.archiveBase.set(new Date(made.finished_at).getTime() / 1000)
      log.info({ base: made.label, bytes: made.bytes }, 'the database was copied to the archive')
      await pruneArchive(place, { keepDays: archive.keepDays, now })
      await mirror?.prune(now, archive.keepDays)
    },
    close: () => place.close(),
  }
}

/** One of a clock that was far ahead is outdated too: the next would otherwise wait until that day. */
export const isOutdated = (finishedAt: Date, now: Date, baseDays: number): boolean =>
  Math.abs(now.getTime() - finishedAt.getTime()) >= days(baseDays)

async function put(place: Place, { name, path }: Waiting): Promise<void> {
  const key = keyOfLogFile(name)
  const bytes = await readFile(path)
  await place.put(key, bytes).catch(async (error) => {
    // Compressed by another version of the program, it has the same content.
    const there = error instanceof Occupied ? await place.get(key) : undefined
    if (!there || !(await decompress(there)).equals(await decompress(bytes))) throw error
  })
}

async function identify(connection: Connection): Promise<{ system: string; timeline: string }> {
  const client = await openClient(connection)
  try {
    const { rows } = await client.query<{ system: string; segment: string }>(
      `select system_identifier::text as system, pg_walfile_name(pg_current_wal_lsn()) as segment from pg_control_system()`,
    )
    const { system, segment } = only(rows)
    return { system, timeline: timelineOf(segment) }
  } finally {
    await client.end()
  }
}
