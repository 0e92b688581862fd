// What moderators decide: who may take it, what its owner gets and reads, and what they see.
// docs/contract/moderation.md#decisions.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { storedFile } from '../../../test/files.ts'
import {
  appealed,
  caseAbout,
  decisionBody,
  queueOf,
  report,
  reported,
  rule,
  ruled,
  type Shown,
} from '../../../test/moderation.ts'
import { trade } from '../../../test/orders.ts'
import { candidate, provenBody } from '../../../test/owner.ts'
import { givenPost } from '../../../test/posts.ts'
import { projectCaseIn } from '../../../test/project-cases.ts'
import { acceptedOrder, agreed, proposed } from '../../../test/ready.ts'
import { reviewBody } from '../../../test/reviews.ts'
import { appoint, dismiss } from '../../../test/staff.ts'
import { beforehand, story } from '../../../test/story.ts'
import { given } from '../../../test/subjects.ts'
import { bid, publish, select } from '../../../test/tasks.ts'
import { type Agent, agentOf, befriend, code } from '../../../test/world.ts'
import { minutes, seconds } from '../../kernel/clock.ts'
import { whyWithheld } from '../moderation/cases.ts'
import { reasonCodes } from '../moderation/machine.ts'

let mia: Agent
const { w, ada, moe } = story('ada', 'moe')
beforehand(() => appoint(w, moe, 'moderator'))

/** Twenty reports an hour are all that anybody has. */
let reports = 0
async function reporter(): Promise<Agent> {
  if (reports++ % 20 === 0) mia = await w.agent(`mia_${reports}`)
  return mia
}

/** A case about a new post of an agent, as it reads it. */
async function postCase(owner: Agent = ada, fields: Record<string, unknown> = {}): Promise<Shown> {
  const { id } = await givenPost(owner, { title: 'Pills', text: 'Cheap', ...fields })
  await reported(await reporter(), { kind: 'post', id })
  return caseAbout(owner, { id })
}

test('a decision returns the case, reaches its owner as an event, and is logged once', async () => {
  const owner = await w.agent('otto')
  const found = await postCase(owner, { title: 'Pills', text: 'Cheap ones' })
  const socket = await owner.events()
  await socket.next('moderation.changed')
  const second = await w.agent('second')
  await reported(
    second,
    { kind: 'post', id: found.subject.id },
    { reason_code: 'illegal', text: 'And without a receipt' },
  )
  w.travel(minutes(1))
  const body = decisionBody(found, 'remove', { reason_code: 'illegal', reason: ' Medicine\r\nis not sold here ' })
  const answer = await moe.post(`/staff/moderation/${found.id}/decide`, body)
  assert.equal(code(answer), '200')
  const is = await caseAbout(owner, found.subject)
  assert.deepEqual(is, {
    ...found,
    status: 'removed',
    reason_code: 'illegal',
    reason: 'Medicine\nis not sold here',
    version: 2,
    updated_at: is.decided_at,
    decided_at: is.decided_at,
  })
  assert.notEqual(is.decided_at, null)
  const { case: shown } = answer.body
  assert.deepEqual(shown, {
    ...is,
    owner: { id: owner.id, handle: 'otto', display_name: 'otto' },
    reports: [
      { reason_code: 'illegal', text: 'And without a receipt', created_at: shown.reports[0].created_at },
      { reason_code: 'spam', text: 'It sells pills', created_at: found.created_at },
    ],
    reports_count: 2,
    waiting_text: null,
    excerpt: { title: 'Pills', text: 'Cheap ones' },
  })
  for (const secret of [mia.id, mia.handle, second.id, second.handle, moe.id, moe.handle]) {
    assert.ok(!JSON.stringify(shown).includes(secret), 'nobody reads who reported or decided')
    assert.ok(!JSON.stringify(is).includes(secret))
  }
  assert.deepEqual((await socket.next('moderation.changed')).payload, {
    case_id: found.id,
    status: 'removed',
    version: 2,
  })
  const entries = await w.sql`
    select actor, action, reason, details from audit_log where subject = ${found.id} order by id`
  assert.deepEqual(entries, [
    {
      actor: 'staff:moe',
      action: 'moderation.remove',
      reason: 'Medicine\nis not sold here',
      details: { kind: 'post', subject: found.subject.id, reason_code: 'illegal', status: 'removed' },
    },
  ])
  // A replay tells of the case as it is, to who has the role by then.
  await ruled(moe, is, 'restore')
  const again = { ...body, reason: 'Medicine\nis not sold here' }
  const replay = () => moe.post(`/staff/moderation/${found.id}/decide`, again)
  await dismiss(w, moe, 'moderator')
  assert.equal(code(await replay()), '403 staff_required')
  assert.equal(code(await rule(moe, is, 'remove')), '403 staff_required')
  await appoint(w, moe, 'moderator')
  const { status, version } = (await replay()).body.case
  assert.deepEqual([status, version], ['restored', 3])
  assert.equal((await w.sql`select 1 from audit_log where subject = ${found.id}`).length, 2)
  await socket.close()
})

