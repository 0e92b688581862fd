// kith-server restore FILE: a new installation from a backup, or nothing. Every digest is checked before anything is
// loaded. The last thing that happens makes the database: the commit of one transaction, or the rename of the embedded
// server's folder.
import { rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import type { Config } from '../config.ts'
import { writeSecretKey } from '../secrets.ts'
import { embeddedFolderOf, type Reached, reachUnused } from '../store/locate.ts'
import { apply, createRecord, type Migration, migrationLock, relationsIn, shippedMigrations } from '../store/migrate.ts'
import { type CommandOptions, openClient, type Summary, summary } from './backup.ts'
import { openWaitingFiles, type Undo, type WaitingFiles } from './files.ts'
import { BackupError, type Manifest } from './format.ts'
import { load, prepare, step, type Target } from './load.ts'
import { requireBackup, verify } from './read.ts'
import { explained, makeFolder, requireFingerprint, requireRoom } from './room.ts'

/** Makes the installation that the settings name from the backup at `path`: an empty database, and no service on it. */
export async function restore(
  config: Config,
  path: string,
  options: CommandOptions & { withoutFiles?: boolean },
): Promise<Summary> {
  const { log, signal, progress = () => {} } = options
  await requireBackup(path)
  const undo: Undo[] = []
  try {
    await makeFolder(config.databaseUrl ? config.dataDir : embeddedFolderOf(config), undo)
    // Both at once: a new embedded server takes as long to start as the file takes to check.
    const [checked, started] = await Promise.allSettled([
      verify(path, { signal, progress }),
      reachUnused(config, log),
    ] as const)
    try {
      const { manifest, secretKey } = resultOf(checked)
      const migrations = await knownMigrations(manifest)
      const existing = await requireRoom(config, {
        secretKey,
        hasFiles: Boolean(manifest.files?.length) && !options.withoutFiles,
        from: 'backup',
      })
      const reached = resultOf(started)
      const target = await openTarget(reached)
      const { clients, inOne } = target
      try {
        if (inOne) await clients[0].query('begin')
        const files = await fill(target, path, { ...options, config, manifest, migrations, undo })
        signal?.throwIfAborted()
        // Right before the database is there, so that a restore that is killed earlier can be repeated.
        const last = async (): Promise<void> => {
          await files?.place()
          if (config.secretKey !== undefined || existing !== undefined) return
          undo.push(() => rm(join(config.dataDir, 'secret-key'), { force: true }))
          await writeSecretKey(config.dataDir, secretKey)
        }
        if (reached.keep) {
          await endAll(clients)
          await reached.keep(last)
        } else {
          await last()
          await clients[0].query('commit')
        }
        undo.length = 0
      } finally {
        await endAll(clients)
      }
      return summary(manifest)
    } finally {
      if (started.status === 'fulfilled') await started.value.close()
    }
  } catch (error) {
    for (let step = undo.pop(); step; step = undo.pop()) await step().catch(() => {})
    throw explained(error, config)
  }
}

function resultOf<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === 'rejected') throw settled.reason
  return settled.value
}

interface FillOptions extends CommandOptions {
  withoutFiles?: boolean
  config: Config
  manifest: Manifest
  migrations: KnownMigrations
  undo: Undo[]
}

/** Puts everything into the database, and the files where they wait for their places. */
async function fill(target: Target, path: string, options: FillOptions): Promise<WaitingFiles | undefined> {
  const { config, manifest, migrations, undo, withoutFiles = false, clock, signal, progress = () => {} } = options
  const [client] = target.clients
  const prepared = await step(target, async () => {
    // Who starts meanwhile waits here, and then finds everything done.
    await client.query('select pg_advisory_xact_lock($1)', [migrationLock])
    if ((await relationsIn(client, 1)).length > 0)
      throw new BackupError('The database is not empty: restore into an empty one')
    await createRecord(client)
    for (const migration of migrations.recorded) await apply(client, migration, clock.now())
    return prepare(client, manifest)
  })
  const { storage } = config
  const hasFiles = manifest.files !== null && manifest.files.length > 0 && !withoutFiles
  const files = hasFiles && storage.kind === 'file' ? await openWaitingFiles(storage.folder, undo) : undefined
  await load(target, path, manifest, prepared, { files, signal, progress })
  await step(target, async () => {
    for (const migration of migrations.newer) await apply(client, migration, clock.now())
  })
  await requireFingerprint(client, manifest.secret.fingerprint, 'backup')
  return files
}

/** Memory for building indexes by sorting, in MiB, of all connections together. */
const sortingMemory = 128

/**
 * A database that is kept at the end is whole or not there without a transaction, and several connections, which cannot
 * share one, fill it in less time.
 */
async function openTarget({ connection, keep }: Reached): Promise<Target> {
  const count = keep ? Math.min(Math.max(availableParallelism(), 2), 4) : 1
  const open = async (): Promise<pg.Client> => {
    const client = await openClient(connection)
    await client.query(`set maintenance_work_mem = '${Math.floor(sortingMemory / count)}MB'`)
    return client
  }
  const first = await open()
  const others = Array.from({ length: count - 1 }, open)
  return { clients: [first, ...(await Promise.all(others))], inOne: !keep }
}

const endAll = (clients: readonly pg.Client[]) => Promise.all(clients.map((each) => each.end().catch(() => {})))

interface KnownMigrations {
  recorded: Migration[]
  newer: Migration[]
}

async function knownMigrations(manifest: Manifest): Promise<KnownMigrations> {
  const shipped = await shippedMigrations()
  const recorded = manifest.migrations.map(({ name, digest }) => {
    const ours = shipped.find((migration) => migration.name === name)
    if (!ours)
      throw new BackupError(`The backup has migration ${name}, which this version does not know: use a newer version`)
    if (ours.digest !== digest)
      throw new BackupError(`Migration ${name} of the backup differs from the one of this version`)
    return ours
  })
  return { recorded, newer: shipped.filter((migration) => !recorded.includes(migration)) }
}
