// What a backup file is: a tar.gz of one mark, the parts of each table, the key, the files, and last the manifest that
// names every part with its digest. A file that ends early has no manifest, and one without is refused.
import { hash } from 'node:crypto'

/** Raised when an older version could not read what this one writes. */
export const formatVersion = 1

export const markName = 'kith-backup'

/** The first entry. */
export interface Mark {
  format: number
  /** The fingerprint of the installation's key; missing in the first backups. */
  installation?: string
}

export const manifestName = 'manifest.json'
export const secretName = 'secret-key'

/** What one entry holds in memory while it is written or read; text rows and files are cut at any byte. */
export const partSize = 8 * 1024 * 1024
/** No part that we wrote is longer; a manifest lists every part. */
export const longestPart = partSize
export const longestManifest = 256 * 1024 * 1024

export interface ArchivePart {
  name: string
  bytes: number
  sha256: string
}

export interface TablePart {
  name: string
  columns: string[]
  rows: number
  parts: ArchivePart[]
}

export interface FilePart {
  /** Below the storage folder, with `/` between its names. */
  path: string
  bytes: number
  parts: ArchivePart[]
}

export interface Manifest {
  format: number
  created_at: string
  migrations: { name: string; digest: string }[]
  tables: TablePart[]
  sequences: { name: string; value: string; called: boolean }[]
  secret: { part: ArchivePart; fingerprint: string }
  /** Null if the bytes lie in a storage of their own, which is backed up by its own means. */
  files: FilePart[] | null
}

export const partsOf = ({ tables, files, secret }: Manifest): ArchivePart[] => [
  ...tables.flatMap(({ parts }) => parts),
  ...(files ?? []).flatMap(({ parts }) => parts),
  secret.part,
]

export const digestOf = (bytes: Buffer): string => hash('sha256', bytes)

/** A path below a folder, whoever wrote it. */
export const isInside = (path: string): boolean =>
  path.split('/').every((name) => name !== '' && name !== '.' && name !== '..' && !/[\\\0]/.test(name))

/** Cuts a stream at the size of a part, whatever it is in the middle of. */
export async function* inParts(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let gathered: Buffer[] = []
  let size = 0
  for await (let chunk of stream) {
    while (size + chunk.length >= partSize) {
      const room = partSize - size
      yield Buffer.concat([...gathered, chunk.subarray(0, room)])
      chunk = chunk.subarray(room)
      gathered = []
      size = 0
    }
    gathered.push(chunk)
    size += chunk.length
  }
  if (size > 0) yield Buffer.concat(gathered)
}

/** A backup that cannot be made or a file that cannot be restored; the message is one line for a person. */
export class BackupError extends Error {}

const unreadableFor: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'this user may not read it',
  EISDIR: 'it is a folder',
  ENOTDIR: 'it is not a folder',
}

export function unreadable(path: string, error: unknown): BackupError {
  const { code = 'unknown' } = error as NodeJS.ErrnoException
  return new BackupError(`${path} cannot be read: ${unreadableFor[code] ?? code}`)
}
