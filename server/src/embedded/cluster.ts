import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, constants, lstat, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Account, giveTo, ownAccount, ownName } from './account.ts'
import type { Binaries } from './binaries.ts'
import { run } from './launch.ts'
import { endLeftovers } from './leftovers.ts'

/** The name of the database, and of the role that owns everything in it. */
export const DATABASE = 'kith'

const UNFINISHED = 'initdb-'

/** A slow disk takes long for a large restore. */
const SYNC_MS = 3_600_000

type Log = (level: 'info' | 'warn' | 'error', message: string) => void

/** Where the database files are: beside the lock, in a folder of the service that PostgreSQL's user cannot change. */
export function dataFolderOf(folder: string): string {
  return join(folder, 'data')
}

/** Leaves a data folder that the binaries can serve: the existing one after a check, or a new one. */
export async function prepareCluster(folder: string, binaries: Binaries, account: Account, log: Log): Promise<void> {
  const dataFolder = dataFolderOf(folder)
  await removeUnfinished(folder, log)
  const existing = await lstat(dataFolder).catch(() => undefined)
  if (existing) {
    await checkVersion(dataFolder, binaries)
    if ((existing.mode & 0o077) !== 0) await chmod(dataFolder, 0o700)
    await endLeftovers(dataFolder, log)
  } else {
    await keepCluster(folder, await createCluster(folder, binaries, account), binaries, account)
    log('info', `created a new PostgreSQL ${binaries.major} data folder in ${dataFolder}`)
  }
  await writeAccessRules(dataFolder, account)
}

/**
 * Makes a cluster under a name of its own, and returns its folder. {@link keepCluster} makes it the data folder: what happens
 * to it until then may be as fast as it can, for a process that dies leaves no data folder.
 */
export async function prepareProvisional(
  folder: string,
  binaries: Binaries,
  account: Account,
  log: Log,
  fill?: Fill,
): Promise<string> {
  await removeUnfinished(folder, log)
  const dataFolder = dataFolderOf(folder)
  if (existsSync(dataFolder)) throw new Error(`${dataFolder} is there already`)
  const fresh = fill ? await filled(folder, account, fill) : await createCluster(folder, binaries, account)
  if (fill) await checkVersion(fresh, binaries)
  await writeAccessRules(fresh, account)
  return fresh
}

/** Writes the files of a cluster into an empty folder; all that it makes must belong to the account. */
export type Fill = (dataFolder: string, account: Account) => Promise<void>

async function filled(folder: string, account: Account, fill: Fill): Promise<string> {
  const fresh = await makeFresh(folder, account)
  try {
    await fill(fresh, account)
    return fresh
  } catch (error) {
    await rm(fresh, { recursive: true, force: true })
    throw error
  }
}

async function makeFresh(folder: string, account: Account): Promise<string> {
  const fresh = join(folder, `${UNFINISHED}${randomBytes(6).toString('hex')}`)
  await mkdir(fresh, { mode: 0o700 })
  await giveTo(account, fresh)
  return fresh
}

/** A process that is killed before its cluster is kept leaves a folder under a name of its own. */
async function removeUnfinished(folder: string, log: Log): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(UNFINISHED)) continue
    const unfinished = join(folder, name)
    log('warn', `removing ${unfinished}, left by an interrupted first start or restore`)
    await endLeftovers(unfinished, log)
    await rm(unfinished, { recursive: true, force: true })
  }
}

async function checkVersion(dataFolder: string, binaries: Binaries): Promise<void> {
  const text = await readFile(join(dataFolder, 'PG_VERSION'), 'utf8').catch(() => '')
  const major = Number.parseInt(text, 10)
  if (Number.isNaN(major)) throw new Error(`${dataFolder} is not a PostgreSQL data folder: it has no PG_VERSION`)
  if (major !== binaries.major) {
    throw new Error(
      `${dataFolder} holds data of PostgreSQL ${major}, which needs binaries of version ${major}, and these are of ${binaries.major}: ` +
        `take a backup with the release that brings version ${major} and restore it into a new data folder`,
    )
  }
}

/** Makes a cluster in a sibling of the data folder, and returns that. */
async function createCluster(folder: string, binaries: Binaries, account: Account): Promise<string> {
  const fresh = await makeFresh(folder, account)
  const options = { account, dataFolder: fresh, deathSignal: 'KILL' } as const
  try {
    // The builtin locale knows Unicode's letters without any locale of the operating system.
    const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
    const access = ['--auth-local=peer', '--auth-host=reject', `--username=${DATABASE}`]
    await run(binaries.initdb, [...locale, ...access, '--data-checksums', '--no-sync', '--no-instructions'], options)
    // Renaming the empty database that initdb makes costs nothing, where creating one would copy a template.
    const input = `ALTER DATABASE postgres RENAME TO ${DATABASE}\n`
    await run(binaries.postgres, ['-c', 'fsync=off', 'template1'], { ...options, input, firstArgument: '--single' })
    return fresh
  } catch (error) {
    throw await failedToMake(folder, fresh, error)
  }
}

/**
 * Makes a cluster, on which no server runs, the data folder. All of it reaches the disk before the rename, and `last` is done
 * right before that.
 */
export async function keepCluster(
  folder: string,
  fresh: string,
  binaries: Binaries,
  account: Account,
  last: () => Promise<void> = async () => {},
): Promise<void> {
  try {
    const options = { account, dataFolder: fresh, deathSignal: 'KILL', limit: SYNC_MS } as const
    await run(binaries.initdb, ['--sync-only'], options)
    await last()
    await rename(fresh, dataFolderOf(folder))
    await syncFolder(folder)
  } catch (error) {
    throw await failedToMake(folder, fresh, error)
  }
}

async function failedToMake(folder: string, fresh: string, error: unknown): Promise<Error> {
  await rm(fresh, { recursive: true, force: true })
  return new Error(`the PostgreSQL data folder cannot be created in ${folder}: ${(error as Error).message}`)
}

/**
 * Lets in only the user of the service, identified by the kernel at the other end of the socket. Written at every
 * start, because the service may run as another user than the last time.
 */
async function writeAccessRules(dataFolder: string, account: Account): Promise<void> {
  const user = `"${ownName().replaceAll('"', '""')}"`
  await replaceFile(dataFolder, 'pg_hba.conf', `local all ${DATABASE} peer map=service\n`, account)
  await replaceFile(dataFolder, 'pg_ident.conf', `service ${user} ${DATABASE}\n`, account)
}

/** Replaces a file in a folder that PostgreSQL's user can write to, where a root must not follow a planted link. */
async function replaceFile(folder: string, name: string, content: string, account: Account): Promise<void> {
  const fresh = join(folder, `${name}.${randomBytes(6).toString('hex')}`)
  const file = await open(fresh, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600)
  try {
    await file.writeFile(content)
    if (account.uid !== ownAccount().uid) await file.chown(account.uid, account.gid)
  } finally {
    await file.close()
  }
  await rename(fresh, join(folder, name))
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}
