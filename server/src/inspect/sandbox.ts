// A process that is deprived of its means before it reads what a stranger sent: no new descriptor, so neither a file
// nor a socket; little memory, little time, and no life beyond that of its parent.
//
// On Linux the kernel does this, by util-linux: `setpriv` ties the child to the life of this process and takes its
// privileges, `prlimit` lowers its limits once it has loaded what it needs. Without them (macOS, busybox) there is
// less: Node's own permissions, a watch over its memory and its time from here, and its notice of a closed pipe.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chown, mkdir, readFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const execFileAsync = promisify(execFile)

export interface Limits {
  cpuSeconds: number
  /** From the moment that it begins to read; a backstop, for a process that sleeps uses no processor. */
  wallSeconds: number
  /** On top of what it has when it is ready, of which V8 only sets most aside. */
  memoryBytes: number
  /** The size of the largest file that it may write. */
  fileBytes: number
}

export interface Confined {
  /** The script and its arguments. */
  readonly script: string
  readonly arguments: readonly string[]
  /** Open descriptors that it gets as 3, 4, 5 … */
  readonly descriptors: readonly number[]
  readonly limits: Limits
}

/** What is left of it: the lines that it wrote, and how it ended. */
export interface Ending {
  /** The bytes it wrote after the line that said it was ready, at most {@link reportBytes}; undefined beyond those. */
  report: string | undefined
  code: number | null
  signal: NodeJS.Signals | null
  /** Ended from here, because its time or its memory was used up. */
  overrun: boolean
}

const reportBytes = 4096
const startSeconds = 30
const watchMilliseconds = 250

/** A user id that no account has, PostgreSQL's user above all: the child can signal and trace nobody but itself. */
const nobodyElse = 65_533

// `--bounding-set` wants a privilege of its own, so it is asked for only where there is one to lose.
const tie = ['--pdeathsig', 'KILL', '--no-new-privs']
const otherUser = [`--reuid=${nobodyElse}`, `--regid=${nobodyElse}`, '--clear-groups', '--inh-caps=-all']
const powerless = ['--bounding-set=-all', '--inh-caps=-all']

export interface Means {
  /** The command line in front of whatever is run; empty where there is no setpriv. */
  readonly prefix: readonly string[]
  readonly prlimit: boolean
  /** Where the child keeps what V8 compiled, which more than halves the time of its start. */
  readonly cache?: string
}

/** Beside the modules that it holds. The child writes to it before it is confined, and never after. */
const cacheFolder = fileURLToPath(new URL('../../../node_modules/.cache/kith-inspect', import.meta.url))

/**
 * Finds out what this machine can do, by trying. Under root the child becomes another user where that user can read
 * the script (an installation below a 0700 folder is out of its reach), else root without any capability.
 */
export async function findMeans(script: string): Promise<Means> {
  if (process.platform !== 'linux') return { prefix: [], prlimit: false }
  const works = (command: readonly string[]): Promise<boolean> =>
    execFileAsync(command[0] as string, command.slice(1), { env: {}, cwd: '/', timeout: startSeconds * 1000 }).then(
      () => true,
      () => false,
    )
  const candidates = process.getuid?.() === 0 ? [[...tie, ...otherUser], [...tie, ...powerless], tie] : [tie]
  let prefix: readonly string[] = []
  for (const flags of candidates) {
    const attempt = ['setpriv', ...flags, '--']
    if (!(await works([...attempt, 'test', '-r', script, '-a', '-x', process.execPath]))) continue
    prefix = attempt
    break
  }
  const prlimit = await works([...prefix, 'prlimit', '--core=0:0', 'true'])
  return { prefix, prlimit, cache: await makeCache(prefix.some((flag) => flag.startsWith('--reuid'))) }
}

/** A folder that cannot be made is not used; so is one that the child cannot write to. */
async function makeCache(isOtherUser: boolean): Promise<string> {
  await mkdir(cacheFolder, { recursive: true, mode: 0o700 }).catch(() => {})
  if (isOtherUser) await chown(cacheFolder, nobodyElse, nobodyElse).catch(() => {})
  return cacheFolder
}

/**
 * Runs a script of ours that says `{"ready":true}` once it has loaded everything, and begins at the first byte on its
 * standard input. Rejects where it can not be started, and with the signal's reason where that fires; however it
 * ends, and whatever of itself it multiplied into, none of its group is left when this settles.
 */
