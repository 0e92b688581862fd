import { accessSync } from 'node:fs'
import { access, constants, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'

/** The right to run PostgreSQL on a folder, held until released or until this process dies. */
export interface Ownership {
  release(): Promise<void>
}

/** SQLite refuses paths of 512 bytes and more, its own suffixes included. */
const FILE_LOCK_PATH_LIMIT = 480

const SQLITE_BUSY = 5

/**
 * Takes the folder (made when missing) for this process, or rejects at once when another one has it.
 *
 * The lock is one that the kernel drops when its holder dies, so nothing goes stale and two starters cannot both
 * win. Node has no call for a file lock, SQLite does: an exclusive transaction on an empty database file is an fcntl
 * lock, which also holds between containers that share the volume. POSIX drops it when this process closes
 * any descriptor of that file, therefore nothing here reads `owner.lock`; the pid for the message lies in
 * `owner.pid`. Where the path is too long for SQLite, Linux locks an abstract socket named after the folder's
 * inode; that one is blind to other network namespaces.
 */
export async function own(folder: string): Promise<Ownership> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new Error(`${folder} cannot be written: ${(error as Error).message}`)
  }
  const lockFile = join(folder, 'owner.lock')
  const release =
    Buffer.byteLength(lockFile) <= FILE_LOCK_PATH_LIMIT ? lockByFile(lockFile) : await lockBySocket(folder)
  if (!release) throw new Error(`${folder} is in use by ${await describeOwner(folder)}`)
  try {
    await writeFile(join(folder, 'owner.pid'), `${process.pid} ${hostname()}\n`, { mode: 0o600 })
  } catch (error) {
    await release()
    throw new Error(`${folder} cannot be written: ${(error as Error).message}`)
  }
  return { release }
}

function lockByFile(file: string): (() => Promise<void>) | undefined {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(file, { timeout: 0 })
    // The journal stays in memory: nothing is ever written, and no second file need lie about.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    database?.close()
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return undefined
    throw new Error(`${file} cannot be locked: ${refusal(file) ?? (error as Error).message}`)
  }
  // The closure keeps the database reachable: if it were collected, the lock would go with it.
  const held = database
  return async () => {
    if (held.isOpen) held.close()
  }
}

/** SQLite says only that it cannot open a file. */
function refusal(file: string): string | undefined {
  try {
    accessSync(file, constants.R_OK | constants.W_OK)
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES' ? 'this user may not write it' : undefined
  }
}

async function lockBySocket(folder: string): Promise<(() => Promise<void>) | undefined> {
  if (process.platform !== 'linux') throw new Error(`the path of ${folder} is too long`)
  const { dev, ino } = await stat(folder, { bigint: true })
  const server = createServer((socket) => socket.destroy())
  const listening = await new Promise<boolean>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(new Error(`${folder} cannot be locked: ${error.message}`)),
    )
    server.listen(`\0kith-postgres-${dev}-${ino}`, () => resolve(true))
  })
  if (!listening) return undefined
  server.unref()
  return () => new Promise((resolve) => server.close(() => resolve()))
}

/** Names the owner; right after it took the lock its pid file may still be that of a dead one. */
async function describeOwner(folder: string): Promise<string> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const text = await readFile(join(folder, 'owner.pid'), 'utf8').catch(() => '')
    const [, pid, host] = /^(\d+) (.*)\n$/.exec(text) ?? []
    if (pid && host !== hostname()) return `another process (pid ${pid} on host ${host})`
    if (pid && isAlive(Number(pid))) return `another process (pid ${pid})`
    await sleep(20)
  }
  return 'another process'
}

/** Whether a process with that ID exists, whether or not we may signal it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
