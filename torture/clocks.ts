// Clocks of nodes that jump: by Debian's libfaketime, which reads the time of a process from a file.
import { existsSync } from 'node:fs'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const library = ['x86_64', 'aarch64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`)
  .find((path) => existsSync(path))

export interface Clocks {
  /** What a node's environment must have. */
  of(node: number): Promise<Record<string, string>>
  /** From about a second later on. The monotonic clock never jumps, as on a real machine. */
  set(node: number, seconds: number): Promise<void>
  /** Takes all to the same time, which none of them has passed yet. */
  agree(): Promise<void>
  close(): Promise<void>
}

/** How far a clock may be set to either side of the machine's, in seconds: a suspended host, or a wrong time server. */
export const longestJump = 20
/** For how long the library may still go by what it read last, in milliseconds. */
const longestMemory = 1_500

/** Undefined where the library is not installed. */
export function openClocks(folder: string): Clocks | undefined {
  if (library === undefined) return undefined
  const offsets = new Map<number, number>()
  const fileOf = (node: number): string => join(folder, `clock-${node}`)
  const set = async (node: number, seconds: number): Promise<void> => {
    offsets.set(node, seconds)
    await writeFile(fileOf(node), `${seconds < 0 ? '' : '+'}${seconds}\n`)
  }
  return {
    set,
    async of(node) {
      await set(node, offsets.get(node) ?? 0)
      return {
        LD_PRELOAD: library,
        FAKETIME_TIMESTAMP_FILE: fileOf(node),
        FAKETIME_CACHE_DURATION: '1',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
      }
    },
    async agree() {
      for (const node of offsets.keys()) await set(node, longestJump)
      await sleep(longestMemory)
    },
    async close() {
      // What it leaves of processes that are gone.
      for (const name of await readdir('/dev/shm').catch(() => [])) {
        const pid = /^(?:sem\.)?faketime_(?:sem|shm)_(\d+)$/.exec(name)?.[1]
        if (pid !== undefined && !existsSync(`/proc/${pid}`)) await rm(`/dev/shm/${name}`, { force: true })
      }
    },
  }
}
