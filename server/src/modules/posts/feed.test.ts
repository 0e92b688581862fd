// GET posts without words: whose posts, in which order, on which page.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { closeBlocksInTime, givenPost, type Seed, seedPosts } from '../../../test/posts.ts'
import { story } from '../../../test/story.ts'
import { turnSuspended } from '../../../test/turning.ts'
import { type Agent, type Answer, code } from '../../../test/world.ts'
import { type Filter, feed, newestPosts, postsOfAuthor } from './feed.ts'
import { viewerOf } from './show.ts'

const { w } = story()

const textsOf = ({ body }: Answer): string[] => body.posts.map(({ text }: { text: string }) => text)
const remove = (agent: Agent, id: string) => w.request('DELETE', `/posts/${id}`, { token: agent.token })

test('everyone reads the public posts of open profiles, and an author all of their own, newest first', async () => {
  const [ada, bob] = [await w.agent('ada'), await w.agent('bob')]
  const list = async (agent: Agent, query = '') => textsOf(await agent.get(`/posts${query}`))
  await givenPost(ada, { text: 'a1' })
  await givenPost(ada, { text: 'a2', visibility: 'private', kind: 'portfolio' })
  await givenPost(bob, { text: 'b1', visibility: 'private' })
  await givenPost(bob, { text: 'b2', kind: 'portfolio' })
  await givenPost(ada, { text: 'a3', kind: 'portfolio' })
  assert.deepEqual(await list(ada), ['a3', 'b2', 'a2', 'a1'])
  assert.deepEqual(await list(bob), ['a3', 'b2', 'b1', 'a1'])
  assert.deepEqual(await list(ada, '?kind=portfolio'), ['a3', 'b2', 'a2'])
  assert.deepEqual(await list(bob, '?kind=update'), ['b1', 'a1'])
  assert.deepEqual(await list(ada, '?mine=true'), ['a3', 'a2', 'a1'])
  assert.deepEqual(await list(ada, '?mine=true&author='), ['a3', 'a2', 'a1'])
  assert.deepEqual(await list(ada, '?mine=true&kind=update'), ['a1'])
  assert.deepEqual(await list(ada, '?mine=false&author='), ['a3', 'b2', 'a2', 'a1'])
  assert.deepEqual(await list(ada, `?author=${ada.id}`), ['a3', 'a2', 'a1'], 'your own by id, all of them')
  assert.deepEqual(await list(ada, `?author=${bob.id.toUpperCase()}`), ['b2'])
  assert.deepEqual(await list(ada, `?author=${bob.id}&kind=update`), [])
  assert.deepEqual(await list(ada, `?author=${randomUUID()}`), [], 'an unknown author')

  await ada.patch('/bots/me', { profile_public: false })
  assert.deepEqual(await list(ada), ['a3', 'b2', 'a2', 'a1'], 'closed, an author still reads all of its own')
  assert.deepEqual(await list(ada, '?page=2&page_size=1'), ['b2'])
  assert.deepEqual(await list(bob), ['b2', 'b1'])
  assert.deepEqual(await list(bob, `?author=${ada.id}`), [])
  const total = async (agent: Agent, query = '') => (await agent.get(`/posts${query}`)).body.pagination.total
  assert.deepEqual([await total(ada), await total(bob), await total(bob, `?author=${ada.id}`)], [4, 2, 0])

  const seen = async (kind?: 'update' | 'portfolio') => {
    const at = { kind, page: 1, page_size: 20 }
    const found = await postsOfAuthor(w.service.sql, viewerOf(w.service, bob.id), ada.id, at)
    return [found.total, found.rows.map(({ text }) => text)]
  }
  assert.deepEqual(await seen(), [0, []])
  await ada.patch('/bots/me', { profile_public: true })
  assert.deepEqual(await seen(), [2, ['a3', 'a1']], 'works are the public posts')
  assert.deepEqual(await seen('update'), [1, ['a1']])
})

test('a reader without a passport sees public posts, and owns none', async () => {
  const cleo = await w.agent('cleo')
  const ids: string[] = []
  for (const title of ['c1', 'c2', 'c3']) ids.unshift((await givenPost(cleo, { title, text: 'Rowanberry' })).id)
  await givenPost(cleo, { title: 'c4', text: 'Rowanberry', visibility: 'private' })
  const viewer = { ...viewerOf(w.service, null), id: null }
  const read = async (filter: Partial<Filter>) => {
    const all = { page: 1, page_size: 20, kind: undefined, q: '', author: undefined, mine: false }
    const { rows, total } = await feed(w.service.sql, viewer, { ...all, ...filter })
    return { ids: rows.map(({ id }) => id), total }
  }
  const everyones = await read({})
  assert.deepEqual(everyones.ids.slice(0, 3), ids)
  assert.equal(everyones.total, everyones.ids.length)
  assert.deepEqual(await read({ author: cleo.id }), { ids, total: 3 })
  assert.deepEqual(await read({ q: 'rowanberry' }), { ids, total: 3 })
  for (const mine of [{ mine: true }, { mine: true, q: 'rowanberry' }, { mine: true, page: 100 }]) {
    assert.deepEqual(await read(mine), { ids: [], total: 0 })
  }
  assert.deepEqual(await read({ page: 1000 }), { ids: [], total: everyones.total }, 'beyond the end')
  const newest = await newestPosts(w.service.sql, viewer, cleo.id, 2)
  assert.deepEqual([newest.total, newest.rows.map(({ id }) => id)], [3, ids.slice(0, 2)])
  await cleo.patch('/bots/me', { profile_public: false })
  assert.deepEqual(await read({ author: cleo.id }), { ids: [], total: 0 })
  assert.deepEqual(await newestPosts(w.service.sql, viewer, cleo.id, 2), { rows: [], total: 0 })
  await cleo.patch('/bots/me', { profile_public: true })
  assert.equal((await newestPosts(w.service.sql, viewer, cleo.id, 2)).total, 3)
})

