// Deciding cases from outside: every decision in every status, by whom, what follows at once, and the trace of it.
// docs/contract/staff.md and docs/contract/moderation.md.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { staff } from '../../../test/actors.ts'
import { givenFile } from '../../../test/files.ts'
import { heard } from '../../../test/heard.ts'
import {
  appealed,
  caseAbout,
  type Decision,
  decisionBody,
  moderation,
  moderator,
  opened,
  reported,
  reportedPost,
  rule,
  ruled,
  type Shown,
} from '../../../test/moderation.ts'
import { trade } from '../../../test/orders.ts'
import { givenPost } from '../../../test/posts.ts'
import { given, revealedReview, subjectKinds, type Thing, twoFriends } from '../../../test/subjects.ts'
import { type Agent, code, race, worldFor } from '../../../test/world.ts'
import { minutes } from '../../kernel/clock.ts'

const { w, rita, mona } = moderation()

const decisions = ['approve', 'reject', 'remove', 'restore'] as const

/** A case of a review's text that waits. */
async function waitingText(): Promise<{ found: Shown; owner: Agent }> {
  const { id, customer } = await revealedReview(w, { text: 'Round' })
  return { found: await caseAbout(customer, { id }), owner: customer }
}

const statusAfter = { approve: 'approved', reject: 'rejected', remove: 'removed', restore: 'restored' } as const

test('every decision in every status: any other decision is refused and changes nothing', async () => {
  const ways: [string, typeof reportedPost, readonly Decision[]][] = []
  const after =
    (begun: typeof reportedPost, ...made: Decision[]) =>
    async () => {
      const { found, owner } = await begun(w)
      return { found: await ruled(mona, found, made), owner }
    }
  const withAppeal =
    (begun: typeof reportedPost, ...made: Decision[]) =>
    async () => {
      const { found, owner } = await after(begun, ...made)()
      return { found: await appealed(owner, found), owner }
    }
  ways.push(['pending', reportedPost, ['approve', 'remove']])
  ways.push(['approved', after(reportedPost, 'approve'), ['remove']])
  ways.push(['removed', after(reportedPost, 'remove'), ['restore']])
  ways.push(['restored', after(reportedPost, 'remove', 'restore'), ['remove']])
  ways.push(['removed again', after(reportedPost, 'remove', 'restore', 'remove'), ['restore']])
  ways.push(['removed, appealed', withAppeal(reportedPost, 'remove'), ['remove', 'restore']])
  ways.push(['waiting', waitingText, ['approve', 'reject', 'remove']])
  ways.push(['waited, approved', after(waitingText, 'approve'), ['remove']])
  ways.push(['waited, rejected', after(waitingText, 'reject'), ['restore']])
  ways.push(['waited, removed', after(waitingText, 'remove'), ['restore']])
  ways.push(['waited, restored', after(waitingText, 'reject', 'restore'), ['remove']])
  ways.push(['waited, rejected, appealed', withAppeal(waitingText, 'reject'), ['reject', 'restore']])
  ways.push(['waited, removed, appealed', withAppeal(waitingText, 'remove'), ['remove', 'restore']])
  for (const [name, begun, allowed] of ways) {
    for (const decision of decisions) {
      const { found, owner } = await begun(w)
      const now = await caseAbout(owner, found.subject)
      assert.equal(code(await rule(mona, { ...found, version: found.version + 1 }, decision)), '409 version_conflict')
      assert.equal(code(await rule(mona, { ...found, version: 0 }, decision)), '409 version_conflict')
      const answer = await rule(mona, found, decision)
      const what = `${decision} of one ${name}`
      if (!allowed.includes(decision)) {
        assert.equal(code(answer), '409 invalid_state', what)
        assert.deepEqual(await caseAbout(owner, found.subject), now, what)
        continue
      }
      assert.equal(code(answer), '200', `${what}: ${JSON.stringify(answer.body)}`)
      const then = await caseAbout(owner, found.subject)
      assert.deepEqual(then, {
        ...now,
        status: statusAfter[decision],
        reason_code: decision === 'approve' || decision === 'restore' ? 'ok' : 'spam',
        reason: `To ${decision}`,
        version: now.version + 1,
        updated_at: then.updated_at,
        decided_at: then.decided_at,
      })
      assert.equal(
        (await heard(w, owner, 'moderation.changed')).at(-1),
        `moderation.changed ${then.status} ${then.version}`,
      )
      for (const [key, value] of Object.entries(then)) assert.deepEqual(answer.body.case[key], value, `${what}: ${key}`)
    }
  }
})

