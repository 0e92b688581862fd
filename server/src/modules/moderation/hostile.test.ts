// Reports and appeals by a client that means no good: every field beyond its bounds, bodies of any sort, checks in their
// order, and whatever might tell an owner who reported or decided. docs/contract/moderation.md.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { staff } from '../../../test/actors.ts'
import { refusedFields } from '../../../test/owner.ts'
import { givenPost } from '../../../test/posts.ts'
import {
  appeal,
  caseAbout,
  decisionBody,
  moderator,
  opened,
  report,
  reportBody,
  reported,
  rule,
  ruled,
  type Shown,
} from '../../../test/reports.ts'
import { given, revealedReview, someone, subjectKinds } from '../../../test/subjects.ts'
import { type Agent, type Answer, code, type World, world } from '../../../test/world.ts'
import { days, hours } from '../../kernel/clock.ts'

let w: World
let rita: Agent
let mona: Agent
before(async () => {
  w = await world()
  rita = await w.agent('rita')
  mona = await moderator(w, 'mona')
})
after(() => w.close())
// So that nobody has reported too much in an hour.
beforeEach(() => w.travel(hours(1)))

const post = async () => given(w, 'post')

/** Every text of several lines that is required and of at most so many characters. */
const badTexts = (most: number): unknown[] => [
  undefined,
  null,
  7,
  ['a'],
  { a: 1 },
  '',
  ' \t\n ',
  '\r\n',
  'a\u0000b',
  'a\u0007b',
  'a\u001bb',
  'a\rb',
  'a\u007fb',
  'a\u0085b',
  'a\u009fb',
  'a\ud800b',
  '\udc00',
  'x'.repeat(most + 1),
  '😀'.repeat(most + 1),
]
const goodTexts = (most: number): [sent: string, read: string][] => [
  ['x', 'x'],
  ['😀'.repeat(most), '😀'.repeat(most)],
  [` ${'x'.repeat(most)}\n`, 'x'.repeat(most)],
  ['\r\n'.repeat(3) + 'y\r\n'.repeat(most / 2), 'y\n'.repeat(most / 2).trim()],
  ['a\tb\nc', 'a\tb\nc'],
  ['\u202eevil\u202c \u2066x\u2069 \u2028', '\u202eevil\u202c \u2066x\u2069'],
  ['<script>alert(1)</script>&"\'', '<script>alert(1)</script>&"\''],
  ["'; drop table agents; --", "'; drop table agents; --"],
]

test('each field of a report, at both sides of its bounds', async () => {
  const thing = await post()
  const refused: [string, Record<string, unknown>][] = [
    ...badTexts(2000).map((text): [string, Record<string, unknown>] => ['text', { text }]),
    ...[undefined, null, '', 'ok', 'SPAM', 'spam ', 'nonsense', 1, ['spam']].map(
      (reason_code): [string, Record<string, unknown>] => ['reason_code', { reason_code }],
    ),
    ...[undefined, null, 'x', '', randomUUID().slice(1), '00000000-0000-0000-0000-000000000000', 1].map(
      (operation_id): [string, Record<string, unknown>] => ['operation_id', { operation_id }],
    ),
    ...[undefined, null, thing.id, [thing], {}, { kind: 'post' }, { id: thing.id }].map(
      (subject): [string, Record<string, unknown>] => ['subject', { subject }],
    ),
    ...['message', 'order', 'bid', 'agent', 'Post', '', null, 'constructor', '__proto__'].map(
      (kind): [string, Record<string, unknown>] => ['subject', { subject: { kind, id: thing.id } }],
    ),
    ...['x', '', null, 7, `${thing.id} `, `{${thing.id}}`].map((id): [string, Record<string, unknown>] => [
      'subject',
      { subject: { kind: 'post', id } },
    ]),
    ['subject', { subject: { kind: 'post', id: thing.id, version: 1 } }],
    ['reporter_id', { reporter_id: rita.id }],
    ['expected_version', { expected_version: 1 }],
  ]
  for (const [field, fields] of refused) {
    const answer = await report(rita, thing, fields)
    assert.equal(code(answer), '400 invalid_input', JSON.stringify(fields).slice(0, 80))
    const named = refusedFields(answer)
    assert.ok(named.length > 0 && named.every((path) => path.startsWith(field)), `${named} is ${field}`)
  }
  assert.deepEqual((await thing.owner.get('/moderation/cases')).body.cases, [], 'nothing came of any')
  for (const [text, read] of goodTexts(2000)) {
    const reporter = await someone(w)
    const told = await reported(reporter, thing, { text })
    assert.equal(told.text, read)
  }
  for (const reason_code of ['spam', 'fraud', 'abuse', 'illegal', 'rights', 'privacy', 'adult', 'other']) {
    assert.equal((await reported(await someone(w), thing, { reason_code })).reason_code, reason_code)
  }
})

