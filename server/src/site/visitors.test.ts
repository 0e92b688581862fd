// The forms of visitors, as a browser without scripts sends them: what each does, whom it is taken from, and what it says where
// it does not.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Browsing } from '../../test/actors.ts'
import { asBrowser, assertPage, hostile, type PageAnswer, sendForm, visit } from '../../test/pages.ts'
import { givenPost } from '../../test/posts.ts'
import { beforehand, story } from '../../test/story.ts'
import { turnHidden } from '../../test/turning.ts'
import { asked, followsOf, votesIn } from '../../test/visitors.ts'
import { code, worldFor } from '../../test/world.ts'
import { hours, minutes } from '../kernel/clock.ts'

const { w } = story()
const ada = beforehand(() => w.agent('ada', { display_name: hostile }))

const own = { 'sec-fetch-site': 'same-origin' }
type Fields = Record<string, string>
const bodyOf = (fields: Fields): string => new URLSearchParams(fields).toString()

/** A form as a page without a session has it. */
const fresh = (path: string, fields: Fields = {}, headers: Record<string, string> = {}, at = w): Promise<PageAnswer> =>
  sendForm(at.url, path, { body: bodyOf(fields), headers: { ...own, ...headers } })

/** A form as the page of a session has it. */
const press = (
  { headers }: Pick<Browsing, 'headers'>,
  path: string,
  fields: Fields = {},
  at = w,
): Promise<PageAnswer> =>
  fresh(path, { ...fields, csrf_token: headers['x-csrf-token'] }, { cookie: headers.cookie }, at)

const setBy = ({ headers }: PageAnswer): string | undefined => headers['set-cookie']?.[0]?.split(';', 1)[0]
const sessions = async (): Promise<number> =>
  Number((await w.sql<{ n: number }>`select count(*)::int as n from visitors`)[0]?.n)
const likes = async (postId: string): Promise<number> => (await ada.get(`/posts/${postId}`)).body.post.reactions.like

function assertLeads(answer: PageAnswer, to: string): void {
  assert.deepEqual([answer.status, answer.headers.location], [303, to], answer.text.slice(0, 300))
  assert.equal(answer.headers['cache-control'], 'no-store')
}

function assertSays(answer: PageAnswer, status: number, words: RegExp): void {
  assert.equal(answer.status, status, answer.text.slice(0, 300))
  assertPage(answer.text, { publicUrl: w.url })
  assert.match(answer.text, words)
  assert.equal(answer.headers['cache-control'], 'no-store')
  assert.equal(answer.headers['set-cookie'], undefined)
}

test('the first form begins the session and takes effect at once', async () => {
  const { id } = await givenPost(ada)
  const first = await fresh(`/posts/${id}/react`, { kind: 'like' })
  assertLeads(first, `/posts/${id}#reactions`)
  assert.match(
    String(first.headers['set-cookie']),
    /^kith_visitor=[^;]+; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax$/,
  )
  assert.equal(await likes(id), 1)
  const cookie = setBy(first) as string
  const page = await visit(w.url, '/following', { headers: { ...asBrowser, cookie } })
  assert.equal(page.headers['cache-control'], 'no-store')
  const opened = await w.request('POST', '/visitor/session', {
    json: {},
    headers: { cookie, origin: w.service.publicUrl },
  })
  assert.equal(opened.status, 200, 'the API knows the session too')
  const me = { headers: { cookie, 'x-csrf-token': opened.body.csrf_token } }
  for (let n = 0; n < 2; n++) {
    const again = await press(me, `/posts/${id}/react`, { kind: 'like' })
    assertLeads(again, `/posts/${id}#reactions`)
    assert.equal(again.headers['set-cookie'], undefined, 'it has one')
  }
  assert.equal(await likes(id), 1)
  assertLeads(await press(me, `/posts/${id}/unreact`, { kind: 'like' }), `/posts/${id}#reactions`)
  assert.equal(await likes(id), 0)
})

test('an agent is followed in three presses from the first page, and the button answers that it is', async () => {
  await givenPost(ada, { title: 'A lighthouse' })
  const seen = async (path: string, cookie?: string) =>
    (await visit(w.url, path, { headers: { ...asBrowser, ...(cookie !== undefined && { cookie }) } })).text
  let presses = 0
  const pressed = <T>(done: T): T => {
    presses++
    return done
  }
  assert.ok((await seen('/')).includes('href="/agents/ada"'))
  const profile = pressed(await seen('/agents/ada'))
  assert.match(profile, /action="\/agents\/ada\/follow">.*Follow<span class="heard"> @ada</)
  const sent = pressed(await fresh('/agents/ada/follow'))
  assertLeads(sent, '/agents/ada')
  const cookie = setBy(sent)
  assert.ok(presses <= 3)
  const following = /action="\/agents\/ada\/unfollow">.*<button[^>]*>Following<span class="heard"> @ada. Unfollow</
  assert.match(await seen('/agents/ada', cookie), following)
  const list = await seen('/following', cookie)
  assert.match(list, /action="\/agents\/ada\/unfollow">.*<button[^>]*>Unfollow<span class="heard"> @ada</)
})

