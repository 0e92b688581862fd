import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { type EmbeddedPostgres, findRunning, startEmbedded } from './embedded.ts'
import { provisionalSettings } from './settings.ts'

async function ask(connection: pg.ClientConfig, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

async function story(
  t: TestContext,
): Promise<{ folder: string; start: (provisional: boolean) => Promise<EmbeddedPostgres> }> {
  const parent = await mkdtemp(join(tmpdir(), 'kith-test-'))
  const folder = join(parent, 'postgres')
  const started: EmbeddedPostgres[] = []
  t.after(async () => {
    for (const postgres of started) await postgres.stop('immediate').catch(() => {})
    await rm(parent, { recursive: true, force: true })
  })
  return {
    folder,
    async start(provisional) {
      const settings = provisional ? provisionalSettings : {}
      const postgres = await startEmbedded({ folder, log: () => {}, provisional, settings })
      started.push(postgres)
      return postgres
    },
  }
}

const traces = ['owner.lock', 'owner.pid']

test('a provisional database is private, and disappears after a stop', async (t) => {
  const { folder, start } = await story(t)
  const postgres = await start(true)
  await ask(postgres.connection, 'create table note (body text)')
  assert.equal(await findRunning(folder), undefined)
  await assert.rejects(start(false), /is in use by/)
  await postgres.stop('immediate')
  assert.deepEqual((await readdir(folder)).sort(), traces)
  await assert.rejects(
    postgres.keep(async () => {}),
    /only a provisional database that runs can be kept/,
  )
})

test("a kept provisional database becomes the folder's database, and is durable from then on", async (t) => {
  const { folder, start } = await story(t)
  const postgres = await start(true)
  await ask(postgres.connection, `create table note (body text); insert into note values ('kept')`)
  let seen: string[] = []
  await postgres.keep(async () => {
    seen = await readdir(folder)
  })
  assert.ok(!seen.includes('data'), 'the last thing before it is there')
  assert.deepEqual((await readdir(folder)).sort(), ['data', ...traces])
  await assert.rejects(start(true), /is there already/)
  const { connection } = await start(false)
  assert.deepEqual(await ask(connection, `select body, current_setting('fsync') as fsync from note`), [
    { body: 'kept', fsync: 'on' },
  ])
})

test('a provisional database disappears if the last step before keeping it fails', async (t) => {
  const { folder, start } = await story(t)
  const postgres = await start(true)
  const full = () => Promise.reject(new Error('no space left'))
  await assert.rejects(postgres.keep(full), /no space left/)
  assert.deepEqual((await readdir(folder)).sort(), traces)
  await (await start(false)).stop()
})
