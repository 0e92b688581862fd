// kith-server restore --at TIME: the embedded database as of a moment, from a base copy and the changes since, with its files and
// key, or nothing. Until all of it is there the database has another name, as in a restore of a backup.
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type CommandOptions, openClient } from '../backup/backup.ts'
import { openWaitingFiles, type Undo, type WaitingFiles } from '../backup/files.ts'
import { BackupError } from '../backup/format.ts'
import { explained, makeFolder, requireFingerprint, requireRoom } from '../backup/room.ts'
import { type Config, ConfigError } from '../config.ts'
import { type EmbeddedPostgres, startEmbedded } from '../embedded/embedded.ts'
import { provisionalSettings, recoverySettings, supplyFolder } from '../embedded/settings.ts'
import { writeSecretKey } from '../secrets.ts'
import { parseKey } from '../storage/keys.ts'
import { embeddedFolderOf } from '../store/locate.ts'
import type { BaseManifest } from './base.ts'
import { listBases, segmentsOf } from './bases.ts'
import { fileFolder, segmentAfter, timelineOf } from './names.ts'
import { openPlace } from './open.ts'
import type { Place } from './place.ts'
import { type Supply, startSupply } from './supply.ts'
import { unpackBase, without } from './unpack.ts'

export interface Restored {
  base: string
  /** When the last change was made that it has; undefined if it has none since its base copy. */
  last: string | undefined
  /** Undefined if files lie in a storage of their own. */
  files: number | undefined
  /** IDs of attachments whose files the archive does not have. */
  lost: string[]
}

/** A moment with its zone, or `latest`. */
export function momentOf(text: string, now: Date): Date | undefined {
  if (text === 'latest') return undefined
  const moment = new Date(text)
  if (
    !/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:?\d\d)$/.test(text) ||
    Number.isNaN(moment.getTime()) ||
    // The 31st of November would be the 1st of December.
    new Date(text.slice(0, 10)).getUTCDate() !== Number(text.slice(8, 10))
  ) {
    throw new ConfigError(`${text} is not a time: write it with its zone, as in 2026-11-26T23:10:00Z, or write latest`)
  }
  if (moment > now) throw new ConfigError(`${text} is in the future: here it is ${now.toISOString()}`)
  return moment
}

/** Makes the installation that the settings name as it was at a moment; `undefined` is the last one that the archive has. */
export async function restoreAt(config: Config, until: Date | undefined, options: CommandOptions): Promise<Restored> {
  if (!config.archive) throw new ConfigError('ARCHIVE_URL must name the archive to restore from')
  const place = await openPlace(config.archive.place)
  const undo: Undo[] = []
  try {
    const base = await chooseBase(place, until)
    const archived = await examine(place, base)
    if (until === undefined && archived.gap) throw new BackupError(gapText(archived.gap))
    if (existsSync(join(embeddedFolderOf(config), 'data'))) {
      throw new BackupError(`${config.dataDir} has a database already: restore into a new folder`)
    }
    const existing = await requireRoom(config, {
      secretKey: base.secret.key,
      hasFiles: config.storage.kind === 'file',
      from: 'archive',
    })
    return await recover({ config, place, base, archived, until, existing, undo, ...options })
  } catch (error) {
    for (let step = undo.pop(); step; step = undo.pop()) await step().catch(() => {})
    throw explained(error, config)
  } finally {
    place.close()
  }
}

async function chooseBase(place: Place, until: Date | undefined): Promise<BaseManifest> {
  const bases = await listBases(place)
  const [first] = bases
  if (!first) throw new BackupError(`${place.name} has no complete base copy: there is nothing to restore from`)
  const base = bases.findLast(({ finished_at }) => until === undefined || new Date(finished_at) <= until)
  if (!base) throw new BackupError(`The archive begins at ${first.finished_at}: restore a backup to go back further`)
  return base
}

interface Archived {
  segments: Set<string>
  /** What is missing while there is more after it. */
  gap: { missing: string; later: string } | undefined
}

const gapText = ({ missing, later }: { missing: string; later: string }): string =>
  `Segment ${missing} is missing from the archive, which continues with ${later}`

/** The segments from a base copy on, which must at least make it whole. */
async function examine(place: Place, { start_segment, stop_segment, label }: BaseManifest): Promise<Archived> {
  const all = (await segmentsOf(place, timelineOf(start_segment))).filter((name) => name >= start_segment)
  const segments = new Set(all)
  let next = start_segment
  while (segments.has(next)) next = segmentAfter(next)
  if (next <= stop_segment) {
    throw new BackupError(
      `Segment ${next} is missing from the archive, and the base copy ${label} needs it: ${without(label)}`,
    )
  }
  const later = all.find((name) => name > next)
  return { segments, gap: later === undefined ? undefined : { missing: next, later } }
}

interface Recovery extends CommandOptions {
  config: Config
  place: Place
  base: BaseManifest
  archived: Archived
  until: Date | undefined
  existing: string | undefined
  undo: Undo[]
}

