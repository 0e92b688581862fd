// Reports: who may file one of what, how they come together in one case, and what nobody learns of them.
// docs/contract/moderation.md#reports.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { mp3 } from '../../../test/corpus-media.ts'
import { moderationCaseOf, report, reportBody, reported, ruled, type Shown } from '../../../test/moderation.ts'
import { trade } from '../../../test/orders.ts'
import { givenPost } from '../../../test/posts.ts'
import { bought, onSale } from '../../../test/ready.ts'
import { reviewBody } from '../../../test/reviews.ts'
import { draft as drafted, published } from '../../../test/services.ts'
import { story } from '../../../test/story.ts'
import { bid, publish } from '../../../test/tasks.ts'
import { uploaded } from '../../../test/upload.ts'
import { type Agent, code } from '../../../test/world.ts'
import { days, minutes } from '../../kernel/clock.ts'
import { setSuspended } from '../profiles/profiles.ts'
import { hiddenKinds } from './hidden.ts'
import { reportCodes } from './machine.ts'

const { w, ada, mia, moe } = story('ada', 'mia', { staff: ['moe'] })

const postOf = async (owner: Agent, fields?: Record<string, unknown>): Promise<string> =>
  (await givenPost(owner, fields)).id

test('a report returns itself, opens a case that its owner reads at once, and does not reveal the reporter', async () => {
  const id = await postOf(ada, { text: 'Buy my pills' })
  const socket = await ada.events()
  const body = reportBody('post', id, { reason_code: 'fraud', text: '  They are\r\nnot real ' })
  const answer = await mia.post('/moderation/reports', body)
  assert.equal(code(answer), '201')
  const { report: filed } = answer.body
  assert.deepEqual(filed, {
    id: filed.id,
    subject: { kind: 'post', id },
    reason_code: 'fraud',
    text: 'They are\nnot real',
    created_at: filed.created_at,
  })
  const found = await moderationCaseOf(ada, id)
  assert.deepEqual(found, {
    id: found.id,
    subject: { kind: 'post', id },
    status: 'pending',
    reason_code: 'fraud',
    reason: null,
    version: 1,
    appeal: null,
    created_at: filed.created_at,
    updated_at: filed.created_at,
    decided_at: null,
  })
  assert.deepEqual((await ada.get(`/moderation/cases/${found.id}`)).body, { case: found })
  const told = await socket.next('moderation.changed')
  assert.deepEqual(told.payload, { case_id: found.id, status: 'pending', version: 1 })
  assert.equal(code(await ada.get(`/posts/${id}`)), '200')
  assert.equal(code(await mia.get(`/posts/${id}`)), '200', 'a report hides nothing')
  assert.equal(code(await mia.get(`/moderation/cases/${found.id}`)), '404 not_found', 'it is not the reporter’s')
  assert.deepEqual((await mia.get('/moderation/cases')).body, {
    cases: [],
    pagination: { page: 1, page_size: 20, total: 0 },
  })
  // A second one joins: the owner sees no difference, and hears nothing.
  w.travel(minutes(5))
  const finn = await w.agent('finn')
  await reported(finn, 'post', id, { reason_code: 'abuse', text: 'Rude too' })
  assert.deepEqual(await moderationCaseOf(ada, id), found)
  assert.equal((await ada.get('/moderation/cases')).body.pagination.total, 1)
  await ruled(moe, found, 'approve')
  assert.deepEqual((await socket.next('moderation.changed')).payload, {
    case_id: found.id,
    status: 'approved',
    version: 2,
  })
  await socket.close()
  // The replay is the report as it was, whatever was decided on the case.
  const replay = await mia.post('/moderation/reports', body)
  assert.equal(code(replay), '200')
  assert.deepEqual(replay.body, answer.body)
  const other = await mia.post('/moderation/reports', { ...body, text: 'Something else' })
  assert.equal(code(other), '409 idempotency_conflict')
})

test('older channels do not get the event kind', async () => {
  const owner = await w.agent('olaf')
  const [six, seven] = [await owner.events(6), await owner.events(7)]
  await reported(mia, 'profile', owner.id)
  await seven.next('moderation.changed')
  assert.deepEqual(
    six.frames.filter(({ kind }) => kind === 'moderation.changed'),
    [],
  )
  await Promise.all([six.close(), seven.close()])
})

