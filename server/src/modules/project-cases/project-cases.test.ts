// The story of a project case from its draft to its end, what each side hears, and what is refused, in which order.
// docs/contract/project-cases.md.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { heard } from '../../../test/heard.ts'
import { conditions, trade } from '../../../test/orders.ts'
import { asBrowser, visit } from '../../../test/pages.ts'
import { pluck } from '../../../test/pluck.ts'
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
import { turnSuspended } from '../../../test/turning.ts'
import { type Agent, code } from '../../../test/world.ts'
import { mostVersions } from './actions.ts'
import { mostOfOrder } from './project-cases.ts'

const { w, cora, dean, eve } = story('eve', { friends: ['cora', 'dean'] })
const pair = { contractor: cora, customer: dean }

const told = (who: Agent): Promise<string[]> => heard(w, who, 'project_case.changed')
const create = (who: Agent, order: { id: string }, fields?: Record<string, unknown>) =>
  who.post('/project-cases', projectCaseBody(order, fields))

const read = async (who: Agent | undefined, { id }: { id: string }): Promise<string> =>
  code(await w.request('GET', `/project-cases/${id}`, { token: who?.token }))
const page = ({ id }: { id: string }) => visit(w.url, `/cases/${id}`, { headers: asBrowser })

test('from a draft to the page, each side reads its version and gets its events at every step', async () => {
  const { contractor: cora, customer: carl } = await twoSides(w, 'uma', 'vic')
  const order = await trade(w, carl, cora, 'accepted')
  const body = projectCaseBody(order, {
    title: ' A sign for a bakery ',
    summary: ' Round, and blue ',
    result: ' More buns.\r\nMany more. ',
  })
  const answer = await cora.post('/project-cases', body)
  assert.equal(code(answer), '201', JSON.stringify(answer.body))
  const draft = answer.body.project_case
  for (const time of [draft.created_at, draft.updated_at])
    assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  const side = ({ id, handle }: Agent) => ({ id, handle, display_name: handle })
  const expected = {
    id: draft.id,
    order_id: order.id,
    contractor: side(cora),
    customer: side(carl),
    title: 'A sign for a bakery',
    summary: 'Round, and blue',
    result: 'More buns.\nMany more.',
    attachment_ids: [],
    attachments: [],
    state: 'draft',
    consent: { contractor: false, customer: false },
    version: 1,
    public_url: null,
    created_at: draft.created_at,
    updated_at: draft.updated_at,
  }
  assert.deepEqual(answer.body, { project_case: expected })
  assert.deepEqual((await cora.get(`/project-cases/${draft.id}`)).body, { project_case: expected })
  for (const who of [carl, eve]) assert.equal(await read(who, draft), '404 not_found')
  assert.equal(await read(undefined, draft), '401 unauthorized')
  assert.equal((await page(draft)).status, 404)
  w.travel(1000)
  const changed = await act(cora, draft, 'change', { summary: 'Round' })
  assert.deepEqual(changed, { ...expected, summary: 'Round', version: 2, updated_at: changed.updated_at })
  for (const who of [cora, carl]) {
    assert.deepEqual(await told(who), [], 'never while a draft')
  }

  const proposed = await act(cora, changed, 'propose')
  assert.deepEqual(proposed, {
    ...changed,
    state: 'proposed',
    consent: { contractor: true, customer: false },
    version: 3,
    updated_at: proposed.updated_at,
  })
  assert.deepEqual(await rereadProjectCase(carl, draft), proposed)
  assert.equal(await read(eve, draft), '404 not_found')
  assert.equal((await page(draft)).status, 404)

  const published = await act(carl, proposed, 'consent')
  const url = `${w.service.publicUrl}/cases/${draft.id}`
  assert.deepEqual(published, {
    ...proposed,
    state: 'published',
    consent: { contractor: true, customer: true },
    version: 4,
    public_url: url,
    updated_at: published.updated_at,
  })
  for (const who of [cora, carl, eve]) assert.deepEqual(await rereadProjectCase(who, draft), published)
  assert.equal(await read(undefined, draft), '401 unauthorized', 'the API is for agents, the page for everybody')
  const shown = await page(draft)
  assert.equal(shown.status, 200)
  for (const words of ['A sign for a bakery', 'Round', 'Many more.', 'uma', 'vic'])
    assert.ok(shown.text.includes(words))

  const edited = await act(cora, published, 'change', { result: 'Fewer buns.' })
  assert.deepEqual(edited, {
    ...published,
    result: 'Fewer buns.',
    state: 'proposed',
    consent: { contractor: true, customer: false },
    version: 5,
    public_url: null,
    updated_at: edited.updated_at,
  })
  assert.equal(await read(eve, draft), '404 not_found', 'hidden at once')
  assert.equal((await page(draft)).status, 404)
  assert.deepEqual(await rereadProjectCase(carl, draft), edited)
  const again = await act(carl, edited, 'consent')
  assert.deepEqual([again.state, again.version, again.public_url], ['published', 6, url])
  const over = await act(carl, again, 'withdraw')
  assert.deepEqual([over.state, over.version, over.public_url], ['withdrawn', 7, null])
  assert.equal(await read(eve, draft), '404 not_found')
  assert.equal((await page(draft)).status, 404)
  assert.deepEqual(await rereadProjectCase(cora, draft), over)
  for (const who of [cora, carl]) {
    assert.deepEqual(
      await told(who),
      ['proposed 3', 'published 4', 'proposed 5', 'published 6', 'withdrawn 7'].map(
        (it) => `project_case.changed ${it}`,
      ),
    )
  }
  const [event] = await w.sql<{ payload: unknown }>`
    select payload from events where recipient_id = ${carl.id} and kind = 'project_case.changed' order by id limit 1`
  assert.deepEqual(event?.payload, { project_case_id: draft.id, status: 'proposed', version: 3 })
  assert.equal(code(await create(cora, order)), '201', 'another one of the same order, now that it is withdrawn')
})

test('project case events need version 8 of the channel', async () => {
  const { contractor, customer } = await twoSides(w, 'eli', 'fay')
  const order = await trade(w, customer, contractor, 'accepted')
  const [newer, older] = [await customer.events(8), await customer.events(7)]
  const seen = await act(contractor, await drafted(w, { contractor, customer, order }), 'propose')
  const event = await newer.next('project_case.changed')
  assert.deepEqual(event.payload, { project_case_id: seen.id, status: 'proposed', version: 2 })
  const ended = await drafted(w, { contractor, customer })
  await act(contractor, await act(contractor, ended, 'change', { title: 'Else' }), 'withdraw')
  await act(customer, seen, 'consent')
  assert.deepEqual((await newer.next('project_case.changed')).payload, {
    project_case_id: seen.id,
    status: 'published',
    version: 3,
  })
  const kinds = (frames: { kind?: string }[]) => frames.filter(({ kind }) => kind === 'project_case.changed').length
  assert.deepEqual(
    [kinds(newer.frames), kinds(older.frames)],
    [2, 0],
    'and nobody gets an event about a draft that ends',
  )
  await Promise.all([newer.close(), older.close()])
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
  await turnSuspended(w, xen.id, true)
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
  assert.deepEqual(pluck(body.project_cases, 'id'), [leas])
  assert.deepEqual(body.project_cases[0], await rereadProjectCase(contractor, { id: leas as string }))
  assert.deepEqual((await contractor.get('/project-cases?page=1000')).body.project_cases, [])
})
