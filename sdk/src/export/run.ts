// Makes an export, or goes on with one: list after list, then the bytes of the files, then the manifest.
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { extensionOf } from '../extension.ts'
import { makeFolderDurably } from '../node/disk.ts'
import { type ExportFolder, isThere, linesOf, openExport, removeWork, writeDocument, writeList } from './folder.ts'
import { checkMoves, isPlace, keyOf, type Place, pages } from './lists.ts'
import { type Totals, totalsOf, writeManifest } from './manifest.ts'
import { isId, type Planned, plan, type Wanted, wantedIn, withFiles } from './plan.ts'
import { onDisk, type Source } from './source.ts'

export interface ExportOptions {
  /** What is being exported. */
  told?: (what: string, received?: number, size?: number) => void
  /** Before this run reads anything; not for an export that is complete. */
  begin?: () => Promise<void>
  /** A document that its maker adds at the end, by name. */
  last?: () => Promise<readonly [name: string, text: string] | undefined>
  signal?: AbortSignal
}

export interface Exported extends Totals {
  path: string
  /** What could not be exported: the lines of problems.jsonl. */
  problems: number
  /** It was complete before. */
  was: boolean
}

export const keysName = 'keys.json'
const problemsName = 'problems'
const openedName = 'messages-opened'
const recordName = 'record'

/** Exports to a folder. Killed at any moment, the same again goes on; once it is complete, it changes nothing more. */
export async function exportTo(path: string, source: Source, options: ExportOptions = {}): Promise<Exported> {
  const folder = await openExport(path, source)
  try {
    const was = folder.isComplete
    if (!was) {
      await options.begin?.()
      await fill(folder, source, options)
      const last = await options.last?.()
      if (last) await writeDocument(folder, ...last)
      await writeManifest(folder.path)
    }
    await removeWork(folder)
    return { path: folder.path, was, problems: await problemsIn(folder), ...(await totalsOf(folder.path)) }
  } finally {
    await folder.release()
  }
}

async function problemsIn(folder: ExportFolder): Promise<number> {
  let count = 0
  if (!(await isThere(folder.at(`${problemsName}.jsonl`)))) return count
  for await (const _ of linesOf(folder.at(`${problemsName}.jsonl`))) count++
  return count
}

async function fill(folder: ExportFolder, source: Source, { told = () => {}, signal }: ExportOptions): Promise<void> {
  const { progress } = folder
  const once = async (name: string, work: () => Promise<void>): Promise<void> => {
    signal?.throwIfAborted()
    if (progress.done.includes(name)) return
    told(name.replace(/^\./, ''))
    await work()
  }
  for (const planned of plan) await once(planned.name, () => fillOne(folder, source, planned, signal))
  await once(openedName, async () => {
    const { open } = source
    if (open) await writeList(folder, openedName, (place) => opened(folder, open, place, signal))
  })
  await once(recordName, async () => {
    const text = await source.record()
    if (text !== undefined) await writeDocument(folder, `${recordName}.json`, text)
    progress.done.push(recordName)
    await folder.save()
  })
  await once(problemsName, async () => {
    // Looked through from the beginning: files that are there are not loaded again.
    delete progress.current
    await writeList(folder, problemsName, async function* () {
      yield { lines: progress.problems, place: undefined }
      if (source.open) yield* unopened(folder)
      yield* missing(folder, source, told, signal)
    })
  })
}

async function fillOne(
  folder: ExportFolder,
  source: Source,
  planned: Planned,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { name, route, query = {}, isOne, of } = planned
  if (isOne && !of) {
    const body = await source.read(route, { path: ownPath(planned, source), query }).catch((error) => {
      if (planned.none?.includes(source.refusalOf(error)?.code ?? '')) return undefined
      throw error
    })
    if (body) await writeDocument(folder, `${name}.json`, `${JSON.stringify(body)}\n`)
    folder.progress.done.push(name)
    return folder.save()
  }
  await writeList(folder, name, (place) => walk(folder, source, planned, place, signal))
}

const ownPath = ({ own }: Planned, source: Source): Record<string, string> =>
  own === undefined ? {} : { [own]: source.of.agent.id }

/** Where a list goes on that is read once for each ID in the lines of another one. */
interface Within {
  at: number
  /** How many IDs of that line are done. */
  nth?: number
  place?: Place | undefined
}

