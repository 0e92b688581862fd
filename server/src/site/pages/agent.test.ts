// The other doors of an agent: its card as data, the feed of its works, and the first page. What goes away is gone behind each.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { handlesIn, one, reading } from '../../../test/agent-pages.ts'
import { assign, published } from '../../../test/editorial.ts'
import { givenFile } from '../../../test/files.ts'
import { trade } from '../../../test/orders.ts'
import { asBrowser, hostile, visit } from '../../../test/pages.ts'
import { givenPost } from '../../../test/posts.ts'
import { projectCaseIn } from '../../../test/project-cases.ts'
import { story } from '../../../test/story.ts'
import { turnHidden, turnSuspended } from '../../../test/turning.ts'
import { type Agent, code } from '../../../test/world.ts'
import type { Node } from '../../../test/xml.ts'
import { minutes } from '../../kernel/clock.ts'

const { w } = story()
const { open, shown, statusOf, feedAt } = reading(() => w)

describe('the card as JSON', () => {
  test('is what the API returns to an unrelated agent, without the fields about the reader', async () => {
    const ida = await w.agent('ida_data', { bio: hostile })
    assert.equal(code(await ida.patch('/bots/me', { balance_public: true })), '200')
    const reader = await w.agent('reader_data')
    const answer = await open('/agents/ida_data.json')
    assert.equal(answer.status, 200)
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
    const { friendship: _, actions: __, ...card } = (await reader.get(`/bots/${ida.id}`)).body.bot
    assert.deepEqual(JSON.parse(answer.text), { bot: card })
    assert.equal(card.is_self, false)
    for (const headers of [{ authorization: `Bearer ${ida.token}` }, { cookie: 'kith_visitor=x' }, {}]) {
      const other = await visit(w.url, '/agents/ida_data.json', { headers: headers as Record<string, string> })
      assert.ok(other.bytes.equals(answer.bytes), 'the same bytes whoever asks')
    }
    const kept = await open('/agents/ida_data.json', { 'if-none-match': String(answer.headers.etag) })
    assert.deepEqual([kept.status, kept.bytes.length], [304, 0])
    assert.equal(code(await ida.patch('/bots/me', { bio: 'Another' })), '200')
    const changed = await open('/agents/ida_data.json', { 'if-none-match': String(answer.headers.etag) })
    assert.equal(JSON.parse(changed.text).bot.bio, 'Another')
  })
})

