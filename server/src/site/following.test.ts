// /following: whom a browser follows and what they published last, for that browser alone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Browsing } from '../../test/actors.ts'
import { asBrowser, assertPage, hostile, type PageAnswer, sendForm, visit } from '../../test/pages.ts'
import { givenPost } from '../../test/posts.ts'
import { story } from '../../test/story.ts'
import { type Agent, code } from '../../test/world.ts'
import { newId } from '../kernel/clock.ts'

const { w } = story()

const see = ({ headers }: Pick<Browsing, 'headers'>, query = ''): Promise<PageAnswer> =>
  visit(w.url, `/following${query}`, { headers: { ...asBrowser, cookie: headers.cookie } })
const follow = (who: Browsing, { id }: Agent) => who.request('PUT', `/visitor/follows/${id}`)
const worksOn = ({ text }: PageAnswer): string[] =>
  [...text.matchAll(/<h3[^>]*><a href="\/posts\/([0-9a-f-]{36})"/g)].map(([, id]) => id as string)
const handlesOn = ({ text }: PageAnswer): string[] =>
  [...text.matchAll(/action="\/agents\/(\w+)\/unfollow"/g)].map(([, handle]) => handle as string)
const linkOf = ({ text }: PageAnswer, name: string): string | undefined =>
  new RegExp(`href="([^"]*)"[^>]*>${name}<`).exec(text)?.[1]?.replaceAll('&amp;', '&')

function assertOwn(answer: PageAnswer): void {
  assert.equal(answer.status, 200)
  assertPage(answer.text, { publicUrl: w.url })
  assert.equal(answer.headers['cache-control'], 'no-store')
  assert.equal(answer.headers.etag, undefined)
  assert.match(answer.text, /<meta name="robots" content="noindex">/)
  assert.match(answer.text, /<a href="\/following" aria-current="page">/)
}

test('without a session the page says how to follow, and stores nothing', async () => {
  const plain = await visit(w.url, '/following')
  assert.equal(plain.status, 200)
  assertPage(plain.text, { publicUrl: w.url })
  assert.match(plain.text, /You do not need an account/)
  assert.match(plain.text, /<meta name="robots" content="noindex">/)
  assert.equal(plain.headers['set-cookie'], undefined)
  assert.doesNotMatch(plain.text, /csrf_token/)
  for (const query of ['?agents=0', '?before=x', '?agents=9']) {
    // Only the switch of languages knows what was asked for.
    const same = (await visit(w.url, `/following${query}`)).text.replace(`/following${query}"`, '/following"')
    assert.equal(same, plain.text, query)
  }
  assert.deepEqual(await w.sql`select 1 from visitors`, [])
})

test('a visitor who follows nobody reads how to; one whose agents have no works reads that', async () => {
  const vera = await w.visitor()
  const nobody = await see(vera)
  assertOwn(nobody)
  assert.match(nobody.text, /You do not follow anyone yet/)
  await follow(vera, await w.agent('quiet'))
  const quiet = await see(vera)
  assertOwn(quiet)
  assert.match(quiet.text, /Nothing here yet/)
  assert.match(quiet.text, /You follow 1 agent</)
  assert.deepEqual(handlesOn(quiet), ['quiet'])
})

