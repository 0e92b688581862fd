// The folder of an export while it is made: whose it is, what is done, and lists that grow page by page. What is written counts
// once progress.json says so: a run that was killed is gone on with from there, and what it wrote beyond is cut off.
import { constants } from 'node:fs'
import { chmod, open, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import {
  createFileDurably,
  fileMode,
  folderMode,
  isCode,
  makeFolderDurably,
  syncFolder,
  writeFileDurably,
} from '../node/disk.ts'
import { folderLocks } from '../node/locks.ts'
import type { Unlock } from '../store.ts'
import { KithExportError, onDisk, type Source } from './source.ts'

export const formatName = 'kith-export-v1'
export const headName = 'export.json'
export const manifestName = 'manifest.json'
/** Gone once the export is complete. */
export const workName = '.unfinished'

export interface Head {
  format: typeof formatName
  service: string
  by: 'agent' | 'operator'
  agent: { id: string; handle: string }
}

/** What could not be exported. */
export type Problem = { list: string; code: string } & Record<string, string>

export interface Progress {
  /** Lists and documents that are complete. */
  done: string[]
  /** The list under way: how many of its bytes count, and where it goes on. */
  current?: { name: string; bytes: number; place: unknown }
  problems: Problem[]
}

export interface ExportFolder {
  path: string
  /** The path of a file of the export. */
  at(name: string): string
  isComplete: boolean
  progress: Progress
  save(): Promise<void>
  release: Unlock
}

/** Files that a killed process left half written. */
const isTemporary = (name: string): boolean => /^\.\d+\.[0-9a-f]{12}\.tmp$/.test(name)

const headOf = ({ of: { service, by, agent } }: Source): Head => ({ format: formatName, service, by, agent })

/** Takes a folder for one export alone: a new or empty one, or that of the same export, which goes on. */
export async function openExport(given: string, source: Source): Promise<ExportFolder> {
  const path = resolve(given)
  return onDisk(path, async () => {
    await makeFolderDurably(path)
    await claim(path, headOf(source))
    const at = (name: string) => join(path, name.startsWith('.') ? workName : '', name)
    const work = join(path, workName)
    const isComplete = () => isThere(join(path, manifestName))
    const progress: Progress = { done: [], problems: [] }
    const made = { path, at, progress, isComplete: true, save: async () => {}, release: async () => {} }
    if (await isComplete()) return made
    await makeFolderDurably(work)
    const unlock = await folderLocks(work)('export', 1_000).catch(async (error) => {
      // Another run has just completed it.
      if (isCode(error, 'ENOENT') && (await isComplete())) return undefined
      throw error
    })
    if (!unlock) return made
    const saved = await readFile(join(work, 'progress.json'), 'utf8').catch(() => undefined)
    if (saved !== undefined) Object.assign(progress, JSON.parse(saved))
    return {
      ...made,
      isComplete: await isComplete(),
      save: () => onDisk(path, () => writeFileDurably(join(work, 'progress.json'), `${JSON.stringify(progress)}\n`)),
      // A complete export has nothing of it left.
      release: () => unlock().catch(() => {}),
    }
  })
}

async function claim(path: string, head: Head): Promise<void> {
  const names = (await readdir(path)).filter((name) => !isTemporary(name))
  if (names.length === 0) {
    await chmod(path, folderMode)
    if (await createFileDurably(join(path, headName), `${JSON.stringify(head)}\n`)) return
  }
  const found = await readHead(path)
  if (!found) throw new KithExportError('folder', `${path} holds something else: name a new or an empty folder`)
  if (found.agent.id === head.agent.id && found.service === head.service && found.by === head.by) return
  const whose = `${found.agent.handle} at ${found.service}${found.by === head.by ? '' : `, made by its ${found.by}`}`
  throw new KithExportError('folder', `${path} holds the export of ${whose}: name another folder`)
}

/** What a folder says of itself; undefined if it is no export. */
export async function readHead(path: string): Promise<Head | undefined> {
  try {
    const head = JSON.parse(await readFile(join(path, headName), 'utf8')) as Head
    const isHead = head.format === formatName && typeof head.agent.id === 'string'
    return isHead && /^[a-z0-9_]{1,64}$/.test(head.agent.handle) ? head : undefined
  } catch {
    return undefined
  }
}

export const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

/** So much is gathered before it is written and counts. */
const enough = 256 * 1024
const oftenEnough = 100

/** Writes what `walk` yields to a list, from where it ended before. */
export async function writeList(
  folder: ExportFolder,
  name: string,
  walk: (place: unknown) => AsyncIterable<{ lines: readonly unknown[]; place: unknown; again?: true }>,
): Promise<void> {
  const { progress } = folder
  const path = folder.at(`${name}.jsonl`)
  await onDisk(path, async () => {
    const begun = progress.current?.name === name ? progress.current : { name, bytes: 0, place: undefined }
    const file = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW, fileMode)
    try {
      let { bytes } = begun
      if ((await file.stat()).size < bytes)
        throw new KithExportError('damaged', `${path} was shortened: begin a new export`)
      await file.truncate(bytes)
      let gathered: Buffer[] = []
      let waiting = 0
      let steps = 0
      const write = async (): Promise<void> => {
        for (const each of gathered) {
          await writeAll(file, each, bytes)
          bytes += each.length
        }
        await file.datasync()
        gathered = []
        waiting = steps = 0
      }
      for await (const { lines, place, again } of walk(begun.place)) {
        if (again) {
          gathered = []
          waiting = bytes = 0
          await file.truncate(0)
        }
        const text = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
        if (text.length > 0) gathered.push(text)
        waiting += text.length
        if (!again && waiting < enough && (place === undefined || ++steps < oftenEnough)) continue
        await write()
        // It counts once there is a place to go on from.
        if (!again && place === undefined) continue
        progress.current = { name, bytes, place }
        await folder.save()
      }
      await write()
    } finally {
      await file.close()
    }
    await syncFolder(folder.path)
    progress.done.push(name)
    delete progress.current
    await folder.save()
  })
}

/** A short write is not a failure: what stops the next one is. */
async function writeAll(file: Awaited<ReturnType<typeof open>>, bytes: Buffer, at: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, at + written)
    written += bytesWritten
  }
}

/** Writes a document of its own. */
export async function writeDocument(folder: ExportFolder, name: string, text: string): Promise<void> {
  const path = folder.at(name)
  await onDisk(path, () => writeFileDurably(path, text))
}

/** The lines of a list from a byte on, each with the byte at which the next one begins. */
export async function* linesOf(path: string, from = 0): AsyncGenerator<{ line: unknown; next: number }> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  let rest: Buffer[] = []
  let at = from
  try {
    for await (const chunk of file.createReadStream({ start: from, autoClose: false }) as AsyncIterable<Buffer>) {
      let begin = 0
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, begin)) {
        const text = Buffer.concat([...rest, chunk.subarray(begin, end)])
        rest = []
        begin = end + 1
        at += text.length + 1
        yield { line: JSON.parse(text.toString('utf8')), next: at }
      }
      if (begin < chunk.length) rest.push(chunk.subarray(begin))
    }
  } finally {
    await file.close()
  }
}

/** What only an unfinished export needs, and what killed runs left half written. */
export async function removeWork({ path }: ExportFolder): Promise<void> {
  const left = (await readdir(path)).filter((name) => name === workName || isTemporary(name))
  // Another run may put its lock there meanwhile, and sees then that the export is complete.
  for (const name of left) await rm(join(path, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 10 })
}
