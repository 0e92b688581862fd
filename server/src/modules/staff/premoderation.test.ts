// What waits for a moderator before it is shown: texts of reviews and finished works, each by its case.
// docs/contract/moderation.md#before-it-is-shown.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { appealed, caseAbout, queueOf, report, reported, rule, ruled, type Shown } from '../../../test/moderation.ts'
import { type Shown as Order, trade } from '../../../test/orders.ts'
import { acceptedOrder, agreed, bought, buy, proposed, type Ready, reread, withdraw } from '../../../test/ready.ts'
import { reviewBody } from '../../../test/reviews.ts'
import { move } from '../../../test/services.ts'
import { appoint } from '../../../test/staff.ts'
import { beforehand, story } from '../../../test/story.ts'
import { code } from '../../../test/world.ts'
import { days, hours } from '../../kernel/clock.ts'
import { releaseStopped } from '../ready/files.ts'

const { w, pam, cal, mia, moe } = story('mia', 'moe', { friends: ['pam', 'cal'], env: { FILE_RETENTION_DAYS: '3' } })
beforehand(async () => {
  await appoint(w, moe, 'moderator')
  for (const who of [cal, mia]) await w.operator('credits', 'grant', who.handle, '10000000', '--reason', 'To buy with')
})

/** A review with a text of an accepted order, that both have filed; it and its case as its author reads it. */
async function reviewed(): Promise<{ review: Shown; order: Order; found: Shown }> {
  const order = await trade(w, cal, pam, 'accepted')
  const answer = await cal.post(`/orders/${order.id}/reviews`, reviewBody('customer', { text: 'Round and blue' }))
  assert.equal(code(answer), '201')
  assert.equal(code(await pam.post(`/orders/${order.id}/reviews`, reviewBody('contractor'))), '201')
  const { review } = answer.body
  return { review, order, found: await caseAbout(cal, review) }
}

/** What others read of a review of pam: its text, or that it is not there. */
async function textOf(review: Shown): Promise<string | null | undefined> {
  const { body } = await mia.get(`/bots/${pam.id}/reviews?page_size=50`)
  return body.reviews.find(({ id }: Shown) => id === review.id)?.text
}

test('filing a text opens a case without a complaint', async () => {
  const socket = await cal.events()
  const { review, found } = await reviewed()
  assert.deepEqual(found, {
    id: found.id,
    subject: { kind: 'review', id: review.id },
    status: 'pending',
    reason_code: null,
    reason: null,
    version: 1,
    appeal: null,
    created_at: review.created_at,
    updated_at: review.created_at,
    decided_at: null,
  })
  assert.deepEqual((await socket.next('moderation.changed')).payload, {
    case_id: found.id,
    status: 'pending',
    version: 1,
  })
  const { cases } = await queueOf(moe, '?kind=review&page_size=50')
  const shown = cases.find(({ id }) => id === found.id)
  assert.deepEqual([shown.waiting_text, shown.reports, shown.reports_count], ['Round and blue', [], 0])
  assert.equal(shown.excerpt.text, 'Round and blue')
  const silent = await trade(w, cal, pam, 'accepted')
  const answer = await cal.post(`/orders/${silent.id}/reviews`, reviewBody('customer'))
  const { body } = await cal.get('/moderation/cases?page_size=50')
  assert.ok(!body.cases.some(({ subject }: Shown) => subject.id === answer.body.review.id), 'a rating waits for nobody')
  const decided = await ruled(moe, found, 'approve')
  assert.equal(decided.waiting_text, null)
  await socket.close()
})

test('a text reaches the right state on every path through its case', async () => {
  const shown = { text: 'Round and blue', silent: null, gone: undefined }
  for (const [ways, expected] of [
    [['approve'], 'text'],
    [['reject'], 'silent'],
    [['remove'], 'gone'],
    [['approve', 'remove'], 'gone'],
    [['approve', 'remove', 'restore'], 'text'],
    [['reject', 'restore'], 'text'],
    [['reject', 'restore', 'remove'], 'gone'],
    [['reject', 'restore', 'remove', 'restore'], 'text'],
    [['remove', 'restore'], 'text'],
  ] as const) {
    const { review, found } = await reviewed()
    assert.equal(await textOf(review), null, 'it waits')
    for (const way of ways) await ruled(moe, await caseAbout(cal, found.subject), way)
    assert.equal(await textOf(review), shown[expected], ways.join(' '))
    assert.ok(!(await w.operator('reviews')).text.includes(review.id), 'the operator has nothing to decide')
    await assert.rejects(w.operator('reviews', 'reject', review.id), { code: 'invalid_state' })
    const ofPam = (await pam.get(`/bots/${pam.id}/reviews?page_size=50`)).body.reviews
    assert.equal(
      ofPam.some(({ id }: Shown) => id === review.id),
      expected !== 'gone',
      'also for whom it is about',
    )
  }
})

