// Agents as everyone sees them: the list and its search, a profile with all that belongs to it, its card as data, the feed of its
// works and the first page. What goes away is gone behind every door.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { caseIn } from '../../../test/cases.ts'
import { assign, published } from '../../../test/editorial.ts'
import { givenFile } from '../../../test/files.ts'
import { trade } from '../../../test/orders.ts'
import { asBrowser, assertPage, hostile, type PageAnswer, visit } from '../../../test/pages.ts'
import { givenPost, seedPosts } from '../../../test/posts.ts'
import { reviewBody } from '../../../test/reviews.ts'
import { type Agent, befriend, code, type World, world } from '../../../test/world.ts'
import { type Node, parseXml } from '../../../test/xml.ts'
import { days } from '../../kernel/clock.ts'
import { setSuspended } from '../../modules/profiles/profiles.ts'
import { hide, unhide } from '../../modules/staff/hiding.ts'

let w: World
before(async () => {
  w = await world()
})
after(() => w.close())

const open = async (path: string, headers: Record<string, string> = asBrowser, at = w): Promise<PageAnswer> => {
  const answer = await visit(at.url, path, { headers })
  if (answer.status !== 304 && answer.headers['content-type']?.startsWith('text/html'))
    assertPage(answer.text, { publicUrl: at.url, elsewhere: ['https://ada.example/tides', 'https://evil.example/'] })
  return answer
}
const shown = async (path: string, headers?: Record<string, string>): Promise<string> => {
  const answer = await open(path, headers)
  assert.equal(answer.status, 200, path)
  return answer.text
}
const statusOf = async (path: string): Promise<number> => (await open(path)).status

/** The handles of a list, in its order. */
const handlesIn = (text: string): string[] =>
  [...text.matchAll(/<h[23] dir="auto"><a href="\/agents\/(\w+)"/g)].map(([, handle]) => handle as string)
const worksIn = (text: string): string[] =>
  [...text.matchAll(/<h3 dir="auto"><a href="\/posts\/([\w-]+)"/g)].map(([, id]) => id as string)
const find = async (query: string): Promise<string[]> => handlesIn(await shown(`/agents?${query}`))

/** What a page says of itself to programs. */
const dataOf = (text: string) =>
  JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/.exec(text)?.[1] ?? 'null')

const all = (node: Node, name: string): Node[] => node.children.filter((each) => each.name === name)
const one = (node: Node, name: string): Node => {
  const [found, second] = all(node, name)
  assert.ok(found && !second, `one ${name}`)
  return found
}
const feedOf = async (handle: string): Promise<{ channel: Node; items: Node[]; answer: PageAnswer }> => {
  const answer = await open(`/agents/${handle}/feed.xml`)
  assert.equal(answer.status, 200)
  const channel = one(parseXml(answer.text), 'channel')
  return { channel, items: all(channel, 'item'), answer }
}

/** An accepted order of the two that both have reviewed. */
async function reviewed(customer: Agent, contractor: Agent, fields: Record<string, unknown> = {}): Promise<string> {
  const order = await trade(w, customer, contractor, 'accepted')
  const said = await customer.post(`/orders/${order.id}/reviews`, reviewBody('customer', fields))
  assert.equal(code(said), '201')
  assert.equal(code(await contractor.post(`/orders/${order.id}/reviews`, reviewBody('contractor'))), '201')
  return said.body.review.id
}

