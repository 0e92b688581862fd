// Whether a file is a backup, and a whole one: each byte is read, and nothing is restored.
import { deriveSecrets } from '../secrets.ts'
import { readArchive } from './archive.ts'
import {
  type ArchivePart,
  BackupError,
  digestOf,
  isInside,
  type Manifest,
  type Mark,
  manifestName,
  partsOf,
} from './format.ts'
import type { Watching } from './load.ts'

/** Throws a {@link BackupError} if the file does not begin like a backup; gives its first entry. */
export async function requireBackup(path: string): Promise<Mark> {
  let mark: Mark | undefined
  const entries = readArchive(path, undefined, (found) => {
    mark = found
  })
  await entries.next()
  await entries.return(undefined)
  return mark as Mark
}

/** Reads the whole file once: every part there, each with its digest, nothing else. */
export async function verify(
  path: string,
  { signal, progress }: Watching,
): Promise<{ manifest: Manifest; secretKey: string }> {
  const seen = new Map<string, { bytes: number; sha256: string }>()
  let text: Buffer | undefined
  let secretKey = ''
  const damaged = (): never => {
    throw new BackupError(`${path} is damaged or incomplete`)
  }
  for await (const { name, bytes } of readArchive(path, (done, total) =>
    progress('checking the backup', done, total),
  )) {
    signal?.throwIfAborted()
    if (text || seen.has(name)) damaged()
    if (name === manifestName) text = bytes
    else seen.set(name, { bytes: bytes.length, sha256: digestOf(bytes) })
    if (name === 'secret-key') secretKey = bytes.toString().trim()
  }
  if (!text) return damaged()
  let manifest: Manifest
  let parts: ArchivePart[]
  try {
    manifest = JSON.parse(text.toString()) as Manifest
    parts = partsOf(manifest)
  } catch {
    return damaged()
  }
  for (const part of parts) {
    const found = seen.get(part.name)
    if (found?.sha256 !== part.sha256 || found.bytes !== part.bytes) damaged()
  }
  if (parts.length !== seen.size) damaged()
  if (deriveSecrets(secretKey).fingerprint !== manifest.secret.fingerprint) damaged()
  for (const file of manifest.files ?? []) if (!isInside(file.path)) damaged()
  return { manifest, secretKey }
}
