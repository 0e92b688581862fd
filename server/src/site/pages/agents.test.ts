// Agents as everyone sees them: the list and its search, and a profile with all that belongs to it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { dataOf, handlesIn, one, postsIn, reading, reviewed } from '../../../test/agent-pages.ts'
import { givenFile } from '../../../test/files.ts'
import { trade } from '../../../test/orders.ts'
import { asBrowser, hostile } from '../../../test/pages.ts'
import { givenPost, seedPosts } from '../../../test/posts.ts'
import { projectCaseIn } from '../../../test/project-cases.ts'
import { reviewBody } from '../../../test/reviews.ts'
import { story } from '../../../test/story.ts'
import { turnHidden } from '../../../test/turning.ts'
import { type Agent, befriend, code, world } from '../../../test/world.ts'
import type { Node } from '../../../test/xml.ts'
import { days } from '../../kernel/clock.ts'

const { w } = story()
const { open, shown, statusOf, feedAt } = reading(() => w)

const find = async (query: string): Promise<string[]> => handlesIn(await shown(`/agents?${query}`))

describe('the list', () => {
  test('matches the API’s search, each agent once, the best first', async () => {
    await w.agent('lia', { display_name: 'Lia Quartz', specialty: 'Quartz cutting', bio: 'Cuts stones' })
    const max = await w.agent('max_q', { display_name: 'Amax', specialty: 'Songs' })
    await givenPost(max, { title: 'Quartz song', text: 'Of stones and quartz' })
    await w.agent('shy_q', { display_name: 'Shy Quartz', profile_public: false })
    for (const query of ['q=quartz', 'q=QUARTZ+stones', 'q=max_q']) {
      const { bots } = (await max.get(`/bots?${query}`)).body
      const handles = bots.map(({ handle }: { handle: string }) => handle).sort()
      assert.deepEqual((await find(query)).sort(), handles, query)
    }
    // By its profile before by its works.
    assert.deepEqual(await find('q=quartz'), ['lia', 'max_q'])
    assert.deepEqual(await find('q=quarts+cutter'), ['lia', 'max_q'])
    const text = await shown('/agents?q=quartz')
    assert.match(text, /2 agents found/)
    assert.match(text, /<title>Agents: “quartz” · Kith</)
    assert.match(text, /<meta name="robots" content="noindex">/)
    assert.match(text, /value="quartz"/)
    assert.match(text, /<span>1 work<\/span>/)
    assert.doesNotMatch(await shown('/agents'), /name="robots"/)
    assert.match(await shown('/agents?q=nobodyhasthis'), /No agents found/)
  })

  test('refuses an invalid search beside its field, and keeps what was typed', async () => {
    const fits = 'a'.repeat(160)
    assert.equal(await statusOf(`/agents?q=${fits}`), 200)
    for (const typed of [`${fits}a`, 'a\u0000b', 'a\u0085b']) {
      const answer = await open(`/agents?${new URLSearchParams({ q: typed })}`)
      assert.equal(answer.status, 400, typed)
      assert.equal(answer.headers['cache-control'], 'no-store')
      assert.match(answer.text, /<input id="q"[^>]* aria-invalid="true" aria-describedby="q-problem"/)
      assert.match(answer.text, /id="q-problem">Use at most 160 characters/)
      if (typed.length > 160) assert.ok(answer.text.includes(`value="${typed}"`))
    }
    for (const wrong of ['sort=price', 'available=yes', 'sort=']) assert.equal(await statusOf(`/agents?${wrong}`), 404)
    // Counted in characters, as the API does.
    assert.equal(await statusOf(`/agents?q=${encodeURIComponent('🙂'.repeat(160))}`), 200)
    assert.equal(await statusOf(`/agents?q=${encodeURIComponent('🙂'.repeat(161))}`), 400)
  })

  test('is empty on a new server, and paged with many agents', async (t) => {
    const other = await world()
    const there = reading(() => other)
    t.after(() => other.close())
    assert.match((await there.open('/agents')).text, /No agents yet/)
    assert.match((await there.open('/')).text, /No agents here yet.*Be the first/s)
    assert.match((await there.open('/search')).text, /Nothing here yet/)
    assert.match((await there.open('/search?q=ada')).text, /No results/)
    assert.doesNotMatch((await there.open('/')).text, />Order work<|class="wall"/)
    for (let n = 0; n < 41; n++) await other.agent(`many_${String(n).padStart(2, '0')}`)
    const all = Array.from({ length: 41 }, (_, n) => `many_${String(n).padStart(2, '0')}`)
    const paged = (filter: string) => Promise.all([1, 2, 3].map((page) => there.open(`/agents?${filter}page=${page}`)))
    const pages = await paged('')
    for (const [filter, handles] of [
      ['', all.toReversed()],
      ['sort=newest&', all.toReversed()],
      ['available=true&', all.toReversed()],
      ['sort=name&', all],
    ] as const) {
      const found = (await paged(filter)).flatMap(({ text }) => handlesIn(text))
      assert.deepEqual(found, handles, filter)
    }
    assert.deepEqual(
      pages.map(({ text }) => handlesIn(text).length),
      [20, 20, 1],
    )
    assert.match(pages[1]?.text ?? '', /<link rel="canonical" href="[^"]*\/agents\?page=2">/)
    assert.match(pages[1]?.text ?? '', /<title>Agents, page 2 · Kith</)
    assert.match(pages[1]?.text ?? '', /rel="prev" href="\/agents"/)
    assert.match(pages[1]?.text ?? '', /rel="next" href="\/agents\?page=3"/)
    assert.equal((await there.open('/agents?page=4')).status, 404)
    assert.match(
      (await there.open('/agents?sort=name')).text,
      /<link rel="next" href="\/agents\?sort=name&amp;page=2">/,
    )
    const more = (by: number) => other.sql`
      update counters set value = value + ${by} where name = 'open_agents' and shard = (
        select min(shard) from counters where name = 'open_agents')`
    await more(2000)
    assert.match((await there.open('/agents')).text, /2,041 agents; the first 1,000 are on these pages/)
    assert.match((await there.open('/agents?sort=name')).text, />2,041 agents</)
    await more(-2000)
    other.travel(days(8))
    await other.agent('awake')
    const awake = (await there.open('/agents?available=true&sort=name')).text
    assert.deepEqual([handlesIn(awake), /\d+ agents? found/.exec(awake)?.[0]], [['awake'], '1 agent found'])
    assert.equal((await there.open('/agents?q=many&page=3')).status, 200)
    assert.equal((await there.open('/agents?q=many&page=4')).status, 404)
    const first = await there.open('/')
    assert.deepEqual(handlesIn(first.text), ['awake', ...all.toReversed().slice(0, 7)])
    assert.match(first.text, /<strong>42<\/strong> agents/)
    assert.doesNotMatch(first.text, /<strong>0/)
    assert.doesNotMatch(first.text, /No agents here yet/)
  })
})

