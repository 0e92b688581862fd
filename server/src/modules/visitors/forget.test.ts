// Forgetting: who was away for 90 days goes with what it did, but for the numbers of closed polls; nobody else does.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { givenPost } from '../../../test/posts.ts'
import { beforehand, story } from '../../../test/story.ts'
import { asked, begun, votesIn } from '../../../test/visitors.ts'
import { assertInvariants, code, race } from '../../../test/world.ts'
import { days, earlier, hours, after as later, minutes } from '../../kernel/clock.ts'
import type { Sql } from '../../store/sql.ts'
import { forget } from './forget.ts'

const { w, ada } = story('ada')
beforehand(async () => {
  // These stories take longer than a token is good for.
  await w.sql`update tokens set expires_at = ${later(w.now(), days(10_000))}`
})

/** All that there is to forget. */
async function forgetAll(sql: Sql = w.service.sql): Promise<number> {
  let visitors = 0
  for (;;) {
    const done = await forget(sql)
    visitors += done.visitors
    if (!done.more) return visitors
  }
}

type Headers = Record<string, string>
const put = (headers: Headers, path: string, json?: unknown) => w.request('PUT', `/visitor/${path}`, { headers, json })
const like = (headers: Headers, postId: string) => put(headers, `posts/${postId}/reactions/like`)
const vote = (headers: Headers, postId: string, option_id: string | undefined) =>
  put(headers, `posts/${postId}/poll/vote`, { option_id })
const likes = async (postId: string): Promise<number> => (await ada.get(`/posts/${postId}`)).body.post.reactions.like
const closePoll = (postId: string) => ada.post(`/posts/${postId}/poll/close`, { operation_id: randomUUID() })
const rowsOf = async (): Promise<number[]> =>
  Object.values(
    (
      await w.sql<Record<string, number>>`
        select (select count(*)::int from visitors) as visitors, (select count(*)::int from visitor_follows) as follows,
          (select count(*)::int from post_reactions) as reactions, (select count(*)::int from poll_votes) as votes`
    )[0] as Record<string, number>,
  )

test('forgetting a visitor deletes everything but votes in closed polls', async () => {
  const [vera, otto] = [await begun(w), await begun(w)]
  const [open, over, late] = [
    await asked(w, ada, days(30)),
    await asked(w, ada, days(30)),
    await asked(w, ada, days(20)),
  ]
  for (const who of [vera, otto]) {
    assert.equal(code(await put(who, `follows/${ada.id}`)), '200')
    for (const { postId, options } of [open, over, late]) {
      assert.equal(code(await like(who, postId)), '200')
      assert.equal(code(await vote(who, postId, options[who === vera ? 0 : 1])), '200')
    }
  }
  await closePoll(over.postId)
  w.travel(days(80))
  // The poll that is still open by then: as if it had been asked for longer.
  await w.sql`update polls set closes_at = ${later(w.now(), days(30))} where id = ${open.pollId}`
  assert.equal(code(await w.request('GET', '/visitor/follows', { headers: otto })), '200')
  w.travel(days(10) + minutes(59))
  assert.equal(await forgetAll(), 0, 'no clock of another node may still let her in')
  w.travel(minutes(2))
  assert.equal(await forgetAll(), 1)
  for (const { postId } of [open, over, late]) assert.equal(await likes(postId), 1)
  assert.deepEqual(await votesIn(ada, open.postId), [0, 1, 0])
  assert.deepEqual(await votesIn(ada, over.postId), [1, 1, 0], 'closed by its author')
  assert.deepEqual(await votesIn(ada, late.postId), [1, 1, 0], 'closed by itself')
  assert.deepEqual(await rowsOf(), [1, 1, 3, 3], 'of otto alone')
  assert.equal(code(await like(vera, open.postId)), '401 unauthorized')
  w.travel(days(91))
  assert.equal(await forgetAll(), 1)
  assert.deepEqual(await rowsOf(), [0, 0, 0, 0])
  assert.deepEqual(await votesIn(ada, late.postId), [1, 1, 0])
  assert.equal((await ada.get(`/posts/${late.postId}/poll`)).body.poll.total_votes, 2)
  assert.equal(
    code(await w.request('DELETE', `/posts/${late.postId}`, { token: ada.token })),
    '200',
    'the numbers go too',
  )
})

/** Visitors in bulk. The first one did much: it reacted to many posts and voted in the poll of each. */
async function planted(visitors: number, posts: number): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < posts; n++) ids.push((await givenPost(ada)).id)
  await w.sql`
    insert into visitors (id, created_at, used_at)
    select gen_random_uuid(), ${w.now()}, ${earlier(w.now(), days(92))} from generate_series(1, ${visitors}::int)`
  await w.sql`
    insert into post_reactions (post_id, kind, visitor_id, created_at)
    select p, kind, v.id, ${w.now()} from visitors v cross join unnest(${ids}::uuid[]) p
    cross join unnest(array['like', 'insight', 'thanks', 'wow']) kind where v.used_at < ${earlier(w.now(), days(91))}`
  await w.sql`
    insert into post_reaction_counts (post_id, kind, reactions)
    select post_id, kind, count(*) from post_reactions where post_id = any(${ids}::uuid[]) group by post_id, kind`
  await w.sql`
    insert into post_reactors (post_id, browsers)
    select post_id, count(distinct visitor_id) from post_reactions where post_id = any(${ids}::uuid[]) group by post_id`
  return ids
}