async function* walk(
  folder: ExportFolder,
  source: Source,
  planned: Planned,
  from: unknown,
  signal: AbortSignal | undefined,
): AsyncGenerator<{ lines: unknown[]; place: unknown; again?: true }> {
  const { name, of, keeps } = planned
  const problem = (code: string | undefined, path: Record<string, string>): void => {
    if (code !== undefined) folder.progress.problems.push({ list: name.replace(/^\./, ''), code, ...path })
  }
  const isWithin = (place: unknown): place is Within => Object(place).at !== undefined && isPlace(Object(place).place)
  // Another version of this program walked the list differently.
  if (from !== undefined && !(of ? isWithin(from) : isPlace(from))) yield { lines: [], place: undefined, again: true }
  if (!of) {
    const place = isPlace(from) ? from : undefined
    const path = ownPath(planned, source)
    const written = await writtenBefore(folder, name, place)
    for await (const page of pages({ source, planned, path, written }, place)) {
      signal?.throwIfAborted()
      problem(page.problem, {})
      yield keeps ? { ...page, lines: page.lines.filter(keeps) } : page
    }
    return
  }
  let begin: Within | undefined = isWithin(from) ? from : { at: 0 }
  for (let moves = 0; begin; checkMoves(name, ++moves)) {
    let { at, nth = 0, place }: Within = begin
    begin = undefined
    for await (const { line, next } of linesOf(folder.at(`${of.list}.jsonl`), at)) {
      const ids = of.ids(line).filter(isId)
      for (; nth < ids.length && !begin; nth++, place = undefined) {
        const path = { [of.param]: ids[nth]! }
        const rest = nth + 1 < ids.length ? { at, nth: nth + 1 } : { at: next }
        const written = await writtenBefore(folder, name, place, path)
        for await (const page of pages({ source, planned, path, written }, place)) {
          signal?.throwIfAborted()
          if (page.again) begin = { at: 0 }
          if (begin) break
          problem(page.problem, path)
          const lines = page.lines.map((each) => ({ ...path, ...each }))
          yield { lines, place: page.place === undefined ? rest : { at, nth, place: page.place } }
        }
      }
      if (begin) break
      at = next
      nth = 0
    }
    if (begin) yield { lines: [], place: begin, again: true }
  }
}

/** What an earlier run wrote of a list that goes on at a place. */
async function writtenBefore(
  folder: ExportFolder,
  name: string,
  place: Place | undefined,
  path: Record<string, string> = {},
): Promise<Set<string>> {
  const written = new Set<string>()
  if (!place || !('seen' in place)) return written
  for await (const { line } of linesOf(folder.at(`${name}.jsonl`))) {
    const isOfList = Object.entries(path).every(([param, id]) => (line as Record<string, unknown>)[param] === id)
    if (isOfList) written.add(keyOf(line))
  }
  return written
}

/** The messages that did not open. */
async function* unopened(folder: ExportFolder): AsyncGenerator<{ lines: unknown[]; place: undefined }> {
  for await (const { line } of linesOf(folder.at(`${openedName}.jsonl`))) {
    const { message_id, problem } = line as { message_id: string; problem?: string }
    if (problem !== undefined) yield { lines: [{ list: 'messages', code: problem, message_id }], place: undefined }
  }
}

/** Fetches the bytes of each file that is not there yet, and yields those that cannot be had. */
async function* missing(
  folder: ExportFolder,
  source: Source,
  told: NonNullable<ExportOptions['told']>,
  signal: AbortSignal | undefined,
): AsyncGenerator<{ lines: unknown[]; place: undefined }> {
  const files = folder.at('files')
  await onDisk(files, () => makeFolderDurably(files))
  for (const list of withFiles)
    for await (const { line } of linesOf(folder.at(`${list}.jsonl`)))
      for (const wanted of wantedIn(line)) {
        signal?.throwIfAborted()
        const code = await fetched(files, source, wanted, told)
        if (code !== undefined) yield { lines: [{ list, code, file_id: wanted.card.id }], place: undefined }
      }
  // Of files that were deleted while they were loaded.
  for (const name of await readdir(files)) if (name.endsWith('.part')) await rm(join(files, name), { force: true })
}

/** A file has its name once it is whole. The code of the refusal if it cannot be had. */
async function fetched(
  files: string,
  source: Source,
  wanted: Wanted,
  told: NonNullable<ExportOptions['told']>,
): Promise<string | undefined> {
  const { id, size } = wanted.card
  const path = join(files, `${id}.${extensionOf(wanted.card)}`)
  if (await isThere(path)) return undefined
  try {
    await onDisk(path, () => source.save(wanted, path, (received) => told(id, received, size)))
    return undefined
  } catch (error) {
    const refused = source.refusalOf(error)
    if (refused && [403, 404].includes(refused.status)) return refused.code
    throw error
  }
}

/** Messages that are opened before they are written. */
const together = 50

async function* opened(
  folder: ExportFolder,
  open: NonNullable<Source['open']>,
  from: unknown,
  signal: AbortSignal | undefined,
): AsyncGenerator<{ lines: unknown[]; place: unknown }> {
  const { at } = (from ?? { at: 0 }) as Within
  let lines: unknown[] = []
  let place: Within | undefined
  for await (const { line, next } of linesOf(folder.at('messages.jsonl'), at)) {
    signal?.throwIfAborted()
    lines.push(await open(line))
    place = { at: next }
    if (lines.length < together) continue
    yield { lines, place }
    lines = []
  }
  if (lines.length > 0) yield { lines, place }
}
