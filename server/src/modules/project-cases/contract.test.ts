// Project cases from outside: every action in every state by everybody, what each of them reads and hears, and who may look
// at what is public. docs/contract/project-cases.md.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { heard } from '../../../test/heard.ts'
import { type Shown, trade } from '../../../test/orders.ts'
import { asBrowser, visit } from '../../../test/pages.ts'
import {
  act,
  actionBody,
  attempt,
  draftOf,
  projectCaseBody,
  projectCaseIn,
  proposedOf,
  rereadProjectCase,
} from '../../../test/project-cases.ts'
import { beforehand, story } from '../../../test/story.ts'
import { twoFriends } from '../../../test/subjects.ts'
import { type Agent, type Answer, code, race } from '../../../test/world.ts'
import type { Action } from './machine.ts'

/** Made the works. */
let cora: Agent
/** Ordered them. */
let carl: Agent
const { w } = story()
beforehand(async () => {
  ;[carl, cora] = await w.friends('carl', 'cora')
})
const eve = beforehand(() => w.agent('eve'))

const isTime = (value: unknown): boolean =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value)
const accepted = () => trade(w, carl, cora, 'accepted')
const read = async (who: Agent | undefined, { id }: Shown): Promise<string> =>
  code(await w.request('GET', `/project-cases/${id}`, { token: who?.token }))
const page = async ({ id }: Shown) => visit(w.url, `/cases/${id}`, { headers: asBrowser })

test('from a draft to the page, each side reads its version and gets its events at every step', async () => {
  const order = await accepted()
  const body = projectCaseBody(order, {
    title: ' A sign for a bakery ',
    summary: ' Round, and blue ',
    result: ' More buns.\r\nMany more. ',
  })
  const answer = await cora.post('/project-cases', body)
  assert.equal(code(answer), '201', JSON.stringify(answer.body))
  const draft = answer.body.project_case
  assert.ok(isTime(draft.created_at) && isTime(draft.updated_at))
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
  const changed = (await attempt(cora, draft, 'change', { summary: 'Round' })).body.project_case
  assert.deepEqual(changed, { ...expected, summary: 'Round', version: 2, updated_at: changed.updated_at })
  for (const who of [cora, carl]) {
    assert.deepEqual(await heard(w, who, 'project_case.changed'), [], 'never while a draft')
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
  for (const words of ['A sign for a bakery', 'Round', 'Many more.', 'cora', 'carl'])
    assert.ok(shown.text.includes(words))

  const edited = (await attempt(cora, published, 'change', { result: 'Fewer buns.' })).body.project_case
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
      await heard(w, who, 'project_case.changed'),
      ['proposed 3', 'published 4', 'proposed 5', 'published 6', 'withdrawn 7'].map(
        (it) => `project_case.changed ${it}`,
      ),
    )
  }
  const [event] = await w.sql<{ payload: unknown }>`
    select payload from events where recipient_id = ${carl.id} and kind = 'project_case.changed' order by id limit 1`
  assert.deepEqual(event?.payload, { project_case_id: draft.id, status: 'proposed', version: 3 })
  assert.equal((await draftOf(cora, order)).version, 1, 'another one of the same order, now that it is withdrawn')
})

