// Who can see a case: its record, lists, page and files, after everything that hides one.
// docs/contract/project-cases.md#who-reads-it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { givenFile } from '../../../test/files.ts'
import { caseAbout, reported, rule } from '../../../test/moderation.ts'
import { assertPage, visit } from '../../../test/pages.ts'
import {
  act,
  actionBody,
  attempt,
  projectCaseIn,
  rereadProjectCase,
  type Sides,
  twoSides,
} from '../../../test/project-cases.ts'
import { story } from '../../../test/story.ts'
import { turnHidden, turnSuspended } from '../../../test/turning.ts'
import { type Agent, code, worldFor } from '../../../test/world.ts'
import { setProfileHidden } from '../profiles/profiles.ts'
import { projectCaseSubject } from './subject.ts'

const { w, eve } = story('eve')

interface Told extends Sides {
  id: string
  file: string
}

/** A published case with a file. */
async function told(contractor: string, customer: string): Promise<Told> {
  const pair = await twoSides(w, contractor, customer)
  const file = await givenFile(w, pair.contractor)
  const { id } = await projectCaseIn(w, pair, 'published', { attachment_ids: [file], rights_confirmed: true })
  return { ...pair, id, file }
}

/** What everyone gets from each endpoint and page. */
async function doors({ id, file }: Told): Promise<Record<string, unknown>> {
  const page = await visit(w.url, `/cases/${id}`)
  const list = await visit(w.url, '/cases')
  for (const { text } of [page, list]) assertPage(text, { publicUrl: w.url })
  return {
    record: code(await eve.get(`/project-cases/${id}`)),
    change: code(await eve.patch(`/project-cases/${id}`, { ...input, title: 'Mine' })),
    consent: code(await eve.post(`/project-cases/${id}/consent`, input)),
    withdraw: code(await eve.post(`/project-cases/${id}/withdraw`, input)),
    page: page.status,
    list: list.text.includes(id),
    file: code(await eve.get(`/attachments/${file}`)),
    fileOfAnyone: code(await w.request('GET', `/attachments/${file}`)),
  }
}
const input = { operation_id: '0199a3f2-7c1e-7b4a-9d2e-5f8a1c3b6d70', expected_version: 1 }

const open = {
  record: '200',
  change: '403 forbidden',
  consent: '403 forbidden',
  withdraw: '403 forbidden',
  page: 200,
  list: true,
  file: '200',
  fileOfAnyone: '200',
}
const none = '404 not_found'
const shut = {
  record: none,
  change: none,
  consent: none,
  withdraw: none,
  page: 404,
  list: false,
  file: none,
  fileOfAnyone: none,
}

/** What a side of it gets from each endpoint; it tries only what it may not do. */
const doorsOf = async (side: Agent, { id, file }: Told): Promise<Record<string, unknown>> => ({
  record: code(await side.get(`/project-cases/${id}`)),
  change: code(await side.patch(`/project-cases/${id}`, { ...input, title: 'Mine' })),
  propose: code(await side.post(`/project-cases/${id}/propose`, input)),
  consent: code(await side.post(`/project-cases/${id}/consent`, input)),
  withdraw: code(await side.post(`/project-cases/${id}/withdraw`, { ...input, expected_version: 77 })),
  listed: (await side.get('/project-cases')).body.pagination.total,
  listedAsCustomer: (await side.get('/project-cases?role=customer&state=published')).body.project_cases.length,
  file: code(await side.get(`/attachments/${file}`)),
  bytes: code(await side.get(`/attachments/${file}/download`)),
})
const shutToItsCustomer = {
  record: none,
  change: none,
  propose: none,
  consent: none,
  withdraw: '409 version_conflict',
  listed: 0,
  listedAsCustomer: 0,
  file: none,
  bytes: none,
}

/** How something is hidden, and shown again. */
const ways: Record<string, (story: Told, hidden: boolean) => Promise<unknown>> = {
  'the contractor closes its profile': ({ contractor }, hidden) =>
    contractor.patch('/bots/me', { profile_public: !hidden }),
  'the customer closes its profile': ({ customer }, hidden) => customer.patch('/bots/me', { profile_public: !hidden }),
  'the contractor is suspended': ({ contractor }, hidden) => turnSuspended(w, contractor.id, hidden),
  'the customer is suspended': ({ customer }, hidden) => turnSuspended(w, customer.id, hidden),
  'the contractor’s profile is removed': ({ contractor }, hidden) =>
    w.service.sql.transaction((tx) => setProfileHidden(tx, contractor.id, hidden)),
  'the customer’s profile is removed': ({ customer }, hidden) =>
    w.service.sql.transaction((tx) => setProfileHidden(tx, customer.id, hidden)),
  'the case is removed': ({ id }, hidden) => turnHidden(w, 'project_case', id, hidden),
}