test('following, voting and changing a vote lead back to the page', async () => {
  const vera = await w.visitor()
  const { postId, options } = await asked(w, ada)
  assertLeads(await press(vera, '/agents/ada/follow'), '/agents/ada')
  assertLeads(await press(vera, '/agents/ada/follow', { to: '/agents?q=ada#x' }), '/agents?q=ada#x')
  assert.deepEqual(await followsOf(vera), ['ada'])
  assertLeads(await press(vera, '/agents/ada/unfollow', { to: '/following?agents=2' }), '/following?agents=2')
  assert.deepEqual(await followsOf(vera), [])
  for (const option of options) {
    assertLeads(await press(vera, `/posts/${postId}/vote`, { option_id: option }), `/posts/${postId}#poll`)
  }
  assert.deepEqual(await votesIn(ada, postId), [0, 0, 1])
  const shown = await visit(w.url, `/posts/${postId}`, { headers: { cookie: vera.headers.cookie } })
  assert.match(shown.text, new RegExp(`action="/posts/${postId}/unvote"[\\s\\S]*Withdraw vote`))
  assertLeads(await press(vera, `/posts/${postId}/unvote`), `/posts/${postId}#poll`)
  assert.deepEqual(await votesIn(ada, postId), [0, 0, 0])
  const after = await visit(w.url, `/posts/${postId}`, { headers: { cookie: vera.headers.cookie } })
  assert.doesNotMatch(after.text, /unvote/, 'there is nothing to take back')
})

test('a refused first form leaves no session and no cookie', async () => {
  const { postId, options } = await asked(w, ada)
  const { id: gone } = await givenPost(ada)
  await turnHidden(w, 'post', gone, true)
  const { id: draft } = await givenPost(ada, { visibility: 'private' })
  const count = await sessions()
  const none: [string, Fields, number][] = [
    ['/agents/nobody/follow', {}, 404],
    ['/agents/Ada/follow', {}, 404],
    ['/agents/%00/follow', {}, 404],
    [`/agents/${ada.id}/follow`, {}, 404],
    [`/agents/${'a'.repeat(33)}/follow`, {}, 404],
    [`/posts/${gone}/react`, { kind: 'like' }, 404],
    [`/posts/${draft}/react`, { kind: 'like' }, 404],
    [`/posts/${postId}/react`, { kind: 'hate' }, 404],
    [`/posts/${postId}/react`, { kind: 'LIKE' }, 404],
    [`/posts/${postId}/react`, { kind: '__proto__' }, 404],
    [`/posts/${postId}/react`, {}, 404],
    [`/posts/${postId.toUpperCase()}/react`, { kind: 'like' }, 404],
    [`/posts/x/react`, { kind: 'like' }, 404],
    [`/posts/${gone}/vote`, { option_id: options[0] as string }, 404],
    [`/posts/${postId}/vote`, { option_id: randomUUID() }, 400],
    [`/posts/${postId}/vote`, { option_id: 'x' }, 400],
    [`/posts/${postId}/vote`, {}, 400],
  ]
  for (const [path, fields, status] of none) {
    const answer = await fresh(path, fields)
    assertSays(answer, status, status === 404 ? /Page not found/ : /Request not accepted/)
  }
  await ada.post(`/posts/${postId}/poll/close`, { operation_id: randomUUID() })
  assertSays(await fresh(`/posts/${postId}/vote`, { option_id: options[0] as string }), 409, /This poll is closed/)
  const timed = await asked(w, ada)
  w.travel(minutes(30))
  const late = await fresh(`/posts/${timed.postId}/vote`, { option_id: timed.options[0] as string })
  assertSays(late, 409, /This poll is closed/)
  assert.equal(await sessions(), count)
})

test('withdrawing without a session changes nothing and begins none', async () => {
  const { id } = await givenPost(ada)
  const count = await sessions()
  assertLeads(await fresh('/agents/ada/unfollow', { to: '/following' }), '/following')
  const answer = await fresh(`/posts/${id}/unreact`, { kind: 'like' })
  assertLeads(answer, `/posts/${id}#reactions`)
  assertLeads(await fresh(`/posts/${id}/unvote`), `/posts/${id}#poll`)
  assert.equal(answer.headers['set-cookie'], undefined)
  assert.equal(await sessions(), count)
})

test('reactions, votes and follows can be withdrawn even if the target is gone', async () => {
  const vera = await w.visitor()
  const cleo = await w.agent('cleo')
  const { id } = await givenPost(cleo)
  await press(vera, '/agents/cleo/follow')
  await press(vera, `/posts/${id}/react`, { kind: 'wow' })
  await cleo.patch('/bots/me', { profile_public: false })
  assertSays(await press(vera, '/agents/cleo/follow'), 404, /Page not found/)
  assertLeads(await press(vera, '/agents/cleo/unfollow'), '/agents/cleo')
  assertLeads(await press(vera, `/posts/${id}/unreact`, { kind: 'wow' }), `/posts/${id}#reactions`)
  await cleo.patch('/bots/me', { profile_public: true })
  assert.deepEqual(await followsOf(vera), [])
  assert.equal((await cleo.get(`/posts/${id}`)).body.post.reactions.wow, 0)
})

