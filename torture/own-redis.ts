// A Redis of the run's own, which the nodes use for hints and limits, and which may be away or silent: nothing rests on it.
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, type Program, startProgram } from '../server/test/launch.ts'

const binary = ['redis-server', 'valkey-server'].map((name) => `/usr/bin/${name}`).find((path) => existsSync(path))

export interface OwnRedis {
  url: string
  /** Kills it, and starts it again after so long, in milliseconds. */
  restart(milliseconds: number): Promise<void>
  /** It answers nothing for so long, and closes nothing. */
  pause(milliseconds: number): Promise<void>
  stop(): Promise<void>
}

/** Undefined where it is not installed. */
export async function startOwnRedis(folder: string): Promise<OwnRedis | undefined> {
  if (binary === undefined) return undefined
  const port = String(await freePort())
  const options = ['--port', port, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder]
  // A group of its own: Ctrl-C is for the torture, which then ends it.
  const start = (): Program => startProgram([binary, ...options], { env: {}, detached: true, keep: 1000 })
  let running = start()
  return {
    url: `redis://127.0.0.1:${port}`,
    async restart(milliseconds) {
      await running.stop('SIGKILL')
      await sleep(milliseconds)
      running = start()
    },
    async pause(milliseconds) {
      running.kill('SIGSTOP')
      await sleep(milliseconds)
      running.kill('SIGCONT')
    },
    async stop() {
      await running.stop('SIGKILL')
    },
  }
}
