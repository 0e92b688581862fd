// manifest.json: every file of an export with its size and digest, and the check of a folder against it.
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, lstat, open, opendir, readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { isCode, writeFileDurably } from '../node/disk.ts'
import { manifestName, workName } from './folder.ts'
import { KithExportError, onDisk } from './source.ts'

export interface Totals {
  files: number
  bytes: number
}

interface Entry {
  path: string
  size: number
  sha256: string
}

/** A manifest of a million files is shorter. */
const longestManifest = 256 * 1024 * 1024
/** So many files that are not listed are named. */
const mostNamed = 1000

/** What an export writes; whatever else somebody put beside it is no part of it. */
const ownNames = /^[a-z-]+\.jsonl?$/
const fileNames = /^[0-9a-f-]{36}\.[a-z0-9]+$/

/** Lists what is in the folder: the last file that is written. */
export async function writeManifest(folder: string): Promise<void> {
  const names = await onDisk(folder, () => readdir(folder))
  const below = await onDisk(join(folder, 'files'), () => readdir(join(folder, 'files')))
  const paths = [
    ...names.filter((name) => ownNames.test(name) && name !== manifestName),
    ...below.filter((name) => fileNames.test(name)).map((name) => `files/${name}`),
  ].sort()
  const files: Entry[] = []
  for (const path of paths) {
    const found = await digestOf(join(folder, path))
    if (!found) throw new KithExportError('damaged', `${join(folder, path)} is not a file: begin a new export`)
    files.push({ path, ...found })
  }
  const path = join(folder, manifestName)
  await onDisk(path, () => writeFileDurably(path, `${JSON.stringify({ files }, null, 1)}\n`))
}

export async function totalsOf(folder: string): Promise<Totals> {
  const files = await readManifest(folder)
  return { files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0) }
}

/** Size and digest of a regular file; undefined for anything else. A link is not followed, and a pipe not waited for. */
async function digestOf(path: string): Promise<Omit<Entry, 'path'> | undefined> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const file: FileHandle | undefined = await open(path, flags).catch((error) => {
    if (['ENOENT', 'ELOOP', 'EMLINK', 'ENOTDIR', 'ENXIO', 'EACCES'].some((code) => isCode(error, code)))
      return undefined
    throw error
  })
  if (!file) return undefined
  try {
    if (!(await file.stat()).isFile()) return undefined
    const hash = createHash('sha256')
    let size = 0
    for await (const chunk of file.createReadStream({ autoClose: false, highWaterMark: 256 * 1024 })) {
      hash.update(chunk as Buffer)
      size += (chunk as Buffer).length
    }
    return { size, sha256: hash.digest('hex') }
  } finally {
    await file.close()
  }
}

export interface Checked extends Totals {
  /** Neither missing nor changed files. */
  isWhole: boolean
  /** Paths of the manifest. */
  missing: string[]
  changed: string[]
  /** What is in the folder and not in the manifest, up to a thousand. */
  unlisted: string[]
}

/** Compares a folder with its manifest. Reads nothing outside the folder, and follows no link. */
export async function checkExport(given: string): Promise<Checked> {
  const folder = resolve(given)
  const entries = await readManifest(folder)
  const missing: string[] = []
  const changed: string[] = []
  let bytes = 0
  for (const { path, size, sha256 } of entries) {
    const at = join(folder, path)
    if (!(await isWithoutLinks(folder, path))) missing.push(path)
    else {
      const found = await onDisk(at, () => digestOf(at))
      if (found?.size !== size || found.sha256 !== sha256) changed.push(path)
    }
    bytes += size
  }
  const listed = new Set([manifestName, ...entries.map(({ path }) => path)])
  const unlisted: string[] = []
  for await (const path of below(folder, '')) {
    if (listed.has(path)) continue
    if (unlisted.length >= mostNamed) break
    unlisted.push(path)
  }
  const isWhole = missing.length === 0 && changed.length === 0
  return { isWhole, files: entries.length, bytes, missing, changed, unlisted: unlisted.sort() }
}

/** Whether a path leads through folders alone to something that is no link. */
async function isWithoutLinks(folder: string, path: string): Promise<boolean> {
  const parts = path.split('/')
  for (let n = 1; n <= parts.length; n++) {
    const found = await lstat(join(folder, ...parts.slice(0, n))).catch(() => undefined)
    if (!found || found.isSymbolicLink() || (n < parts.length && !found.isDirectory())) return false
  }
  return true
}

async function* below(folder: string, path: string): AsyncGenerator<string> {
  for await (const entry of await opendir(join(folder, path))) {
    const each = path === '' ? entry.name : `${path}/${entry.name}`
    // A folder is named by what is in it.
    if (entry.isDirectory()) yield* below(folder, each)
    else yield each
  }
}

async function readManifest(folder: string): Promise<Entry[]> {
  const path = join(folder, manifestName)
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => undefined)
  if (!file) {
    const isBegun = await lstat(join(folder, workName)).then(
      () => true,
      () => false,
    )
    throw isBegun
      ? new KithExportError('incomplete', `the export in ${folder} is not complete: run the same kith export again`)
      : new KithExportError('folder', `there is no export in ${folder}: it has no ${manifestName}`)
  }
  try {
    const { size } = await file.stat()
    const manifest: unknown = size > longestManifest ? undefined : JSON.parse(await readFile(file, 'utf8'))
    const { files } = (manifest ?? {}) as { files?: unknown }
    if (Array.isArray(files) && files.every(isEntry) && new Set(files.map((each) => each.path)).size === files.length)
      return files
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  } finally {
    await file.close()
  }
  throw new KithExportError('damaged', `${path} is not the manifest of an export`)
}

/** A path of a manifest stays in its folder. */
const isInside = (path: string): boolean =>
  path.length <= 4096 &&
  !/[\\\u0000-\u001f:]/.test(path) &&
  path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')

function isEntry(value: unknown): value is Entry {
  const { path, size, sha256 } = (value ?? {}) as Partial<Entry>
  return (
    typeof path === 'string' &&
    isInside(path) &&
    Number.isSafeInteger(size) &&
    (size as number) >= 0 &&
    typeof sha256 === 'string' &&
    /^[0-9a-f]{64}$/.test(sha256)
  )
}
