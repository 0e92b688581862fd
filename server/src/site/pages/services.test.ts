// The catalogue as pages: found, filtered and sorted as by discovery, and each service with its price.
// docs/contract/site.md#services.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { asBrowser, assertPage, hostile, type PageAnswer, visit } from '../../../test/pages.ts'
import { givenPost } from '../../../test/posts.ts'
import { hasForm, readable } from '../../../test/reader.ts'
import { draft, formOf, moved, priceBody, published, type Shown } from '../../../test/services.ts'
import { beforehand, story } from '../../../test/story.ts'
import { publish as publishTask } from '../../../test/tasks.ts'
import { turnHidden, turnSuspended } from '../../../test/turning.ts'

const { w, ada, bob } = story('ada', 'bob')
const services: Record<'logo' | 'map' | 'talk' | 'rest', Shown> = {} as never

beforehand(async () => {
  const works = [(await givenPost(ada, { title: 'A lighthouse', kind: 'portfolio' })).id]
  services.logo = await published(ada, {
    title: 'A logo of ships',
    tags: ['ink', 'Logo'],
    estimated_duration_seconds: 172_800,
    portfolio_post_ids: works,
    input_schema: formOf(
      { type: 'short_text', required: true, description: 'Any colour' },
      { type: 'attachment', media_types: ['image/png'] },
    ),
  })
  services.map = await published(bob, {
    title: 'A map of harbours',
    price: priceBody({ amount_minor: 5000, unit_label: '' }),
  })
  services.talk = await published(bob, {
    title: 'A talk about ships',
    price: priceBody({ mode: 'from', amount_minor: 300 }),
  })
  services.rest = await moved(
    bob,
    await published(bob, { title: 'A rest', price: priceBody({ amount_minor: 200 }) }),
    'pause',
  )
})

const get = (path: string): Promise<PageAnswer> => visit(w.url, path, { headers: asBrowser })

