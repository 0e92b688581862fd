import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { constants, existsSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { type Account, ownAccount } from './account.ts'

/**
 * On Linux the data folder reaches PostgreSQL as an open descriptor and not as a path: a magic link of /proc is
 * neither subject to the permissions of the folders above it (a home of mode 0700), nor to PostgreSQL's limit of
 * 1024 bytes, nor to what quotes in a name do to the command lines that initdb builds.
 */
const DESCRIPTOR = 3
export const DATA_BY_DESCRIPTOR = `/proc/self/fd/${DESCRIPTOR}`
const descriptorsWork = process.platform === 'linux' && existsSync('/proc/self/fd')

/** Whether a message of PostgreSQL or of the system is about a full disk. */
export const saysFull = (message: string): boolean => /no space left|quota exceeded/i.test(message)

/** Variables that would change PostgreSQL's behaviour, or that are secrets of the service. */
const WITHHELD = /^(PG|LC_|LANG|AWS_)|SECRET|MAIL|DATABASE|REDIS|STORAGE|ARCHIVE|INVITATION|PASSWORD|TOKEN/i

/** initdb takes a second; a dead disk must not hang the start forever. */
const RUN_MS = 180_000

export interface LaunchOptions {
  readonly account: Account
  /** The data folder, given to the program as its `-D`. */
  readonly dataFolder: string
  /** What the kernel sends to the program when this process dies, however it dies (Linux only). */
  readonly deathSignal: 'INT' | 'KILL'
  /** Written to its standard input, which is empty otherwise. */
  readonly input?: string
  /** Goes before `-D`, for a mode such as `--single` that postgres accepts only as its first argument. */
  readonly firstArgument?: string
  /** Milliseconds after which {@link run} ends it; {@link RUN_MS} unless told. */
  readonly limit?: number
}

export interface Launched {
  readonly child: ChildProcess
  /** Resolves when it has ended (`code 0`, `signal SIGKILL`) or could not be started (`ENOENT`). */
  readonly ended: Promise<string>
}

/**
 * Starts a program of PostgreSQL as the given user, in a session of its own: Ctrl-C in a terminal signals the whole
 * foreground group, and the database must outlive the service's own drain.
 */
export async function launch(program: string, args: string[], options: LaunchOptions): Promise<Launched> {
  const { account, dataFolder, deathSignal, input, firstArgument } = options
  const prefix = (await canSetDeathSignal()) ? ['setpriv', '--pdeathsig', deathSignal, '--'] : []
  const data = descriptorsWork ? await openFolder(dataFolder) : undefined
  try {
    // The order matters: the kernel forgets the death signal when the user changes, so the user is changed
    // first (here, before exec) and setpriv then sets the signal as that user.
    const mode = firstArgument === undefined ? [] : [firstArgument]
    const [command, ...rest] = [...prefix, program, ...mode, '-D', data ? DATA_BY_DESCRIPTOR : dataFolder, ...args]
    const child = spawn(command!, rest, {
      ...asUser(account),
      cwd: '/',
      env: childEnvironment(process.env),
      detached: true,
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe', ...(data ? [data.fd] : [])],
    })
    const ended = endOf(child)
    if (input !== undefined) {
      child.stdin!.on('error', () => {}) // a program that died first is reported by its exit
      child.stdin!.end(input)
    }
    return { child, ended }
  } finally {
    // Not awaited: a program that ended meanwhile would lose what it wrote, which Node discards if nobody reads it yet.
    void data?.close().catch(() => {})
  }
}

/** Runs a program of PostgreSQL to its end; rejects with its last words unless it succeeds. */
export async function run(program: string, args: string[], options: LaunchOptions): Promise<void> {
  const { child, ended } = await launch(program, args, options)
  const timer = setTimeout(() => child.kill('SIGKILL'), options.limit ?? RUN_MS)
  const [ending, out, err] = await Promise.all([ended, text(child.stdout!), text(child.stderr!)])
  clearTimeout(timer)
  if (ending === 'code 0') return
  const words = `${out}\n${err}`
    .replaceAll(DATA_BY_DESCRIPTOR, options.dataFolder)
    .split('\n')
    .filter((line) => line.trim() !== '')
  // What a full disk leads to says less than what led to it.
  const last =
    words.find(saysFull) ??
    words.findLast((line) => /error|fatal|panic|could not|failed/i.test(line)) ??
    words.at(-1) ??
    'no output'
  throw new Error(`${program.split('/').at(-1)} ended with ${ending}: ${last.trim()}`)
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    child.once('exit', (code, signal) => resolve(signal ? `signal ${signal}` : `code ${code}`))
  })
}

/** Spawn options for a user; unset for ourselves, because only root may set them. */
export function asUser(account: Account): { uid?: number; gid?: number } {
  const self = ownAccount()
  return account.uid === self.uid ? {} : { uid: account.uid, gid: account.gid }
}

/** The environment without variables that PostgreSQL must not see. */
export function childEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !WITHHELD.test(name)))
}

let deathSignalProbe: Promise<boolean> | undefined

/** Whether a child can be tied to the life of this process: util-linux has `setpriv --pdeathsig`, busybox has not. */
export function canSetDeathSignal(): Promise<boolean> {
  deathSignalProbe ??= new Promise((resolve) => {
    if (process.platform !== 'linux') return resolve(false)
    execFile('setpriv', ['--pdeathsig', 'INT', '--', 'true'], (error) => resolve(!error))
  })
  return deathSignalProbe
}

function openFolder(folder: string): Promise<FileHandle> {
  return open(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
}