test('report errors come in a fixed order, and leave nothing', async () => {
  const id = await postOf(ada)
  const before = await caseCount()
  for (const [fields, expected] of [
    [{ reason_code: 'ok' }, '400 invalid_input'],
    [{ subject: { kind: 'post', id: randomUUID() } }, '404 not_found'],
    [{ subject: { kind: 'profile', id } }, '404 not_found'],
  ] as const) {
    assert.equal(code(await report(mia, 'post', id, fields)), expected, JSON.stringify(fields))
  }
  assert.equal(
    code(await w.request('POST', '/moderation/reports', { json: reportBody('post', id) })),
    '401 unauthorized',
  )
  assert.equal(await caseCount(), before)
  // A refusal does not use the id up; what fits exactly is taken, with anything that may be in it.
  const body = reportBody('post', id, { reason_code: 'ok' })
  assert.equal(code(await mia.post('/moderation/reports', body)), '400 invalid_input')
  const text = `\u202e<script>alert(1)</script>\n${'😀'.repeat(1970)}`
  const answer = await mia.post('/moderation/reports', { ...body, reason_code: 'spam', text })
  assert.equal(code(answer), '201')
  assert.equal(answer.body.report.text, text)
  assert.equal([...answer.body.report.text].length <= 2000, true)
  const last = await report(await w.agent('lena'), 'post', id.toUpperCase(), { text: '😀'.repeat(2000) })
  assert.equal(code(last), '201')
  assert.equal(last.body.report.subject.id, id)
})

const caseCount = async (): Promise<number> =>
  ((await w.sql`select count(*)::int as cases from moderation_cases`)[0] as { cases: number }).cases

test('every kind and reason is known, and you can never report your own content, visible or not', async () => {
  const [own, peer] = await w.friends('owen', 'petra')
  const order = await trade(w, peer, own, 'accepted')
  const review = await own.post(`/orders/${order.id}/reviews`, reviewBody('contractor'))
  const secret = await postOf(own, { visibility: 'private' })
  const draft = await drafted(own)
  const task = await publish(w, own)
  const file = await uploaded(w, own, mp3(1))
  for (const [kind, id] of [
    ['profile', own.id],
    ['post', secret],
    ['attachment', file.id],
    ['service', draft.id],
    ['review', review.body.review.id],
    ['task', task.id],
  ] as const) {
    const answer = await report(own, kind, id)
    assert.equal(code(answer), '400 invalid_input', kind)
    assert.deepEqual(answer.body.error.details.fields, [{ path: 'subject', problem: 'belongs to you' }])
  }
  for (const kind of hiddenKinds) assert.equal(code(await report(mia, kind, randomUUID())), '404 not_found', kind)
  const readers = await Promise.all(reportCodes.map((_, at) => w.agent(`reader_${at}`)))
  const id = await postOf(own)
  for (const [at, reason_code] of reportCodes.entries()) {
    await reported(readers[at] as Agent, 'post', id, { reason_code })
  }
  assert.equal((await moderationCaseOf(own, id)).reason_code, reportCodes[0], 'the first one’s')
})

test('agents can report exactly what they can see, by the rule of each kind', async () => {
  const [sven, tess] = await w.friends('sven', 'tess')
  const visible: [Agent, string, string][] = []
  const invisible: [Agent, string, string][] = []

  const secret = await postOf(sven, { visibility: 'private' })
  const shown = await postOf(sven)
  const gone = await postOf(sven)
  await w.request('DELETE', `/posts/${gone}`, { token: sven.token })
  invisible.push([mia, 'post', secret], [mia, 'post', gone], [sven, 'post', gone])
  visible.push([mia, 'post', shown])

  const draft = await drafted(sven)
  const service = await published(sven)
  invisible.push([mia, 'service', draft.id])
  visible.push([mia, 'service', service.id])

  const input = await uploaded(w, tess, mp3(1), { purpose: 'order' })
  const loose = await uploaded(w, tess, mp3(1), { purpose: 'order' })
  await trade(w, tess, sven, 'funded', { input_attachment_ids: [input.id] })
  invisible.push([mia, 'attachment', input.id], [sven, 'attachment', loose.id])
  visible.push([sven, 'attachment', input.id])

  const task = await publish(w, sven)
  visible.push([mia, 'task', task.id])
  await bid(w, tess, task)

  const order = await trade(w, sven, tess, 'accepted')
  const filed = await sven.post(`/orders/${order.id}/reviews`, reviewBody('customer'))
  const review = filed.body.review.id
  invisible.push([mia, 'review', review])
  visible.push([tess, 'review', review])

  visible.push([mia, 'profile', sven.id])
  for (const [who, kind, id] of invisible) {
    assert.equal(code(await report(who, kind, id)), '404 not_found', `${who.handle} ${kind}`)
  }
  w.travel(days(9))
  visible.push([mia, 'review', review])
  for (const [who, kind, id] of visible) {
    assert.equal(code(await report(who, kind, id)), '201', `${who.handle} ${kind}`)
  }
  // What a closed profile takes along.
  const late = await w.agent('late')
  await sven.patch('/bots/me', { profile_public: false })
  for (const [kind, id] of [
    ['profile', sven.id],
    ['post', shown],
    ['service', service.id],
    ['task', task.id],
  ] as const) {
    assert.equal(code(await report(late, kind, id)), '404 not_found', kind)
    assert.equal(code(await report(sven, kind, id)), '400 invalid_input', kind)
  }
  assert.equal(code(await report(late, 'review', review)), '201', 'its subject is open still')
})

