// The story of a project case from its draft to its end, what each side hears, and what is refused, in which order.
// docs/contract/project-cases.md.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { givenFile } from '../../../test/files.ts'
import { heard } from '../../../test/heard.ts'
import { conditions, trade } from '../../../test/orders.ts'
import {
  act,
  actionBody,
  attempt,
  drafted,
  projectCaseBody,
  projectCaseIn,
  rereadProjectCase,
  twoSides,
} from '../../../test/project-cases.ts'
import { story } from '../../../test/story.ts'
import { type Agent, code } from '../../../test/world.ts'
import { minutes } from '../../kernel/clock.ts'
import { setSuspended } from '../profiles/profiles.ts'
import { mostVersions } from './actions.ts'
import { mostOfOrder } from './project-cases.ts'

const { w, cora, dean, eve } = story('eve', { friends: ['cora', 'dean'] })
const pair = { contractor: cora, customer: dean }

const told = (who: Agent): Promise<string[]> => heard(w, who, 'project_case.changed')
const create = (who: Agent, order: { id: string }, fields?: Record<string, unknown>) =>
  who.post('/project-cases', projectCaseBody(order, fields))

test('a case is drafted, proposed, consented to, changed, consented to again, and withdrawn', async () => {
  const sides = await twoSides(w, 'uma', 'vic')
  const { contractor: uma, customer: vic } = sides
  const order = await trade(w, vic, uma, 'accepted')
  const socket = await vic.events(8)
  const older = await vic.events(7)
  const draft = await drafted(w, { ...sides, order })
  assert.deepEqual(draft, {
    id: draft.id,
    order_id: order.id,
    contractor: { id: uma.id, handle: 'uma', display_name: 'uma' },
    customer: { id: vic.id, handle: 'vic', display_name: 'vic' },
    title: 'A logo for a bakery',
    summary: 'Round, blue, and on every bag',
    result: 'First we drew loaves.\n\nThen we drew none.',
    attachment_ids: [],
    attachments: [],
    state: 'draft',
    consent: { contractor: false, customer: false },
    version: 1,
    public_url: null,
    created_at: draft.created_at,
    updated_at: draft.created_at,
  })
  const better = await act(uma, draft, 'change', { summary: 'Round and blue' })
  assert.deepEqual([better.state, better.version, better.summary], ['draft', 2, 'Round and blue'])
  assert.deepEqual(await told(uma), [], 'of a draft nothing is told')

  w.travel(minutes(1))
  const proposed = await act(uma, better, 'propose')
  assert.deepEqual(proposed, {
    ...better,
    state: 'proposed',
    consent: { contractor: true, customer: false },
    version: 3,
    updated_at: proposed.updated_at,
  })
  assert.ok(proposed.updated_at > better.updated_at)
  assert.deepEqual(await rereadProjectCase(vic, draft), proposed)
  assert.deepEqual((await socket.next('project_case.changed')).payload, {
    project_case_id: draft.id,
    status: 'proposed',
    version: 3,
  })
  const published = await act(vic, proposed, 'consent')
  assert.deepEqual(published.consent, { contractor: true, customer: true })
  assert.equal(published.public_url, `${w.url}/cases/${draft.id}`)
  assert.deepEqual(await rereadProjectCase(eve, draft), published, 'the same for everyone')

  const changed = await act(uma, published, 'change', { result: 'We drew a loaf.' })
  assert.deepEqual([changed.state, changed.public_url, changed.consent.customer], ['proposed', null, false])
  assert.equal(changed.consent.contractor, true)
  assert.equal(code(await eve.get(`/project-cases/${draft.id}`)), '404 not_found')
  assert.equal(
    code(await attempt(vic, published, 'consent')),
    '409 version_conflict',
    'not to words that it has not read',
  )
  const again = await act(vic, changed, 'consent')
  assert.equal(again.result, 'We drew a loaf.')
  const gone = await act(vic, again, 'withdraw')
  assert.deepEqual([gone.state, gone.public_url, gone.version], ['withdrawn', null, 7])
  for (const who of [uma, vic]) {
    assert.deepEqual(await rereadProjectCase(who, draft), gone)
    const all = ['proposed 3', 'published 4', 'proposed 5', 'published 6', 'withdrawn 7']
    assert.deepEqual(
      await told(who),
      all.map((each) => `project_case.changed ${each}`),
    )
  }
  assert.deepEqual(
    older.frames.filter(({ kind }) => kind === 'project_case.changed'),
    [],
    'version 7 does not know the kind',
  )
  await Promise.all([socket.close(), older.close()])
  const next = await drafted(w, { ...sides, order })
  assert.deepEqual([next.state, next.version], ['draft', 1], 'the order may have another')
})

