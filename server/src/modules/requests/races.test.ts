// Twenty at once: of every two actions that a request allows, of each with itself, and of an action against the
// expiry. One of them happens, and request, order, credits and counts agree. docs/contract/requests.md#moves.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { fund } from '../../../test/orders.ts'
import { asked, moveBody, priced, requestOf, type Shown, tried } from '../../../test/requests.ts'
import { beforehand, story } from '../../../test/story.ts'
import { type Agent, type Answer, code, race, tally } from '../../../test/world.ts'
import { days } from '../../kernel/clock.ts'
import { openSql, type Sql } from '../../store/sql.ts'
import { expireNext } from './expiry.ts'

/** A database as a node sees it whose clock is a week ahead: to it every request has expired. */
let ahead: Sql
const { w, ada, bob } = story({ friends: ['ada', 'bob'] })
const there = beforehand(() => w.node())
const icons = beforehand(() => priced(bob))
beforehand(async () => {
  await fund(w, ada, 100_000_000)
  ahead = openSql({
    clock: { now: () => new Date(w.now().getTime() + days(8)) },
    connection: { connectionString: w.databaseUrl },
  })
})
after(() => ahead.end())

/** Half of the requests go to the other node. */
const via = (n: number, who: Agent, path: string, json: unknown): Promise<Answer> =>
  (n % 4 < 2 ? w : there).request('POST', path, { token: who.token, json })

const sumOf = (counts: Record<string, number>, ...names: string[]): number =>
  names.reduce((sum, name) => sum + (counts[name] ?? 0), 0)

const orderOf = async (request: Shown) => {
  const [order, ...more] = await w.sql<{ id: string; state: string }>`
    select id, state from orders where source_service_request_id = ${request.id}`
  assert.equal(more.length, 0, 'one order at most')
  return order
}

const pairs = [
  ['offer', 'offer'],
  ['offer', 'reject'],
  ['offer', 'cancel'],
  ['reject', 'reject'],
  ['reject', 'cancel'],
  ['cancel', 'cancel'],
] as const
const actor = (action: string): Agent => (action === 'cancel' ? ada : bob)

for (const [one, other] of pairs) {
  test(`${one} against ${other}: one of them happens`, async () => {
    for (let round = 0; round < 3; round++) {
      const request = await asked(ada, icons)
      const answers = await race(20, (n) => {
        const action = n % 2 ? one : other
        return via(n, actor(action), `/service-requests/${request.id}/${action}`, moveBody(w, request, action))
      })
      const counts = tally(answers)
      assert.equal(sumOf(counts, '200', '201'), 1, JSON.stringify(counts))
      assert.equal(counts['409 version_conflict'], 19)
      const now = await requestOf(ada, request)
      assert.equal(now.version, 2)
      const order = await orderOf(request)
      assert.deepEqual([now.order_id, now.order_state], [order?.id ?? null, order?.state ?? null])
      assert.equal(now.status === 'offered', order !== undefined)
    }
  })
}

for (const action of ['offer', 'reject', 'cancel'] as const) {
  test(`${action} races the expiry`, async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => asked(ada, icons)))
    const sweep = async () => {
      while (await expireNext({ sql: ahead, config: w.service.config }));
    }
    const [answers] = await Promise.all([
      Promise.all(all.map((request) => tried(w, actor(action), request, action))),
      sweep(),
      sweep(),
    ])
    await sweep()
    for (const [at, request] of all.entries()) {
      const answer = answers[at] as Answer
      const now = await requestOf(ada, request)
      assert.equal(now.version, 2)
      const order = await orderOf(request)
      if (answer.status < 300) {
        assert.equal(now.status, { offer: 'offered', reject: 'rejected', cancel: 'cancelled' }[action])
        assert.equal(order !== undefined, action === 'offer')
      } else {
        assert.equal(code(answer), '409 version_conflict')
        assert.deepEqual([now.status, order], ['expired', undefined])
      }
    }
  })
}