test('nobody decides about their own content or order', async () => {
  const things: Thing[] = []
  for (const kind of subjectKinds) things.push(await given(w, kind))
  const [contractor, customer] = await twoFriends(w, 'contractor', 'customer')
  const file = await givenFile(w, customer, { purpose: 'order' })
  await trade(w, customer, contractor, 'funded', { input_attachment_ids: [file] })
  const attached: Thing = {
    kind: 'attachment',
    id: file,
    owner: customer,
    other: contractor,
    isSeenBy: async () => true,
  }
  await reported(contractor, attached)
  for (const thing of [...things, attached]) {
    const found = thing === attached ? await caseAbout(customer, attached) : await opened(rita, thing.owner, thing)
    for (const who of [thing.owner, ...(thing.other ? [thing.other] : [])]) {
      assert.equal(code(await rule(who, found, 'remove')), '403 staff_required')
      await w.operator('staff', 'assign', who.handle, 'moderator')
      assert.equal(code(await rule(who, found, 'remove')), '403 forbidden', `${thing.kind} by ${who.handle}`)
      assert.equal(code(await rule(who, { ...found, version: 9 }, 'restore')), '403 forbidden', 'before the version')
    }
    assert.deepEqual(await caseAbout(thing.owner, thing), found)
    assert.equal(code(await rule(mona, found, 'approve')), '200')
  }
})

test('a reporter may decide, and staff with another role may not', async () => {
  const [joe, sue] = [await staff(w, 'joe', ['moderator']), await staff(w, 'sue', ['support'])]
  const thing = await given(w, 'post')
  const found = await opened(joe, thing.owner, thing)
  assert.equal(code(await rule(sue, found, 'remove')), '403 staff_required')
  assert.equal(code(await sue.get('/staff/moderation')), '403 staff_required')
  const body = decisionBody(found, 'remove')
  const path = `/staff/moderation/${found.id}/decide`
  const answer = await joe.post(path, body)
  assert.equal(code(answer), '200')
  await w.operator('staff', 'revoke', 'joe', 'moderator')
  assert.equal(code(await rule(joe, answer.body.case, 'restore')), '403 staff_required')
  assert.equal(code(await joe.get('/staff/moderation')), '403 staff_required')
  assert.equal(
    code(await joe.post(path, body)),
    '403 staff_required',
    'what was removed is not read by a replay either',
  )
  assert.equal(code(await joe.post(path, { ...body, reason: 'Else' })), '409 idempotency_conflict')
  await w.operator('staff', 'assign', 'joe', 'moderator')
  assert.deepEqual((await joe.post(path, body)).body, answer.body, 'a lost answer is there for the asking')
  await w.operator('agent', 'suspend', 'joe', '--reason', 'A test')
  assert.equal(code(await joe.post(path, body)), '403 profile_inactive')
  assert.equal(code(await rule(joe, answer.body.case, 'restore')), '403 profile_inactive')
  assert.equal(code(await joe.get('/staff/moderation')), '403 profile_inactive')
})

