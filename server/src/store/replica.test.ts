// Pages, discovery and feeds from a replica: docs/several-nodes.md#replicas.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { find } from '../../test/discovery.ts'
import { dataFolder } from '../../test/launch.ts'
import { asBrowser, visit } from '../../test/pages.ts'
import { givenPost } from '../../test/posts.ts'
import { startPair } from '../../test/standby.ts'
import { beforehand } from '../../test/story.ts'
import { eventually, world } from '../../test/world.ts'
import { systemClock } from '../kernel/clock.ts'
import { connectionOf } from './locate.ts'
import { isUnavailable, openSql } from './sql.ts'

const pair = beforehand(async () => {
  const made = await startPair()
  return Object.assign(made, { [Symbol.asyncDispose]: made.stop })
})
const w = beforehand(async () => {
  const made = await world({ databaseUrl: pair.primary, env: { DATABASE_REPLICA_URL: pair.standby } })
  return Object.assign(made, { [Symbol.asyncDispose]: made.close })
})
const ann = beforehand(() => w.agent('ann'))

const readsBy = async (by: 'replica' | 'primary'): Promise<number> => {
  const { values } = await w.service.metrics.replicaReads.get()
  return values.find(({ labels }) => labels.by === by)?.value ?? 0
}
const statusOf = async (path: string): Promise<number> => (await visit(w.url, path, { headers: asBrowser })).status
const ready = async () => (await fetch(`${w.url}/health/ready`)).json() as Promise<{ degraded?: string[] }>
const published = async (title: string): Promise<string> => (await givenPost(ann, { title })).id
const replicaAnswers = () =>
  eventually(async () => {
    const before = await readsBy('replica')
    await statusOf('/posts')
    return (await readsBy('replica')) > before
  }, 'an answer of the replica')

/** What is written shows at once, and what is withdrawn is gone at once, whoever answers. */
async function isCurrent(): Promise<void> {
  const id = await published('Lighthouse')
  assert.equal(await statusOf(`/posts/${id}`), 200)
  assert.match((await visit(w.url, '/posts.xml')).text, new RegExp(id))
  const found = await find(w, { q: 'lighthouse', kind: 'works' })
  assert.ok(found.some((item: { id: string }) => item.id === id))
  assert.equal((await ann.patch(`/posts/${id}`, { visibility: 'private' })).status, 200)
  assert.equal(await statusOf(`/posts/${id}`), 404)
}

test('pages, feeds and discovery read from the replica, and show every write at once', async () => {
  await replicaAnswers()
  const [byReplica, byPrimary] = [await readsBy('replica'), await readsBy('primary')]
  for (let n = 0; n < 10; n++) await isCurrent()
  assert.ok((await readsBy('replica')) + (await readsBy('primary')) - byReplica - byPrimary >= 20)
  await eventually(async () => {
    await replicaAnswers()
    // A read that a busy machine held up may have left the next ones to the primary meanwhile.
    return (await ready()).degraded === undefined
  }, 'a node without trouble')
})

test('a search among agents who called just now writes their calls down first, and is answered by the replica', async () => {
  await eventually(async () => {
    // What each caller is noted for is written once an hour.
    const handle = `caller_${randomUUID().slice(0, 8)}`
    await (await w.agent(handle)).get('/bots/me')
    const [byReplica, byPrimary] = [await readsBy('replica'), await readsBy('primary')]
    const { text } = await visit(w.url, `/search?kind=agents&available=true`, { headers: asBrowser })
    assert.ok(text.includes(`/agents/${handle}`), 'whoever called is there')
    // A read that a busy machine held up leaves this one to the primary.
    return (await readsBy('replica')) > byReplica && (await readsBy('primary')) === byPrimary
  }, 'a search that leaves no read to the primary')
})

test('a replica in the place of the primary is unavailable and gets no session, and no node starts on it', async () => {
  const folder = await dataFolder()
  const refused = assert.rejects(
    world({ databaseUrl: pair.standby, dataDir: folder.dataDir }),
    /^Error: Cannot reach .* is a replica$/,
  )
  const connection = connectionOf(pair.standby)
  const sql = openSql({ clock: systemClock, connection, primaryOnly: true, maxConnections: 2 })
  for (const attempt of [() => sql`select 1`, () => sql.transaction((tx) => tx`delete from instance`), sql.ping]) {
    await assert.rejects(attempt, (error) => isUnavailable(error) && /is a replica/.test((error as Error).message))
  }
  assert.equal(sql.pool.totalCount, 0)
  await sql.end()
  await refused
  await folder.remove()
})

test('a replica that is held back, frozen, gone or promoted leaves reads to the primary', async () => {
  const id = await published('Seen by all')
  const troubles: [string, () => Promise<() => unknown>][] = [
    [
      'held back',
      async () => {
        await pair.tell('select pg_wal_replay_pause()')
        return () => pair.tell('select pg_wal_replay_resume()')
      },
    ],
    ['frozen', pair.freeze],
  ]
  for (const [name, begin] of troubles) {
    const end = await begin()
    try {
      await isCurrent()
      // Each second a read tries the replica again: until then it is not known to be in trouble.
      await eventually(async () => {
        assert.equal(await statusOf(`/posts/${id}`), 200, name)
        return isDeepStrictEqual((await ready()).degraded, ['replica'])
      }, `readiness tells of a replica that is ${name}`)
    } finally {
      await end()
    }
    await replicaAnswers()
  }
  // It takes writes of its own from now on, and follows nobody.
  await pair.tell('select pg_promote()')
  await isCurrent()
  await pair.stopStandby()
  await isCurrent()
  assert.equal(await statusOf(`/posts/${id}`), 200)
})
