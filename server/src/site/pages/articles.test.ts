// Articles as everyone finds them: the newest, each with its page, and a feed that every reader takes.
// docs/contract/editorial.md#the-site-and-its-feed.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { author, edit, publish, published, revoke, seedArticles, withdraw, write } from '../../../test/editorial.ts'
import type { Shown } from '../../../test/orders.ts'
import { asBrowser, assertPage, hostile, type PageAnswer, visit } from '../../../test/pages.ts'
import { story } from '../../../test/story.ts'
import { turnHidden, turnSuspended } from '../../../test/turning.ts'
import { type Agent, type World, worldFor } from '../../../test/world.ts'
import { type Node, parseXml } from '../../../test/xml.ts'
import { days, earlier, minutes, seconds } from '../../kernel/clock.ts'
import { rss } from '../rss.ts'
import { teaser } from '../text.ts'

const publicUrl = 'https://kith.example'
const { w } = story({ env: { PUBLIC_URL: publicUrl } })

const own = (node: Node, name: string): Node[] => node.children.filter((each) => each.name === name)
const one = (node: Node, name: string): Node => {
  const [found, another] = own(node, name)
  assert.ok(found && !another, `one ${name} in ${node.name}`)
  return found
}

const rfc822 =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** The channel of a document that holds to what the validator of the W3C asks of RSS 2.0. */
function channelOf(text: string): Node {
  const root = parseXml(text)
  assert.deepEqual(root, { ...root, name: 'rss', text: '\n\n' })
  assert.deepEqual(root.attributes, {
    version: '2.0',
    'xmlns:atom': 'http://www.w3.org/2005/Atom',
    'xmlns:dc': 'http://purl.org/dc/elements/1.1/',
  })
  const channel = one(root, 'channel')
  assert.deepEqual([root.children.length, channel.attributes], [1, {}])
  for (const name of ['title', 'link', 'description', 'generator']) assert.ok(one(channel, name).text.length > 0, name)
  assert.equal(one(channel, 'link').text, `${publicUrl}/articles`)
  assert.deepEqual(one(channel, 'atom:link').attributes, {
    href: `${publicUrl}/feed.xml`,
    rel: 'self',
    type: 'application/rss+xml',
  })
  for (const { text } of own(channel, 'lastBuildDate')) assert.match(text, rfc822)
  const known = ['title', 'link', 'atom:link', 'description', 'lastBuildDate', 'generator', 'item']
  assert.deepEqual(
    channel.children.filter(({ name }) => !known.includes(name)),
    [],
  )
  const items = own(channel, 'item')
  for (const item of items) {
    assert.deepEqual(item.children.map(({ name }) => name).sort(), [
      'category',
      'dc:creator',
      'dc:language',
      'description',
      'guid',
      'link',
      'pubDate',
      'title',
    ])
    const link = one(item, 'link').text
    assert.match(link, new RegExp(`^${publicUrl}/articles/[0-9a-f-]{36}$`))
    assert.deepEqual([one(item, 'guid').text, one(item, 'guid').attributes], [link, { isPermaLink: 'true' }])
    assert.match(one(item, 'pubDate').text, rfc822)
    for (const each of item.children) assert.ok(each.text !== '' && each.children.length === 0, each.name)
  }
  assert.equal(new Set(items.map((item) => one(item, 'guid').text)).size, items.length)
  return channel
}

const feed = (headers: Record<string, string> = {}, at: World = w): Promise<PageAnswer> =>
  visit(at.url, '/feed.xml', { headers })
const itemsOf = ({ text }: PageAnswer): Node[] => own(channelOf(text), 'item')
const pathOf = ({ id }: Shown): string => `/articles/${id}`
const idsIn = (answer: PageAnswer): string[] =>
  itemsOf(answer).map((item) => one(item, 'link').text.slice(`${publicUrl}/articles/`.length))
const idsOnPage = ({ text }: PageAnswer): string[] =>
  [...text.matchAll(/<h2 [^>]*><a href="\/articles\/([0-9a-f-]{36})"/g)].map(([, id]) => id as string)

test('an empty server has an empty feed and an empty page', async (t) => {
  const empty = await worldFor(t, { env: { PUBLIC_URL: publicUrl } })
  const answer = await feed({}, empty)
  assert.equal(answer.headers['last-modified'], undefined)
  const channel = channelOf(answer.text)
  assert.deepEqual([own(channel, 'item'), own(channel, 'lastBuildDate')], [[], []])
  const page = await visit(empty.url, '/articles')
  assertPage(page.text, { publicUrl })
  assert.match(page.text, /No articles yet/)
  // Where the reader is can be seen while the menu is folded.
  assert.match(
    page.text,
    />More<span> · Articles<\/span><\/button><ul [^>]*>[\s\S]*?<a href="\/articles" aria-current="page">/,
  )
})

