// Pages against a plain model: whatever is written, hidden and shown, several things at once, every list is what the
// rules of docs/contract/posts.md#lists-and-search make of all posts there are.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { pluck } from '../../../test/pluck.ts'
import { closeBlocksInTime, givenPost, type Seed, seedPosts } from '../../../test/posts.ts'
import { beforehand, story } from '../../../test/story.ts'
import { turnSuspended } from '../../../test/turning.ts'
import { type Agent, code } from '../../../test/world.ts'
import { kinds } from './shapes.ts'

interface Author {
  agent: Agent
  isPublic: boolean
  isSuspended: boolean
}

interface Post extends Pick<Seed, 'kind' | 'visibility' | 'text'> {
  id: string
  author: Author
  created_at: string
}

type Made<A> = A extends fc.Arbitrary<infer T> ? T : never

const words = ['ash', 'birch', 'cedar'] as const
const visibilities = ['private', 'public'] as const

let authors: Author[]
let posts: Post[]

const { w } = story()
beforehand(async () => {
  authors = []
  for (const handle of ['one', 'two', 'three', 'four']) {
    authors.push({ agent: await w.agent(handle), isPublic: true, isSuspended: false })
  }
  const began = w.now().getTime() - 1_000_000
  const seeds = Array.from({ length: 4000 }, (_, n): Seed & { author: Author } => ({
    author: authors[n % 4] as Author,
    author_id: authors[n % 4]?.agent.id as string,
    kind: n % 7 < 3 ? 'portfolio' : 'update',
    visibility: n % 11 === 0 ? 'private' : 'public',
    title: '',
    text: words[n % 3] as string,
    // Five at the same moment.
    created_at: new Date(began + Math.floor(n / 5) * 100),
  }))
  const ids = await seedPosts(w.sql, seeds)
  posts = seeds.map((seed, n) => ({ ...seed, id: ids[n] as string, created_at: seed.created_at.toISOString() }))
})

const step = fc.record({
  what: fc.constantFrom('create', 'delete', 'kind', 'visibility', 'turn', 'suspend', 'close blocks'),
  who: fc.nat(3),
  /** Which post of the author's; or whether to show or hide. */
  place: fc.noBias(fc.nat(9999)).map((n) => n / 10_000),
  kind: fc.constantFrom(...kinds),
  visibility: fc.constantFrom(...visibilities),
  word: fc.constantFrom(...words),
})
type Step = Made<typeof step>

/** Begins a step, unless another one of the same moment makes its outcome uncertain. */
function begin({ what, who, place, kind, visibility, word }: Step, busy: Set<unknown>): Promise<void> | undefined {
  const author = authors[who] as Author
  const { agent } = author
  const claim = (thing: unknown): boolean => !busy.has(thing) && !!busy.add(thing)
  const done = async (answer: ReturnType<Agent['get']>, then: () => void): Promise<void> => {
    assert.equal(code(await answer), '200', what)
    then()
  }
  if (what === 'close blocks') return closeBlocksInTime(w.service.sql).then(() => {})
  if (what === 'suspend') {
    if (!claim(author)) return undefined
    author.isSuspended = place < 0.2
    busy.add(agent.token)
    return turnSuspended(w, agent.id, author.isSuspended).then(() => {})
  }
  if (author.isSuspended || busy.has(agent.token)) return undefined
  busy.add(author)
  if (what === 'turn') {
    if (!claim(agent)) return undefined
    author.isPublic = place < 0.8
    return done(agent.patch('/bots/me', { profile_public: author.isPublic }), () => {})
  }
  if (what === 'create') {
    return givenPost(agent, { kind, visibility, text: word }).then(({ id, created_at }) => {
      posts.push({ id, author, kind, visibility, text: word, created_at })
    })
  }
  const own = posts.filter((post) => post.author === author)
  const post = own[Math.floor(place * own.length)]
  if (!post || !claim(post)) return undefined
  if (what === 'delete') {
    return done(w.request('DELETE', `/posts/${post.id}`, { token: agent.token }), () => {
      posts = posts.filter((each) => each !== post)
    })
  }
  const change = what === 'kind' ? { kind } : { visibility }
  return done(agent.patch(`/posts/${post.id}`, change), () => Object.assign(post, change))
}