export async function runConfined(confined: Confined, means: Means, signal: AbortSignal): Promise<Ending> {
  signal.throwIfAborted()
  const { limits } = confined
  const child = start(confined, means)
  let overrun = false
  const overran = (): void => {
    overrun = true
    kill(child)
  }
  const onAbort = (): void => kill(child)
  signal.addEventListener('abort', onAbort, { once: true })
  const stdout = child.stdout as Readable
  const lastWords = keepFirst(child.stderr as Readable, 1024)
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, by) => resolve({ code, signal: by }))
  })
  exited.catch(() => {}) // awaited below, but perhaps only after another failure
  let timer = setTimeout(overran, startSeconds * 1000)
  let stopWatching = (): void => {}
  try {
    const lines = await firstLine(stdout, exited)
    if (lines === undefined) {
      const { code, signal: by } = await exited
      throw new Error(`the inspection could not be started: ${by ?? `code ${code}`} ${lastWords()}`.trim())
    }
    if (means.prlimit) await lower(child, limits, means)
    else stopWatching = watch(child, limits.memoryBytes, overran)
    clearTimeout(timer)
    timer = setTimeout(overran, limits.wallSeconds * 1000)
    const report = keepReport(stdout, lines, () => kill(child))
    child.stdin?.on('error', () => {}) // a child that died first is reported by its exit
    child.stdin?.write('\n')
    const ending = await exited
    await drained(stdout)
    return { ...ending, report: report(), overrun }
  } finally {
    clearTimeout(timer)
    stopWatching()
    signal.removeEventListener('abort', onAbort)
    kill(child)
    await exited.catch(() => {})
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy()
    signal.throwIfAborted()
  }
}

function start(
  { script, arguments: given, descriptors, limits }: Confined,
  { prefix, prlimit, cache }: Means,
): ChildProcess {
  const node = [
    process.execPath,
    // What the kernel does not refuse Node does: sockets, other processes, files to write.
    ...(prlimit ? [] : ['--permission', '--allow-fs-read=*', '--allow-addons']),
    '--no-warnings',
    '--v8-pool-size=1',
    `--max-old-space-size=${Math.floor(limits.memoryBytes / 2 / 1024 / 1024)}`,
    script,
  ]
  const [command, ...rest] = [...prefix, ...node, ...given]
  return spawn(command as string, rest, {
    cwd: '/',
    env: cache === undefined ? {} : { NODE_COMPILE_CACHE: cache },
    // A group of its own: what it forks goes with it, and a Ctrl-C in the terminal is ours to act on.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', ...descriptors],
  })
}

/** Its limits from now on, hard ones: to raise them again it would need a privilege that it does not have. */
async function lower(child: ChildProcess, limits: Limits, { prefix }: Means): Promise<void> {
  const { cpuSeconds, memoryBytes, fileBytes } = limits
  const data = (await statusBytes(child.pid as number, 'VmData')) + memoryBytes
  const [command, ...rest] = [
    ...prefix,
    'prlimit',
    `--pid=${child.pid}`,
    '--nofile=0:0',
    '--core=0:0',
    `--cpu=${cpuSeconds}:${cpuSeconds + 1}`,
    `--data=${data}:${data}`,
    `--fsize=${fileBytes}:${fileBytes}`,
  ]
  await execFileAsync(command as string, rest, { env: {}, cwd: '/', timeout: startSeconds * 1000 })
}

function kill(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    child.kill('SIGKILL') // before it has become a group, or after its end
  }
}

/** The text until the first line is complete, or undefined where the child ends before that. */
function firstLine(stdout: Readable, exited: Promise<unknown>): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    let text = ''
    const onData = (chunk: string): void => {
      text += chunk
      const end = text.indexOf('\n')
      if (end < 0 && text.length < reportBytes) return
      stdout.off('data', onData)
      stdout.pause()
      resolve(end < 0 ? undefined : text.slice(end + 1))
    }
    stdout.setEncoding('utf8').on('data', onData)
    exited.then(() => resolve(undefined), reject)
  })
}

function keepReport(stdout: Readable, begun: string, tooLong: () => void): () => string | undefined {
  let text = begun
  stdout.on('data', (chunk: string) => {
    if (text.length <= reportBytes) text += chunk
    if (text.length > reportBytes) tooLong()
  })
  stdout.on('error', () => {})
  stdout.resume()
  return () => (text.length > reportBytes ? undefined : text)
}

function keepFirst(stream: Readable, length: number): () => string {
  let text = ''
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    if (text.length < length) text = (text + chunk).slice(0, length)
  })
  stream.on('error', () => {})
  return () => text
}

/** What it wrote before it ended is still in the pipe; a process that it left behind may hold the pipe open. */
async function drained(stdout: Readable): Promise<void> {
  if (stdout.readableEnded || stdout.destroyed) return
  const patience = AbortSignal.timeout(1000)
  await new Promise<void>((resolve) => {
    stdout.once('end', resolve).once('close', resolve)
    patience.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** The memory of a process whose limit the kernel does not hold; between two looks it can take more. */
function watch(child: ChildProcess, memoryBytes: number, overran: () => void): () => void {
  let stopped = false
  const look = async (): Promise<void> => {
    const bytes = await residentBytes(child.pid as number).catch(() => 0)
    if (stopped) return
    if (bytes > memoryBytes) overran()
    else timer = setTimeout(look, watchMilliseconds)
  }
  let timer = setTimeout(look, watchMilliseconds)
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}

/** A size in bytes of what Linux knows about a process. */
async function statusBytes(pid: number, name: 'VmData' | 'VmRSS'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1024
}

async function residentBytes(pid: number): Promise<number> {
  if (process.platform === 'linux') return statusBytes(pid, 'VmRSS')
  const { stdout } = await execFileAsync('ps', ['-o', 'rss=', '-p', String(pid)], { timeout: 5000 })
  return Number(stdout) * 1024
}
