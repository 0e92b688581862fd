// npm run torture:mutants: does the torture see what it is for? The service in copies of this repository, each without one
// thing that keeps it whole: every one of them has to fail, and the copy as it is has to hold. `--only TEXT` takes those whose
// names have it.
import { execFileSync } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Ending, startProgram } from '../server/test/launch.ts'
import { type Change, mutants } from './mutations.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Of one run, whatever it is asked to last, in milliseconds. */
const longestRun = 300_000

interface Result {
  name: string
  verdict: string
  /** As it was hoped for. */
  good: boolean
}

/** Runs the torture in a copy of the repository with these changes. */
async function torture(
  changes: readonly Change[],
  args: readonly string[],
  signal: AbortSignal,
): Promise<{ code: Ending; output: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'kith-mutant-'))
  try {
    await chmod(folder, 0o755)
    const names = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root })
    for (const name of String(names).split('\0').filter(Boolean)) {
      await mkdir(dirname(join(folder, name)), { recursive: true })
      await cp(join(root, name), join(folder, name)).catch((error: NodeJS.ErrnoException) => {
        // Deleted, but not yet for git.
        if (error.code !== 'ENOENT') throw error
      })
    }
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
    for (const { file, text, instead } of changes) {
      const [before, after, ...more] = (await readFile(join(folder, file), 'utf8')).split(text)
      if (before === undefined || after === undefined || more.length > 0) {
        throw new Error(`${file} does not hold exactly once: ${text}`)
      }
      await writeFile(join(folder, file), `${before}${instead}${after}`)
    }
    const program = startProgram([process.execPath, join(folder, 'torture', 'main.ts'), ...args], { env: process.env })
    // Its own end, so that it removes what it made.
    const stop = (): void => program.kill('SIGTERM')
    const late = setTimeout(stop, longestRun)
    signal.addEventListener('abort', stop)
    const code = await program.ended
    clearTimeout(late)
    signal.removeEventListener('abort', stop)
    return { code, output: program.output() }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      seconds: { type: 'string', default: '20' },
      'database-url': { type: 'string' },
      only: { type: 'string', default: '' },
    },
  })
  const { only, ...forTorture } = values
  const args = Object.entries(forTorture).flatMap(([name, value]) => [`--${name}`, value])
  const interrupted = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => interrupted.abort())
  const { signal } = interrupted
  const results: Result[] = []

  const whole = await torture([], args, signal)
  results.push({ name: 'as it is', verdict: verdictOf(whole), good: whole.code === 0 })
  if (whole.code !== 0) console.error(whole.output)
  for (const { name, changes, finds, seconds } of mutants.filter((mutant) => mutant.name.includes(only))) {
    if (signal.aborted) return 130
    const longer = seconds === undefined ? [] : ['--seconds', `${seconds}`]
    const run = await torture(changes, [...args, ...longer], signal)
    const verdict = verdictOf(run)
    results.push({ name, verdict, good: run.code === 1 && finds.test(verdict) })
  }
  if (signal.aborted) return 130
  console.log('| The service | The torture | As it should |\n| --- | --- | --- |')
  for (const { name, verdict, good } of results) console.log(`| ${name} | ${verdict} | ${good ? 'yes' : 'NO'} |`)
  return results.every(({ good }) => good) ? 0 : 1
}

/** In one line: that all held, the rule that did not, or that there was no run to speak of. */
function verdictOf({ code, output }: { code: Ending; output: string }): string {
  if (code === 0) return 'everything held'
  return /^FAILED .*$/m.exec(output)?.[0] ?? `no run: ${output.trim().split('\n').at(-1)}`
}

process.exit(await main())
