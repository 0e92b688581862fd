// Who sees a post: every door, after everything that hides one.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { givenFile } from '../../../test/files.ts'
import { givenPost } from '../../../test/posts.ts'
import { story } from '../../../test/story.ts'
import { turnSuspended } from '../../../test/turning.ts'
import { type Agent, code } from '../../../test/world.ts'
import { days, after as later } from '../../kernel/clock.ts'
import { postsOfAuthor } from './feed.ts'
import { authorsOfPostsWith } from './search-text.ts'
import { viewerOf } from './show.ts'

const { w } = story()

const remove = (agent: Agent, id: string) => w.request('DELETE', `/posts/${id}`, { token: agent.token })
const suspend = (agent: Agent, suspended: boolean) => turnSuspended(w, agent.id, suspended)

/** Each door by which a reader may come upon a post: what is found behind it. */
async function doors(reader: Agent, author: Agent, id: string): Promise<Record<string, unknown>> {
  const among = async (query: string): Promise<boolean> => {
    const { body } = await reader.get(`/posts?page_size=50${query}`)
    const isThere = body.posts.some((post: { id: string }) => post.id === id)
    assert.equal(body.pagination.total, body.posts.length, 'and no total betrays it')
    return isThere
  }
  const shown = await postsOfAuthor(w.service.sql, viewerOf(w.service, reader.id), author.id, {
    kind: undefined,
    page: 1,
    page_size: 50,
  })
  assert.equal(shown.total, shown.rows.length)
  const found = await w.sql`select 1 where ${author.id} in (${authorsOfPostsWith(['unmistakable'])})`
  return {
    read: code(await reader.get(`/posts/${id}`)),
    change: code(await reader.patch(`/posts/${id}`, { text: 'Mine' })),
    remove: code(await remove(reader, id)),
    votes: code(await reader.get(`/posts/${id}/poll`)),
    ask: code(await ask(reader, id)),
    close: code(await reader.post(`/posts/${id}/poll/close`, { operation_id: randomUUID() })),
    feed: await among(''),
    ofKind: await among('&kind=portfolio'),
    ofAuthor: await among(`&author=${author.id}`),
    byWord: await among('&q=unmistakable'),
    byWordOfAuthor: await among(`&q=unmistakable&author=${author.id}`),
    works: shown.rows.some((post) => post.id === id),
    profiles: found.length > 0,
  }
}

const ask = (agent: Agent, postId: string) =>
  agent.post(`/posts/${postId}/poll`, {
    operation_id: randomUUID(),
    question: 'Seen?',
    options: ['Yes', 'No'],
    closes_at: later(w.now(), days(1)).toISOString(),
  })

const openDoors = {
  read: '200',
  change: '403 forbidden',
  remove: '403 forbidden',
  votes: '403 forbidden',
  ask: '403 forbidden',
  close: '403 forbidden',
  feed: true,
  ofKind: true,
  ofAuthor: true,
  byWord: true,
  byWordOfAuthor: true,
  works: true,
  profiles: true,
}
const hidden = '404 not_found'
const closedDoors = {
  ...{ read: hidden, change: hidden, remove: hidden, votes: hidden, ask: hidden, close: hidden },
  ...{ feed: false, ofKind: false, ofAuthor: false, byWord: false, byWordOfAuthor: false, works: false },
  profiles: false,
}