test('a visitor with much activity is deleted in steps, and an interruption leaves every count right', async () => {
  const ids = await planted(30, 12)
  const before = (await rowsOf())[2] as number
  assert.equal(before, 30 * 12 * 4)
  const first = await forget(w.service.sql)
  assert.deepEqual([first.more, (await rowsOf())[2]], [true, before - 1000], 'no more than so many rows at once')
  await assertInvariants(w.sql)
  // It is ended by a fault in the middle of the next batch: nothing of that batch stays.
  await w.sql`
    create function refuse_forgetting() returns trigger language plpgsql as 'begin raise exception ''no''; end'`
  await w.sql`create trigger refuse before delete on visitors execute function refuse_forgetting()`
  await assert.rejects(forget(w.service.sql))
  assert.equal((await rowsOf())[2], before - 1000)
  await w.sql`drop trigger refuse on visitors`
  await w.sql`drop function refuse_forgetting()`
  await forgetAll()
  assert.deepEqual((await rowsOf()).slice(0, 3), [0, 0, 0])
  for (const id of ids) assert.equal(await likes(id), 0)
})

test('two nodes forget visitors while others act: each visitor is deleted once, and every count is right', async () => {
  const node = await w.node()
  const ids = await planted(450, 3)
  const crowd = await Promise.all(Array.from({ length: 20 }, () => begun(w)))
  const [gone, answers] = await Promise.all([
    Promise.all([forgetAll(), forgetAll(node.service.sql), forgetAll()]),
    race(60, (n) => like(crowd[n % 20] as Headers, ids[n % 3] as string)),
  ])
  const counted = gone.reduce((sum, each) => sum + each, 0) + (await forgetAll())
  assert.equal(counted, 450)
  for (const answer of answers) assert.equal(code(answer), '200')
  for (const [at, id] of ids.entries()) {
    assert.equal(
      await likes(id),
      new Set(
        answers
          .map((_, n) => n)
          .filter((n) => n % 3 === at)
          .map((n) => n % 20),
      ).size,
    )
  }
  await assertInvariants(w.sql)
})

test('forgetting works while posts are deleted and polls close', async () => {
  const polls = await Promise.all(Array.from({ length: 6 }, () => asked(w, ada)))
  const crowd = await Promise.all(Array.from({ length: 20 }, () => begun(w)))
  for (const { postId, options } of polls) {
    await race(20, (n) => like(crowd[n] as Headers, postId))
    await race(20, (n) => vote(crowd[n] as Headers, postId, options[n % 3]))
  }
  const end = later(w.now(), days(120))
  await w.sql`update polls set closes_at = ${end} where id = any(${polls.map(({ pollId }) => pollId)}::uuid[])`
  w.travel(days(91))
  await Promise.all([
    forgetAll(),
    ...polls.map(async ({ postId }, n) => {
      if (n % 2 === 0) assert.equal(code(await closePoll(postId)), '200')
      else assert.equal(code(await w.request('DELETE', `/posts/${postId}`, { token: ada.token })), '200')
    }),
  ])
  await forgetAll()
  for (const [n, { postId }] of polls.entries()) {
    if (n % 2 === 1) continue
    const votes = await votesIn(ada, postId)
    // All went before it closed, or all were kept.
    assert.ok([0, 20].includes(votes.reduce((sum, each) => sum + each, 0)), votes.join())
    assert.equal(await likes(postId), 0)
  }
  assert.deepEqual((await rowsOf()).slice(2), [0, 0])
})

test('a visitor who returns at the last moment stays despite sweeps; a moment later the visitor is new', async () => {
  for (let round = 0; round < 5; round++) {
    const crowd = await Promise.all(Array.from({ length: 20 }, () => begun(w)))
    const post = await givenPost(ada)
    w.travel(days(90) - minutes(1))
    const acts = race(20, (n) => like(crowd[n] as Headers, post.id))
    const sweeps = Promise.all([forgetAll(), forgetAll()])
    assert.ok((await acts).every(({ status }) => status === 200))
    await sweeps
    w.travel(hours(24))
    await forgetAll()
    assert.equal(await likes(post.id), 20)
    w.travel(days(89) + hours(1))
    const late = race(20, (n) => like(crowd[n] as Headers, post.id))
    await Promise.all([forgetAll(), forgetAll()])
    assert.ok((await late).every((answer) => code(answer) === '401 unauthorized'))
    await forgetAll()
    assert.equal(await likes(post.id), 0)
  }
})
