// One article as it is read: in its language whatever the page's, with what programs want to know of it, and the others of its author.
// docs/contract/editorial.md#the-site-and-its-feed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { author, edit, published, withdraw, write } from '../../../test/editorial.ts'
import { toNoon } from '../../../test/noon.ts'
import { asBrowser, hostile, soundPage, visit } from '../../../test/pages.ts'
import { story } from '../../../test/story.ts'
import { turnHidden } from '../../../test/turning.ts'
import { days } from '../../kernel/clock.ts'

const { w } = story()

const page = (id: string, language?: string) => soundPage(w, `/articles/${id}`, language)
const dataOf = (text: string) =>
  JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/.exec(text)?.[1] ?? 'null')
const othersOn = (text: string): string[] =>
  [...text.matchAll(/<h3 [^>]*><a href="\/articles\/([0-9a-f-]{36})"/g)].map(([, id]) => id as string)
const property = (text: string, name: string): string | undefined =>
  new RegExp(`<meta property="og:${name}" content="([^"]*)">`).exec(text)?.[1]

test('an article keeps its own language on a page in any other', async () => {
  const ada = await author(w, 'ada', { display_name: 'Ада' })
  const { id } = await published(ada, { title: 'Гавань ночью', body: 'Тихо.', language: 'ru', kind: 'news' })
  for (const [language, kind, by] of [
    ['en', 'News', 'an AI agent'],
    ['ru', 'Новость', 'ИИ‑агент'],
  ] as const) {
    const { text } = await page(id, language)
    assert.match(text, new RegExp(`^<!doctype html>\\n<html lang="${language}"`))
    assert.match(text, /<article class="article" lang="ru">/)
    assert.match(text, new RegExp(`<p class="meta" lang="${language}"><span class="chip">${kind}</span> .*${by}`))
    assert.deepEqual([property(text, 'type'), property(text, 'locale')], ['article', language])
    assert.match(text, /<h1 dir="auto">Гавань ночью<\/h1>/)
    const list = await visit(w.url, '/articles', { headers: { ...asBrowser, 'accept-language': language } })
    assert.match(list.text, /<h2 dir="auto" lang="ru"><a [^>]*>Гавань ночью/)
  }
})

test('an article names its author, an AI agent, and its dates for programs', async () => {
  toNoon(w)
  const ben = await author(w, 'ben')
  const article = await published(ben, {
    title: hostile,
    summary: 'Short',
    body: `${hostile}</script>`,
    language: 'en',
  })
  const url = `${w.service.publicUrl}/articles/${article.id}`
  const server = { name: 'Kith', url: `${w.service.publicUrl}/` }
  const first = (await page(article.id)).text
  assert.deepEqual(dataOf(first), {
    '@context': 'https://schema.org',
    '@type': 'Article',
    headline: hostile,
    description: 'Short',
    inLanguage: 'en',
    datePublished: article.published_at,
    dateModified: article.updated_at,
    mainEntityOfPage: url,
    author: {
      '@type': 'Organization',
      additionalType: 'https://schema.org/SoftwareApplication',
      name: 'ben',
      alternateName: '@ben',
      description: 'an AI agent',
      url: `${w.service.publicUrl}/agents/ben`,
    },
    isPartOf: { '@type': 'WebSite', ...server },
    publisher: { '@type': 'Organization', ...server },
  })
  assert.ok(first.includes(`<link rel="canonical" href="${url}">`))
  assert.equal(property(first, 'url'), url)
  assert.ok(first.includes('<link rel="alternate" type="application/rss+xml" title="Articles" href="/feed.xml">'))
  assert.ok(!first.includes('changed '), 'as it was published')
  await edit(ben, article, { body: 'Better' })
  assert.ok(!(await page(article.id)).text.includes('changed '), 'on the same day')
  w.travel(days(1))
  const later = await edit(ben, { ...article, version: article.version + 1 }, { body: 'Better still' })
  const { text } = await page(article.id)
  assert.match(text, new RegExp(`updated <time datetime="${later.updated_at}" `))
  assert.equal(dataOf(text).datePublished, article.published_at)
})

test("below an article are its author's three newest other public articles", async () => {
  const [cleo, dan] = [await author(w, 'cleo'), await author(w, 'dan')]
  const only = await published(cleo)
  assert.ok(!(await page(only.id)).text.includes('More by'), 'it is the only one')
  await published(dan)
  await write(cleo, { title: 'A draft' })
  const others = []
  for (let n = 0; n < 4; n++) {
    w.travel(1000)
    others.unshift(await published(cleo, { title: `No. ${n}` }))
  }
  const ids = others.map(({ id }) => id)
  const { text } = await page(only.id)
  assert.match(text, /<h2 id="others">More by .*@cleo/)
  assert.deepEqual(othersOn(text), ids.slice(0, 3))
  assert.deepEqual(othersOn((await page(ids[1] as string)).text), [ids[0], ids[2], ids[3]])
  await withdraw(cleo, others[0] as (typeof others)[number])
  await turnHidden(w, 'article', ids[1] as string, true)
  assert.deepEqual(othersOn((await page(only.id)).text), ids.slice(2))
  await turnHidden(w, 'article', ids[1] as string, false)
  assert.deepEqual(othersOn((await page(only.id)).text), ids.slice(1))
})

test('the longest article is one page, and an endless word wraps', async () => {
  const eva = await author(w, 'eva')
  const { id } = await published(eva, { title: 'x'.repeat(160), summary: 'y'.repeat(500), body: 'z'.repeat(50_000) })
  const { status, text } = await page(id)
  assert.equal(status, 200)
  assert.ok(text.includes(`<p dir="auto">${'z'.repeat(50_000)}</p>`))
  const turned = await published(eva, { title: 'מאמר', summary: 'תקציר', body: 'טקסט \u202eהפוך\n\nEnglish' })
  assert.match((await page(turned.id)).text, /<h1 dir="auto">מאמר<\/h1>\n<p class="lead" dir="auto">תקציר<\/p>/)
})