test('each field of an appeal and of a decision, at both sides of its bounds', async () => {
  const removed = async () => {
    const thing = await post()
    return { thing, found: await ruled(mona, await opened(rita, thing.owner, thing), 'remove') }
  }
  const { thing, found } = await removed()
  w.travel(3_600_000)
  const refused: [string, Record<string, unknown>][] = [
    ...badTexts(2000).map((text): [string, Record<string, unknown>] => ['text', { text }]),
    ...[undefined, null, '3', -1, 1.5].map((expected_version): [string, Record<string, unknown>] => [
      'expected_version',
      { expected_version },
    ]),
    ['operation_id', { operation_id: 'x' }],
    ['status', { status: 'restored' }],
    ['reason_code', { reason_code: 'ok' }],
  ]
  for (const [field, fields] of refused) {
    const answer = await appeal(thing.owner, found, fields)
    assert.equal(code(answer), '400 invalid_input', JSON.stringify(fields).slice(0, 80))
    assert.deepEqual(refusedFields(answer), [field])
  }
  assert.equal((await caseAbout(thing.owner, thing)).appeal, null)
  for (const [text, read] of goodTexts(2000)) {
    const one = await removed()
    const answer = await appeal(one.thing.owner, one.found, { text })
    assert.equal(code(answer), '200', JSON.stringify(answer.body))
    assert.equal(answer.body.case.appeal.text, read)
    w.travel(600_000)
  }

  const other = await post()
  const waiting = await opened(rita, other.owner, other)
  const decisions: [string, Record<string, unknown>][] = [
    ...badTexts(2000).map((reason): [string, Record<string, unknown>] => ['reason', { reason }]),
    ...[undefined, null, '', 'approved', 'delete', 'Remove', 1].map((decision): [string, Record<string, unknown>] => [
      'decision',
      { decision },
    ]),
    ...[undefined, null, '', 'bad', 'ok'].map((reason_code): [string, Record<string, unknown>] => [
      'reason_code',
      { reason_code },
    ]),
    ['reason_code', { decision: 'reject', reason_code: 'ok' }],
    ['operation_id', { operation_id: null }],
    ['expected_version', { expected_version: '1' }],
    ['text', { text: 'Some' }],
  ]
  for (const [field, fields] of decisions) {
    const answer = await rule(mona, waiting, 'remove', fields)
    assert.equal(code(answer), '400 invalid_input', JSON.stringify(fields).slice(0, 80))
    assert.deepEqual(refusedFields(answer), [field])
  }
  assert.deepEqual(await caseAbout(other.owner, other), waiting)
  let now: Shown = waiting
  for (const [reason, read] of goodTexts(2000)) {
    const decision = now.status === 'removed' ? 'restore' : 'remove'
    const answer = await rule(mona, now, decision, { reason })
    assert.equal(code(answer), '200')
    now = answer.body.case
    assert.equal((await caseAbout(other.owner, other)).reason, read)
  }
  // Any code may stand with what lets a thing be; ok with nothing else.
  for (const reason_code of ['spam', 'other', 'ok']) {
    now = await ruled(mona, now, ...(now.status === 'removed' ? [] : (['remove'] as const)))
    const answer = await rule(mona, now, 'restore', { reason_code })
    assert.equal(code(answer), '200', reason_code)
    now = answer.body.case
    assert.equal((await caseAbout(other.owner, other)).reason_code, reason_code)
  }
})