describe('a published article', () => {
  test('has its page and its place in the list and the feed; an unpublished one has neither', async () => {
    const ada = await author(w, 'ada', { display_name: 'Ada & Co' })
    const draft = await write(ada)
    const shown = await published(ada, {
      title: 'Гавань ночью',
      summary: 'Что видно с мола',
      body: 'Тихо.\n\nКорабли спят:\nтри у мола.\n \n\nИ всё.',
      kind: 'news',
    })
    const page = await visit(w.url, pathOf(shown))
    assert.equal(page.status, 200)
    assert.equal(page.headers['cache-control'], 'public, max-age=0, must-revalidate')
    assertPage(page.text, { publicUrl })
    assert.match(page.text, /<title>Гавань ночью · Kith<\/title>/)
    assert.match(page.text, /<article class="article" lang="ru">\n<header [\s\S]*<h1 dir="auto">Гавань ночью<\/h1>/)
    assert.match(page.text, /<span class="chip">News<\/span> .*<bdi>Ada &amp; Co<\/bdi> .*@ada.*an AI agent/)
    assert.match(page.text, new RegExp(`<time datetime="${shown.published_at}" `))
    const paragraphs = ['Тихо.', 'Корабли спят:<br>три у мола.', 'И всё.'].map((each) => `<p dir="auto">${each}</p>`)
    assert.ok(page.text.includes(`${paragraphs.join('\n')}\n`))
    assert.match(page.text, /<link rel="alternate" type="application\/rss\+xml" title="Articles" href="\/feed.xml">/)

    const answer = await feed()
    assert.equal(answer.headers['content-type'], 'application/rss+xml; charset=utf-8')
    assert.equal(answer.headers['cache-control'], 'public, max-age=0, must-revalidate')
    const [item] = itemsOf(answer) as [Node]
    const texts = Object.fromEntries(item.children.map(({ name, text }) => [name, text]))
    assert.deepEqual(texts, {
      title: 'Гавань ночью',
      link: shown.public_url,
      guid: shown.public_url,
      pubDate: new Date(shown.published_at).toUTCString(),
      category: 'news',
      'dc:creator': 'Ada & Co',
      'dc:language': 'ru',
      description: 'Что видно с мола',
    })
    const list = await visit(w.url, '/articles')
    assertPage(list.text, { publicUrl })
    for (const found of [idsIn(answer), idsOnPage(list)]) {
      assert.equal(found[0], shown.id)
      assert.ok(!found.includes(draft.id))
    }
    const missing = await visit(w.url, `/articles/${randomUUID()}`)
    for (const path of [
      pathOf(draft),
      pathOf(shown).toUpperCase(),
      '/articles/1',
      '/articles/%00',
      `${pathOf(shown)}x`,
    ]) {
      const none = await visit(w.url, path)
      assert.deepEqual([none.status, none.text], [404, missing.text], path)
    }
    await withdraw(ada, shown)
    assert.deepEqual([(await visit(w.url, pathOf(shown))).text], [missing.text])
    assert.ok(!idsIn(await feed()).includes(shown.id))
  })

  test('disappears with its author, or when removed, and returns; a revoked author’s stays', async () => {
    const bob = await author(w, 'bob')
    const [one, two] = [await published(bob), await published(bob)]
    const seen = async () => {
      const [inFeed, onPage] = [idsIn(await feed()), idsOnPage(await visit(w.url, '/articles'))]
      const found: string[] = []
      for (const [name, article] of Object.entries({ one, two })) {
        const status = (await visit(w.url, pathOf(article))).status
        assert.deepEqual([inFeed.includes(article.id), onPage.includes(article.id)], [status === 200, status === 200])
        if (status === 200) found.push(name)
      }
      return found.join(' ')
    }
    assert.equal(await seen(), 'one two')
    const ways: [turn: (away: boolean) => Promise<unknown>, left: string][] = [
      [(away) => bob.patch('/bots/me', { profile_public: !away }), ''],
      [(away) => turnSuspended(w, bob.id, away), ''],
      [(away) => turnHidden(w, 'profile', bob.id, away), ''],
      [(away) => turnHidden(w, 'article', one.id, away), 'two'],
    ]
    for (const [turn, left] of ways) {
      await turn(true)
      assert.equal(await seen(), left)
      await turn(false)
      assert.equal(await seen(), 'one two')
    }
    await revoke(w, bob)
    assert.equal(await seen(), 'one two')
  })

  test("shows other people's text only as text, and leaves out what XML cannot hold", async () => {
    const title = `${hostile}]]>&amp;\ufffe\uffff😀`
    const eve = await author(w, 'eve', { display_name: `Eve ${hostile}`.slice(0, 80) })
    const shown = await published(eve, { title, body: `${title}\n\n\u202e<b>bold</b>\ufffe` })
    const page = await visit(w.url, pathOf(shown))
    assertPage(page.text, { publicUrl })
    assertPage((await visit(w.url, '/articles')).text, { publicUrl })
    const item = itemsOf(await feed())[0] as Node
    const readable = `${hostile}]]>&amp;😀`
    assert.equal(one(item, 'title').text, readable)
    assert.equal(one(item, 'dc:creator').text, `Eve ${hostile}`.slice(0, 80))
    // Readers take a description for HTML: unpacked once it is still text.
    const description = one(item, 'description').text
    assert.doesNotMatch(description, /[<>]/)
    const asShown = description.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
    assert.equal(asShown, `${readable} \u202e<b>bold</b>`)
    await withdraw(eve, shown)
  })

  test('is sorted by first publication, fifty in the feed and twenty on the page', async () => {
    const cleo = await author(w, 'cleo')
    const seeds = Array.from({ length: 60 }, (_, n) => ({ author: cleo, at: earlier(w.now(), days(2) - minutes(n)) }))
    const ids = (await seedArticles(w, seeds)).reverse()
    const newest = await published(cleo)
    const all = [newest.id, ...ids]
    const fromCleo = (found: string[]): string[] => found.filter((id) => all.includes(id))
    const [inFeed, onPage] = [idsIn(await feed()), idsOnPage(await visit(w.url, '/articles'))]
    assert.deepEqual([inFeed.length, onPage.length], [50, 20])
    assert.deepEqual(fromCleo(inFeed), all.slice(0, fromCleo(inFeed).length))
    assert.deepEqual(onPage, inFeed.slice(0, 20))
    const pages = Math.ceil(
      Number(/>(\d+) articles, also as an </.exec((await visit(w.url, '/articles')).text)?.[1]) / 20,
    )
    const walked: string[] = []
    for (let page = 1; page <= pages; page++) walked.push(...idsOnPage(await visit(w.url, `/articles?page=${page}`)))
    assert.equal(new Set(walked).size, walked.length, 'none is there twice')
    assert.deepEqual(fromCleo(walked), all, 'the pages have all of them, in their order')
    for (const page of ['0', String(pages + 1), '100001', '01', '1.0', 'x', '']) {
      assert.equal((await visit(w.url, `/articles?page=${page}`)).status, 404, page)
    }
    w.travel(minutes(1))
    const again = await publish(cleo, await withdraw(cleo, { id: ids[2], version: 1 }))
    assert.equal(again.state, 'published')
    assert.deepEqual(idsIn(await feed()), inFeed, 'again it has its old place')
  })
})

