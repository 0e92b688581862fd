// Lists in brief: which fields are left, how long a page may be, what a page of each list costs, and that nothing else changes.
// docs/contract/representation.md#brief-lists.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { type Customer, humanOffer, customer as person } from '../../test/customers.ts'
import { bid, fund, inTime, type Shown, trade } from '../../test/orders.ts'
import { pluck } from '../../test/pluck.ts'
import { proposedOf } from '../../test/project-cases.ts'
import { asked, priced } from '../../test/requests.ts'
import { beforehand, story } from '../../test/story.ts'
import { type Agent, code, eventually } from '../../test/world.ts'
import { openapi } from '../http/openapi.ts'
import { operationsOf } from '../http/openapi-document.ts'
import type { Route } from '../http/route.ts'
import { days } from '../kernel/clock.ts'
import { routes, tags } from './modules.ts'
import { briefs, withView } from './views.ts'

let long: Agent
let peer: Agent
/** A market with one thing of each list, in ordinary words. */
let kim: Agent
let lea: Agent
let ida: Customer
let taskId: string
const { w } = story()
beforehand(async () => {
  const handles = ['a', 'b'].map((letter) => letter.repeat(32)) as [string, string]
  ;[long, peer] = await w.friends(...handles)
  await fund(w, long, 100_000_000)
  await openMarket()
})

const words = {
  title: 'A round logo for a bakery by the sea',
  description: 'It should be blue and round. '.repeat(10).trim(),
}

async function openMarket(): Promise<void> {
  ;[kim, lea] = await w.friends('kim', 'lea')
  await fund(w, kim, 1_000_000)
  ida = await person(w, 'Ida')
  await lea.patch('/bots/me', { specialty: words.title, bio: words.description })
  await humanOffer(w, ida, lea, words)
  const told = { title: words.title, summary: words.description, result: words.description }
  await proposedOf(lea, await trade(w, kim, lea, 'accepted', words), told)
  await asked(kim, await priced(lea, words), words)
  const ours = () => ({ operation_id: randomUUID(), title: words.title })
  await lea.post('/posts', { ...ours(), text: words.description, visibility: 'public' })
  const feedback = { ...ours(), category: 'problem', body: words.description }
  assert.equal(code(await lea.post('/feedback', feedback)), '201')
  const { task } = (await kim.post('/tasks', { ...ours(), ...words, deadline: inTime(w, days(9)) })).body
  taskId = task.id
  const bidding = { amount_minor: 1000, deadline: inTime(w, days(3)), text: words.description }
  assert.equal(code(await lea.post(`/tasks/${taskId}/bids`, { operation_id: randomUUID(), ...bidding })), '201')
}

const pathOf = (route: string): string => route.slice(4).replace('{task_id}', taskId)

const longest = 10 ** 12
/** The highest reward whose full price is what an order may cost. */
const reward = 909_090_909_091

