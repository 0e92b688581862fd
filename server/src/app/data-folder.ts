// DATA_DIR and the files that settings name, tried before the database is touched: what cannot be used stops the start with the one
// line that says why.
import { randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, ConfigError } from '../config.ts'
import { loadDocuments } from '../documents.ts'
import { makeFolders } from '../kernel/durable.ts'
import { parseSender } from '../mail/message.ts'
import { ensureFolder } from '../mail/transport.ts'
import { makeFolder } from '../storage/folders.ts'

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space left',
  EDQUOT: 'the disk quota of this user is used up',
  ENOTDIR: 'it is not a folder',
  EEXIST: 'it is not a folder',
  ENOENT: 'it cannot be created there',
}

/** As much as a file system without room would not take. */
const attempt = Buffer.alloc(64 * 1024)

/** Once the database is migrated, the version before would not start on it: too late to find that this one does not either. */
export async function requireUsable(config: Config): Promise<void> {
  await requireDataFolder(config.dataDir)
  const { storage, mail } = config
  if (storage.kind === 'file') await requireFolder('STORAGE_URL', storage.folder, makeFolder, fullDisk)
  if (mail.kind === 'file') await requireFolder('MAIL_URL', mail.folder, ensureFolder, fullDisk)
  parseSender(config.mailFrom)
  await loadDocuments(config.documentsDir, '')
  if (config.siteDir !== undefined) (await import('../site/brand/folder.ts')).readFolder(config.siteDir)
  if (config.siteLogo !== undefined) (await import('../site/brand/logo.ts')).readLogo(config.siteLogo)
}

/** Every node needs it, if only for uploads on their way to S3. */
export const requireDataFolder = (folder: string): Promise<void> =>
  requireFolder('DATA_DIR', folder, (path) => makeFolders(path, 0o700))

/** Without room for files or emails the rest of the service works. */
const fullDisk: readonly string[] = ['ENOSPC', 'EDQUOT']

async function requireFolder(
  setting: string,
  folder: string,
  make: (path: string) => Promise<unknown>,
  passing: readonly string[] = [],
): Promise<void> {
  const path = join(folder, `.writable-${randomUUID()}`)
  try {
    await make(folder)
    try {
      const file = await open(path, 'wx', 0o600)
      try {
        await file.writeFile(attempt)
        await file.sync()
      } finally {
        await file.close()
      }
    } finally {
      await rm(path, { force: true })
    }
  } catch (error) {
    const { code = 'unknown', message } = error as NodeJS.ErrnoException
    if (passing.includes(code)) return
    const where = folder.replace(/\p{Cc}/gu, '?')
    throw new ConfigError(`Cannot write to ${setting} ${where}: ${reasons[code] ?? message}`, { cause: error })
  }
}
