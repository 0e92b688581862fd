// A PostgreSQL server and its hot standby, which follows it over its socket, for stories about replicas.
import { execFile } from 'node:child_process'
import { chown, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { chooseAccount } from '../src/embedded/account.ts'
import { findBinaries } from '../src/embedded/binaries.ts'
import { dataFolderOf } from '../src/embedded/cluster.ts'
import { type EmbeddedPostgres, startEmbedded } from '../src/embedded/embedded.ts'
import { launch } from '../src/embedded/launch.ts'
import { settingArguments } from '../src/embedded/settings.ts'
import { remove, scratchPlace } from './scratch.ts'
import { eventually } from './world.ts'

export interface Pair {
  primary: string
  standby: string
  /** Runs a statement on the standby as its owner. */
  tell: (statement: string) => Promise<void>
  /** Freezes every process of the standby; the result lets them go on. */
  freeze: () => Promise<() => void>
  stopStandby: () => Promise<void>
  stop: () => Promise<void>
}

const settings = { fsync: 'off', wal_level: 'replica', max_wal_senders: '2', autovacuum: 'off', hot_standby: 'on' }
const log = (level: string, message: string) => level === 'error' && console.error(message)

const urlOf = ({ host, port, user, database }: EmbeddedPostgres['connection']): string =>
  `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`

async function ask(url: string, ...statements: string[]): Promise<Record<string, string>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  let rows: Record<string, string>[] = []
  for (const statement of statements) rows = (await client.query(statement)).rows
  await client.end()
  return rows
}

/** Starts both; everything of the primary is copied while it runs, as a base backup is made. */
export async function startPair(): Promise<Pair> {
  const folder = await mkdtemp(join(scratchPlace(), 'kith-pair-'))
  const [one, two] = [join(folder, 'one'), join(folder, 'two')]
  const server = await startEmbedded({ folder: one, log, settings })
  const primary = urlOf(server.connection)
  const [from, to] = [dataFolderOf(one), dataFolderOf(two)]
  await writeFile(join(from, 'pg_hba.conf'), 'local all all trust\nlocal replication all trust\n')
  const client = new pg.Client({ connectionString: primary })
  await client.connect()
  await client.query('select pg_reload_conf()')
  await client.query(`select pg_backup_start('standby', true)`)
  await mkdir(two, { mode: 0o700 })
  // With its owner, who is not the one of this process.
  await promisify(execFile)('cp', ['-a', from, to])
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
  await client.end()
  await rm(join(to, 'postmaster.pid'))
  const { uid, gid } = await stat(to)
  for (const [name, text] of Object.entries({ backup_label: rows[0]?.labelfile ?? '', 'standby.signal': '' })) {
    await writeFile(join(to, name), text)
    await chown(join(to, name), uid, gid)
  }
  const account = await chooseAccount(to)
  const sockets = await mkdtemp(join(tmpdir(), 'kith-s-'))
  await chown(sockets, uid, gid)
  const { host, port, user, database } = server.connection
  const following = { ...settings, primary_conninfo: `host=${host} port=${port} user=${user}` }
  const { postgres } = await findBinaries({ account })
  const { child, ended } = await launch(postgres, settingArguments(sockets, port, following), {
    account,
    dataFolder: to,
    deathSignal: 'KILL',
  })
  child.stdout?.resume()
  child.stderr?.resume()
  const pid = child.pid as number
  const standby = urlOf({ host: sockets, port, user, database })
  await eventually(() => ask(standby, 'select 1').catch(() => undefined), 'the standby')
  async function stopStandby(): Promise<void> {
    child.kill('SIGQUIT')
    await ended
  }
  return {
    primary,
    standby,
    tell: async (statement) => void (await ask(standby, statement)),
    async freeze() {
      // First, so that it starts no other, and what ends meanwhile stays for it to look at.
      process.kill(pid, 'SIGSTOP')
      const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ').map(Number)
      const signal = (name: NodeJS.Signals) => {
        for (const each of children) process.kill(each, name)
      }
      signal('SIGSTOP')
      return () => {
        signal('SIGCONT')
        process.kill(pid, 'SIGCONT')
      }
    },
    stopStandby,
    async stop() {
      await stopStandby()
      await server.stop('immediate')
      for (const each of [folder, sockets]) await remove(each)
    },
  }
}
