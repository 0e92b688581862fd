import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { pbkdf2 } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { scratchPlace } from '../../test/scratch.ts'
import { chooseAccount, ownAccount } from './account.ts'
import { findBinaries, locatePackage } from './binaries.ts'
import { type EmbeddedPostgres, findRunning, startEmbedded } from './embedded.ts'
import { canSetDeathSignal, run } from './launch.ts'
import { findServerProcesses } from './leftovers.ts'

const FIXTURE = fileURLToPath(new URL('embedded.fixture.ts', import.meta.url))
const NOBODY = { uid: 65534, gid: 65534 }
const isRoot = process.getuid!() === 0
const isLinux = process.platform === 'linux'
const nobodyCanRun = isRoot && spawnSync(process.execPath, ['--check', FIXTURE], { ...NOBODY, cwd: '/' }).status === 0
const rootOnly = { skip: isRoot ? false : 'needs root' }
const linuxOnly = { skip: isLinux ? false : 'needs /proc' }
const nobodyOnly = { skip: nobodyCanRun ? false : 'needs root, and sources that nobody can read' }

const children = new Set<ChildProcess>()
after(() => {
  for (const child of children) child.kill('SIGKILL')
})

/** Hooks run in the order of their making, so the one of the folder also stops the servers in it. */
const started = new WeakMap<TestContext, EmbeddedPostgres[]>()

/** A folder of this test's own; whatever still works in it when the test ends is a failure of the test. */
function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(scratchPlace(), 'kith-test-'))
  t.after(async () => {
    for (const postgres of started.get(t) ?? []) await postgres.stop()
    const left = await findServerProcesses(join(folder, 'postgres/data'))
    for (const pid of left) process.kill(pid, 'SIGKILL')
    rmSync(folder, { recursive: true, force: true })
    assert.deepEqual(left, [], 'processes were left behind')
  })
  return folder
}

/** The data folder of a first start; most stories are about what comes after that. */
let first: Promise<string> | undefined
after(async () => first && rmSync(await first, { recursive: true }))

/** The same for a test of its own: to make one takes a second of a core. */
async function startedBefore(folder: string): Promise<string> {
  first ??= (async () => {
    const made = mkdtempSync(join(scratchPlace(), 'kith-test-'))
    await (await startEmbedded({ folder: made, log: () => {} })).stop()
    return made
  })()
  mkdirSync(folder, { recursive: true })
  // With its owner.
  execFileSync('cp', ['-a', dataOf(await first), folder])
  return folder
}

async function start(t: TestContext, folder: string, lines: string[] = []): Promise<EmbeddedPostgres> {
  const postgres = await startEmbedded({ folder, log: (level, message) => lines.push(`${level} ${message}`) })
  started.set(t, [...(started.get(t) ?? []), postgres])
  return postgres
}

async function query(connection: pg.ClientConfig, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end().catch(() => {})
  }
}

interface Answer {
  pid?: number
  connection?: EmbeddedPostgres['connection']
  error?: string
  postgres?: string
  found?: unknown
}

interface Owner extends Answer {
  readonly child: ChildProcess
  readonly exited: Promise<unknown>
}

/** Runs the fixture up to its first line. */
async function fixture(task: string, folder: string, options: object = {}): Promise<Owner> {
  const child = spawn(process.execPath, [FIXTURE, task, folder], { stdio: ['pipe', 'pipe', 'inherit'], ...options })
  children.add(child)
  const exited = once(child, 'close').then(() => children.delete(child))
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout! }), 'line'),
    exited.then(() => ['{}']),
  ])
  return { child, exited, ...(JSON.parse(line as string) as Answer) }
}

async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  // Longer than anything takes on a machine whose cores are all busy.
  const deadline = performance.now() + 240_000
  while (!(await condition())) {
    if (performance.now() > deadline) assert.fail(`never came: ${what}`)
    await sleep(10)
  }
}

const dataOf = (folder: string) => join(folder, 'data')

