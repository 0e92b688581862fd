// Where a client keeps what it must not lose. Node has a folder (`node/folder.ts`); a browser can bring IndexedDB.
import { busy, KithDamagedError } from './errors.ts'

/** Ends a lock; calling it twice is harmless. */
export type Unlock = () => Promise<void>

/**
 * Small named texts, kept durably. A name is `file` or `folder/file`, of lower-case letters, digits, `.`, `_` and `-`.
 * Every write has reached the disk when its promise resolves, and is whole or absent after a crash, never half.
 */
export interface Store {
  read(name: string): Promise<string | undefined>
  write(name: string, text: string): Promise<void>
  /** As `write`, but only where nothing has that name: false, and nothing changed, if something has. Atomic. */
  create(name: string, text: string): Promise<boolean>
  /** Absent afterwards, and no error if it was before. */
  remove(name: string): Promise<void>
  /** The files of a folder, without the folder's name, in ascending order. */
  list(folder: string): Promise<string[]>
  /**
   * A mark that only this content of a file has: while the mark is the same, so is the text, whichever process writes.
   * Undefined if that is not certain, or nothing has the name. A store without marks is read each time.
   */
  mark?(name: string): Promise<string | undefined>
  /**
   * Hold a name alone, across every process that uses this store; the death of the holder ends it. Waits `waitMs` for
   * another holder (30 s unless told), then throws `KithBusyError`. Not re-entrant.
   */
  lock(name: string, waitMs?: number): Promise<Unlock>
}

/** A store that lasts as long as the process: for tests and for identities that are kept elsewhere. */
export function memoryStore(): Store {
  const texts = new Map<string, string>()
  const lock = localLocks()
  return {
    read: async (name) => texts.get(name),
    write: async (name, text) => void texts.set(name, text),
    create: async (name, text) => !texts.has(name) && !!texts.set(name, text),
    remove: async (name) => void texts.delete(name),
    list: async (folder) =>
      [...texts.keys()]
        .flatMap((name) => (name.startsWith(`${folder}/`) ? [name.slice(folder.length + 1)] : []))
        .sort(),
    lock,
  }
}

/** Locks among the users of one process, handed on in the order of asking. */
export function localLocks(): (name: string, waitMs?: number) => Promise<Unlock> {
  const queues = new Map<string, (() => void)[]>()
  return (name, waitMs = 30_000) =>
    new Promise((resolve, reject) => {
      const queue = queues.get(name)
      const grant = () => {
        let held = true
        resolve(async () => {
          if (!held) return
          held = false
          const next = queues.get(name)?.shift()
          if (next) next()
          else queues.delete(name)
        })
      }
      if (!queue) {
        queues.set(name, [])
        return grant()
      }
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(turn), 1)
        reject(busy(name, 'another part of this process'))
      }, waitMs)
      const turn = () => {
        clearTimeout(timer)
        grant()
      }
      queue.push(turn)
    })
}

/** Run `act` while holding the lock. */
export async function locked<T>(store: Store, name: string, act: () => Promise<T>, waitMs?: number): Promise<T> {
  const unlock = await store.lock(name, waitMs)
  try {
    return await act()
  } finally {
    await unlock()
  }
}

/** What people edit or copy by hand, and the texts without which it means nothing. */
const required: Record<string, readonly string[]> = {
  'passport.json': ['base_url', 'bot.id', 'bot.handle'],
  token: ['token', 'token_expires_at'],
  'registration.json': ['base_url', 'handle'],
}

/** A record of the store, parsed. Throws `KithDamagedError` if it is not a JSON object with the texts that it must have. */
export async function readJson<T>(store: Store & { path?: string }, name: string): Promise<T | undefined> {
  const text = await store.read(name)
  if (text === undefined) return undefined
  const record = parsed(text)
  const isWhole = (path: string): boolean => typeof path.split('.').reduce<unknown>(within, record) === 'string'
  if (!isRecord(record) || !(required[name] ?? []).every(isWhole)) throw new KithDamagedError(name, store.path)
  return record as T
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const within = (value: unknown, key: string): unknown => (isRecord(value) ? value[key] : undefined)

/**
 * Reads a record as `readJson` does, and keeps it parsed until the store marks another content. It is shared: do not change it,
 * and read it again under the lock before writing what follows from it.
 */
export function keptJson<T>(store: Store & { path?: string }, name: string): () => Promise<T | undefined> {
  let kept: { mark: string; value: T | undefined } | undefined
  return async () => {
    // Before the text: if that is newer, the next mark differs.
    const mark = await store.mark?.(name)
    if (mark !== undefined && kept?.mark === mark) return kept.value
    const value = await readJson<T>(store, name)
    kept = mark === undefined ? undefined : { mark, value }
    return value
  }
}

export async function writeJson(store: Store, name: string, value: unknown): Promise<void> {
  await store.write(name, `${JSON.stringify(value, undefined, 2)}\n`)
}
