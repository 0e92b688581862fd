import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import pg from 'pg'
import { emptyDatabase } from '../../test/database.ts'
import { cleanEnv, command, dataFolder, type Folder, mainFile, serve } from '../../test/launch.ts'
import { register } from '../../test/process.ts'
import { walks } from '../app/modules.ts'
import { readConfig } from '../config.ts'
import { findRunning } from '../embedded/embedded.ts'
import { systemClock } from '../kernel/clock.ts'
import { createLog } from '../log.ts'
import { createArchive, readArchive } from './archive.ts'
import { checkBackup } from './check.ts'
import { type Manifest, manifestName, secretName } from './format.ts'
import { restore } from './restore.ts'

async function folder(t: TestContext): Promise<string> {
  const { dataDir, remove } = await dataFolder()
  t.after(remove)
  return dataDir
}

const options = { clock: systemClock, log: createLog('silent') }

/** Enough rows that the indexes of their table are made after them. */
const crowd = 4000

/** A backup of a small town with a large table, and files. */
let town: { file: string; key: string; ada: string }
let townFolder: Folder
before(async () => {
  townFolder = await dataFolder({ migrated: true })
  const { dataDir } = townFolder
  const running = await serve(dataDir)
  const { id } = await register(running.url, 'ada')
  const connection = await findRunning(join(dataDir, 'postgres'))
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(
    `insert into parties (id, kind, created_at) select gen_random_uuid(), 'agent', '2026-11-01' from generate_series(1, $1::int)`,
    [crowd],
  )
  await client.end()
  await mkdir(join(dataDir, 'files/ab/cd'), { recursive: true })
  for (const name of ['one', 'ab/two', 'ab/cd/three']) await writeFile(join(dataDir, 'files', name), randomBytes(1000))
  await running.stop()
  const file = join(dataDir, '..', 'town.kith')
  const { code, stderr } = await command(mainFile, ['backup', file], { DATA_DIR: dataDir })
  assert.equal(code, 0, stderr)
  town = { file, key: (await readFile(join(dataDir, 'secret-key'), 'utf8')).trim(), ada: id }
})
after(() => townFolder?.remove())

/** An edit of a table's rows, each an array of its columns by name. */
type Edit = (rows: Record<string, string>[]) => Record<string, string>[]

/** The backup with other rows, in which every digest is right: only loading it tells. */
async function forge(
  t: TestContext,
  good: string,
  edits: Record<string, Edit>,
  { miscounted = false } = {},
): Promise<string> {
  const entries = new Map<string, Buffer>()
  for await (const { name, bytes } of readArchive(good)) entries.set(name, bytes)
  const bytesOf = (parts: { name: string }[]) => Buffer.concat(parts.map(({ name }) => entries.get(name) as Buffer))
  const manifest = JSON.parse(String(entries.get(manifestName))) as Manifest
  const file = join(await folder(t), '..', 'forged.kith')
  const archive = await createArchive(file)
  const add = async (name: string, bytes: Buffer) => (bytes.length > 0 ? [await archive.add(name, bytes)] : [])
  for (const table of manifest.tables) {
    let bytes = bytesOf(table.parts)
    const edit = edits[table.name]
    if (edit) {
      const lines = bytes.toString().split('\n').slice(0, -1)
      const rows = lines.map((line) =>
        Object.fromEntries(line.split('\t').map((cell, at) => [table.columns[at], cell])),
      )
      const edited = edit(rows).map((row) => `${table.columns.map((column) => row[column]).join('\t')}\n`)
      bytes = Buffer.from(edited.join(''))
      if (!miscounted) table.rows = edited.length
    }
    table.parts = await add(`database/${table.name}`, bytes)
  }
  manifest.secret.part = await archive.add(secretName, entries.get(secretName) as Buffer)
  for (const each of manifest.files ?? []) each.parts = await add(`files/${each.path}`, bytesOf(each.parts))
  await archive.add(manifestName, Buffer.from(JSON.stringify(manifest)))
  await archive.commit()
  return file
}

/** A database whose owner has no other right, on a server. */
async function ownedDatabase(t: TestContext): Promise<{ url: string; ask: (sql: string) => Promise<pg.QueryResult> }> {
  const { url, drop } = await emptyDatabase()
  const owner = `owner_${randomBytes(6).toString('hex')}`
  const name = new URL(url).pathname.slice(1)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  t.after(async () => {
    await client.query(
      `reset role; reassign owned by ${owner} to current_user; drop owned by ${owner}; drop role ${owner}`,
    )
    await client.end()
    await drop()
  })
  await client.query(
    `create role ${owner}; alter database ${name} owner to ${owner}; alter database ${name} set role = ${owner}`,
  )
  return { url, ask: (sql) => client.query(sql) }
}

