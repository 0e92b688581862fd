// Lists in brief: which fields are left, how long a page may be, and that nothing else changes.
// docs/contract/representation.md#brief-lists.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { humanOffer, customer as person } from '../../test/customers.ts'
import { bid, fund, inTime, offer, type Shown, trade } from '../../test/orders.ts'
import { proposedOf } from '../../test/project-cases.ts'
import { asked, priced } from '../../test/requests.ts'
import { type Agent, code, type World, world } from '../../test/world.ts'
import { days } from '../kernel/clock.ts'
import { routes } from './modules.ts'
import { briefs } from './views.ts'

let w: World
let long: Agent
let peer: Agent
before(async () => {
  w = await world()
  const handles = ['a', 'b'].map((letter) => letter.repeat(32)) as [string, string]
  ;[long, peer] = await w.friends(...handles)
  await fund(w, long, 100_000_000)
})
after(() => w.close())

const longest = 10 ** 12
/** The highest reward whose full price is what an order may cost. */
const reward = 909_090_909_091

test('twenty orders with the longest titles and amounts are at most 6,000 bytes, whatever is in the titles', async () => {
  const titles = ['x', '🙂', '"', '\\', '界', 'ж', '\u200d', '</script>'].map((part) =>
    `T${part.repeat(160)}`.slice(0, 160).replace(/[\ud800-\udbff]$/, ''),
  )
  for (let n = 0; n < 20; n++)
    await bid(w, long, peer, { title: titles[n % titles.length], amount_minor: reward, deadline: inTime(w, days(30)) })
  for (const who of [long, peer]) {
    const full = await who.get('/orders')
    const brief = await who.get('/orders?view=brief')
    assert.equal(brief.body.orders.length, 20)
    assert.ok(Buffer.byteLength(JSON.stringify(brief.body)) <= 6000)
    assert.ok(Buffer.byteLength(JSON.stringify(full.body)) > 30_000)
    assert.deepEqual(brief.body.pagination, full.body.pagination)
    for (const [n, order] of brief.body.orders.entries()) {
      const { title, handle, ...same } = order
      const whole = full.body.orders[n]
      assert.deepEqual(
        same,
        Object.fromEntries(
          ['id', 'version', 'state', 'amount_minor', 'total_minor', 'deadline', 'updated_at'].map((key) => [
            key,
            whole[key],
          ]),
        ),
      )
      assert.equal(order.total_minor, longest)
      assert.equal(handle, who === long ? peer.handle : long.handle)
      assert.ok(whole.title.startsWith(title) && title.length > 0)
      assert.ok([...title].length <= 60 && title.isWellFormed())
    }
  }
})

test('a title of usual letters keeps sixty of them', async () => {
  const [ada, bob] = await w.friends('ada', 'bob')
  await offer(w, ada, bob, { title: 'x'.repeat(160) })
  assert.equal((await bob.get('/orders?view=brief')).body.orders[0].title, 'x'.repeat(60))
})

test('each list that has a brief view leaves what the contract names, and takes no other view', async () => {
  const [kim, lea] = await w.friends('kim', 'lea')
  await fund(w, kim, 1_000_000)
  const ida = await person(w, 'Ida')
  await humanOffer(w, ida, lea)
  await proposedOf(lea, await trade(w, kim, lea, 'accepted'))
  await asked(kim, await priced(lea))
  await lea.post('/posts', { operation_id: randomUUID(), text: 'A work', title: 'It', visibility: 'public' })
  await lea.post('/feedback', { operation_id: randomUUID(), category: 'problem', title: 'It fails', body: 'Always' })
  const { task } = (
    await kim.post('/tasks', {
      operation_id: randomUUID(),
      title: 'A logo',
      description: 'Round',
      deadline: inTime(w, days(9)),
    })
  ).body
  const body = { operation_id: randomUUID(), amount_minor: 1000, deadline: inTime(w, days(3)), text: 'Mine' }
  assert.equal(code(await lea.post(`/tasks/${task.id}/bids`, body)), '201')
  const orderKeys = [
    'id',
    'version',
    'state',
    'title',
    'amount_minor',
    'total_minor',
    'deadline',
    'updated_at',
    'handle',
  ]
  const bidKeys = orderKeys.filter((key) => key !== 'title')
  const wanted: Record<string, [who: Pick<Agent, 'get'>, keys: string[], handle: string | null]> = {
    'GET /orders': [lea, orderKeys, 'kim'],
    'GET /human-orders': [lea, orderKeys, null],
    'GET /human/orders': [ida, orderKeys, 'lea'],
    'GET /bots': [lea, ['id', 'handle', 'display_name', 'updated_at'], 'kim'],
    'GET /posts': [kim, ['id', 'title', 'updated_at', 'handle'], 'lea'],
    'GET /services': [
      kim,
      ['id', 'version', 'state', 'title', 'amount_minor', 'total_minor', 'updated_at', 'handle'],
      'lea',
    ],
    'GET /services/mine': [
      lea,
      ['id', 'version', 'state', 'title', 'amount_minor', 'total_minor', 'updated_at', 'handle'],
      'lea',
    ],
    'GET /tasks': [lea, ['id', 'version', 'state', 'title', 'budget_minor', 'deadline', 'updated_at', 'handle'], 'kim'],
    'GET /tasks/mine': [
      kim,
      ['id', 'version', 'state', 'title', 'budget_minor', 'deadline', 'updated_at', 'handle'],
      'kim',
    ],
    'GET /tasks/{task_id}/bids': [kim, bidKeys, 'lea'],
    'GET /bids/mine': [lea, bidKeys, 'kim'],
    'GET /service-requests': [lea, ['id', 'version', 'status', 'title', 'updated_at', 'handle'], 'kim'],
    'GET /feedback': [lea, ['id', 'version', 'status', 'title', 'updated_at', 'handle'], 'lea'],
    'GET /project-cases': [lea, ['id', 'version', 'state', 'title', 'updated_at', 'handle'], 'kim'],
  }
  assert.deepEqual(Object.keys(wanted).sort(), Object.keys(briefs).sort())
  assert.deepEqual(
    routes.flatMap((route) => (route.brief ? [`${route.method} ${route.path}`] : [])).sort(),
    Object.keys(briefs).sort(),
  )
  for (const [route, [who, keys, handle]] of Object.entries(wanted)) {
    const path = route.slice(4).replace('{task_id}', task.id)
    const { list } = briefs[route] as { list: string }
    const [full, brief] = [await who.get(path), await who.get(`${path}?view=brief`)]
    assert.equal(code(brief), '200', route)
    const records: Shown[] = brief.body[list]
    assert.ok(records.length > 0, route)
    assert.deepEqual(
      records.map(({ id }) => id),
      full.body[list].map(({ id }: Shown) => id),
      route,
    )
    for (const record of records) assert.deepEqual(Object.keys(record).sort(), keys.toSorted(), route)
    assert.ok(
      records.some((record) => record.handle === handle),
      `${route}: ${JSON.stringify(records)}`,
    )
    assert.deepEqual((await who.get(`${path}?view=full`)).body[list], full.body[list], route)
    for (const view of ['', 'short', 'Brief', 'brief,full'])
      assert.equal(code(await who.get(`${path}?view=${view}`)), '400 invalid_input', `${route} ${view}`)
  }
})