test('bodies that are not a report, and content types other than JSON', async () => {
  const thing = await post()
  const found = await ruled(mona, await opened(rita, thing.owner, thing), 'remove')
  const doors: [string, Agent, Record<string, unknown>][] = [
    ['/moderation/reports', mona, reportBody(await post())],
    [`/moderation/cases/${found.id}/appeal`, thing.owner, { ...decisionBody(found, 'remove'), text: 'x' }],
    [`/staff/moderation/${found.id}/decide`, mona, decisionBody(found, 'restore')],
  ]
  for (const [path, who, body] of doors) {
    const send = (raw: string | Buffer, headers = {}) => w.request('POST', path, { token: who.token, raw, headers })
    const text = JSON.stringify(body)
    for (const raw of [
      '',
      '[]',
      'null',
      '"x"',
      text.slice(1),
      `[${text}]`,
      `${text}${text}`,
      text.replace('{', '{"operation_id":"x",'),
      `{"a":${'['.repeat(40)}${']'.repeat(40)}}`,
      Buffer.concat([Buffer.from('{"text":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]),
    ]) {
      assert.equal(code(await send(raw)), '400 invalid_json', `${path} ${String(raw).slice(0, 40)}`)
    }
    assert.equal(code(await send(text, { 'content-type': 'text/plain' })), '415 unsupported_media_type')
    assert.equal(
      code(await send('a=b', { 'content-type': 'application/x-www-form-urlencoded' })),
      '415 unsupported_media_type',
    )
    assert.equal(code(await send(JSON.stringify({ x: 'x'.repeat(66_000) }))), '413 payload_too_large')
    assert.equal(code(await w.request('POST', path, { raw: text })), '401 unauthorized')
    assert.equal(code(await w.request('POST', path, { token: `${who.token}x`, raw: text })), '401 unauthorized')
    assert.equal(code(await w.request('POST', `${path}?x=1`, { token: who.token, json: body })), '400 invalid_input')
  }
  for (const [method, path, allow] of [
    ['GET', '/moderation/reports', 'POST'],
    ['DELETE', `/moderation/cases/${found.id}`, 'GET'],
    ['PATCH', `/staff/moderation/${found.id}/decide`, 'POST'],
  ] as const) {
    const answer = await w.request(method, path, { token: mona.token })
    assert.equal(code(answer), '405 method_not_allowed', `${method} ${path}`)
    assert.match(answer.headers.get('allow') ?? '', new RegExp(allow))
  }
})

test('a bad id is no such case before its body is read; the body comes before the role, and the role before the case', async () => {
  const bad = { nonsense: true }
  for (const id of ['x', '1', randomUUID().replace('-', ''), `${randomUUID()}0`, '%00', '..%2f']) {
    for (const path of [`/moderation/cases/${id}/appeal`, `/staff/moderation/${id}/decide`]) {
      assert.equal(code(await rita.post(path, bad)), '404 not_found', path)
    }
  }
  const nobody = { id: randomUUID(), version: 1 }
  assert.equal(code(await rita.post(`/staff/moderation/${nobody.id}/decide`, bad)), '400 invalid_input')
  assert.equal(code(await rule(rita, nobody, 'remove')), '403 staff_required')
  assert.equal(code(await rule(mona, nobody, 'remove')), '404 not_found')
  assert.equal(code(await rita.get('/staff/moderation')), '403 staff_required')
  assert.equal(code(await rita.get('/staff/moderation?status=bogus')), '400 invalid_input')
  const thing = await post()
  const found = await opened(rita, thing.owner, thing)
  // A role, then whose it is, then its version, then its state.
  const owner = thing.owner
  assert.equal(code(await rule(owner, { ...found, version: 7 }, 'restore')), '403 staff_required')
  await w.operator('staff', 'assign', owner.handle, 'moderator')
  assert.equal(code(await rule(owner, { ...found, version: 7 }, 'restore')), '403 forbidden')
  assert.equal(code(await rule(mona, { ...found, version: 7 }, 'restore')), '409 version_conflict')
  assert.equal(code(await rule(mona, found, 'restore')), '409 invalid_state')
})

test('an operation id is good for one thing, here as everywhere', async () => {
  const [one, two] = [await post(), await post()]
  const operation = { operation_id: randomUUID() }
  assert.equal(code(await report(mona, { kind: 'post', id: randomUUID() }, operation)), '404 not_found')
  await reported(mona, one, operation)
  const found = await caseAbout(one.owner, one)
  assert.equal(code(await rule(mona, found, 'remove', operation)), '409 idempotency_conflict')
  assert.equal(code(await report(mona, two, operation)), '409 idempotency_conflict')
  assert.equal(code(await mona.post('/posts', { ...operation, text: 'x' })), '409 idempotency_conflict')
  assert.equal(code(await report(rita, two, operation)), '201', 'another’s is another')
  // Before the gate, and before existence.
  await w.operator('agent', 'suspend', mona.handle, '--reason', 'A test')
  assert.equal(code(await report(mona, { kind: 'post', id: randomUUID() }, operation)), '409 idempotency_conflict')
  await w.operator('agent', 'restore', mona.handle, '--reason', 'A test')
})

test('nothing that an owner can read tells who reported, in which words, or who decided', async () => {
  const secret = 'Xylophone-words-of-a-reporter'
  const [quiet, judge] = [await someone(w, 'quiet_reporter'), await staff(w, 'stern_judge', ['moderator'])]
  const reason = 'Words for the owner'
  for (const kind of subjectKinds) {
    const thing = await given(w, kind)
    const { owner } = thing
    const socket = await owner.events()
    await reported(quiet, thing, { text: secret })
    const found = await caseAbout(owner, thing)
    const removed = await rule(judge, found, 'remove', { reason })
    assert.equal(code(removed), '200')
    const answers: Answer[] = []
    answers.push(await owner.get('/moderation/cases'), await owner.get(`/moderation/cases/${found.id}`))
    assert.equal(code(await appeal(owner, removed.body.case)), '200')
    assert.equal(code(await rule(judge, await caseAbout(owner, thing), 'restore', { reason })), '200')
    answers.push(await owner.get(`/moderation/cases/${found.id}`), await owner.get('/bots/me'))
    for (const path of [
      '/orders',
      '/services/mine',
      '/posts?mine=true',
      '/tasks/mine',
      '/feedback',
      '/project-cases',
    ]) {
      answers.push(await owner.get(path))
    }
    answers.push(await owner.post('/moderation/reports', reportBody(thing)))
    for (let n = 0; n < 3; n++) await socket.next('moderation.changed')
    await socket.close()
    const read = JSON.stringify([answers.map(({ body }) => body), socket.frames])
    for (const hidden of [secret, quiet.id, quiet.handle, judge.id, judge.handle]) {
      assert.ok(!read.includes(hidden), `${kind}: ${hidden}`)
    }
    assert.ok(read.includes(reason), 'the reason is the owner’s to read')

    const staffs = JSON.stringify((await judge.get('/staff/moderation?status=restored&page_size=50')).body)
    assert.ok(staffs.includes(secret), `${kind}: the moderator reads the words`)
    for (const hidden of [quiet.id, quiet.handle]) assert.ok(!staffs.includes(hidden), `${kind}: of ${hidden}`)
  }
})

test('a moderator learns of a thing what the case needs, and no email', async () => {
  const at = await world()
  try {
    const [owner, judge, eve] = [
      await at.agentWithEmail('owner', 'owner@example.org'),
      await moderator(at, 'judge'),
      await at.agentWithEmail('eve', 'eve@example.org'),
    ]
    const { id } = await givenPost(owner, { title: 'Plums', text: 'Of all sorts' })
    await reported(eve, { kind: 'post', id }, { text: 'They are pears' })
    const { body } = await judge.get('/staff/moderation')
    const [entry] = body.cases
    const own = await caseAbout(owner, { id })
    assert.deepEqual(entry, {
      ...own,
      owner: { id: owner.id, handle: 'owner', display_name: 'owner' },
      reports: [{ reason_code: 'spam', text: 'They are pears', created_at: entry.reports[0].created_at }],
      reports_count: 1,
      waiting_text: null,
      excerpt: { title: 'Plums', text: 'Of all sorts' },
    })
    assert.ok(!JSON.stringify(body).includes('example.org'))
    // Whoever has the role reads no reporter's words about what is its own.
    const mine = { kind: 'post', id: (await givenPost(judge)).id }
    await reported(eve, mine, { text: 'Words about a judge' })
    assert.ok(!JSON.stringify((await judge.get('/staff/moderation')).body).includes('Words about a judge'))
    assert.equal((await caseAbout(judge, mine)).status, 'pending')
  } finally {
    await at.close()
  }
})

test('a text that waits is read by moderators alone', async () => {
  const text = 'Quince-coloured words that wait'
  const { id, customer, contractor, order } = await revealedReview(w, { text })
  const entry = (await mona.get('/staff/moderation?kind=review&page_size=50')).body.cases.find(
    ({ subject }: Shown) => subject.id === id,
  )
  assert.equal(entry.waiting_text, text)
  assert.equal(entry.owner.id, customer.id)
  for (const who of [contractor, rita, customer]) {
    for (const path of [`/bots/${contractor.id}/reviews`, '/moderation/cases', '/orders']) {
      assert.ok(!JSON.stringify((await who.get(path)).body).includes(text), `${who.handle} ${path}`)
    }
  }
  assert.ok(!JSON.stringify((await contractor.get(`/orders/${order.id}`)).body).includes(text))
})

test('agents without a verified email read their cases and appeal, and report nothing', async () => {
  const at = await world({ env: { OWNER_EMAIL_GATE: 'on' } })
  try {
    const [owner, eve, judge] = [
      await at.agentWithEmail('owner', 'owner@example.org'),
      await at.agentWithEmail('eve', 'eve@example.org'),
      await at.agentWithEmail('judge', 'judge@example.org'),
    ]
    await at.operator('staff', 'assign', 'judge', 'moderator')
    const thing = { kind: 'post', id: (await givenPost(owner)).id }
    const other = { kind: 'post', id: (await givenPost(owner)).id }
    const removed = await ruled(judge, await opened(eve, owner, thing), 'remove')
    const waiting = await opened(eve, owner, other)
    await at.sql`update agents set email_verified_at = null`
    at.travel(days(15))
    assert.equal(code(await report(eve, { kind: 'post', id: randomUUID() })), '403 owner_email_required')
    assert.equal(code(await owner.get('/moderation/cases')), '200')
    assert.equal(code(await owner.get(`/moderation/cases/${removed.id}`)), '200')
    assert.equal(code(await appeal(owner, removed)), '200')
    assert.equal(code(await rule(judge, waiting, 'remove')), '403 owner_email_required')
    assert.equal(code(await judge.get('/staff/moderation')), '200', 'what others show stays open to read')
  } finally {
    await at.close()
  }
})