describe('the feeds of an agent and of all works', () => {
  const own = '/agents/zoe_feed/feed.xml'
  const everyones = '/posts.xml'

  test('has its newest works at their addresses, and the first file of each', async () => {
    const zoe = await w.agent('zoe_feed', { display_name: 'Zoe', specialty: 'Sounds' })
    for (const feed of [own, everyones]) assert.equal((await feedAt(feed)).items.length, 0)
    const file = await givenFile(w, zoe)
    const post = await givenPost(zoe, {
      title: 'First',
      text: 'One\n\ntwo',
      attachment_ids: [file],
      rights_confirmed: true,
    })
    const second = await givenPost(zoe, { text: 'No title at all', kind: 'portfolio' })
    await givenPost(zoe, { text: 'Private', visibility: 'private' })
    const { channel, items, answer } = await feedAt(own)
    assert.equal(answer.headers['content-type'], 'application/rss+xml; charset=utf-8')
    assert.equal(one(channel, 'link').text, `${w.url}/agents/zoe_feed`)
    assert.equal(one(channel, 'atom:link').attributes['href'], `${w.url}/agents/zoe_feed/feed.xml`)
    assert.equal(one(channel, 'description').text, 'Sounds')
    assert.deepEqual(
      items.map((each) => one(each, 'guid').text),
      [second.public_url, post.public_url],
    )
    assert.deepEqual(
      items.map((each) => one(each, 'title').text),
      ['No title at all', 'First'],
    )
    assert.deepEqual(
      items.map((each) => one(each, 'category').text),
      ['portfolio', 'update'],
    )
    assert.equal(one(items[1] as Node, 'pubDate').text, new Date(post.created_at).toUTCString())
    const reader = await w.agent('reader_feed')
    const [card] = (await reader.get(`/posts/${post.id}`)).body.post.attachments
    assert.deepEqual(one(items[1] as Node, 'enclosure').attributes, {
      url: `${w.url}${card.download_url}`,
      length: String(card.size),
      type: card.mime_type,
    })

    const ada = await w.agent('ada_feed', { display_name: 'Ada' })
    const third = await givenPost(ada, { title: 'Everyone’s <&>', text: 'In the feed of all' })
    const all = await feedAt(everyones)
    assert.equal(one(all.channel, 'link').text, `${w.url}/posts`)
    assert.equal(one(all.channel, 'atom:link').attributes['href'], `${w.url}${everyones}`)
    assert.deepEqual(
      all.items.map((each) => [one(each, 'guid').text, one(each, 'dc:creator').text]),
      [
        [third.public_url, 'Ada'],
        [second.public_url, 'Zoe'],
        [post.public_url, 'Zoe'],
      ],
    )
    assert.equal(one(all.items[0] as Node, 'title').text, 'Everyone’s <&>')
    assert.match(
      await shown('/posts'),
      /<link rel="alternate" type="application\/rss\+xml" title="Works" href="\/posts.xml">/,
    )

    const { etag } = answer.headers
    const ask = () => open(own, { 'if-none-match': String(etag) })
    assert.equal((await ask()).status, 304)
    for (const [what, out, back] of [
      [
        'private',
        () => zoe.patch(`/posts/${post.id}`, { visibility: 'private' }),
        () => zoe.patch(`/posts/${post.id}`, { visibility: 'public', rights_confirmed: true }),
      ],
      ['hidden', () => turnHidden(w, 'post', post.id, true), () => turnHidden(w, 'post', post.id, false)],
    ] as const) {
      await out()
      const gone = await ask()
      assert.equal(gone.status, 200, what)
      assert.ok(!gone.text.includes(post.id), what)
      assert.ok(!(await shown('/agents/zoe_feed')).includes(post.id), what)
      for (const path of ['/', everyones]) assert.ok(!(await shown(path)).includes(post.id), `${what}: ${path}`)
      await back()
      assert.ok((await shown('/agents/zoe_feed')).includes(post.id), what)
    }
    assert.equal(code(await w.request('DELETE', `/posts/${post.id}`, { token: zoe.token })), '200')
    assert.deepEqual([(await feedAt(own)).items.length, (await feedAt(everyones)).items.length], [1, 2])
  })
})

describe('an agent that is not open', () => {
  const ways: Record<string, [out: (agent: Agent) => Promise<unknown>, back: (agent: Agent) => Promise<unknown>]> = {
    closed: [
      (agent) => agent.patch('/bots/me', { profile_public: false }),
      (agent) => agent.patch('/bots/me', { profile_public: true, rights_confirmed: true }),
    ],
    suspended: [({ id }) => turnSuspended(w, id, true), ({ id }) => turnSuspended(w, id, false)],
    hidden: [({ id }) => turnHidden(w, 'profile', id, true), ({ id }) => turnHidden(w, 'profile', id, false)],
  }

  test('has no page or feed, and returns complete', async () => {
    const kai = await w.agent('kai_gone', { display_name: 'Kai', specialty: 'Vanishing', bio: 'Zebrafish' })
    await assign(w, kai)
    const work = await givenPost(kai, { title: 'Zebrafish at noon' })
    const article = await published(kai, { title: 'On zebrafish' })
    const doors = ['', '.json', '/feed.xml', '?kind=update', '?reviews=1'].map((door) => `/agents/kai_gone${door}`)
    const lists = ['/agents', '/agents?q=zebrafish', '/agents?q=kai_gone', '/agents?q=vanishing&sort=newest', '/']
    const counted = async () => /<strong>([\d,]+)<\/strong> agents?/.exec(await shown('/'))?.[1]
    const before = await counted()
    const isThere = async () => ({
      doors: await Promise.all(doors.map(statusOf)),
      lists: await Promise.all(lists.map(async (path) => handlesIn(await shown(path)).includes('kai_gone'))),
      first: (await shown('/')).includes(work.id) || (await shown('/')).includes(article.id),
    })
    const open200 = { doors: doors.map(() => 200), lists: lists.map(() => true), first: true }
    const nowhere = { doors: doors.map(() => 404), lists: lists.map(() => false), first: false }
    assert.deepEqual(await isThere(), open200)
    const missing = (await open('/agents/nobody_at_all')).text
    for (const [what, [out, back]] of Object.entries(ways)) {
      await out(kai)
      assert.deepEqual(await isThere(), nowhere, what)
      assert.equal(Number(await counted()), Number(before) - 1, what)
      assert.equal((await open('/agents/kai_gone')).text, missing, `${what}: the same page as nobody's`)
      assert.equal((await open('/agents/kai_gone', { ...asBrowser, authorization: `Bearer ${kai.token}` })).status, 404)
      await back(kai)
      assert.deepEqual(await isThere(), open200, what)
    }
    assert.equal(await counted(), before)
  })

  test('takes its project cases along, on both sides’ pages', async () => {
    const [one, other] = await w.friends('lou_case', 'mia_case')
    const { id } = await projectCaseIn(w, { contractor: one, customer: other }, 'published')
    const has = async () => (await shown('/agents/lou_case')).includes(id)
    assert.equal(await has(), true)
    assert.equal((await shown('/agents/mia_case')).includes(id), false, 'its contractor tells it')
    for (const [what, [out, back]] of Object.entries(ways)) {
      await out(other)
      assert.equal(await has(), false, what)
      await back(other)
      assert.equal(await has(), true, what)
    }
    await turnHidden(w, 'project_case', id, true)
    assert.equal(await has(), false)
    await turnHidden(w, 'project_case', id, false)
  })
})

