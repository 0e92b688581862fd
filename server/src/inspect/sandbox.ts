// A process that is deprived of its means before it reads what a stranger sent: no new descriptor, so neither a file
// nor a socket; no other process in sight; little memory, little time, and no life beyond that of its parent.
//
// On Linux the kernel does this, by util-linux: `setpriv` ties the child to the life of this process and takes its
// privileges, `unshare` puts it into namespaces of its own, `prlimit` lowers its limits once it has loaded what it
// needs; then the process itself gives up all system calls that it has no use for (confine.ts). Each where it can be
// had (means.ts). Without any of them (macOS, busybox) there is less: Node's own permissions, a watch over its memory
// and its time from here, and its notice of a closed pipe.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { constants } from 'node:os'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { confineOption, ownLayers } from './confine.ts'
import { cacheFor, type Means, prefixFor } from './means.ts'

const execFileAsync = promisify(execFile)

export interface Limits {
  cpuSeconds: number
  /** From the moment that it begins to read; a backstop, for a process that sleeps uses no processor. On a busy machine a sound file waits long. */
  wallSeconds: number
  /** On top of what it has when it is ready; V8 only reserves most of that. */
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
  /** Which of the inspections at once it is; each has a user of its own where it can. */
  readonly slot?: number
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

export const reportBytes = 4096
const startSeconds = 30
const watchMilliseconds = 250

/** A process that is ready: it has loaded everything, is confined, and has not been told to begin. */
export interface Ready {
  /** Of the process that inspects, as it is seen from here. */
  readonly pid: number
  /** What it says from now on; held back until somebody listens. */
  readonly stdout: Readable
  /** What of that came with the line that said it was ready. */
  readonly begun: string
  readonly exited: Promise<Exit>
  hasExited(): boolean
  /** Hands it what it waits for on its standard input. */
  tell(words: string): void
  /** Ends it and whatever it multiplied into. */
  kill(): void
  /** The same; resolves once none of it runs any more. */
  end(): Promise<void>
}

/**
 * Runs a script of ours that says `{"ready":true}` once it has loaded everything, and begins at the first byte on its
 * standard input. Rejects where it can not be started, and with the signal's reason where that fires; however it
 * ends, and whatever of itself it multiplied into, none of its group is left when this settles.
 */
export async function runConfined(confined: Confined, means: Means, signal: AbortSignal): Promise<Ending> {
  const { limits } = confined
  const child = await startConfined(confined, means, signal)
  let overrun = false
  const overran = (): void => {
    overrun = true
    child.kill()
  }
  signal.addEventListener('abort', child.kill, { once: true })
  if (signal.aborted) child.kill()
  const timer = setTimeout(overran, limits.wallSeconds * 1000)
  const stopWatching = means.prlimit ? () => {} : watch(child.pid, limits.memoryBytes, overran)
  try {
    const report = keepReport(child.stdout, child.begun, child.kill)
    child.tell('\n')
    const ending = await child.exited
    await drained(child.stdout)
    return { ...ending, report: report(), overrun }
  } finally {
    clearTimeout(timer)
    stopWatching()
    signal.removeEventListener('abort', child.kill)
    await child.end()
    signal.throwIfAborted()
  }
}

/** The first half of that: nothing of it is left where this rejects, and else its caller has to end it. */
export async function startConfined(confined: Confined, means: Means, signal: AbortSignal): Promise<Ready> {
  signal.throwIfAborted()
  const { limits, slot = 0 } = confined
  const child = start(confined, means, slot)
  const tree: Tree = { child, pids: [] }
  const onAbort = (): void => kill(tree)
  signal.addEventListener('abort', onAbort, { once: true })
  const stdout = child.stdout as Readable
  const lastWords = keepFirst(child.stderr as Readable, 1024)
  let hasExited = false
  const exited = new Promise<Exit>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, by) => {
      hasExited = true
      resolve(tree.isKilled ? { code: null, signal: 'SIGKILL' } : exitOf(code, by, means))
    })
  })
  exited.catch(() => {}) // awaited below, but perhaps only after another failure
  child.stdin?.on('error', () => {}) // a child that died first is reported by its exit
  const finish = async (): Promise<void> => {
    await end(tree, exited)
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy()
  }
  const timer = setTimeout(onAbort, startSeconds * 1000)
  let isReady = false
  try {
    const began = await firstLine(stdout, exited)
    if (began === undefined) {
      const { code, signal: by } = await exited
      await drained(child.stderr as Readable)
      throw new Error(`the inspection could not be started: ${by ?? `code ${code}`} ${lastWords()}`.trim())
    }
    requireOwn(began.line, means)
    tree.pids = await below(child.pid as number, means.init ? 2 : 0)
    const pid = tree.pids.at(-1) as number
    if (means.prlimit) await lower(pid, limits, means, slot)
    isReady = !signal.aborted
    return {
      pid,
      stdout,
      begun: began.rest,
      exited,
      hasExited: () => hasExited,
      tell: (words) => void child.stdin?.write(words),
      kill: onAbort,
      end: finish,
    }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    if (!isReady) await finish()
    signal.throwIfAborted()
  }
}

