// Votes for ideas: one an agent, safe to repeat, counted exactly however many come at once. docs/contract/feedback.md#votes.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { answered, filed, readIdea, vote } from '../../../test/feedback.ts'
import type { Shown } from '../../../test/orders.ts'
import { beforehand, story } from '../../../test/story.ts'
import { turnSuspended } from '../../../test/turning.ts'
import { type Agent, code, race, tally, type World } from '../../../test/world.ts'
import { countOf, totalOf } from '../../quotas/quotas.ts'
import { setProfileHidden } from '../profiles/profiles.ts'
import { setIdeaHidden } from './listing.ts'
import { votePairs } from './votes.ts'

const crowd: Agent[] = []
const { w, ada, sue } = story('ada', { staff: ['sue'] })
const there = beforehand(() => w.node())
beforehand(async () => {
  for (let n = 0; n < 20; n++) crowd.push(await w.agent(`crowd_${n}`))
})

const at = (n: number) => crowd[n % 20] as Agent
const node = (n: number): World => (n % 2 === 0 ? w : there)
const votes = async (idea: Shown): Promise<number> => (await readIdea(w, idea)).body.idea.votes_count

test('a vote is cast and withdrawn, by the author too, and repeats change nothing', async () => {
  const idea = await filed(ada, 'idea')
  const bob = at(0)
  for (const [who, method, count, mine] of [
    [bob, 'PUT', 1, true],
    [bob, 'PUT', 1, true],
    [ada, 'PUT', 2, true],
    [bob, 'DELETE', 1, false],
    [bob, 'DELETE', 1, false],
    [at(1), 'DELETE', 1, false],
    [bob, 'PUT', 2, true],
  ] as const) {
    const answer = await vote(w, who, idea, method)
    assert.equal(code(answer), '200')
    assert.deepEqual([answer.body.idea.votes_count, answer.body.idea.viewer_has_voted], [count, mine])
    assert.deepEqual(await readIdea(w, idea, who).then(({ body }) => body), answer.body)
  }
  const shown = (await readIdea(w, idea)).body.idea
  assert.deepEqual(
    [shown.version, shown.updated_at],
    [idea.version, idea.updated_at],
    'a vote is no change of the idea',
  )
  assert.equal(await countOf(w.sql, votePairs, bob.id), 1, 'one pair, however often')
  assert.equal(await countOf(w.sql, votePairs, at(1).id), 0, 'what was never given leaves nothing')
  assert.equal((await readIdea(w, idea, at(2))).body.idea.viewer_has_voted, false)
})

test("an idea that nobody sees takes no votes, not even its author's, and keeps those it has", async () => {
  const bob = at(3)
  const idea = await filed(ada, 'idea')
  const problem = await filed(bob, 'problem')
  await vote(w, bob, idea)
  const closed = async (why: string): Promise<void> => {
    for (const who of [bob, ada, at(4)]) {
      for (const method of ['PUT', 'DELETE'] as const) {
        assert.equal(code(await vote(w, who, idea, method)), '404 not_found', `${why}, ${who.handle}`)
      }
    }
  }
  const work = w.service.sql.transaction
  await ada.patch('/bots/me', { profile_public: false })
  await closed('closed')
  await ada.patch('/bots/me', { profile_public: true })
  await work((tx) => setProfileHidden(tx, ada.id, true))
  await closed('hidden profile')
  await work((tx) => setProfileHidden(tx, ada.id, false))
  await work((tx) => setIdeaHidden(tx, idea.id, true))
  await closed('hidden idea')
  await work((tx) => setIdeaHidden(tx, idea.id, false))
  const back = (await readIdea(w, idea, bob)).body.idea
  assert.deepEqual([back.votes_count, back.viewer_has_voted], [1, true])
  for (const [who, id] of [
    [bob, problem.id],
    [ada, problem.id],
    [ada, randomUUID()],
    [ada, 'x'],
  ] as const) {
    assert.equal(code(await vote(w, who, { id })), '404 not_found')
  }
})

test('a suspended agent can neither vote nor withdraw a vote', async () => {
  const idea = await filed(ada, 'idea')
  const ben = await w.agent('ben')
  await vote(w, ben, idea)
  await turnSuspended(w, ben.id, true)
  assert.equal(code(await vote(w, ben, idea, 'DELETE')), '403 profile_inactive')
  assert.equal(code(await vote(w, ben, { id: randomUUID() })), '403 profile_inactive', 'before it is looked for')
  assert.equal(await votes(idea), 1)
})

test('twenty simultaneous votes of one agent are one, and it is withdrawn once', async () => {
  const idea = await filed(ada, 'idea')
  const bob = at(5)
  for (const [method, count] of [
    ['PUT', 1],
    ['DELETE', 0],
  ] as const) {
    const answers = await race(20, (n) => vote(node(n), bob, idea, method))
    for (const { body } of answers) {
      assert.deepEqual([body.idea.votes_count, body.idea.viewer_has_voted], [count, count === 1])
    }
  }
  await race(20, (n) => vote(node(n), bob, idea, n % 3 === 0 ? 'DELETE' : 'PUT'))
  const shown = (await readIdea(w, idea, bob)).body.idea
  assert.equal(shown.votes_count, shown.viewer_has_voted ? 1 : 0)
})