function status(pid: number, field: string): string {
  return new RegExp(`^${field}:\\s+(\\S+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? ''
}

test('the first start creates the database, a stop leaves nothing running, and the next start keeps the data', async (t) => {
  const folder = join(temporaryFolder(t), 'postgres')
  const lines: string[] = []
  let began = performance.now()
  const first = await start(t, folder, lines)
  t.diagnostic(`first start ${Math.round(performance.now() - began)} ms`)
  assert.equal(first.running(), true)
  await query(first.connection, `create table note (body text); insert into note values ('kept')`)
  const processes = await findServerProcesses(dataOf(folder))
  assert.ok(processes.includes(first.pid))
  if (isLinux) {
    const kilobytes = processes.map((pid) => {
      const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
      return Number(/^Pss:\s+(\d+)/m.exec(text)![1])
    })
    t.diagnostic(`${processes.length} processes, ${kilobytes.reduce((a, b) => a + b)} kB (PSS)`)
  }
  await first.stop()
  assert.equal(first.running(), false)
  assert.deepEqual(await findServerProcesses(dataOf(folder)), [])
  assert.equal(existsSync(first.connection.host), false)
  assert.deepEqual(readdirSync(folder).sort(), ['data', 'owner.lock', 'owner.pid'])

  began = performance.now()
  const second = await start(t, folder, lines)
  t.diagnostic(`warm start ${Math.round(performance.now() - began)} ms`)
  assert.deepEqual(await query(second.connection, 'select body from note'), [{ body: 'kept' }])
  began = performance.now()
  await second.stop()
  t.diagnostic(`stop ${Math.round(performance.now() - began)} ms`)
  await second.stop() // once more does no harm
  assert.equal(lines.length, 1, lines.join('\n'))
})

test('the database is durable, supports Unicode, uses UTC and listens on no network', async (t) => {
  const { connection } = await start(t, join(temporaryFolder(t), 'postgres'))
  const names = ['fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums', 'listen_addresses', 'timezone']
  const settings = names.map((name) => `current_setting('${name}') as ${name}`).join(', ')
  assert.deepEqual(await query(connection, `select ${settings}`), [
    {
      fsync: 'on',
      synchronous_commit: 'on',
      full_page_writes: 'on',
      data_checksums: 'on',
      listen_addresses: '',
      timezone: 'UTC',
    },
  ])
  const unicode = `lower('ÄÉЖ') as lower, 'straße' ~ '^\\w+$' as word, 'É' ~* 'é' as folded, getdatabaseencoding() as encoding`
  assert.deepEqual(await query(connection, `select ${unicode}, current_user as role, current_database() as database`), [
    { lower: 'äéж', word: true, folded: true, encoding: 'UTF8', role: 'kith', database: 'kith' },
  ])
})

test(
  'under root PostgreSQL runs as an unprivileged user, and an existing folder keeps its owner',
  rootOnly,
  async (t) => {
    const folder = join(temporaryFolder(t), 'postgres')
    const account = await chooseAccount(dataOf(folder))
    assert.notEqual(account.uid, 0)
    const first = await start(t, folder)
    assert.equal(Number(status(first.pid, 'Uid')), account.uid)
    const data = statSync(dataOf(folder))
    assert.deepEqual([data.uid, data.mode & 0o777], [account.uid, 0o700])
    const socketFolder = statSync(first.connection.host)
    assert.deepEqual([socketFolder.uid, socketFolder.mode & 0o777], [account.uid, 0o700])
    await first.stop()

    const other = account.uid === 12_345 ? 12_346 : 12_345
    execFileSync('chown', ['-R', `${other}:${other}`, dataOf(folder)])
    const second = await start(t, folder)
    assert.equal(Number(status(second.pid, 'Uid')), other)
    assert.deepEqual(await query(second.connection, 'select 1 as one'), [{ one: 1 }])
  },
)

test("only the service's user is admitted, whoever reaches the socket", nobodyOnly, async (t) => {
  const { connection } = await start(t, await startedBefore(join(temporaryFolder(t), 'postgres')))
  chmodSync(connection.host, 0o777)
  chmodSync(join(connection.host, `.s.PGSQL.${connection.port}`), 0o777)
  const script = `import pg from 'pg'
    const client = new pg.Client(${JSON.stringify(connection)})
    client.connect().then(() => console.log('let in'), (error) => console.log(error.message)).then(() => process.exit())`
  const connectAs = (user: object) =>
    spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      ...user,
      cwd: dirname(FIXTURE),
      encoding: 'utf8',
    }).stdout
  assert.match(connectAs(NOBODY), /[Pp]eer authentication failed/)
  assert.match(connectAs({}), /let in/)
})

test('a data folder may have any path', linuxOnly, async (t) => {
  const top = temporaryFolder(t)
  chmodSync(top, 0o700)
  const odd = join(top, `a "b" 'c' $(d) \`e\` %s, ünï\\ 数据`, 'postgres')
  const long = join(top, ...Array.from({ length: 7 }, (_, i) => `${i}`.repeat(200)), 'postgres')
  for (const folder of [odd, long]) {
    await startedBefore(folder)
    const postgres = await start(t, folder)
    assert.deepEqual(await query(postgres.connection, 'select 1 as one'), [{ one: 1 }])
    assert.deepEqual(await findRunning(folder), postgres.connection)
    await assert.rejects(startEmbedded({ folder, log: () => {} }), /in use by another process/)
    // The connection's process must find its files by the same way as the postmaster.
    await query(postgres.connection, 'create table t as select generate_series(1, 100000) as n; checkpoint')
    await postgres.stop()
    const again = await start(t, folder)
    assert.deepEqual(await query(again.connection, 'select count(*)::int from t'), [{ count: 100_000 }])
    await again.stop()
    assert.deepEqual(await findServerProcesses(dataOf(folder)), [])
  }
})

