// Support's side of feedback: what it reads, whom it may answer, what each answer leaves, and the operator's words for the
// same. docs/contract/staff.md#feedback.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import {
  answer,
  answerBody,
  answered,
  filed,
  follow,
  found,
  readIdea,
  subscription,
  vote,
} from '../../../test/feedback.ts'
import { heard } from '../../../test/heard.ts'
import type { Shown } from '../../../test/orders.ts'
import { appoint, dismiss } from '../../../test/staff.ts'
import { beforehand, story } from '../../../test/story.ts'
import { turnSuspended } from '../../../test/turning.ts'
import { type Agent, code, race, tally, worldFor } from '../../../test/world.ts'
import { hours } from '../../kernel/clock.ts'
import { OperatorError } from '../../operator/operator.ts'
import { setIdeaHidden } from '../feedback/listing.ts'
import { hide, unhide } from './hiding.ts'

const { w, ada, sue } = story('ada', 'sue')
beforehand(() => appoint(w, sue))

const ids = (records: readonly { id: string }[]): string[] => records.map(({ id }) => id)
const audited = (id: string) => w.sql`
  select actor, action, reason, details from audit_log where subject = ${id} order by id`

test('only support reads and answers feedback, and a revoked role allows nothing', async () => {
  const [mod, tim] = [await w.agent('mod'), await w.agent('tim')]
  await appoint(w, mod, 'moderator')
  await appoint(w, tim)
  const problem = await filed(ada, 'problem')
  const doors = async (who: Agent): Promise<string[]> => [
    code(await who.get('/staff/feedback')),
    code(await who.get(`/staff/feedback/${problem.id}`)),
    code(await answer(who, { ...problem, version: 99 })),
    code(await who.get(`/staff/feedback/${randomUUID()}`)),
    code(await answer(who, { id: randomUUID(), version: 1 })),
  ]
  const closed = Array.from({ length: 5 }, () => '403 staff_required')
  const open = ['200', '200', '409 version_conflict', '404 not_found', '404 not_found']
  assert.deepEqual(await doors(ada), closed, 'to its author')
  assert.deepEqual(await doors(mod), closed, 'to moderators')
  assert.deepEqual(await doors(tim), open)
  await turnSuspended(w, tim.id, true)
  assert.deepEqual(
    await doors(tim),
    Array.from({ length: 5 }, () => '403 profile_inactive'),
  )
  await turnSuspended(w, tim.id, false)
  const body = answerBody(problem)
  assert.equal(code(await tim.post(`/staff/feedback/${problem.id}/answer`, body)), '200')
  await dismiss(w, tim)
  assert.deepEqual(await doors(tim), closed)
  const replay = () => tim.post(`/staff/feedback/${problem.id}/answer`, body)
  assert.equal(code(await replay()), '403 staff_required')
  await appoint(w, tim)
  assert.equal(code(await replay()), '200', 'a lost answer is still there')
  assert.equal(code(await sue.get('/staff/feedback/x')), '404 not_found')
})

test('all feedback is listed oldest first, by category, visibility and status', async (t) => {
  const alone = await worldFor(t)
  const [bob, tom] = [await alone.agent('bob'), await alone.staff('tom')]
  const records: Shown[] = []
  for (const category of ['idea', 'problem', 'question', 'idea', 'problem'] as const) {
    records.push(await filed(bob, category))
  }
  await answered(tom, records[0] as Shown, { status: 'resolved' })
  await answered(tom, records[4] as Shown, { status: 'in_progress' })
  await bob.patch('/bots/me', { profile_public: false })
  await alone.service.sql.transaction((tx) => setIdeaHidden(tx, (records[3] as Shown).id, true))
  for (const [query, expected] of [
    ['', [0, 1, 2, 3, 4]],
    ['category=idea', [0, 3]],
    ['category=problem', [1, 4]],
    ['visibility=public', [0, 3]],
    ['visibility=private', [1, 2, 4]],
    ['status=received', [1, 2, 3]],
    ['status=planned', []],
    ['status=received&visibility=private', [1, 2]],
    ['status=in_progress&category=problem&visibility=private', [4]],
    ['category=idea&visibility=private', []],
    ['page=2&page_size=2', [2, 3]],
    ['page=3&page_size=2&visibility=private', []],
  ] as const) {
    const answer = await tom.get(`/staff/feedback?${query}`)
    assert.equal(code(answer), '200', query)
    assert.deepEqual(
      ids(answer.body.feedback),
      expected.map((at) => (records[at] as Shown).id),
      query,
    )
    if (!query.includes('page')) assert.equal(answer.body.pagination.total, expected.length, query)
  }
  assert.equal((await tom.get('/staff/feedback?page=2&page_size=2')).body.pagination.total, 5)
  await alone.service.sql.transaction((tx) => setIdeaHidden(tx, (records[3] as Shown).id, false))
})

