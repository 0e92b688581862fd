// A message of Kith against one of ejabberd, another server that keeps messages in PostgreSQL, in turns. What each of them
// does for it: docs/performance.md#ejabberd.
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { startEmbedded } from '../server/src/embedded/embedded.ts'
import { cleanEnv, freePort, type Program, startProgram } from '../server/test/launch.ts'
import { atLeast, type Line, NoBaseline } from './goal.ts'
import { endToEnd, type Link, type Result, throughLinks } from './load.ts'
import { median } from './statistics.ts'
import { kithTarget, startKith } from './targets.ts'
import { host, link } from './xmpp.ts'

const pairs = 16
const inFlight = 4
const rounds = Number(process.env['ROUNDS'] ?? 3)
const seconds = Number(process.env['SECONDS'] ?? 4)

export async function ejabberd(): Promise<Line[]> {
  const other = await startEjabberd()
  try {
    const kith = await startKith()
    try {
      const target = await kithTarget(kith, pairs)
      const results: [Result, Result][] = []
      for (let round = 0; round < rounds; round++) {
        const ours = await endToEnd(target, pairs, inFlight, seconds)
        const theirs = await throughLinks(other.pids, await other.links(), inFlight, seconds)
        results.push([ours, theirs])
      }
      const ratio = (of: keyof Result): number => median(results.map(([ours, theirs]) => ours[of] / theirs[of]))
      const at = (side: 0 | 1, of: keyof Result): number => median(results.map((result) => result[side][of]))
      const show = (side: 0 | 1): string =>
        `${at(side, 'perSecond').toFixed(0)}/s, p50 ${at(side, 'p50').toFixed(1)} ms`
      const [rate, cost] = [ratio('perSecond'), ratio('cost')]
      return [
        {
          measure: `end to end, ${pairs} pairs with ${inFlight} in flight`,
          kith: show(0),
          against: `${other.version} ${show(1)}`,
          ratio: `${rate.toFixed(2)}x`,
          goal: atLeast(3, rate),
        },
        {
          measure: 'the same: CPU',
          kith: `${at(0, 'cost').toFixed(0)} µs`,
          against: `${at(1, 'cost').toFixed(0)} µs`,
          ratio: `${cost.toFixed(2)}x`,
        },
      ]
    } finally {
      await kith.stop()
      await kith.remove()
    }
  } finally {
    await other.stop()
  }
}

interface Ejabberd {
  version: string
  pids: readonly number[]
  links(): Promise<Link[]>
  stop(): Promise<void>
}

/** Where Debian puts it. */
const control = '/usr/sbin/ejabberdctl'
const schema = '/usr/share/ejabberd/sql/pg.sql'
const user = (index: number): string => `user${index}`

/** Without its client of PostgreSQL it would start, and end the first session. */
const reachesPostgres = async (): Promise<boolean> =>
  (await readdir('/usr/lib/erlang/lib').catch(() => [])).some((name) => name.startsWith('p1_pgsql-'))

async function startEjabberd(): Promise<Ejabberd> {
  const isErlangThere = (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, 'erl')))
  if (!isErlangThere || ![control, schema].every((path) => existsSync(path)) || !(await reachesPostgres())) {
    throw new NoBaseline(
      'ejabberd or its client of PostgreSQL is missing: on Debian, apt-get install ejabberd erlang-p1-pgsql; its own service may stay stopped',
    )
  }
  const folder = await mkdtemp(join(tmpdir(), 'kith-ejabberd-'))
  const password = randomBytes(12).toString('hex')
  const port = await freePort()
  let [program, postgres]: (Program | undefined)[] = []
  const stop = async (): Promise<void> => {
    await program?.stop()
    await postgres?.stop('SIGINT')
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const database = await startDatabase(join(folder, 'postgres'))
    postgres = database.program
    const client = new pg.Client(database.connection)
    await client.connect()
    await client.query(await readFile(schema, 'utf8'))
    const users = Array.from({ length: pairs * 2 }, (_, index) => user(index))
    await client.query('insert into users (username, password) select unnest($1::text[]), $2', [users, password])
    await client.end()
    const config = join(folder, 'ejabberd.yml')
    await writeFile(config, configuration(port, database.connection), { mode: 0o600 })
    // Debian's script would have it run as its own user, and leave a process that finds nodes by their names.
    const libraries = /^ERL_LIBS='(.+)'$/m.exec(await readFile(control, 'utf8'))?.[1] ?? ''
    const env = { ERL_LIBS: libraries, EJABBERD_CONFIG_PATH: config, EJABBERD_LOG_PATH: join(folder, 'ejabberd.log') }
    program = startProgram(['erl', '+K', 'true', '-noinput', '-mnesia', 'dir', `"${folder}/mnesia"`, ...started], {
      env: cleanEnv(env),
      cwd: folder,
    })
    const [, version] = await program.says(/(ejabberd \S+) is ready/)
    const links = (): Promise<Link[]> =>
      Promise.all(
        Array.from({ length: pairs }, (_, index) => link(port, [user(index * 2), user(index * 2 + 1)], password)),
      )
    return { version: version as string, pids: [program.pid, database.program.pid], links, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Says its version once it serves. */
const started = [
  '-eval',
  '{ok, _} = application:ensure_all_started(ejabberd), io:format("ejabberd ~s is ready~n", [ejabberd_option:version()]).',
]

/** Every message in the archives of both sides, and nothing else that costs anything: no TLS, no limits, no other modules. */
const configuration = (port: number, { port: databasePort, user, database }: Connection): string => `
hosts: [${host}]
loglevel: error
listen:
  - port: ${port}
    ip: 127.0.0.1
    module: ejabberd_c2s
auth_method: sql
default_db: sql
sql_type: pgsql
sql_server: 127.0.0.1
sql_port: ${databasePort}
sql_database: ${database}
sql_username: ${user}
sql_pool_size: ${pairs}
modules:
  mod_mam:
    default: always
  mod_roster: {}
  mod_stream_mgmt: {}
`

type Connection = Record<'host' | 'user' | 'database', string> & { port: number }

/** The program and the settings of the embedded PostgreSQL, on a port as well: ejabberd knows no other sockets. */
async function startDatabase(folder: string): Promise<{ connection: Connection; program: Program }> {
  const embedded = await startEmbedded({ folder, log: () => {} })
  const { user, database } = embedded.connection
  const commandLine = (await readFile(`/proc/${embedded.pid}/cmdline`, 'utf8')).split('\0').slice(0, -1)
  const binary = await readlink(`/proc/${embedded.pid}/exe`)
  await embedded.stop()
  const data = join(folder, 'data')
  const { uid, gid } = await stat(data)
  // It may be another user's, who has to reach it.
  for (const above of [folder, dirname(folder)]) await chmod(above, 0o711)
  await writeFile(join(data, 'pg_hba.conf'), 'host all all 127.0.0.1/32 trust\n')
  const port = await freePort()
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    'unix_socket_directories=',
    'log_min_messages=log',
  ].flatMap((setting) => ['-c', setting])
  const given = commandLine.slice(commandLine.indexOf('-D') + 2)
  const program = startProgram([binary, '-D', data, ...given, ...settings], {
    account: { uid, gid },
    env: cleanEnv({}),
  })
  await program.says(/ready to accept connections/)
  return { connection: { host: '127.0.0.1', port, user, database }, program }
}
