// kill -9 of the service, of PostgreSQL, of both, under load: nothing that was acknowledged is lost, and whatever was
// not answered can be sent again.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { dataFolder, freePort, type Service, serve, workersOf } from './launch.ts'
import { accounts, befriendAt, call, history, postgresOf, postmasterOf, type Reply, register } from './process.ts'
import { type Agent, agentOf, connectEvents, eventually, keyPair, type World } from './world.ts'

interface SentMessage {
  from: Agent
  to: Agent
  envelope: Record<string, unknown>
  /** The message's id, once it was acknowledged. */
  id: string | undefined
}

interface Load {
  sent: SentMessage[]
  /** Registrations that were acknowledged, and those without an answer. */
  registered: Agent[]
  unanswered: { handle: string; json: object }[]
  /** Contacts asked for by acknowledged requests: id and who asked. */
  contacts: { id: string; by: Agent }[]
  /** Answers other than success, by status. */
  statuses: Map<number, number>
  unhelpful: Reply[]
  stop(): Promise<void>
}

/** Several agents in parallel, each sending one thing after another, until stopped. */
function load(url: () => string, pairs: [Agent, Agent][]): Load {
  let stopped = false
  const state: Omit<Load, 'stop'> = {
    sent: [],
    registered: [],
    unanswered: [],
    contacts: [],
    statuses: new Map(),
    unhelpful: [],
  }
  const judge = (reply: Reply | undefined): void => {
    if (!reply || reply.status < 400) return
    state.statuses.set(reply.status, (state.statuses.get(reply.status) ?? 0) + 1)
    if (reply.status !== 503 || reply.retryAfter === null) state.unhelpful.push(reply)
  }
  const send = async (from: Agent, to: Agent): Promise<void> => {
    const entry: SentMessage = { from, to, envelope: from.envelope(to), id: undefined }
    state.sent.push(entry)
    const reply = await call(url(), 'POST', '/messages', { token: from.token, json: entry.envelope })
    judge(reply)
    if (reply && reply.status < 300) entry.id = reply.body.message.id
    else await sleep(20)
  }
  const join = async (): Promise<void> => {
    const handle = `a${randomUUID().replaceAll('-', '').slice(0, 20)}`
    const keys = keyPair()
    const json = { handle, display_name: handle, encryption_public_key: keys.publicKey }
    const reply = await call(url(), 'POST', '/bots/register', { json })
    judge(reply)
    if (reply?.status !== 201) {
      state.unanswered.push({ handle, json })
      return void (await sleep(20))
    }
    const fresh = agentOf({ url: url() } as World, keys, reply.body)
    state.registered.push(fresh)
    const recipient = (pairs[0] as [Agent, Agent])[0].id
    const asked = await call(url(), 'POST', '/contacts/requests', {
      token: fresh.token,
      json: { recipient_id: recipient },
    })
    judge(asked)
    if (asked?.status === 201) state.contacts.push({ id: asked.body.contact.id, by: fresh })
  }
  const repeat = async (work: () => Promise<void>): Promise<void> => {
    while (!stopped) await work()
  }
  const workers = [
    ...pairs.flatMap(([one, two]) => [repeat(() => send(one, two)), repeat(() => send(two, one))]),
    repeat(join),
  ]
  return {
    ...state,
    async stop() {
      stopped = true
      await Promise.all(workers)
    },
  }
}

async function pairsOf(url: string, count: number): Promise<[Agent, Agent][]> {
  const pairs: [Agent, Agent][] = []
  for (let at = 0; at < count; at++) {
    const [one, two] = [await register(url, `one${at}`), await register(url, `two${at}`)]
    await befriendAt(url, one, two)
    pairs.push([one, two])
  }
  return pairs
}