test('a folder has one owner at a time, within one process and across processes', async (t) => {
  const folder = await startedBefore(join(temporaryFolder(t), 'postgres'))
  const postgres = await start(t, folder)
  const expected = `${folder} is in use by another process (pid ${process.pid})`
  await assert.rejects(startEmbedded({ folder, log: () => {} }), { message: expected })
  const other = await fixture('start', folder)
  assert.equal(other.error, expected)
  await other.exited
  assert.deepEqual(await query(postgres.connection, 'select 1 as one'), [{ one: 1 }])
  await postgres.stop()
  await (await start(t, folder)).stop()
})

test('one of several simultaneous starters wins', async (t) => {
  const folder = join(temporaryFolder(t), 'postgres')
  const starters = await Promise.all(Array.from({ length: 3 }, () => fixture('start', folder)))
  const winners = starters.filter((starter) => starter.connection)
  assert.equal(winners.length, 1, JSON.stringify(starters.map(({ error }) => error)))
  for (const { error } of starters.filter((starter) => !starter.connection)) {
    assert.equal(error, `${folder} is in use by another process (pid ${winners[0]!.child.pid})`)
  }
  winners[0]!.child.stdin!.write('stop\n')
  await Promise.all(starters.map(({ exited }) => exited))
})

test('a container that shares the folder is kept out', rootOnly, async (t) => {
  const isolate = ['--net', '--ipc', '--pid', '--fork', '--mount-proc', '--kill-child']
  if (spawnSync('unshare', [...isolate, 'true']).status !== 0) return t.skip('needs unshare of util-linux')
  const folder = await startedBefore(join(temporaryFolder(t), 'postgres'))
  const postgres = await start(t, folder)
  const command = [process.execPath, FIXTURE, 'start', folder]
  const { stdout } = spawnSync('unshare', [...isolate, ...command], { encoding: 'utf8' })
  assert.match(stdout, /is in use by another process/)
  assert.deepEqual(await query(postgres.connection, 'select 1 as one'), [{ one: 1 }])
})

test('another process finds the running server, and finds none after its stop', async (t) => {
  const folder = await startedBefore(join(temporaryFolder(t), 'postgres'))
  assert.equal(await findRunning(folder), undefined)
  const postgres = await start(t, folder)
  const other = await fixture('find', folder)
  assert.deepEqual(other.found, postgres.connection)
  await other.exited
  await postgres.stop()
  assert.equal(await findRunning(folder), undefined)
})

test('a copy of the folder of a running server neither leads to that server nor takes its socket', async (t) => {
  const top = temporaryFolder(t)
  const folder = await startedBefore(join(top, 'postgres'))
  const copy = await startedBefore(join(top, 'copy'))
  const postgres = await start(t, folder)
  copyFileSync(join(folder, 'server.json'), join(copy, 'server.json'))
  assert.equal(await findRunning(copy), undefined)
  const other = await start(t, copy)
  assert.deepEqual(await findRunning(copy), other.connection)
  await other.stop()
  assert.deepEqual(await query(postgres.connection, 'select 1 as one'), [{ one: 1 }])
})

