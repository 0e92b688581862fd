// User and system time of processes: unlike a rate, it does not change much with what else a machine does.
import { readdirSync, readFileSync } from 'node:fs'

/** Of a tick of the kernel, in milliseconds. */
const tick = 10

interface Used {
  parent: number
  /** Of the process and of its children that have ended. */
  milliseconds: number
}

/** Milliseconds of these processes and all that they started. */
export function processorTime(roots: readonly number[]): number {
  const all = new Map<number, Used>()
  for (const name of readdirSync('/proc')) {
    const used = /^\d+$/.test(name) ? read(name) : undefined
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
  for (const [pid, { milliseconds }] of all) if (isOurs(pid)) total += milliseconds
  return total
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
