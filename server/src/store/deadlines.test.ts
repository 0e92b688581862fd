import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { emptyDatabase, freshDatabase, type TestDatabase } from '../../test/database.ts'
import { openSilentProxy, type SilentProxy } from '../../test/silent-proxy.ts'
import { eventually } from '../../test/world.ts'
import { systemClock } from '../kernel/clock.ts'
import { answerWithin } from './deadlines.ts'
import { PoolFull, Session } from './pool.ts'
import { isUnavailable, openSql, type Sql } from './sql.ts'

let database: TestDatabase
let proxy: SilentProxy
before(async () => {
  database = await freshDatabase()
  proxy = await openSilentProxy(database.url)
})
after(async () => {
  await proxy.close()
  await database.drop()
})

const open = (maxConnections: number): Sql =>
  openSql({ clock: systemClock, connection: { connectionString: proxy.url }, maxConnections })

test('a short silence is not an error: earlier statements are answered', async () => {
  const sql = open(2)
  const [before] = await sql<{ pid: number }>`select pg_backend_pid() as pid`
  proxy.silence()
  const asked = sql<{ pid: number }>`select pg_backend_pid() as pid`
  await sleep(4000)
  proxy.restore('resumed')
  assert.deepEqual(await asked, [before])
  await sql.end()
})

test('an unanswered ping drops the idle connections, and the next statement gets a working one', async () => {
  const sql = open(3)
  await Promise.all([1, 2, 3].map(() => sql`select pg_sleep(0.2)`))
  assert.equal(sql.pool.idleCount, 3)
  proxy.silence()
  await assert.rejects(sql.ping(), /did not answer in time/)
  await eventually(() => sql.pool.totalCount === 1, 'only the one that was asked is left, until its deadline')
  proxy.restore('lost')
  assert.deepEqual(await sql`select 1 as one`, [{ one: 1 }])
  await sql.ping()
  // The one that was asked is found too.
  const lost = answerWithin + 60_000
  for (const until = performance.now() + lost; sql.pool.totalCount > 1; await sleep(100)) {
    assert.ok(performance.now() < until, 'the connection that owes an answer is given up')
  }
  await sql.end()
})

test('a pool without free connections sees from the busy ones that the server responds', async () => {
  const sql = open(1)
  let busy = true
  const { promise: begun, resolve: begin } = Promise.withResolvers<unknown>()
  const work = sql.transaction(async (tx) => {
    while (busy) begin(await tx`select pg_sleep(0.05)`)
  })
  await begun
  for (let at = 0; at < 3; at++) await sql.ping()
  busy = false
  await work
  await sql.end()
})

test('a full pool sees from the busy ones that the server responds; with a silent server it does not', async () => {
  const sql = open(1)
  let busy = true
  const work = Array.from({ length: 17 }, async () => {
    while (busy) await sql`select pg_sleep(0.05)`
  })
  await eventually(() => sql.pool.waitingCount === 16, 'a full queue')
  await assert.rejects(sql`select 1`, PoolFull)
  for (let at = 0; at < 3; at++) await sql.ping()
  busy = false
  proxy.silence()
  // What had arrived before may only be read now.
  const told = (): Promise<boolean> =>
    sql.ping().then(
      () => false,
      () => true,
    )
  await eventually(told, 'that nothing is heard')
  proxy.restore('resumed')
  await Promise.all(work)
  await sql.end()
})

test('an unanswered commit means that the database is unavailable', async () => {
  const sql = open(1)
  const attempt = sql.transaction(async (tx) => {
    await tx`select 1`
    proxy.silence()
  })
  await assert.rejects(attempt, (error) => isUnavailable(error))
  proxy.restore('lost')
  assert.deepEqual(await sql`select 1 as one`, [{ one: 1 }])
  await sql.end()
})

test('a session that may not write is not lent again, for a new one may write', async () => {
  const own = await emptyDatabase()
  const connection = { connectionString: own.url }
  const operator = openSql({ clock: systemClock, connection, maxConnections: 1 })
  const sql = openSql({ clock: systemClock, connection, maxConnections: 1 })
  const name = new URL(own.url).pathname.slice(1)
  const write = () => sql.transaction((tx) => tx`create table written ()`)
  await operator.pool.query(`alter database ${name} set default_transaction_read_only = on`)
  await assert.rejects(write, (error) => isUnavailable(error) && /read-only transaction/.test(String(error)))
  await operator.pool.query(`alter database ${name} reset default_transaction_read_only`)
  await write()
  await Promise.all([operator.end(), sql.end()])
  await own.drop()
})

test('a database that begins no session, for a fault of its own, is unavailable until it does', async () => {
  const own = await emptyDatabase()
  const sql = openSql({ clock: systemClock, connection: { connectionString: own.url } })
  const name = new URL(own.url).pathname.slice(1)
  await sql.pool.query(`alter database ${name} set session_preload_libraries = 'missing'`)
  const other = openSql({ clock: systemClock, connection: { connectionString: own.url } })
  await assert.rejects(
    other`select 1`,
    (error) => isUnavailable(error) && /begins no session: 58P01/.test(String(error)),
  )
  await sql.pool.query(`alter database ${name} reset session_preload_libraries`)
  assert.deepEqual(await other`select 1 as one`, [{ one: 1 }])
  await Promise.all([sql.end(), other.end()])
  await own.drop()
})

test('whoever opens a session is told in the turn in which it begins, before it can end unheard', async () => {
  const session = new Session({ connectionString: database.url })
  let isTold = false
  const began = new Promise<boolean>((resolve) => session.once('connect', () => resolve(isTold)))
  session.connect(() => {
    isTold = true
  })
  assert.ok(await began)
  await session.end()
})

test('an unreachable network and a pool that has ended mean that the database is unavailable', async () => {
  const sql = open(1)
  await sql.end()
  await assert.rejects(sql`select 1`, isUnavailable)
  const faults = ['EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'EMFILE'].map((code) =>
    Object.assign(new Error(code), { code }),
  )
  for (const fault of [...faults, new AggregateError(faults)]) assert(isUnavailable(fault), fault.message)
  // Of a role that may not sign in, of a database that was dropped, of tables that are being restored.
  for (const state of ['28000', '28P01', '3D000', '3F000', '42P01', '42501'])
    assert(isUnavailable(Object.assign(new Error(), { code: state })), state)
  // A bad block stays bad: only a 500 is logged as an error, and a sweep goes on with the other rows.
  for (const state of ['23505', '22P02', 'XX000', '58030'])
    assert(!isUnavailable(Object.assign(new Error(), { code: state })), state)
})
