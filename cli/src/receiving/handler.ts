// One run of the command that handles an event: no shell, the event on standard input, everything it prints on the error
// stream. It leads a process group of its own, so that it can be ended with all that it started.
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import type { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Run {
  command: readonly string[]
  /** What it reads. */
  input: string
  /** Added to the environment of this process. */
  env: Readonly<Record<string, string>>
  timeoutMs: number
  /** Ends it early. */
  signal: AbortSignal
  /** Later than this, a group that was asked to end is killed. */
  graceMs?: number
}

const lookAgainMs = 50
/** What `timeout` of coreutils exits with. */
const timedOut = 124
/** For a passing reason, as sendmail defined it. */
export const tryLater = 75

/** Its exit code as a shell would say it: 127 if it does not exist, 126 if it cannot be started, 128 and the number of a signal. */
export async function runHandler({ command, input, env, timeoutMs, signal, graceMs = 5_000 }: Run): Promise<number> {
  const [file = '', ...args] = command
  const child = start()
  if (child === undefined) return tryLater
  const exited = new Promise<number>((resolve) => {
    // Not `close`: a daemon that it left behind may hold its pipes for ever.
    child.once('exit', (code, by) => resolve(code ?? 128 + constants.signals[by as NodeJS.Signals]))
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (child.pid === undefined) resolve(startFailures[error.code ?? ''] ?? tryLater)
    })
  })
  // It need not read its input.
  const stdin = child.stdin as Writable
  stdin.on('error', () => {})
  stdin.end(input)
  const { pid } = child
  if (pid === undefined) return exited
  let late: NodeJS.Timeout | undefined
  let stop = () => {}
  const cut = new Promise<'timeout' | 'stop'>((resolve) => {
    late = setTimeout(() => resolve('timeout'), timeoutMs)
    stop = () => resolve('stop')
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
  })
  try {
    const first = await Promise.race([exited, cut])
    if (typeof first === 'number') return first
    const last = await endGroup(pid, exited, graceMs)
    return first === 'timeout' ? timedOut : last
  } finally {
    clearTimeout(late)
    signal.removeEventListener('abort', stop)
    stdin.destroy()
  }

  function start() {
    try {
      return spawn(file, args, { env: { ...process.env, ...env }, detached: true, stdio: ['pipe', 2, 2] })
    } catch {
      // Such as a machine without memory: nothing was run.
      return undefined
    }
  }
}

const startFailures: Readonly<Record<string, number>> = { ENOENT: 127, EACCES: 126, ENOEXEC: 126, ENOTDIR: 127 }

async function endGroup(pid: number, exited: Promise<number>, graceMs: number): Promise<number> {
  const until = performance.now() + graceMs
  signalGroup(pid, 'SIGTERM')
  while (signalGroup(pid, 0) && performance.now() < until) await sleep(lookAgainMs)
  signalGroup(pid, 'SIGKILL')
  // A process that waits for a broken disk cannot be killed, and is not waited for.
  return Promise.race([exited, sleep(graceMs, 128 + constants.signals.SIGKILL, { ref: false })])
}

/** False once nobody of the group is left. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal)
  } catch (error) {
    // EPERM: those who are left changed their user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