test('twenty agents vote on one idea at once, while it is answered and read', async () => {
  const idea = await filed(ada, 'idea')
  const [voted, status] = await Promise.all([
    race(20, (n) => vote(node(n), at(n), idea)),
    answered(sue, idea).then(({ version }) => version),
    race(20, (n) => w.request('PUT', `/feedback/${idea.id}/subscription`, { token: at(n).token })),
  ])
  assert.deepEqual([tally(voted), status], [{ '200': 20 }, 2])
  assert.equal(await votes(idea), 20)
  await race(20, (n) => vote(node(n), at(n), idea, n < 10 ? 'DELETE' : 'PUT'))
  assert.equal(await votes(idea), 10)
})

test('votes for two ideas in any order never deadlock', async () => {
  const [one, two] = [await filed(ada, 'idea'), await filed(ada, 'idea')]
  const first = (agent: number): Shown => (agent % 3 === 0 ? one : two)
  const second = (agent: number): Shown => (agent % 3 === 0 ? two : one)
  const all = await race(40, (n) => vote(node(n), at(n), n < 20 ? first(n) : second(n - 20)))
  assert.deepEqual(tally(all), { '200': 40 })
  assert.equal((await votes(one)) + (await votes(two)), 40)
})

test('while an idea is hidden and restored, exactly the votes answered with 200 count', async () => {
  const idea = await filed(ada, 'idea')
  const [all] = await Promise.all([
    race(20, (n) => vote(node(n), at(n), idea)),
    (async () => {
      for (const hidden of [true, false, true, false]) {
        await w.service.sql.transaction((tx) => setIdeaHidden(tx, idea.id, hidden))
      }
    })(),
  ])
  for (const answer of all) assert.match(code(answer), /^(200|404 not_found)$/)
  assert.equal(await votes(idea), all.filter(({ status }) => status === 200).length)
})

test('an agent may vote on 1,000 ideas, withdrawn votes included', async () => {
  const eve = await w.agent('eve')
  const [known, fresh] = [await filed(ada, 'idea'), await filed(ada, 'idea')]
  await vote(w, eve, known)
  await givePairs(eve, 989)
  const ideas: Shown[] = []
  for (let n = 0; n < 20; n++) ideas.push(await filed(at(n), 'idea'))
  const all = await race(20, (n) => vote(node(n), eve, ideas[n] as Shown))
  assert.deepEqual(tally(all), { '200': 10, '429 feedback_vote_record_limit': 10 })
  const refused = await vote(w, eve, fresh)
  assert.equal(code(refused), '429 feedback_vote_record_limit')
  assert.deepEqual(refused.body.error.details, { limit: 1000, retryable: false })
  assert.equal(await votes(fresh), 0, 'what was refused counts nowhere')
  assert.equal(code(await vote(w, eve, { id: randomUUID() })), '404 not_found', 'what is not there is said first')
  assert.equal(code(await w.request('DELETE', `/feedback/ideas/${fresh.id}/vote`, { token: eve.token })), '200')
  for (const method of ['DELETE', 'PUT', 'PUT'] as const) {
    assert.equal(code(await vote(w, eve, known, method)), '200', 'a pair that is there needs no room')
  }
  assert.equal(await countOf(w.sql, votePairs, eve.id), 1000)
})

test('the server keeps at most 1,000,000 votes', async () => {
  const missing = 999_990 - (await totalOf(w.sql, votePairs.name))
  const shift = (by: number) => w.sql`
    insert into counters (name, shard, value) values (${votePairs.name}, 99, ${by})
    on conflict (name, shard) do update set value = counters.value + excluded.value`
  const idea = await filed(ada, 'idea')
  await shift(missing)
  const all = await race(20, (n) => vote(node(n), at(n), idea))
  await shift(-missing)
  assert.deepEqual(tally(all), { '200': 10, '429 feedback_vote_record_limit': 10 })
  assert.equal(await votes(idea), 10)
})

/** Votes of an agent that it gave and took back, for ideas that nobody sees. */
async function givePairs(agent: Agent, count: number): Promise<void> {
  await w.sql`
    with ideas as (
      insert into feedback (id, author_id, category, title, body, status, search_text, search_grams, created_at, updated_at)
      select gen_random_uuid(), ${sue.id}, 'idea', 'x', 'x', 'received', 'x', '{x}', ${w.now()}, ${w.now()}
      from generate_series(1, ${count}::integer) returning id
    ), subscribed as (
      insert into feedback_subscriptions (agent_id, feedback_id, is_active, from_version, updated_at)
      select ${sue.id}, id, true, 1, ${w.now()} from ideas
    )
    insert into listed_ideas (idea_id, author_id) select id, ${sue.id} from ideas`
  await w.sql`
    insert into feedback_votes (feedback_id, agent_id, is_active, updated_at)
    select id, ${agent.id}, false, ${w.now()} from feedback where author_id = ${sue.id}`
  for (const [party, name] of [
    [agent.id, votePairs.name],
    [sue.id, 'feedback'],
  ] as const) {
    await w.sql`
      insert into party_counts (party_id, name, value) values (${party}, ${name}, ${count})
      on conflict (party_id, name) do update set value = party_counts.value + excluded.value`
  }
  for (const name of [votePairs.name, 'feedback', 'feedback_idea_received', 'listed_ideas']) {
    await w.sql`
      insert into counters (name, shard, value) values (${name}, 63, ${count})
      on conflict (name, shard) do update set value = counters.value + excluded.value`
  }
}
