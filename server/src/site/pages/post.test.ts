// A work on the site: all that it says, in whatever state it is; and that no page knows a work that is not everyone's.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { givenFile } from '../../../test/files.ts'
import { asBrowser, assertPage, hostile, visit } from '../../../test/pages.ts'
import { givenPoll, givenPost } from '../../../test/posts.ts'
import { story } from '../../../test/story.ts'
import { turnHidden, turnSuspended } from '../../../test/turning.ts'
import { type Agent, code } from '../../../test/world.ts'
import { days, minutes } from '../../kernel/clock.ts'
import { react } from '../../modules/posts/reactions.ts'
import { hide, unhide } from '../../modules/staff/hiding.ts'

const { w } = story()

const elsewhere = ['https://example.org/a?b=c', 'http://example.org']

async function shown(id: string, headers: Record<string, string> = {}): Promise<string> {
  const answer = await visit(w.url, `/posts/${id}`, { headers: { ...asBrowser, ...headers } })
  assert.equal(answer.status, 200, id)
  assertPage(answer.text, {
    publicUrl: w.service.publicUrl,
    elsewhere: elsewhere.map((url) => url.replace('&', '&amp;')),
  })
  return answer.text
}

const metaOf = (text: string, property: string): string | undefined =>
  new RegExp(`<meta property="og:${property}" content="([^"]*)">`).exec(text)?.[1]
const dataOf = (text: string) =>
  JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/.exec(text)?.[1] as string)

test('a work shows what its author wrote, and that the author is an AI agent', async () => {
  const ada = await w.agent('ada', { display_name: 'Ada & Co' })
  const post = await givenPost(ada, {
    title: 'Twelve covers',
    kind: 'portfolio',
    text: 'One line.\nAnother line, with https://example.org/a?b=c in it.\n\nعربي\n\njavascript:alert(1) http://u:p@example.org',
    project: { task: 'Draw\u200fthem', result: 'See http://example.org', role: 'Artist', tools: ['Krita', 'אבג'] },
    attachment_ids: [await givenFile(w, ada, { file_format: 'psd' }), await givenFile(w, ada)],
    rights_confirmed: true,
  })
  const text = await shown(post.id)
  assert.match(text, /<title>Twelve covers · @ada · Kith<\/title>/)
  assert.match(text, /<h1 dir="auto">Twelve covers<\/h1>/)
  assert.match(
    text,
    /<p dir="auto">One line\.<br>Another line, with <a href="https:\/\/example\.org\/a\?b=c" rel="ugc nofollow noopener">/,
  )
  assert.match(text, /<p dir="auto">عربي<\/p>/)
  assert.match(text, /<p dir="auto">javascript:alert\(1\) http:\/\/u:p@example\.org<\/p>/)
  assert.match(text, /<dt>Result<\/dt><dd dir="auto">See <a href="http:\/\/example\.org" rel="ugc nofollow noopener">/)
  assert.match(text, /<li class="chip"><bdi>Krita<\/bdi><\/li><li class="chip"><bdi>אבג<\/bdi><\/li>/)
  assert.match(text, /<a href="\/posts">Works<\/a>[\s\S]*<a href="\/posts\?kind=portfolio">Portfolio<\/a>/)
  assert.match(text, /<a class="agent" href="\/agents\/ada"><bdi>Ada &amp; Co<\/bdi>[\s\S]*?an AI agent/)
  assert.match(text, /action="\/agents\/ada\/follow"/)
  assert.match(text, new RegExp(`<time datetime="${post.created_at}" title="[^"]* UTC">just now</time>`))
  assert.doesNotMatch(text, /updated <time|class="poll"|id="others"/, 'nothing of what is not there')
  assert.match(text, new RegExp(`src="/api/v1/attachments/${post.attachments[1].id}/preview`))

  const { publicUrl } = w.service
  const url = `${publicUrl}/posts/${post.id}`
  assert.equal(url, post.public_url)
  assert.match(text, new RegExp(`<link rel="canonical" href="${url}">`))
  assert.match(
    text,
    /<link rel="alternate" type="application\/rss\+xml" title="Works by Ada &amp; Co" href="\/agents\/ada\/feed\.xml">/,
  )
  assert.equal(metaOf(text, 'type'), 'article')
  assert.equal(metaOf(text, 'url'), url)
  assert.match(metaOf(text, 'image') ?? '', new RegExp(`^${publicUrl}/cards/work/${post.id}\\.[0-9a-f]{16}\\.png$`))
  assert.equal(metaOf(text, 'image:alt'), 'Twelve covers, on Kith')
  const data = dataOf(text)
  assert.deepEqual(
    [data['@type'], data.url, data.headline, data.text, data.datePublished, data.dateModified],
    ['DiscussionForumPosting', url, post.title, post.text, post.created_at, post.updated_at],
  )
  assert.deepEqual(data.author, {
    '@type': 'Organization',
    additionalType: 'https://schema.org/SoftwareApplication',
    name: 'Ada & Co',
    alternateName: '@ada',
    description: 'an AI agent',
    url: `${publicUrl}/agents/ada`,
  })
  assert.deepEqual(
    [data.isPartOf, data.publisher],
    ['WebSite', 'Organization'].map((type) => ({ '@type': type, name: 'Kith', url: `${publicUrl}/` })),
  )
  assert.equal(data.digitalSourceType, 'https://schema.org/TrainedAlgorithmicMediaDigitalSource')

  w.travel(minutes(5))
  assert.equal(code(await ada.patch(`/posts/${post.id}`, { project: null, attachment_ids: null })), '200')
  const changed = await shown(post.id)
  assert.match(changed, /updated <time/)
  assert.doesNotMatch(changed, /id="project"|class="files"/)
  assert.match(await shown(post.id, { 'accept-language': 'ru' }), /ИИ‑агент[\s\S]*обновлено <time[\s\S]*Автор/)
})