test('no form reveals that a profile was closed', async () => {
  const vera = await w.visitor()
  await w.agent('shut', { profile_public: false })
  for (const word of ['follow', 'unfollow']) {
    const [closed, unknown] = await Promise.all(
      ['shut', 'nobody'].map((handle) => press(vera, `/agents/${handle}/${word}`, { to: '/agents' })),
    )
    assert.deepEqual(
      [closed?.status, closed?.headers.location, closed?.text],
      [unknown?.status, unknown?.headers.location, unknown?.text],
      word,
    )
  }
})

test('a form from another session, or from a page older than this one, shows a page that renews it', async () => {
  const [vera, otto] = [await w.visitor(), await w.visitor()]
  const { postId, options } = await asked(w, ada)
  const forms: [string, Fields][] = [
    ['/agents/ada/follow', { to: '/agents/ada' }],
    ['/agents/ada/unfollow', {}],
    [`/posts/${postId}/react`, { kind: 'like' }],
    [`/posts/${postId}/unreact`, { kind: 'like' }],
    [`/posts/${postId}/vote`, { option_id: options[0] as string }],
    [`/posts/${postId}/unvote`, {}],
  ]
  for (const [path, fields] of forms) {
    for (const token of [undefined, '', 'x', otto.headers['x-csrf-token'], vera.headers.cookie]) {
      const answer = await fresh(
        path,
        { ...fields, ...(token !== undefined && { csrf_token: token }) },
        { cookie: vera.headers.cookie },
      )
      assertSays(answer, 403, /This page is out of date/)
    }
  }
  const { cookie } = vera.headers
  for (const [referer, to] of [
    [`${w.service.publicUrl}/posts/${postId}`, `/posts/${postId}`],
    [`${w.service.publicUrl}.evil.example/x`, '/'],
    [`${w.service.publicUrl}//evil.example`, '/'],
    ['https://evil.example/', '/'],
  ] as const) {
    const answer = await fresh(`/posts/${postId}/react`, { kind: 'like' }, { cookie, referer })
    assert.ok(answer.text.includes(`<a class="button" href="${to}">Reload page</a>`), referer)
  }
  const bare = await sendForm(w.url, '/agents/ada/follow', { headers: { cookie: vera.headers.cookie } })
  assertSays(bare, 403, /Request not accepted/)
  assert.deepEqual(await followsOf(vera), [])
  assert.equal(await likes(postId), 0)
  assert.deepEqual(await votesIn(ada, postId), [0, 0, 0])
})

test('forms count with the API’s changes, and sessions with those it begins', async (t) => {
  const few = await worldFor(t, { env: { WRITE_LIMIT_PER_MINUTE: '3', VISITOR_LIMIT_PER_HOUR: '2' } })
  await few.agent('bob')
  const vera = await few.visitor()
  assert.equal(code(await vera.request('PUT', `/visitor/follows/${randomUUID()}`)), '404 not_found')
  for (let n = 0; n < 2; n++) assertLeads(await press(vera, '/agents/bob/follow', {}, few), '/agents/bob')
  const over = await press(vera, '/agents/bob/unfollow', {}, few)
  assertSays(over, 429, /Too many requests/)
  assert.match(String(over.headers['retry-after']), /^[1-9]\d?$/)
  assert.deepEqual(await followsOf(vera), ['bob'])

  const origin = few.service.publicUrl
  assert.equal((await few.request('POST', '/visitor/session', { json: {}, headers: { origin } })).status, 201)
  const firsts = await Promise.all(Array.from({ length: 20 }, () => fresh('/agents/bob/follow', {}, {}, few)))
  assert.equal(firsts.filter(({ status }) => status === 303).length, 1)
  const refused = firsts.filter(({ status }) => status !== 303)
  for (const each of refused) {
    assertSays(each, 429, /Too many visitors from your network/)
    assert.match(String(each.headers['retry-after']), /^[1-9]\d{0,3}$/)
  }
  const [count] = await few.sql<{ n: number }>`select count(*)::int as n from visitors`
  assert.equal(count?.n, 3, 'vera, who came by the API, and who came by the form')
  few.travel(hours(1))
  assertLeads(await fresh('/agents/bob/follow', {}, {}, few), '/agents/bob')
})

test('a visitor follows at most a thousand agents, and the page says so', async () => {
  const vera = await w.visitor()
  const pretend = (by: number) => w.sql`update visitors set follows = follows + ${by}::int where id = ${vera.id}`
  await pretend(1000)
  const answer = await press(vera, '/agents/ada/follow')
  assertSays(answer, 429, /You can follow at most 1,000 agents/)
  assert.ok(Number(answer.headers['retry-after']) > 0)
  await pretend(-1000)
})

test("refusals are in the reader's language", async () => {
  const { postId, options } = await asked(w, ada)
  await ada.post(`/posts/${postId}/poll/close`, { operation_id: randomUUID() })
  const answer = await fresh(`/posts/${postId}/vote`, { option_id: options[0] as string }, { 'accept-language': 'ru' })
  assertSays(answer, 409, /Этот опрос закрыт/)
})
