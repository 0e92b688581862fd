// Reactions and votes of visitors: to what everyone sees, once of a kind, exact however many come at once.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Browsing } from '../../../test/actors.ts'
import { givenPost } from '../../../test/posts.ts'
import { beforehand, story } from '../../../test/story.ts'
import { turnHidden, turnSuspended } from '../../../test/turning.ts'
import { asked, votesIn } from '../../../test/visitors.ts'
import { type Agent, code, pause, race, type World } from '../../../test/world.ts'
import { days, minutes } from '../../kernel/clock.ts'
import { reactionKinds } from '../posts/shapes.ts'
import { hide, unhide } from '../staff/hiding.ts'

let crowd: Browsing[]
const { w, ada, bob } = story('ada', 'bob')
const node = beforehand(() => w.node())
beforehand(async () => {
  crowd = await Promise.all(Array.from({ length: 20 }, () => w.visitor()))
})

const visitor = (n = 0): Browsing => crowd[n] as Browsing
/** From either node in turn. */
const at = (n: number): World => (n % 2 === 0 ? w : node)
const react = (n: number, postId: string, kind = 'like', method = 'PUT', from = at(n)) =>
  from.request(method, `/visitor/posts/${postId}/reactions/${kind}`, { headers: visitor(n).headers })
const vote = (n: number, postId: string, option_id: unknown, from = at(n)) =>
  from.request('PUT', `/visitor/posts/${postId}/poll/vote`, { json: { option_id }, headers: visitor(n).headers })
const closePoll = (postId: string) => ada.post(`/posts/${postId}/poll/close`, { operation_id: randomUUID() })
const countsIn = async (postId: string, from = w) =>
  (await from.request('GET', `/posts/${postId}`, { token: bob.token })).body.post.reactions
const none = { like: 0, insight: 0, thanks: 0, wow: 0 }
const remove = (agent: Agent, postId: string) => w.request('DELETE', `/posts/${postId}`, { token: agent.token })

test('a visitor reacts once per kind, and withdraws; the response has the recorded counts', async () => {
  const { id } = await givenPost(ada)
  for (const kind of reactionKinds) {
    const answer = await react(0, id, kind)
    assert.equal(code(answer), '200')
    assert.deepEqual(answer.body.reactions, await countsIn(id))
    assert.deepEqual((await react(0, id, kind)).body, answer.body, 'again changes nothing')
  }
  assert.deepEqual((await react(1, id, 'wow')).body.reactions, { like: 1, insight: 1, thanks: 1, wow: 2 })
  assert.deepEqual((await react(0, id, 'wow', 'DELETE')).body.reactions, { like: 1, insight: 1, thanks: 1, wow: 1 })
  assert.deepEqual((await react(0, id, 'wow', 'DELETE')).body.reactions, { like: 1, insight: 1, thanks: 1, wow: 1 })
  assert.deepEqual((await react(2, id, 'like', 'DELETE')).body.reactions.like, 1, 'nobody takes back another one’s')
})

test('twenty identical requests of one visitor count once, and twenty visitors twenty times, on both nodes', async () => {
  const { id } = await givenPost(ada)
  const twins = (method: string) =>
    race(20, (n) => at(n).request(method, `/visitor/posts/${id}/reactions/like`, { headers: visitor().headers }))
  assert.ok((await twins('PUT')).every(({ status }) => status === 200))
  assert.equal((await countsIn(id)).like, 1)
  await race(20, (n) => react(n, id))
  for (const from of [w, node]) assert.equal((await countsIn(id, from)).like, 20, 'there is no other truth to wait for')
  await twins('DELETE')
  assert.equal((await countsIn(id, node)).like, 19)
  await race(20, (n) => react(n, id, 'like', 'DELETE'))
  assert.deepEqual(await countsIn(id, node), none)
})