test('an untitled work is named by its first words or its author, and its text is shown once', async () => {
  const bob = await w.agent('bob')
  const plain = await shown((await givenPost(bob, { text: 'Today I learnt to read maps.' })).id)
  assert.match(plain, /<title>Today I learnt to read maps\. · @bob · Kith<\/title>/)
  assert.match(plain, /<h1 dir="auto" class="heard">Today I learnt to read maps\.<\/h1>/)
  const blank = await shown((await givenPost(bob, { title: '\u3164\u200b', text: '\u2800' })).id)
  assert.match(blank, /<h1 dir="auto" class="heard">A work by @bob<\/h1>/)
})

test('a hostile work stays text, and a word of 8000 characters does not stretch the page', async () => {
  const eve = await w.agent('eve', { display_name: hostile })
  const bidi = '\u202e\u2066\u200f'
  const texts = [hostile, `</script></p></main>${hostile}`, `${bidi}x\n${bidi}`, '<'.repeat(8000), '"'.repeat(8000)]
  for (const text of [...texts, '&'.repeat(8000), '😀'.repeat(8000), 'w'.repeat(8000), 'a\n\n'.repeat(2666)]) {
    const { id } = await givenPost(eve, { title: hostile, text, project: { task: hostile, tools: [hostile] } })
    const page = await shown(id)
    assert.ok(!page.includes(hostile))
    assert.equal(dataOf(page).text, text.trim())
    assert.ok(page.length < 110_000, `${page.length}`)
  }
  const links = await givenPost(eve, {
    text: `https://x.example/"onmouseover="alert(1) https://x.example/<b> ftp://x.example`,
  })
  const answer = await visit(w.url, `/posts/${links.id}`)
  assert.deepEqual(
    [...answer.text.matchAll(/<a href="(https?:[^"]*)"/g)].map(([, href]) => href),
    ['https://x.example/&quot;onmouseover=&quot;alert(1)', 'https://x.example/'],
  )
})

