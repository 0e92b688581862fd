// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are what an attacker writes.
// What agents can write, wherever the site shows it: pages, feeds, cards and what is meant for search engines. It is text.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asBrowser, assertPage, visit } from '../../test/pages.ts'
import { type Settled, settled } from '../../test/settled.ts'
import { story } from '../../test/story.ts'
import { type Node, parseXml } from '../../test/xml.ts'

/** Each is at most 40 characters, which is what the shortest field takes. */
const corpus = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script>',
  '"><svg/onload=alert(1)>',
  '" onfocus=alert(1) autofocus x="',
  "' onmouseover=alert(1) x='",
  '` onclick=alert(1) `',
  '</title><script>alert(1)</script>',
  '</textarea><img src=x onerror=alert(1)>',
  '</script><script>alert(1)//',
  '</ScRiPt ><b>',
  '<!--<script>alert(1)//',
  '--><script>alert(1)</script>',
  '<![CDATA[<b>]]>',
  ']]><script>alert(1)</script>',
  '<?xml version="1.0"?><!DOCTYPE x>',
  '<!ENTITY x SYSTEM "file:///etc">',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&#60;img src=x onerror=alert(1)&#62;',
  '&amp;lt;b&amp;gt; &quot; &apos; &nbsp;',
  '&#x0; &bogus; &',
  'javascript:alert(1)',
  'JaVaScRiPt://%0aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'https://a.example/"onmouseover=alert(1)',
  "https://a.example/'><img src=x>",
  'https://a.example/<script>alert(1)',
  'https://u:p@evil.example/',
  'http://evil.example@a.example',
  'https://a.example/\\"x',
  'https://javascript:alert(1)',
  '//evil.example/x',
  'www.evil.example mailto:a@b.example',
  '[x](javascript:alert(1)) ![y](//e.x)',
  '<a href=javascript:alert(1)>x</a>',
  '<iframe srcdoc=x><base href=//e.x>',
  '<form action=//e.x><button>x',
  '<style>@import"//e.x"</style>',
  '<link rel=stylesheet href=//e.x>',
  '<meta http-equiv=refresh content=0>',
  '<math><mi xlink:href=javascript:1>',
  '<x id=main><input name=csrf_token>',
  '{{7*7}} ${7*7} #{7*7} <%= 7*7 %>',
  '{count, plural, other {#}} {name} <b>x',
  "'{'quoted'}' {0} {",
  '%s %n %00 %0d%0aX: y',
  "'; drop table posts; --",
  '"}],"@type":"Person","x":[{"',
  '\\u003cscript\\u003e \\" \\',
  '</description></item><item><title>x',
  '=cmd|calc!A1',
  'ﬁ＜script＞alert(1)＜/script＞',
  'z\u0336a\u0337l\u0338g\u0335o \u200b\u200d\ufeff\u00ad x',
  '\u200fشلام\u200e שלום',
  'e\u0301'.repeat(18),
  'A'.repeat(40),
  '𝕏😀👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿',
]

/** Of these only texts of several lines can hold any. */
const longCorpus = [
  '\u202egnp.exe\u202d \u2066x \u2067y',
  '\u202e'.repeat(50),
  'a\n\n\n\n<script>alert(1)</script>\n\tb',
  '\u2028<b>\u2029x',
  'https://a.example/\u202e/moc.live',
  'x'.repeat(3000),
  '<'.repeat(1000),
  'https://a.example/?'.repeat(100),
  `https://a.example/${'('.repeat(500)}`,
  '&'.repeat(1000),
]

const { w } = story()

const linksIn = (text: string): [string, string][] =>
  [...text.matchAll(/<a ([^>]*)>/g)].flatMap(([, attributes = '']) => {
    const [, href = ''] = /href="([^"]*)"/.exec(attributes) ?? []
    const [, rel = ''] = /rel="([^"]*)"/.exec(attributes) ?? []
    return href.startsWith('/') || href.startsWith('#') || href.startsWith(w.service.publicUrl) ? [] : [[href, rel]]
  })

const stringsOf = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : value && typeof value === 'object'
      ? Object.values(value).flatMap(stringsOf)
      : []

/** Each list, and what of a settlement is on it. */
const lists: Readonly<Record<string, string>> = {
  agents: 'agent',
  works: 'work',
  tasks: 'task',
  services: 'service',
  ideas: 'idea',
  articles: 'article',
  'articles feed': 'article',
  cases: 'case',
}

/** All of its own pages, and the first one. */
async function look({ pages }: Settled, written: string): Promise<void> {
  for (const [name, path] of Object.entries(pages)) if (!(name in lists)) await lookAt(name, path, written)
}

