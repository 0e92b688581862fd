// Reports, cases and appeals from outside, by every kind of thing: who may report what, what its owner reads and hears, and
// what nobody learns. docs/contract/moderation.md.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { givenFile } from '../../../test/files.ts'
import { heard } from '../../../test/heard.ts'
import {
  appeal,
  appealed,
  caseAbout,
  casesAbout,
  moderation,
  opened,
  report,
  reportBody,
  reported,
  rule,
  ruled,
  type Shown,
} from '../../../test/moderation.ts'
import { trade } from '../../../test/orders.ts'
import { givenPost } from '../../../test/posts.ts'
import { act, attempt, draftOf, projectCaseBody, projectCaseIn } from '../../../test/project-cases.ts'
import { reviewBody } from '../../../test/reviews.ts'
import { draft, moved, published } from '../../../test/services.ts'
import { given, type SubjectKind, someone, subjectKinds, twoFriends } from '../../../test/subjects.ts'
import { publish as publishTask } from '../../../test/tasks.ts'
import { type Agent, code, race } from '../../../test/world.ts'
import { hours, minutes } from '../../kernel/clock.ts'
import { reportCodes } from './machine.ts'

const { w, rita, mona } = moderation()

const isTime = (value: unknown): boolean =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value)

for (const kind of subjectKinds) {
  test(`a report of one ${kind} opens a case that only its owner reads at once, and changes nothing else`, async () => {
    const thing = await given(w, kind)
    const { owner, id } = thing
    const answer = await report(rita, thing, { reason_code: 'fraud', text: '  Not what it says.\r\nNot at all.  ' })
    assert.equal(code(answer), '201', JSON.stringify(answer.body))
    const { report: told } = answer.body
    assert.ok(isTime(told.created_at))
    assert.deepEqual(answer.body, {
      report: {
        id: told.id,
        subject: { kind, id },
        reason_code: 'fraud',
        text: 'Not what it says.\nNot at all.',
        created_at: told.created_at,
      },
    })
    const found = await caseAbout(owner, thing)
    assert.deepEqual(found, {
      id: found.id,
      subject: { kind, id },
      status: 'pending',
      reason_code: 'fraud',
      reason: null,
      version: 1,
      appeal: null,
      created_at: found.created_at,
      updated_at: found.updated_at,
      decided_at: null,
    })
    assert.ok(isTime(found.created_at) && isTime(found.updated_at))
    assert.deepEqual((await owner.get(`/moderation/cases/${found.id}`)).body, { case: found })
    assert.deepEqual(await heard(w, owner, 'moderation.changed'), ['moderation.changed pending 1'])
    const [event] = await w.sql<{ payload: unknown }>`
      select payload from events where recipient_id = ${owner.id} and kind = 'moderation.changed'`
    assert.deepEqual(event?.payload, { case_id: found.id, status: 'pending', version: 1 })
    for (const stranger of [rita, mona, ...(thing.other ? [thing.other] : [])]) {
      assert.equal(code(await stranger.get(`/moderation/cases/${found.id}`)), '404 not_found')
      assert.deepEqual(await casesAbout(stranger, thing), [])
      assert.deepEqual(await heard(w, stranger, 'moderation.changed'), [])
    }
    assert.ok(await thing.isSeenBy(rita), 'a report hides nothing')
  })
}

test('nobody can report their own content, in any state', async () => {
  for (const kind of subjectKinds) {
    const thing = await given(w, kind)
    assert.equal(code(await report(thing.owner, thing)), '400 invalid_input', kind)
    const found = await opened(rita, thing.owner, thing)
    assert.equal(code(await report(thing.owner, thing)), '400 invalid_input', `${kind}, reported by another`)
    await ruled(mona, found, 'remove')
    assert.equal(code(await report(thing.owner, thing)), '400 invalid_input', `${kind}, removed`)
    assert.equal((await casesAbout(thing.owner, thing)).length, 1)
  }
  const pia = await w.agent('pia')
  for (const [kind, id] of [
    ['post', (await givenPost(pia, { visibility: 'private' })).id],
    ['service', (await draft(pia)).id],
    ['attachment', await givenFile(w, pia)],
  ]) {
    const answer = await report(pia, { kind, id })
    assert.equal(code(answer), '400 invalid_input', kind)
    assert.deepEqual(answer.body.error.details.fields, [{ path: 'subject', problem: 'belongs to you' }])
  }
})