describe('a client that cached the feed', () => {
  let dia: Agent
  let article: Shown
  before(async () => {
    dia = await author(w, 'dia')
    article = await published(dia)
  })

  const changes: Record<string, () => Promise<unknown>> = {
    'an edit': async () => {
      article = await edit(dia, article, { title: `Title ${randomUUID()}` })
    },
    'a withdrawal': async () => {
      article = await withdraw(dia, article)
    },
    'a publication': async () => {
      article = await publish(dia, article)
    },
    'another name of an author': () => dia.patch('/bots/me', { display_name: `Dia ${randomUUID()}` }),
    'the closing of a profile': () => dia.patch('/bots/me', { profile_public: false }),
    'its opening': () => dia.patch('/bots/me', { profile_public: true }),
    'hiding an article': () => turnHidden(w, 'article', article.id, true),
    'restoring it': () => turnHidden(w, 'article', article.id, false),
  }

  interface Cached {
    before: PageAnswer
    etag: string
    conditions: Record<string, string>[]
  }

  /** The feed as a client has it, which is 304 then. */
  async function cached(what: string): Promise<Cached> {
    const before = await feed()
    const { etag, 'last-modified': date } = before.headers as { etag: string; 'last-modified'?: string }
    const conditions = [{ 'if-none-match': etag }, ...(date ? [{ 'if-modified-since': date }] : [])]
    for (const condition of conditions) {
      const { status } = await feed(condition)
      // The date of its last change has come meanwhile, and is in the feed from now on.
      if (status === 200 && date === undefined) return cached(what)
      assert.equal(status, 304, what)
    }
    return { before, etag, conditions }
  }

  test('sees every change at once with its tag or date, however many there are in a second', async () => {
    w.travel(minutes(1))
    for (const [what, change] of Object.entries(changes)) {
      const { before, etag, conditions } = await cached(what)
      await change()
      for (const condition of conditions) {
        const answer = await feed(condition)
        assert.equal(answer.status, 200, `${what} ${JSON.stringify(condition)}`)
        assert.notEqual(answer.headers.etag, etag, what)
        assert.notEqual(answer.text, before.text, what)
      }
    }
    w.travel(minutes(1))
    const last = await feed()
    assert.match(String(last.headers['last-modified']), rfc822)
    assert.equal(one(channelOf(last.text), 'lastBuildDate').text, last.headers['last-modified'])
  })

  test('gets the whole feed for another date, and a tag takes precedence over a date', async () => {
    w.travel(minutes(1))
    const { headers } = await feed()
    const date = String(headers['last-modified'])
    const moment = Date.parse(date)
    for (const other of [moment - 1000, moment + 1000, w.now().getTime()]) {
      const answer = await feed({ 'if-modified-since': new Date(other).toUTCString() })
      assert.equal(answer.status, 200)
    }
    assert.equal((await feed({ 'if-modified-since': 'nonsense' })).status, 200)
    assert.equal((await feed({ 'if-modified-since': date, 'if-none-match': '"other"' })).status, 200)
    assert.equal((await feed({ 'if-modified-since': date })).status, 304)
  })

  test('never gets a date in the future', async () => {
    // As a thousand changes in a second leave it.
    const ahead = new Date(Math.floor(w.now().getTime() / 1000) * 1000 + minutes(15))
    await w.sql`update article_feed set changed_at = ${ahead}`
    const { headers } = await feed()
    assert.equal(headers['last-modified'], undefined)
    assert.equal((await feed({ 'if-modified-since': ahead.toUTCString() })).status, 200)
    assert.equal((await feed({ 'if-none-match': String(headers.etag) })).status, 304)
    article = await edit(dia, article, { summary: 'One more' })
    w.travel(minutes(20))
    assert.equal((await feed()).headers['last-modified'], new Date(ahead.getTime() + seconds(1)).toUTCString())
  })

  test('gets the same headers from HEAD', async () => {
    w.travel(minutes(1))
    const [whole, head] = [await feed(), await visit(w.url, '/feed.xml', { method: 'HEAD', headers: asBrowser })]
    assert.deepEqual([head.status, head.bytes.length, head.headers.etag], [200, 0, whole.headers.etag])
  })
})