describe('the list', () => {
  test('finds by what the API’s search finds by, each agent once, in the order of names', async () => {
    await w.agent('lia', { display_name: 'Lia Quartz', specialty: 'Quartz cutting', bio: 'Cuts stones' })
    const max = await w.agent('max_q', { display_name: 'Amax', specialty: 'Songs' })
    await givenPost(max, { title: 'Quartz song', text: 'Of stones and quartz' })
    await w.agent('shy_q', { display_name: 'Shy Quartz', profile_public: false })
    for (const query of ['q=quartz', 'q=QUARTZ+stones', 'specialty=quartz', 'q=song&specialty=songs', 'q=max_q']) {
      const { bots } = (await max.get(`/bots?${query}`)).body
      assert.deepEqual(
        await find(query),
        bots.map(({ handle }: { handle: string }) => handle),
        query,
      )
    }
    assert.deepEqual(await find('q=quartz'), ['max_q', 'lia'])
    const text = await shown('/agents?q=quartz')
    assert.match(text, /2 agents found/)
    assert.match(text, /<meta name="robots" content="noindex">/)
    assert.match(text, /value="quartz"/)
    assert.match(text, /<span>1 work<\/span>/)
    assert.doesNotMatch(await shown('/agents'), /name="robots"/)
    assert.match(await shown('/agents?q=nobodyhasthis'), /No agent like that/)
  })

  test('refuses beside its field what is no search, and keeps what was typed', async () => {
    const fits = 'a'.repeat(160)
    assert.equal(await statusOf(`/agents?q=${fits}`), 200)
    for (const [name, typed] of [
      ['q', `${fits}a`],
      ['specialty', `${fits}a`],
      ['q', 'a\u0000b'],
      ['specialty', 'a\u0085b'],
    ] as const) {
      const answer = await open(`/agents?${new URLSearchParams({ [name]: typed })}`)
      assert.equal(answer.status, 400, name)
      assert.equal(answer.headers['cache-control'], 'no-store')
      assert.match(
        answer.text,
        new RegExp(`<input id="${name}"[^>]* aria-invalid="true" aria-describedby="${name}-problem"`),
      )
      assert.match(answer.text, new RegExp(`id="${name}-problem">A search has at most 160 characters`))
      if (typed.length > 160) assert.ok(answer.text.includes(`value="${typed}"`))
    }
    const both = await open(`/agents?q=${fits}a&specialty=${fits}a`)
    assert.equal(both.text.match(/class="field-problem"/g)?.length, 2)
    // Counted in characters, as the API does.
    assert.equal(await statusOf(`/agents?q=${encodeURIComponent('🙂'.repeat(160))}`), 200)
    assert.equal(await statusOf(`/agents?q=${encodeURIComponent('🙂'.repeat(161))}`), 400)
  })

  test('is empty on a new server, and pages where there are many', async () => {
    const other = await world()
    try {
      assert.match((await open('/agents', asBrowser, other)).text, /No agent is here yet/)
      assert.match((await open('/', asBrowser, other)).text, /Nobody is here yet.*Be the first/s)
      for (let n = 0; n < 41; n++) await other.agent(`many_${String(n).padStart(2, '0')}`)
      const pages = await Promise.all([1, 2, 3].map((page) => open(`/agents?page=${page}`, asBrowser, other)))
      assert.deepEqual(
        pages.flatMap(({ text }) => handlesIn(text)),
        Array.from({ length: 41 }, (_, n) => `many_${String(n).padStart(2, '0')}`),
      )
      assert.deepEqual(
        pages.map(({ text }) => handlesIn(text).length),
        [20, 20, 1],
      )
      assert.match(pages[1]?.text ?? '', /<link rel="canonical" href="[^"]*\/agents\?page=2">/)
      assert.match(pages[1]?.text ?? '', /rel="prev" href="\/agents"/)
      assert.match(pages[1]?.text ?? '', /rel="next" href="\/agents\?page=3"/)
      assert.equal((await open('/agents?page=4', asBrowser, other)).status, 404)
      assert.equal((await open('/agents?q=many&page=3', asBrowser, other)).status, 200)
      assert.equal((await open('/agents?q=many&page=4', asBrowser, other)).status, 404)
      const first = await open('/', asBrowser, other)
      assert.deepEqual(handlesIn(first.text), ['many_40', 'many_39', 'many_38', 'many_37', 'many_36', 'many_35'])
      assert.match(first.text, /<strong>41<\/strong> agents/)
      assert.doesNotMatch(first.text, /Nobody is here yet/)
    } finally {
      await other.close()
    }
  })
})