test('twenty orders with the longest titles and amounts are at most 6,000 bytes, in any script', async () => {
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

test('a title keeps sixty characters, in any script, beside the longest handle, while the page has room', async () => {
  const [ada, bob] = await w.friends('ada_of_thirty_two_characters_now', 'bob_of_thirty_two_characters_now')
  await fund(w, ada, 100_000_000)
  for (const part of ['x', 'ж', '🙂']) await bid(w, ada, bob, { title: part.repeat(160), amount_minor: reward })
  const { orders } = (await bob.get('/orders?view=brief')).body
  assert.deepEqual(
    pluck(orders, 'title'),
    ['🙂', 'ж', 'x'].map((part) => part.repeat(60)),
  )
})

test('each list with a brief view omits the fields that the contract names, and accepts no other view', async () => {
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
    const path = pathOf(route)
    const { list } = briefs[route] as { list: string }
    const [full, brief] = [await who.get(path), await who.get(`${path}?view=brief`)]
    assert.equal(code(brief), '200', route)
    const records: Shown[] = brief.body[list]
    assert.ok(records.length > 0, route)
    assert.deepEqual(
      pluck(records, 'id'),
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

test('a brief view keeps the status and headers of its list, made of JSON or of a body', async () => {
  const list = routes.find(({ method, path }) => `${method} ${path}` === 'GET /posts') as Route
  const record = { id: 'one', title: 'A logo', updated_at: 'now', text: 'long', author: { handle: 'kim' } }
  const page = { posts: [record], pagination: {} }
  const told = { status: 203, headers: { 'x-of': 'the list' } }
  for (const content of [{ body: page }, { json: JSON.stringify(page) }]) {
    const { handle } = withView({ ...list, handle: async () => ({ ...told, ...content }) })
    const answer = await handle({ query: { view: 'brief' }, service: w.service } as never)
    const brief = { id: 'one', title: 'A logo', updated_at: 'now', handle: 'kim' }
    assert.deepEqual(answer, { ...told, body: { posts: [brief], pagination: {} } })
  }
})

test('the OpenAPI document contains both views of each list', () => {
  const document = openapi(routes, tags)
  for (const [route, { list, shape, keeps, handle, handles }] of Object.entries(briefs)) {
    const schema = operationsOf(document).find(
      ({ method, path }) => `${method} ${path}` === route.replace('/', '/api/v1/'),
    )?.operation.responses['200']?.content?.['application/json']?.schema
    const [full, brief] = schema?.anyOf ?? []
    assert.deepEqual([full?.['x-view'], brief?.['x-view']], [undefined, 'brief'], route)
    assert.deepEqual(Object.keys(brief?.properties ?? {}), Object.keys(full?.properties ?? {}), route)
    assert.deepEqual(brief?.properties?.[list]?.items, { $ref: `#/components/schemas/${shape}` }, route)
    const fields = Object.keys(document.components.schemas[shape]?.properties ?? {})
    assert.deepEqual(fields, [...keeps, ...(handle || handles ? ['handle'] : [])], route)
  }
})

/** Of whom each list is read. */
const readerOf = (route: string): Pick<Agent, 'get'> =>
  route === 'GET /human/orders' ? ida : /^GET .tasks.(mine|.*bids)$/.test(route) ? kim : lea

/** The bytes of a page of twenty records, each like the longest. */
async function bytesOf(who: Pick<Agent, 'get'>, path: string, list: string): Promise<number> {
  const { body } = await eventually(async () => {
    const answer = await who.get(path)
    return answer.body.partial ? undefined : answer
  }, 'a whole answer')
  const sizes = body[list].map((record: Shown) => Buffer.byteLength(JSON.stringify(record)) + 1)
  assert.ok(sizes.length > 0, path)
  return Buffer.byteLength(JSON.stringify({ ...body, [list]: [] })) + 20 * Math.max(...sizes) - 1
}

test('docs/performance.md states what a page of each list costs a model', async () => {
  const figure = (bytes: number): string =>
    `${bytes.toLocaleString('en')} | ${Math.round(bytes / 4).toLocaleString('en')}`
  const measured = new Map<string, number[]>()
  for (const [route, { list }] of Object.entries(briefs)) {
    const path = pathOf(route)
    const [full, brief] = [path, `${path}?view=brief`].map((each) => bytesOf(readerOf(route), each, list))
    measured.set(route, [await full!, await brief!])
    if (list === 'orders') assert.ok((await brief!) <= 6000, `${route}: ${await brief} bytes`)
  }
  measured.set('GET /discovery', [await bytesOf(lea, `/discovery?q=bakery`, 'items')])
  measured.set('GET /bots/me/agenda', [await bytesOf(lea, '/bots/me/agenda', 'items')])
  const rows = [...measured].map(
    ([route, [full = 0, brief]]) =>
      `| \`${route.replace('/', '')}\` | ${figure(full)} | ${brief === undefined ? ' | ' : figure(brief)} |`,
  )
  const page = await readFile(new URL('../../../docs/performance.md', import.meta.url), 'utf8')
  const told = new Map(
    [...page.matchAll(/^\| `(GET \S+)` \| ([\d,]+) \| [\d,]+ \| ([\d,]*) \|/gm)].map(([, route = '', ...figures]) => [
      route.replace(' ', ' /'),
      figures.flatMap((each) => (each ? [Number(each.replaceAll(',', ''))] : [])),
    ]),
  )
  const isTold = [...measured].every(([route, figures]) =>
    figures.every((bytes, at) => Math.abs((told.get(route)?.[at] ?? 0) / bytes - 1) < 0.1),
  )
  assert.ok(isTold && told.size === measured.size, `The figures have changed; they are now:\n${rows.join('\n')}`)
})
