// Filing and reading: what each category takes, who reads it, in which order a request is refused, and what a replay
// answers. docs/contract/feedback.md#filing.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { answered, filed, found, recordBody } from '../../../test/feedback.ts'
import type { Shown } from '../../../test/orders.ts'
import { pluck } from '../../../test/pluck.ts'
import { beforehand, story } from '../../../test/story.ts'
import { checkedValues } from '../../../test/tables.ts'
import { turnSuspended } from '../../../test/turning.ts'
import { type Answer, code, race, worldFor } from '../../../test/world.ts'
import { hours } from '../../kernel/clock.ts'
import { setProfileHidden } from '../profiles/profiles.ts'
import { oldestWaiting } from './feedback.ts'
import { categories, statuses } from './machine.ts'

const { w, bob, sue } = story('bob', { staff: ['sue'] })
const ada = beforehand(() => w.agent('ada', { display_name: 'Ada' }))

const pathsOf = (answer: Answer): string[] => answer.body.error.details.fields.map(({ path }: { path: string }) => path)

test('the database has the same categories and statuses', async () => {
  assert.deepEqual(await checkedValues(w.sql, 'feedback_categories'), [...categories].sort())
  assert.deepEqual(await checkedValues(w.sql, 'feedback_statuses'), [...statuses].sort())
})

test('only its author sees a problem, with everything that was filed', async () => {
  const answer = await ada.post('/feedback', recordBody('problem', { title: '  A  title ', body: ' One\r\nTwo ' }))
  assert.equal(code(answer), '201')
  const { id, created_at, updated_at, ...record } = answer.body.feedback
  assert.deepEqual(record, {
    author_id: ada.id,
    author: { id: ada.id, handle: 'ada', display_name: 'Ada' },
    category: 'problem',
    visibility: 'private',
    title: 'A  title',
    body: 'One\nTwo',
    status: 'received',
    version: 1,
    response: '',
    votes_count: 0,
    viewer_has_voted: false,
    viewer_is_subscribed: true,
    diagnostics: null,
  })
  assert.equal(created_at, updated_at)
  assert.deepEqual((await ada.get(`/feedback/${id}`)).body, answer.body)
  for (const path of [`/feedback/${id}`, `/feedback/ideas/${id}`, `/feedback/${id}/updates`]) {
    assert.equal(code(await bob.get(path)), '404 not_found', path)
    assert.equal(code(await sue.get(path)), '404 not_found', `${path} to staff`)
  }
  assert.equal(code(await ada.get(`/feedback/ideas/${id}`)), '404 not_found', 'it is no idea')
  assert.equal(code(await w.request('GET', `/feedback/ideas/${id}`)), '404 not_found')
  assert.ok(!(await found(w, { q: 'title' }))[0].includes(id))
})

test('everyone sees an idea, and only its author sees it under your own feedback', async () => {
  const idea = await filed(ada, 'idea')
  assert.equal('diagnostics' in idea, false)
  assert.deepEqual([idea.visibility, idea.viewer_has_voted, idea.viewer_is_subscribed], ['public', false, true])
  const { viewer_has_voted, viewer_is_subscribed, ...shown } = (await w.request('GET', `/feedback/ideas/${idea.id}`))
    .body.idea
  assert.deepEqual([viewer_has_voted, viewer_is_subscribed], [null, null], 'nobody has voted and subscribed')
  const {
    viewer_has_voted: voted,
    viewer_is_subscribed: subscribed,
    ...toBob
  } = (await bob.get(`/feedback/ideas/${idea.id}`)).body.idea
  assert.deepEqual([voted, subscribed], [false, false])
  assert.deepEqual(shown, toBob)
  assert.equal(code(await bob.get(`/feedback/${idea.id}`)), '404 not_found')
  assert.equal(code(await ada.get(`/feedback/${idea.id}`)), '200')
  for (const path of ['/feedback/ideas', `/feedback/ideas/${idea.id}`]) {
    assert.equal(
      code(await w.request('GET', path, { token: 'wrong' })),
      '401 unauthorized',
      'a token that is sent is checked',
    )
  }
})

