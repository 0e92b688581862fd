// The durable inbox: one append-only file of lines, rewritten when most of it is past. Events that arrive together
// share one fsync. Order of truth: a line counts once it is synced; what was not is not acknowledged and comes again.
import { type FileHandle, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Inbox } from '../inbox.ts'
import type { KithEvent } from '../types.ts'
import { fileMode, isCode, makeFolderDurably, syncFolder, writeFileDurably } from './disk.ts'

type Line = { event: KithEvent } | { acked: string } | { done: string } | { past: string }

/** Finished IDs that are still remembered, in case a restored service sends an old event again. */
const rememberPast = 1_024
/** The file is rewritten when it has this many lines more than what is still worth keeping. */
const slackLines = 4_096

/** Open the inbox in `folder`. Only one process may have it open: hold the store's lock `receiver`. */
export async function openFileInbox(folder: string): Promise<Inbox> {
  await makeFolderDurably(folder)
  const path = join(folder, 'events.ndjson')
  const state = emptyState()
  await replay(path, state)
  let file = await open(path, 'a', fileMode)
  await syncFolder(folder)

  let waiting: { line: Line; resolve: () => void; reject: (error: unknown) => void }[] = []
  let writing: Promise<void> | undefined
  let broken: { error: unknown } | undefined

  /** Append a line; resolves once it is on the disk. */
  function append(line: Line): Promise<void> {
    return new Promise((resolve, reject) => {
      if (broken) return reject(broken.error)
      waiting.push({ line, resolve, reject })
      writing ??= drain().finally(() => {
        writing = undefined
      })
    })
  }

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      try {
        await file.appendFile(batch.map(({ line }) => `${JSON.stringify(line)}\n`).join(''))
        await file.datasync()
        state.lines += batch.length
        // Before anyone is told, and before a rewrite: a rewritten file must not bring a finished event back.
        for (const { line } of batch) if ('done' in line) state.apply(line)
      } catch (error) {
        // Half a line may stand at the end now; only the next opening cuts it off, so nothing may follow it.
        broken = { error }
        for (const { reject } of [...batch, ...waiting]) reject(error)
        waiting = []
        return
      }
      for (const { resolve } of batch) resolve()
      if (state.lines > state.worth() + slackLines) await rewrite()
    }
  }

  async function rewrite(): Promise<void> {
    try {
      const lines = state.toLines()
      await writeFileDurably(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
      await file.close()
      file = await open(path, 'a', fileMode)
      state.lines = lines.length
    } catch (error) {
      broken = { error }
    }
  }

  return {
    async add(event) {
      if (state.knows(event.event_id)) {
        // It may still be on its way to the disk: a second copy must not be acknowledged before the first is safe.
        await writing
        if (broken) throw broken.error
        return false
      }
      state.apply({ event })
      await append({ event })
      return true
    },
    acked(eventId) {
      if (!state.knows(eventId)) return
      state.apply({ acked: eventId })
      // Losing this line only keeps the id longer, so nobody waits for it.
      append({ acked: eventId }).catch(() => {})
    },
    async done(eventId) {
      if (!state.isOpen(eventId)) return
      await append({ done: eventId })
    },
    pending: () => state.pending(),
    async close() {
      while (writing) await writing
      broken ??= { error: new Error('the inbox is closed') }
      await file.close()
    },
  }
}

interface State {
  lines: number
  apply(line: Line): void
  knows(eventId: string): boolean
  isOpen(eventId: string): boolean
  pending(): KithEvent[]
  /** Lines that a rewritten file would have. */
  worth(): number
  toLines(): Line[]
}

function emptyState(): State {
  /** Not both done and acknowledged. The event goes once it is done; the id stays until the service cannot repeat it. */
  const current = new Map<string, { event: KithEvent | undefined; acked: boolean }>()
  const past = new Set<string>()

  function retire(id: string): void {
    current.delete(id)
    past.add(id)
    if (past.size > rememberPast) past.delete(past.values().next().value!)
  }

  return {
    lines: 0,
    apply(line) {
      if ('event' in line) current.set(line.event.event_id, { event: line.event, acked: false })
      else if ('past' in line) retire(line.past)
      else {
        const id = 'acked' in line ? line.acked : line.done
        const entry = current.get(id)
        if (!entry) return
        if ('acked' in line) entry.acked = true
        else entry.event = undefined
        if (entry.acked && !entry.event) retire(id)
      }
    },
    knows: (id) => current.has(id) || past.has(id),
    isOpen: (id) => current.get(id)?.event !== undefined,
    pending: () => [...current.values()].flatMap(({ event }) => (event ? [event] : [])),
    worth: () => past.size + 2 * current.size,
    toLines: () => [
      ...[...past].map((id): Line => ({ past: id })),
      ...[...current].flatMap(([id, { event, acked }]): Line[] => {
        // A done event whose acknowledgement is unconfirmed keeps only its id.
        const first: Line = { event: event ?? ({ event_id: id } as KithEvent) }
        return [first, ...(acked ? [{ acked: id }] : []), ...(event ? [] : [{ done: id }])]
      }),
    ],
  }
}

/** An event that a receiver stored; `done` once its consumer is through with it. */
export interface StoredEvent {
  event: KithEvent
  done: boolean
}

/** What the inbox in `folder` holds, oldest first, for a process that does not receive: it changes nothing. */
export async function storedEvents(folder: string): Promise<StoredEvent[]> {
  const text = await readFile(join(folder, 'events.ndjson'), 'utf8').catch((error) => {
    if (isCode(error, 'ENOENT')) return ''
    throw error
  })
  const found = new Map<string, StoredEvent>()
  for (const row of text.split('\n')) {
    const line = parse(row)
    // Of a finished event a rewritten file keeps the ID alone.
    if (line && 'event' in line && line.event.kind !== undefined)
      found.set(line.event.event_id, { event: line.event, done: false })
    const id = line && ('done' in line ? line.done : 'past' in line ? line.past : undefined)
    const entry = id === undefined ? undefined : found.get(id)
    if (entry) entry.done = true
  }
  return [...found.values()]
}

/** Read the file back, and cut off what a crash left half written at its end. */
async function replay(path: string, state: State): Promise<void> {
  const bytes = await readFile(path).catch((error) => {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  })
  if (!bytes) return
  let good = 0
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, end + 1)) {
    const line = parse(bytes.toString('utf8', good, end))
    // Everything behind the first bad line was written after the last sync: never acknowledged, so it comes again.
    if (!line) break
    state.apply(line)
    state.lines++
    good = end + 1
  }
  if (good < bytes.length) await truncate(path, good)
}

async function truncate(path: string, length: number): Promise<void> {
  const file: FileHandle = await open(path, 'r+')
  try {
    await file.truncate(length)
    await file.sync()
  } finally {
    await file.close()
  }
}

function parse(text: string): Line | undefined {
  try {
    const line = JSON.parse(text)
    return typeof line === 'object' && line !== null ? line : undefined
  } catch {
    return undefined
  }
}