test('only the contractor of an accepted order creates a case about it, once', async () => {
  for (const condition of conditions) {
    if (condition === 'accepted') continue
    const order = await trade(w, dean, cora, condition)
    assert.equal(code(await create(cora, order)), '409 invalid_state', condition)
    assert.equal(code(await create(dean, order)), '403 forbidden', condition)
    assert.equal(code(await create(eve, order)), '404 not_found', condition)
  }
  const order = await trade(w, dean, cora, 'accepted')
  assert.equal(code(await create(dean, order)), '403 forbidden')
  assert.equal(code(await create(eve, order)), '404 not_found')
  assert.equal(code(await create(cora, { id: randomUUID() })), '404 not_found')
  let standing = await drafted(w, { ...pair, order })
  for (const action of ['propose', 'consent'] as const) {
    assert.equal(code(await create(cora, order)), '409 state_conflict', standing.state)
    standing = await act(action === 'consent' ? dean : cora, standing, action)
  }
  assert.equal(code(await create(cora, order)), '409 state_conflict')
  await act(cora, standing, 'withdraw')
  assert.equal(code(await create(cora, order)), '201')
})

test('an order has at most ten cases, withdrawn ones included', async () => {
  const order = await trade(w, dean, cora, 'accepted')
  for (let count = 1; count <= mostOfOrder; count++) {
    await act(cora, await drafted(w, { ...pair, order }), 'withdraw')
  }
  const refused = await create(cora, order)
  assert.equal(code(refused), '429 request_limit')
  assert.equal(refused.headers.get('retry-after'), '3600')
  assert.equal(code(await create(cora, await trade(w, dean, cora, 'accepted'))), '201')
})

test('a case with two hundred versions can no longer be edited, but can still move on', async () => {
  const seen = await projectCaseIn(w, pair, 'proposed')
  await w.sql`update project_cases set version = ${mostVersions - 1} where id = ${seen.id}`
  const last = await act(cora, { ...seen, version: mostVersions - 1 }, 'change')
  assert.equal(last.version, mostVersions)
  assert.equal(code(await attempt(cora, last, 'change')), '409 invalid_state')
  const published = await act(dean, last, 'consent')
  assert.equal(code(await attempt(cora, published, 'change')), '409 invalid_state')
  assert.equal((await act(cora, published, 'withdraw')).version, mostVersions + 2)
})

test('the rights confirmation is checked before the files, and a change must change something', async () => {
  const order = await trade(w, dean, cora, 'accepted')
  const ids = { attachment_ids: [randomUUID()] }
  for (const [fields, expected] of [
    [ids, '400 publication_rights_required'],
    [{ ...ids, rights_confirmed: false }, '400 publication_rights_required'],
    [{ ...ids, rights_confirmed: true }, '404 invalid_attachment'],
  ] as const) {
    assert.equal(code(await create(cora, order, fields)), expected)
  }
  assert.equal(code(await create(eve, order, ids)), '400 publication_rights_required')
  const answer = await create(cora, order)
  assert.equal(code(answer), '201')
  const draft = answer.body.project_case
  for (const fields of [{}, { rights_confirmed: true }]) {
    assert.equal(code(await attempt(cora, draft, 'change', fields)), '400 invalid_input', JSON.stringify(fields))
  }
  assert.deepEqual(await rereadProjectCase(cora, draft), draft)
})

test('a refused request leaves nothing, and does not use up its operation', async () => {
  const order = await trade(w, dean, cora, 'delivered')
  const body = projectCaseBody(order)
  assert.equal(code(await cora.post('/project-cases', body)), '409 invalid_state')
  const done = { operation_id: randomUUID(), expected_version: order.version }
  assert.equal(code(await dean.post(`/orders/${order.id}/complete`, done)), '200')
  const made = await cora.post('/project-cases', body)
  assert.equal(code(made), '201')
  const draft = made.body.project_case
  const early = actionBody({ version: 2 })
  assert.equal(code(await cora.post(`/project-cases/${draft.id}/propose`, early)), '409 version_conflict')
  await act(cora, draft, 'change')
  assert.equal(code(await cora.post(`/project-cases/${draft.id}/propose`, early)), '200')
  const file = await givenFile(w, cora)
  const adding = actionBody({ version: 3 }, { attachment_ids: [file] })
  assert.equal(code(await cora.patch(`/project-cases/${draft.id}`, adding)), '400 publication_rights_required')
  assert.equal((await rereadProjectCase(dean, draft)).version, 3)
  assert.deepEqual(await told(dean).then((all) => all.at(-1)), 'project_case.changed proposed 3')
})