test('kill -9 of the service ends PostgreSQL, and the next start works at once', linuxOnly, async (t) => {
  if (!(await canSetDeathSignal())) return t.skip('needs setpriv of util-linux')
  const folder = await startedBefore(join(temporaryFolder(t), 'postgres'))
  const owner = await fixture('start', folder)
  await query(owner.connection!, `create table note as select 'kept' as body`)
  owner.child.kill('SIGKILL')
  await owner.exited
  const began = performance.now()
  await until(async () => (await findServerProcesses(dataOf(folder))).length === 0, 'the end of PostgreSQL')
  t.diagnostic(`PostgreSQL ended ${Math.round(performance.now() - began)} ms after the kill`)
  const next = await start(t, folder)
  assert.equal(existsSync(owner.connection!.host), false, 'the socket folder of the killed process is gone')
  assert.deepEqual(await query(next.connection, 'select body from note'), [{ body: 'kept' }])
})

test('without setpriv the next start ends the orphan', linuxOnly, async (t) => {
  const top = temporaryFolder(t)
  const folder = join(top, 'postgres')
  mkdirSync(join(top, 'bin'))
  // initdb runs its backend through /bin/sh, which stays within reach by its absolute path.
  const owner = await fixture('start', folder, { env: { ...process.env, PATH: join(top, 'bin') } })
  assert.ok(owner.connection, owner.error ?? '')
  owner.child.kill('SIGKILL')
  await owner.exited
  await sleep(300)
  assert.ok((await findServerProcesses(dataOf(folder))).includes(owner.pid!), 'the orphan runs on')
  const lines: string[] = []
  const next = await start(t, folder, lines)
  assert.match(lines.join('\n'), /left behind/)
  assert.notEqual(next.pid, owner.pid)
  assert.deepEqual(await query(next.connection, 'select 1 as one'), [{ one: 1 }])
})

test('kill -9 of PostgreSQL and of the service together loses no committed data', linuxOnly, async (t) => {
  const top = temporaryFolder(t)
  // The second path is too long for a file lock, so that its owner holds the other kind.
  for (const folder of [join(top, 'postgres'), join(top, ...Array(7).fill('x'.repeat(200)), 'postgres')]) {
    await startedBefore(folder)
    const owner = await fixture('start', folder)
    await query(owner.connection!, `create table note as select 'kept' as body`)
    const busy = query(owner.connection!, 'select count(*) from generate_series(1, 1000000000)').catch(() => {})
    await sleep(200)
    process.kill(owner.pid!, 'SIGKILL')
    owner.child.kill('SIGKILL')
    await owner.exited
    const next = await start(t, folder)
    assert.deepEqual(await query(next.connection, 'select body from note'), [{ body: 'kept' }])
    await busy
    await next.stop()
    assert.deepEqual(await findServerProcesses(dataOf(folder)), [])
  }
})

test('kill -9 of PostgreSQL under a running service: the service recovers', linuxOnly, async (t) => {
  const folder = await startedBefore(join(temporaryFolder(t), 'postgres'))
  const lines: string[] = []
  const postgres = await start(t, folder, lines)
  let restarts = 0
  postgres.onRestart(() => restarts++)
  await query(postgres.connection, 'create table note (body text)')
  for (const round of [1, 2]) {
    await query(postgres.connection, `insert into note values ('${round}')`)
    // A backend that computes does not notice by itself that its postmaster died.
    const busy = query(postgres.connection, 'select count(*) from generate_series(1, 1000000000)').catch(() => {})
    await sleep(100)
    const before = postgres.pid
    const began = performance.now()
    process.kill(before, 'SIGKILL')
    await until(() => restarts === round, 'the restart')
    t.diagnostic(`running again after ${Math.round(performance.now() - began)} ms`)
    assert.notEqual(postgres.pid, before)
    assert.equal(postgres.running(), true)
    assert.deepEqual(await query(postgres.connection, 'select count(*)::int from note'), [{ count: round }])
    await busy
  }
  assert.match(lines.join('\n'), /stopped unexpectedly \(signal SIGKILL\)/)
})