/**
 * What a picture was decoded into stays for the next copy, instead of going back to the kernel and coming as new pages: a quarter
 * of the time. 8 MiB are a picture of 2.8 megapixels.
 */
const keepsMemory = ['mmap_threshold=8388608', 'trim_threshold=33554432', 'arena_max=2']
  .map((setting) => `glibc.malloc.${setting}`)
  .join(':')

function start({ script, arguments: given, descriptors, limits }: Confined, means: Means, slot: number): ChildProcess {
  const cache = cacheFor(means, slot)
  const node = [
    process.execPath,
    // What the kernel does not refuse Node does: sockets, other processes, files to write.
    ...(means.prlimit ? [] : ['--permission', '--allow-fs-read=*', '--allow-addons']),
    '--no-warnings',
    '--v8-pool-size=1',
    `--max-old-space-size=${Math.floor(limits.memoryBytes / 2 / 1024 / 1024)}`,
    script,
  ]
  const own = means.own?.length ? [`${confineOption}${means.own.join(',')}`] : []
  const [command, ...rest] = [...prefixFor(means.prefix, slot), ...node, ...given, ...own]
  return spawn(command as string, rest, {
    cwd: '/',
    // Nothing of the service's own: it holds the secret key.
    env: { GLIBC_TUNABLES: keepsMemory, ...(cache !== undefined && { NODE_COMPILE_CACHE: cache }) },
    // A group of its own: what it forks goes with it, and a Ctrl-C in the terminal is ours to act on.
    detached: true,
    // All other descriptors of this process are closed on exec.
    stdio: ['pipe', 'pipe', 'pipe', ...descriptors],
  })
}

/** It says which layers it could put on itself; one that held when it was tried must hold now. */
function requireOwn(line: string, means: Means): void {
  const said = JSON.parse(line) as Record<string, unknown>
  for (const layer of ownLayers) {
    if (means.own?.includes(layer) && said[layer] !== true) {
      throw new Error(`the inspection could not be confined: ${layer}: ${said[layer]}`)
    }
  }
}

/** Its limits from now on, hard ones: to raise them again it would need a privilege that it does not have. */
async function lower(pid: number, limits: Limits, means: Means, slot: number): Promise<void> {
  const { cpuSeconds, memoryBytes, fileBytes } = limits
  const data = (await statusBytes(pid, 'VmData')) + memoryBytes
  const [command, ...rest] = [
    ...prefixFor(means.sameUser ?? means.prefix, slot),
    'prlimit',
    `--pid=${pid}`,
    '--nofile=0:0',
    '--core=0:0',
    '--memlock=0:0',
    '--msgqueue=0:0',
    `--cpu=${cpuSeconds}:${cpuSeconds + 1}`,
    `--data=${data}:${data}`,
    `--fsize=${fileBytes}:${fileBytes}`,
    ...(means.processes === undefined ? [] : [`--nproc=${means.processes}:${means.processes}`]),
  ]
  await execFileAsync(command as string, rest, { env: {}, cwd: '/', timeout: startSeconds * 1000 })
}

export interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
}

