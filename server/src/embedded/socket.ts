import { randomBytes } from 'node:crypto'
import { chmod, lstat, mkdir, readFile, rename, rm, rmdir, stat, unlink, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { type Account, giveTo } from './account.ts'
import { removeTemporary } from './binaries.ts'

/** Files outside the folder itself that would remain after a kill: recorded before they are created. */
interface Traces {
  /** Whose they are, for a copy of the folder has them too; absent in those of an earlier version. */
  readonly of?: string
  readonly socketFolder: string
  readonly temporaryBinaries: string | undefined
}

/** Nothing but the socket's name depends on it: the server does not listen on the network. */
export const PORT = 5432

const PREFIX = 'kith-socket-'
const SOCKET = `.s.PGSQL.${PORT}`

/** sun_path holds 108 bytes on Linux and 104 on macOS, a NUL included. */
const SOCKET_PATH_LIMIT = 103

/** Creates a folder for the socket under a name that is recorded first, so that a kill leaves no unknown one. */
export async function makeSocketFolder(
  folder: string,
  account: Account,
  temporaryBinaries: string | undefined,
): Promise<string> {
  for (const parent of new Set([resolve(tmpdir()), '/tmp'])) {
    const socketFolder = join(parent, PREFIX + randomBytes(8).toString('hex'))
    if (Buffer.byteLength(join(socketFolder, SOCKET)) > SOCKET_PATH_LIMIT) continue
    if (!(await canTraverse(parent, account))) continue
    await writeTraces(folder, { socketFolder, temporaryBinaries })
    try {
      await mkdir(socketFolder, { mode: 0o700 })
    } catch {
      continue // a temporary folder that is not writable
    }
    await chmod(socketFolder, 0o700)
    await giveTo(account, socketFolder)
    return socketFolder
  }
  throw new Error(
    `no folder for the socket of PostgreSQL: user id ${account.uid} reaches neither ${tmpdir()} nor /tmp by a short path`,
  )
}

/** Removes the socket that a killed server left, before another one starts on it. */
export async function clearSocket(socketFolder: string): Promise<void> {
  // By name and not recursively: the folder belongs to PostgreSQL's user, who must not direct what root deletes.
  for (const name of [SOCKET, `${SOCKET}.lock`]) await unlink(join(socketFolder, name)).catch(() => {})
}

/** Removes what the last owner of the folder created elsewhere, whether us or one that was killed. */
export async function removeTraces(folder: string): Promise<void> {
  const traces = await readTraces(folder)
  if (!traces) return
  if (basename(traces.socketFolder).startsWith(PREFIX)) {
    await clearSocket(traces.socketFolder)
    await rmdir(traces.socketFolder).catch(() => {})
  }
  if (traces.temporaryBinaries !== undefined) await removeTemporary(traces.temporaryBinaries)
  await rm(tracesFile(folder), { force: true })
}

/** The socket folder of the server that runs on the folder, if one answers there. */
export async function findSocketFolder(folder: string, dataFolder: string): Promise<string | undefined> {
  const traces = await readTraces(folder)
  const data = await stat(dataFolder).catch(() => undefined)
  if (!traces || !data) return undefined
  // Once a server is gone, anybody could create a folder of that name in /tmp and wait for us there.
  const found = await lstat(traces.socketFolder).catch(() => undefined)
  if (!found?.isDirectory() || found.uid !== data.uid || (found.mode & 0o077) !== 0) return undefined
  return (await answers(join(traces.socketFolder, SOCKET))) ? traces.socketFolder : undefined
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

/** Whether the user may search a folder and all above it, as far as modes tell. */
async function canTraverse(folder: string, account: Account): Promise<boolean> {
  for (let path = folder; ; path = dirname(path)) {
    const found = await stat(path).catch(() => undefined)
    if (!found) return false
    const bit = found.uid === account.uid ? 0o100 : found.gid === account.gid ? 0o010 : 0o001
    if ((found.mode & bit) === 0) return false
    if (path === dirname(path)) return true
  }
}

function tracesFile(folder: string): string {
  return join(folder, 'server.json')
}

async function identityOf(folder: string): Promise<string> {
  const { dev, ino } = await stat(folder, { bigint: true })
  return `${dev}-${ino}`
}

async function writeTraces(folder: string, traces: Traces): Promise<void> {
  const file = tracesFile(folder)
  await writeFile(`${file}.new`, `${JSON.stringify({ of: await identityOf(folder), ...traces })}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
}

async function readTraces(folder: string): Promise<Traces | undefined> {
  try {
    const traces = JSON.parse(await readFile(tracesFile(folder), 'utf8')) as Traces
    const isOwn = traces.of === undefined || traces.of === (await identityOf(folder))
    return isOwn && typeof traces.socketFolder === 'string' ? traces : undefined
  } catch {
    return undefined
  }
}