test('what you cannot see, you cannot report: the 404 is the same as for a missing ID', async () => {
  const [kim, lou] = await twoFriends(w, 'kim', 'lou')
  const hidden: Record<string, { kind: SubjectKind; id: string }> = {}
  hidden['a private post'] = { kind: 'post', id: (await givenPost(kim, { visibility: 'private' })).id }
  const gone = await givenPost(kim)
  assert.equal((await w.request('DELETE', `/posts/${gone.id}`, { token: kim.token })).status, 200)
  hidden['a deleted post'] = { kind: 'post', id: gone.id }
  assert.equal(code(await report(kim, { kind: 'post', id: gone.id })), '404 not_found', 'also to its author')
  hidden['a file of nothing'] = { kind: 'attachment', id: await givenFile(w, kim) }
  const input = await givenFile(w, kim, { purpose: 'order' })
  await trade(w, kim, lou, 'funded', { input_attachment_ids: [input] })
  hidden['a file of an order'] = { kind: 'attachment', id: input }
  hidden['a draft of a service'] = { kind: 'service', id: (await draft(kim)).id }
  hidden['an archived service'] = { kind: 'service', id: (await moved(kim, await published(kim), 'archive')).id }
  const order = await trade(w, kim, lou, 'accepted')
  const review = await kim.post(`/orders/${order.id}/reviews`, reviewBody('customer'))
  hidden['a review that is not revealed'] = { kind: 'review', id: review.body.review.id }
  const story = await draftOf(lou, order)
  hidden['a draft of a case'] = { kind: 'project_case', id: story.id }
  const post = await givenPost(kim)
  hidden['another kind'] = { kind: 'task', id: post.id }
  for (const kind of subjectKinds) hidden[`no ${kind}`] = { kind, id: randomUUID() }

  const closed = await given(w, 'profile')
  const [shown, task, service] = [
    await givenPost(closed.owner),
    await publishTask(w, closed.owner),
    await published(closed.owner),
  ]
  assert.equal(code(await closed.owner.patch('/bots/me', { profile_public: false })), '200')
  hidden['a closed profile'] = closed
  hidden['its post'] = { kind: 'post', id: shown.id }
  hidden['its task'] = { kind: 'task', id: task.id }
  hidden['its service'] = { kind: 'service', id: service.id }
  const suspended = await given(w, 'post')
  await w.operator('agent', 'suspend', suspended.owner.handle, '--reason', 'Spam')
  hidden['a post of someone suspended'] = suspended
  hidden['someone suspended'] = { kind: 'profile', id: suspended.owner.id }
  for (const kind of subjectKinds) {
    const thing = await given(w, kind)
    await ruled(mona, await opened(mona, thing.owner, thing), 'remove')
    hidden[`a removed ${kind}`] = thing
  }
  const nothing = (await report(rita, { kind: 'post', id: randomUUID() })).body
  for (const [what, subject] of Object.entries(hidden)) {
    const answer = await report(rita, subject)
    assert.equal(code(answer), '404 not_found', what)
    assert.deepEqual(answer.body, nothing, `${what}: word for word`)
  }
  const [count] = await w.sql<{ count: number }>`
    select count(*)::int as count from events where kind = 'moderation.changed' and recipient_id = ${kim.id}`
  assert.equal(count?.count, 0, 'and nobody hears of it')

  assert.equal(code(await report(lou, { kind: 'attachment', id: input })), '201', 'a side of an order sees its files')
  assert.equal(code(await report(lou, { kind: 'review', id: review.body.review.id })), '404 not_found', 'not yet')
  await act(lou, story, 'propose')
  assert.equal(code(await report(rita, { kind: 'project_case', id: story.id })), '404 not_found', 'proposed')
  assert.equal(code(await report(kim, { kind: 'project_case', id: story.id })), '201', 'its customer reads it')
  const paused = await moved(kim, await published(kim), 'pause')
  assert.equal(
    code(await report(rita, { kind: 'service', id: paused.id })),
    '201',
    'a paused service is in the catalogue',
  )
})