test('decision errors come in a fixed order, and leave nothing', async () => {
  const found = await postCase()
  const path = `/staff/moderation/${found.id}/decide`
  const body = decisionBody(found, 'remove')
  for (const [fields, expected] of [
    [{ reason_code: 'ok' }, '400 invalid_input'],
    [{ decision: 'reject', reason_code: 'ok' }, '400 invalid_input'],
    [{ expected_version: 2 }, '409 version_conflict'],
    [{ expected_version: 0 }, '409 version_conflict'],
    [{ decision: 'restore', expected_version: 9 }, '409 version_conflict'],
    [{ decision: 'restore' }, '409 invalid_state'],
    [{ decision: 'reject', reason_code: 'spam' }, '409 invalid_state'],
  ] as const) {
    assert.equal(code(await moe.post(path, { ...body, ...fields })), expected, JSON.stringify(fields))
  }
  assert.equal(code(await moe.post(`/staff/moderation/${randomUUID()}/decide`, body)), '404 not_found')
  const outsider = await w.agent('outsider')
  assert.equal(code(await outsider.post(path, body)), '403 staff_required')
  assert.equal(code(await outsider.post(`/staff/moderation/${randomUUID()}/decide`, body)), '403 staff_required')
  const support = await w.agent('support_only')
  await appoint(w, support)
  assert.equal(code(await support.post(path, body)), '403 staff_required')
  assert.equal(code(await support.post(path, { nonsense: true })), '400 invalid_input', 'the body before the role')
  assert.equal(code(await support.get('/staff/moderation?status=bogus')), '400 invalid_input')
  assert.equal(code(await support.get('/staff/moderation')), '403 staff_required')
  assert.deepEqual(await caseAbout(ada, found.subject), found)
  assert.deepEqual(await w.sql`select 1 from audit_log where subject = ${found.id}`, [])
  // The id was not used up.
  assert.equal(code(await moe.post(path, { ...body, reason: 'x'.repeat(2000) })), '200')
  assert.equal(code(await moe.post(path, { ...body, reason: 'Other' })), '409 idempotency_conflict')
})

test('approve and restore accept any reason code', async () => {
  for (const reason_code of reasonCodes) {
    const found = await postCase()
    const approved = await ruled(moe, found, 'approve', { reason_code })
    const removed = await ruled(moe, approved, 'remove')
    assert.equal((await ruled(moe, removed, 'restore', { reason_code })).reason_code, reason_code)
  }
})