test('every action is tried in every state, by either side and by a stranger', async () => {
  const states: Record<string, (order: Shown) => Promise<Shown>> = {
    draft: (order) => draftOf(cora, order),
    proposed: (order) => proposedOf(cora, order),
    published: async (order) => act(carl, await proposedOf(cora, order), 'consent'),
    edited: async (order) => {
      const published = await act(carl, await proposedOf(cora, order), 'consent')
      return (await attempt(cora, published, 'change', { title: 'Another' })).body.project_case
    },
    withdrawn: async (order) => act(carl, await proposedOf(cora, order), 'withdraw'),
  }
  const actions: Record<string, (who: Agent, seen: Shown) => Promise<Answer>> = {
    propose: (who, seen) => attempt(who, seen, 'propose'),
    consent: (who, seen) => attempt(who, seen, 'consent'),
    withdraw: (who, seen) => attempt(who, seen, 'withdraw'),
    change: (who, seen) => attempt(who, seen, 'change', { summary: 'Else' }),
  }
  const allowed: Record<string, string> = {
    'draft propose': 'proposed',
    'draft change': 'draft',
    'draft withdraw': 'withdrawn',
    'proposed consent': 'published',
    'proposed withdraw': 'withdrawn',
    'proposed change': 'proposed',
    'published withdraw': 'withdrawn',
    'published change': 'proposed',
    'edited consent': 'published',
    'edited withdraw': 'withdrawn',
    'edited change': 'proposed',
  }
  for (const [state, begin] of Object.entries(states)) {
    for (const [action, take] of Object.entries(actions)) {
      const seen = await begin(await accepted())
      const what = `${action} of one ${state}`
      const invisible = state === 'published' ? '403 forbidden' : '404 not_found'
      assert.equal(code(await take(eve, seen)), invisible, `${what} by a stranger`)
      const [side, other] = action === 'consent' ? [carl, cora] : [cora, carl]
      const stale = { ...seen, version: 77 }
      if (action !== 'withdraw') {
        const expected = state === 'draft' && other === carl ? '404 not_found' : '403 forbidden'
        assert.equal(code(await take(other, stale)), expected, `${what} by the other side`)
      } else if (state === 'draft') assert.equal(code(await take(carl, seen)), '404 not_found')
      if (!(state === 'draft' && action === 'consent')) {
        assert.equal(code(await take(side, stale)), '409 version_conflict', what)
      }
      const to = allowed[`${state} ${action}`]
      const answer = await take(side, seen)
      const reader = state === 'draft' ? cora : carl
      if (to) {
        assert.equal(code(answer), '200', `${what}: ${JSON.stringify(answer.body)}`)
        assert.deepEqual([answer.body.project_case.state, answer.body.project_case.version], [to, seen.version + 1])
        assert.deepEqual(await rereadProjectCase(cora, seen), answer.body.project_case)
      } else {
        const expected = state === 'draft' && action === 'consent' ? '404 not_found' : '409 invalid_state'
        assert.equal(code(answer), expected, what)
        assert.deepEqual(await rereadProjectCase(reader, seen), await rereadProjectCase(cora, seen))
        assert.equal((await rereadProjectCase(cora, seen)).version, seen.version)
      }
    }
  }
})

test('only the contractor of an accepted order can create a case', async () => {
  const order = await accepted()
  assert.equal(code(await eve.post('/project-cases', projectCaseBody(order))), '404 not_found')
  assert.equal(code(await eve.post('/project-cases', projectCaseBody({ id: randomUUID() }))), '404 not_found')
  assert.equal(code(await carl.post('/project-cases', projectCaseBody(order))), '403 forbidden')
  for (const condition of [
    'offered',
    'funded',
    'delivered',
    'disputed',
    'refunded',
    'cancelled',
    'rejected',
  ] as const) {
    const other = await trade(w, carl, cora, condition)
    assert.equal(code(await cora.post('/project-cases', projectCaseBody(other))), '409 invalid_state', condition)
    assert.equal(code(await carl.post('/project-cases', projectCaseBody(other))), '403 forbidden', condition)
  }
  const draft = await draftOf(cora, order)
  assert.equal(code(await cora.post('/project-cases', projectCaseBody(order))), '409 state_conflict', 'one a time')
  await act(cora, draft, 'withdraw')
  const next = await draftOf(cora, order)
  assert.notEqual(next.id, draft.id)
  assert.equal(code(await cora.post('/project-cases', projectCaseBody({ id: draft.id }))), '404 not_found', 'no order')
})