/** Every message of the ledger exactly once, every other acknowledged write there, every event delivered. */
async function assertNothingLost(url: string, ledger: Load, pairs: [Agent, Agent][]): Promise<void> {
  let unknown = 0
  for (const entry of ledger.sent) {
    if (entry.id === undefined) unknown += 1
    const replay = await call(url, 'POST', '/messages', { token: entry.from.token, json: entry.envelope })
    assert.ok(replay?.status === 200 || replay?.status === 201, JSON.stringify(replay))
    if (entry.id !== undefined) assert.equal(replay.status, 200, 'an acknowledged message is a replay')
    entry.id ??= replay.body.message.id
    assert.equal(replay.body.message.id, entry.id)
  }
  for (const [one, two] of pairs) {
    const found = await history(url, one, two)
    const wanted = ledger.sent.filter(({ from }) => from === one || from === two)
    assert.deepEqual(found.map(({ id }) => id).sort(), wanted.map(({ id }) => id).sort(), 'each message exactly once')
    assert.equal(new Set(found.map(({ client_message_id }) => client_message_id)).size, found.length)
    for (const agent of [one, two]) {
      const mine = new Set(wanted.filter(({ to }) => to === agent).map(({ id }) => id))
      const socket = await connectEvents(url, agent.token)
      await eventually(async () => {
        for (const frame of socket.frames) {
          if (frame.type !== 'event') continue
          mine.delete(frame.payload?.id)
          if (!acknowledged.has(frame)) socket.ack(frame.event_id as string)
          acknowledged.add(frame)
        }
        return mine.size === 0 || undefined
      }, `all events of ${agent.handle}, ${mine.size} are missing`)
      await socket.close()
    }
  }
  for (const agent of ledger.registered) {
    const me = await call(url, 'GET', '/bots/me', { token: agent.token })
    assert.equal(me?.body.bot.id, agent.id, 'an acknowledged registration')
  }
  for (const { handle, json } of ledger.unanswered) {
    const again = await call(url, 'POST', '/bots/register', { json })
    assert.ok(again?.status === 201 || again?.body.error.code === 'handle_unavailable', `${handle} is there once`)
  }
  for (const { id, by } of ledger.contacts) {
    const contacts = await call(url, 'GET', '/contacts', { token: by.token })
    assert.ok(
      contacts?.body.contacts.some((contact: { id: string }) => contact.id === id),
      'an acknowledged contact',
    )
  }
  assert.ok(ledger.sent.length > 20 && ledger.registered.length > 0, `a load: ${ledger.sent.length} messages`)
  console.log(
    `# ${ledger.sent.length} messages, ${unknown} without an answer; ${ledger.registered.length} registrations; ` +
      `statuses ${JSON.stringify([...ledger.statuses])}`,
  )
}

const acknowledged = new WeakSet<object>()

for (const [name, account] of accounts) {
  test(`as ${name}: the service survives kill -9 under load, alone and together with PostgreSQL`, async () => {
    const { dataDir, remove } = await dataFolder({ account, migrated: true })
    let running: Service | undefined
    try {
      running = await serve(dataDir, { account })
      const pairs = await pairsOf(running.url, 2)
      for (const both of [false, true]) {
        const { url } = running
        const ledger = load(() => url, pairs)
        await eventually(() => ledger.sent.length > 40 && ledger.registered.length > 0, 'a load')
        const postmaster = await postmasterOf(dataDir)
        if (both) process.kill(postmaster, 'SIGKILL')
        running.kill('SIGKILL')
        assert.equal(await running.ended, 'SIGKILL')
        await ledger.stop()
        assert.deepEqual(ledger.unhelpful, [])
        running = await serve(dataDir, { account })
        await assertNothingLost(running.url, { ...ledger }, pairs)
        // The next round counts its own messages only.
        pairs.splice(0, pairs.length, ...(await freshPairs(running.url)))
      }
      running.kill('SIGTERM')
      assert.equal(await running.ended, 0, running.output())
      assert.deepEqual(await postgresOf(dataDir), [])
      if (account || process.platform !== 'linux') return
      const metricsPort = String(await freePort())
      running = await serve(dataDir, { env: { WORKERS: '2', METRICS_PORT: metricsPort } })
      await killWorkers(running, await freshPairs(running.url), `http://127.0.0.1:${metricsPort}/metrics`)
    } finally {
      running?.kill('SIGKILL')
      await remove()
    }
  })
}

/** One worker after the other, while the service goes on: whoever was cut off tries again, and nothing was lost. */
async function killWorkers(running: Service, pairs: [Agent, Agent][], metrics: string): Promise<void> {
  const ledger = load(() => running.url, pairs)
  for (const [at, victim] of workersOf(running).entries()) {
    const before = ledger.sent.length
    await eventually(() => ledger.sent.length > before + 20 && ledger.registered.length > 0, 'a load')
    process.kill(victim, 'SIGKILL')
    await eventually(async () => {
      const text = await (await fetch(metrics)).text()
      return (
        (/^kith_workers 2$/m.test(text) && text.includes(`\nkith_workers_restarted_total ${at + 1}\n`)) || undefined
      )
    }, 'another worker')
  }
  await ledger.stop()
  assert.deepEqual(ledger.unhelpful, [])
  await assertNothingLost(running.url, ledger, pairs)
  running.kill('SIGTERM')
  assert.equal(await running.ended, 0, running.output())
}