test('a report of a review joins the pending case of its text', async () => {
  const { review, found } = await reviewed()
  await reported(mia, { kind: 'review', id: review.id }, { reason_code: 'abuse', text: 'It names a person' })
  const is = await caseAbout(cal, review)
  assert.deepEqual([is.id, is.reason_code, is.version], [found.id, null, 1])
  const decided = await ruled(moe, is, 'reject', { reason_code: 'privacy' })
  assert.deepEqual([decided.reports_count, decided.reports[0].text], [1, 'It names a person'])
  // Its rating is still shown, and may be reported again: that case has no text.
  await reported(mia, { kind: 'review', id: review.id })
  const second = await caseAbout(cal, review)
  assert.equal(code(await rule(moe, second, 'reject')), '409 invalid_state')
  const gone = await ruled(moe, second, 'remove')
  assert.equal(await textOf(review), undefined)
  await ruled(moe, gone, 'restore')
  assert.equal(await textOf(review), null, 'what the first case withheld is withheld')
})

test('an appeal for a text is denied by another rejection, or granted', async () => {
  const { review, found } = await reviewed()
  const rejected = await ruled(moe, found, 'reject')
  const pleaded = await appealed(cal, rejected)
  const confirmed = await ruled(moe, pleaded, 'reject', { reason: 'It is still rude' })
  assert.deepEqual([confirmed.status, confirmed.version], ['rejected', 4])
  const entries = await w.sql`select action from audit_log where subject = ${found.id} order by id`
  assert.deepEqual(
    entries.map(({ action }) => action),
    ['moderation.reject', 'moderation.confirm'],
  )
  assert.equal(code(await rule(moe, confirmed, 'reject')), '409 invalid_state')
  assert.equal(await textOf(review), null)
  await ruled(moe, confirmed, 'restore')
  assert.equal(await textOf(review), 'Round and blue')
})

/** A finished work to which both have consented, and its case as its provider reads it. */
async function waiting(): Promise<Ready & { found: Shown; order: Order }> {
  const { order, files } = await acceptedOrder(w, cal, pam)
  const ready = await agreed(pam, cal, await proposed(pam, order, files))
  return { ...ready, order, found: await caseAbout(pam, ready.service) }
}

const standing = async (ready: Pick<Ready, 'service'>): Promise<unknown[]> => {
  const { service, agreement } = await reread(pam, ready)
  return [service.state, agreement.moderation.status]
}

const isThere = async ({ service: { id } }: Pick<Ready, 'service'>) => (await mia.get(`/services/${id}`)).status === 200

test('the second consent opens a case for the work, which waits in the queue with its text', async () => {
  const ready = await waiting()
  const { found } = ready
  assert.deepEqual([found.status, found.reason_code, found.reason], ['pending', null, null])
  const { body } = await cal.get('/moderation/cases?page_size=50')
  assert.ok(!body.cases.some(({ id }: Shown) => id === found.id), 'it is its provider’s')
  const { cases } = await queueOf(moe, '?kind=service&page_size=50')
  const shown = cases.find(({ id }) => id === found.id)
  assert.equal(shown.waiting_text, 'A round logo\n\nPrint it large')
  assert.equal(shown.excerpt, null, 'nothing of it is offered yet')
  assert.equal(shown.owner.handle, 'pam')
  const decided = await ruled(moe, found, 'approve', { reason: 'Fine' })
  assert.deepEqual([decided.waiting_text, decided.excerpt.title], [null, 'A round logo'])
  assert.deepEqual(await standing(ready), ['published', 'approved'])
  const { agreement } = await reread(cal, ready)
  assert.deepEqual(agreement.moderation, { status: 'approved', reason: 'Fine', decided_at: decided.decided_at })
})

test('a ready-made work reaches the right state on every path through its case', async () => {
  for (const [ways, state, moderation, there] of [
    [['approve'], 'published', 'approved', true],
    [['reject'], 'draft', 'rejected', false],
    [['remove'], 'draft', 'rejected', false],
    [['approve', 'remove'], 'published', 'approved', false],
    [['approve', 'remove', 'restore'], 'published', 'approved', true],
    [['reject', 'restore'], 'published', 'approved', true],
    [['remove', 'restore'], 'published', 'approved', true],
    [['reject', 'restore', 'remove'], 'published', 'approved', false],
    [['reject', 'restore', 'remove', 'restore'], 'published', 'approved', true],
  ] as const) {
    const ready = await waiting()
    for (const way of ways) await ruled(moe, await caseAbout(pam, ready.service), way)
    assert.deepEqual(await standing(ready), [state, moderation], ways.join(' '))
    assert.ok(!(await w.operator('ready', 'list')).text.includes(ready.service.id))
    await assert.rejects(w.operator('ready', 'approve', ready.service.id), { code: 'invalid_state' })
    assert.equal(await isThere(ready), there, ways.join(' '))
    const answer = await buy(mia, await reread(pam, ready))
    assert.equal(code(answer), there ? '201' : '404 not_found', ways.join(' '))
  }
})

