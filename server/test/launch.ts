// Programs as processes of their own, as an operator runs them: the one launcher of tests, demo, bench and torture. It
// imports nothing of the service, so that what runs beside the service pays for none of it.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { remove, scratchPlace } from './scratch.ts'

export const mainFile: string = fileURLToPath(new URL('../src/main.js', import.meta.url))
export const operatorFile: string = fileURLToPath(new URL('../src/operator/main.js', import.meta.url))

/** The flags of Node that `npm start` runs the service with. */
export const shippedFlags: readonly string[] = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).scripts.start as string
)
  .split(' ')
  .filter((word) => word.startsWith('--'))

/** Longer than a first start on a busy machine, and than what is asked of any program before that, in milliseconds. */
const longestWait = 300_000

/** What most who start a service want of it: agents without an owner's email, and no limits. */
export const openDoors = {
  OWNER_EMAIL_GATE: 'off',
  WRITE_LIMIT_PER_MINUTE: '0',
  FEEDBACK_PER_HOUR: '0',
  FEEDBACK_PER_DAY: '0',
  READ_LIMIT_PER_MINUTE: '0',
  REGISTRATION_LIMIT_PER_HOUR: '0',
  VISITOR_LIMIT_PER_HOUR: '0',
} as const

/** Nothing of the caller's environment but where programs and temporary files are: its settings are another service's. */
export const cleanEnv = (env: Readonly<Record<string, string>>): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: tmpdir(),
  ...(process.env['TMPDIR'] !== undefined && { TMPDIR: process.env['TMPDIR'] }),
  ...env,
})

export interface Account {
  uid: number
  gid: number
}

/** How a process ended: `0`, `1`, `SIGKILL`. */
export type Ending = number | NodeJS.Signals | null

interface ProgramOptions {
  /** The whole environment. */
  env: NodeJS.ProcessEnv
  cwd?: string
  account?: Account | undefined
  /** In a group of its own, which Ctrl-C at the terminal does not reach: the caller ends it. */
  detached?: boolean
  /** Whether something is going to be written to its standard input. */
  input?: boolean
  /** Whether it is sent messages, and answers. */
  messages?: boolean
  /** How many characters of output are kept, the latest; all of them unless told. */
  keep?: number
  /** Hears of what it prints, and has the program to end it. */
  on?: (output: string, program: Program) => void
}

export interface Program {
  child: ChildProcess
  pid: number
  /** Standard output, standard error, and both as they came. */
  out(): string
  err(): string
  output(): string
  input: Writable
  kill(signal: NodeJS.Signals): void
  ended: Promise<Ending>
  /** Waits until its output matches; throws where it ends before, or takes too long. */
  says(pattern: RegExp): Promise<RegExpExecArray>
  stop(signal?: NodeJS.Signals): Promise<Ending>
}

const running = new Set<ChildProcess>()
const killAll = (): void => {
  for (const child of running) child.kill('SIGKILL')
}
process.once('exit', killAll)

/** Kills what still runs, which would keep a file of tests from ending where one of them failed. */
export const killLeftovers: () => void = killAll

export function startProgram(command: readonly string[], options: ProgramOptions): Program {
  const {
    env,
    cwd = '/',
    account,
    detached = false,
    input = false,
    messages = false,
    keep = Number.POSITIVE_INFINITY,
    on,
  } = options
  const [file, ...args] = command as [string, ...string[]]
  const child = spawn(file, args, {
    env,
    cwd,
    detached,
    stdio: [input ? 'pipe' : 'ignore', 'pipe', 'pipe', ...(messages ? (['ipc'] as const) : [])],
    serialization: 'advanced',
    ...account,
  })
  running.add(child)
  // A process that is ending no longer reads what is written to it.
  child.stdin?.on('error', () => {})
  const texts = { out: '', err: '', both: '' }
  const watching = new Set<() => void>()
  const listen = (stream: Readable, name: 'out' | 'err'): void => {
    stream.setEncoding('utf8').on('data', (text: string) => {
      texts[name] = (texts[name] + text).slice(-keep)
      texts.both = (texts.both + text).slice(-keep)
      on?.(texts.both, self)
      for (const look of watching) look()
    })
  }
  const ended = new Promise<Ending>((resolve) => {
    const end = (ending: Ending): void => {
      running.delete(child)
      resolve(ending)
    }
    child.once('close', (code, signal) => end(signal ?? code))
    // It could not be started at all.
    child.once('error', (error) => {
      texts.both += error.message
      if (child.pid === undefined) end(null)
    })
  })
  const self: Program = {
    child,
    pid: child.pid as number,
    out: () => texts.out,
    err: () => texts.err,
    output: () => texts.both,
    input: child.stdin as Writable,
    kill: (signal) => void child.kill(signal),
    ended,
    says: (pattern) =>
      new Promise((resolve, reject) => {
        const done = (): void => {
          clearTimeout(late)
          watching.delete(look)
        }
        const look = (): boolean => {
          const found = pattern.exec(texts.both)
          if (!found) return false
          done()
          resolve(found)
          return true
        }
        const give = (why: string): void => {
          done()
          reject(new Error(`${file} ${args[0] ?? ''} ${why} ${pattern}: ${texts.both}`))
        }
        const late = setTimeout(() => give('did not say'), longestWait)
        watching.add(look)
        if (look()) return
        void ended.then((ending) => look() || give(`ended with ${ending} before it said`))
      }),
    async stop(signal = 'SIGTERM') {
      if (running.has(child)) child.kill(signal)
      return ended
    },
  }
  listen(child.stdout as Readable, 'out')
  listen(child.stderr as Readable, 'err')
  return self
}