async function recover(recovery: Recovery): Promise<Restored> {
  const { config, base, undo, log, existing, signal } = recovery
  await makeFolder(embeddedFolderOf(config), undo)
  const { server, dataFolder, last } = await replay(recovery)
  try {
    signal?.throwIfAborted()
    const files = await fetchFiles(server, recovery)
    log.info({ base: base.label }, 'the archive was replayed')
    await server.keep(async () => {
      for (const name of [supplyFolder, 'backup_label.old']) {
        await rm(join(dataFolder, name), { recursive: true, force: true })
      }
      await files?.waiting.place()
      if (config.secretKey !== undefined || existing !== undefined) return
      undo.push(() => rm(join(config.dataDir, 'secret-key'), { force: true }))
      await writeSecretKey(config.dataDir, base.secret.key)
    })
    undo.length = 0
    return { base: base.label, last, files: files?.count, lost: files?.lost ?? [] }
  } finally {
    await server.stop('immediate')
  }
}

interface Replayed {
  server: EmbeddedPostgres
  dataFolder: string
  last: string | undefined
}

/** Starts a server on the base copy, which answers once it has replayed everything up to the moment. */
async function replay(recovery: Recovery): Promise<Replayed> {
  const { config, place, base, archived, until, log, signal, progress = () => {} } = recovery
  const { segments } = archived
  let supply: Supply | undefined
  let dataFolder = ''
  let last: string | undefined
  let given = 0
  try {
    const server = await startEmbedded({
      folder: embeddedFolderOf(config),
      provisional: true,
      settings: { ...provisionalSettings, ...recoverySettings(until) },
      log: (level, message) => {
        const [, time] = /last completed transaction was at log time (.+?)\.?$/.exec(message) ?? []
        if (time) last = new Date(time.replace(/\+00$/, 'Z')).toISOString()
        else if (!isEndOfArchive(message)) log[level]({ from: 'postgresql' }, message)
      },
      fill: async (folder, account) => {
        dataFolder = folder
        const told = (done: number, total: number) => progress('unpacking the base copy', done, total)
        await unpackBase({ place, base, folder, account, signal, told })
        const replayed = (): void => {
          // PostgreSQL may ask for one again.
          given = Math.min(given + 1, segments.size)
          progress('replaying the changes', given, segments.size)
        }
        supply = await startSupply({ place, segments, dataFolder, account, signal, told: replayed })
      },
    })
    // Without what it did not get it may have taken this for the end of the archive.
    const failure = supply?.failure()
    if (failure === undefined) return { server, dataFolder, last }
    await server.stop('immediate')
    throw failure
  } catch (error) {
    signal?.throwIfAborted()
    if (isEndOfArchive((error as Error).message)) throw supply?.failure() ?? tooEarly(recovery, last)
    throw supply?.failure() ?? error
  } finally {
    await supply?.stop()
  }
}

const isEndOfArchive = (message: string): boolean => message.includes('before configured recovery target was reached')

function tooEarly({ archived: { gap }, until, base }: Recovery, last = base.finished_at): BackupError {
  const upTo = `--at ${last} brings back the last change before it`
  if (gap) return new BackupError(`${gapText(gap)}: ${upTo}`)
  return new BackupError(
    `The archive ends with a change of ${last}, before ${until?.toISOString()}: --at latest brings back all that it has`,
  )
}

/** Those that the database knows: the archive also has some that were added later. */
async function fetchFiles(
  server: EmbeddedPostgres,
  { config, place, base, undo, signal, progress = () => {} }: Recovery,
): Promise<{ waiting: WaitingFiles; count: number; lost: string[] } | undefined> {
  const client = await openClient(server.connection)
  try {
    await requireFingerprint(client, base.secret.fingerprint, 'archive')
    if (config.storage.kind !== 'file') return undefined
    const waiting = await openWaitingFiles(config.storage.folder, undo)
    let count = 0
    const kept = await client.query<{ id: string }>(
      `select id from attachments where status in ('ready', 'retained') and bytes > 0`,
    )
    const lost = new Set(kept.rows.map(({ id }) => id))
    for await (const { key } of place.list(fileFolder)) {
      signal?.throwIfAborted()
      const path = key.slice(fileFolder.length)
      const id = idOf(path)
      if (id === undefined) continue
      const { rows } = await client.query(`select 1 from attachments where id = $1 and status <> 'purged'`, [id])
      if (rows.length === 0) continue
      await waiting.add(path, (full) => place.fetch(key, full))
      if (path.endsWith('.original')) lost.delete(id)
      count += 1
      progress(`copying files (${count})`, 0, 0)
    }
    return { waiting, count, lost: [...lost] }
  } finally {
    await client.end()
  }
}

/** The attachment of a file of the storage folder (`storage/local.ts`). */
const idOf = (path: string): string | undefined => {
  const [, period, id, name] = /^([0-9a-f]{6})\/([0-9a-f-]{36})\.([\w-]+)$/.exec(path) ?? []
  return id?.startsWith(period as string) && parseKey(`${id}/${name}`) ? id : undefined
}