let round = 0
async function freshPairs(url: string): Promise<[Agent, Agent][]> {
  round += 1
  const one = await register(url, `again_one${round}`)
  const two = await register(url, `again_two${round}`)
  await befriendAt(url, one, two)
  return [[one, two]]
}

test('kill -9 of PostgreSQL under load: 503 briefly, then the service recovers by itself', async () => {
  const { dataDir, remove } = await dataFolder({ migrated: true })
  let running: Service | undefined
  try {
    running = await serve(dataDir)
    const { url } = running
    const pairs = await pairsOf(url, 2)
    const [one, two] = pairs[0] as [Agent, Agent]
    const socket = await connectEvents(url, two.token)
    const ledger = load(() => url, pairs)
    const seen: number[] = []
    let watching = true
    const watch = (async () => {
      while (watching) {
        const ready = await call(url, 'GET', '/health/ready')
        if (ready && seen.at(-1) !== ready.status) seen.push(ready.status)
        await sleep(5)
      }
    })()
    /** Ready as it was seen to be, and with a load again. */
    const calm = async (times: number): Promise<void> => {
      const before = ledger.sent.length
      const isCalm = (): boolean =>
        seen.length === 2 * times + 1 && seen.at(-1) === 200 && ledger.sent.length > before + 40
      await eventually(() => isCalm() || undefined, `calm after ${times} kills: ${seen}`)
    }
    await calm(0)
    for (let kill = 1; kill <= 2; kill++) {
      const before = await postmasterOf(dataDir)
      process.kill(before, 'SIGKILL')
      await eventually(
        async () => (await postmasterOf(dataDir).catch(() => before)) !== before || undefined,
        'another PostgreSQL',
      )
      await eventually(
        async () => (await call(url, 'GET', '/health/ready'))?.status === 200 || undefined,
        'ready again',
      )
      await calm(kill)
    }
    await ledger.stop()
    watching = false
    await watch
    assert.deepEqual(seen, [200, 503, 200, 503, 200], 'ready, away, ready, twice')
    assert.deepEqual(ledger.unhelpful, [], 'nothing but 503 with Retry-After')

    // The socket from before, or another one at once: what is sent now arrives.
    const lively = socket.socket.readyState === socket.socket.OPEN ? socket : await connectEvents(url, two.token)
    const sent = await call(url, 'POST', '/messages', { token: one.token, json: one.envelope(two) })
    assert.equal(sent?.status, 201)
    await eventually(() => {
      for (const frame of lively.frames) {
        if (frame.type !== 'event' || acknowledged.has(frame)) continue
        acknowledged.add(frame)
        lively.ack(frame.event_id as string)
      }
      return lively.frames.some((frame) => frame.payload?.id === sent.body.message.id) || undefined
    }, 'a message after the restarts')
    await lively.close()
    const { id, sender_id: _sender, created_at: _created, ...envelope } = sent.body.message
    ledger.sent.push({ from: one, to: two, envelope, id })
    await assertAllStored(url, ledger, pairs)
    running.kill('SIGTERM')
    assert.equal(await running.ended, 0, running.output())
  } finally {
    running?.kill('SIGKILL')
    await remove()
  }
})

/** As {@link assertNothingLost}, without the events: they were acknowledged on the way. */
async function assertAllStored(url: string, ledger: Load, pairs: [Agent, Agent][]): Promise<void> {
  for (const entry of ledger.sent) {
    const replay = await call(url, 'POST', '/messages', { token: entry.from.token, json: entry.envelope })
    assert.ok(replay?.status === 200 || (replay?.status === 201 && entry.id === undefined), JSON.stringify(replay))
    entry.id ??= replay?.body.message.id
  }
  for (const [one, two] of pairs) {
    const found = await history(url, one, two)
    const wanted = ledger.sent.filter(({ from }) => from === one || from === two)
    assert.deepEqual(found.map(({ id }) => id).sort(), wanted.map(({ id }) => id).sort())
  }
  console.log(`# ${ledger.sent.length} messages, statuses ${JSON.stringify([...ledger.statuses])}`)
}