test('a work finally approved for sale keeps its files again, unless they are deleted or it was withdrawn', async () => {
  const kept = await waiting()
  await ruled(moe, kept.found, 'reject')
  w.travel(days(3) - hours(1))
  while (await releaseStopped(w.service.sql, w.service.config));
  const restored = await ruled(moe, await caseAbout(pam, kept.service), 'restore')
  assert.equal(restored.status, 'restored')
  const [file] = (await reread(pam, kept)).agreement.attachments
  const [row] = await w.sql<{ purge_after: Date | null }>`select purge_after from attachments where id = ${file.id}`
  assert.equal(row?.purge_after, null, 'for as long as it is sold')
  w.travel(days(10))
  await bought(mia, await reread(pam, kept))

  const late = await waiting()
  await ruled(moe, late.found, 'reject')
  while (await releaseStopped(w.service.sql, w.service.config));
  w.travel(days(3) + hours(1))
  const gone = await rule(moe, await caseAbout(pam, late.service), 'restore')
  assert.deepEqual([code(gone), gone.body.error.message], ['409 invalid_state', 'A file of this work no longer exists'])
  assert.deepEqual(await standing(late), ['draft', 'rejected'])
  assert.equal((await caseAbout(pam, late.service)).status, 'rejected')

  for (const way of ['reject', 'remove'] as const) {
    const ready = await waiting()
    await ruled(moe, ready.found, way)
    assert.equal(code(await withdraw(cal, ready)), '200')
    const answer = await rule(moe, await caseAbout(pam, ready.service), 'restore')
    assert.deepEqual([code(answer), answer.body.error.message], ['409 invalid_state', 'This work was withdrawn'])
  }
})

test('when a pending work is withdrawn its case goes on, and nothing is published', async () => {
  for (const [decision, moderation] of [
    ['approve', 'approved'],
    ['reject', 'rejected'],
    ['remove', 'rejected'],
  ] as const) {
    for (const end of [
      (ready: Ready) => withdraw(pam, ready),
      (ready: Ready) => withdraw(cal, ready),
      async (ready: Ready) => move(pam, (await reread(pam, ready)).service, 'archive'),
    ]) {
      const ready = await waiting()
      assert.equal(code(await end(ready)), '200')
      assert.equal((await caseAbout(pam, ready.service)).status, 'pending')
      const source = `/orders/${ready.agreement.source_order_id}`
      const { order, history } = (await cal.get(source)).body
      const shown = await ruled(moe, ready.found, decision)
      assert.equal(shown.waiting_text, null)
      assert.deepEqual(await standing(ready), ['archived', moderation])
      assert.equal(await isThere(ready), false)
      const after = (await cal.get(source)).body
      assert.deepEqual([after.order.version, after.history], [order.version, history], 'nobody hears of a sale')
      if (decision === 'approve') continue
      const answered = await appealed(pam, await caseAbout(pam, ready.service))
      assert.equal(code(await rule(moe, answered, 'restore')), '409 invalid_state', 'an ended one is never for sale')
      assert.equal((await ruled(moe, answered, decision)).status, shown.status, 'the appeal is answered all the same')
    }
  }
})

test("when a pending work's sales ended the operator can no longer approve it, only close its case", async () => {
  const ready = await waiting()
  assert.equal(code(await withdraw(cal, ready)), '200')
  await assert.rejects(w.operator('ready', 'approve', ready.service.id), { code: 'invalid_state' })
  assert.equal((await caseAbout(pam, ready.service)).status, 'pending')
  await w.operator('ready', 'reject', ready.service.id, '--reason', 'It was withdrawn')
  assert.equal((await caseAbout(pam, ready.service)).status, 'rejected')
  await assert.rejects(w.operator('ready', 'reject', ready.service.id, '--reason', 'Again'), { code: 'invalid_state' })

  // A report of a work on sale is no case of theirs.
  const sold = await waiting()
  await ruled(moe, sold.found, 'approve')
  assert.equal(code(await report(mia, { kind: 'service', id: sold.service.id })), '201')
  await assert.rejects(w.operator('ready', 'reject', sold.service.id, '--reason', 'No'), { code: 'invalid_state' })
  assert.equal((await caseAbout(pam, sold.service)).status, 'pending')
})

test('reporting a work on sale opens its own case, and existing purchases continue', async () => {
  const ready = await waiting()
  const first = await ruled(moe, ready.found, 'approve')
  const order = await bought(mia, await reread(pam, ready))
  assert.equal(code(await report(mia, { kind: 'service', id: ready.service.id }, { reason_code: 'rights' })), '201')
  const second = await caseAbout(pam, ready.service)
  assert.notEqual(second.id, first.id)
  assert.equal(code(await rule(moe, second, 'reject')), '409 invalid_state')
  await ruled(moe, second, 'remove')
  assert.equal(code(await report(await w.agent('late'), { kind: 'service', id: ready.service.id })), '404 not_found')
  const done = await mia.post(`/orders/${order.id}/complete`, {
    operation_id: randomUUID(),
    expected_version: order.version,
  })
  assert.equal(code(done), '200')
  const [file] = (await reread(cal, ready)).agreement.attachments
  assert.equal(code(await mia.get(`/orders/${order.id}/ready-files/${file.id}`)), '200')
})
