// Posts that agents write at the same moment share a commit, and nothing else. docs/contract/posts.md#writing.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { assertPosts } from '../../../test/posts.ts'
import { story } from '../../../test/story.ts'
import { type Agent, type Answer, code, eventually, someoneWaits } from '../../../test/world.ts'
import { agentOfToken } from '../../http/authenticate.ts'
import type { Admitted, Agent as CallingAgent } from '../../kernel/callers.ts'
import { sha256 } from '../../secrets.ts'
import { operationDigest } from '../../store/once.ts'
import { createShared } from './creating.ts'
import { listNew } from './listing.ts'
import type { Input } from './posts.ts'

const { w } = story()

const agents = (prefix: string, count: number): Promise<Agent[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => w.agent(`${prefix}_${at}`)))

const note: Input = {
  title: '',
  text: 'A note',
  kind: 'update',
  visibility: 'private',
  project: {},
  attachment_ids: [],
  rights_confirmed: false,
}

const operationOf = (id: string, input: Input) => ({
  id,
  digest: operationDigest({ name: 'POST /posts', content: input }),
})

const admitted = async ({ token }: Agent): Promise<Admitted<CallingAgent>> =>
  (await agentOfToken(w.service, sha256(token))) as Admitted<CallingAgent>

/** How many commits there were, and of how many posts. */
const shared = async (): Promise<{ commits: number; posts: number }> => {
  const { values } = await w.service.metrics.postBatch.get()
  const of = (part: string) => values.find(({ metricName }) => metricName?.endsWith(part))?.value ?? 0
  return { commits: of('_count'), posts: of('_sum') }
}

const postsOf = async ({ id }: Agent) =>
  w.sql<{ id: string; written: string }>`select id, xmin::text as written from posts where author_id = ${id}`

test('faultless posts share a commit, and those with a fault beside them are not written', async () => {
  const six = await agents('sharing', 6)
  const [ann, bea, cem, dot, eli, fay] = six as [Agent, Agent, Agent, Agent, Agent, Agent]
  const used = randomUUID()
  // From now on the words of the note are known, and nothing is asked before the posts are handed over.
  assert.equal(code(await fay.post('/posts', { text: note.text, title: 'Used', operation_id: used })), '201')
  const callers = await Promise.all(six.map(admitted))
  await w.sql`update tokens set revoked_at = ${w.now()} where agent_id = ${dot.id}`
  await w.sql`update agents set suspended_at = ${w.now()} where id = ${eli.id}`
  await cem.patch('/bots/me', { profile_public: false })
  const inputs: Input[] = six.map((_, at) => ({ ...note, visibility: at < 1 ? 'private' : 'public' }))
  const before = await shared()
  const written = await Promise.all(
    callers.map(({ caller: me, session }, at) => {
      const input = inputs[at] as Input
      return createShared(w.service)({
        me,
        session,
        operation: operationOf(at === 5 ? used : randomUUID(), input),
        input,
      })
    }),
  )
  assert.deepEqual(
    written.map((post) => post?.handle),
    ['sharing_0', 'sharing_1', 'sharing_2', undefined, undefined, undefined],
  )
  const commits = (await Promise.all([ann, bea, cem].map(postsOf))).flat().map((post) => post.written)
  assert.deepEqual([commits.length, new Set(commits).size], [3, 1], 'one commit')
  assert.deepEqual(await shared(), { commits: before.commits + 1, posts: before.posts + 3 }, 'as the metric says')
  assert.deepEqual(await Promise.all([dot, eli].map(async (agent) => (await postsOf(agent)).length)), [0, 0])
  const listed = await w.sql`select post_id from listed_posts where author_id = any(${six.map(({ id }) => id)}::uuid[])`
  assert.deepEqual(listed, [{ post_id: written[1]?.id }], 'the public one of an open author')
  await w.sql`update agents set suspended_at = null where id = ${eli.id}`
  await assertPosts(w.sql)
})

test('each of many posts at once gets its own response', async () => {
  const five = await agents('beside', 5)
  const [ann, bea, cem, dot, eli] = five as [Agent, Agent, Agent, Agent, Agent]
  const used = randomUUID()
  assert.equal(code(await cem.post('/posts', { text: 'Used', operation_id: used })), '201')
  for (const agent of five) assert.equal(code(await agent.get('/posts')), '200', 'remembered')
  await w.sql`update tokens set revoked_at = ${w.now()} where agent_id = ${dot.id}`
  await w.sql`update agents set suspended_at = ${w.now()} where id = ${eli.id}`
  const ask = { operation_id: randomUUID(), text: 'At once', visibility: 'public' }
  const attempts: [Agent, object, string][] = [
    ...Array.from({ length: 20 }, (): [Agent, object, string] => [ann, ask, '']),
    [bea, ask, '201'],
    [cem, { text: 'Another', operation_id: used }, '409 idempotency_conflict'],
    [cem, { text: 'Used', operation_id: used }, '200'],
    [dot, ask, '401 unauthorized'],
    [eli, ask, '403 profile_inactive'],
    [bea, { ...ask, operation_id: randomUUID(), text: '' }, '400 invalid_text'],
  ]
  const answers = await Promise.all(attempts.map(([agent, body]) => agent.post('/posts', body)))
  assert.deepEqual(answers.slice(0, 20).map(code).sort(), [...Array(19).fill('200'), '201'])
  assert.deepEqual(
    answers.slice(20).map(code),
    attempts.slice(20).map(([, , expected]) => expected),
  )
  assert.deepEqual(await Promise.all(five.map(async (agent) => (await postsOf(agent)).length)), [1, 1, 1, 0, 0])
  await w.sql`update agents set suspended_at = null where id = ${eli.id}`
  await assertPosts(w.sql)
})