describe('a profile', () => {
  test("shows the API's public fields, and says that it is an AI agent", async () => {
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
    const told = await projectCaseIn(w, { contractor: ada, customer: ben }, 'published')
    await projectCaseIn(w, { contractor: ada, customer: ben }, 'proposed', { title: 'A case that waits' })
    const review = await reviewed(w, [ben, ada], { rating: 4, text: 'Kind and exact.\n\nAgain!' })

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
      /<form class="follow" method="post" action="\/agents\/ada\/follow">/,
      new RegExp(`href="/cases/${told.id}"`),
      /4 of 5<\/strong>/,
      /Quality: 5 of 5/,
      /<dt>Value of completed projects<\/dt><dd>33\.00\u00a0test credits<\/dd>/,
      /<link rel="alternate" type="application\/rss\+xml"[^>]* href="\/agents\/ada\/feed\.xml">/,
      /<meta property="og:type" content="profile">/,
      new RegExp(`<meta property="og:image" content="${w.url}/cards/agent/ada\\.[0-9a-f]{16}\\.png">`),
    ]) {
      assert.match(text, part)
    }
    assert.deepEqual(postsIn(text), [news.id, work.id])
    const order = ['3 orders completed', 'id="works"', 'id="about"', '<details class="panel">', 'class="fingerprint"']
    const places = order.map((each) => text.indexOf(each))
    assert.ok(!places.includes(-1), String(places))
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
      'works first, and the fingerprint folds away',
    )
    assert.equal(text.match(/>an AI agent</g)?.length, 1, 'said once')
    assert.match(await shown('/agents?q=lumen'), /3 orders completed[\s\S]*2 works/)
    for (const absent of ['A draft that nobody sees', 'A case that waits', 'Kind and exact', 'Balance']) {
      assert.ok(!text.includes(absent), absent)
    }
    const data = dataOf(text)
    assert.equal(data['@type'], 'ProfilePage')
    const { '@type': type, name, alternateName, url, image } = data.mainEntity
    assert.deepEqual([type, name, alternateName], ['Organization', 'Ada Lumen', '@ada'], 'no person')
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
    assert.match(await shown('/agents/ada'), /<dt>Balance<\/dt><dd>[\d,]+\.\d\d\u00a0test credits<\/dd>/)

    assert.deepEqual(postsIn(await shown('/agents/ada?kind=portfolio')), [work.id])
    assert.deepEqual(postsIn(await shown('/agents/ada?kind=update')), [news.id])
    const russian = await shown('/agents/ada', { ...asBrowser, 'accept-language': 'ru' })
    assert.match(russian, /ИИ‑агент/)
    assert.match(russian, /<bdi>Португальский<\/bdi>/)
    assert.match(russian, /Отпечаток ключа/)
  })

  test('has its address only in lower case, and keeps it after renaming', async () => {
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

  test('shows only the visitor’s own browser whether they follow', async () => {
    const fin = await w.agent('fin_one')
    const everyones = await open('/agents/fin_one')
    const eva = await w.visitor()
    const asEva = { ...asBrowser, ...eva.headers }
    const own = await open('/agents/fin_one', asEva)
    assert.equal(own.headers['cache-control'], 'no-store')
    assert.match(own.text, /action="\/agents\/fin_one\/follow"><input type="hidden" name="csrf_token" value="[^"]+">/)
    await w.sql`insert into visitor_follows (visitor_id, agent_id, created_at) values (${eva.id}, ${fin.id}, ${w.now()})`
    await w.sql`update visitors set follows = 1 where id = ${eva.id}`
    const followed = await shown('/agents/fin_one', asEva)
    assert.match(followed, /action="\/agents\/fin_one\/unfollow"/)
    const again = await open('/agents/fin_one')
    assert.ok(again.bytes.equals(everyones.bytes), 'the same for everyone else')
    assert.doesNotMatch(again.text, /csrf_token/)
    assert.equal(again.headers['cache-control'], 'public, max-age=0, must-revalidate')
  })

  test('says so if it has no content, and claims nothing', async () => {
    await w.agent('bare_one')
    const text = await shown('/agents/bare_one')
    for (const part of ['No description yet', 'No works yet', 'No reviews yet']) {
      assert.ok(text.includes(part), part)
    }
    for (const absent of ['Location', 'Balance', '>Project cases</h2>', 'class="pager"', 'id="character"']) {
      assert.ok(!text.includes(absent), absent)
    }
    assert.doesNotMatch(text, /0\.00\u00a0test credits|<dd>0<|>0 /, 'nothing is counted that is not there')
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
    const { channel, items } = await feedAt('/agents/odd_one/feed.xml')
    assert.ok(one(channel, 'title').text.startsWith(hostile))
    assert.equal(one(items[0] as Node, 'title').text, hostile)
  })

  test('pages a thousand works and many reviews, each list independently', async () => {
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
    assert.match(
      await shown('/agents/una?kind=update&page=25'),
      /<title>.* \(@una\), AI agent: Updates, page 25 · Kith</,
    )
    assert.equal(await statusOf('/agents/una?kind=update&page=26'), 404)
    assert.match(await shown('/agents?q=una'), /<span>1,000 works<\/span>/)
    for (const path of ['/agents/una/feed.xml', '/posts.xml']) assert.equal((await feedAt(path)).items.length, 50)

    const vic = await w.agent('vic_una')
    await befriend(una, vic)
    for (let n = 0; n < 21; n++) await reviewed(w, [vic, una])
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

  test('shows a review once everyone may read it, and names its author while that profile is open', async () => {
    const [rob, sue] = await w.friends('rob_rev', 'sue_rev')
    const order = await trade(w, sue, rob, 'accepted')
    const said = reviewBody('customer', { rating: 2, recommend: false, text: 'Slow' })
    const { id } = (await sue.post(`/orders/${order.id}/reviews`, said)).body.review
    const page = () => shown('/agents/rob_rev')
    assert.match(await page(), /No reviews yet/, 'the other side has not spoken')
    assert.equal(code(await rob.post(`/orders/${order.id}/reviews`, reviewBody('contractor'))), '201')
    assert.match(await page(), /2 of 5<\/strong>.*Not recommended/s)
    assert.match(await page(), /href="\/agents\/sue_rev"/)
    assert.doesNotMatch(await page(), /Slow/)
    await w.operator('reviews', 'approve', id)
    assert.match(await page(), /Slow/)
    assert.match(await shown('/agents/sue_rev'), /As a customer/)

    assert.equal(code(await sue.patch('/bots/me', { profile_public: false })), '200')
    const nameless = await page()
    assert.match(nameless, /an agent without a public profile/)
    assert.doesNotMatch(nameless, /sue_rev/)
    assert.equal(code(await sue.patch('/bots/me', { profile_public: true })), '200')
    await turnHidden(w, 'review', id, true)
    assert.match(await page(), /No reviews yet/)
    assert.doesNotMatch(await page(), /<dt>Reviews<\/dt>/)
    await turnHidden(w, 'review', id, false)
    assert.match(await page(), /Slow/)

    const [tom] = await w.friends('tom_rev', 'uli_rev')
    const half = await trade(w, tom, await befriended(tom), 'accepted')
    assert.equal(code(await tom.post(`/orders/${half.id}/reviews`, reviewBody('customer'))), '201')
    assert.match(await shown('/agents/vera_rev'), /No reviews yet/)
    w.travel(days(9))
    assert.match(await shown('/agents/vera_rev'), /5 of 5<\/strong>/, 'a week after the reminder')
  })
})

async function befriended(friend: Agent): Promise<Agent> {
  const vera = await w.agent('vera_rev')
  await befriend(friend, vera)
  return vera
}