test('the queue lists pending cases oldest first, by status, kind and pending appeals', async (t) => {
  const at = await worldFor(t)
  const [judge, reporter, owner] = [await moderator(at, 'judge'), await at.agent('reporter'), await at.agent('owner')]
  const found: Shown[] = []
  for (let n = 0; n < 6; n++) {
    const { id } = await givenPost(owner, { title: `No. ${n}`, text: 'x'.repeat(8000) })
    found.push(await opened(reporter, owner, { kind: 'post', id }))
    at.travel(minutes(1))
  }
  const task = { kind: 'profile', id: owner.id }
  found.push(await opened(reporter, owner, task))
  const ids = async (query = '') => {
    const { body } = await judge.get(`/staff/moderation${query}`)
    return [...body.cases.map(({ id }: Shown) => found.findIndex((each) => each.id === id)), body.pagination.total]
  }
  assert.deepEqual(await ids(), [0, 1, 2, 3, 4, 5, 6, 7])
  assert.deepEqual(await ids('?kind=profile'), [6, 1])
  assert.deepEqual(await ids('?kind=review'), [0])
  assert.deepEqual(await ids('?appealed=false'), [0, 1, 2, 3, 4, 5, 6, 7])
  assert.deepEqual(await ids('?page=2&page_size=3'), [3, 4, 5, 7])
  await ruled(judge, found[0], 'remove')
  at.travel(minutes(1))
  await ruled(judge, found[1], 'remove')
  const third = await ruled(judge, found[2], 'remove')
  await ruled(judge, found[3], 'approve')
  assert.deepEqual(await ids(), [4, 5, 6, 3])
  assert.deepEqual(await ids('?status=pending'), [4, 5, 6, 3])
  assert.deepEqual(new Set(await ids('?status=removed')), new Set([0, 1, 2, 3]))
  assert.deepEqual(await ids('?status=approved'), [3, 1])
  assert.deepEqual(await ids('?appealed=true'), [0])
  const late = await appealed(owner, third)
  at.travel(minutes(1))
  await appealed(owner, await caseAbout(owner, found[0].subject))
  assert.deepEqual(await ids('?appealed=true'), [2, 0, 2], 'the appeal that waits longest first')
  assert.deepEqual(await ids('?appealed=true&kind=post&page_size=1'), [2, 2])
  assert.deepEqual(await ids('?appealed=true&kind=profile'), [0])
  assert.deepEqual(await ids('?status=removed&appealed=false'), [1, 1])
  await ruled(judge, late, 'remove')
  assert.deepEqual(await ids('?appealed=true'), [0, 1], 'an answered one waits no more')
  assert.deepEqual(new Set(await ids('?status=removed&appealed=true')), new Set([0, 2]), 'and stays appealed')

  const [entry] = (await judge.get('/staff/moderation')).body.cases
  assert.deepEqual((await judge.get(`/staff/moderation/${entry.id}`)).body.case, entry)
  assert.equal(code(await judge.get(`/staff/moderation/${randomUUID()}`)), '404 not_found')
  assert.equal(entry.excerpt.title, 'No. 4')
  assert.equal(entry.excerpt.text.length, 2000)
  assert.deepEqual(await ids('?page=1000'), [3])
})

test('one of several simultaneous decisions counts, and only it leaves a trace', async () => {
  const others = await Promise.all([0, 1, 2, 3].map((n) => moderator(w, `judge_${n}`)))
  for (let round = 0; round < 3; round++) {
    const { found, owner } = await reportedPost(w)
    const twin = decisionBody(found, 'remove')
    const answers = await race(20, (n) =>
      n % 5 === 4
        ? mona.post(`/staff/moderation/${found.id}/decide`, twin)
        : rule(others[n % 4] as Agent, found, n % 2 ? 'approve' : 'remove'),
    )
    const done = answers.filter(({ status }) => status === 200)
    assert.ok(done.length === 1 || done.length === 4, 'one, or a twin’s')
    assert.equal(new Set(done.map(({ body }) => JSON.stringify(body))).size, 1)
    for (const answer of answers) assert.match(code(answer), /^(200|409 version_conflict)$/)
    assert.equal((await caseAbout(owner, found.subject)).version, 2)
    assert.equal((await heard(w, owner, 'moderation.changed')).length, 2)
    const entries = await w.sql`select 1 from audit_log where subject = ${found.id}`
    assert.equal(entries.length, 1)
  }
})
