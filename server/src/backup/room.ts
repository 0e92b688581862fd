// Where something is restored into: a place that nothing is in, before and after it is filled.
import { readdir, readFile, rm } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type pg from 'pg'
import { type Config, ConfigError } from '../config.ts'
import { saysFull } from '../embedded/launch.ts'
import { makeFolders } from '../kernel/durable.ts'
import { orMissing } from '../storage/folders.ts'
import { incomingName } from '../storage/local.ts'
import type { Undo } from './files.ts'
import { BackupError } from './format.ts'

interface Arriving {
  secretKey: string
  hasFiles: boolean
  from: 'backup' | 'archive'
}

/** Refuses a place that is taken, before anything is touched; returns the key that lies there already. */
export async function requireRoom(
  config: Config,
  { secretKey, hasFiles, from }: Arriving,
): Promise<string | undefined> {
  if (config.secretKey !== undefined && config.secretKey !== secretKey) {
    throw new ConfigError(
      `SECRET_KEY is not the one in the ${from}${from === 'backup' ? ': see its entry secret-key' : ': unset it'}`,
    )
  }
  const existing = (await readFile(join(config.dataDir, 'secret-key'), 'utf8').catch(orMissing(undefined)))?.trim()
  if (config.secretKey === undefined && existing !== undefined && existing !== secretKey) {
    throw new BackupError(`${config.dataDir} has the secret-key of another installation: restore into a new folder`)
  }
  if (hasFiles) {
    if (config.storage.kind !== 'file') {
      throw new BackupError(`The ${from} contains files, but STORAGE_URL is not a folder`)
    }
    const present = await readdir(config.storage.folder).catch(orMissing<string[]>([]))
    if (present.some((name) => name !== incomingName))
      throw new BackupError(`${config.storage.folder} is not empty: restore into an empty folder`)
  }
  return existing
}

/** Whether an error, or what caused it, is a full disk. */
export const isFull = (error: unknown): boolean =>
  error instanceof Error && (saysFull(error.message) || isFull(error.cause))

/** What to do if a disk was full, in place of the file that PostgreSQL could not write; any other error stays. */
export function explained(error: unknown, { dataDir, databaseUrl, storage }: Config): unknown {
  if (!isFull(error)) return error
  const places = [databaseUrl === undefined ? dataDir : 'the database server']
  if (storage.kind === 'file' && (databaseUrl !== undefined || !storage.folder.startsWith(dataDir + sep)))
    places.push(storage.folder)
  return new BackupError(`No room in ${places.join(' or ')}: make room and repeat. Nothing was restored`, {
    cause: error,
  })
}

export async function makeFolder(folder: string, undo: Undo[]): Promise<void> {
  const made = await makeFolders(folder, 0o700)
  if (made !== undefined) undo.push(() => rm(made, { recursive: true, force: true }))
}

export async function requireFingerprint(
  client: pg.Client,
  fingerprint: string,
  from: Arriving['from'],
): Promise<void> {
  const { rows } = await client.query<{ value: string }>("select value from instance where name = 'secret_fingerprint'")
  if (rows[0]?.value !== fingerprint) throw new BackupError(`The key in the ${from} does not match its database`)
}
