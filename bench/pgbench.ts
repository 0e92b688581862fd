// pgbench, PostgreSQL's own load: the baseline of what a service can make of the same database.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { NoBaseline } from './reach.ts'

export interface Bare {
  host: string
  port: number
  user: string
  database: string
  clients: number
  seconds: number
}

/** Transactions a second of a script by so many clients. */
export async function pgbench(script: string, { host, port, user, database, clients, seconds }: Bare): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'kith-pgbench-'))
  const file = join(folder, 'script.sql')
  await writeFile(file, script)
  try {
    const { stdout } = await promisify(execFile)('pgbench', [
      ...['-n', '-M', 'prepared', '-f', file, '-c', String(clients), '-j', '2', '-T', String(seconds)],
      ...['-h', host, '-p', String(port), '-U', user, database],
    ])
    const perSecond = Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
    if (!(perSecond > 0)) throw new NoBaseline(`pgbench measured nothing: ${stdout}`)
    return perSecond
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new NoBaseline('pgbench is not installed: on Debian it is in postgresql-contrib')
  } finally {
    await rm(folder, { recursive: true })
  }
}
