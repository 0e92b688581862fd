// Whose words a reader gets: those of the cookie, then of the browser, then English; and where the switch in the footer leads.
// docs/contract/site.md#languages.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { asBrowser, assertPage, leadsInOtherLanguage, sendForm, visit } from '../../test/pages.ts'
import { story } from '../../test/story.ts'
import { pathOfSite } from './paths.ts'

const { w } = story()

async function languageOf(headers: Record<string, string>): Promise<string | undefined> {
  const { status, text, headers: sent } = await visit(w.url, '/articles', { headers: { ...asBrowser, ...headers } })
  assert.equal(status, 200)
  assert.equal(sent.vary, 'Accept-Encoding, Accept-Language, Cookie')
  return /<html lang="([^"]+)"/.exec(text)?.[1]
}

describe('the browser’s languages are parsed', () => {
  const cases: [string, string][] = [
    ['', 'en'],
    ['ru', 'ru'],
    ['RU', 'ru'],
    ['ru-RU,ru;q=0.9,en-US;q=0.8,en;q=0.7', 'ru'],
    ['en;q=0.3, ru;q=0.7', 'ru'],
    ['ru;q=0.3, en;q=0.7', 'en'],
    ['de, ru;q=0.1', 'ru'],
    ['de, fr', 'en'],
    ['en-GB', 'en'],
    ['ru-Cyrl-UA', 'ru'],
    ['ru;q=0', 'en'],
    ['ru;q=0, *', 'en'],
    ['*', 'en'],
    ['ru;q=two', 'en'],
    ['ru;;;,,,=;q', 'ru'],
    ['ru/../en', 'en'],
    ['<script>', 'en'],
    [`${'x-'.repeat(5000)}ru`, 'en'],
    [`${Array.from({ length: 80 }, (_, at) => `a${String.fromCharCode(97 + (at % 26))}`).join(',')},ru`, 'en'],
  ]
  for (const [header, language] of cases) {
    test(`${header.slice(0, 50) || 'none'}: ${language}`, async () => {
      assert.equal(await languageOf({ 'accept-language': header }), language)
    })
  }
})

test('a chosen language takes precedence; an invalid choice is ignored', async () => {
  const both = (cookie: string, header = 'ru') => languageOf({ cookie, 'accept-language': header })
  assert.equal(await both('kith_language=en'), 'en')
  assert.equal(await both('kith_language=ru', 'en'), 'ru')
  assert.equal(await both('kith_language=de'), 'ru', 'a language that is not there any more')
  for (const value of ['', 'x', '../en', '<b>', 'en/ru', 'e'.repeat(4000), '%00']) {
    assert.equal(await both(`kith_language=${value}`), 'ru', value.slice(0, 20))
  }
  assert.equal(await both('kith_language=en; kith_language=en'), 'ru', 'two of them')
})

test("the footer names the legal documents in the reader's language, and says in which they are", async () => {
  const footer = async (language: string) => {
    const { text } = await visit(w.url, '/articles', { headers: { ...asBrowser, 'accept-language': language } })
    return [...text.matchAll(/<a href="\/documents\/[^"]*"([^>]*)><bdi>([^<]*)</g)].map(([, where, title]) => [
      where,
      title,
    ])
  }
  const inEnglish = ' hreflang="en"'
  assert.deepEqual(await footer('ru'), [
    [inEnglish, 'Условия использования'],
    [inEnglish, 'Конфиденциальность'],
    [inEnglish, 'Правила для агентов'],
  ])
  assert.deepEqual(await footer('en'), [
    ['', 'Terms of use'],
    ['', 'Privacy notice'],
    ['', 'Rules for agents'],
  ])
})

test('an address can name its language, so that search engines find each of them', async () => {
  const address = `${w.service.publicUrl}/articles`
  const alternates = ['en', 'ru'].map((code) => [code, `${address}?lang=${code}`])
  for (const [path, language, canonical] of [
    ['/articles', 'en', address],
    ['/articles?lang=ru', 'ru', `${address}?lang=ru`],
    ['/articles?lang=en', 'en', `${address}?lang=en`],
    ['/articles?lang=de', 'en', address],
    ['/articles?lang=%3Cb%3E', 'en', address],
    ['/articles?lang=ru&lang=en', 'ru', `${address}?lang=ru`],
  ] as const) {
    const { text, status } = await visit(w.url, path, { headers: { ...asBrowser, 'accept-language': 'en' } })
    assert.deepEqual([status, /<html lang="([^"]+)"/.exec(text)?.[1]], [200, language], path)
    assert.ok(text.includes(`<link rel="canonical" href="${canonical}">`), path)
    const given = [...text.matchAll(/<link rel="alternate" hreflang="([^"]+)" href="([^"]+)">/g)]
    assert.deepEqual(
      given.map(([, code, href]) => [code, href]),
      [...alternates, ['x-default', address]],
      path,
    )
  }
  // What is kept for all readers of a language is not what one address is in.
  for (const path of ['/docs/tasks', '/docs/tasks?lang=ru', '/docs/tasks']) {
    const { text } = await visit(w.url, path, { headers: { ...asBrowser, 'accept-language': 'ru' } })
    assert.ok(text.includes(`<link rel="canonical" href="${w.service.publicUrl}${path}">`), path)
  }
  for (const path of ['/nothing', '/agents/nobody', '/agents?page=0', '/owner/confirm/nothing']) {
    const missing = await visit(w.url, `${path}${path.includes('?') ? '&' : '?'}lang=ru`)
    assert.equal(missing.status, 404, path)
    assert.match(missing.text, /<html lang="ru"/, path)
  }
  const found = await visit(w.url, '/posts?q=nothing&lang=ru')
  assert.doesNotMatch(found.text, /rel="alternate" hreflang/, 'what is not indexed')
  assert.match(found.text, /<html lang="ru"/)
})

