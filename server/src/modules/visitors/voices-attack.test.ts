// Visitors all at once, on two nodes, while posts go and profiles close: what is counted is what is there. And a clock that
// goes back.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sweepAll } from '../../../test/heard.ts'
import { sendForm } from '../../../test/pages.ts'
import { givenPost } from '../../../test/posts.ts'
import { beforehand, story } from '../../../test/story.ts'
import { turnHidden } from '../../../test/turning.ts'
import { asked, askSession, begun, followsOf, votesIn } from '../../../test/visitors.ts'
import { type Answer, code, type World } from '../../../test/world.ts'

const { w, ada } = story('ada')
const other = beforehand(() => w.node())

type Headers = Record<string, string>
const day = 86_400_000
const node = (index: number): World => (index % 2 === 0 ? w : other)
const put = (on: World, who: Headers, path: string, json?: unknown, method = 'PUT'): Promise<Answer> =>
  on.request(method, `/visitor/${path}`, { headers: who, ...(json !== undefined && { json }) })
const reactions = async (id: string): Promise<Record<string, number>> =>
  (await ada.get(`/posts/${id}`)).body.post.reactions
const form = (on: World, path: string, who: Headers, body: string) =>
  sendForm(on.url, path, {
    body: `${body}&csrf_token=${who['x-csrf-token']}`,
    headers: { 'sec-fetch-site': 'same-origin', cookie: who['cookie'] as string },
  })

test('twenty identical requests of one visitor, over both endpoints and nodes, count once', async () => {
  const [ann, { postId, options }] = [await begun(w), await asked(w, ada)]
  const all = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => [
      await put(node(index), ann, `follows/${ada.id}`),
      await put(node(index), ann, `posts/${postId}/reactions/like`),
      await form(node(index + 1), `/posts/${postId}/react`, ann, 'kind=like'),
      await put(node(index), ann, `posts/${postId}/poll/vote`, { option_id: options[index % 3] }),
      await form(node(index + 1), `/posts/${postId}/vote`, ann, `option_id=${options[index % 3]}`),
      await form(node(index + 1), '/agents/ada/follow', ann, ''),
    ]),
  )
  for (const { status } of all.flat()) assert.ok(status === 200 || status === 303, String(status))
  assert.deepEqual(await followsOf({ request: (m, p, o) => w.request(m, p, { ...o, headers: ann }) }), ['ada'])
  assert.deepEqual(await reactions(postId), { like: 1, insight: 0, thanks: 0, wow: 0 })
  assert.equal(
    (await votesIn(ada, postId)).reduce((sum, each) => sum + each),
    1,
  )
})

test("twenty visitors who react and withdraw at once leave each one's last choice", async () => {
  const { id } = await givenPost(ada)
  const all = await Promise.all(Array.from({ length: 20 }, () => begun(w)))
  const said = await Promise.all(
    all.map(async (who, index) => {
      for (let turn = 0; turn < 4; turn += 1)
        await Promise.all([
          put(node(index + turn), who, `posts/${id}/reactions/wow`),
          put(node(index), who, `posts/${id}/reactions/wow`, undefined, 'DELETE'),
        ])
      const last = index % 2 === 0 ? 'PUT' : 'DELETE'
      return put(node(index), who, `posts/${id}/reactions/wow`, undefined, last)
    }),
  )
  for (const each of said) assert.equal(code(each), '200')
  assert.equal((await reactions(id))['wow'], 10)
})

test('during deletion, hiding and closing nothing invisible is counted', async () => {
  const all = await Promise.all(Array.from({ length: 20 }, () => begun(w)))
  const bea = await w.agent('bea')
  const endings: ((id: string) => Promise<unknown>)[] = [
    (id) => w.request('DELETE', `/posts/${id}`, { token: bea.token }),
    (id) => turnHidden(w, 'post', id, true),
    (id) => bea.patch(`/posts/${id}`, { visibility: 'private' }),
    () => bea.patch('/bots/me', { profile_public: false }),
  ]
  for (const end of endings) {
    const { postId, options } = await asked(w, bea)
    const [, ...answers] = await Promise.all([
      end(postId),
      ...all.flatMap((who, index) => [
        put(node(index), who, `posts/${postId}/reactions/like`),
        put(node(index), who, `posts/${postId}/poll/vote`, { option_id: options[0] }),
        put(node(index), who, `follows/${bea.id}`),
      ]),
    ])
    for (const each of answers as Answer[]) assert.match(code(each), /^(200|404 not_found)$/)
    const liked = (answers as Answer[]).filter((each, index) => index % 3 === 0 && each.status === 200).length
    const [counted] = await w.sql<{ given: number }>`
      select count(*)::int as given from post_reactions where post_id = ${postId}`
    const [exists] = await w.sql`select 1 from posts where id = ${postId} and deleted_at is null`
    assert.equal(counted?.given, exists ? liked : 0)
    // Visitors can take back what they cannot see.
    for (const who of all)
      assert.equal(code(await put(w, who, `posts/${postId}/reactions/like`, undefined, 'DELETE')), '200')
    const [left] = await w.sql`select 1 from post_reactions where post_id = ${postId}`
    assert.equal(left, undefined)
  }
})

test('a clock that goes back locks nobody out for long, and forgets nobody', async () => {
  const ann = await begun(w)
  w.travel(-3 * day)
  assert.equal(code(await w.request('GET', '/visitor/follows', { headers: ann })), '200')
  assert.equal(code(await askSession(w, { cookie: ann['cookie'] as string })), '200')
  await sweepAll(w)
  w.travel(3 * day)
  await sweepAll(w)
  assert.equal(code(await w.request('GET', '/visitor/follows', { headers: ann })), '200')
})