let count = 0
for (const [what, turn] of Object.entries(ways)) {
  test(`a published case is public until ${what}, and again when that ends`, async () => {
    count++
    const story = await told(`one_${count}`, `two_${count}`)
    assert.deepEqual(await doors(story), open)
    const seen = await rereadProjectCase(story.customer, story)
    await turn(story, true)
    assert.deepEqual(await doors(story), shut)
    const isRemoved = what === 'the case is removed'
    if (isRemoved) assert.deepEqual(await doorsOf(story.customer, story), shutToItsCustomer)
    for (const who of isRemoved ? [story.contractor] : [story.contractor, story.customer]) {
      const now = await rereadProjectCase(who, story)
      assert.deepEqual([now.state, now.version, now.public_url], ['published', seen.version, null])
      assert.deepEqual(now.attachment_ids, [story.file], 'whose it is reads it all')
      assert.equal(code(await who.get(`/attachments/${story.file}`)), '200')
      assert.equal((await who.get('/project-cases')).body.pagination.total, 1)
    }
    await turn(story, false)
    assert.deepEqual(await doors(story), open)
    const [now, then] = [await rereadProjectCase(story.customer, story), seen]
    for (const each of [now, then]) each.contractor.display_name = each.customer.display_name = ''
    assert.deepEqual(now, then)
  })
}

test('a customer withdraws consent while the case is removed, and cannot read it until it is restored', async () => {
  const story = await told('wyn', 'xia')
  const { contractor, customer, id, file } = story
  const seen = await rereadProjectCase(customer, story)
  const consented = actionBody({ ...seen, version: seen.version - 1 })
  assert.equal(code(await customer.post(`/project-cases/${id}/consent`, consented)), '409 version_conflict')
  await turnHidden(w, 'project_case', id, true)
  await act(contractor, seen, 'change')
  const stale = await attempt(customer, seen, 'withdraw')
  assert.equal(code(stale), '409 version_conflict')
  const { version } = stale.body.error.details
  assert.equal(version, seen.version + 1)
  const body = actionBody({ ...seen, version })
  const withdrawing = () => customer.post(`/project-cases/${id}/withdraw`, body)
  const answers = await Promise.all(Array.from({ length: 20 }, withdrawing))
  assert.deepEqual([...new Set(answers.map(code))], ['200'])
  for (const answer of [...answers, await withdrawing()]) {
    const { state, title, summary, result, attachments, public_url } = answer.body.project_case
    assert.deepEqual([state, title, summary, result, attachments, public_url], ['withdrawn', '', '', '', [], null])
  }
  assert.equal(code(await attempt(customer, { id, version: version + 1 }, 'withdraw')), '409 invalid_state')
  const away = { ...shutToItsCustomer, withdraw: '409 version_conflict' }
  assert.deepEqual(await doorsOf(customer, story), away)
  const now = await rereadProjectCase(contractor, story)
  assert.deepEqual([now.state, now.version], ['withdrawn', version + 1])
  await turnHidden(w, 'project_case', id, false)
  assert.deepEqual(await rereadProjectCase(customer, story), now)
  assert.equal(code(await customer.get(`/attachments/${file}`)), none)
})

test('no replay shows the customer an edit made after the removal', async () => {
  const story = await told('eli', 'fay')
  const { contractor, customer, id } = story
  const seen = await act(contractor, await rereadProjectCase(contractor, story), 'change')
  const consenting = actionBody(seen)
  const consent = () => customer.post(`/project-cases/${id}/consent`, consenting)
  const published = (await consent()).body.project_case
  await turnHidden(w, 'project_case', id, true)
  await act(contractor, published, 'change', { result: 'Said behind her back' })
  assert.equal(code(await consent()), none)
  await turnHidden(w, 'project_case', id, false)
  assert.equal((await consent()).body.project_case.result, 'Said behind her back', 'hers to read again')
})

