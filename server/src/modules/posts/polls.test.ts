// Polls: asked once on an own public post, closed by the author or by time, counted for the author alone.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { givenPost } from '../../../test/posts.ts'
import { story } from '../../../test/story.ts'
import { type Agent, code, race } from '../../../test/world.ts'
import { authenticate, tokenDigest } from '../../http/authenticate.ts'
import { days, after as later, minutes } from '../../kernel/clock.ts'
import * as polls from './polls.ts'

const { w, ada, bob } = story('ada', 'bob')

const inFuture = (milliseconds: number): string => later(w.now(), milliseconds).toISOString()
const question = (fields: Record<string, unknown> = {}) => ({
  operation_id: randomUUID(),
  question: ' Tea or coffee? ',
  options: [' Tea', 'Coffee '],
  closes_at: inFuture(days(1)),
  ...fields,
})
const ask = (agent: Agent, postId: string, fields: Record<string, unknown> = {}) =>
  agent.post(`/posts/${postId}/poll`, question(fields))
const closePoll = (agent: Agent, postId: string, operation_id: string = randomUUID()) =>
  agent.post(`/posts/${postId}/poll/close`, { operation_id })
const pollIn = async (agent: Agent, postId: string) => (await agent.get(`/posts/${postId}`)).body.post.poll

/** A vote as the site takes it. */
async function vote(pollId: string, optionId: string): Promise<void> {
  const { id } = await w.visitor()
  await w.sql`
    insert into poll_votes (poll_id, visitor_id, option_id, created_at, updated_at)
    values (${pollId}, ${id}, ${optionId}, ${w.now()}, ${w.now()})`
}

test('everyone reads the question, and only the author the votes', async () => {
  const post = await givenPost(ada)
  const closes_at = inFuture(days(2))
  const answer = await ask(ada, post.id, { closes_at })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  const { poll } = answer.body
  const [tea, coffee] = poll.options
  assert.deepEqual(poll, {
    id: poll.id,
    question: 'Tea or coffee?',
    options: [
      { id: tea.id, text: 'Tea' },
      { id: coffee.id, text: 'Coffee' },
    ],
    closes_at,
    closed_at: null,
  })
  assert.deepEqual(await pollIn(bob, post.id), poll)
  assert.deepEqual((await bob.get('/posts')).body.posts[0].poll, poll)
  for (const option of [coffee, tea, coffee]) await vote(poll.id, option.id)
  assert.deepEqual((await ada.get(`/posts/${post.id}/poll`)).body.poll, {
    ...poll,
    options: [
      { ...tea, votes: 1 },
      { ...coffee, votes: 2 },
    ],
    total_votes: 3,
  })
  assert.deepEqual(await pollIn(ada, post.id), poll, 'not in the post')
  assert.equal(code(await bob.get(`/posts/${post.id}/poll`)), '403 forbidden')
})

test('a poll needs your own public post, which has no other poll', async () => {
  const post = await givenPost(ada)
  const hidden = await givenPost(ada, { visibility: 'private' })
  assert.equal(code(await ask(ada, hidden.id)), '409 invalid_state')
  assert.equal(code(await ask(bob, hidden.id)), '404 not_found')
  assert.equal(code(await ask(bob, post.id)), '403 forbidden')
  assert.equal(code(await ask(ada, randomUUID())), '404 not_found')
  for (const agent of [ada, bob]) {
    assert.equal(code(await agent.get(`/posts/${post.id}/poll`)), '404 not_found', 'there is none yet')
    assert.equal(code(await closePoll(agent, post.id)), '404 not_found')
  }
  assert.equal(code(await ask(ada, post.id)), '201')
  assert.equal(code(await ask(ada, post.id)), '409 state_conflict')
  assert.equal(code(await closePoll(bob, post.id)), '403 forbidden')
  assert.equal(code(await closePoll(ada, post.id)), '200')
  assert.equal(code(await ask(ada, post.id)), '409 state_conflict', 'closed, it is still the only one')
})

test('the shortest and the longest poll are accepted', async () => {
  const post = await givenPost(ada)
  for (const closes_at of [inFuture(minutes(5) - 1000), inFuture(days(30) + minutes(1))]) {
    assert.equal(code(await ask(ada, post.id, { closes_at })), '400 invalid_field')
  }
  const options = Array.from({ length: 10 }, (_, n) => `${n}${'𝒳'.repeat(79)}`)
  const largest = { question: '𝒳'.repeat(200), options, closes_at: inFuture(days(30)) }
  assert.equal(code(await ask(ada, post.id, largest)), '201')
  // Near enough: the next story has the end to the millisecond, by a clock that stands.
  const shortest = { closes_at: inFuture(minutes(6)) }
  assert.equal(code(await ask(ada, (await givenPost(ada)).id, shortest)), '201')
})

