// What readiness says when a part is silent or busy: it must not take out a node that works.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { jpeg } from '../../test/corpus.ts'
import { serverVariable } from '../../test/database.ts'
import { refusedByPool } from '../../test/pool.ts'
import { story } from '../../test/story.ts'
import { upload } from '../../test/upload.ts'
import { code, eventually, world } from '../../test/world.ts'
import { systemClock } from '../kernel/clock.ts'
import { createLog } from '../log.ts'
import { openSql } from '../store/sql.ts'
import { watchDisk } from './disk.ts'

const { w } = story()

const ready = async ({ url } = w) => {
  const answer = await fetch(`${url}/health/ready`)
  return { code: answer.status, ...((await answer.json()) as object) }
}
const well = { code: 200, status: 'ready' }

test('readiness does not wait for a silent storage, and names it once known', async () => {
  const { storage } = w.service
  const { check } = storage
  Object.assign(storage, { check: () => new Promise<void>(() => {}) })
  assert.deepEqual(await ready(), well, 'nothing is known of it yet')
  await eventually(async () => isDeepStrictEqual(await ready(), { ...well, degraded: ['storage'] }), 'it is named')
  Object.assign(storage, { check })
})

test('a pool with a full queue means a busy node, not a missing database', async () => {
  const { sql } = w.service
  let busy = true
  const turn = () => sql`select pg_sleep(0.05)`.catch(refusedByPool)
  const work = Array.from({ length: 16 + 256 }, async () => {
    while (busy) if (!(await turn())) await sleep(20)
  })
  await eventually(() => sql.pool.waitingCount === 256, 'a full queue')
  for (let at = 0; at < 3; at++) {
    assert.equal((await ready()).code, 200)
    // Its verdict is remembered for two seconds.
    await sleep(2100)
  }
  busy = false
  await Promise.all(work)
})

test('a full disk is reported while reads continue, logged once, and cleared when writes succeed again', async (t) => {
  const lines: string[] = []
  let now = 0
  const log = createLog('info', {
    format: 'json',
    to: { write: (line) => void lines.push(line) },
    windowMilliseconds: 3_600_000,
  })
  const disk = watchDisk(log, () => now)
  const server = JSON.parse(process.env[serverVariable] ?? '{}') as { url: string }
  const sql = openSql({ clock: systemClock, connection: { connectionString: server.url }, onFull: disk.refused })
  t.after(() => sql.end())
  assert.equal(disk.isRecent(), false)
  const write = () => sql`do $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`
  await assert.rejects(write())
  assert.equal(disk.isRecent(), true, 'alone')
  now = 60_000
  assert.equal(disk.isRecent(), false)
  await assert.rejects(sql.transaction((tx) => tx`do $$ begin raise exception using errcode = '53100'; end $$`))
  await assert.rejects(write())
  assert.equal(disk.isRecent(), true, 'in a transaction')
  now += 29_999
  assert.equal(disk.isRecent(), true)
  now += 1
  assert.equal(disk.isRecent(), false)
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).level),
    // The log itself writes what is said again in its window once.
    ['error', 'info', 'info'],
  )
  assert.match(lines[0] ?? '', /"degraded":"disk".*the disk of the database is full/)
})

test('the node reports a full disk and unavailable inspection, and keeps serving', async (t) => {
  const own = await world()
  t.after(() => own.close())
  // The disk of a busy machine may answer late, which is said too.
  Object.assign(own.service.storage, { check: async () => {} })
  assert.deepEqual(await ready(own), well)
  const { inspector, sql } = own.service
  const { canRun } = inspector
  Object.assign(inspector, { canRun: () => false })
  assert.deepEqual(await ready(own), { ...well, degraded: ['inspection'] })
  Object.assign(inspector, { canRun })
  const ann = await own.agent('ann')
  const { storage } = own.service
  const { put } = storage
  const full = async () => {
    throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
  }
  Object.assign(storage, { put: full })
  assert.equal((await upload(own, ann, await jpeg(), { purpose: 'avatar' })).status, 503)
  Object.assign(storage, { put })
  assert.deepEqual(await ready(own), { ...well, degraded: ['storage'] }, 'although little files may still have room')
  await assert.rejects(sql`do $$ begin raise exception using errcode = '53100'; end $$`)
  assert.deepEqual(await ready(own), { ...well, degraded: ['disk', 'storage'] })
  assert.equal((await ann.get('/bots/me')).status, 200)
})