describe('the first page', () => {
  test('is light: with its stylesheet and icon less than 60 KiB compressed, whatever agents write', async () => {
    const long = await w.agent('long_first', {
      display_name: '漢'.repeat(80),
      specialty: '字'.repeat(160),
      bio: '語'.repeat(4000),
    })
    for (let n = 0; n < 6; n++) await givenPost(long, { title: '作'.repeat(160), text: '品'.repeat(2000) })
    const page = await open('/')
    assert.ok(page.bytes.length < 60 * 1024, `${page.bytes.length} bytes of HTML`)
    let sent = gzipSync(page.bytes).length
    for (const [, path = ''] of page.text.matchAll(/<link rel="(?:stylesheet|icon)" href="([^"]+)"/g)) {
      sent += gzipSync((await visit(w.url, path)).bytes).length
    }
    assert.ok(sent < 60 * 1024, `${sent} bytes sent`)
  })

  test('leads to works, to where work is ordered and to joining, and counts what was completed', async () => {
    const completed = async () => Number(/<strong>(\d+)<\/strong> orders? completed/.exec(await shown('/'))?.[1] ?? 0)
    w.travel(minutes(10))
    const before = await completed()
    const [rita, sam] = await w.friends('rita_first', 'sam_first')
    await trade(w, sam, rita, 'accepted')
    await trade(w, sam, rita, 'refunded')
    assert.equal(await completed(), before, 'it is not counted at each request')
    w.travel(minutes(10))
    assert.equal(await completed(), before + 1)
    const works = []
    for (const author of [sam, rita, rita, rita]) works.push((await givenPost(author, { title: author.handle })).id)
    const text = await shown('/')
    assert.deepEqual(
      [...text.matchAll(/<h2><a href="([^"]+)">([^<]+)</g)].map(([, href, name]) => [href, name]),
      [
        ['/posts', 'Look at works'],
        ['/services', 'Order work'],
        ['#join', 'Add your agent'],
      ],
    )
    assert.match(text, /<a class="button large" href="\/services">Order work<\/a>/)
    assert.match(
      text,
      new RegExp(`<li><a href="/agents/rita_first" aria-label="${rita.bot.display_name}"><img class="avatar"`),
    )
    assert.match(text, /It can see[\s\S]*It cannot see/)
    const shownWorks = works.filter((id) => text.includes(`href="/posts/${id}"`))
    assert.deepEqual(shownWorks, [works[0], works[2], works[3]], 'at most two of an agent while there are others')
  })

  test('says in each language how an agent joins, and who owns the package of that name on npm', async () => {
    for (const [language, words] of [
      ['en', /Install <code>kith<\/code> from here: the package of that name on the public registry is unrelated/],
      ['ru', /Устанавливайте <code>kith<\/code> отсюда: в публичном реестре под этим именем — чужой пакет/],
    ] as const) {
      const text = await shown('/', { ...asBrowser, 'accept-language': language })
      assert.match(
        text,
        new RegExp(
          `<code>npm install --global ${w.url}/packages/kith\\.tgz &amp;&amp;\nkith register --url ${w.url} &amp;&amp;\n`,
        ),
      )
      assert.match(text, words)
      assert.match(text, /<code>EACCES<\/code>.*<code>--prefix ~\/\.local<\/code>/)
      assert.match(text, new RegExp(`<code class="address">${w.url}</code>`))
    }
  })
})
