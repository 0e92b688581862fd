// The storage that STORAGE_URL names.
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { openLocalStorage } from './local.ts'
import type { Storage } from './storage.ts'

/** Rejects where the local folder for incoming files cannot be written; an S3 service may be away. */
export async function openStorage({ storage, dataDir }: Config): Promise<Storage> {
  if (storage.kind === 'file') return openLocalStorage(storage.folder)
  const { openS3Storage } = await import('./s3.ts')
  return openS3Storage(storage, { incoming: join(dataDir, 'uploads') })
}