test('while a database is restored under a node, it is not ready and asks its callers to wait', async (t) => {
  const lines: { level: string; msg: string; part?: string; error?: { message: string } }[] = []
  const log = createLog('info', { format: 'json', to: { write: (line) => void lines.push(JSON.parse(line)) } })
  const own = await world({ log })
  t.after(() => own.close())
  const ann = await own.agent('ann')
  const refused = { code: 503, status: 'not_ready', failing: 'database' }
  const waits = async (): Promise<void> => {
    await eventually(async () => isDeepStrictEqual(await ready(own), refused), 'it is not ready')
    for (const answer of [await ann.get('/bots/me'), await ann.patch('/bots/me', { bio: 'x' })]) {
      assert.equal(code(answer), '503 service_unavailable')
      assert.equal(answer.headers.get('retry-after'), '1')
    }
  }
  const works = async (): Promise<void> => {
    await eventually(async () => (await ready(own)).code === 200, 'it is ready again')
    assert.equal((await ann.patch('/bots/me', { bio: 'x' })).status, 200)
  }
  await works()
  await own.sql.pool.query('alter schema public rename to aside; create schema public')
  await waits()
  await own.sql.pool.query('create table migrations ()')
  await waits()
  await own.sql.pool.query('drop schema public cascade; alter schema aside rename to public')
  await works()
  const told = lines.filter(({ part }) => part === 'database')
  assert.deepEqual(
    told.map(({ level, error }) => [level, error?.message]),
    [
      ['warn', 'relation "migrations" does not exist'],
      ['info', undefined],
    ],
  )
})

test('a table that is gone is named to the operator, and everything else works', async (t) => {
  const lines: string[] = []
  const log = createLog('error', { format: 'json', to: { write: (line) => void lines.push(line) } })
  const own = await world({ log })
  t.after(() => own.close())
  const ann = await own.agent('ann')
  assert.deepEqual(await ready(own), well)
  await own.sql.pool.query('alter table contacts rename to aside')
  assert.equal(code(await ann.get('/contacts')), '503 service_unavailable')
  assert.deepEqual(await ready(own), { ...well, degraded: ['tables'] })
  assert.equal((await ann.get('/bots/me')).status, 200, 'everything else works')
  await own.sql.pool.query('alter table aside rename to contacts')
  assert.equal((await ann.get('/contacts')).status, 200)
  const [line, ...more] = lines.map((each) => JSON.parse(each))
  assert.deepEqual(more, [], 'it is said once')
  assert.match(line.msg, /withholds a table/)
  assert.deepEqual([line.degraded, line.error.message], ['tables', 'relation "contacts" does not exist'])
})

test('a database that is set to be read only is named, and forgotten once it takes writes again', async (t) => {
  const own = await world()
  t.after(() => own.close())
  const ann = await own.agent('ann')
  const setTo = (value: 'on' | 'off') =>
    own.sql.transaction(async (tx) => {
      await tx`set transaction read write`
      await tx`select set_config('kith.value', ${value}, true)`
      await tx`do $$ begin execute format('alter database %I set default_transaction_read_only = %s', current_database(),
        current_setting('kith.value')); end $$`
      // Sessions have it from their beginning.
      await tx`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`
    })
  await setTo('on')
  await eventually(async () => isDeepStrictEqual(await ready(own), { ...well, degraded: ['writes'] }), 'it is named')
  assert.equal((await ann.get('/bots/me')).status, 200)
  assert.equal(code(await ann.patch('/bots/me', { bio: 'x' })), '503 service_unavailable')
  await setTo('off')
  await eventually(async () => isDeepStrictEqual(await ready(own), well), 'it takes writes again')
  assert.equal((await ann.patch('/bots/me', { bio: 'x' })).status, 200)
})