test('nobody reacts to or votes on hidden content; earlier votes stay, and can be withdrawn', async () => {
  const [cleo, dora] = [await w.agent('cleo'), await w.agent('dora')]
  const { id: draft } = await givenPost(ada, { visibility: 'private' })
  const doors = async (
    author: Agent,
    away: (postId: string) => Promise<unknown>,
    back?: (postId: string) => Promise<unknown>,
  ) => {
    const { postId, options } = await asked(w, author)
    await react(0, postId)
    await react(1, postId)
    assert.equal(code(await vote(0, postId, options[0])), '200')
    await away(postId)
    for (const n of [0, 2]) {
      assert.equal(code(await react(n, postId)), '404 not_found')
      assert.equal(code(await vote(n, postId, options[1])), '404 not_found')
      const back = await react(n, postId, 'like', 'DELETE')
      assert.deepEqual([back.status, back.body], [200, { reactions: null }], 'without a word of its counts')
    }
    if (!back) return
    await back(postId)
    assert.equal((await countsIn(postId)).like, 1, 'the other one’s')
    assert.deepEqual(await votesIn(author, postId), [1, 0, 0])
    assert.equal(code(await react(0, postId)), '200')
  }
  const visibility = (agent: Agent, value: string) => (postId: string) =>
    agent.patch(`/posts/${postId}`, { visibility: value })
  await doors(ada, visibility(ada, 'private'), visibility(ada, 'public'))
  const turnPost = (turn: typeof hide) => (postId: string) =>
    w.service.sql.transaction((tx) => turn(tx, 'post', postId))
  await doors(ada, turnPost(hide), turnPost(unhide))
  const open = (profile_public: boolean) => () => cleo.patch('/bots/me', { profile_public })
  await doors(cleo, open(false), open(true))
  const suspend = (suspended: boolean) => () => turnSuspended(w, dora.id, suspended)
  await doors(dora, suspend(true), suspend(false))
  await doors(ada, (postId) => remove(ada, postId))
  for (const id of [draft, randomUUID(), ada.id]) {
    assert.equal(code(await react(0, id)), '404 not_found')
    assert.equal(code(await vote(0, id, randomUUID())), '404 not_found')
    assert.deepEqual((await react(0, id, 'like', 'DELETE')).body, { reactions: null })
  }
  assert.equal(code(await react(0, 'x', 'like', 'DELETE')), '404 not_found')
})

test('an agent whose owner misses verification keeps its readers’ reactions', async () => {
  const gated = await w.node({ OWNER_EMAIL_GATE: 'on' })
  const { postId, options } = await asked(w, ada, days(29))
  w.travel(days(15))
  await w.sql`update nodes set seen_at = ${w.now()}`
  assert.equal(code(await react(3, postId, 'like', 'PUT', gated)), '200')
  assert.equal(code(await vote(3, postId, options[0], gated)), '200')
})

test('a visitor has one vote, which can be changed until the poll closes', async () => {
  const { postId, options } = await asked(w, ada)
  const [tea, coffee, water] = options
  const answer = await vote(0, postId, tea)
  assert.deepEqual([answer.status, answer.body], [200, { vote: { option_id: tea } }], 'without counts')
  assert.deepEqual((await vote(0, postId, tea)).body, { vote: { option_id: tea } })
  assert.deepEqual((await vote(0, postId, coffee?.toUpperCase())).body, { vote: { option_id: coffee } })
  await vote(1, postId, water)
  assert.deepEqual(await votesIn(ada, postId), [0, 1, 1])
  const other = await asked(w, bob)
  for (const id of [other.options[0], randomUUID(), postId]) {
    const refused = await vote(2, postId, id)
    assert.equal(code(refused), '400 invalid_input')
    assert.deepEqual(refused.body.error.details.fields[0].path, 'option_id')
  }
  const plain = await givenPost(ada)
  assert.equal(code(await vote(2, plain.id, tea)), '404 not_found', 'it asks nothing')
  await closePoll(postId)
  assert.equal(code(await vote(0, postId, tea)), '409 invalid_state')
  assert.equal(code(await vote(0, postId, coffee)), '409 invalid_state', 'also what it chose already')
  assert.equal(code(await vote(2, postId, tea)), '409 invalid_state')
  assert.equal(code(await vote(2, postId, other.options[0])), '400 invalid_input', 'open or not')
  assert.deepEqual(await votesIn(ada, postId), [0, 1, 1])
  w.travel(minutes(30))
  assert.equal(code(await vote(2, other.postId, other.options[0])), '409 invalid_state', 'closed by itself')
  assert.deepEqual(await votesIn(bob, other.postId), [0, 0, 0])
})

const unvote = (n: number, postId: string) =>
  at(n).request('DELETE', `/visitor/posts/${postId}/poll/vote`, { headers: visitor(n).headers })

test('a vote can be withdrawn while the poll is open, and cast again', async () => {
  const { postId, options } = await asked(w, ada)
  await vote(0, postId, options[0])
  await vote(1, postId, options[0])
  for (let again = 0; again < 2; again++) {
    const answer = await unvote(0, postId)
    assert.deepEqual([answer.status, answer.body], [200, { vote: null }])
    assert.deepEqual(await votesIn(ada, postId), [1, 0, 0], 'nobody else’s vote')
  }
  assert.equal(code(await vote(0, postId, options[2])), '200')
  assert.deepEqual(await votesIn(ada, postId), [1, 0, 1])
  await closePoll(postId)
  assert.deepEqual((await unvote(0, postId)).body, { vote: null })
  assert.deepEqual(await votesIn(ada, postId), [1, 0, 1], 'a closed poll keeps it')
  const late = await asked(w, ada)
  await vote(0, late.postId, late.options[0])
  w.travel(minutes(30))
  assert.equal(code(await unvote(0, late.postId)), '200')
  assert.deepEqual(await votesIn(ada, late.postId), [1, 0, 0], 'so does one that closed by itself')
})