describe('a profile', () => {
  test('shows what the API tells everyone, and says that it is an AI agent', async () => {
    const ada = await w.agent('ada', {
      display_name: 'Ada Lumen',
      specialty: 'Book covers',
      bio: 'I draw tides.\n\nSee https://ada.example/tides today.',
      character_description: 'An owl\nwith a lantern',
      country: 'Portugal',
      city: 'Lisboa',
      preferred_language: 'pt',
    })
    const ben = await w.agent('ben_ada', { display_name: 'Ben' })
    await befriend(ada, ben)
    const avatar = await givenFile(w, ada, { purpose: 'avatar', file_format: 'png' })
    const character = await givenFile(w, ada, { purpose: 'character', file_format: 'png' })
    const worn = { avatar_attachment_id: avatar, character_attachment_id: character, rights_confirmed: true }
    assert.equal(code(await ada.patch('/bots/me', worn)), '200')
    const work = await givenPost(ada, { title: 'Tides', kind: 'portfolio' })
    const news = await givenPost(ada, { title: 'News' })
    await givenPost(ada, { title: 'A draft that nobody sees', visibility: 'private' })
    const told = await caseIn(w, { contractor: ada, customer: ben }, 'published')
    await caseIn(w, { contractor: ada, customer: ben }, 'proposed', { title: 'A case that waits' })
    const review = await reviewed(ben, ada, { rating: 4, text: 'Kind and exact.\n\nAgain!' })

    const text = await shown('/agents/ada')
    for (const part of [
      /<h1 dir="auto">Ada Lumen<\/h1>/,
      /an AI agent/,
      /<title>Ada Lumen \(@ada\), AI agent/,
      /Book covers/,
      /<p dir="auto">I draw tides\.<\/p>/,
      /<a href="https:\/\/ada\.example\/tides" rel="ugc nofollow noopener">/,
      /An owl<br>with a lantern/,
      /<bdi>Lisboa<\/bdi>, <bdi>Portugal<\/bdi>/,
      /<bdi>Portuguese<\/bdi>/,
      new RegExp(
        `<code class="fingerprint">${(ada.bot.encryption_key_fingerprint.match(/.{4}/g) ?? []).join(' ')}</code>`,
      ),
      /href="\/agents\/ada\.json"/,
      /<form method="post" action="\/agents\/ada\/follow">/,
      new RegExp(`href="/cases/${told.id}"`),
      /4 of 5<\/strong>/,
      /Quality: 5 of 5/,
      /<dt>Completed projects<\/dt><dd>33\.00 test credits<\/dd>/,
      /<link rel="alternate" type="application\/rss\+xml"[^>]* href="\/agents\/ada\/feed\.xml">/,
      /<meta property="og:type" content="profile">/,
      new RegExp(`<meta property="og:image" content="${w.url}/api/v1/attachments/${avatar}/preview`),
    ]) {
      assert.match(text, part)
    }
    assert.deepEqual(worksIn(text), [news.id, work.id])
    for (const absent of ['A draft that nobody sees', 'A case that waits', 'Kind and exact', 'Balance']) {
      assert.ok(!text.includes(absent), absent)
    }
    const data = dataOf(text)
    assert.equal(data['@type'], 'ProfilePage')
    const { '@type': type, name, alternateName, url, image } = data.mainEntity
    assert.deepEqual([type, name, alternateName], ['SoftwareApplication', 'Ada Lumen', '@ada'], 'no person')
    assert.equal(url, `${w.url}/agents/ada`)
    assert.ok(image.startsWith(`${w.url}/api/v1/attachments/${avatar}/preview`))
    assert.match(text, new RegExp(`<link rel="canonical" href="${url}">`))
    assert.equal((await ben.get(`/bots/${ada.id}`)).body.bot.links.site, url)

    await w.operator('reviews', 'approve', review)
    assert.match(
      await shown('/agents/ada'),
      /<blockquote><p dir="auto">Kind and exact\.<\/p>\s*<p dir="auto">Again!<\/p>/,
    )
    assert.equal(code(await ada.patch('/bots/me', { balance_public: true })), '200')
    assert.match(await shown('/agents/ada'), /<dt>Balance<\/dt><dd>[\d,]+\.\d\d test credits<\/dd>/)

    assert.deepEqual(worksIn(await shown('/agents/ada?kind=portfolio')), [work.id])
    assert.deepEqual(worksIn(await shown('/agents/ada?kind=update')), [news.id])
    const russian = await shown('/agents/ada', { ...asBrowser, 'accept-language': 'ru' })
    assert.match(russian, /ИИ-агент/)
    assert.match(russian, /<bdi>Португальский<\/bdi>/)
    assert.match(russian, /Отпечаток ключа/)
  })

  test('has its address in lower case alone, and keeps it under another name', async () => {
    const gil = await w.agent('gil_one', { display_name: 'Gil' })
    for (const other of ['Gil_one', 'GIL_ONE', 'gil_one ', 'gil-one', gil.id, `@gil_one`]) {
      assert.equal(await statusOf(`/agents/${encodeURIComponent(other)}`), 404, other)
    }
    const before = await open('/agents/gil_one')
    assert.equal(code(await gil.patch('/bots/me', { display_name: 'Gilbert' })), '200')
    const renamed = await open('/agents/gil_one', { ...asBrowser, 'if-none-match': String(before.headers.etag) })
    assert.equal(renamed.status, 200)
    assert.match(renamed.text, /<h1 dir="auto">Gilbert<\/h1>/)
    const again = await open('/agents/gil_one', { ...asBrowser, 'if-none-match': String(renamed.headers.etag) })
    assert.equal(again.status, 304)
  })

  test('without anything says so, and claims nothing', async () => {
    await w.agent('bare_one')
    const text = await shown('/agents/bare_one')
    for (const part of ['written nothing about itself', 'has shown no works', 'Nobody has reviewed it']) {
      assert.ok(text.includes(part), part)
    }
    for (const absent of ['Place', 'Balance', 'Project cases', 'class="pager"', 'id="character"']) {
      assert.ok(!text.includes(absent), absent)
    }
    assert.match(text, /<dd>0\.00 test credits<\/dd>/)
  })

  test('shows hostile, long and right-to-left texts as texts, each in its own direction', async () => {
    const odd = await w.agent('odd_one', {
      display_name: hostile,
      specialty: 'داليا تكتب',
      bio: `${hostile}\n\nhttps://evil.example/<b>\njavascript:alert(1) ${'ü'.repeat(3000)}`,
      country: 'א'.repeat(80),
      preferred_language: '<b>no language</b>',
    })
    const blank = await w.agent('blank_one', { display_name: '\u2800\u200b.', bio: '\u200b' })
    await givenPost(odd, { title: hostile, text: 'x'.repeat(8000) })
    for (const path of ['/agents/odd_one', '/agents?q=odd_one', '/', `/agents/${blank.handle}`]) {
      const text = await shown(path)
      assert.ok(!text.includes(hostile), path)
      assert.ok(!/href="javascript/i.test(text))
    }
    const text = await shown('/agents/odd_one')
    assert.match(text, /<p class="lead" dir="auto">داليا تكتب<\/p>/)
    assert.match(text, /<bdi>&lt;b&gt;no language&lt;\/b&gt;<\/bdi>/)
    assert.equal(dataOf(text).mainEntity.name, hostile)
    const { channel, items } = await feedOf('odd_one')
    assert.ok(one(channel, 'title').text.startsWith(hostile))
    assert.equal(one(items[0] as Node, 'title').text, hostile)
  })

  test('pages through a thousand works and many reviews, each list by itself', async () => {
    const una = await w.agent('una')
    const created = w.now()
    await seedPosts(
      w.sql,
      Array.from({ length: 1000 }, (_, n) => ({
        author_id: una.id,
        kind: n % 2 ? ('update' as const) : ('portfolio' as const),
        visibility: 'public' as const,
        title: `Work ${n}`,
        text: 'Lines',
        created_at: new Date(created.getTime() - n * 1000),
      })),
    )
    const titles = (text: string) => [...text.matchAll(/>Work (\d+)<\/a><\/h3>/g)].map(([, n]) => Number(n))
    assert.deepEqual(
      titles(await shown('/agents/una')),
      Array.from({ length: 20 }, (_, n) => n),
    )
    const last = await shown('/agents/una?page=50')
    assert.deepEqual(
      titles(last),
      Array.from({ length: 20 }, (_, n) => 980 + n),
    )
    assert.match(last, /rel="prev" href="\/agents\/una\?page=49#works"/)
    assert.doesNotMatch(last, /rel="next"/)
    assert.match(last, /<link rel="canonical" href="[^"]*\/agents\/una\?page=50">/)
    assert.equal(await statusOf('/agents/una?page=51'), 404)
    assert.deepEqual(
      titles(await shown('/agents/una?kind=update&page=25')),
      Array.from({ length: 20 }, (_, n) => 961 + 2 * n),
    )
    assert.equal(await statusOf('/agents/una?kind=update&page=26'), 404)
    assert.match(await shown('/agents?q=una'), /<span>1,000 works<\/span>/)
    assert.equal((await feedOf('una')).items.length, 50)

    const vic = await w.agent('vic_una')
    await befriend(una, vic)
    for (let n = 0; n < 21; n++) await reviewed(vic, una)
    const stars = (text: string) => text.match(/class="stars"/g)?.length ?? 0
    assert.equal(stars(await shown('/agents/una')), 20)
    const second = await shown('/agents/una?reviews=2')
    assert.equal(stars(second), 1)
    assert.match(second, /<link rel="canonical" href="[^"]*\/agents\/una\?reviews=2">/)
    assert.match(second, /rel="prev" href="\/agents\/una#reviews"/)
    assert.equal(titles(second).length, 20)
    assert.equal(await statusOf('/agents/una?reviews=3'), 404)
    assert.equal(await statusOf('/agents/una?reviews=1001'), 404)
  })

  test('shows a review when everyone may read it, and names its author while that profile is open', async () => {
    const [rob, sue] = await w.friends('rob_rev', 'sue_rev')
    const order = await trade(w, sue, rob, 'accepted')
    const said = reviewBody('customer', { rating: 2, recommend: false, text: 'Slow' })
    const { id } = (await sue.post(`/orders/${order.id}/reviews`, said)).body.review
    const page = () => shown('/agents/rob_rev')
    assert.match(await page(), /Nobody has reviewed it/, 'the other side has not spoken')
    assert.equal(code(await rob.post(`/orders/${order.id}/reviews`, reviewBody('contractor'))), '201')
    assert.match(await page(), /2 of 5<\/strong>.*Does not recommend it/s)
    assert.match(await page(), /href="\/agents\/sue_rev"/)
    assert.doesNotMatch(await page(), /Slow/)
    await w.operator('reviews', 'approve', id)
    assert.match(await page(), /Slow/)
    assert.match(await shown('/agents/sue_rev'), /For its part as a customer/)

    assert.equal(code(await sue.patch('/bots/me', { profile_public: false })), '200')
    const nameless = await page()
    assert.match(nameless, /an agent whose profile is not open/)
    assert.doesNotMatch(nameless, /sue_rev/)
    assert.equal(code(await sue.patch('/bots/me', { profile_public: true })), '200')
    await w.service.sql.transaction((tx) => hide(tx, 'review', id))
    assert.match(await page(), /Nobody has reviewed it/)
    assert.match(await page(), /<dt>Reviews<\/dt><dd>0<\/dd>/)
    await w.service.sql.transaction((tx) => unhide(tx, 'review', id))
    assert.match(await page(), /Slow/)

    const [tom] = await w.friends('tom_rev', 'uli_rev')
    const half = await trade(w, tom, await befriended(tom), 'accepted')
    assert.equal(code(await tom.post(`/orders/${half.id}/reviews`, reviewBody('customer'))), '201')
    assert.match(await shown('/agents/vera_rev'), /Nobody has reviewed it/)
    w.travel(days(9))
    assert.match(await shown('/agents/vera_rev'), /5 of 5<\/strong>/, 'a week after the reminder')
  })
})

async function befriended(friend: Agent): Promise<Agent> {
  const vera = await w.agent('vera_rev')
  await befriend(friend, vera)
  return vera
}

describe('the card as data', () => {
  test('is what the API answers to an agent who has nothing to do with it, without what is about the reader', async () => {
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

describe('the feed of an agent', () => {
  test('has its newest works under their addresses, and the first file of each', async () => {
    const zoe = await w.agent('zoe_feed', { display_name: 'Zoe', specialty: 'Sounds' })
    assert.equal((await feedOf('zoe_feed')).items.length, 0)
    const file = await givenFile(w, zoe)
    const post = await givenPost(zoe, {
      title: 'First',
      text: 'One\n\ntwo',
      attachment_ids: [file],
      rights_confirmed: true,
    })
    const second = await givenPost(zoe, { text: 'No title at all', kind: 'portfolio' })
    await givenPost(zoe, { text: 'Private', visibility: 'private' })
    const { channel, items, answer } = await feedOf('zoe_feed')
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

    const { etag } = answer.headers
    const ask = () => open('/agents/zoe_feed/feed.xml', { 'if-none-match': String(etag) })
    assert.equal((await ask()).status, 304)
    for (const [what, out, back] of [
      [
        'private',
        () => zoe.patch(`/posts/${post.id}`, { visibility: 'private' }),
        () => zoe.patch(`/posts/${post.id}`, { visibility: 'public', rights_confirmed: true }),
      ],
      [
        'hidden',
        () => w.service.sql.transaction((tx) => hide(tx, 'post', post.id)),
        () => w.service.sql.transaction((tx) => unhide(tx, 'post', post.id)),
      ],
    ] as const) {
      await out()
      const gone = await ask()
      assert.equal(gone.status, 200, what)
      assert.ok(!gone.text.includes(post.id), what)
      assert.ok(!(await shown('/agents/zoe_feed')).includes(post.id), what)
      assert.ok(!(await shown('/')).includes(post.id), what)
      await back()
      assert.ok((await shown('/agents/zoe_feed')).includes(post.id), what)
    }
    assert.equal(code(await w.request('DELETE', `/posts/${post.id}`, { token: zoe.token })), '200')
    assert.equal((await feedOf('zoe_feed')).items.length, 1)
  })
})

describe('who is not open', () => {
  const ways: Record<string, [out: (agent: Agent) => Promise<unknown>, back: (agent: Agent) => Promise<unknown>]> = {
    closed: [
      (agent) => agent.patch('/bots/me', { profile_public: false }),
      (agent) => agent.patch('/bots/me', { profile_public: true, rights_confirmed: true }),
    ],
    suspended: [
      ({ id }) => w.service.sql.transaction((tx) => setSuspended(tx, id, true)),
      ({ id }) => w.service.sql.transaction((tx) => setSuspended(tx, id, false)),
    ],
    hidden: [
      ({ id }) => w.service.sql.transaction((tx) => hide(tx, 'profile', id)),
      ({ id }) => w.service.sql.transaction((tx) => unhide(tx, 'profile', id)),
    ],
  }

  test('is behind no door, and comes back whole', async () => {
    const kai = await w.agent('kai_gone', { display_name: 'Kai', specialty: 'Vanishing', bio: 'Zebrafish' })
    await assign(w, kai)
    const work = await givenPost(kai, { title: 'Zebrafish at noon' })
    const article = await published(kai, { title: 'On zebrafish' })
    const doors = ['', '.json', '/feed.xml', '?kind=update', '?reviews=1'].map((door) => `/agents/kai_gone${door}`)
    const lists = ['/agents', '/agents?q=zebrafish', '/agents?q=kai_gone', '/agents?specialty=vanishing', '/']
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

  test('takes its project cases along, from both sides’ pages', async () => {
    const [one, other] = await w.friends('lou_case', 'mia_case')
    const { id } = await caseIn(w, { contractor: one, customer: other }, 'published')
    const has = async () => (await shown('/agents/lou_case')).includes(id)
    assert.equal(await has(), true)
    assert.equal((await shown('/agents/mia_case')).includes(id), false, 'its contractor tells it')
    for (const [what, [out, back]] of Object.entries(ways)) {
      await out(other)
      assert.equal(await has(), false, what)
      await back(other)
      assert.equal(await has(), true, what)
    }
    await w.service.sql.transaction((tx) => hide(tx, 'project_case', id))
    assert.equal(await has(), false)
    await w.service.sql.transaction((tx) => unhide(tx, 'project_case', id))
  })
})

describe('the first page', () => {
  test('is light: with its sheet and icon less than 60 KiB on the way, whatever agents write', async () => {
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

  test('says in each language how an agent joins, and whose the package of that name is elsewhere', async () => {
    for (const [language, words] of [
      ['en', /Only in the checkout is <code>kith<\/code> this command: elsewhere the registry has another package/],
      [
        'ru',
        /Только в рабочей копии <code>kith<\/code> — эта команда: в остальных местах под этим именем в реестре лежит чужой пакет/,
      ],
    ] as const) {
      const text = await shown('/', { ...asBrowser, 'accept-language': language })
      assert.match(text, /<code>npx kith register<\/code>/)
      assert.match(text, words)
      assert.match(text, new RegExp(`<code class="address">${w.url}</code>`))
    }
  })
})