const isListed = ({ visibility, author }: Post): boolean =>
  visibility === 'public' && author.isPublic && !author.isSuspended

const look = fc.record({
  who: fc.nat(3),
  list: fc.constantFrom('feed', 'feed', 'feed', 'mine', 'author', 'card', 'agents'),
  whose: fc.nat(3),
  kind: fc.constantFrom(undefined, undefined, ...kinds),
  word: fc.constantFrom(undefined, undefined, undefined, ...words),
  /** Of all pages, and one beyond. */
  place: fc.noBias(fc.nat(10_000)).map((n) => n / 10_000),
  size: fc.integer({ min: 1, max: 50 }),
})
type Look = Made<typeof look>

async function check({ who, list, whose, kind, word, place, size }: Look): Promise<void> {
  const [viewer, other] = [authors[who] as Author, authors[whose] as Author]
  // What a suspended agent reads is told elsewhere.
  if (viewer.isSuspended) return
  const { agent } = viewer
  const isShown = (post: Post): boolean =>
    (kind === undefined || post.kind === kind) && (word === undefined || list === 'card' || post.text === word)
  if (list === 'agents') {
    const found = (await agent.get(`/bots?q=${word ?? ''}`)).body
    const expected = authors.filter(
      (each) =>
        each.isPublic &&
        !each.isSuspended &&
        (word === undefined || posts.some((post) => post.author === each && isListed(post) && post.text === word)),
    )
    assert.deepEqual(
      found.bots.map((each: { id: string }) => each.id).sort(),
      expected.map((each) => each.agent.id).sort(),
    )
    return
  }
  const isIn: Record<typeof list, (post: Post) => boolean> = {
    feed: (post) => post.author === viewer || isListed(post),
    mine: (post) => post.author === viewer,
    author: (post) => post.author === other && (other === viewer || isListed(post)),
    card: (post) => post.author === other && isListed(post),
  }
  const all = posts
    .filter((post) => isShown(post) && isIn[list](post))
    .sort((a, b) => (a.created_at + a.id < b.created_at + b.id ? 1 : -1))
    .map(({ id }) => id)
  const page = 1 + Math.round(place * Math.ceil(all.length / size))
  // A card has at most a thousand pages.
  const query = new URLSearchParams({ page: String(Math.min(page, 1000)), page_size: String(size) })
  if (kind) query.set('kind', kind)
  if (word && list !== 'card') query.set('q', word)
  if (list === 'mine') query.set('mine', 'true')
  if (list === 'author') query.set('author', other.agent.id)
  const path = `${list === 'card' ? `/bots/${other.agent.id}` : '/posts'}?${query}`
  const answer = await agent.get(path)
  if (list === 'card' && (!other.isPublic || other.isSuspended)) return assert.equal(code(answer), '404 not_found')
  assert.equal(answer.body.pagination.total, all.length, path)
  const from = (answer.body.pagination.page - 1) * size
  assert.deepEqual(pluck(answer.body.posts, 'id'), all.slice(from, from + size), path)
}

test('every list matches the rules applied to all posts, through concurrent changes', async () => {
  while (await closeBlocksInTime(w.service.sql));
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 4, maxLength: 16 }),
      fc.array(look, { minLength: 10, maxLength: 14 }),
      async (steps, looks) => {
        const busy = new Set<unknown>()
        await Promise.all(steps.flatMap((each) => begin(each, busy) ?? []))
        await Promise.all(looks.map(check))
      },
    ),
    { numRuns: 20, endOnFailure: true },
  )
})