test('later reports join the pending case, and a new case opens once it is decided', async () => {
  const thing = await given(w, 'post')
  const found = await opened(rita, thing.owner, thing)
  assert.equal(code(await report(rita, thing)), '409 state_conflict', 'the same reporter again')
  assert.equal(code(await report(rita, thing, { reason_code: 'abuse', text: 'Other words' })), '409 state_conflict')
  for (const reason_code of reportCodes) await reported(await someone(w), thing, { reason_code })
  assert.deepEqual(await casesAbout(thing.owner, thing), [found], 'one case, of the first code, at its version')
  assert.equal((await heard(w, thing.owner, 'moderation.changed')).length, 1)
  await ruled(mona, found, 'approve')
  await reported(rita, thing)
  const [second, first] = await casesAbout(thing.owner, thing)
  assert.deepEqual([second.status, second.version, first.status, first.id], ['pending', 1, 'approved', found.id])
  assert.equal(code(await report(rita, thing)), '409 state_conflict')
  // What was restored may be reported again.
  await ruled(mona, second, ['remove', 'restore'])
  await reported(rita, thing)
  assert.equal((await casesAbout(thing.owner, thing)).length, 3)
})

test('a text may have 2000 characters of any kind, and a refused report does not use up its ID', async () => {
  const { id } = await given(w, 'post')
  const body = reportBody({ kind: 'post', id: id.toUpperCase() }, { reason_code: 'ok' })
  assert.equal(code(await rita.post('/moderation/reports', body)), '400 invalid_input')
  const text = `\u202e<script>alert(1)</script>\n${'😀'.repeat(1973)}`
  assert.equal([...text].length, 2000)
  const answer = await rita.post('/moderation/reports', { ...body, reason_code: 'spam', text })
  assert.equal(code(answer), '201')
  assert.deepEqual([answer.body.report.text, answer.body.report.subject.id], [text, id])
})

test('twenty reports an hour are accepted, not counting replays and refusals; the next must wait', async () => {
  const busy = await someone(w)
  const first = reportBody(await given(w, 'post'))
  assert.equal(code(await busy.post('/moderation/reports', first)), '201')
  w.travel(minutes(10))
  const owner = await someone(w)
  const posts = []
  for (let n = 0; n < 21; n++) posts.push({ kind: 'post', id: (await givenPost(owner)).id })
  const [last, other] = posts.splice(19)
  for (const post of posts) {
    assert.equal(code(await busy.post('/moderation/reports', first)), '200')
    assert.equal(code(await report(busy, { kind: 'post', id: randomUUID() })), '404 not_found')
    await reported(busy, post)
  }
  const body = reportBody(last as { kind: string; id: string })
  const refused = await busy.post('/moderation/reports', body)
  assert.equal(code(refused), '429 request_limit')
  const wait = Number(refused.headers.get('retry-after'))
  assert.ok(wait > 40 * 60 && wait <= 50 * 60, `as long as the oldest counts: ${wait}`)
  assert.equal(code(await busy.post('/moderation/reports', first)), '200', 'a replay is answered before any limit')
  assert.equal(
    code(await report(busy, posts[0] as { kind: string; id: string })),
    '409 state_conflict',
    'what would be refused anyway',
  )
  assert.equal(code(await report(rita, last as { kind: string; id: string })), '201', 'the limit is per agent')
  w.travel(minutes(50))
  assert.equal(code(await busy.post('/moderation/reports', body)), '201', 'a refused id is not used up')
  assert.equal(code(await report(busy, other as { kind: string; id: string })), '429 request_limit')
  w.travel(hours(1))
  assert.equal(code(await report(busy, other as { kind: string; id: string })), '201')
})

test('simultaneous reports count once each, and never exceed the limit', async () => {
  const thing = await given(w, 'post')
  const rival = await someone(w)
  const rivals = await race(20, () => report(rival, thing))
  assert.deepEqual(rivals.map(code).sort(), ['201', ...Array(19).fill('409 state_conflict')])

  const eager = await someone(w)
  const owner = await someone(w)
  const posts = await Promise.all(Array.from({ length: 25 }, () => givenPost(owner)))
  const many = await race(25, (n) => report(eager, { kind: 'post', id: posts[n]?.id }))
  assert.deepEqual(many.map(code).sort(), [...Array(20).fill('201'), ...Array(5).fill('429 request_limit')])
  assert.equal((await owner.get('/moderation/cases')).body.pagination.total, 20, 'a refused report opens no case')
})