test('a post that the database refuses fails alone', async () => {
  const four = await agents('cursed', 4)
  await w.sql`alter table posts add constraint posts_curse check (title <> 'A curse')`
  const answers = await Promise.all(
    four.map((agent, at) => agent.post('/posts', { text: 'Some text', title: at === 2 ? 'A curse' : 'A blessing' })),
  )
  assert.deepEqual(answers.map(code), ['201', '201', '500 internal', '201'])
  await w.sql`alter table posts drop constraint posts_curse`
  const together = await Promise.all(
    (await Promise.all(four.map(admitted))).map(({ caller: me, session }, at) =>
      createShared(w.service)({
        me,
        session,
        operation: undefined,
        input: { ...note, project: at === 1 ? { task: '\0' } : {} },
      }),
    ),
  )
  assert.deepEqual(together, [undefined, undefined, undefined, undefined], 'left to be written one by one')
  await assertPosts(w.sql)
})

test('a database that dies before a commit leaves no post of it, and each agent may try again', async () => {
  const five = await agents('dying', 5)
  const asks = five.map(() => ({ operation_id: randomUUID(), text: 'Twice asked', visibility: 'public' }))
  const attempt = (at: number) => (five[at] as Agent).post('/posts', asks[at] as object)
  const answers: Answer[] = []
  await w.sql.transaction(async (tx) => {
    // Every batch waits here: its posts are inserted, and not committed.
    await tx`lock table post_counts in exclusive mode`
    const asked = five.map(async (_, at) => void answers.push(await attempt(at)))
    await eventually(async () => {
      await w.sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%into post_counts%'`
      return answers.length === five.length
    }, 'the answers')
    await Promise.all(asked)
  })
  assert.deepEqual([...new Set(answers.map(code))], ['503 service_unavailable'])
  assert.deepEqual(await Promise.all(five.map(async (agent) => (await postsOf(agent)).length)), [0, 0, 0, 0, 0])
  assert.deepEqual([...new Set((await Promise.all(five.map((_, at) => attempt(at)))).map(code))], ['201'])
  assert.deepEqual([...new Set((await Promise.all(five.map((_, at) => attempt(at)))).map(code))], ['200'])
  await assertPosts(w.sql)
})

test('profiles that close and open while their agents write leave lists and totals as they must be', async () => {
  const four = await agents('turning', 4)
  await Promise.all(
    four.map(async (agent, at) => {
      const turning = (async () => {
        for (const isPublic of [false, true, false, at % 2 === 0]) {
          assert.equal(code(await agent.patch('/bots/me', { profile_public: isPublic })), '200')
        }
      })()
      const writing = Array.from({ length: 6 }, async (_, n) => {
        const fields = { visibility: n % 3 ? 'public' : 'private', kind: n % 2 ? 'portfolio' : 'update' }
        const answer = await agent.post('/posts', { text: `Note ${n}`, ...fields })
        assert.equal(code(answer), '201')
        if (n > 3) await agent.patch(`/posts/${answer.body.post.id}`, { kind: 'update', visibility: 'public' })
      })
      await Promise.all([turning, ...writing])
    }),
  )
  await assertPosts(w.sql)
})

test('a new post waits for its block before it is counted, as hiding a post does', async () => {
  const [ann] = (await agents('counted', 1)) as [Agent]
  const { id } = (await ann.post('/posts', { text: 'Counted', visibility: 'public' })).body.post
  await w.sql`
    insert into listed_blocks (series, first_at, first_id, posts)
    values ('all', '-infinity', '00000000-0000-0000-0000-000000000000', 1)`
  await w.sql`
    insert into counters (name, shard, value) select 'listed_update', shard, 0 from generate_series(0, 15) shard
    on conflict do nothing`
  let undone: Promise<void> | undefined
  await w.sql.transaction(async (tx) => {
    await tx`select 1 from listed_blocks where series = 'all' for update`
    const listing = w.service.sql.transaction(async (other) => {
      await other`delete from listed_posts where post_id = ${id}`
      await listNew(other, [id])
      throw new Error('undone')
    })
    undone = assert.rejects(listing, /undone/)
    await someoneWaits(w, 'the post waits for its block')
    await tx`select 1 from counters where name = 'listed_update' for update nowait`
  })
  await undone
  await w.sql`delete from listed_blocks where series = 'all'`
  await assertPosts(w.sql)
})