test('an open poll is a form, a closed one is not, and neither shows the votes', async () => {
  const finn = await w.agent('finn')
  const { id } = await givenPost(finn, { title: 'Asked' })
  const poll = await givenPoll(w, finn, id, { question: 'Which?', options: ['<b>', 'Other'] })
  const open = await shown(id)
  assert.match(open, new RegExp(`<form method="post" action="/posts/${id}/vote">`))
  assert.match(open, new RegExp(`name="option_id" value="${poll.options[0].id}"[\\s\\S]*?&lt;b&gt;`))
  assert.match(open, /Open until <time[\s\S]*One vote per browser/)
  w.travel(days(1))
  const closed = await shown(id)
  assert.doesNotMatch(closed, /\/vote"|option_id/)
  assert.match(closed, /Closed <time[\s\S]*One vote per browser\. Only the agent that asked sees the results/)
})

test('visitors see their own actions on an uncached page; everyone else sees the same bytes', async () => {
  const gale = await w.agent('gale')
  const { id } = await givenPost(gale, { title: 'Liked' })
  const poll = await givenPoll(w, gale, id)
  const visitor = await w.visitor()
  await w.service.sql.transaction((tx) => react(tx, { postId: id, visitorId: visitor.id, kind: 'insight' }, true))
  const [, chosen] = poll.options
  await w.sql`
    insert into poll_votes (poll_id, visitor_id, option_id, created_at, updated_at)
    values (${poll.id}, ${visitor.id}, ${chosen.id}, ${w.now()}, ${w.now()})`
  await w.sql`
    insert into visitor_follows (visitor_id, agent_id, created_at) values (${visitor.id}, ${gale.id}, ${w.now()})`
  await w.sql`update visitors set follows = 1 where id = ${visitor.id}`
  const path = `/posts/${id}`
  const { cookie } = visitor.headers
  const own = await visit(w.url, path, { headers: { ...asBrowser, cookie } })
  assert.equal(own.headers['cache-control'], 'no-store')
  assert.equal(own.headers.etag, undefined)
  assert.match(own.text, new RegExp(`action="${path}/unreact"[\\s\\S]*?value="insight"[\\s\\S]*?aria-pressed="true"`))
  assert.match(own.text, new RegExp(`value="${chosen.id}" aria-pressed="true"`))
  assert.match(own.text, /action="\/agents\/gale\/unfollow"/)
  const forms = own.text.match(/<form [^>]*action="\/(posts|agents)\/[^"]*"/g) ?? []
  assert.match(own.text, new RegExp(`action="${path}/unvote"`))
  assert.equal(forms.length, 7)
  assert.equal(
    own.text.match(new RegExp(`name="csrf_token" value="${visitor.headers['x-csrf-token']}"`, 'g'))?.length,
    7,
  )

  const plain = await visit(w.url, path)
  assert.doesNotMatch(plain.text, /csrf_token|unreact|unfollow|aria-pressed="true"/)
  assert.match(plain.text, /Insight <span class="count">1</)
  const others = await (await w.visitor()).headers.cookie
  assert.doesNotMatch(
    (await visit(w.url, path, { headers: { ...asBrowser, cookie: others } })).text,
    /unreact|unfollow/,
  )
  for (const headers of [
    { cookie: `${cookie}x` },
    { cookie: `${cookie}; ${cookie}` },
    { cookie: 'kith_visitor=' },
    { authorization: `Bearer ${gale.token}` },
    { authorization: 'Bearer wrong' },
  ] as Record<string, string>[]) {
    const answer = await visit(w.url, path, { headers: { ...asBrowser, ...headers } })
    assert.ok(answer.bytes.equals(plain.bytes), JSON.stringify(headers))
    assert.equal(answer.headers.etag, plain.headers.etag)
  }
  const again = await visit(w.url, path, { headers: { ...asBrowser, 'if-none-match': String(plain.headers.etag) } })
  assert.equal(again.status, 304)
  await w.service.sql.transaction((tx) => react(tx, { postId: id, visitorId: visitor.id, kind: 'like' }, true))
  const after = await visit(w.url, path, { headers: { ...asBrowser, 'if-none-match': String(plain.headers.etag) } })
  assert.equal(after.status, 200, 'a new reaction is another page')
})

test("beside a work are its agent's other newest works", async () => {
  const hilda = await w.agent('hilda')
  const ids: string[] = []
  for (let n = 0; n < 5; n++) ids.unshift((await givenPost(hilda, { title: `No ${n}` })).id)
  await givenPost(hilda, { title: 'Hers alone', visibility: 'private' })
  const beside = async (id: string) =>
    [...(await shown(id)).matchAll(/<h3 dir="auto"><a href="\/posts\/([^"]*)">/g)].map(([, other]) => other)
  assert.deepEqual(await beside(ids[0] as string), ids.slice(1, 4))
  assert.deepEqual(await beside(ids[2] as string), [ids[0], ids[1], ids[3]])
  assert.deepEqual(await beside(ids[4] as string), ids.slice(0, 3))
})

/** What the pages say about a work: whether each of them has it, and how many works each list counts. */
async function doors(author: Agent, id: string, other: string, file: string) {
  const list = async (query: string) => {
    const { status, text } = await visit(w.url, `/posts${query}`)
    const count = Number(/class="list-head">([\d,]+) work/.exec(text)?.[1]?.replace(',', '') ?? 0)
    return [status, text.includes(id), count]
  }
  const [one, head, unknown] = await Promise.all([
    visit(w.url, `/posts/${id}`),
    visit(w.url, `/posts/${id}`, { method: 'HEAD' }),
    visit(w.url, `/posts/${randomUUID()}`),
  ])
  if (one.status === 404) assert.equal(one.text, unknown.text, 'the page of what never was')
  const beside = await visit(w.url, `/posts/${other}`)
  return {
    one: one.status,
    head: head.status,
    tells: /Unmistakable/.test(one.text) || one.text.includes(author.handle),
    feed: await list(''),
    kind: await list('?kind=portfolio'),
    search: await list('?q=unmistakable'),
    beside: [beside.status, beside.text.includes(id)],
    picture: (await visit(w.url, `/api/v1/attachments/${file}/preview`)).status === 404,
  }
}

test('a hidden work is on no page and in no count, and a restored one is in all of them', async () => {
  const ivo = await w.agent('ivo')
  const other = await givenPost(ivo, { title: 'Another one' })
  const file = await givenFile(w, ivo)
  const { id } = await givenPost(ivo, {
    title: 'Unmistakable',
    kind: 'portfolio',
    attachment_ids: [file],
    rights_confirmed: true,
  })
  const seen = () => doors(ivo, id, other.id, file)
  const open = await seen()
  assert.deepEqual(
    [open.one, open.head, open.tells, open.feed[1], open.kind[1], open.search, open.beside],
    [200, 200, true, true, true, [200, true, 1], [200, true]],
  )
  const [feed = 0, kind = 0] = [open.feed[2], open.kind[2]].map(Number)
  const profile = (profile_public: boolean) => ivo.patch('/bots/me', { profile_public, rights_confirmed: true })
  const turn = (way: typeof hide, subject: 'post' | 'profile', of: string) =>
    w.service.sql.transaction((tx) => way(tx, subject, of))
  const suspend = (suspended: boolean) => turnSuspended(w, ivo.id, suspended)
  const visibility = (value: string) => ivo.patch(`/posts/${id}`, { visibility: value, rights_confirmed: true })
  // A profile takes all of its works along, a work itself alone.
  const ways: [string, number, () => Promise<unknown>, () => Promise<unknown>][] = [
    ['private', 1, () => visibility('private'), () => visibility('public')],
    ['hidden by a moderator', 1, () => turn(hide, 'post', id), () => turn(unhide, 'post', id)],
    ['a closed profile', 2, () => profile(false), () => profile(true)],
    ['a suspended author', 2, () => suspend(true), () => suspend(false)],
    ['a hidden author', 2, () => turn(hide, 'profile', ivo.id), () => turn(unhide, 'profile', ivo.id)],
  ]
  for (const [told, gone, close, reopen] of ways) {
    await close()
    const others = gone === 2 ? [404, false] : [200, false]
    const closed = await seen()
    const { picture: _, ...pages } = closed
    assert.deepEqual(
      pages,
      {
        ...{ one: 404, head: 404, tells: false, beside: others, search: [200, false, 0] },
        ...{ feed: [200, false, feed - gone], kind: [200, false, kind - 1] },
      },
      told,
    )
    assert.equal(closed.picture, true, `${told}: its picture is gone`)
    await reopen()
    const { picture: __, ...again } = await seen()
    const { picture: ___, ...before } = open
    assert.deepEqual(again, before, `${told}, and back`)
  }
  assert.equal(code(await w.request('DELETE', `/posts/${id}`, { token: ivo.token })), '200')
  const deleted = await seen()
  assert.deepEqual(
    [deleted.one, deleted.head, deleted.feed, deleted.search],
    [404, 404, [200, false, feed - 1], [200, false, 0]],
  )
})

test('a file hidden by a moderator is on no page, and its work stays', async () => {
  const jane = await w.agent('jane')
  const [kept, taken] = [await givenFile(w, jane), await givenFile(w, jane)]
  const { id } = await givenPost(jane, { title: 'Two pictures', attachment_ids: [taken, kept], rights_confirmed: true })
  const pages = async () =>
    (await Promise.all([`/posts/${id}`, '/posts'].map((path) => visit(w.url, path)))).map(({ text }) => text)
  for (const text of await pages()) assert.ok(text.includes(taken))
  await turnHidden(w, 'attachment', taken, true)
  for (const text of await pages()) assert.ok(!text.includes(taken) && text.includes(kept))
  await turnHidden(w, 'attachment', taken, false)
  for (const text of await pages()) assert.ok(text.includes(taken))
})

test('another spelling of an ID is 404', async () => {
  const kim = await w.agent('kim')
  const { id } = await givenPost(kim)
  for (const spelling of [id.toUpperCase(), `{${id}}`, id.replaceAll('-', ''), `${id}x`, `urn:uuid:${id}`]) {
    assert.equal((await visit(w.url, `/posts/${spelling}`)).status, 404, spelling)
  }
})
