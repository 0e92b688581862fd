// Archives the embedded database while the service runs (docs/decisions/0013-archive.md). It serves nobody: if the archive is
// away, all else goes on.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Config, ConfigError } from '../config.ts'
import { type Clock, minutes, seconds } from '../kernel/clock.ts'
import { safeError } from '../log.ts'
import { embeddedFolderOf } from '../store/locate.ts'
import type { Connection } from '../store/sql.ts'
import { within } from '../store/within.ts'
import { chainOf } from './chain.ts'
import { type ArchiveMetrics, openSender, type Sender } from './sender.ts'
import { openSpool, type Spool } from './spool.ts'

/** Bytes that may wait on this disk for an archive that is away. */
const spoolLimit = 4 * 1024 ** 3
const takeEvery = 200
const sendEvery = 500
/** Beside the sending, which may hang. */
const measureEvery = seconds(5)
const baseEvery = minutes(1)
const longestPause = minutes(1)
/** From then on an archive that is away shows as degraded. */
const patience = minutes(5)
/** How long a start waits for the place: one that is away does not stop the service. */
const claimWithin = seconds(5)

interface ArchiverOptions {
  config: Config
  clock: Clock
  log: Logger
}

export interface Archiver {
  /** Takes over what the database finishes, from its start on: a stop would wait for that. */
  begin(connection: Connection): Promise<void>
  /** Sends, once the service is nearly up; rejects with a {@link ConfigError} if the place is another database's. */
  start(metrics: ArchiveMetrics): Promise<void>
  /** Whether the archive lacks what it should have. */
  isBehind(): boolean
  /** Ends what takes long; what PostgreSQL still finishes while it stops is taken over. */
  quiet(): Promise<void>
  /** After the stop of PostgreSQL: sends the last changes if that takes no longer than `left` milliseconds. */
  finish(left: number): Promise<void>
}

/** Undefined without ARCHIVE_URL. */
export function createArchiver({ config, clock, log }: ArchiverOptions): Archiver | undefined {
  const { archive } = config
  if (!archive) return undefined
  const folder = embeddedFolderOf(config)
  const chain = chainOf(folder)
  /** Of what takes long, and of all. */
  const long = new AbortController()
  const all = new AbortController()
  const told = tellOnce(log)
  const loops: Promise<void>[] = []
  let connection: Connection
  let spool: Spool | undefined
  let sender: Sender | undefined
  let metrics: ArchiveMetrics | undefined
  let hasGap = false
  /** Since when the database could not be copied. */
  let uncopiedSince: number | undefined

  /** Again and again, more seldom while it fails; a failure and its end are told once. */
  async function loop(of: string, every: number, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    for (let failures = 0; !signal.aborted; ) {
      try {
        await work()
        told(of, undefined)
        failures = 0
      } catch (error) {
        if (signal.aborted) return
        metrics?.archiveFailures.inc({ of })
        told(of, error)
        failures += 1
      }
      const pause = failures === 0 ? every : Math.min(1000 * 2 ** Math.min(failures - 1, 6), longestPause)
      await sleep(pause, undefined, { signal }).catch(() => {})
    }
  }

  return {
    async begin(to) {
      connection = to
      const taking = await openSpool({
        folder,
        limit: spoolLimit,
        async onGap(reason) {
          hasGap = true
          await chain.cut()
          log.error(
            { reason },
            'the archive gets a gap: what waited for it was given up, and a new base copy will be made',
          )
        },
      })
      spool = taking
      loops.push(loop('take', takeEvery, all.signal, () => taking.take()))
    },
    async start(counted) {
      metrics = counted
      const sending = await openSender({ config, archive, clock, log, connection, spool: spool as Spool, metrics })
      sender = sending
      await within(claimWithin, sending.claim()).catch((error) => {
        if (error instanceof ConfigError) throw error
        told('send', error)
      })
      loops.push(
        loop('measure', measureEvery, long.signal, () => sending.measure()),
        loop('send', sendEvery, long.signal, async () => {
          // Where nothing waits either: a place that cannot be written is not back.
          await sending.claim()
          await sending.send(long.signal)
        }),
        loop('base', baseEvery, long.signal, async () => {
          await sending.base(long.signal).catch((error) => {
            uncopiedSince ??= clock.now().getTime()
            throw error
          })
          uncopiedSince = undefined
          hasGap = (await chain.label()) === undefined
        }),
      )
    },
    isBehind: () =>
      hasGap ||
      (sender?.delay() ?? 0) > patience ||
      (uncopiedSince !== undefined && clock.now().getTime() - uncopiedSince > patience),
    async quiet() {
      long.abort()
      await Promise.all(loops.slice(1))
    },
    async finish(left) {
      long.abort()
      all.abort()
      const end = performance.now() + left
      // One that hangs is left behind: what waits is sent by the next start.
      await within(left, Promise.all(loops))
      await spool?.take()
      if (!sender) return
      const rest = Math.max(1, Math.ceil(end - performance.now()))
      await within(rest, sender.send(AbortSignal.timeout(rest))).catch((error) => {
        // The start was refused for it, or it is told already.
        if (!(error instanceof ConfigError)) told('send', error)
      })
      sender.close()
    },
  }
}

function tellOnce(log: Logger): (of: string, error: unknown) => void {
  const failing = new Set<string>()
  return (of, error) => {
    if (error === undefined) {
      if (failing.delete(of)) log.info({ part: 'archive', of }, 'a part of the service is back')
    } else if (!failing.has(of)) {
      failing.add(of)
      log.error(
        { part: 'archive', of, error: safeError(error) },
        'the archive cannot be written: changes wait on this disk',
      )
    }
  }
}
