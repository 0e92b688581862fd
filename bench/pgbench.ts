// pgbench, PostgreSQL's own load: the baseline of what a service can make of the same database.
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { NoBaseline } from './goal.ts'
import { median } from './statistics.ts'

export interface Bare {
  host: string
  port: number
  user: string
  database: string
  clients: number
  seconds: number
}

/** Transactions a second of a script by so many clients. */
export async function pgbench(script: string, bare: Bare): Promise<number> {
  return run(script, bare, ['-c', String(bare.clients), '-j', '2', '-T', String(bare.seconds)], async (stdout) =>
    Number(/tps = ([\d.]+)/.exec(stdout)?.[1]),
  )
}

const latencyRuns = 400

/** Median milliseconds of a script through one connection, once it is warm. */
export async function pgbenchLatency(
  script: string,
  bare: Pick<Bare, 'host' | 'port' | 'user' | 'database'>,
): Promise<number> {
  return run(script, bare, ['-c', '1', '-t', String(latencyRuns), '-l'], async (_stdout, folder) => {
    const [log] = (await readdir(folder)).filter((name) => name.startsWith('pgbench_log'))
    const lines = (await readFile(join(folder, log ?? ''), 'utf8')).trim().split('\n')
    // Of each transaction: client, number, microseconds.
    return median(lines.slice(latencyRuns / 8).map((line) => Number(line.split(' ')[2]))) / 1000
  })
}

async function run(
  script: string,
  { host, port, user, database }: Pick<Bare, 'host' | 'port' | 'user' | 'database'>,
  how: readonly string[],
  read: (stdout: string, folder: string) => Promise<number>,
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'kith-pgbench-'))
  const file = join(folder, 'script.sql')
  await writeFile(file, script)
  try {
    const where = ['-h', host, '-p', String(port), '-U', user, database]
    const options = { cwd: folder, env: { ...process.env, PGOPTIONS: '-c enable_seqscan=off -c jit=off' } }
    const { stdout } = await promisify(execFile)(
      'pgbench',
      ['-n', '-M', 'prepared', '-f', file, ...how, ...where],
      options,
    )
    const measured = await read(stdout, folder)
    if (!(measured > 0)) throw new NoBaseline(`pgbench measured nothing: ${stdout}`)
    return measured
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new NoBaseline('pgbench is not installed: on Debian it is in postgresql-contrib')
  } finally {
    await rm(folder, { recursive: true })
  }
}