test('a suspended customer cannot read a removed case, like everything else; its contractor can', async () => {
  const story = await told('abe', 'bea')
  await turnHidden(w, 'project_case', story.id, true)
  for (const { id } of [story.contractor, story.customer]) {
    await turnSuspended(w, id, true)
  }
  assert.equal(code(await story.contractor.get(`/project-cases/${story.id}`)), '200')
  assert.equal(code(await story.customer.get(`/project-cases/${story.id}`)), '403 profile_inactive')
})

test('only its contractor sees a removed draft, and may withdraw it', async () => {
  const pair = await twoSides(w, 'cal', 'dot')
  const draft = await projectCaseIn(w, pair, 'draft')
  await turnHidden(w, 'project_case', draft.id, true)
  for (const who of [pair.customer, eve]) assert.equal(code(await attempt(who, draft, 'withdraw')), none)
  const proposed = await act(pair.contractor, draft, 'propose')
  assert.equal(code(await pair.customer.get(`/project-cases/${draft.id}`)), none)
  assert.equal((await act(pair.customer, proposed, 'withdraw')).state, 'withdrawn')
})

test('an edit hides a case at once; its customer never sees an unproposed version', async () => {
  const story = await told('tom', 'una')
  const { contractor, customer, id } = story
  await act(contractor, await rereadProjectCase(contractor, story), 'change')
  assert.deepEqual(await doors(story), shut)
  assert.equal((await rereadProjectCase(customer, story)).state, 'proposed')
  await act(contractor, await rereadProjectCase(contractor, story), 'withdraw')
  assert.deepEqual(await doors(story), shut)
  assert.equal((await rereadProjectCase(customer, story)).state, 'withdrawn')
  const draft = await projectCaseIn(w, story, 'draft')
  for (const who of [customer, eve]) {
    assert.equal(code(await who.get(`/project-cases/${draft.id}`)), none)
    for (const action of ['change', 'propose', 'consent', 'withdraw'] as const) {
      assert.equal(code(await attempt(who, draft, action)), none)
    }
  }
  await act(contractor, draft, 'withdraw')
  assert.equal(code(await customer.get(`/project-cases/${draft.id}`)), none)
  assert.equal((await customer.get('/project-cases')).body.pagination.total, 1)
  assert.equal((await visit(w.url, `/cases/${id.toUpperCase()}`)).status, 404)
})

test('a block between both sides changes nothing', async () => {
  const pair = await twoSides(w, 'yin', 'zac')
  const proposed = await projectCaseIn(w, pair, 'proposed')
  const [contact] = (await pair.customer.get('/contacts')).body.contacts
  assert.equal(code(await pair.customer.post(`/contacts/${contact.id}/block`)), '200')
  const published = await act(pair.customer, proposed, 'consent')
  assert.ok(published.public_url)
  assert.equal((await act(pair.contractor, published, 'change')).state, 'proposed')
})

test('while a profile is closed the other side sees its earlier name', async () => {
  const pair = await twoSides(w, 'ivo', 'jan')
  const seen = await projectCaseIn(w, pair, 'published')
  for (const change of [{ profile_public: false }, { display_name: 'Someone else' }]) {
    assert.equal(code(await pair.contractor.patch('/bots/me', change)), '200')
  }
  assert.equal((await rereadProjectCase(pair.customer, seen)).contractor.display_name, 'ivo')
  assert.equal((await rereadProjectCase(pair.contractor, seen)).contractor.display_name, 'Someone else')
  assert.equal((await pair.customer.get('/project-cases')).body.project_cases[0].contractor.display_name, 'ivo')
  assert.equal(code(await pair.contractor.patch('/bots/me', { profile_public: true })), '200')
  assert.equal((await rereadProjectCase(eve, seen)).contractor.display_name, 'Someone else')
})