test('kill -9 of one backend: PostgreSQL recovers under the same postmaster', linuxOnly, async (t) => {
  const folder = await startedBefore(join(temporaryFolder(t), 'postgres'))
  const lines: string[] = []
  const postgres = await start(t, folder, lines)
  const busy = query(postgres.connection, 'select pg_sleep(60)').catch(() => {})
  let pid: number | undefined
  await until(async () => {
    const [row] = await query(
      postgres.connection,
      `select pid from pg_stat_activity where query like '%pg_sleep%' and pid <> pg_backend_pid()`,
    )
    pid = row?.['pid'] as number | undefined
    return pid !== undefined
  }, 'the busy backend')
  process.kill(pid!, 'SIGKILL')
  await busy
  // Its connection ends before the postmaster knows of it, and until then everything seems well.
  await until(() => lines.some((line) => line.includes('terminated by signal 9')), 'the word of its end')
  await until(() => postgres.running(), 'recovery')
  await until(
    () =>
      query(postgres.connection, 'select 1').then(
        () => true,
        () => false,
      ),
    'a connection',
  )
})

test('a stop right after kill -9 of PostgreSQL leaves nothing running', linuxOnly, async (t) => {
  const folder = await startedBefore(join(temporaryFolder(t), 'postgres'))
  for (const pause of [0, 5, 30, 60]) {
    const postgres = await start(t, folder)
    process.kill(postgres.pid, 'SIGKILL')
    await sleep(pause)
    await postgres.stop()
    assert.deepEqual(await findServerProcesses(dataOf(folder)), [])
    assert.equal(existsSync(postgres.connection.host), false)
  }
})

test('after kill -9 during the first start, the next start begins again', linuxOnly, async (t) => {
  const folder = join(temporaryFolder(t), 'postgres')
  const interrupted: string[] = []
  for (const pause of [200, 350, 500, 700]) {
    const child = spawn(process.execPath, [FIXTURE, 'start', folder], { stdio: ['pipe', 'ignore', 'inherit'] })
    await sleep(pause)
    child.kill('SIGKILL')
    await once(child, 'exit')
    if (existsSync(folder)) interrupted.push(...readdirSync(folder).filter((name) => name.startsWith('initdb-')))
  }
  t.diagnostic(`${new Set(interrupted).size} interrupted initdb`)
  const postgres = await start(t, folder)
  assert.deepEqual(await query(postgres.connection, 'select 1 as one'), [{ one: 1 }])
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('initdb-')),
    [],
  )
})

test('a stop ends open transactions, and an immediate stop loses no committed data', async (t) => {
  const folder = await startedBefore(join(temporaryFolder(t), 'postgres'))
  const first = await start(t, folder)
  await query(first.connection, `create table note as select 'kept' as body`)
  const busy = query(first.connection, 'begin; select pg_sleep(60)').catch(() => 'ended')
  await sleep(50)
  await first.stop()
  assert.equal(await busy, 'ended')
  const second = await start(t, folder)
  await query(second.connection, `insert into note values ('too')`)
  await second.stop('immediate')
  assert.deepEqual(await findServerProcesses(dataOf(folder)), [])
  const third = await start(t, folder)
  assert.deepEqual(await query(third.connection, 'select count(*)::int from note'), [{ count: 2 }])
  const fast = third.stop()
  await third.stop('immediate')
  await fast
})

test('a process that exits without a stop leaves no PostgreSQL', async (t) => {
  const folder = await startedBefore(join(temporaryFolder(t), 'postgres'))
  const owner = await fixture('start', folder)
  owner.child.stdin!.write('exit\n')
  await owner.exited
  await until(async () => (await findServerProcesses(dataOf(folder))).length === 0, 'the end of PostgreSQL')
  await (await start(t, folder)).stop()
  assert.equal(existsSync(owner.connection!.host), false)
})

test('a temporary folder that is too long or unreachable is not used for the socket', async (t) => {
  const top = temporaryFolder(t)
  const long = join(top, 'x'.repeat(120))
  mkdirSync(long)
  const owner = await fixture('start', await startedBefore(join(top, 'postgres')), {
    env: { ...process.env, TMPDIR: long },
  })
  assert.equal(dirname(owner.connection?.host ?? ''), '/tmp', owner.error ?? '')
  owner.child.stdin!.write('stop\n')
  await owner.exited
})

test('Ctrl-C in the terminal of the service does not reach PostgreSQL', async (t) => {
  const folder = await startedBefore(join(temporaryFolder(t), 'postgres'))
  const owner = await fixture('start', folder, { detached: true })
  process.kill(-owner.child.pid!, 'SIGINT') // the fixture ignores it, as a service does that drains
  await sleep(300)
  assert.deepEqual(await query(owner.connection!, 'select 1 as one'), [{ one: 1 }])
  owner.child.stdin!.write('stop\n')
  await owner.exited
})