test('support reads a complete record with its author, and nothing about the reader', async () => {
  const cara = await w.agent('cara')
  const idea = await filed(cara, 'idea')
  await vote(w, sue, idea)
  await subscription(w, sue, idea, 'PUT')
  await cara.patch('/bots/me', { profile_public: false })
  const shown = (await sue.get(`/staff/feedback/${idea.id}`)).body
  assert.deepEqual(shown, {
    feedback: { ...idea, votes_count: 1, viewer_has_voted: false, viewer_is_subscribed: false },
    updates: [],
    followups: [],
  })
  const problem = await filed(cara, 'problem', { diagnostics: { layer: 'files' } })
  const followed = await follow(cara, problem)
  const done = await answered(sue, followed.body.feedback)
  const whole = (await sue.get(`/staff/feedback/${problem.id}`)).body
  assert.deepEqual(whole.feedback, done)
  assert.deepEqual(whole.feedback.diagnostics, { layer: 'files' })
  assert.deepEqual(whole.followups, [followed.body.followup])
  assert.deepEqual(whole.updates, (await cara.get(`/feedback/${problem.id}/updates`)).body.updates)
})

test('the record shows the latest answer, all are kept, and only the audit log names who gave it', async () => {
  const dan = await w.agent('dan')
  let seen = await filed(dan, 'question')
  for (const [status, response] of [
    ['planned', 'One'],
    ['planned', 'Two'],
    ['in_progress', 'Three'],
    ['declined', ' Four\r\nlines '],
    ['resolved', 'Five'],
    ['planned', '𝒳'.repeat(5000)],
  ] as const) {
    w.travel(1000)
    const next = await answered(sue, seen, { status, response })
    assert.deepEqual(
      [next.status, next.version, next.response],
      [status, seen.version + 1, response.trim().replace('\r', '')],
    )
    assert.ok(next.updated_at > seen.updated_at)
    const { viewer_is_subscribed: _, ...mine } = (await dan.get(`/feedback/${seen.id}`)).body.feedback
    assert.deepEqual({ ...mine, viewer_is_subscribed: false }, next)
    seen = next
  }
  const path = `/feedback/${seen.id}/updates`
  const { updates, pagination } = (await dan.get(path)).body
  assert.deepEqual(pagination, { page: 1, page_size: 20, total: 6 })
  assert.deepEqual(
    updates.map(({ version, status }: Shown) => `${version} ${status}`),
    ['7 planned', '6 resolved', '5 declined', '4 in_progress', '3 planned', '2 planned'],
  )
  assert.deepEqual(Object.keys(updates[0]).sort(), ['created_at', 'feedback_id', 'id', 'response', 'status', 'version'])
  assert.deepEqual((await dan.get(`${path}?page=2&page_size=4`)).body.updates, updates.slice(4))
  assert.doesNotMatch(JSON.stringify((await dan.get(path)).body), /sue/, 'not who gave it')
  const log = await audited(seen.id)
  assert.equal(log.length, 6, 'one entry an answer')
  assert.deepEqual(log[3], {
    actor: 'staff:sue',
    action: 'feedback.answer',
    reason: null,
    details: { status: 'declined', version: 5 },
  })
})

test('invalid answers are refused', async () => {
  const ned = await w.agent('ned')
  const problem = await filed(ned, 'problem')
  assert.equal(code(await answer(sue, problem, { status: 'received' })), '400 invalid_input', 'that it is by itself')
  const stale = await answer(sue, problem, { expected_version: 2 })
  assert.deepEqual([code(stale), stale.body.error.details], ['409 version_conflict', { version: 1 }])
  assert.deepEqual(await audited(problem.id), [])
  assert.deepEqual(await heard(w, ned, 'feedback.changed'), [])
})

test("nobody answers their own record, or one of their owner's other passports", async () => {
  const mine = await filed(sue, 'problem')
  assert.equal(code(await answer(sue, mine)), '403 forbidden')
  assert.equal(code(await answer(sue, { ...mine, version: 5 })), '403 forbidden', 'before its version')
  assert.equal(code(await sue.get(`/staff/feedback/${mine.id}`)), '200', 'it may read it')
  const [eve, eva, fay] = [await w.agent('eve'), await w.agent('eva'), await w.agent('fay')]
  for (const [who, email] of [
    [eve, 'same@example.org'],
    [eva, 'same@example.org'],
    [fay, 'other@example.org'],
  ] as const) {
    await w.sql`
      insert into owners (email, created_at) values (${email}, ${w.now()}) on conflict do nothing`
    await w.sql`update agents set owner_email = ${email}, email_verified_at = ${w.now()} where id = ${who.id}`
  }
  await appoint(w, eve)
  await appoint(w, fay)
  const idea = await filed(eva, 'idea')
  assert.equal(code(await answer(eve, idea)), '403 forbidden')
  assert.equal(code(await answer(fay, idea)), '200')
})