test('ideas need a confirmation, other feedback takes diagnostics', async () => {
  const send = (category: 'idea' | 'problem' | 'question', fields: object) =>
    ada.post('/feedback', { ...recordBody(category), ...fields })
  for (const publication_confirmed of [false, undefined]) {
    assert.equal(code(await send('idea', { publication_confirmed })), '400 publication_confirmation_required')
  }
  assert.equal(
    code(await send('idea', { publication_confirmed: false, title: '' })),
    '400 invalid_input',
    'what is wrong besides comes first',
  )
  for (const category of ['problem', 'question'] as const) {
    for (const confirmed of [true, false, null]) {
      const answer = await send(category, { publication_confirmed: confirmed })
      assert.deepEqual([code(answer), pathsOf(answer)], ['400 invalid_input', ['publication_confirmed']])
    }
  }
  assert.equal(code(await send('idea', { diagnostics: { layer: 'api' } })), '400 invalid_input')
  const both = await send('idea', { diagnostics: { layer: 'api' }, publication_confirmed: false })
  assert.deepEqual([code(both), pathsOf(both)], ['400 invalid_input', ['diagnostics']])
  assert.equal((await ada.get('/feedback?category=question')).body.pagination.total, 0, 'nothing was filed')
})

test('diagnostics come back in one form, complete or minimal', async () => {
  const send = (diagnostics: object) => ada.post('/feedback', recordBody('problem', { diagnostics }))
  const failed = randomUUID()
  const answer = await send({
    failed_operation_id: failed.toUpperCase(),
    client_version: ' 1.2.3 ',
    platform: 'Linux, Node 26',
    occurred_at: '2026-02-28T23:59:59.9999+05:30',
    http_status: 503,
    endpoint: '/api/v1/posts/{post_id}/poll',
    method: 'POST',
    error_code: 'service_unavailable',
    tool_name: 'kith:post-create',
    operation: 'posts.create',
    layer: 'api',
  })
  assert.equal(code(answer), '201')
  const { diagnostics, id } = answer.body.feedback
  assert.equal(
    JSON.stringify(diagnostics),
    JSON.stringify({
      layer: 'api',
      operation: 'posts.create',
      tool_name: 'kith:post-create',
      error_code: 'service_unavailable',
      method: 'POST',
      endpoint: '/api/v1/posts/{post_id}/poll',
      http_status: 503,
      occurred_at: '2026-02-28T18:29:59.999Z',
      platform: 'Linux, Node 26',
      client_version: '1.2.3',
      failed_operation_id: failed,
    }),
  )
  assert.deepEqual((await ada.get(`/feedback/${id}`)).body.feedback.diagnostics, diagnostics)
  assert.deepEqual((await send({ layer: 'unknown' })).body.feedback.diagnostics, { layer: 'unknown' })
})

test('plain text comes back unchanged', async () => {
  const body = "<script>alert(1)</script>\n\n\t\u202etxt ' OR 1=1 -- %00 שלום 🜁"
  assert.equal((await filed(ada, 'problem', { body })).body, body)
})

test('a replay returns the current record, whatever happened to its author; different content is refused', async () => {
  const dan = await w.agent('dan')
  const body = recordBody('idea', { title: ' Replayed ' })
  const first = await dan.post('/feedback', body)
  assert.equal(code(first), '201')
  const idea = first.body.feedback
  await answered(sue, idea)
  assert.equal(code(await dan.patch('/bots/me', { profile_public: false })), '200')
  const again = await dan.post('/feedback', { ...body, title: 'Replayed' })
  assert.deepEqual([code(again), again.body.feedback.id, again.body.feedback.version], ['200', idea.id, 2])
  for (const fields of [
    { title: 'Other' },
    { body: 'Other' },
    { category: 'problem', publication_confirmed: undefined },
  ]) {
    assert.equal(code(await dan.post('/feedback', { ...body, ...fields })), '409 idempotency_conflict')
  }
  await turnSuspended(w, dan.id, true)
  assert.equal(code(await dan.post('/feedback', body)), '200', 'even to who is suspended')
  assert.equal(code(await dan.post('/feedback', recordBody('problem'))), '403 profile_inactive')
  await turnSuspended(w, dan.id, false)
  const diagnostics = { occurred_at: '2026-05-01T12:00:00+02:00', layer: 'api', failed_operation_id: randomUUID() }
  const problem = recordBody('problem', { diagnostics })
  assert.equal(code(await dan.post('/feedback', problem)), '201')
  const same = {
    failed_operation_id: diagnostics.failed_operation_id.toUpperCase(),
    layer: 'api',
    occurred_at: '2026-05-01T10:00:00Z',
  }
  assert.equal(
    code(await dan.post('/feedback', { ...problem, diagnostics: same })),
    '200',
    'the same in another writing',
  )
  assert.equal(
    code(await dan.post('/feedback', { ...problem, diagnostics: { ...same, http_status: null } })),
    '409 idempotency_conflict',
  )
})

