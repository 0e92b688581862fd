import assert from 'node:assert/strict'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
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

const six = Array.from({ length: 6 }, (_, at) => at)

test('few sessions begin at once: the first of them serve those who wait', async () => {
  const sql = openSql({ clock: systemClock, connection: { connectionString: database.url }, maxConnections: 6 })
  const asked = six.map(async (at) => {
    const [row] = await sql<{ at: number }>`select ${at}::int as at`
    return row?.at
  })
  assert.equal(sql.pool.totalCount, 2)
  assert.deepEqual(await Promise.all(asked), six)
  await sql.end()
})

test('those who keep their sessions keep nobody else waiting while the pool has room', async () => {
  const sql = openSql({ clock: systemClock, connection: { connectionString: database.url }, maxConnections: 6 })
  let lent = 0
  const { promise: all, resolve: allAreLent } = Promise.withResolvers<void>()
  const work = six.map(() =>
    sql.transaction(async (tx) => {
      await tx`select 1`
      if (++lent === 6) allAreLent()
      await all
    }),
  )
  await Promise.all(work)
  assert.equal(sql.pool.totalCount, 6)
  await sql.end()
})

test('all who wait learn soon that the database begins no session', async () => {
  const closing = createServer((socket: Socket) => void socket.destroy())
  await new Promise<void>((resolve) => closing.listen(0, '127.0.0.1', resolve))
  const { port } = closing.address() as AddressInfo
  const sql = openSql({ clock: systemClock, connection: { host: '127.0.0.1', port }, maxConnections: 4 })
  for (const { status, reason } of (await Promise.allSettled(
    six.map(() => sql`select 1`),
  )) as PromiseRejectedResult[]) {
    assert.equal(status, 'rejected')
    assert.ok(isUnavailable(reason) && !/timeout/.test(String(reason)), String(reason))
  }
  await sql.end()
  closing.close()
})

test('sessions that begin with a server that fell silent keep no others from beginning', async () => {
  const proxy = await openSilentProxy(database.url)
  const sql = openSql({ clock: systemClock, connection: { connectionString: proxy.url }, maxConnections: 6 })
  proxy.silence()
  const lost = [1, 2].map(() => assert.rejects(sql`select 1`, isUnavailable))
  const asked = six.map((at) => sql<{ at: number }>`select ${at}::int as at`)
  await eventually(() => proxy.connected() === 2, 'that two sessions begin')
  assert.equal(sql.pool.waitingCount, 6)
  proxy.restore('lost')
  assert.deepEqual(
    (await Promise.all(asked)).flat(),
    six.map((at) => ({ at })),
  )
  await Promise.all(lost)
  await Promise.all([sql.end(), proxy.close()])
})

test('where the server has no room for more sessions, the ones it has serve all who wait', async () => {
  const proxy = await openSilentProxy(database.url)
  const fields = ['SFATAL', 'VFATAL', 'C53300', 'Mtoo many connections for role "kith"', '', ''].join('\0')
  const refusal = Buffer.concat([Buffer.from('E\0\0\0'), Buffer.from([4 + fields.length]), Buffer.from(fields)])
  let room = 2
  let refused = 0
  const crowded = createServer((near) => {
    near.on('error', () => {})
    if (room === 0) {
      refused += 1
      near.once('data', () => near.end(refusal))
      return
    }
    room -= 1
    const far = connect(Number(new URL(proxy.url).port), '127.0.0.1').on('error', () => {})
    near.pipe(far).pipe(near)
  })
  await new Promise<void>((resolve) => crowded.listen(0, '127.0.0.1', resolve))
  const url = new URL(proxy.url)
  url.port = String((crowded.address() as AddressInfo).port)
  const open = () => openSql({ clock: systemClock, connection: { connectionString: url.href }, maxConnections: 6 })
  const sql = open()
  const asked = Array.from({ length: 60 }, (_, at) => sql<{ at: number }>`select ${at}::int as at`)
  assert.deepEqual(
    (await Promise.all(asked)).flat(),
    [...asked.keys()].map((at) => ({ at })),
  )
  await eventually(async () => refused > 0 && sql.pool.totalCount === 2, 'no other session was to be had')
  const other = open()
  for (const { reason } of (await Promise.allSettled(six.map(() => other`select 1`))) as PromiseRejectedResult[])
    assert.ok(isUnavailable(reason), 'a pool without a session has nothing to wait for')
  await Promise.all([sql.end(), other.end(), proxy.close()])
  crowded.close()
})
