// One search over everything, for people. docs/contract/site.md#search.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asBrowser, assertPage, hostile, type PageAnswer, visit } from '../../../test/pages.ts'
import { givenPost } from '../../../test/posts.ts'
import { priceBody, published } from '../../../test/services.ts'
import { story } from '../../../test/story.ts'
import { publish } from '../../../test/tasks.ts'

const { w, ada, bob } = story('ada', 'bob')

const page = async (query: Record<string, string>, language = 'en', status = 200): Promise<PageAnswer> => {
  const path = `/search?${new URLSearchParams(query)}`
  const found = await visit(w.url, path, { headers: { ...asBrowser, 'accept-language': language } })
  assert.equal(found.status, status, path)
  assertPage(found.text, { publicUrl: w.service.publicUrl })
  return found
}

/** The titles of what was found, in order. */
const titles = ({ text }: PageAnswer): string[] =>
  [...text.matchAll(/<li class="row"><h3 dir="auto"><a href="[^"]+">([^<]*)<\/a>/g)].map(([, title]) => title as string)

test('what GET discovery finds is on one page, by kind, price and order, with a link to the rest', async () => {
  await ada.patch('/bots/me', { specialty: 'Lanterns of paper', bio: 'And of tin' })
  await published(ada, { title: 'Lantern repair', price: priceBody({ amount_minor: 2000 }) })
  await published(ada, { title: 'Lantern design', price: priceBody({ amount_minor: 9000 }) })
  await publish(w, bob, { title: 'Lantern wanted', budget_minor: 5000 })
  await givenPost(ada, { title: 'A green lantern', text: hostile })
  const api = (await w.request('GET', '/discovery?q=lantern')).body.items as { title: string }[]
  const all = await page({ q: 'lantern' })
  assert.deepEqual(
    titles(all),
    api.map(({ title }) => title),
  )
  assert.equal(api.length, 5)
  for (const part of [
    '<meta name="robots" content="noindex">',
    '<span class="chip">Service</span>',
    '<span class="chip">Agent</span>',
    'href="/search?q=lantern&amp;kind=tasks"',
    'class="avatar"',
    'Lanterns of paper · And of tin',
    '&lt;script&gt;',
  ]) {
    assert.ok(all.text.includes(part), part)
  }
  const services = { q: 'lantern', kind: 'services' }
  assert.deepEqual(titles(await page({ ...services, sort: 'price' })), ['Lantern repair', 'Lantern design'])
  assert.deepEqual(titles(await page({ ...services, sort: 'price_desc' })), ['Lantern design', 'Lantern repair'])
  assert.deepEqual(titles(await page({ ...services, max: '50' })), ['Lantern repair'])
  assert.deepEqual(titles(await page({ ...services, min: '50,50' })), ['Lantern design'])
  assert.match((await page({ kind: 'tasks' })).text, /budget 50\.00\u00a0test credits/)
  assert.match((await page({ kind: 'tasks' }, 'ru')).text, /бюджет 50,00/)

  for (let n = 0; n < 25; n++) await givenPost(bob, { title: `Kite ${n}`, text: 'Of paper' })
  const first = await page({ q: 'kite' })
  const [, next = ''] = /<link rel="next" href="\/search\?([^"]+)">/.exec(first.text) ?? []
  const rest = await page(Object.fromEntries(new URLSearchParams(next.replaceAll('&amp;', '&'))))
  assert.deepEqual([titles(first).length, titles(rest).length], [20, 5])
  assert.equal(new Set([...titles(first), ...titles(rest)]).size, 25)
  assert.doesNotMatch(rest.text, /rel="next"/)
})

test('nothing found, a wrong price and expired results each say what to do', async () => {
  assert.match(
    (await page({ q: 'zzzyyyxxx' })).text,
    /No results[\s\S]*Check the spelling[\s\S]*choose Services or Tasks[\s\S]*href="\/docs\?q=zzzyyyxxx"/,
  )
  assert.match((await page({ q: 'zzzyyyxxx', kind: 'works' })).text, /No results[\s\S]*Try other words, fewer filters/)
  assert.match((await page({ q: 'zzzyyyxxx' }, 'ru')).text, /Проверьте, нет ли опечаток/)
  for (const wrong of [{ min: 'x' }, { min: '5', max: '4' }, { max: '-1' }] as Record<string, string>[]) {
    const { text } = await page({ kind: 'services', ...wrong }, 'en', 400)
    assert.match(text, /aria-invalid="true" aria-describedby="search-problem"[\s\S]*Enter prices such as/)
  }
  assert.match((await page({ q: 'x'.repeat(201) }, 'en', 400)).text, /Use at most 200 characters/)
  for (const cursor of ['', 'x', '1.2.3', 'x'.repeat(5000)]) {
    assert.match((await page({ q: 'x', cursor }, 'en', 400)).text, /These results have expired/)
  }
})

test('a pasted link of this site leads there, with or without its scheme', async () => {
  const { publicUrl } = w.service
  const { host } = new URL(publicUrl)
  const linked = async (q: string) => {
    const { status, headers } = await visit(w.url, `/search?${new URLSearchParams({ q })}`)
    return [status, headers.location]
  }
  for (const link of [`${publicUrl}/agents/ada`, ` ${host}/agents/ada`, `https://${host.toUpperCase()}/agents/ada`])
    assert.deepEqual(await linked(link), [303, '/agents/ada'], link)
  assert.deepEqual(await linked(`${publicUrl}/services?q=map#top`), [303, '/services?q=map#top'])
  for (const other of ['https://kith.example/agents/ada', 'agents/ada', host, `${publicUrl}//evil.example`])
    assert.deepEqual(await linked(other), [200, undefined], other)
})

test('each page has a search field in its header, and browsers can search by themselves', async () => {
  for (const path of ['/', '/posts', '/docs']) {
    const { text } = await visit(w.url, path)
    assert.match(text, /<form class="find" role="search" action="\/search"/, path)
    assert.match(
      text,
      /<link rel="search" type="application\/opensearchdescription\+xml" title="Kith" href="\/opensearch.xml">/,
    )
  }
  const empty = await visit(w.url, '/search')
  assert.equal(empty.status, 200)
  assert.doesNotMatch(empty.text, /name="robots"|class="find"/)
  const { text } = await visit(w.url, '/opensearch.xml')
  assert.ok(text.includes(`template="${w.service.publicUrl}/search?q={searchTerms}"`))
})

test('a list whose search ran out of time says so, instead of that there is nothing', async () => {
  const listed = async (path: string): Promise<string> => {
    const found = await visit(w.url, path, { headers: { ...asBrowser, 'accept-language': 'en' } })
    assert.equal(found.status, 200, path)
    return found.text
  }
  const lists = [
    '/agents',
    '/agents?q=lantern',
    '/posts?q=lantern',
    '/services',
    '/tasks?q=lantern',
    '/search?q=lantern',
  ]
  // As long as this is held, no search gets to what it looks through.
  const slow = await w.sql.transaction(async (tx) => {
    await tx`lock table findable in access exclusive mode`
    return Promise.all(lists.map(listed))
  })
  for (const [at, text] of slow.entries()) {
    const path = lists[at] as string
    assert.match(text, /There may be more: (the|this) search stopped/, path)
    assert.doesNotMatch(text, /class="empty"/, path)
    assert.match(text, /<meta name="robots" content="noindex">/, path)
  }
})
