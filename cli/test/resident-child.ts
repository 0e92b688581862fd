// The command in a process that stays, for tests: what each run would load and compile again is there already. A run has its own
// words, environment, folder, pipes and connections; `resident.ts` starts this process, and sends one run after the other.
import { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { run } from '../src/run.ts'

/** What a run is given. */
export interface Asked {
  args: readonly string[]
  input: string | Buffer
  env: NodeJS.ProcessEnv
  cwd: string
}

/** What it came to. */
export interface Came {
  code: number
  out: string
  err: string
}

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const dispatcher = Symbol.for('undici.globalDispatcher.1')

process.once('disconnect', () => process.exit())
process.on('message', async (asked: Asked) => {
  process.send?.(await runAs(asked))
})

async function runAs({ args, input, env, cwd }: Asked): Promise<Came> {
  process.env = { ...env }
  process.chdir(cwd)
  process.argv = [process.execPath, main, ...args]
  const [out, err] = [writtenTo('stdout'), writtenTo('stderr')]
  const bytes = Buffer.from(input)
  Object.defineProperty(process, 'stdin', {
    value: Readable.from(bytes.length === 0 ? [] : [bytes], { objectMode: false }),
    configurable: true,
  })
  const code = await run(args)
  for (const signal of signals) process.removeAllListeners(signal)
  await renewConnections()
  return { code, out: out(), err: err() }
}

/** Replaces a stream of this process by one of the run; gives what was written to it. */
function writtenTo(name: 'stdout' | 'stderr'): () => string {
  const chunks: Buffer[] = []
  const value = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk)
      done()
    },
  })
  Object.defineProperty(process, name, { value, configurable: true })
  return () => Buffer.concat(chunks).toString()
}

/** The next run must not get a connection that a server closes meanwhile. */
async function renewConnections(): Promise<void> {
  const all = globalThis as unknown as Record<symbol, { constructor: new () => object; destroy(): Promise<void> }>
  const used = all[dispatcher]
  if (!used) return
  Object.assign(all, { [dispatcher]: new used.constructor() })
  await used.destroy()
}
