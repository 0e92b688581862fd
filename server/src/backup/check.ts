// kith-server backup --check FILE: a backup that was restored. Every digest is compared, the rows go into a database that is
// thrown away, newer migrations are applied, and the result is verified. It needs no service and touches none.
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { type Ownership, own } from '../embedded/owner.ts'
import { removeTraces } from '../embedded/socket.ts'
import { type Clock, minutes } from '../kernel/clock.ts'
import type { Walk } from '../store/walks.ts'
import { verifyInstallation } from '../verify/command.ts'
import type { Findings } from '../verify/verify.ts'
import type { CommandOptions, Summary } from './backup.ts'
import { BackupError } from './format.ts'
import { restore } from './restore.ts'
import { isFull } from './room.ts'

const prefix = 'kith-check-'

/** The settings of an installation of its own below a folder, whatever the caller's are. */
const throwaway = (config: Config, folder: string): Config => ({
  ...config,
  dataDir: folder,
  databaseUrl: undefined,
  secretKey: undefined,
  archive: undefined,
  storage: { kind: 'file', folder: join(folder, 'files') },
})

/** Does `work` with such settings, in the system's temporary folder, and leaves nothing. */
async function inThrowaway<T>(config: Config, clock: Clock, work: (config: Config) => Promise<T>): Promise<T> {
  await removeAbandoned(clock)
  const folder = await mkdtemp(join(tmpdir(), prefix))
  let ownership: Ownership | undefined
  try {
    ownership = await own(folder)
    return await work(throwaway(config, join(folder, 'data')))
  } catch (error) {
    if (!isFull(error)) throw error
    const message = `${tmpdir()} has no room for the database of this backup: set TMPDIR to a folder that has`
    throw new BackupError(message, { cause: error })
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    await ownership?.release()
  }
}

/** Rejects if the backup cannot be restored. Files are compared with their digests, and not written. */
export const checkBackup = (
  config: Config,
  path: string,
  walks: readonly Walk[],
  options: CommandOptions,
): Promise<Summary & { findings: Findings }> =>
  inThrowaway(config, options.clock, async (settings) => {
    const summary = await restore(settings, path, { ...options, withoutFiles: true })
    return { ...summary, findings: await verifyInstallation(settings, walks, options) }
  })

/** What checks that were killed have left: it is as large as the database, and the next one needs its room. */
async function removeAbandoned(clock: Clock): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(prefix)) continue
    const path = join(tmpdir(), name)
    const found = await lstat(path).catch(() => undefined)
    if (!found?.isDirectory() || found.uid !== process.getuid?.()) continue
    // One that has only begun does not own its folder yet.
    if (clock.now().getTime() - found.mtimeMs < minutes(1)) continue
    const ownership = await own(path).catch(() => undefined)
    if (!ownership) continue
    await removeTraces(join(path, 'data', 'postgres'))
    await rm(path, { recursive: true, force: true })
    await ownership.release()
  }
}
