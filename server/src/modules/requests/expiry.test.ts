// Requests on which nobody offered anything in 7 days: read as expired from that moment, written down once, whoever does it.
// docs/contract/requests.md#expiry.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import {
  askBody,
  asked,
  customerOf,
  givenRequests,
  moved,
  priced,
  requestOf,
  type Shown,
  tried,
} from '../../../test/requests.ts'
import { beforehand, story } from '../../../test/story.ts'
import { turnSuspended } from '../../../test/turning.ts'
import { type Agent, code, eventually, world } from '../../../test/world.ts'
import { days, hours } from '../../kernel/clock.ts'
import { expireNext } from './expiry.ts'

const { w, bob } = story('bob')
const icons = beforehand(() => priced(bob))

const customer = (handle: string): Promise<Agent> => customerOf(w, bob, handle)

/** Expires requests of a customer as by their column alone. */
const letPass = (who: Agent) =>
  w.sql`update service_requests set expires_at = ${w.now()} where customer_id = ${who.id} and status = 'open'`

/** Keeps the sweep from the rows of a customer while `work` reads them. */
async function unswept<T>(who: Agent, work: () => Promise<T>): Promise<T> {
  return w.sql.transaction(async (tx) => {
    await tx`select 1 from service_requests where customer_id = ${who.id} for update`
    await tx`update service_requests set expires_at = ${w.now()} where customer_id = ${who.id}`
    return work()
  })
}

const sweepAll = async () => {
  while (await expireNext(w.service));
}

test('a request is open for 7 days to the millisecond, then expired, even before it is recorded', async () => {
  const ada = await customer('ada')
  const request = await asked(ada, icons)
  w.travel(days(7) - hours(1))
  assert.deepEqual(await requestOf(ada, request), request)
  w.travel(hours(1))
  for (const who of [ada, bob]) {
    const expired = { ...request, status: 'expired', closed_reason: 'expired' }
    assert.deepEqual(await requestOf(who, request), expired)
    assert.deepEqual((await who.get('/service-requests')).body.items[0], expired)
  }
})

test('the sweep records the expiry once: a version, the time, an event to both sides', async () => {
  const ann = await customer('ann')
  const request = await asked(ann, icons)
  const ears = [await ann.events(), await bob.events()]
  await letPass(ann)
  await Promise.all(Array.from({ length: 5 }, sweepAll))
  const now = await requestOf(ann, request)
  assert.deepEqual([now.status, now.version, now.closed_at], ['expired', 2, now.updated_at])
  for (const ear of ears) {
    const told: Shown[] = []
    while (told.length < 2) {
      const { payload } = await ear.next('service_request.changed')
      if (payload.request_id === request.id) told.push([payload.version, payload.status])
    }
    assert.deepEqual(told, [
      [1, 'open'],
      [2, 'expired'],
    ])
    await ear.close()
  }
  await sweepAll()
  assert.deepEqual(await requestOf(ann, request), now, 'and not again')
  const events = await w.sql`
    select 1 from events where subject_id = ${request.id} and payload ->> 'status' = 'expired'`
  assert.equal(events.length, 2)
})

test('an expired request allows no action, recorded or not', async () => {
  const cid = await customer('cid')
  for (const swept of [false, true]) {
    const request = await asked(cid, icons)
    await letPass(cid)
    if (swept) await sweepAll()
    const now = await requestOf(cid, request)
    for (const [who, action] of [
      [bob, 'offer'],
      [bob, 'reject'],
      [cid, 'cancel'],
    ] as const) {
      const seen = await tried(w, who, now, action)
      assert.equal(code(seen), '409 invalid_state')
      assert.equal(seen.body.error.details.status, 'expired')
    }
  }
})