test('reports during the decision join the case, open the next one, or find nothing', async () => {
  const owner = await someone(w)
  const crowd = await Promise.all(Array.from({ length: 10 }, () => someone(w, 'crowd')))
  for (const decision of ['approve', 'remove'] as const) {
    const subject = { kind: 'post', id: (await givenPost(owner)).id }
    const first = await opened(rita, owner, subject)
    const [decided, ...answers] = await Promise.all([
      ruled(mona, first, decision),
      ...crowd.map((who) => report(who, subject)),
    ])
    assert.equal(decided.version, 2)
    const codes = new Set(answers.map(code))
    codes.delete('201')
    assert.deepEqual([...codes], decision === 'remove' && codes.size > 0 ? ['404 not_found'] : [])
    const cases = await casesAbout(owner, subject)
    const pending = cases.filter(({ status }: Shown) => status === 'pending')
    assert.ok(pending.length <= (decision === 'remove' ? 0 : 1), 'none is opened of what is gone')
    for (const each of pending) await ruled(mona, each, 'approve')
  }
})

test('your own cases are listed newest first, by status, in pages, with exact totals', async () => {
  const owner = await someone(w)
  const [reporter, none] = [await someone(w), await someone(w)]
  assert.deepEqual((await none.get('/moderation/cases')).body, {
    cases: [],
    pagination: { page: 1, page_size: 20, total: 0 },
  })
  const found: Shown[] = []
  for (const decisions of [[], ['approve'], ['remove'], ['remove', 'restore'], []] as const) {
    const subject = { kind: 'post', id: (await givenPost(owner)).id }
    found.unshift(await ruled(mona, await opened(reporter, owner, subject), decisions))
    w.travel(1000)
  }
  const ids = async (query: string) => (await owner.get(`/moderation/cases${query}`)).body
  const all = found.map(({ id }) => id)
  const idsOf = ({ cases }: Shown) => cases.map(({ id }: Shown) => id)
  assert.deepEqual(idsOf(await ids('')), all)
  const page = await ids('?page=2&page_size=2')
  assert.deepEqual([idsOf(page), page.pagination], [all.slice(2, 4), { page: 2, page_size: 2, total: 5 }])
  assert.deepEqual((await ids('?page=1000')).cases, [])
  for (const [status, at] of Object.entries({
    pending: [0, 4],
    restored: [1],
    removed: [2],
    approved: [3],
    rejected: [],
  })) {
    const { cases, pagination } = await ids(`?status=${status}`)
    assert.deepEqual([idsOf({ cases }), pagination.total], [at.map((n) => all[n]), at.length], status)
  }
  assert.equal(code(await owner.get(`/moderation/cases/${randomUUID()}`)), '404 not_found')
  assert.equal(code(await owner.get(`/moderation/cases/${all[0]?.toUpperCase()}`)), '200')
  assert.equal(code(await none.get(`/moderation/cases/${all[0]}`)), '404 not_found')
})