test('withdrawing a vote gets the same response even if the post is gone', async () => {
  const hidden = await asked(w, ada)
  const gone = await asked(w, ada)
  await vote(0, hidden.postId, hidden.options[0])
  await turnHidden(w, 'post', hidden.postId, true)
  assert.equal(code(await remove(ada, gone.postId)), '200')
  const plain = await givenPost(ada)
  for (const id of [hidden.postId, gone.postId, plain.id, randomUUID()]) {
    assert.deepEqual((await unvote(0, id)).body, { vote: null })
  }
  assert.equal(code(await unvote(0, 'x')), '404 not_found')
  await turnHidden(w, 'post', hidden.postId, false)
  assert.deepEqual(await votesIn(ada, hidden.postId), [0, 0, 0])
})

test('twenty simultaneous withdrawals, and twenty by one visitor, race a closing poll', async () => {
  const { postId, options } = await asked(w, ada)
  await race(20, (n) => vote(n, postId, options[n % 3]))
  const twins = await race(20, (n) =>
    at(n).request('DELETE', `/visitor/posts/${postId}/poll/vote`, { headers: visitor().headers }),
  )
  assert.ok(twins.every(({ status }) => status === 200))
  assert.equal(
    (await votesIn(ada, postId)).reduce((sum, each) => sum + each),
    19,
  )
  const [closed] = await Promise.all([closePoll(postId), race(20, (n) => unvote(n, postId))])
  assert.equal(code(closed), '200')
  const left = await votesIn(ada, postId)
  await race(20, (n) => unvote(n, postId))
  assert.deepEqual(await votesIn(ada, postId), left, 'nothing goes once it is closed')
})

test('only the author sees how many chose each option, even once the poll is closed', async () => {
  const { postId, options } = await asked(w, ada)
  await vote(0, postId, options[0])
  const seen = async () => {
    const { post } = (await bob.get(`/posts/${postId}`)).body
    assert.deepEqual(Object.keys(post.poll.options[0]).sort(), ['id', 'text'])
    assert.equal(code(await bob.get(`/posts/${postId}/poll`)), '403 forbidden')
    assert.equal(code(await visitor().request('GET', `/posts/${postId}/poll`)), '401 unauthorized')
    return JSON.stringify(post)
  }
  assert.doesNotMatch(await seen(), /votes/)
  await closePoll(postId)
  assert.doesNotMatch(await seen(), /votes/)
  assert.deepEqual(await votesIn(ada, postId), [1, 0, 0])
})

test('twenty simultaneous votes of one visitor are one; twenty visitors who change their votes are twenty', async () => {
  const { postId, options } = await asked(w, ada)
  const answers = await race(20, (n) =>
    at(n).request('PUT', `/visitor/posts/${postId}/poll/vote`, {
      json: { option_id: options[n % 3] },
      headers: visitor().headers,
    }),
  )
  assert.ok(answers.every(({ status }) => status === 200))
  const sum = (votes: number[]) => votes.reduce((all, each) => all + each, 0)
  assert.equal(sum(await votesIn(ada, postId)), 1)
  await race(60, (n) => vote(n % 20, postId, options[n % 3]))
  assert.equal(sum(await votesIn(ada, postId)), 20)
  await race(20, (n) => vote(n, postId, options[2]))
  assert.deepEqual(await votesIn(ada, postId), [0, 0, 20])
})

test('votes race a closing poll: exactly those answered with 200 count', async () => {
  for (let round = 0; round < 5; round++) {
    const { postId, options } = await asked(w, ada)
    const votes = race(20, async (n) => {
      await pause(n % 5)
      return vote(n, postId, options[n % 3])
    })
    await pause(round * 3)
    assert.equal(code(await closePoll(postId)), '200')
    const then = await votesIn(ada, postId)
    const answers = await votes
    for (const answer of answers) assert.ok(['200', '409 invalid_state'].includes(code(answer)), code(answer))
    const taken = [0, 1, 2].map(
      (option) => answers.filter(({ status }, n) => status === 200 && n % 3 === option).length,
    )
    assert.deepEqual(then, taken, 'what was taken was there when the close was answered')
    assert.deepEqual(await votesIn(ada, postId), taken)
  }
})
