// Runs of the command in one process that stays (resident-child.ts). To start the command takes ten times as long as most of
// what it does: a test needs a process for each run only if that is its subject, or if two runs are at once.
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type Program, startProgram } from '../../server/test/launch.ts'
import type { Asked, Came } from './resident-child.ts'

const file = fileURLToPath(new URL('resident-child.ts', import.meta.url))

export interface Resident {
  /** Whether it has no run. */
  isIdle(): boolean
  run(asked: Asked): Promise<Came>
}

/** It ends with what it was started for, as every program of a test. */
export function resident(): Resident {
  let program: Program | undefined
  let isBusy = false
  return {
    isIdle: () => !isBusy,
    async run(asked) {
      isBusy = true
      program ??= startProgram([process.execPath, '--conditions=source', file], {
        env: asked.env,
        cwd: asked.cwd,
        messages: true,
      })
      const { child, ended, output } = program
      const told = output().length
      const over = new AbortController()
      try {
        child.send(asked)
        const came = await Promise.race([
          once(child, 'message', { signal: over.signal }).then(([came]) => came as Came),
          ended.then((ending) => {
            throw new Error(`the command ended with ${ending} in ${asked.args.join(' ')}: ${output()}`)
          }),
        ])
        // What the process says itself, as a warning of Node.
        return { ...came, err: came.err + output().slice(told) }
      } finally {
        over.abort()
        isBusy = false
      }
    },
  }
}