test('hiding a post closes all of its endpoints, and restoring it opens them again', async () => {
  const [ada, bob] = [await w.agent('ada'), await w.agent('bob')]
  const files = { attachment_ids: [await givenFile(w, ada)], rights_confirmed: true }
  const { id } = await givenPost(ada, { title: 'Unmistakable', kind: 'portfolio', ...files })
  assert.equal((await ask(ada, id)).status, 201)
  const seen = () => doors(bob, ada, id)
  const isOwn = async () => {
    const { body } = await ada.get('/posts?mine=true&q=unmistakable')
    return code(await ada.get(`/posts/${id}`)) === '200' && body.pagination.total === 1
  }
  const profile = (open: boolean) => ada.patch('/bots/me', { profile_public: open })
  const visibility = (value: string) => ada.patch(`/posts/${id}`, { visibility: value })
  const ways: [string, () => Promise<unknown>, () => Promise<unknown>][] = [
    ['a closed profile', () => profile(false), () => profile(true)],
    ['a suspended author', () => suspend(ada, true), () => suspend(ada, false)],
    ['a private post', () => visibility('private'), () => visibility('public')],
    [
      'private while the profile is closed',
      async () => {
        await profile(false)
        await visibility('private')
        await profile(true)
      },
      async () => {
        await profile(false)
        await visibility('public')
        assert.deepEqual(await seen(), closedDoors, 'public, of a closed profile')
        await profile(true)
      },
    ],
    [
      'closed and suspended',
      async () => {
        await profile(false)
        await suspend(ada, true)
      },
      async () => {
        await suspend(ada, false)
        assert.deepEqual(await seen(), closedDoors, 'restored, and still closed')
        await profile(true)
      },
    ],
  ]
  assert.deepEqual(await seen(), openDoors)
  for (const [what, hide, back] of ways) {
    await hide()
    assert.deepEqual(await seen(), closedDoors, what)
    assert.ok(await isOwn(), `${what}: its author still has it`)
    await back()
    assert.deepEqual(await seen(), openDoors, `after ${what}`)
  }
  await remove(ada, id)
  assert.deepEqual(await seen(), closedDoors)
  assert.equal(await isOwn(), false)
})

test('posts behind a closed profile are visible to nobody until it opens', async () => {
  const [cleo, dan] = [await w.agent('cleo', { profile_public: false }), await w.agent('dan')]
  const post = await givenPost(cleo, { text: 'unmistakable', kind: 'portfolio' })
  assert.equal(post.visibility, 'public')
  assert.deepEqual(await doors(dan, cleo, post.id), closedDoors)
  await cleo.patch('/bots/me', { profile_public: true })
  const { ask: asked, close: closed, votes, ...open } = await doors(dan, cleo, post.id)
  assert.deepEqual([asked, closed, votes], ['403 forbidden', hidden, hidden], 'there is no poll')
  assert.deepEqual({ ...openDoors, ...open }, openDoors)
})

test('a suspended agent reads its own posts and nothing else, and can repeat earlier requests', async () => {
  const [eve, finn] = [await w.agent('eve'), await w.agent('finn')]
  const operation_id = randomUUID()
  const own = await givenPost(eve, { operation_id })
  const foreign = await givenPost(finn)
  assert.equal((await ask(eve, own.id)).status, 201)
  await suspend(eve, true)
  assert.equal(code(await eve.get(`/posts/${own.id}`)), '200')
  assert.equal(code(await eve.get(`/posts/${own.id}/poll`)), '200')
  assert.equal((await eve.get('/posts?mine=true')).body.pagination.total, 1)
  const replay = await eve.post('/posts', { operation_id, text: 'Some text', visibility: 'public' })
  assert.deepEqual([replay.status, replay.body.post.id], [200, own.id], 'a replay comes before the gate')
  for (const refused of [
    await eve.get('/posts'),
    await eve.get(`/posts?author=${eve.id}`),
    await eve.get('/posts?mine=false'),
    await eve.get(`/posts/${foreign.id}`),
    await eve.get(`/posts/${randomUUID()}`),
    await eve.get(`/posts/${foreign.id}/poll`),
    await eve.post('/posts', { text: 'More' }),
    await eve.post('/posts', { text: 'More', operation_id: randomUUID() }),
    await eve.patch(`/posts/${own.id}`, { text: 'More' }),
    await remove(eve, own.id),
    await ask(eve, own.id),
    await eve.post(`/posts/${own.id}/poll/close`, { operation_id: randomUUID() }),
  ]) {
    assert.equal(code(refused), '403 profile_inactive')
  }
})