test("your own cases are listed as either side, newest first, by state, without another agent's drafts", async () => {
  const [customer, contractor] = await twoFriends(w, 'customer', 'contractor')
  const orders = []
  for (let n = 0; n < 5; n++) orders.push(await trade(w, customer, contractor, 'accepted'))
  const found: Shown[] = [
    await draftOf(contractor, orders[0]),
    await proposedOf(contractor, orders[1]),
    await act(customer, await proposedOf(contractor, orders[2]), 'consent'),
    await act(customer, await proposedOf(contractor, orders[3]), 'withdraw'),
  ]
  const back = await trade(w, contractor, customer, 'accepted')
  found.push(await proposedOf(customer, back))
  const ids = async (who: Agent, query = '') => {
    const answer = await who.get(`/project-cases${query}`)
    assert.equal(code(answer), '200', query)
    const { project_cases, pagination } = answer.body
    return [...project_cases.map(({ id }: Shown) => found.findIndex((each) => each.id === id)), pagination.total]
  }
  assert.deepEqual(await ids(contractor), [4, 3, 2, 1, 0, 5])
  assert.deepEqual(await ids(customer), [4, 3, 2, 1, 4], 'not the draft, nor in the total')
  assert.deepEqual(await ids(eve), [0], 'own ones only')
  assert.deepEqual(await ids(contractor, '?state=draft'), [0, 1])
  assert.deepEqual(await ids(customer, '?state=draft'), [0])
  assert.deepEqual(await ids(customer, '?state=proposed'), [4, 1, 2])
  assert.deepEqual(await ids(customer, '?state=published'), [2, 1])
  assert.deepEqual(await ids(customer, '?state=withdrawn'), [3, 1])
  assert.deepEqual(await ids(contractor, '?page=2&page_size=2'), [2, 1, 5])
  assert.deepEqual(await ids(contractor, '?page=1000'), [5])
  const { body } = await customer.get('/project-cases?page_size=1')
  assert.deepEqual(body, {
    project_cases: [await rereadProjectCase(customer, found[4])],
    pagination: { page: 1, page_size: 1, total: 4 },
  })
})

test('closing, suspending or removing either side hides a published case from everyone but the two', async () => {
  const [customer, contractor] = await twoFriends(w, 'customer', 'contractor')
  const shown = await projectCaseIn(w, { customer, contractor }, 'published')
  const whole = (await page(shown)).text
  for (const who of [customer, contractor]) {
    const turns: [string, (on: boolean) => Promise<unknown>][] = [
      ['closed', (on) => who.patch('/bots/me', { profile_public: !on })],
      ['suspended', (on) => w.operator('agent', on ? 'suspend' : 'restore', who.handle, '--reason', 'A test')],
    ]
    for (const [how, turn] of turns) {
      await turn(true)
      assert.equal(await read(eve, shown), '404 not_found', how)
      assert.equal((await page(shown)).status, 404, how)
      assert.ok(!(await visit(w.url, '/cases')).text.includes(shown.id), `${how}: the list of the site`)
      for (const side of [customer, contractor]) {
        const own = await side.get(`/project-cases/${shown.id}`)
        assert.equal(code(own), '200', `${how}: read by a side`)
        assert.deepEqual([own.body.project_case.state, own.body.project_case.public_url], ['published', null])
      }
      await turn(false)
      assert.deepEqual(await rereadProjectCase(eve, shown), shown, `${how}, and back`)
      assert.equal((await page(shown)).text, whole)
      assert.ok((await visit(w.url, '/cases')).text.includes(shown.id))
    }
  }
})

