// The workers of a service that runs as a process of its own.
import { readdirSync, readFileSync } from 'node:fs'
import type { Program } from './launch.ts'

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
