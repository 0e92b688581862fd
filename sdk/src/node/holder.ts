// Who holds a lock, and whether it still lives. A process id alone may have been given to another process since.
import { readFile, readlink } from 'node:fs/promises'
import { hostname } from 'node:os'

export interface Holder {
  /** Where the process id means something: host, boot and, on Linux, the namespace of process ids. */
  place: string
  pid: number
  /** Start of the process in clock ticks since boot; empty if the system does not tell. */
  started: string
}

let self: Promise<Holder> | undefined

/** This process. */
export function currentHolder(): Promise<Holder> {
  self ??= describe()
  return self
}

async function describe(): Promise<Holder> {
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '')
  return {
    place: [hostname(), boot.trim(), namespace].join('|'),
    pid: process.pid,
    started: (await startOf(process.pid)) ?? '',
  }
}

/** Whether the holder lives; undefined when it is of another place, where this process cannot look. */
export async function isAlive(holder: Holder): Promise<boolean | undefined> {
  if (holder.place !== (await currentHolder()).place) return undefined
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    // EPERM: it lives, under another user.
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  const started = await startOf(holder.pid)
  return started === undefined || holder.started === '' || started === holder.started
}

/** Field 22 of /proc/<pid>/stat; the command's name before it may hold blanks and parentheses. A zombie counts as gone. */
async function startOf(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (stat === undefined) return undefined
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields[0] === 'Z' ? 'gone' : fields[19]
}