test('a poll ends to the millisecond, in any time zone', async () => {
  const { caller: me } = await authenticate(w.sql, tokenDigest(ada.token), w.now())
  async function asked(ahead: number): Promise<string> {
    const { id } = await givenPost(ada)
    const input = { question: 'Now?', options: ['Yes', 'No'] }
    const act = w.service.sql.transaction(async (tx) => {
      const closes_at = later(tx.now, ahead)
      polls.requireEnd(tx.now, closes_at)
      return polls.ask(tx, me, { id: tx.newId(), postId: id, input: { ...input, closes_at } })
    })
    return act.then(
      () => 'asked',
      ({ code: refused }) => refused,
    )
  }
  assert.equal(await asked(minutes(5)), 'asked')
  assert.equal(await asked(minutes(5) - 1), 'invalid_field')
  assert.equal(await asked(days(30)), 'asked')
  assert.equal(await asked(days(30) + 1), 'invalid_field')

  const utc = inFuture(days(1))
  const local = later(new Date(utc), minutes(330)).toISOString().replace('Z', '+05:30')
  assert.equal((await ask(ada, (await givenPost(ada)).id, { closes_at: local })).body.poll.closes_at, utc)
})

test('a poll is closed by its author permanently, or at its time', async () => {
  const post = await givenPost(ada)
  await ask(ada, post.id)
  const operation_id = randomUUID()
  const closed = (await closePoll(ada, post.id, operation_id)).body.poll
  assert.ok(closed.closed_at < closed.closes_at)
  assert.equal(code(await closePoll(ada, post.id)), '409 invalid_state')
  assert.deepEqual((await closePoll(ada, post.id, operation_id)).body.poll, closed, 'a replay')

  const quiet = await givenPost(ada)
  const closes_at = inFuture(minutes(6))
  await ask(ada, quiet.id, { closes_at })
  w.travel(minutes(7))
  assert.equal((await pollIn(bob, quiet.id)).closed_at, closes_at)
  assert.equal((await ada.get(`/posts/${quiet.id}/poll`)).body.poll.closed_at, closes_at)
  assert.equal(code(await closePoll(ada, quiet.id)), '409 invalid_state')
  w.travel(days(2))
  assert.equal((await pollIn(bob, post.id)).closed_at, closed.closed_at, 'its time changes nothing any more')
})

test('a replay returns the current poll, even if its closing time would now be refused', async () => {
  const post = await givenPost(ada)
  const body = question({ closes_at: inFuture(minutes(6)) })
  const answers = await race(20, () => ada.post(`/posts/${post.id}/poll`, body))
  assert.deepEqual(answers.map(code).sort(), [...Array(19).fill('200'), '201'])
  for (const each of answers) assert.deepEqual(each.body, answers[0]?.body)
  w.travel(minutes(10))
  const spelled = { ...body, question: 'Tea or coffee?', closes_at: body.closes_at.replace('Z', '+00:00') }
  const replay = await ada.post(`/posts/${post.id}/poll`, spelled)
  assert.deepEqual([replay.status, replay.body.poll.closed_at], [200, body.closes_at])
  const reordered = { ...body, options: body.options.toReversed() }
  assert.equal(code(await ada.post(`/posts/${post.id}/poll`, reordered)), '409 idempotency_conflict')
  const other = await givenPost(ada)
  assert.equal(code(await ada.post(`/posts/${other.id}/poll`, body)), '409 idempotency_conflict')
  assert.equal(code(await closePoll(ada, post.id, body.operation_id)), '409 idempotency_conflict')
  await w.request('DELETE', `/posts/${post.id}`, { token: ada.token })
  assert.equal(code(await ada.post(`/posts/${post.id}/poll`, body)), '409 post_deleted')
})

test('one of twenty simultaneous closings closes the poll', async () => {
  const post = await givenPost(ada)
  await ask(ada, post.id)
  const answers = await race(20, () => closePoll(ada, post.id))
  assert.deepEqual(answers.map(code).sort(), ['200', ...Array(19).fill('409 invalid_state')])
})

test('making a post private hides its poll, and making it public brings the poll back', async () => {
  const post = await givenPost(ada)
  const { poll } = (await ask(ada, post.id)).body
  await vote(poll.id, poll.options[0].id)
  await ada.patch(`/posts/${post.id}`, { visibility: 'private' })
  assert.equal(code(await bob.get(`/posts/${post.id}`)), '404 not_found')
  assert.equal(code(await bob.get(`/posts/${post.id}/poll`)), '404 not_found')
  assert.equal(code(await closePoll(bob, post.id)), '404 not_found')
  assert.equal((await ada.get(`/posts/${post.id}/poll`)).body.poll.total_votes, 1)
  await ada.patch(`/posts/${post.id}`, { visibility: 'public' })
  assert.deepEqual(await pollIn(bob, post.id), poll)
})

test('deleting a post deletes its poll', async () => {
  const post = await givenPost(ada)
  const { poll } = (await ask(ada, post.id)).body
  await vote(poll.id, poll.options[0].id)
  await w.request('DELETE', `/posts/${post.id}`, { token: ada.token })
  const left = await w.sql`
    select id from polls where id = ${poll.id} union all select id from poll_options where poll_id = ${poll.id}
    union all select option_id from poll_votes where poll_id = ${poll.id}`
  assert.deepEqual(left, [])
})