test('proposing and consenting require an open profile', async () => {
  const [customer, contractor] = await twoFriends(w, 'customer', 'contractor')
  const draft = await draftOf(contractor, await trade(w, customer, contractor, 'accepted'))
  const open = (who: Agent, profile_public: boolean) => who.patch('/bots/me', { profile_public })
  await open(contractor, false)
  assert.equal(code(await attempt(contractor, draft, 'propose')), '403 public_profile_required')
  assert.equal((await rereadProjectCase(contractor, draft)).version, 1)
  const edited = (await attempt(contractor, draft, 'change', { title: 'Meanwhile' })).body.project_case
  assert.equal(edited.version, 2, 'a draft is your own')
  await open(contractor, true)
  await open(customer, false)
  const proposed = await act(contractor, edited, 'propose')
  assert.equal(code(await attempt(customer, proposed, 'consent')), '403 public_profile_required')
  await open(customer, true)
  await open(contractor, false)
  assert.equal(code(await attempt(customer, proposed, 'consent')), '409 invalid_state', 'the other side is away')
  await open(contractor, true)
  await act(customer, proposed, 'consent')
  // Withdrawing needs nothing of the kind.
  await open(customer, false)
  assert.equal((await act(customer, await rereadProjectCase(customer, proposed), 'withdraw')).state, 'withdrawn')
})

test('a lost response can be requested again, in any state of the case', async () => {
  const [customer, contractor] = await twoFriends(w, 'customer', 'contractor')
  const order = await trade(w, customer, contractor, 'accepted')
  const sent: { who: Agent; method: string; path: string; json: Record<string, unknown> }[] = []
  const send = async (who: Agent, path: string, json: Record<string, unknown>, method = 'POST'): Promise<Shown> => {
    sent.push({ who, method, path, json })
    const answer = await w.request(method, path, { token: who.token, json })
    assert.ok(answer.status < 300, `${path}: ${JSON.stringify(answer.body)}`)
    return answer.body.project_case
  }
  const draft = await send(contractor, '/project-cases', projectCaseBody(order))
  const at = `/project-cases/${draft.id}`
  const go = (who: Agent, seen: Shown, action: Action) => send(who, `${at}/${action}`, actionBody(seen))
  const edited = await send(contractor, at, actionBody(draft, { title: ' Edited ' }), 'PATCH')
  const published = await go(customer, await go(contractor, edited, 'propose'), 'consent')
  const changed = await send(contractor, at, actionBody(published, { summary: 'Else' }), 'PATCH')
  await go(customer, changed, 'withdraw')
  const now = await rereadProjectCase(contractor, draft)
  const again = async (since: string) => {
    for (const { who, method, path, json } of sent) {
      const answer = await w.request(method, path, { token: who.token, json })
      assert.equal(code(answer), '200', `${method} ${path} ${since}`)
      assert.deepEqual(answer.body, { project_case: now }, since)
    }
  }
  await again('at once')
  for (const who of [customer, contractor]) {
    await w.operator('agent', 'suspend', who.handle, '--reason', 'A test')
    assert.equal(code(await attempt(who, now, 'change', { title: 'x' })), '403 profile_inactive')
  }
  await again('suspended')
  for (const who of [customer, contractor]) {
    assert.equal(await read(who, now), '200', 'its own')
    assert.equal(code(await who.get('/project-cases')), '200')
    await w.operator('agent', 'restore', who.handle, '--reason', 'A test')
  }
  for (const one of sent) {
    for (const other of sent) {
      if (one === other || one.who !== other.who) continue
      const json = { ...other.json, operation_id: one.json['operation_id'] }
      const answer = await w.request(other.method, other.path, { token: one.who.token, json })
      assert.equal(code(answer), '409 idempotency_conflict', `${one.path} for ${other.path}`)
    }
  }
  assert.deepEqual((await heard(w, customer, 'project_case.changed')).length, 4)
})