test('the newest works come first, twenty per page, with a permanent link to the rest', async () => {
  const [vera, otto] = [await w.visitor(), await w.visitor()]
  const [ada, bob, eve] = [
    await w.agent('ada', { display_name: hostile }),
    await w.agent('bob', { display_name: '\u05d0\u05d1 '.repeat(20) }),
    await w.agent('eve'),
  ]
  const ids: string[] = []
  for (let n = 0; n < 45; n++) {
    const author = [ada, bob, eve][n % 3] as Agent
    const text = [hostile, 'x'.repeat(3000), '\u200b', '\u05e9\u05dc\u05d5\u05dd'][n % 4] as string
    const { id } = await givenPost(author, { text, title: n % 5 === 0 ? hostile : '' })
    if (author !== eve) ids.unshift(id)
    w.travel(1000)
  }
  await givenPost(ada, { visibility: 'private', title: 'Secret plans' })
  for (const agent of [ada, bob]) await follow(vera, agent)
  await follow(otto, eve)
  const pages: PageAnswer[] = [await see(vera)]
  for (;;) {
    const next = linkOf(pages.at(-1) as PageAnswer, 'Older works')
    if (!next) break
    assert.match(next, /^\/following\?before=/)
    pages.push(await see(vera, next.slice('/following'.length)))
  }
  assert.deepEqual(
    pages.map((each) => worksOn(each).length),
    [20, 10],
  )
  assert.deepEqual(pages.flatMap(worksOn), ids)
  for (const each of pages) {
    assertOwn(each)
    assert.ok(!each.text.includes(hostile))
    assert.doesNotMatch(each.text, /Secret plans/)
    assert.deepEqual(handlesOn(each), ['bob', 'ada'])
  }
  assert.equal(linkOf(pages[1] as PageAnswer, 'Newest works'), '/following')
  // The work at which it goes on may be gone by then.
  const last = worksOn(pages[0] as PageAnswer).at(-1) as string
  const author =
    ids.indexOf(last) >= 0 && (await ada.get(`/posts/${last}`)).body.post.author.handle === 'ada' ? ada : bob
  assert.equal(code(await w.request('DELETE', `/posts/${last}`, { token: author.token })), '200')
  const link = linkOf(pages[0] as PageAnswer, 'Older works') as string
  assert.deepEqual(worksOn(await see(vera, link.slice('/following'.length))), ids.slice(20))
  assert.equal(worksOn(await see(otto)).length, 15, 'another one sees its own')

  await bob.patch('/bots/me', { profile_public: false })
  const without = await see(vera)
  assert.deepEqual(handlesOn(without), ['ada'])
  assert.ok(!without.text.includes('@bob'))
  assert.equal(worksOn(without).length, ids.filter((id) => id !== last).length - 15 + Number(author === bob))
  await bob.patch('/bots/me', { profile_public: true })
  const end = await see(vera, `?before=0-${newId(w.now())}`)
  assertOwn(end)
  assert.match(end.text, /No older works/)
})

test('agents are listed twenty per page; a button there leads back to that page', async () => {
  const vera = await w.visitor()
  const handles: string[] = []
  for (let n = 0; n < 23; n++) {
    const agent = await w.agent(`crowd_${n}`)
    await follow(vera, agent)
    w.travel(1000)
    handles.unshift(agent.handle)
  }
  const [first, second] = [await see(vera), await see(vera, '?agents=2')]
  assert.deepEqual([...handlesOn(first), ...handlesOn(second)], handles)
  assert.match(first.text, /You follow 23 agents/)
  assert.equal(linkOf(first, 'Next'), '/following?agents=2#followed')
  assert.equal(linkOf(second, 'Previous'), '/following#followed')
  assert.equal(linkOf(second, 'Next'), undefined)
  const form =
    /<form class="follow" method="post" action="\/agents\/crowd_2\/unfollow">(.*?)<\/form>/.exec(second.text)?.[1] ?? ''
  const fields = [...form.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(
    ([, name, value]) => [name, value] as [string, string],
  )
  const sent = await sendForm(w.url, '/agents/crowd_2/unfollow', {
    body: new URLSearchParams(fields).toString(),
    headers: { cookie: vera.headers.cookie, 'sec-fetch-site': 'same-origin' },
  })
  assert.deepEqual([sent.status, sent.headers.location], [303, '/following?agents=2'])
  assert.deepEqual(
    handlesOn(await see(vera, '?agents=2')),
    handles.slice(20).filter((each) => each !== 'crowd_2'),
  )
})

test('a page number beyond the lists is the 404 page', async () => {
  const vera = await w.visitor()
  const id = newId(w.now())
  for (const query of [
    '?agents=0',
    '?agents=2',
    '?agents=x',
    '?agents=01',
    '?agents=',
    '?before=',
    '?before=x',
    `?before=${id}`,
    `?before=1-${id.toUpperCase()}`,
    `?before=-1-${id}`,
    `?before=1e3-${id}`,
    `?before=999999999999999-${id}`,
    '?agents=1&agents=1',
    `?before=1-${id}&before=1-${id}`,
  ]) {
    const answer = await see(vera, query)
    assert.equal(answer.status, 404, query)
    assertPage(answer.text, { publicUrl: w.url })
  }
  assert.equal((await see(vera, '?page=9&x=1&x=2')).status, 200, 'what is not read')
  assert.equal((await see(vera, `?before=99999999999999-${id}`)).status, 200)
})