const own = () => ({ origin: new URL(w.service.publicUrl).origin })
const choose = (fields: Record<string, string>) =>
  sendForm(w.url, '/language', { body: String(new URLSearchParams(fields)), headers: own() })

test('the switch sets its own cookie, and no session', async () => {
  const answer = await choose({ language: 'ru', to: '/articles' })
  assert.equal(answer.status, 303)
  assert.equal(answer.headers.location, '/articles')
  assert.equal(answer.headers['cache-control'], 'no-store')
  assert.deepEqual(answer.headers['set-cookie'], ['kith_language=ru; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax'])
  for (const language of ['', 'de', 'RU', 'ru; Path=/x', 'ru\r\nset-cookie: a=b', '__proto__', 'constructor']) {
    const refused = await choose({ language, to: '/' })
    assert.equal(refused.status, 404, language)
    assert.equal(refused.headers['set-cookie'], undefined)
  }
  assert.equal((await w.sql`select 1 from visitors`).length, 0)
})

test('the switch is on every page and leads back to it, with the query that the page uses', async () => {
  const toOf = async (path: string) => {
    const { text } = await visit(w.url, path)
    assertPage(text, { publicUrl: w.service.publicUrl })
    return leadsInOtherLanguage(text)
  }
  assert.equal(await toOf('/'), '/')
  assert.equal(await toOf('/cases'), '/cases')
  assert.equal(await toOf('/articles?utm_source=x&"><b>'), '/articles', 'what no page reads is not carried on')
})

test('the switch leads only to a path of this site', async () => {
  const leads = async (to: string) => (await choose({ language: 'en', to })).headers.location
  for (const to of ['/articles', '/articles?page=2&q=a%20b#x', '/@evil.example', '/%2f/evil.example', '/a//b']) {
    const location = String(await leads(to))
    assert.equal(location, to)
    assert.equal(new URL(location, w.service.publicUrl).origin, new URL(w.service.publicUrl).origin)
  }
  const tab = String.fromCharCode(9)
  for (const to of [
    '',
    'articles',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    `/${tab}/evil.example`,
    `${tab}//evil.example`,
    '/\n/evil.example',
    '/\r\nlocation: https://evil.example',
    ' //evil.example',
    '/ /evil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/%2e%2e//evil.example',
    '/x/..//evil.example',
    'https://evil.example/',
    'https:evil.example',
    'javascript:alert(1)',
    '@evil.example',
    '/\u2028',
    '/\u00a0/evil',
    '/ä',
    `/${'x'.repeat(2000)}`,
  ]) {
    assert.equal(await leads(to), '/', JSON.stringify(to).slice(0, 60))
  }
  assert.equal(await leads(`/${'x'.repeat(1999)}`), `/${'x'.repeat(1999)}`)
})

test('any input results in a path of this site', () => {
  const publicUrl = 'https://kith.example'
  const pieces = [
    '/',
    '\\',
    '.',
    '..',
    '%2f',
    '%5c',
    '@',
    ':',
    'evil.example',
    '?',
    '#',
    '\t',
    '\n',
    ' ',
    'https:',
    '%00',
    '\u0000',
  ]
  let seed = 3
  for (let round = 0; round < 20_000; round++) {
    let text = round % 3 === 0 ? '' : '/'
    for (let at = 0; at < 6; at++) {
      seed = (seed * 48271) % 2147483647
      text += pieces[seed % pieces.length]
    }
    const path = pathOfSite(text, publicUrl)
    if (path === undefined) continue
    assert.equal(new URL(path, publicUrl).origin, publicUrl, JSON.stringify(text))
    assert.match(path, /^\/(?![/\\])[\x21-\x7e]*$/)
  }
})

test('dates follow the reader’s region, and pages cached for a language follow none', async () => {
  const ada = await w.agent('ada_of_days')
  const open = async (path: string, language: string) =>
    visit(w.url, path, { headers: { ...asBrowser, 'accept-language': language } })
  const since = async (language: string): Promise<string> => {
    const { text, headers } = await open(`/agents/${ada.handle}`, language)
    assert.match(String(headers.vary), /Accept-Language/)
    assert.match(text, /<html lang="en"/)
    return /<dt>Joined<\/dt><dd><time[^>]*>([^<]*)</.exec(text)?.[1] ?? ''
  }
  assert.match(await since('en-US'), /^[A-Z][a-z]+ \d+, \d{4}$/)
  assert.match(await since('en-GB, en-US;q=0.5'), /^\d+ [A-Z][a-z]+ \d{4}$/)
  const [british, american, indian] = await Promise.all(
    ['en-GB', 'en-US', 'en-IN'].map(async (language) => (await open('/docs/tasks', language)).headers.etag),
  )
  assert.deepEqual([british, indian], [american, american])
})
