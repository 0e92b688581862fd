import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { isAlive } from './owner.ts'

type Log = (level: 'info' | 'warn' | 'error', message: string) => void

/** A fast shutdown writes a checkpoint, which takes a slow disk some seconds. */
const SHUTDOWN_MS = 15_000
const QUIT_MS = 3_000
const KILL_MS = 5_000
const POLL_MS = 10

/**
 * The pids of all PostgreSQL processes that work in this data folder, the postmaster first. On Linux a process is known
 * by its working directory, which PostgreSQL sets to the data folder: a reused pid, or a shell opened in the folder, is not
 * mistaken for one. Elsewhere only the postmaster is found, by its command line.
 */
export async function findServerProcesses(dataFolder: string): Promise<number[]> {
  const recorded = await readPostmasterPid(dataFolder)
  if (!existsSync('/proc/self/cwd')) {
    return recorded !== undefined && (await runsOn(recorded, dataFolder)) ? [recorded] : []
  }
  const folder = await stat(dataFolder, { bigint: true }).catch(() => undefined)
  if (!folder) return []
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    pids.map(async (pid) => {
      try {
        const cwd = await stat(`/proc/${pid}/cwd`, { bigint: true })
        if (cwd.ino !== folder.ino || cwd.dev !== folder.dev) return []
        return (await readFile(`/proc/${pid}/comm`, 'utf8')) === 'postgres\n' ? [Number(pid)] : []
      } catch {
        return [] // gone meanwhile, or of a user that we may not look at and therefore not ours
      }
    }),
  )
  return found.flat().sort((a, b) => Number(b === recorded) - Number(a === recorded) || a - b)
}

/**
 * Ends what an earlier owner left running in this data folder. The caller owns the folder, so none of it is in use. A
 * postmaster gets the time for a clean shutdown; backends without one have nothing to save.
 */
export async function endLeftovers(dataFolder: string, log: Log): Promise<void> {
  const recorded = await readPostmasterPid(dataFolder)
  const first = await findServerProcesses(dataFolder)
  if (first.length > 0) {
    const postmaster = first[0] === recorded ? first[0] : undefined
    log('warn', `stopping PostgreSQL processes of ${dataFolder} that were left behind: ${first.join(', ')}`)
    const steps: [NodeJS.Signals, number, (all: number[]) => number[]][] = [
      ['SIGQUIT', QUIT_MS, (all) => all],
      ['SIGKILL', KILL_MS, (all) => all],
    ]
    if (postmaster !== undefined) steps.unshift(['SIGINT', SHUTDOWN_MS, () => [postmaster]])
    if (!(await endBySteps(dataFolder, steps))) {
      const rest = await findServerProcesses(dataFolder)
      throw new Error(`PostgreSQL processes of ${dataFolder} do not stop: ${rest.join(', ')}`)
    }
  }
  // A reused pid makes PostgreSQL refuse to start. In a container that is the rule, where every start counts from 1.
  const pid = await readPostmasterPid(dataFolder)
  if (pid !== undefined && isAlive(pid)) await rm(join(dataFolder, 'postmaster.pid'), { force: true })
}

async function endBySteps(
  dataFolder: string,
  steps: [NodeJS.Signals, number, (all: number[]) => number[]][],
): Promise<boolean> {
  for (const [signal, wait, select] of steps) {
    for (const pid of select(await findServerProcesses(dataFolder))) sendSignal(pid, signal)
    const deadline = performance.now() + wait
    while (performance.now() < deadline) {
      if ((await findServerProcesses(dataFolder)).length === 0) return true
      await sleep(POLL_MS)
    }
  }
  return false
}

/** Waits until no process works in the data folder; false if some still do after the time. */
export async function waitUntilGone(dataFolder: string, timeout: number): Promise<boolean> {
  const deadline = performance.now() + timeout
  while ((await findServerProcesses(dataFolder)).length > 0) {
    if (performance.now() > deadline) return false
    await sleep(POLL_MS)
  }
  return true
}

/** Sends a signal to a process that may be gone already. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function readPostmasterPid(dataFolder: string): Promise<number | undefined> {
  const text = await readFile(join(dataFolder, 'postmaster.pid'), 'utf8').catch(() => '')
  const pid = Number(text.split('\n')[0])
  return Number.isSafeInteger(pid) && pid > 1 ? pid : undefined
}

/** Without /proc: the command line of the postmaster names its data folder. */
async function runsOn(pid: number, dataFolder: string): Promise<boolean> {
  const { stdout } = await promisify(execFile)('ps', ['-ww', '-o', 'args=', '-p', String(pid)]).catch(() => ({
    stdout: '',
  }))
  return stdout.includes('postgres') && stdout.includes(dataFolder)
}