/** A shell that is first in a process namespace says the signal that ended its child in its own code. */
function exitOf(code: number | null, signal: NodeJS.Signals | null, { init }: Means): Exit {
  const told = init && code !== null && code > 128 ? code - 128 : undefined
  const name = Object.entries(constants.signals).find(([, number]) => number === told)?.[0]
  return name === undefined ? { code, signal } : { code: null, signal: name as NodeJS.Signals }
}

interface Tree {
  readonly child: ChildProcess
  /** It was ended from here, which not every `unshare` repeats in how it ends itself. */
  isKilled?: boolean
  /** The process that was spawned and what it runs, down to the one that inspects; empty until that is ready. */
  pids: number[]
}

/** The process and so many generations below it: what holds the namespaces, the first process in them, Node. */
async function below(pid: number, generations: number): Promise<number[]> {
  const pids = [pid]
  while (pids.length <= generations) {
    const parent = pids.at(-1)
    const child = Number.parseInt(await readFile(`/proc/${parent}/task/${parent}/children`, 'utf8'), 10)
    if (!(child > 0)) throw new Error('the inspection ended before it began')
    pids.push(child)
  }
  return pids
}

/**
 * Ends all of it. The first process of a namespace takes the others with it, wherever they went, and the one above it
 * then ends by itself, so that none is left that nobody waits for.
 */
function kill(tree: Tree): void {
  const { child, pids } = tree
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  tree.isKilled = true
  const [, first] = pids
  if (first !== undefined && signalled(first)) return
  if (!signalled(-child.pid)) child.kill('SIGKILL') // before it has become a group
}

function signalled(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch {
    return false
  }
}

/** Returns once none of it runs any more. */
async function end(tree: Tree, exited: Promise<Exit>): Promise<void> {
  kill(tree)
  const { child, pids } = tree
  const isSlow = AbortSignal.timeout(1000)
  const onSlow = (): boolean => child.pid !== undefined && signalled(-child.pid)
  isSlow.addEventListener('abort', onSlow, { once: true })
  await exited.catch(() => {})
  isSlow.removeEventListener('abort', onSlow)
  // A group whose leader has ended may still have members.
  if (child.pid !== undefined) signalled(-child.pid)
  for (const pid of pids.slice(1)) for (let looks = 0; looks < 500 && (await runs(pid)); looks++) await sleep(10)
}

/** Whether there is such a process, and not only what is left of one for its parent to look at. */
async function runs(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return /\) [^ZX] /.test(stat)
}

/** The first line and what came with it, or undefined if the child ends before it is complete. */
function firstLine(stdout: Readable, exited: Promise<unknown>): Promise<{ line: string; rest: string } | undefined> {
  return new Promise((resolve, reject) => {
    let text = ''
    const onData = (chunk: string): void => {
      text += chunk
      const end = text.indexOf('\n')
      if (end < 0 && text.length < reportBytes) return
      stdout.off('data', onData)
      stdout.pause()
      resolve(end < 0 ? undefined : { line: text.slice(0, end), rest: text.slice(end + 1) })
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
export async function drained(output: Readable): Promise<void> {
  if (output.readableEnded || output.destroyed) return
  const longestWait = AbortSignal.timeout(1000)
  await new Promise<void>((resolve) => {
    output.once('end', resolve).once('close', resolve)
    // After a turn of the loop, because a process that was blocked has not read the pipe yet.
    longestWait.addEventListener('abort', () => setImmediate(resolve), { once: true })
  })
}

/** The memory of a process whose limit the kernel does not hold; between two looks it can take more. */
function watch(pid: number, memoryBytes: number, overran: () => void): () => void {
  let stopped = false
  const look = async (): Promise<void> => {
    const bytes = await residentBytes(pid).catch(() => 0)
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

/** A size in bytes of what Linux knows about a process. It is read at once: the kernel writes it, and no disk is asked. */
export async function statusBytes(pid: number, name: 'VmData' | 'VmRSS'): Promise<number> {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1024
}

async function residentBytes(pid: number): Promise<number> {
  if (process.platform === 'linux') return statusBytes(pid, 'VmRSS')
  const { stdout } = await execFileAsync('ps', ['-o', 'rss=', '-p', String(pid)], { timeout: 5000 })
  return Number(stdout) * 1024
}
