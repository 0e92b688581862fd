// User and system time of processes: unlike a rate, it does not change much with what else a machine does.
import { readdirSync, readFileSync } from 'node:fs'

/** Of a tick of the kernel, in milliseconds. */
const tick = 10

interface Used {
  parent: number
  /** Of the process and of its children that have ended. */
  milliseconds: number
}

/** Milliseconds of these processes and all that they started. `others` are known not to be theirs, and are not read again. */
export function processorTime(roots: readonly number[], others: Set<number> = new Set()): number {
  const all = new Map<number, Used>()
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  for (const other of others) if (!pids.includes(String(other))) others.delete(other)
  for (const name of pids) {
    const used = others.has(Number(name)) ? undefined : read(name)
    if (used) all.set(Number(name), used)
  }
  const isOurs = (pid: number): boolean => {
    for (let at = pid; ; ) {
      if (roots.includes(at)) return true
      const parent = all.get(at)?.parent
      if (parent === undefined) return false
      at = parent
    }
  }
  let total = 0
  for (const [pid, { milliseconds }] of all) {
    if (isOurs(pid)) total += milliseconds
    else others.add(pid)
  }
  return total
}

interface Meter {
  /** Milliseconds so far. */
  read(): number
  stop(): void
}

/**
 * Counts the time also of processes whose end their parent does not see: then the kernel adds their time to nobody's, as
 * when a process namespace ends that an inspection ran in. What such a process used between the last look and its end is lost.
 */
export function startMeter(roots: readonly number[], lookEvery = 50): Meter {
  const others = new Set<number>()
  let last = processorTime(roots, others)
  let total = 0
  const look = (): void => {
    const now = processorTime(roots, others)
    // Less than before: some of it has gone with a process, and what was counted of that stays counted.
    total += Math.max(0, now - last)
    last = now
  }
  const timer = setInterval(look, lookEvery)
  return {
    read() {
      look()
      return total
    },
    stop: () => clearInterval(timer),
  }
}

function read(pid: string): Used | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    return { parent: Number(fields[1]), milliseconds: ticks * tick }
  } catch {
    // It ended meanwhile.
    return undefined
  }
}