test('only the owner appeals a removal, once, and an appeal restores nothing by itself', async () => {
  const thing = await given(w, 'post')
  const found = await opened(rita, thing.owner, thing)
  const { owner } = thing
  assert.equal(code(await appeal(owner, found)), '409 invalid_state', 'nothing is decided')
  assert.equal(code(await appeal(owner, { ...found, version: 9 })), '409 version_conflict', 'the version comes first')
  const approved = await ruled(mona, found, 'approve')
  assert.equal(code(await appeal(owner, approved)), '409 invalid_state')
  const removed = await ruled(mona, approved, 'remove')
  for (const stranger of [rita, mona]) assert.equal(code(await appeal(stranger, removed)), '404 not_found')
  assert.equal(code(await appeal(owner, { id: randomUUID(), version: 1 })), '404 not_found')
  assert.equal(code(await appeal(owner, { ...removed, version: 1 })), '409 version_conflict')
  w.travel(1000)
  const body = { operation_id: randomUUID(), expected_version: removed.version, text: ' It is\r\nnot ' }
  const answers = await race(20, () => owner.post(`/moderation/cases/${found.id}/appeal`, body))
  assert.deepEqual(answers.map(code), Array(20).fill('200'), JSON.stringify(answers[0]?.body))
  const now = answers[0]?.body.case
  assert.ok(isTime(now.appeal.created_at))
  assert.deepEqual(now, {
    ...found,
    status: 'removed',
    reason_code: 'spam',
    reason: 'To remove',
    version: 4,
    appeal: { text: 'It is\nnot', created_at: now.appeal.created_at },
    updated_at: now.updated_at,
    decided_at: now.decided_at,
  })
  assert.deepEqual(await caseAbout(owner, thing), now)
  assert.ok(!(await thing.isSeenBy(rita)), 'it stays away')
  assert.deepEqual((await owner.post(`/moderation/cases/${found.id}/appeal`, body)).body, { case: now }, 'a replay')
  assert.equal(
    code(await owner.post(`/moderation/cases/${found.id}/appeal`, { ...body, text: 'Else' })),
    '409 idempotency_conflict',
  )
  assert.equal(code(await appeal(owner, now)), '409 state_conflict', 'once')
  assert.equal(code(await appeal(owner, removed)), '409 version_conflict')
  const events = await heard(w, owner, 'moderation.changed')
  assert.deepEqual(events, [
    'moderation.changed pending 1',
    'moderation.changed approved 2',
    'moderation.changed removed 3',
  ])
  const confirmed = await ruled(mona, now, 'remove')
  assert.deepEqual([confirmed.status, confirmed.version], ['removed', 5])
  assert.equal(code(await appeal(owner, confirmed)), '409 state_conflict', 'answered, and still once')
  assert.equal(code(await rule(mona, confirmed, 'remove')), '409 invalid_state', 'it is answered')
  assert.deepEqual((await caseAbout(owner, thing)).appeal, now.appeal)
  assert.equal((await heard(w, owner, 'moderation.changed')).at(-1), 'moderation.changed removed 5')
  // A replay returns the current case.
  const replay = await owner.post(`/moderation/cases/${found.id}/appeal`, body)
  assert.deepEqual([code(replay), replay.body.case.version], ['200', 5])
  const restored = await ruled(mona, confirmed, 'restore')
  assert.ok(await thing.isSeenBy(rita))
  assert.equal(code(await appeal(owner, restored)), '409 invalid_state')
  const again = await ruled(mona, restored, 'remove')
  assert.equal(code(await appeal(owner, again)), '409 state_conflict', 'once a case')
  assert.equal(code(await rule(mona, again, 'remove')), '409 invalid_state')
})

test('simultaneous appeals and decisions: none is lost, and each version has one author', async () => {
  for (let round = 0; round < 3; round++) {
    const thing = await given(w, 'post')
    const removed = await ruled(mona, await opened(rita, thing.owner, thing), 'remove')
    const twins = { operation_id: randomUUID(), expected_version: removed.version, text: 'No' }
    const answers = await race(20, (n) =>
      n % 4 === 3
        ? rule(mona, removed, 'restore')
        : n % 2 === round % 2
          ? appeal(thing.owner, removed)
          : thing.owner.post(`/moderation/cases/${removed.id}/appeal`, twins),
    )
    const now = await caseAbout(thing.owner, thing)
    assert.equal(now.version, removed.version + 1, 'one of them was')
    const done = answers.filter(({ status }) => status === 200)
    assert.ok(done.length >= 1)
    assert.equal(new Set(done.map(({ body }) => body.case.status)).size, 1)
    for (const answer of answers) assert.match(code(answer), /^(200|409 version_conflict)$/)
    assert.equal(now.status === 'restored', now.appeal === null)
  }
})