test('twenty at once create one case per order, one consent, and never a consent to another text', async () => {
  const order = await accepted()
  const made = await race(20, () => cora.post('/project-cases', projectCaseBody(order)))
  assert.deepEqual(made.map(code).sort(), ['201', ...Array(19).fill('409 state_conflict')])
  const other = await accepted()
  const twin = projectCaseBody(other)
  const twins = await race(20, () => cora.post('/project-cases', twin))
  assert.deepEqual(twins.map(code).sort(), [...Array(19).fill('200'), '201'])

  for (let round = 0; round < 4; round++) {
    const seen = await proposedOf(cora, await accepted())
    const same = actionBody(seen)
    const answers = await race(20, (n) => {
      const turn = (n + round) % 5
      if (turn === 0) return attempt(cora, seen, 'change', { result: `No. ${n}` })
      if (turn === 1) return attempt(carl, seen, 'withdraw')
      if (turn === 2) return carl.post(`/project-cases/${seen.id}/consent`, same)
      if (turn === 3) return attempt(cora, seen, 'withdraw')
      return attempt(carl, seen, 'consent')
    })
    const done = answers.filter(({ status }) => status === 200)
    assert.ok(done.length === 1 || done.length === 4, `one, or a twin’s: ${done.length}`)
    for (const answer of answers) assert.match(code(answer), /^(200|409 version_conflict)$/)
    const now = await rereadProjectCase(cora, seen)
    assert.equal(now.version, seen.version + 1)
    for (const { body } of done) assert.deepEqual(body.project_case, now)
    assert.equal(now.state === 'published', now.consent.customer)
    if (now.state === 'published') assert.equal(now.result, seen.result, 'agreed on as it was read')
    assert.equal((await page(seen)).status, now.state === 'published' ? 200 : 404)
  }
})

test('closing a profile during consent: the case is proposed or not, and nobody reads it while a side is closed', async () => {
  for (let round = 0; round < 4; round++) {
    const [customer, contractor] = await twoFriends(w, 'customer', 'contractor')
    const draft = await draftOf(contractor, await trade(w, customer, contractor, 'accepted'))
    const propose = round < 2
    const seen = propose ? draft : await act(contractor, draft, 'propose')
    const [actor, closer] = propose ? [contractor, contractor] : [customer, round === 2 ? customer : contractor]
    const answers = await race(2, (n) =>
      n === round % 2
        ? attempt(actor, seen, propose ? 'propose' : 'consent')
        : closer.patch('/bots/me', { profile_public: false }),
    )
    for (const answer of answers) {
      assert.match(code(answer), /^(200|403 public_profile_required|409 invalid_state)$/)
    }
    assert.equal(await read(eve, seen), '404 not_found')
    assert.equal((await page(seen)).status, 404)
    assert.equal(code(await closer.patch('/bots/me', { profile_public: true })), '200')
    const now = await rereadProjectCase(contractor, seen)
    assert.equal(await read(eve, seen), now.state === 'published' ? '200' : '404 not_found')
  }
})

test('project case events need version 8 of the channel', async () => {
  const [customer, contractor] = await twoFriends(w, 'customer', 'contractor')
  const order = await trade(w, customer, contractor, 'accepted')
  const [newer, older] = [await customer.events(8), await customer.events(7)]
  const seen = await proposedOf(contractor, order)
  const event = await newer.next('project_case.changed')
  assert.deepEqual(event.payload, { project_case_id: seen.id, status: 'proposed', version: 2 })
  const drafted = await draftOf(contractor, await trade(w, customer, contractor, 'accepted'))
  await attempt(contractor, drafted, 'change', { title: 'Else' })
  await act(contractor, await rereadProjectCase(contractor, drafted), 'withdraw')
  await act(customer, seen, 'consent')
  assert.deepEqual((await newer.next('project_case.changed')).payload, {
    project_case_id: seen.id,
    status: 'published',
    version: 3,
  })
  const kinds = (frames: { kind?: string }[]) => frames.filter(({ kind }) => kind === 'project_case.changed').length
  assert.deepEqual([kinds(newer.frames), kinds(older.frames)], [2, 0], 'and a draft that ends is nobody’s to hear of')
  await Promise.all([newer.close(), older.close()])
})
