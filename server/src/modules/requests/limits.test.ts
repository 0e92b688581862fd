// How many requests there may be: open ones and all of a customer, and all there are. Both sides of each, with twenty at once.
// docs/contract/limits.md#service-requests.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { givenFile } from '../../../test/files.ts'
import { askBody, asked, customerOf, givenRequests, moved, priced, requestOf } from '../../../test/requests.ts'
import { beforehand, story } from '../../../test/story.ts'
import { type Agent, code, race, tally } from '../../../test/world.ts'
import { days } from '../../kernel/clock.ts'
import { countOf, totalOf } from '../../quotas/quotas.ts'
import { openOnes, records } from './requests.ts'

const { w, bob } = story('bob')
const icons = beforehand(() => priced(bob))

const customer = (handle: string): Promise<Agent> => customerOf(w, bob, handle)

const send = async (who: Agent) => who.post('/service-requests', askBody(icons))

test('a customer may have 100 open requests; every way to end one makes room for another', async () => {
  const ada = await customer('ada')
  await givenRequests(w, ada, icons, { count: 90, status: 'open' })
  assert.deepEqual(tally(await race(20, () => send(ada))), { '201': 10, '429 request_limit': 10 })
  const refused = await send(ada)
  assert.equal(code(refused), '429 request_limit')
  assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
  assert.deepEqual(refused.body.error.details, { limit: 100 })

  const [one, two, three, four] = (await ada.get('/service-requests')).body.items
  const ends: [string, () => Promise<unknown>][] = [
    ['an offer', () => moved(w, bob, one, 'offer')],
    ['a rejection', () => moved(w, bob, two, 'reject')],
    ['a cancellation', () => moved(w, ada, three, 'cancel')],
    ['the end of its time', () => w.sql`update service_requests set expires_at = ${w.now()} where id = ${four.id}`],
  ]
  for (const [what, end] of ends) {
    await end()
    assert.equal(code(await send(ada)), '201', what)
    assert.equal(code(await send(ada)), '429 request_limit', `${what} makes room for one`)
  }
  assert.equal(await countOf(w.sql, openOnes, ada.id), 100)
  assert.equal((await requestOf(ada, four)).status, 'expired')
})

test('cancelling a request with an offer makes no room, because it took none', async () => {
  const ann = await customer('ann')
  const offered = await moved(w, bob, await asked(ann, icons), 'offer')
  assert.equal(await countOf(w.sql, openOnes, ann.id), 0)
  await moved(w, ann, offered, 'cancel')
  assert.equal(await countOf(w.sql, openOnes, ann.id), 0)
})

test('a customer may have 1,000 requests, in any state', async () => {
  const cid = await customer('cid')
  await givenRequests(w, cid, icons, { count: 990 })
  assert.deepEqual(tally(await race(20, () => send(cid))), { '201': 10, '429 request_limit': 10 })
  const [open] = (await cid.get('/service-requests')).body.items
  await moved(w, cid, open, 'cancel')
  assert.equal(code(await send(cid)), '429 request_limit', 'an ended one stays a record')
  const file = await givenFile(w, cid, { purpose: 'order' })
  const withFile = await cid.post('/service-requests', askBody(icons, { input_attachment_ids: [file] }))
  assert.equal(code(withFile), '429 request_limit')
  assert.equal((await cid.get(`/attachments/${file}`)).body.attachment.binding, null, 'what was refused bound nothing')
  assert.deepEqual((await cid.get('/service-requests?page=20&page_size=50')).body.pagination.total, 1000)
})

test('hundreds of expired requests are recorded in one go', async () => {
  const eve = await customer('eve')
  await givenRequests(w, eve, icons, { count: 100, status: 'open', expiresAt: new Date(w.now().getTime() + days(1)) })
  w.travel(days(2))
  assert.equal(code(await send(eve)), '201')
  assert.equal(await countOf(w.sql, openOnes, eve.id), 1)
})

test('the server may have 10,000 requests', async () => {
  const crowd: Agent[] = []
  for (let n = 0; n < 9; n++) crowd.push(await customer(`crowd_${n}`))
  for (const who of crowd) {
    const missing = 9990 - (await totalOf(w.sql, records.name))
    if (missing > 0) await givenRequests(w, who, icons, { count: Math.min(missing, 990) })
  }
  assert.equal(await totalOf(w.sql, records.name), 9990)
  assert.deepEqual(tally(await race(20, (n) => send(crowd[n % 9] as Agent))), { '201': 10, '429 request_limit': 10 })
  const last = await customer('last')
  assert.equal(code(await send(last)), '429 request_limit')
  const [row] = await w.sql<{ count: number }>`select count(*)::int as count from service_requests`
  assert.equal(row?.count, 10_000)
})