test('the page lists cases by newest consent, twenty per page', async (t) => {
  const at = await worldFor(t)
  const pair = await twoSides(at, 'kim', 'lou')
  assert.match((await visit(at.url, '/cases')).text, /No project cases yet/)
  const [first, ...others] = await Promise.all(Array.from({ length: 21 }, () => projectCaseIn(at, pair, 'proposed')))
  const consented: string[] = []
  for (const each of others) {
    at.travel(1000)
    consented.unshift((await act(pair.customer, each, 'consent')).id)
  }
  const shown = async (list = '/cases') =>
    [...(await visit(at.url, list)).text.matchAll(/href="\/cases\/([^"]+)"/g)].map(([, id]) => id)
  assert.deepEqual(await shown(), consented)
  assert.equal((await visit(at.url, '/cases?page=2')).status, 404, 'beyond the end')
  at.travel(1000)
  await act(pair.customer, first, 'consent')
  assert.deepEqual(await shown(), [first.id, ...consented.slice(0, 19)])
  assert.deepEqual(await shown('/cases?page=2'), consented.slice(19))
  const page = await visit(at.url, `/cases/${first.id}`)
  assert.match(page.text, /<title>A logo for a bakery · Project case · Kith<\/title>/)
  assert.match(page.text, /<p dir="auto">First we drew loaves\.<\/p>\n<p dir="auto">Then we drew none\.<\/p>/)
  assert.ok(!page.text.includes('Files'), 'it has none')
  const etag = { ...page.headers }.etag as string
  assert.equal((await visit(at.url, `/cases/${first.id}`, { headers: { 'if-none-match': etag } })).status, 304)
  await act(pair.contractor, await rereadProjectCase(pair.contractor, first), 'withdraw')
  assert.equal((await visit(at.url, `/cases/${first.id}`, { headers: { 'if-none-match': etag } })).status, 404)
  assert.deepEqual(await shown(), consented)
})

test("moderation knows a case's owner, conflicts of interest, readers and text", async () => {
  const { contractor, customer, id } = await told('mel', 'nat')
  const find = (viewer: Agent | null) => projectCaseSubject.find(w.sql, id, viewer?.id ?? null, w.now())
  const seen = async () =>
    Promise.all([contractor, customer, eve, null].map(async (each) => (await find(each))?.isVisible))
  const found = await find(eve)
  assert.deepEqual(found, {
    ownerId: contractor.id,
    sides: [customer.id],
    isVisible: true,
    excerpt: {
      title: 'A logo for a bakery',
      text: 'Round, blue, and on every bag\n\nFirst we drew loaves.\n\nThen we drew none.',
    },
  })
  assert.deepEqual(await seen(), [true, true, true, false])
  assert.equal(await w.service.sql.transaction((tx) => projectCaseSubject.hide(tx, id, true)), true)
  assert.deepEqual(await seen(), [true, false, false, false])
  assert.ok((await find(eve))?.excerpt)
  await w.service.sql.transaction((tx) => projectCaseSubject.hide(tx, id, false))
  const changed = await act(contractor, await rereadProjectCase(contractor, { id }), 'change')
  assert.deepEqual(await seen(), [true, true, false, false])
  await act(contractor, changed, 'withdraw')
  assert.deepEqual(await seen(), [true, true, false, false])
  assert.equal((await find(customer))?.excerpt, null)
  const draft = await projectCaseIn(w, { contractor, customer }, 'draft')
  const ofDraft = await projectCaseSubject.find(w.sql, draft.id, customer.id, w.now())
  assert.deepEqual([ofDraft?.isVisible, ofDraft?.excerpt], [false, null])
  const missing = '0199a3f2-7c1e-7b4a-9d2e-5f8a1c3b6d70'
  assert.equal(await projectCaseSubject.find(w.sql, missing, eve.id, w.now()), undefined)
  assert.equal(await w.service.sql.transaction((tx) => projectCaseSubject.hide(tx, missing, true)), false)
})

test("moderators see a closed profile's case, on either side, only if it was shown to its customer", async () => {
  const [moe, story] = [await w.staff('moe'), await told('lee', 'may')]
  const { contractor, customer, id } = story
  const excerpt = async () => (await projectCaseSubject.find(w.sql, id, eve.id, w.now()))?.excerpt ?? null
  const whole = await excerpt()
  assert.ok(whole)
  const inTurn = async (expected: unknown) => {
    for (const who of [contractor, customer]) {
      for (const profile_public of [false, true]) {
        await who.patch('/bots/me', { profile_public })
        assert.deepEqual(await excerpt(), profile_public ? whole : expected)
      }
    }
  }
  await inTurn(null)
  await reported(eve, { kind: 'project_case', id })
  await inTurn(null)
  await reported(customer, { kind: 'project_case', id })
  await inTurn(whole)
  const { case: removed } = (await rule(moe, await caseAbout(contractor, { id }), 'remove')).body
  assert.equal(removed.status, 'removed')
  await inTurn(whole)
  assert.equal(code(await rule(moe, removed, 'restore')), '200')
  await inTurn(null)
})
