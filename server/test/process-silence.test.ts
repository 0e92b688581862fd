// The network to the database goes silent: nothing is refused, nothing is closed, nothing answers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freshDatabase } from './database.ts'
import { dataFolder, serve } from './launch.ts'
import { becomesReady, befriendAt, call, history, register } from './process.ts'
import { openSilentProxy } from './silent-proxy.ts'
import { type Agent, connectEvents, eventually } from './world.ts'

const secret = 'a secret key for silence, of enough characters'

/** Waits for as long as it takes: to get an answer at all is what is tested. */
async function patiently(url: string, agent: Agent, path: string, json?: unknown) {
  const response = await fetch(`${url}/api/v1${path}`, {
    ...(json !== undefined && { method: 'POST', body: JSON.stringify(json) }),
    headers: { authorization: `Bearer ${agent.token}`, 'content-type': 'application/json' },
    signal: AbortSignal.timeout(100_000),
  })
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a body by reading it
  return { status: response.status, body: (await response.json()) as any, headers: response.headers }
}

test('while the network to the database is silent, requests get 503 in time; the service recovers, and SIGTERM ends it in another silence', async () => {
  const database = await freshDatabase()
  const proxy = await openSilentProxy(database.url)
  const folders = [await dataFolder(), await dataFolder()] as const
  const env = { SECRET_KEY: secret }
  const direct = await serve(folders[0].dataDir, { env: { ...env, DATABASE_URL: database.url } })
  const cut = await serve(folders[1].dataDir, { env: { ...env, DATABASE_URL: proxy.url } })
  const watcher = new pg.Client({ connectionString: database.url })
  await watcher.connect()
  const listeners = async (): Promise<number[]> => {
    const { rows } = await watcher.query<{ pid: number }>(
      "select pid from pg_stat_activity where datname = current_database() and application_name = 'kith wake-ups'",
    )
    return rows.map(({ pid }) => pid)
  }
  const ready = async () => call(cut.url, 'GET', '/health/ready')
  try {
    const [ada, bob] = [await register(cut.url, 'ada'), await register(direct.url, 'bob')]
    await befriendAt(cut.url, ada, bob)
    // Bob listens on the node that is to be cut off; Ada's first words reach him from the other one.
    const socket = await connectEvents(cut.url, bob.token)
    const first = await patiently(direct.url, ada, '/messages', ada.envelope(bob))
    assert.equal((await socket.next('message.created')).payload.id, first.body.message.id)
    // Both pools have connections that lie idle.
    await Promise.all(Array.from({ length: 6 }, () => patiently(cut.url, ada, '/messages', ada.envelope(bob))))
    await Promise.all(Array.from({ length: 10 }, () => patiently(cut.url, ada, '/contacts')))
    assert.equal((await ready())?.status, 200)
    const listening = await eventually(async () => {
      const pids = await listeners()
      return pids.length === 2 ? pids : undefined
    }, 'both nodes listen')

    proxy.silence()
    const envelopes = Array.from({ length: 6 }, () => ada.envelope(bob))
    const asked = [
      ...envelopes.map((envelope) => patiently(cut.url, ada, '/messages', envelope)),
      ...Array.from({ length: 24 }, () => patiently(cut.url, ada, '/contacts')),
    ]
    const refused = await eventually(async () => {
      const answer = await ready()
      return answer?.status === 503 ? answer : undefined
    }, 'readiness tells of it')
    assert.deepEqual(refused.body, { status: 'not_ready', failing: 'database' })
    for (const { status, body, headers } of await Promise.all(asked)) {
      assert.deepEqual([status, body.error?.code], [503, 'service_unavailable'])
      assert.match(headers.get('retry-after') ?? '', /^\d+$/)
    }
    // The other node is well.
    await becomesReady(direct.url)

    proxy.restore('lost')
    await eventually(async () => (await ready())?.status === 200, 'ready again')
    const replayed = await eventually(async () => {
      const answers = await Promise.all(envelopes.map((envelope) => patiently(cut.url, ada, '/messages', envelope)))
      return answers.every(({ status }) => status < 300) ? answers : undefined
    }, 'what had no answer can be said again')
    await eventually(async () => (await patiently(cut.url, ada, '/contacts')).status === 200, 'reads work')
    const found = (await history(direct.url, bob, ada)).map(({ id }) => id)
    assert.equal(found.length, 1 + 6 + 6, 'each message once')
    for (const { body } of replayed) assert.ok(found.includes(body.message.id))
    await eventually(async () => {
      const pids = await listeners()
      return pids.some((pid) => !listening.includes(pid))
    }, 'the node listens again')
    const again = await connectEvents(cut.url, bob.token)
    const last = await patiently(direct.url, ada, '/messages', ada.envelope(bob))
    await eventually(async () => again.frames.some(({ payload }) => payload?.id === last.body.message.id), 'events')

    proxy.silence()
    const open = patiently(cut.url, ada, '/contacts').catch(() => undefined)
    await sleep(500)
    cut.kill('SIGTERM')
    assert.equal(await again.closed, 1001)
    const ending = await Promise.race([cut.ended, sleep(240_000, 'still there', { ref: false })])
    assert.notEqual(ending, 'still there', 'the stop has a limit')
    assert.match(cut.output(), /"msg":"stopped"/)
    await open
    direct.kill('SIGTERM')
    assert.equal(await direct.ended, 0, direct.output())
  } finally {
    cut.kill('SIGKILL')
    direct.kill('SIGKILL')
    await watcher.end()
    await proxy.close()
    await database.drop()
    for (const { remove } of folders) await remove()
  }
})