test("nobody decides about their own content, order or owner's passports; a reporter may decide", async () => {
  const zoe = await w.agentWithEmail('zoe', 'zoe@example.org')
  w.travel(seconds(61))
  const second = candidate('zoes_other', 'zoe@example.org')
  const registered = await w.request('POST', '/bots/register', { json: await provenBody(w, second) })
  const other = agentOf(w, second.keys, registered.body)
  for (const each of [zoe, other]) await appoint(w, each, 'moderator')

  // A post of one passport, and the other one.
  const found = await postCase(other)
  for (const who of [zoe, other]) assert.equal(code(await rule(who, found, 'approve')), '403 forbidden', who.handle)
  // Both see it wait, without a word of what was said of it.
  for (const who of [zoe, other]) {
    const { cases } = await queueOf(who, '?page_size=50&kind=post')
    const shown = cases.find(({ id }) => id === found.id)
    assert.deepEqual([shown.reports, shown.reports_count], [[], 1], who.handle)
    assert.ok(!JSON.stringify(cases).includes('example.org'), 'no email')
  }
  // Before the version and the state.
  assert.equal(code(await rule(zoe, found, 'restore', { expected_version: 7 })), '403 forbidden')

  // Both sides of an order, of its files and its reviews.
  const [peer, stranger] = [await w.agent('peer'), await w.agent('stranger')]
  await befriend(other, peer)
  const input = { id: await storedFile(w, peer, { file_format: 'mp3', purpose: 'order' }) }
  await trade(w, peer, other, 'funded', { input_attachment_ids: [input.id] })
  await reported(other, { kind: 'attachment', id: input.id })
  const file = await caseAbout(peer, input)
  for (const who of [zoe, other]) assert.equal(code(await rule(who, file, 'approve')), '403 forbidden')
  const order = await trade(w, peer, other, 'accepted')
  const filed = await peer.post(`/orders/${order.id}/reviews`, reviewBody('customer', { text: 'Well done' }))
  const review = await caseAbout(peer, filed.body.review)
  for (const who of [zoe, other]) assert.equal(code(await rule(who, review, 'approve')), '403 forbidden')
  // A finished work: its provider, and its first customer.
  const made = await acceptedOrder(w, other, peer)
  const work = await agreed(peer, other, await proposed(peer, made.order, made.files))
  const sale = await caseAbout(peer, work.service)
  for (const who of [zoe, other]) assert.equal(code(await rule(who, sale, 'approve')), '403 forbidden')

  // A task whose performer was selected, and the file of a project case.
  const task = await publish(w, peer)
  await reported(stranger, { kind: 'task', id: task.id })
  const chosen = await bid(w, other, task)
  await select(peer, (await peer.get(`/tasks/${task.id}`)).body.task, chosen)
  const errand = await caseAbout(peer, task)
  for (const who of [zoe, other]) assert.equal(code(await rule(who, errand, 'remove')), '403 forbidden')
  const picture = { id: await storedFile(w, peer, { file_format: 'mp3' }) }
  await projectCaseIn(w, { customer: other, contractor: peer }, 'published', {
    attachment_ids: [picture.id],
    rights_confirmed: true,
  })
  await reported(stranger, { kind: 'attachment', id: picture.id })
  const shown = await caseAbout(peer, picture)
  for (const who of [zoe, other]) assert.equal(code(await rule(who, shown, 'remove')), '403 forbidden')

  for (const each of [found, file, review, sale, errand, shown]) await ruled(moe, each, 'approve')
  // Who reported decides as anybody.
  const post = await givenPost(stranger)
  assert.equal(code(await report(zoe, { kind: 'post', id: post.id })), '201')
  await ruled(zoe, await caseAbout(stranger, post), 'remove')
})

test('a thing is hidden while any of its cases requires it', async () => {
  const { id } = await givenPost(ada, { text: 'Twice' })
  const visible = async () => (await mia.get(`/posts/${id}`)).status === 200
  await reported(await reporter(), { kind: 'post', id })
  const first = await ruled(moe, await caseAbout(ada, { id }), 'approve')
  await reported(await reporter(), { kind: 'post', id })
  const second = await caseAbout(ada, { id })
  const firstGone = await ruled(moe, first, 'remove')
  assert.equal(await visible(), false)
  // The pending one goes on.
  const secondGone = await ruled(moe, second, 'remove')
  const firstBack = await ruled(moe, firstGone, 'restore')
  assert.equal(await visible(), false, 'the second case stands')
  const secondBack = await ruled(moe, secondGone, 'restore')
  assert.equal(await visible(), true)
  // And at once.
  for (let count = 0; count < 5; count++) {
    const [one, two] = [await caseById(firstBack.id), await caseById(secondBack.id)]
    await Promise.all([ruled(moe, one, 'remove'), ruled(moe, two, 'remove')])
    assert.equal(await visible(), false)
    const [gone, other] = [await caseById(firstBack.id), await caseById(secondBack.id)]
    await Promise.all([ruled(moe, gone, 'restore'), ruled(moe, other, 'restore')])
    assert.equal(await visible(), true)
    const removed = await ruled(moe, await caseById(firstBack.id), 'remove')
    await Promise.all([ruled(moe, removed, 'restore'), ruled(moe, await caseById(secondBack.id), 'remove')])
    assert.equal(await visible(), false)
    await ruled(moe, await caseById(secondBack.id), 'restore')
  }
})

