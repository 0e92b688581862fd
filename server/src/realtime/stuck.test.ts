// Receivers that never acknowledge: however many, they cost others nothing. docs/contract/events.md#delivery.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { WebSocket } from 'ws'
import { orderChanged } from '../../test/events.ts'
import { story } from '../../test/story.ts'
import { connectEvents, eventually } from '../../test/world.ts'
import { knownCallers } from '../http/credentials.ts'
import type { Agent } from '../kernel/callers.ts'
import { earlier, hours, minutes, newId } from '../kernel/clock.ts'
import type { Service } from '../service.ts'
import type { Query } from '../store/sql.ts'
import { oldestAgeIn } from './backlog.ts'
import { type Connection, createConnection, window } from './connection.ts'
import { createRelay, type Relay, type RelayOptions } from './relay.ts'

const { w } = story()

const crowd = 1000

interface Stage {
  relay: Relay
  statements: number
  /** Statements under way at once, at most. */
  most: number
  running: number
  /** Ids of the events that a receiver was sent. */
  got: Map<string, string[]>
  connect(recipientId: string, version?: number): Connection
  /** Waits until a poll and all that followed it is over, and says how many statements that were. */
  poll(): Promise<number>
}

/** A relay over the database of the world, with sockets that only note what they are sent. */
function stage(options: Partial<RelayOptions> = {}): Stage {
  const counted =
    <A extends unknown[], R>(run: (...given: A) => Promise<R>) =>
    async (...given: A): Promise<R> => {
      self.statements += 1
      self.running += 1
      self.most = Math.max(self.most, self.running)
      try {
        return await run(...given)
      } finally {
        self.running -= 1
      }
    }
  const counting = <Q extends Service['hot']>(query: Q): Q =>
    Object.assign(counted(query) as Q, query, { together: counted(query.together) })
  const service = { ...w.service, sql: counting(w.service.sql), hot: counting(w.service.hot) }
  const relay = createRelay({ service, acknowledge: async () => {}, tellOthers() {}, alone: true, ...options })
  // It polls when it is told to, and not by itself.
  relay.stop()
  const self: Stage = {
    relay,
    statements: 0,
    most: 0,
    running: 0,
    got: new Map(),
    connect(recipientId, version = 10) {
      const ids: string[] = self.got.get(recipientId) ?? []
      self.got.set(recipientId, ids)
      const socket = {
        readyState: 1,
        OPEN: 1,
        bufferedAmount: 0,
        _socket: { cork() {}, uncork() {} },
        send: (frame: string) => ids.push(JSON.parse(frame).event_id),
        close() {},
      } as unknown as WebSocket
      const caller = { id: recipientId } as Agent
      const session = { digest: Buffer.alloc(32), expiresAt: w.now() }
      const connection = createConnection(socket, newId(w.now()), { caller, session }, version, 0)
      relay.add(connection)
      return connection
    },
    async poll() {
      await settled()
      const before = self.statements
      relay.pollNow()
      await settled()
      return self.statements - before
    },
  }
  // Nothing runs, and nothing that ended began anything since.
  const settled = async (): Promise<void> => {
    for (let quiet = 0; quiet < 20; quiet = self.running === 0 ? quiet + 1 : 0) {
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return self
}

/** Waiting events, some for each recipient, told to nobody. */
async function plant(recipients: readonly string[], each = 1, version = 1): Promise<void> {
  await w.sql`
    insert into events (recipient_id, min_version, id, kind, subject_id, payload, created_at)
    select r.id, ${version}, gen_random_uuid(), 'order.changed', gen_random_uuid(), ${orderChanged}, ${w.now()}
    from unnest(${recipients}::uuid[]) as r (id), generate_series(1, ${each})`
}

const total = ({ got }: Stage): number => [...got.values()].reduce((sum, ids) => sum + ids.length, 0)

test('a thousand agents that acknowledge nothing are read together, and then cost one query per poll', async () => {
  const stuck = Array.from({ length: crowd }, () => newId(w.now()))
  await plant(stuck)
  const s = stage()
  for (const id of stuck) s.connect(id)
  await eventually(() => total(s) === crowd || undefined, 'an event each')
  assert.ok(s.statements <= crowd / 10, `${s.statements} statements`)
  assert.ok(s.most <= 3, `${s.most} statements at once`)
  for (let round = 0; round < 3; round++) assert.equal(await s.poll(), 1)
  // What nobody told of comes by the poll to those, and to no others.
  await plant(stuck.slice(0, 5))
  await s.poll()
  await eventually(() => total(s) === crowd + 5 || undefined, 'what was missed')
  assert.equal(await s.poll(), 1)
  for (const ids of s.got.values()) assert.equal(new Set(ids).size, ids.length, 'nothing twice')
})

test('events that a version does not know cause no read', async () => {
  const old = newId(w.now())
  await plant([old], 3, 9)
  const s = stage()
  s.connect(old, 8)
  await s.poll()
  assert.deepEqual([await s.poll(), total(s)], [1, 0])
})

test("many agents' backlogs arrive complete and in order, whoever else reads", async () => {
  const many = Array.from({ length: 100 }, () => newId(w.now()))
  await plant(many, 80)
  const s = stage()
  for (const id of many) s.connect(id)
  await eventually(() => total(s) === 8000 || undefined, 'all of it')
  for (const ids of s.got.values()) assert.deepEqual(ids, ids.toSorted())
  assert.ok(s.most <= 3, `${s.most} statements at once`)
})

test('full windows are checked in a few statements, and open when an event is gone', async () => {
  const full = Array.from({ length: 80 }, () => newId(w.now()))
  await plant(full, window + 4)
  const s = stage()
  for (const id of full) s.connect(id)
  await eventually(() => total(s) === 80 * window || undefined, 'full windows')
  assert.ok((await s.poll()) <= 4)
  // Another receiver acknowledges, out of order, on another node.
  const [one, other] = full as [string, string]
  await w.sql`delete from events where recipient_id = ${one} and id = ${s.got.get(one)?.at(0)}`
  await w.sql`delete from events where recipient_id = ${other} and id = any(${s.got.get(other)?.slice(100, 104)}::uuid[])`
  await eventually(async () => {
    await s.poll()
    return total(s) === 80 * window + 5 || undefined
  }, 'the next ones')
  assert.deepEqual([s.got.get(one)?.length, s.got.get(other)?.length], [window + 1, window + 4])
})

test('a message whose read came late is read again once, and then by the next poll', async () => {
  const [ann, bob] = await w.friends('ann_late', 'bob_late')
  await w.sql`delete from events where recipient_id = ${bob.id}`
  const { message } = (await ann.send(bob)).body
  // Every read takes longer than this.
  const slow = stage({ alone: false, readMilliseconds: -1 })
  slow.connect(bob.id)
  for (const before of [2, 5]) {
    assert.equal(await slow.poll(), 3, 'a question, and two reads')
    assert.equal(slow.statements, before + 3)
  }
  assert.equal(total(slow), 0)
  const quick = stage({ alone: false })
  quick.connect(bob.id)
  await quick.poll()
  assert.deepEqual(quick.got.get(bob.id), [message.id])
})

test('after a restart everyone reconnects at once from behind one address, and stays', async () => {
  const agents: Awaited<ReturnType<typeof w.agent>>[] = []
  // All at once the last of them would wait for longer than the service lets them.
  for (let n = 0; n < 180; n += 20)
    agents.push(...(await Promise.all(Array.from({ length: 20 }, (_, at) => w.agent(`back_${n + at}`)))))
  // Nobody showed a token to this process yet.
  knownCallers(w.service).clear()
  const opened = await Promise.all(
    agents.flatMap(({ token }) => [1, 2].map(() => connectEvents(w.url, token).catch((error: Error) => error.message))),
  )
  const refused = opened.filter((each) => typeof each === 'string')
  assert.deepEqual(refused, [])
  const sockets = opened.filter((each) => typeof each !== 'string')
  for (const socket of sockets) socket.ack(randomUUID())
  await eventually(() => sockets.every(({ frames }) => frames.length > 0) || undefined, 'an answer to each')
  // And when they all go at once, others are served.
  for (const { socket } of sockets) socket.terminate()
  const answers: number[] = []
  await eventually(async () => {
    answers.push((await agents[0]?.get('/bots/me'))?.status ?? 0)
    return (await w.sql`select 1 from connections`).length === 0
  }, 'all leases to be free')
  assert.deepEqual(new Set(answers), new Set([200]))
})

test('the metric shows the age of the oldest unacknowledged event; it searches only once that one is gone, and seldom', async () => {
  let searches = 0
  let isBroken = false
  const sql = (strings: TemplateStringsArray, ...values: unknown[]) => {
    if (!strings.join('').includes('order by created_at')) return w.service.sql(strings, ...values)
    searches += 1
    return isBroken
      ? Promise.reject(new Error('canceling statement due to statement timeout'))
      : w.service.sql(strings, ...values)
  }
  const oldestAge = oldestAgeIn({ sql: sql as Query, log: w.service.log })
  await w.sql`delete from events`
  isBroken = true
  assert.equal(await oldestAge(w.now()), undefined)
  assert.equal(await oldestAge(w.now()), undefined)
  assert.equal(searches, 1, 'a failed search is not repeated at once')
  isBroken = false
  w.travel(minutes(10))
  assert.equal(await oldestAge(w.now()), 0)
  const [late, later] = [newId(w.now()), newId(w.now())]
  await plant([late, later])
  const age = (id: string, hoursAgo: number) =>
    w.sql`update events set created_at = ${earlier(w.now(), hours(hoursAgo))} where recipient_id = ${id}`
  await age(late, 30)
  await age(later, 20)
  const isAbout = async (hoursAgo: number, afterSearches: number): Promise<void> => {
    const found = (await oldestAge(w.now())) ?? Number.NaN
    assert.ok(found > hours(hoursAgo - 0.1) / 1000 && found < hours(hoursAgo + 1) / 1000, `${found}`)
    assert.equal(searches, afterSearches)
  }
  assert.equal(await oldestAge(w.now()), 0, 'not searched again yet')
  w.travel(minutes(10))
  await isAbout(30, 3)
  w.travel(hours(1))
  await isAbout(31, 3)
  await w.sql`delete from events where recipient_id = ${late}`
  await isAbout(21, 4)
  await w.sql`delete from events where recipient_id = ${later}`
  isBroken = true
  await isAbout(21, 4)
  w.travel(minutes(10))
  await isAbout(21, 5)
  await isAbout(21, 5)
})

test('the more sockets a node has, the less waits in each that reads nothing; with fewer it may wait again', async () => {
  const [deaf, ...others] = Array.from({ length: 1025 }, () => newId(w.now())) as [string, ...string[]]
  const s = stage()
  const { share } = s.connect(deaf)
  assert.equal(share.maxBuffered, 512 * 1024)
  const connections = others.map((id) => s.connect(id))
  assert.ok(share.maxBuffered * 1025 <= 128 * 1024 ** 2)
  const [one] = connections as [Connection]
  Object.assign(one.socket, { bufferedAmount: 200 * 1024 })
  const [recipient] = others as [string]
  await plant([recipient])
  await s.poll()
  assert.equal(total(s), 0, 'nothing more for her')
  for (const connection of connections.slice(1)) s.relay.remove(connection)
  await s.poll()
  await eventually(() => total(s) === 1 || undefined, 'what waited')
})