export interface Launched extends Program {
  /** Everything that the service keeps: database, mail, files. */
  dataDir: string
}

export interface Service extends Launched {
  /** Where it listens. */
  url: string
}

/** The processes that serve: what the primary process started of its own program. */
export function workersOf({ pid }: Pick<Program, 'pid'>): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
        const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
        return (
          Number(parent) === pid && state !== 'Z' && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('main.js')
        )
      } catch {
        return false // gone meanwhile
      }
    })
    .map(Number)
}

export interface LaunchOptions extends Omit<ProgramOptions, 'env' | 'cwd' | 'input'> {
  /** Settings over {@link openDoors}, and a port that the system gives. */
  env?: Readonly<Record<string, string>>
  /** Without the open doors: the gate and the limits are those of a service that nobody has set anything of. */
  asShipped?: boolean
  /** Flags of Node. */
  flags?: readonly string[]
  /** A checkout of another version, which is started instead of this one. */
  checkout?: string | undefined
}

/** A file of this version, as another version has it. */
const fileIn = (checkout: string, file: string): string =>
  join(checkout, relative(fileURLToPath(new URL('../..', import.meta.url)), file))

/** Starts the service on a folder, and does not wait for it. */
export function launch(
  dataDir: string,
  { env = {}, asShipped = false, flags = [], checkout, ...options }: LaunchOptions = {},
): Launched {
  const file = checkout === undefined ? mainFile : fileIn(checkout, mainFile)
  const settings = cleanEnv({ ...(!asShipped && openDoors), PORT: '0', DATA_DIR: dataDir, ...env })
  return { ...startProgram([process.execPath, ...flags, file], { ...options, env: settings }), dataDir }
}

/** Waits until a service says that it is ready, by the last line of its greeting. */
export async function ready(launched: Launched): Promise<Service> {
  const [, publicUrl, address] = await launched.says(
    /Kith is ready at (\S+)(?: {2}\(listening on (\S+)\))?\n[\s\S]*Next .*\n/,
  )
  return { ...launched, url: (address ?? publicUrl) as string }
}

/** Starts the service, and waits until it says that it is ready. */
export const serve = (dataDir: string, options?: LaunchOptions): Promise<Service> => ready(launch(dataDir, options))

export interface Folder {
  root: string
  /** For the service to make. */
  dataDir: string
  remove(): Promise<void>
}

/** Set by `npm test`: the files of a migrated database without a row, made once for all that start a service. */
export const clusterVariable = 'KITH_TEST_CLUSTER'

/**
 * A temporary folder for a service, below one that the account owns. Where its first start is not what a test is about, its database
 * may be there already: to copy one takes a twentieth of what PostgreSQL and the migrations take to make it.
 */
export async function dataFolder({
  prefix = 'kith-process-',
  account,
  migrated = false,
}: {
  prefix?: string
  account?: Account | undefined
  migrated?: boolean
} = {}): Promise<Folder> {
  const root = await mkdtemp(join(scratchPlace(), prefix))
  if (migrated) await copyCluster(join(root, 'data', 'postgres'))
  // The files of the copy belong to the user that PostgreSQL runs as for this one.
  if (account) await promisify(execFile)('chown', ['-R', `${account.uid}:${account.gid}`, root])
  // What is still running may create a folder again during the removal.
  return { root, dataDir: join(root, 'data'), remove: () => remove(root) }
}

/** Whether there is one to copy into the folder of an embedded database. */
export async function copyCluster(folder: string): Promise<boolean> {
  const cluster = process.env[clusterVariable]
  if (cluster === undefined) return false
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await promisify(execFile)('cp', ['-a', cluster, join(folder, 'data')])
  return true
}

/** Runs a file of the service to its end, or that of another version. */
export async function command(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  checkout?: string,
): Promise<{ code: Ending; stdout: string; stderr: string }> {
  const its = checkout === undefined ? file : fileIn(checkout, file)
  const program = startProgram([process.execPath, its, ...args], { env: cleanEnv({ ...openDoors, ...env }) })
  return { code: await program.ended, stdout: program.out(), stderr: program.err() }
}

/**
 * A port that nothing listens on, below those that connections leave from: none of them may take it meanwhile. Nor does anybody
 * else who asks here, while this process lives.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000)
    // A name without a file, which Linux gives to one process at a time.
    if (process.platform === 'linux' && !(await listens(`\0kith-port-${port}`))) continue
    const server = await listens(port)
    if (!server) continue
    await new Promise((resolve) => server.close(resolve))
    return port
  }
}

/** Undefined where somebody else does. */
async function listens(at: number | string): Promise<Server | undefined> {
  const server = createServer().unref()
  return new Promise((resolve) => {
    server.once('error', () => resolve(undefined))
    server.listen(typeof at === 'number' ? { port: at, host: '127.0.0.1' } : { path: at }, () => resolve(server))
  })
}