test('no value of a failed statement reaches the log', async (t) => {
  const lines: string[] = []
  const postgres = await start(t, await startedBefore(join(temporaryFolder(t), 'postgres')), lines)
  const before = lines.length
  await query(postgres.connection, 'create table secret (value text primary key)')
  const insert = `insert into secret values ('hush-1')`
  await query(postgres.connection, insert)
  await assert.rejects(query(postgres.connection, insert), /duplicate key/)
  await assert.rejects(query(postgres.connection, `select 'hush-2'::int`), /invalid input syntax/)
  await assert.rejects(query(postgres.connection, `do $$ begin raise warning 'hush-3'; perform 1/0; end $$`))
  await postgres.stop()
  assert.deepEqual(lines.slice(before), [])
})

/** What a process holds open; what it lets go of meanwhile is not among it. */
const descriptorsOf = (pid: number): string[] =>
  readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw error
    }
  })

test('PostgreSQL sees neither secrets nor file descriptors of the service', linuxOnly, async (t) => {
  const folder = await startedBefore(join(temporaryFolder(t), 'postgres'))
  const env = {
    ...process.env,
    SECRET_KEY: 'hush',
    PGHOST: '/nowhere',
    LC_ALL: 'xx_XX',
    DATABASE_URL: 'hush',
    ARCHIVE_URL: 's3://key:hush@bucket',
    AWS_ACCESS_KEY_ID: 'hush',
    FAKETIME_X: 'stays',
  }
  const owner = await fixture('start', folder, { env })
  assert.ok(owner.connection, owner.error ?? '')
  const names = readFileSync(`/proc/${owner.pid}/environ`, 'utf8')
    .split('\0')
    .map((line) => line.split('=')[0])
  for (const name of ['SECRET_KEY', 'PGHOST', 'LC_ALL', 'DATABASE_URL', 'ARCHIVE_URL', 'AWS_ACCESS_KEY_ID'])
    assert.ok(!names.includes(name), name)
  assert.ok(names.includes('FAKETIME_X'))
  const descriptors = descriptorsOf(owner.pid as number)
  assert.ok(descriptors.includes(dataOf(realpathSync(folder))))
  assert.deepEqual(
    descriptors.filter((name) => name.includes('owner.lock') || name.endsWith('.ts')),
    [],
  )
  owner.child.stdin!.write('stop\n')
  await owner.exited
})

test('a reused process ID in postmaster.pid does not block the start', linuxOnly, async (t) => {
  const folder = await startedBefore(join(temporaryFolder(t), 'postgres'))
  const postgres = await start(t, folder)
  const content = readFileSync(join(dataOf(folder), 'postmaster.pid'), 'utf8')
  const { uid, gid } = statSync(dataOf(folder))
  await postgres.stop()
  const bystander = spawn('sleep', ['60'], isRoot ? { uid, gid } : {})
  children.add(bystander)
  const file = join(dataOf(folder), 'postmaster.pid')
  writeFileSync(file, content.replace(/^\d+/, String(bystander.pid)), { mode: 0o600 })
  if (isRoot) chownSync(file, uid, gid)
  const next = await start(t, folder)
  assert.deepEqual(await query(next.connection, 'select 1 as one'), [{ one: 1 }])
  assert.equal(bystander.exitCode, null, 'a process that is not ours is left alone')
  bystander.kill()
})

test('an unprivileged user runs everything as itself', nobodyOnly, async (t) => {
  const top = temporaryFolder(t)
  chownSync(top, NOBODY.uid, NOBODY.gid)
  const folder = join(top, 'postgres')
  for (const round of [1, 2]) {
    const owner = await fixture('start', folder, { ...NOBODY, cwd: '/' })
    assert.ok(owner.connection, `${round}: ${owner.error}`)
    assert.equal(Number(status(owner.pid!, 'Uid')), NOBODY.uid)
    const other = await fixture('find', folder, { ...NOBODY, cwd: '/' })
    assert.deepEqual(other.found, owner.connection)
    owner.child.kill(round === 1 ? 'SIGKILL' : 'SIGTERM')
    await owner.exited
  }
  await until(async () => (await findServerProcesses(dataOf(folder))).length === 0, 'the end of PostgreSQL')
  await (await start(t, folder)).stop() // root may take over, and the data stays the user's
  assert.equal(statSync(dataOf(folder)).uid, NOBODY.uid)
})

