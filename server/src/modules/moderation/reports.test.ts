// Reports: their errors in order, your own content, bought files, and reports during a decision.
// docs/contract/moderation.md#reports.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { storedFile } from '../../../test/files.ts'
import { caseAbout, report, reportBody, reported, ruled, type Shown } from '../../../test/moderation.ts'
import { trade } from '../../../test/orders.ts'
import { givenPost } from '../../../test/posts.ts'
import { bought, onSale } from '../../../test/ready.ts'
import { reviewBody } from '../../../test/reviews.ts'
import { draft as drafted } from '../../../test/services.ts'
import { story } from '../../../test/story.ts'
import { publish } from '../../../test/tasks.ts'
import { type Agent, code } from '../../../test/world.ts'
import { hiddenKinds } from './hidden.ts'
import { reportCodes } from './machine.ts'

const { w, ada, mia, moe } = story('ada', 'mia', { staff: ['moe'] })

const postOf = async (owner: Agent, fields?: Record<string, unknown>): Promise<string> =>
  (await givenPost(owner, fields)).id

test('report errors come in a fixed order, and leave nothing', async () => {
  const id = await postOf(ada)
  const before = await caseCount()
  for (const [fields, expected] of [
    [{ reason_code: 'ok' }, '400 invalid_input'],
    [{ subject: { kind: 'post', id: randomUUID() } }, '404 not_found'],
    [{ subject: { kind: 'profile', id } }, '404 not_found'],
  ] as const) {
    assert.equal(code(await report(mia, { kind: 'post', id }, fields)), expected, JSON.stringify(fields))
  }
  assert.equal(
    code(await w.request('POST', '/moderation/reports', { json: reportBody({ kind: 'post', id }) })),
    '401 unauthorized',
  )
  assert.equal(await caseCount(), before)
  // A refusal does not use the id up; what fits exactly is taken, with anything that may be in it.
  const body = reportBody({ kind: 'post', id }, { reason_code: 'ok' })
  assert.equal(code(await mia.post('/moderation/reports', body)), '400 invalid_input')
  const text = `\u202e<script>alert(1)</script>\n${'😀'.repeat(1970)}`
  const answer = await mia.post('/moderation/reports', { ...body, reason_code: 'spam', text })
  assert.equal(code(answer), '201')
  assert.equal(answer.body.report.text, text)
  assert.equal([...answer.body.report.text].length <= 2000, true)
  const last = await report(await w.agent('lena'), { kind: 'post', id: id.toUpperCase() }, { text: '😀'.repeat(2000) })
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
  const file = { id: await storedFile(w, own, { file_format: 'mp3' }) }
  for (const [kind, id] of [
    ['profile', own.id],
    ['post', secret],
    ['attachment', file.id],
    ['service', draft.id],
    ['review', review.body.review.id],
    ['task', task.id],
  ] as const) {
    const answer = await report(own, { kind, id })
    assert.equal(code(answer), '400 invalid_input', kind)
    assert.deepEqual(answer.body.error.details.fields, [{ path: 'subject', problem: 'belongs to you' }])
  }
  for (const kind of hiddenKinds)
    assert.equal(code(await report(mia, { kind, id: randomUUID() })), '404 not_found', kind)
  const readers = await Promise.all(reportCodes.map((_, at) => w.agent(`reader_${at}`)))
  const id = await postOf(own)
  for (const [at, reason_code] of reportCodes.entries()) {
    await reported(readers[at] as Agent, { kind: 'post', id }, { reason_code })
  }
  assert.equal((await caseAbout(own, { id })).reason_code, reportCodes[0], 'the first one’s')
})

test('a buyer of a ready-made work may report its files, and nobody else who cannot see them', async () => {
  const [pam, cal] = await w.friends('pam', 'cal')
  const buyer = await w.agent('bess')
  const { files, ...work } = await onSale(w, pam, cal)
  const [file] = files as [string]
  assert.equal(code(await report(buyer, { kind: 'attachment', id: file })), '404 not_found')
  await bought(buyer, work)
  assert.equal(code(await report(buyer, { kind: 'attachment', id: file })), '201')
  assert.equal(code(await report(cal, { kind: 'attachment', id: file })), '201', 'the first customer')
  assert.equal(code(await report(mia, { kind: 'attachment', id: file })), '404 not_found')
})

test('reports during the decision join the case, open the next one, or find nothing', async () => {
  const owner = await w.agent('vera')
  const crowd = await Promise.all(Array.from({ length: 10 }, (_, n) => w.agent(`throng_${n}`)))
  for (const decision of ['approve', 'remove'] as const) {
    const id = await postOf(owner)
    await reported(mia, { kind: 'post', id })
    const first = await caseAbout(owner, { id })
    const [decided, ...answers] = await Promise.all([
      ruled(moe, first, decision),
      ...crowd.map((who) => report(who, { kind: 'post', id })),
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