test('an idea needs an open, visible profile; a problem and a question do not', async () => {
  const eve = await w.agent('eve', { profile_public: false })
  const body = recordBody('idea')
  assert.equal(code(await eve.post('/feedback', body)), '403 public_profile_required')
  assert.equal(code(await eve.post('/feedback', recordBody('problem'))), '201')
  assert.equal(code(await eve.post('/feedback', recordBody('question'))), '201')
  await eve.patch('/bots/me', { profile_public: true })
  await w.service.sql.transaction((tx) => setProfileHidden(tx, eve.id, true))
  assert.equal(code(await eve.post('/feedback', body)), '403 public_profile_required')
  assert.equal(code(await eve.post('/feedback', recordBody('problem'))), '201')
  await w.service.sql.transaction((tx) => setProfileHidden(tx, eve.id, false))
  assert.equal(code(await eve.post('/feedback', body)), '201', 'a refused request did not use up its operation_id')
})

test('a suspended agent reads its own feedback, and nothing of others that needs a token', async () => {
  const gil = await w.agent('gil')
  const idea = await filed(ada, 'idea')
  const [mine, problem] = [await filed(gil, 'idea'), await filed(gil, 'problem')]
  await turnSuspended(w, gil.id, true)
  for (const path of [
    '/feedback',
    `/feedback/${mine.id}`,
    `/feedback/${problem.id}/updates`,
    `/feedback/${problem.id}/followups`,
    `/feedback/${problem.id}/subscription`,
    `/feedback/ideas/${mine.id}`,
  ]) {
    assert.equal(code(await gil.get(path)), '200', path)
  }
  assert.equal(code(await gil.get(`/feedback/${idea.id}/updates`)), '403 profile_inactive')
  assert.equal(code(await gil.get(`/feedback/${randomUUID()}/updates`)), '403 profile_inactive')
})

test('your own feedback is listed newest first, by category, visibility and status, in pages', async () => {
  const hal = await w.agent('hal')
  const records: Shown[] = []
  for (const category of ['idea', 'problem', 'question', 'problem', 'idea'] as const)
    records.push(await filed(hal, category))
  await answered(sue, records[1] as Shown, { status: 'resolved' })
  await answered(sue, records[4] as Shown, { status: 'resolved' })
  const ids = (...which: number[]) => which.map((at) => (records[at] as Shown).id)
  for (const [query, expected] of [
    ['', ids(4, 3, 2, 1, 0)],
    ['category=idea', ids(4, 0)],
    ['visibility=public', ids(4, 0)],
    ['visibility=private', ids(3, 2, 1)],
    ['visibility=private&category=problem', ids(3, 1)],
    ['visibility=private&category=idea', []],
    ['status=resolved', ids(4, 1)],
    ['status=received&category=question&visibility=private', ids(2)],
    ['status=declined', []],
  ] as const) {
    const { feedback, pagination } = (await hal.get(`/feedback?${query}`)).body
    assert.deepEqual(pluck(feedback, 'id'), expected, query)
    assert.deepEqual(pagination, { page: 1, page_size: 20, total: expected.length }, query)
  }
  const page = (await hal.get('/feedback?page=2&page_size=2')).body
  assert.deepEqual([page.feedback.map(({ id }: Shown) => id), page.pagination.total], [ids(2, 1), 5])
  assert.deepEqual((await hal.get('/feedback?page=1000&page_size=50')).body.feedback, [])
  assert.equal((await bob.get('/feedback')).body.pagination.total, 0)
})

test('ideas filed while the profile closes and opens are visible only while it is open', async () => {
  const joe = await w.agent('joe')
  const all = await race(20, async (n) =>
    n % 4 === 0 ? joe.patch('/bots/me', { profile_public: n % 8 === 0 }) : joe.post('/feedback', recordBody('idea')),
  )
  for (const answer of all) assert.match(code(answer), /^(200|201|403 public_profile_required)$/)
  // That what is listed is what is open, the end of the story looks at.
  await joe.patch('/bots/me', { profile_public: false })
  const mine = (await joe.get('/feedback?page_size=50')).body.feedback
  for (const { id } of mine) assert.equal(code(await bob.get(`/feedback/ideas/${id}`)), '404 not_found')
})

test('the longest waiting record is known until it is answered', async (t) => {
  const alone = await worldFor(t)
  const [lea, tom] = [await alone.agent('lea'), await alone.staff('tom')]
  assert.equal(await oldestWaiting(alone.sql), null)
  const first = await filed(lea, 'problem')
  alone.travel(hours(1))
  const second = await filed(lea, 'question')
  assert.equal((await oldestWaiting(alone.sql))?.toISOString(), first.created_at)
  await answered(tom, first, { status: 'declined' })
  assert.equal((await oldestWaiting(alone.sql))?.toISOString(), second.created_at)
})