test('errors say in one line what to do', async (t) => {
  const top = temporaryFolder(t)
  const folder = await startedBefore(join(top, 'postgres'))
  const file = join(top, 'file')
  writeFileSync(file, '')
  await assert.rejects(startEmbedded({ folder: join(file, 'postgres'), log: () => {} }), /cannot be written: ENOTDIR/)
  assert.throws(() => locatePackage('sunos-sparc'), /no embedded PostgreSQL for sunos-sparc: set DATABASE_URL/)
  const missing = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'].find(
    (name) => name !== `${process.platform}-${process.arch}`,
  )
  assert.throws(() => locatePackage(missing), /is not installed: install with optional dependencies/)

  await (await start(t, folder)).stop()
  const version = join(dataOf(folder), 'PG_VERSION')
  const current = readFileSync(version, 'utf8')
  writeFileSync(version, '17\n')
  await assert.rejects(
    startEmbedded({ folder, log: () => {} }),
    /holds data of PostgreSQL 17, which needs binaries of version 17.*backup/,
  )
  unlinkSync(version)
  await assert.rejects(startEmbedded({ folder, log: () => {} }), /is not a PostgreSQL data folder/)
  writeFileSync(version, current)
  const control = join(dataOf(folder), 'global/pg_control')
  const { uid, gid } = statSync(control)
  if (isRoot) {
    chownSync(version, uid, gid)
    chownSync(control, 0, 0)
    await assert.rejects(
      startEmbedded({ folder, log: () => {} }),
      new RegExp(
        `^Error: ${control} belongs to user id 0, and PostgreSQL runs as user id ${uid}: give .* \\(chown -R\\)\\. The start ended with: `,
      ),
    )
    chownSync(control, uid, gid)
    const database = join(dataOf(folder), 'base/5')
    chownSync(database, 0, 0)
    await assert.rejects(
      startEmbedded({ folder, log: () => {} }),
      new RegExp(`^Error: ${database} belongs to user id 0, and .* \\(chown -R\\)`),
    )
    chownSync(database, uid, gid)
  }
  unlinkSync(control)
  await assert.rejects(
    startEmbedded({ folder, log: () => {} }),
    new RegExp(`does not start on .*: could not open file "${control}": No such file or directory$`),
  )
  if (isRoot) {
    execFileSync('chown', ['-R', '0:0', dataOf(folder)])
    await assert.rejects(startEmbedded({ folder, log: () => {} }), /belongs to root/)
  }
  await assert.rejects(
    startEmbedded({
      folder: await startedBefore(join(top, 'bad')),
      log: () => {},
      settings: { shared_buffers: 'many' },
    }),
    /does not start on .*invalid value for parameter "shared_buffers"/,
  )
  assert.equal(existsSync(join(top, 'bad/server.json')), false, 'a start that failed leaves no traces')
})

test('the last words of a program are heard, even if it ends before its start is done', async (t) => {
  await canSetDeathSignal()
  const dataFolder = temporaryFolder(t)
  let isOver = false
  t.after(() => {
    isOver = true
  })
  const keepBusy = () => isOver || pbkdf2('', '', 50_000, 64, 'sha512', keepBusy)
  for (let job = 0; job < 16; job++) keepBusy() // the threads that also close files
  await assert.rejects(
    run('ls', [join(dataFolder, 'missing')], { account: ownAccount(), dataFolder, deathSignal: 'KILL' }),
    /ls ended with code \d: ls: .*missing.*No such file/,
  )
})

test('the error for a user ID without a name explains it', nobodyOnly, async (t) => {
  const top = temporaryFolder(t)
  chownSync(top, 54_321, 54_321)
  const { error, exited } = await fixture('start', join(top, 'postgres'), { uid: 54_321, gid: 54_321, cwd: '/' })
  assert.match(error ?? '', /needs a user with a name, and user id 54321 has none/)
  await exited
})