test('a replay of a report is answered, whatever was decided since', async () => {
  const thing = await given(w, 'post')
  const reporter = await someone(w)
  const body = reportBody(thing, { text: 'Look' })
  const first = await reporter.post('/moderation/reports', body)
  assert.equal(code(first), '201')
  const again = async (since: string) => {
    const replay = await reporter.post('/moderation/reports', {
      text: ' Look ',
      reason_code: 'spam',
      subject: { id: thing.id.toUpperCase(), kind: 'post' },
      operation_id: String(body['operation_id']).toUpperCase(),
    })
    assert.equal(code(replay), '200', since)
    assert.deepEqual(replay.body, first.body, since)
  }
  await again('at once')
  const found = await caseAbout(thing.owner, thing)
  const removed = await ruled(mona, found, 'remove')
  await again('removed')
  await appealed(thing.owner, removed)
  await w.request('DELETE', `/posts/${thing.id}`, { token: thing.owner.token })
  await again('deleted')
  await w.operator('agent', 'suspend', reporter.handle, '--reason', 'Spam')
  await again('the reporter suspended')
  const other = await given(w, 'post')
  for (const changed of [
    { text: 'Else' },
    { reason_code: 'abuse' },
    { subject: { kind: 'post', id: other.id } },
    { subject: { kind: 'task', id: thing.id } },
  ]) {
    const answer = await reporter.post('/moderation/reports', { ...body, ...changed })
    assert.equal(code(answer), '409 idempotency_conflict', JSON.stringify(changed))
  }
  assert.equal(code(await report(reporter, other)), '403 profile_inactive')
  assert.equal(
    code(await report(reporter, { kind: 'post', id: randomUUID() })),
    '403 profile_inactive',
    'before existence',
  )
})

test('an owner gets events about a case even while suspended, closed, or without a verified email', async () => {
  const thing = await given(w, 'post')
  const found = await opened(rita, thing.owner, thing)
  const removed = await ruled(mona, found, 'remove')
  await w.operator('agent', 'suspend', thing.owner.handle, '--reason', 'Spam')
  assert.equal((await caseAbout(thing.owner, thing)).status, 'removed')
  assert.equal(code(await thing.owner.get(`/moderation/cases/${found.id}`)), '200')
  assert.equal(code(await appeal(thing.owner, removed)), '200', 'an appeal is your own to make')

  const profile = await given(w, 'profile')
  const gone = await ruled(mona, await opened(rita, profile.owner, profile), 'remove')
  assert.equal(code(await profile.owner.get('/bots/me')), '200')
  assert.equal(code(await profile.owner.get(`/moderation/cases/${gone.id}`)), '200')
  assert.equal(code(await appeal(profile.owner, gone)), '200')
})

test('content its owner ends while it is pending or removed stays ended, and can still be decided', async () => {
  const [post, task] = [await given(w, 'post'), await given(w, 'task')]
  const cases = [await opened(rita, post.owner, post), await opened(rita, task.owner, task)]
  assert.equal((await w.request('DELETE', `/posts/${post.id}`, { token: post.owner.token })).status, 200)
  const { version } = (await task.owner.get(`/tasks/${task.id}`)).body.task
  const cancel = { operation_id: randomUUID(), expected_version: version }
  assert.equal(code(await task.owner.post(`/tasks/${task.id}/cancel`, cancel)), '200')
  for (const found of cases) await ruled(mona, found, ['remove', 'restore', 'remove'])
  assert.equal(code(await rita.get(`/posts/${post.id}`)), '404 not_found')
  const story = await given(w, 'project_case')
  const removed = await ruled(mona, await opened(rita, story.owner, story), 'remove')
  const seen = (await story.owner.get(`/project-cases/${story.id}`)).body.project_case
  assert.equal(code(await attempt(story.owner, seen, 'change', { title: 'Another' })), '200', 'edited')
  assert.ok(!(await story.isSeenBy(rita)))
  const now = (await story.owner.get(`/project-cases/${story.id}`)).body.project_case
  const customerOfStory = story.other as Agent
  assert.equal(code(await attempt(customerOfStory, now, 'consent')), '404 not_found', 'its customer reads it no more')
  await ruled(mona, removed, 'restore')
  assert.ok(!(await story.isSeenBy(rita)), 'nobody has agreed to what it says now')
  await act(customerOfStory, now, 'consent')
  assert.ok(await story.isSeenBy(rita))
  const [customer, contractor] = await twoFriends(w)
  const published = await projectCaseIn(w, { customer, contractor }, 'published')
  await act(customer, published, 'withdraw')
  assert.equal(code(await report(rita, { kind: 'project_case', id: published.id })), '404 not_found')
  assert.equal(code(await contractor.post('/project-cases', projectCaseBody({ id: published.order_id }))), '201')
})