/** The lists, on which all of these are. */
async function lookAtLists(last: readonly Settled[]): Promise<void> {
  for (const [name, entry] of Object.entries(lists)) {
    const text = await lookAt(name, last[0]?.pages[name] as string, '')
    for (const { pages } of last) assert.match(text, new RegExp(`${pages[entry]}["<]`), `${pages[entry]} in ${name}`)
  }
}

async function lookAt(name: string, path: string, written: string): Promise<string> {
  const { status, text, headers } = await visit(w.url, path, { headers: asBrowser })
  const what = `${name}: ${JSON.stringify(written.slice(0, 60))}`
  assert.equal(status, 200, what)
  assert.ok(text.isWellFormed(), what)
  if (headers['content-type']?.startsWith('application/json')) {
    assert.ok(stringsOf(JSON.parse(text)).some((each) => each.includes(written.trim())) || written.length > 40, what)
    return text
  }
  if (/xml/.test(headers['content-type'] ?? '')) {
    const feed = parseXml(text)
    const names = new Set<string>()
    const walk = (node: Node): void => {
      names.add(node.name)
      for (const [key, value] of Object.entries(node.attributes))
        if (/^(href|url|src)$/.test(key)) assert.ok(value.startsWith(w.service.publicUrl), `${what} ${value}`)
      if (node.name === 'link') assert.ok(node.text.startsWith(w.service.publicUrl), `${what} ${node.text}`)
      // Readers of feeds take a description for HTML.
      if (/description|content/.test(node.name))
        assert.doesNotMatch(
          node.text,
          /<(?!\/?(p|br|a href="https?:\/\/)\b)/i,
          `${what}: HTML in a feed: ${node.text.slice(0, 80)}`,
        )
      node.children.forEach(walk)
    }
    walk(feed)
    for (const each of names)
      assert.match(
        each,
        /^(rss|channel|item|title|link|description|language|lastBuildDate|pubDate|guid|atom:link|dc:creator|dc:language|category|ttl|generator|copyright|enclosure|image|url|width|height|docs|managingEditor|webMaster|author|source|content:encoded)$/,
        what,
      )
    return text
  }
  const elsewhere = linksIn(text)
  const unescaped = elsewhere.map(([href]) => href)
  try {
    assertPage(text, { publicUrl: w.service.publicUrl, elsewhere: unescaped })
  } catch (error) {
    throw new Error(`${what} ${(error as Error).message.slice(0, 300)}`)
  }
  for (const [href, rel] of elsewhere) {
    assert.match(href, /^https?:\/\/[^\s"<>]+$/, what)
    const url = new URL(href.replaceAll('&amp;', '&'))
    assert.deepEqual([url.username, url.password], ['', ''], what)
    assert.deepEqual(new Set(rel.split(' ')), new Set(['ugc', 'nofollow', 'noopener']), what)
  }
  for (const [, data = ''] of text.matchAll(/<script type="application\/ld\+json">([\s\S]*?)<\/script>/g)) {
    assert.doesNotMatch(data, /[<>]|<!--/, what)
    const parsed = JSON.parse(data)
    for (const each of stringsOf(parsed)) assert.doesNotMatch(each, /^(javascript|data|vbscript):\w+$/i)
    for (const [key, value] of Object.entries(parsed))
      if (/url|image|@id/.test(key) && typeof value === 'string')
        assert.ok(value.startsWith(w.service.publicUrl), `${what} ${key} ${value}`)
  }
  // Outside of its text nothing changes: as many scripts, forms and inputs as with harmless words, and no more.
  for (const tag of [
    'script',
    'form',
    'input',
    'meta',
    'link',
    'base',
    'iframe',
    'style',
    'img',
    'svg',
    'button',
    'object',
    'embed',
    'math',
  ])
    counted(name, tag, text, what)
  return text
}

const usual = new Map<string, number>()
function counted(page: string, tag: string, text: string, what: string): void {
  const count = [...text.matchAll(new RegExp(`<${tag}[ >/]`, 'gi'))].length
  const key = `${page} ${tag}`
  if (page === 'start' || page in lists) return
  if (!usual.has(key)) usual.set(key, count)
  assert.equal(count, usual.get(key), `${what} has another number of <${tag}>`)
}

/** A settlement for each of these texts, and the lists whenever a few are new on them: what is wrong there. */
async function wrongWith(
  texts: readonly string[],
  name: string,
  word: (text: string) => (field: string) => string,
  profile: (text: string) => object,
): Promise<string[]> {
  const wrong: string[] = []
  const note = (about: string) => (error: Error) => wrong.push(`${about}: ${error.message.slice(0, 500)}`)
  let fresh: Settled[] = []
  for (const [at, each] of texts.entries()) {
    const there = await settled(w, word(each), `${name}_${at + 1}`)
    await there.ada.patch('/bots/me', profile(each))
    await look(there, each).catch(note(JSON.stringify(each.slice(0, 60))))
    fresh.push(there)
    if (fresh.length < 5 && at + 1 < texts.length) continue
    await lookAtLists(fresh).catch(note(`the lists with ${name}_${at + 1}`))
    fresh = []
  }
  return wrong
}

test("agents' text stays text on every page, in every feed and in machine-readable data", async () => {
  await look(await settled(w, (field) => field.slice(0, 40), 'plain'), '')
  const profile = (each: string) => ({
    ...{ bio: each, character_description: each, country: each, city: each },
    preferred_language: 'en',
  })
  assert.deepEqual(await wrongWith(corpus, 'agent', (each) => () => each, profile), [])
})

const ofSeveralLines = new Set(['post_text', 'description', 'idea_body', 'article_body', 'result'])

/** Without a title a work is called by its text. */
const inTexts = (text: string) => (field: string) =>
  ofSeveralLines.has(field) ? text : field === 'post_title' ? '' : field

test('long hostile texts do not turn, break or stretch the page', async () => {
  const profile = (each: string) => ({ bio: each, character_description: each })
  assert.deepEqual(await wrongWith(longCorpus, 'long', inTexts, profile), [])
})

test('direction overrides in a text turn no title and no link', async () => {
  const turning = '\u202ehttps://a.example/\u202e/moc.live \u2067x'
  const there = await settled(w, inTexts(turning), 'turned')
  await there.ada.patch('/bots/me', { bio: turning })
  // An isolate that is closed again is what keeps the rest as it is.
  const turned: string[] = []
  for (const [name, path] of Object.entries(there.pages)) {
    const { text } = await visit(w.url, path, { headers: asBrowser })
    for (const [whole] of text.matchAll(
      /<title>[^<]*<\/title>|<meta property="og:(title|image:alt)"[^>]*>|<a [^>]*>|alt="[^"]*"/g,
    ))
      if (/[\u202a-\u202e\u2066-\u2069]/.test(whole.replace(/\u2068[^\u2066-\u2069\u202a-\u202e]*\u2069/g, '')))
        turned.push(`${name} ${whole}`)
  }
  assert.deepEqual(turned, [])
})

test('search input stays text too, in every search', async () => {
  const wrong: string[] = []
  for (const path of ['/agents', '/posts', '/services', '/tasks', '/ideas']) {
    for (const q of [
      ...corpus,
      '\0',
      '\u202e',
      '\ud800',
      '%',
      '_',
      '\\',
      'x'.repeat(160),
      'x'.repeat(161),
      'x'.repeat(201),
      '\u2028',
      'a\nb',
    ]) {
      const { status, text } = await visit(w.url, `${path}?${new URLSearchParams({ q })}`, { headers: asBrowser })
      try {
        assert.ok(status === 200 || status === 400 || status === 404, String(status))
        assertPage(text, { publicUrl: w.service.publicUrl })
        for (const tag of ['script(?! type="application/ld)', 'iframe', 'base', 'style', 'object'])
          assert.doesNotMatch(text.replace(/<svg class="mark"[\s\S]*?<\/svg>/g, ''), new RegExp(`<${tag}[ >/]`, 'i'))
        assert.doesNotMatch(/<title>([^<]*)/.exec(text)?.[1] ?? '', /[\u202a-\u202e\u2066-\u2069]/)
      } catch (error) {
        wrong.push(`${path} ${JSON.stringify(q.slice(0, 50))} ${String((error as Error).message).slice(0, 300)}`)
      }
    }
    for (const raw of [
      'q=%',
      'q=%ff',
      'q=%ed%a0%80',
      'q',
      'q=&q=',
      'q[]=x',
      'q=a&q=b',
      'page=1&page=1',
      'page=',
      'page=0',
      'page=-1',
      'page=1e9',
      'page=99999999999999999999',
      'page=1%20',
      'page=%EF%BC%91',
    ]) {
      const { status, text } = await visit(w.url, `${path}?${raw}`, { headers: asBrowser })
      const isPage = /^page/.test(raw) || raw.includes('&q=')
      if (![200, 400, 404].includes(status) || (isPage && status !== 404)) wrong.push(`${path}?${raw} ${status}`)
      assertPage(text, { publicUrl: w.service.publicUrl })
    }
  }
  assert.deepEqual(wrong, [])
})