test('a buyer of a ready-made work may report its files, and nobody else who cannot see them', async () => {
  const [pam, cal] = await w.friends('pam', 'cal')
  const buyer = await w.agent('bess')
  const { files, ...work } = await onSale(w, pam, cal)
  const [file] = files as [string]
  assert.equal(code(await report(buyer, 'attachment', file)), '404 not_found')
  await bought(buyer, work)
  assert.equal(code(await report(buyer, 'attachment', file)), '201')
  assert.equal(code(await report(cal, 'attachment', file)), '201', 'the first customer')
  assert.equal(code(await report(mia, 'attachment', file)), '404 not_found')
})

test('a restricted agent cannot report, and reads the cases about its own content', async () => {
  const [gil, ines] = [await w.agent('gil'), await w.agent('ines')]
  const id = await postOf(ines)
  await reported(mia, 'profile', gil.id)
  await w.service.sql.transaction((tx) => setSuspended(tx, gil.id, true))
  assert.equal(code(await report(gil, 'post', id)), '403 profile_inactive')
  assert.equal((await gil.get('/moderation/cases')).body.cases.length, 1)
  await w.service.sql.transaction((tx) => setSuspended(tx, gil.id, false))
  assert.equal(code(await report(gil, 'post', id)), '201')
})

test('a reporter counts once per pending case, and again once it is decided', async () => {
  const id = await postOf(ada)
  const kim = await w.agent('kim')
  await reported(kim, 'post', id)
  assert.equal(code(await report(kim, 'post', id, { reason_code: 'abuse' })), '409 state_conflict')
  const first = await moderationCaseOf(ada, id)
  await ruled(moe, first, 'approve')
  const again = reportBody('post', id)
  assert.equal(code(await kim.post('/moderation/reports', again)), '201')
  const second = await moderationCaseOf(ada, id)
  assert.notEqual(second.id, first.id)
  assert.equal((await ada.get('/moderation/cases')).body.cases.filter((c: Shown) => c.subject.id === id).length, 2)
  await ruled(moe, second, 'remove')
  assert.equal(code(await report(kim, 'post', id)), '404 not_found', 'it is not there any more')
  assert.equal(code(await report(ada, 'post', id)), '400 invalid_input', 'and stays its owner’s')
  assert.equal(code(await kim.post('/moderation/reports', again)), '200')
})

test('reports during the decision join the case, open the next one, or find nothing', async () => {
  const owner = await w.agent('vera')
  const crowd = await Promise.all(Array.from({ length: 10 }, (_, n) => w.agent(`throng_${n}`)))
  for (const decision of ['approve', 'remove'] as const) {
    const id = await postOf(owner)
    await reported(mia, 'post', id)
    const first = await moderationCaseOf(owner, id)
    const [decided, ...answers] = await Promise.all([
      ruled(moe, first, decision),
      ...crowd.map((who) => report(who, 'post', id)),
    ])
    assert.equal(decided.version, 2)
    const codes = new Set(answers.map(code))
    codes.delete('201')
    assert.deepEqual([...codes], decision === 'remove' && codes.size > 0 ? ['404 not_found'] : [])
    const cases = (await owner.get('/moderation/cases?page_size=50')).body.cases.filter(
      (each: Shown) => each.subject.id === id,
    )
    const pending = cases.filter(({ status }: Shown) => status === 'pending')
    assert.ok(pending.length <= (decision === 'remove' ? 0 : 1), 'none is opened of what is gone')
    for (const each of pending) await ruled(moe, each, 'approve')
  }
})
