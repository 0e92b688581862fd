import assert from 'node:assert/strict'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { freshDatabase, type TestDatabase } from '../../test/database.ts'
import { openSilentProxy } from '../../test/silent-proxy.ts'
import { eventually } from '../../test/world.ts'
import { systemClock } from '../kernel/clock.ts'
import { isUnavailable, openSql } from './sql.ts'

let database: TestDatabase
before(async () => {
  database = await freshDatabase()
})
after(() => database.drop())

const twelve = Array.from({ length: 12 }, (_, at) => at)

test('few sessions begin at once: the first of them serve those who wait', async () => {
  const sql = openSql({ clock: systemClock, connection: { connectionString: database.url }, maxConnections: 12 })
  const asked = twelve.map(async (at) => {
    const [row] = await sql<{ at: number }>`select ${at}::int as at`
    return row?.at
  })
  assert.equal(sql.pool.totalCount, 2)
  assert.deepEqual(await Promise.all(asked), twelve)
  await sql.end()
})

test('those who keep their sessions keep nobody else waiting while the pool has room', async () => {
  const sql = openSql({ clock: systemClock, connection: { connectionString: database.url }, maxConnections: 12 })
  let lent = 0
  const { promise: all, resolve: allAreLent } = Promise.withResolvers<void>()
  const work = twelve.map(() =>
    sql.transaction(async (tx) => {
      await tx`select 1`
      if (++lent === 12) allAreLent()
      await all
    }),
  )
  await Promise.all(work)
  assert.equal(sql.pool.totalCount, 12)
  await sql.end()
})

test('all who wait learn soon that the database begins no session', async () => {
  const closing = createServer((socket: Socket) => void socket.destroy())
  await new Promise<void>((resolve) => closing.listen(0, '127.0.0.1', resolve))
  const { port } = closing.address() as AddressInfo
  const sql = openSql({ clock: systemClock, connection: { host: '127.0.0.1', port }, maxConnections: 4 })
  for (const { status, reason } of (await Promise.allSettled(
    twelve.map(() => sql`select 1`),
  )) as PromiseRejectedResult[]) {
    assert.equal(status, 'rejected')
    assert.ok(isUnavailable(reason) && !/timeout/.test(String(reason)), String(reason))
  }
  await sql.end()
  closing.close()
})

test('sessions that begin with a server that fell silent keep no others from beginning', async () => {
  const proxy = await openSilentProxy(database.url)
  const sql = openSql({ clock: systemClock, connection: { connectionString: proxy.url }, maxConnections: 12 })
  proxy.silence()
  const lost = [1, 2].map(() => assert.rejects(sql`select 1`, isUnavailable))
  const asked = twelve.map((at) => sql<{ at: number }>`select ${at}::int as at`)
  await eventually(() => proxy.connected() === 2, 'that two sessions begin')
  assert.equal(sql.pool.waitingCount, 12)
  proxy.restore('lost')
  assert.deepEqual(
    (await Promise.all(asked)).flat(),
    twelve.map((at) => ({ at })),
  )
  assert.ok(sql.pool.totalCount > 2, 'those of the silent server have not been given up yet')
  await Promise.all(lost)
  await Promise.all([sql.end(), proxy.close()])
})