test('hidden ideas can be answered too, and show the answer once restored', async () => {
  const gil = await w.agent('gil')
  const idea = await filed(gil, 'idea')
  await gil.patch('/bots/me', { profile_public: false })
  const done = await answered(sue, idea, { status: 'resolved' })
  assert.deepEqual(await heard(w, gil, 'feedback.changed'), ['feedback.changed resolved 2'])
  assert.ok(!(await found(w))[0].includes(idea.id))
  await gil.patch('/bots/me', { profile_public: true })
  assert.equal((await readIdea(w, idea)).body.idea.version, done.version)
  const turn = (change: typeof hide) => w.service.sql.transaction((tx) => change(tx, 'idea', idea.id))
  assert.deepEqual([await turn(hide), await turn(hide)], [true, false])
  const { version } = await answered(sue, done, { status: 'declined' })
  assert.equal(code(await readIdea(w, idea)), '404 not_found')
  assert.deepEqual([await turn(unhide), await turn(unhide)], [true, false])
  assert.equal((await readIdea(w, idea)).body.idea.version, version)
})

test('simultaneous answers to twenty records, back and forth between two statuses, never deadlock', async () => {
  const ida = await w.agent('ida')
  const records: Shown[] = []
  for (let n = 0; n < 20; n++) records.push(await filed(ida, 'problem'))
  for (const [one, other] of [
    ['planned', 'in_progress'],
    ['in_progress', 'planned'],
    ['resolved', 'declined'],
  ] as const) {
    const all = await race(20, (n) => answer(sue, records[n] as Shown, { status: n % 2 === 0 ? one : other }))
    assert.deepEqual(tally(all), { '200': 20 })
    for (const [n, { body }] of all.entries()) records[n] = body.feedback
  }
})

test('the operator’s commands show waiting feedback with its age, and answer as support', async (t) => {
  const alone = await worldFor(t)
  const say = (...words: string[]) => alone.operator(...words)
  assert.equal((await say('feedback')).text, 'No feedback waiting.')
  assert.deepEqual(((await say('queue')).json as { feedback: object }).feedback, { waiting: 0, oldest: null })
  const jon = await alone.agent('jon')
  const first = await filed(jon, 'problem', { title: 'It\tis broken'.replace('\t', ' '), body: 'Line one\nline two' })
  alone.travel(hours(5))
  const second = await filed(jon, 'idea')
  const socket = await jon.events()
  const lines = (await say('feedback')).text.split('\n')
  assert.match(lines[0] ?? '', /^Feedback +Age +Category +Status +By +Votes +What$/)
  assert.match(
    lines[1] ?? '',
    new RegExp(`^${first.id}  5 h +problem +received +jon +0 +It is broken: Line one line two$`),
  )
  assert.match(lines[2] ?? '', new RegExp(`^${second.id}  \\d+ s +idea +received +jon +0 `))
  assert.equal(lines.length, 3)
  assert.match((await say('queue')).text, /^Feedback {5}2 records waiting for an answer, the oldest for 5 h$/m)

  const done = await say('feedback', 'answer', first.id.toUpperCase(), 'in_progress', '--response', ' We\r\nlook ')
  assert.equal(done.text, `The problem ${first.id} is in progress`)
  const { viewer_is_subscribed: _, ...read } = (await jon.get(`/feedback/${first.id}`)).body.feedback
  assert.deepEqual(done.json, { feedback: { ...read, viewer_is_subscribed: false } })
  assert.deepEqual([read.response, read.version], ['We\nlook', 2])
  assert.equal((await socket.next('feedback.changed')).payload.version, 2)
  await socket.close()
  const [entry] = await alone.sql`select * from audit_log where subject = ${first.id}`
  assert.match(entry?.['actor'] as string, /^operator:/)
  assert.deepEqual(
    [entry?.['action'], entry?.['reason'], entry?.['details']],
    ['feedback.answer', null, { status: 'in_progress', version: 2 }],
  )
  assert.deepEqual(ids(((await say('feedback')).json as { feedback: Shown[] }).feedback), [second.id])
  assert.deepEqual(ids(((await say('feedback', '--all')).json as { feedback: Shown[] }).feedback), [
    first.id,
    second.id,
  ])
  await say('feedback', 'answer', first.id, 'resolved', '--response', 'Done')
  assert.deepEqual(ids(((await say('feedback', '--all')).json as { feedback: Shown[] }).feedback), [second.id])

  const unknown = randomUUID()
  for (const [words, problem] of [
    [[unknown, 'planned', '--response', 'x'], `There is no feedback ${unknown}`],
    [[second.id, 'planned', '--response', '  '], 'A response is required'],
    [[second.id, 'planned', '--response', 'x'.repeat(5001)], 'The response is longer than 5000 characters'],
    [[second.id, 'planned', '--response', 'a\u0007'], 'The response contains control characters'],
  ] as const) {
    await assert.rejects(say('feedback', 'answer', ...words), new OperatorError(problem))
  }
})