test("a restore that fails at any step leaves nothing, and needs only the owner's rights", async (t) => {
  const { file, key, ada } = town
  const first = (rows: Record<string, string>[], change: Record<string, string>) =>
    rows.map((row, at) => (at === 0 ? { ...row, ...change } : row))
  const cases: [what: string, forged: string, reason: RegExp][] = [
    [
      'a row less than counted',
      await forge(t, file, { parties: (rows) => rows.slice(1) }, { miscounted: true }),
      /Table parties was not restored completely/,
    ],
    [
      'a row that is none',
      await forge(t, file, { parties: (rows) => first(rows, { id: 'nobody' }) }),
      /invalid input syntax for type uuid/,
    ],
    [
      'a key twice in a large table',
      await forge(t, file, { parties: (rows) => [...rows, ...rows.slice(0, 1)] }),
      /could not create unique index "parties_pkey"/,
    ],
    [
      'a key twice in a small table',
      await forge(t, file, { instance: (rows) => [...rows, ...rows.slice(0, 1)] }),
      /duplicate key value violates unique constraint/,
    ],
    [
      'a reference to nothing',
      await forge(t, file, { parties: (rows) => rows.filter(({ id }) => id !== ada) }),
      /violates foreign key constraint/,
    ],
    [
      'a ledger that does not sum to zero',
      await forge(t, file, { ledger_entries: (rows) => first(rows, { amount_minor: '7' }) }),
      /The ledger of the backup does not sum to zero/,
    ],
    [
      'another key',
      await forge(t, file, {
        instance: (rows) =>
          rows.map((row) => (row['name'] === 'secret_fingerprint' ? { ...row, value: 'another' } : row)),
      }),
      /The key in the backup does not match its database/,
    ],
  ]
  const { url, ask } = await ownedDatabase(t)
  const server = { DATABASE_URL: url, SECRET_KEY: key }
  // An embedded database goes with its folder, in whichever of three phases: rows, indexes, and the checks of the whole.
  const phases = ['a row less than counted', 'a key twice in a large table', 'another key']
  for (const [what, forged, reason] of cases) {
    const dataDir = await folder(t)
    if (phases.includes(what)) {
      const { code, stderr } = await command(mainFile, ['restore', forged], { DATA_DIR: dataDir })
      assert.equal(code, 1, what)
      assert.match(stderr, reason, what)
      const lines = stderr.split('\n').filter((line) => !/: \d+ %$/.test(line))
      assert.equal(lines.length, 2, `one line beside its progress: ${stderr}`)
      assert.ok(!existsSync(dataDir), `${what} leaves nothing behind`)
    }
    const config = readConfig(cleanEnv({ ...server, DATA_DIR: dataDir }))
    await assert.rejects(restore(config, forged, options), reason, what)
    assert.ok(!existsSync(dataDir), `${what} leaves nothing behind`)
    const { rows } = await ask(`select relname from pg_class where relnamespace = 'public'::regnamespace`)
    assert.deepEqual(rows, [], `${what} leaves the database empty`)
  }

  const dataDir = await folder(t)
  const { code, stderr } = await command(mainFile, ['restore', file], { ...server, DATA_DIR: dataDir })
  assert.equal(code, 0, stderr)
  const { rows } = await ask(`
    select (select count(*)::int from parties) > ${crowd} as loaded,
      (select reltuples from pg_class where relname = 'parties') > ${crowd} as known,
      (select bool_and(convalidated) from pg_constraint) as checked,
      (select bool_and(tgenabled = 'O') from pg_trigger) as watched`)
  assert.deepEqual(rows, [{ loaded: true, known: true, checked: true, watched: true }])
})

test('a check restores a backup into a database that it throws away, and says what is wrong with it', async (t) => {
  const { file } = town
  const { root, dataDir, remove } = await dataFolder()
  t.after(remove)
  const env = { DATA_DIR: dataDir, TMPDIR: root }
  const good = await command(mainFile, ['backup', '--check', file], env)
  assert.equal(good.code, 0, good.stderr)
  assert.match(
    good.stdout,
    /^No differences in .*\n\S+town\.kith is good: \d+ rows of \d+ tables, digests of 3 files\n$/,
  )
  assert.deepEqual(await readdir(root), [], 'nothing is left, and the installation is not touched')
  const check = (path: string) => checkBackup(readConfig(cleanEnv(env)), path, walks, options)
  const wrong = await forge(t, file, { parties: (rows) => rows.map((row) => ({ ...row, kind: 'machine' })) })
  await assert.rejects(check(wrong), /violates check constraint/, 'its digests are right, and its rows are not')
  const half = join(root, 'half.kith')
  await writeFile(half, (await readFile(file)).subarray(0, -100))
  await assert.rejects(check(half), /half\.kith is damaged or incomplete/)
})