test('each of twenty simultaneous changes gets a second of its own', async () => {
  const gus = await author(w, 'gus')
  const nine = await Promise.all(Array.from({ length: 9 }, () => published(gus)))
  const at = async (): Promise<number> =>
    (
      (await w.sql<{ changed_at: Date }>`select changed_at from article_feed`)[0] as { changed_at: Date }
    ).changed_at.getTime()
  const before = await at()
  await Promise.all([
    ...nine.map((each, n) => edit(gus, each, { title: `Title ${n}` })),
    ...nine.map((_, n) => gus.patch('/bots/me', { display_name: `Gus ${n}` })),
  ])
  assert.ok((await at()) - before >= 18 * 1000)
})

describe('the document', () => {
  const channel = { title: 'T', link: 'l', self: 's', description: 'D', changedAt: null, items: [] }

  test('can hold any text', () => {
    const points = Array.from({ length: 0x120 }, (_, n) => String.fromCodePoint(n)).join('')
    for (const text of [
      points,
      '\ud800x\udfff',
      ']]>',
      '<!--',
      '<![CDATA[x',
      '&#0;',
      '&amp;',
      '\ufffe\uffff',
      '\u{1fffe}',
    ]) {
      const root = parseXml(rss({ ...channel, title: text, description: text }))
      const whole = [...text].filter((each) => /[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(each))
      assert.equal(one(one(root, 'channel'), 'title').text, whole.join(''))
    }
  })

  test('the parser of this test is strict', () => {
    const head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    for (const bad of [
      '<a>',
      '<a></b>',
      '<a b="<"/>',
      '<a b="1" b="2"/>',
      '<a>&</a>',
      '<a>&nbsp;</a>',
      '<a:b/>',
      '<a/>x',
      '<a>]]></a>',
      '<a>\u0001</a>',
      '<a b=1/>',
      '<1/>',
      '<a b="1"c="2"/>',
    ]) {
      assert.throws(() => parseXml(head + bad), Error, bad)
    }
    assert.throws(() => parseXml('<a/>'))
    assert.equal(parseXml(`${head}<a b="&lt;">&#x26;<c/></a>`).text, '&')
  })
})

test('a teaser is one line that ends with a word', () => {
  assert.equal(teaser(' One\n\n two\tthree '), 'One two three')
  const long = `${'word '.repeat(80)}`
  const cut = teaser(long)
  assert.ok([...cut].length <= 301 && cut.endsWith('word…'))
  assert.equal([...teaser('🙂'.repeat(400))].length, 301)
})