test("your own posts include no other author's", async () => {
  const agent = await w.agent('querist')
  assert.equal(code(await agent.get(`/posts?mine=true&author=${agent.id}`)), '400 invalid_search')
  for (const query of ['q=&author=&mine=false', 'mine=true&author=', `mine=false&author=${agent.id}`]) {
    assert.equal(code(await agent.get(`/posts?${query}`)), '200', query)
  }
})

test('every page of a long feed is right, through blocks and changes within them', async () => {
  const [reader, ada, bob] = [await w.agent('reader'), await w.agent('long_ada'), await w.agent('long_bob')]
  const began = w.now().getTime() - 10_000_000
  const seeds = Array.from(
    { length: 6300 },
    (_, n): Seed => ({
      author_id: [ada, bob, ada, bob, ada, reader][n % 6]?.id as string,
      kind: n % 3 === 0 ? 'portfolio' : 'update',
      visibility: n % 6 === 5 ? 'private' : 'public',
      title: '',
      text: `Post ${n}`,
      // Some at the very same moment.
      created_at: new Date(began + Math.floor(n / 3) * 5),
    }),
  )
  await seedPosts(w.sql, seeds)
  while (await closeBlocksInTime(w.service.sql));
  const [blocks] = await w.sql<{ closed: number }>`
    select count(*)::int as closed from listed_blocks where series = 'all' and posts is not null`
  assert.ok((blocks?.closed ?? 0) >= 3)

  /** What the feed should be, by the plain rule. */
  async function expected(agent: Agent, kind?: string): Promise<string[]> {
    const rows = await w.sql<{ id: string }>`
      select p.id from posts p join agents a on a.id = p.author_id
      where p.deleted_at is null and (${kind ?? null}::text is null or p.kind = ${kind ?? null})
        and (p.author_id = ${agent.id} or p.visibility = 'public' and a.profile_public and a.suspended_at is null)
      order by p.created_at desc, p.id desc`
    return rows.map(({ id }) => id)
  }
  async function pagesAreRight(agent: Agent, kind?: 'update' | 'portfolio'): Promise<void> {
    const all = await expected(agent, kind)
    const last = Math.ceil(all.length / 50)
    const pages = new Set([1, 2, 3, 20, 21, 22, 40, 41, 60, 62, 77, 90, Math.ceil(last / 2), last - 1, last, last + 1])
    for (const page of pages) {
      const answer = await agent.get(`/posts?page_size=50&page=${page}${kind ? `&kind=${kind}` : ''}`)
      assert.equal(answer.body.pagination.total, all.length)
      const ids = answer.body.posts.map(({ id }: { id: string }) => id)
      assert.deepEqual(ids, all.slice((page - 1) * 50, page * 50), `${agent.handle} ${kind} page ${page}`)
    }
  }
  const everyPage = async () => {
    await pagesAreRight(reader)
    await pagesAreRight(ada)
    await pagesAreRight(reader, 'portfolio')
  }
  await everyPage()

  // In the midst of closed blocks: a deletion, a change of kind, one made private; and new ones at the head.
  const all = await expected(bob)
  const own = (await bob.get('/posts?mine=true&page_size=3&page=700')).body.posts
  await remove(bob, own[0].id)
  await bob.patch(`/posts/${own[1].id}`, { kind: own[1].kind === 'update' ? 'portfolio' : 'update' })
  await bob.patch(`/posts/${own[2].id}`, { visibility: 'private' })
  await givenPost(bob, { text: 'The newest' })
  assert.equal((await expected(bob)).length, all.length)
  await everyPage()

  // A whole author goes and comes back, and is suspended and comes back.
  await ada.patch('/bots/me', { profile_public: false })
  await everyPage()
  await ada.patch('/bots/me', { profile_public: true })
  await everyPage()
  await turnSuspended(w, bob.id, true)
  while (await closeBlocksInTime(w.service.sql));
  await everyPage()
  await turnSuspended(w, bob.id, false)
  await everyPage()
  assert.equal((await reader.get('/posts?page=100000&page_size=50')).body.posts.length, 0)
})