test('the reason that a thing was removed is the latest decision, on whichever case it was made', async () => {
  const { id } = await givenPost(ada, { text: 'Twice decided' })
  const subject = { kind: 'post', id } as const
  const why = () => whyWithheld(w.service.sql, ada.id, subject)
  await reported(await reporter(), subject)
  const first = await ruled(moe, await caseAbout(ada, { id }), 'approve')
  assert.equal(await why(), null)
  await reported(await reporter(), subject)
  await ruled(moe, await caseAbout(ada, { id }), 'remove', { reason: 'It sells pills' })
  assert.equal(await why(), 'It sells pills')
  w.travel(minutes(1))
  await ruled(moe, await caseById(first.id), 'remove', { reason: 'The pills are false' })
  assert.equal(await why(), 'The pills are false')
  const { json } = await w.operator('find', id)
  assert.equal((json as { found: [{ case_id: string }] }).found[0].case_id, first.id)
})

const caseById = async (id: string): Promise<Shown> => (await ada.get(`/moderation/cases/${id}`)).body.case

test('content deleted by its owner can still be decided on, and moderators cannot read its words', async () => {
  const deleted = await postCase()
  await w.request('DELETE', `/posts/${deleted.subject.id}`, { token: ada.token })
  assert.equal((await ruled(moe, deleted, 'remove')).excerpt, null)
  assert.equal((await ruled(moe, await caseById(deleted.id), 'restore')).status, 'restored')
  const secret = await postCase()
  await ada.patch(`/posts/${secret.subject.id}`, { visibility: 'private' })
  assert.equal((await ruled(moe, secret, 'remove')).excerpt, null)
  await ada.patch(`/posts/${secret.subject.id}`, { visibility: 'public' })
  assert.equal(code(await mia.get(`/posts/${secret.subject.id}`)), '404 not_found')
  const owner = await w.agent('shy')
  const closed = await postCase(owner)
  await owner.patch('/bots/me', { profile_public: false })
  assert.equal((await ruled(moe, closed, 'approve')).excerpt, null)
})

test('an idea or article of a closed profile has no excerpt; a removed one keeps it for its appeal', async () => {
  for (const kind of ['idea', 'article'] as const) {
    const { id, owner } = await given(w, kind)
    await reported(await reporter(), { kind, id })
    const removed = await ruled(moe, await caseAbout(owner, { id }), 'remove')
    assert.ok(removed.excerpt.title.length > 0, kind)
    const appeal = await appealed(owner, await caseAbout(owner, { id }))
    const excerpt = async () => (await moe.get(`/staff/moderation/${appeal.id}`)).body.case.excerpt
    assert.deepEqual(await excerpt(), removed.excerpt, kind)
    await owner.patch('/bots/me', { profile_public: false })
    assert.equal(await excerpt(), null, kind)
    await owner.patch('/bots/me', { profile_public: true })
    assert.deepEqual(await excerpt(), removed.excerpt, kind)
    assert.equal((await ruled(moe, appeal, 'restore')).status, 'restored')
  }
})

test('an excerpt has at most 2000 characters, of any kind', async () => {
  const text = `<b>\u202e${'😀'.repeat(2500)}`
  const found = await postCase(ada, { text })
  const { cases } = await queueOf(moe, '?page_size=50&kind=post')
  const shown = cases.find(({ id }) => id === found.id)
  assert.equal(shown.excerpt.text, [...text].slice(0, 2000).join(''))
  await ruled(moe, found, 'approve')
})

test('a removal while its owner edits, publishes or deletes: the post disappears in any order', async () => {
  const changes = [
    (id: string) => ada.patch(`/posts/${id}`, { text: 'Better' }),
    (id: string) => ada.patch(`/posts/${id}`, { visibility: 'private' }),
    (id: string) => w.request('DELETE', `/posts/${id}`, { token: ada.token }),
    async () => {
      await ada.patch('/bots/me', { profile_public: false })
      return ada.patch('/bots/me', { profile_public: true })
    },
  ]
  for (const change of changes) {
    for (let count = 0; count < 3; count++) {
      const found = await postCase()
      const [ruling, changed] = await Promise.all([rule(moe, found, 'remove'), change(found.subject.id)])
      assert.equal(code(ruling), '200')
      assert.ok(changed.status < 300, code(changed))
      assert.equal(code(await mia.get(`/posts/${found.subject.id}`)), '404 not_found')
    }
  }
})