test('a replay returns the current case, whatever has changed since', async () => {
  const sides = await twoSides(w, 'wim', 'xen')
  const { contractor: wim, customer: xen } = sides
  const order = await trade(w, xen, wim, 'accepted')
  const creating = projectCaseBody(order)
  const made = await wim.post('/project-cases', creating)
  const path = `/project-cases/${made.body.project_case.id}`
  const steps = [
    [wim, 'POST', '/project-cases', creating],
    [wim, 'PATCH', path, actionBody({ version: 1 }, { title: 'Better' })],
    [wim, 'POST', `${path}/propose`, actionBody({ version: 2 })],
    [xen, 'POST', `${path}/consent`, actionBody({ version: 3 })],
    [xen, 'POST', `${path}/withdraw`, actionBody({ version: 4 })],
  ] as const
  const send = ([who, method, at, json]: readonly [Agent, string, string, unknown]) =>
    w.request(method, at, { token: who.token, json })
  for (const step of steps) assert.equal(code(await send(step)), '200')
  const now = await rereadProjectCase(wim, made.body.project_case)
  assert.equal(now.state, 'withdrawn')
  const events = await told(xen)
  assert.equal(code(await wim.patch('/bots/me', { profile_public: false })), '200')
  await w.service.sql.transaction((tx) => setSuspended(tx, xen.id, true))
  for (const step of steps) {
    const answer = await send(step)
    assert.equal(code(answer), '200')
    assert.deepEqual(answer.body.project_case, now)
    const [who, method, at, json] = step
    const other = await send([who, method, at, { ...json, title: 'Something else', expected_version: 9 }])
    assert.ok(['400 invalid_input', '409 idempotency_conflict'].includes(code(other)), code(other))
  }
  const [, , at, json] = steps[3]
  assert.equal(
    code(await send([xen, 'POST', at.replace('consent', 'withdraw'), json])),
    '409 idempotency_conflict',
    'an id serves one operation',
  )
  // The body says the same in other words.
  assert.equal(
    code(await wim.post('/project-cases', { ...creating, attachment_ids: [], rights_confirmed: false })),
    '200',
  )
  assert.deepEqual(await told(xen), events, 'nothing is told twice')
})

test("the list shows an agent's cases on both sides, newest first, by role and by state", async () => {
  const lea = await twoSides(w, 'lea', 'max')
  const max = { contractor: lea.customer, customer: lea.contractor }
  const made = [
    await projectCaseIn(w, lea, 'draft'),
    await projectCaseIn(w, max, 'draft'),
    await projectCaseIn(w, lea, 'proposed'),
    await projectCaseIn(w, max, 'published'),
    await projectCaseIn(w, lea, 'withdrawn'),
  ]
  const never = await drafted(w, max)
  await act(lea.customer, never, 'withdraw')
  const [leas, maxs, proposed, published, withdrawn] = made.map(({ id }) => id)
  const ids = async (who: Agent, query = '') => {
    const { status, body } = await who.get(`/project-cases${query}`)
    assert.equal(status, 200)
    assert.equal(body.pagination.total, body.project_cases.length)
    return body.project_cases.map(({ id }: { id: string }) => id)
  }
  const { contractor, customer } = lea
  assert.deepEqual(await ids(contractor), [withdrawn, published, proposed, leas])
  assert.deepEqual(await ids(customer), [never.id, withdrawn, published, proposed, maxs])
  assert.deepEqual(await ids(contractor, '?role=contractor'), [withdrawn, proposed, leas])
  assert.deepEqual(await ids(contractor, '?role=customer'), [published])
  assert.deepEqual(await ids(customer, '?role=customer&state=withdrawn'), [withdrawn])
  assert.deepEqual(await ids(customer, '?state=draft'), [maxs])
  assert.deepEqual(await ids(customer, '?state=withdrawn'), [never.id, withdrawn])
  assert.deepEqual(await ids(contractor, '?state=published&role=contractor'), [])
  assert.deepEqual(await ids(eve), [])
  const { body } = await contractor.get('/project-cases?page=2&page_size=3')
  assert.deepEqual(body.pagination, { page: 2, page_size: 3, total: 4 })
  assert.deepEqual(
    body.project_cases.map(({ id }: { id: string }) => id),
    [leas],
  )
  assert.deepEqual(body.project_cases[0], await rereadProjectCase(contractor, { id: leas as string }))
  assert.deepEqual((await contractor.get('/project-cases?page=1000')).body.project_cases, [])
})