/** The titles that a list shows, in its order. */
const titles = ({ text }: PageAnswer): string[] =>
  [...text.matchAll(/<h3 dir="auto"><a href="\/services\/[^"]+">([^<]*)<\/a>/g)].map(([, title = '']) => title)

async function listed(query: string): Promise<string[]> {
  const page = await get(`/services${query}`)
  assert.equal(page.status, 200, query)
  assertPage(page.text, w.service)
  return titles(page)
}

const [logo, map, talk, rest] = ['A logo of ships', 'A map of harbours', 'A talk about ships', 'A rest']

test('services are listed with their prices, newest first, and filtered and sorted as by discovery', async () => {
  assert.deepEqual(await listed(''), [rest, talk, map, logo])
  assert.deepEqual(
    await listed('?q=&tag=&min=&max=&mode=&rating=&sort=&page=1'),
    [rest, talk, map, logo],
    'empty entries',
  )
  assert.deepEqual((await listed('?q=ships')).sort(), [logo, talk])
  assert.deepEqual(await listed('?q=harbour'), [map], 'another form of the word')
  assert.deepEqual(await listed('?tag=LOGO'), [logo])
  assert.deepEqual(await listed('?min=10&max=11,00'), [logo], 'of the full price')
  assert.deepEqual(await listed('?min=0&max=11'), [rest, talk, logo])
  assert.deepEqual(await listed('?max=0'), [])
  assert.deepEqual(await listed('?mode=from'), [talk])
  assert.deepEqual(await listed('?available=true'), [talk, map, logo])
  assert.deepEqual(await listed('?agent=bob'), [rest, talk, map])
  assert.deepEqual(await listed('?sort=price'), [rest, talk, logo, map])
  assert.deepEqual(await listed('?sort=price_desc'), [map, logo, talk, rest])
  assert.deepEqual(await listed('?q=ships&sort=price'), [talk, logo])
  assert.deepEqual(await listed('?q=zeppelin'), [])
  // As her customers rated her.
  await w.sql`insert into ratings (agent_id, since, rank) values (${ada.id}, ${w.now()}, 480000003)`
  assert.deepEqual(await listed('?rating=4.5'), [logo])
  assert.deepEqual((await listed('?sort=rating'))[0], logo)
  await w.sql`delete from ratings`
  const text = readable(await get('/services?q=ships'))
  for (const said of ['11.00 test credits per logo', 'from 3.30 test credits', '@ada', 'AI agent', 'Show all']) {
    assert.ok(text.includes(said), `${said}: ${text}`)
  }
})

test('what cannot be searched is said beside its entry, and what no form asks is the 404 page', async () => {
  const wrong = await get(`/services?q=${'w'.repeat(201)}&min=-1&max=x`)
  assert.equal(wrong.status, 400)
  assertPage(wrong.text, w.service)
  assert.equal(wrong.text.match(/class="field-problem"/g)?.length, 3)
  assert.match(wrong.text, /name="min"[^>]* value="-1"/)
  const order = await get('/services?min=5&max=4')
  assert.deepEqual([order.status, readable(order).includes('must not be below')], [400, true])
  for (const query of [
    'page=0',
    'page=2',
    'page=101',
    'mode=free',
    'sort=name',
    'rating=9',
    'available=no',
    'agent=nobody',
    'agent=Ada',
    'q=a&q=b',
  ]) {
    assert.equal((await get(`/services?${query}`)).status, 404, query)
  }
  const typed = await get(`/services?q=${encodeURIComponent(hostile)}&tag=${encodeURIComponent(hostile.slice(0, 60))}`)
  assert.equal(typed.status, 200)
  assertPage(typed.text, w.service)
})

test('a service has a page of its own, for people and for programs', async () => {
  const { logo: service } = services
  const page = await get(`/services/${service.id}`)
  assert.equal(page.status, 200)
  assertPage(page.text, w.service)
  assert.match(String(page.headers['cache-control']), /^public/)
  const text = readable(page)
  for (const said of [
    'A logo of ships',
    'Round, and of any colour',
    'A file',
    '11.00 test credits per logo',
    'Usually takes 2 days.',
    '@ada',
    'AI agent',
    'A lighthouse',
    'No reviews',
    'Sign in to order',
    'What you will be asked',
    'Field 0',
    'Any colour',
    'PNG',
  ]) {
    assert.ok(text.includes(said), `${said}: ${text}`)
  }
  assert.ok(page.text.includes(`href="/sign-in?to=%2Fservices%2F${service.id}%23order"`))
  assert.ok(!hasForm(page, `/services/${service.id}`), 'nobody is signed in')
  assert.match(page.text, /<fieldset class="preview" disabled>/)
  assert.ok(page.text.includes(`<link rel="canonical" href="${w.service.publicUrl}/services/${service.id}">`))
  assert.match(page.text, /<link rel="alternate" type="application\/rss\+xml"[^>]* href="\/agents\/ada\/feed.xml">/)
  const [, data = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(page.text) ?? []
  const told = JSON.parse(data)
  assert.deepEqual(
    [told['@type'], told.provider.alternateName, told.offers.priceSpecification.price, told.offers.availability],
    ['Service', '@ada', '11.00', 'https://schema.org/InStock'],
  )
  assert.equal(told.offers.priceSpecification.priceCurrency, 'test credit')
  assert.deepEqual(told.broker, { '@type': 'Organization', name: 'Kith', url: `${w.service.publicUrl}/` })
  const [item] = (await w.request('GET', `/discovery?kind=services&q=logo`)).body.items
  assert.equal(item.url, `${w.service.publicUrl}/services/${service.id}`)
  const map = await get('/sitemap.xml')
  for (const path of ['/services', `/services/${service.id}`]) {
    assert.ok(map.text.includes(`<loc>${w.service.publicUrl}${path}</loc>`), path)
  }
  assert.match((await get('/')).text, /<a href="\/services"/)
})

test('a service without a price that people can order at leads to an order of their own', async () => {
  for (const [service, said] of [
    [services.talk, 'AI agents ask for an offer'],
    [services.rest, 'The agent has paused this service'],
  ] as const) {
    const page = await get(`/services/${service.id}`)
    assert.equal(page.status, 200)
    assertPage(page.text, w.service)
    assert.ok(readable(page).includes(said), said)
    assert.ok(page.text.includes('href="/orders/new?contractor=bob"'))
    assert.ok(!page.text.includes('id="order"'))
  }
})

test('what is not there for others has no page, and is on no list', async () => {
  const eve = await w.agent('eve')
  const made = [
    await draft(eve),
    await moved(eve, await published(eve), 'archive'),
    await published(eve),
    await published(eve),
  ]
  const hidden = made[2]
  await turnHidden(w, 'service', hidden.id, true)
  const ids = [randomUUID(), 'nothing', services.logo.id.toUpperCase(), made[0].id, made[1].id, hidden.id]
  for (const id of ids) assert.equal((await get(`/services/${id}`)).status, 404, id)
  const last = made[3]
  assert.equal((await get(`/services/${last.id}`)).status, 200)
  assert.ok((await get('/services')).text.includes(last.id))
  await turnSuspended(w, eve.id, true)
  for (const path of [`/services/${last.id}`, '/services?agent=eve']) assert.equal((await get(path)).status, 404, path)
  const lists = await Promise.all(['/services', '/services?q=logo', '/sitemap.xml'].map(get))
  for (const { text } of lists) for (const { id } of made) assert.ok(!text.includes(id))
})

test('pages of the list follow each other', async () => {
  const zoe = await w.agent('zoe')
  await Promise.all(Array.from({ length: 21 }, (_, n) => published(zoe, { title: `Number ${n}`, tags: ['many'] })))
  const first = await get('/services?tag=many')
  const second = await get('/services?tag=many&page=2')
  assert.deepEqual([titles(first).length, titles(second).length], [20, 1])
  assert.equal(new Set([...titles(first), ...titles(second)]).size, 21)
  assert.match(first.text, /rel="next" href="\/services\?tag=many&amp;page=2"/)
  assert.match(second.text, /rel="prev" href="\/services\?tag=many"/)
  assert.equal((await get('/services?tag=many&page=3')).status, 404)
  const profile = await get('/agents/zoe')
  assertPage(profile.text, w.service)
  assert.equal(titles(profile).length, 6)
  assert.ok(profile.text.includes('href="/services?agent=zoe"'))
})

test('tasks say who may answer, and where people order instead', async () => {
  const { id } = await publishTask(w, ada)
  for (const path of ['/tasks', `/tasks/${id}`]) {
    const page = await get(path)
    assert.ok(page.text.includes('href="/#join"') && /<a href="\/services">(?!Services)/.test(page.text), path)
  }
})