test('offered, rejected or cancelled requests do not expire', async () => {
  const dan = await customer('dan')
  const offered = await moved(w, bob, await asked(dan, icons), 'offer')
  const rejected = await moved(w, bob, await asked(dan, icons), 'reject')
  const cancelled = await moved(w, dan, await asked(dan, icons), 'cancel')
  await w.sql`update service_requests set expires_at = ${w.now()} where customer_id = ${dan.id}`
  await sweepAll()
  for (const [before, status] of [
    [offered, 'offered'],
    [rejected, 'rejected'],
    [cancelled, 'cancelled'],
  ] as const) {
    const now = await requestOf(dan, before)
    assert.deepEqual([now.status, now.version], [status, before.version])
  }
})

test('an expired request blocks nobody: it is recorded as soon as its place is needed', async () => {
  const eli = await customer('eli')
  await givenRequests(w, eli, icons, { count: 100, status: 'open' })
  assert.equal(code(await eli.post('/service-requests', bodyOf())), '429 request_limit')
  // The sweep is not waited for.
  await letPass(eli)
  const made = await Promise.all(Array.from({ length: 20 }, () => eli.post('/service-requests', bodyOf())))
  assert.deepEqual(
    made.map(code),
    Array.from({ length: 20 }, () => '201'),
  )
  const [counted] = await w.sql<{ open: number; expired: number }>`
    select count(*) filter (where status = 'open')::int as open, count(*) filter (where status = 'expired')::int as expired
    from service_requests where customer_id = ${eli.id}`
  assert.deepEqual(counted, { open: 20, expired: 100 })
})

test('without expired requests the sweep finds nothing to do; it takes the customers one by one', async () => {
  await sweepAll()
  assert.equal(await expireNext(w.service), false)
  const [fay, gil] = [await customer('fay'), await customer('gil')]
  const all = [await asked(fay, icons), await asked(gil, icons), await asked(fay, icons)]
  await unswept(fay, async () => {
    await letPass(gil)
    await sweepAll()
    assert.equal((await requestOf(gil, all[1])).status, 'expired')
  })
  await sweepAll()
  const written = await w.sql`
    select 1 from service_requests where customer_id in (${fay.id}, ${gil.id}) and closed_at is not null`
  assert.equal(written.length, 3)
})

test('with both sides suspended nothing waits forever: a request expires, its order can still end', async () => {
  const [kim, lea] = await w.friends('kim', 'lea')
  const service = await priced(lea)
  const open = await asked(kim, service)
  const offered = await moved(w, lea, await asked(kim, service), 'offer')
  for (const { id } of [kim, lea]) await turnSuspended(w, id, true)
  for (const [who, request, action] of [
    [kim, open, 'cancel'],
    [lea, open, 'reject'],
    [lea, open, 'offer'],
    [kim, offered, 'cancel'],
  ] as const) {
    assert.equal(code(await tried(w, who, request, action)), '403 profile_inactive')
  }
  const rejection = { operation_id: randomUUID(), expected_version: 1 }
  assert.equal(code(await kim.post(`/orders/${offered.order_id}/reject`, rejection)), '200')
  w.travel(days(7))
  await sweepAll()
  for (const who of [kim, lea]) {
    assert.equal((await requestOf(who, open)).status, 'expired')
    assert.equal((await requestOf(who, offered)).order_state, 'rejected')
  }
})

test('a service stopped before recording an expiry records it at its next start', async () => {
  const first = await world()
  const [hal, ivy] = await first.friends('hal', 'ivy')
  const request = await asked(hal, await priced(ivy))
  await first.running.stop()
  const second = await world({
    databaseUrl: first.databaseUrl,
    dataDir: first.dataDir,
    offset: days(8),
    sweeping: true,
  })
  try {
    const read = () => second.request('GET', `/service-requests/${request.id}`, { token: hal.token })
    assert.equal((await read()).body.request.status, 'expired')
    const { version } = await eventually(async () => {
      const now = (await read()).body.request
      return now.closed_at === null ? undefined : now
    }, 'it is written down')
    assert.equal(version, 2)
  } finally {
    await second.close()
    await first.close()
  }
})

const bodyOf = () => askBody(icons)