test('the error for a folder without write permission names it', nobodyOnly, async (t) => {
  const top = temporaryFolder(t)
  chmodSync(top, 0o755)
  const { error, exited } = await fixture('start', join(top, 'postgres'), { ...NOBODY, cwd: '/' })
  assert.match(error ?? '', /postgres cannot be written: EACCES/)
  await exited
})

/** A package of our own to spoil, without the links of its libraries, as `npm ci --ignore-scripts` leaves it. */
function copyPackage(target: string): string {
  mkdirSync(dirname(target), { recursive: true })
  execFileSync('cp', ['-a', realpathSync(locatePackage()), target])
  const links = JSON.parse(readFileSync(join(target, 'native/pg-symlinks.json'), 'utf8')) as { target: string }[]
  for (const link of links) rmSync(join(target, link.target), { force: true })
  return target
}

test('library links that the install omitted are created', async (t) => {
  const packageFolder = copyPackage(join(temporaryFolder(t), 'package'))
  chmodSync(dirname(packageFolder), 0o755)
  const account = ownAccount()
  const found = await findBinaries({ account, packageFolder })
  assert.equal(found.postgres, join(realpathSync(packageFolder), 'native/bin/postgres'))
})

test('unreachable binaries are copied once, and only to a folder of the service', rootOnly, async (t) => {
  const top = temporaryFolder(t)
  chmodSync(top, 0o755)
  mkdirSync(join(top, 'private'), { mode: 0o700 })
  const packageFolder = copyPackage(join(top, `private/it's "quoted"`))
  const account = NOBODY
  const options = { account, packageFolder, caches: [join(top, 'cache')] }
  let began = performance.now()
  const found = async () => {
    const binaries = await findBinaries(options)
    return { binaries, inode: statSync(binaries.postgres).ino }
  }
  const [{ binaries: first, inode }, second] = await Promise.all([found(), found()])
  t.diagnostic(`copied in ${Math.round(performance.now() - began)} ms`)
  assert.deepEqual(second, { binaries: first, inode }, 'what one service runs is not moved away by another')
  assert.equal(first.temporary, undefined)
  assert.ok(first.postgres.startsWith(join(top, 'cache/')))
  const before = statSync(first.postgres)
  assert.deepEqual([before.uid, before.mode & 0o022], [0, 0])
  began = performance.now()
  assert.deepEqual(await findBinaries(options), first)
  t.diagnostic(`found again in ${Math.round(performance.now() - began)} ms`)
  assert.equal(statSync(first.postgres).ino, before.ino)

  writeFileSync(first.initdb, 'damaged')
  await findBinaries(options)
  assert.notEqual(statSync(first.initdb).size, 7)
  assert.equal(readdirSync(join(top, 'cache')).length, 1)

  // A folder that another user made, or could write to, is passed over for a fresh one.
  chownSync(join(top, 'cache'), NOBODY.uid, NOBODY.gid)
  mkdirSync(join(top, 'loose'))
  chmodSync(join(top, 'loose'), 0o777)
  const fresh = await findBinaries({ account, packageFolder, caches: [join(top, 'cache'), join(top, 'loose')] })
  t.after(() => rmSync(fresh.temporary!, { recursive: true }))
  assert.ok(fresh.temporary && fresh.postgres.startsWith(fresh.temporary))
  assert.deepEqual([lstatSync(fresh.temporary).uid, lstatSync(fresh.temporary).mode & 0o777], [0, 0o755])
  assert.deepEqual(readdirSync(join(top, 'loose')), [])
})

test(
  'a read-only install without links works from a copy, and a missing loader is explained',
  nobodyOnly,
  async (t) => {
    const top = temporaryFolder(t)
    chmodSync(top, 0o755)
    const packageFolder = copyPackage(join(top, 'package'))
    const home = join(top, 'home')
    mkdirSync(home)
    chownSync(home, NOBODY.uid, NOBODY.gid)
    const env = { ...process.env, HOME: home }
    const found = await fixture('binaries', packageFolder, { ...NOBODY, cwd: '/', env })
    assert.ok(found.postgres?.startsWith(join(home, '.cache/kith/')), found.error ?? '')
    assert.equal(basename(found.postgres!), 'postgres')
    await found.exited

    writeFileSync(join(packageFolder, 'native/bin/postgres'), '#!/lib/ld-absent.so\n')
    await assert.rejects(findBinaries({ account: ownAccount(), packageFolder }), /needs the GNU C library/)
  },
)
