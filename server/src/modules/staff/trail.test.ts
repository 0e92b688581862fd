// What the operator does to cases and agents, what those agents read of it, and the trace that each action leaves.
// docs/contract/staff.md and docs/contract/moderation.md.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { userInfo } from 'node:os'
import { test } from 'node:test'
import { heard } from '../../../test/heard.ts'
import {
  appealed,
  caseAbout,
  decisionBody,
  moderation,
  opened,
  reported,
  reportedPost,
  rule,
  ruled,
} from '../../../test/moderation.ts'
import { trade } from '../../../test/orders.ts'
import { givenPost } from '../../../test/posts.ts'
import { decide } from '../../../test/staff.ts'
import { given, someone, twoFriends } from '../../../test/subjects.ts'
import { taskBody } from '../../../test/tasks.ts'
import { code } from '../../../test/world.ts'

const { w, rita, mona } = moderation()

interface Entry {
  actor: string
  action: string
  subject: string
  reason: string | null
  details: Record<string, unknown> | null
}

const lastEntries = async (count: number): Promise<Entry[]> => {
  const { entries } = (await w.operator('audit', '--limit', String(count))).json as { entries: Entry[] }
  return entries.map(({ actor, action, subject, reason, details }) => ({ actor, action, subject, reason, details }))
}
const auditCount = async (): Promise<number> =>
  (await w.sql<{ count: number }>`select count(*)::int as count from audit_log`)[0]?.count ?? 0

const shell = `operator:${userInfo().username}`

test('the audit log has one entry for each action of staff and operator, and none for refused ones', async () => {
  const { found, owner } = await reportedPost(w)
  const before = await auditCount()
  const body = decisionBody(found, 'remove', { reason: 'It is spam', reason_code: 'fraud' })
  for (let n = 0; n < 3; n++) await mona.post(`/staff/moderation/${found.id}/decide`, body)
  await rule(mona, found, 'approve')
  await rule(rita, found, 'approve')
  assert.equal(await auditCount(), before + 1)
  assert.deepEqual(await lastEntries(1), [
    {
      actor: 'staff:mona',
      action: 'moderation.remove',
      subject: found.id,
      reason: 'It is spam',
      details: { kind: 'post', subject: found.subject.id, reason_code: 'fraud', status: 'removed' },
    },
  ])
  await appealed(owner, await caseAbout(owner, found.subject))
  assert.equal(await auditCount(), before + 1, 'an appeal is no action of staff')
  const words: [string, ...string[]][] = [
    ['moderation', 'decide', found.id, 'restore', '--code', 'ok', '--reason', 'It is none'],
    ['staff', 'assign', owner.handle, 'support'],
    ['staff', 'revoke', owner.handle, 'support'],
    ['agent', 'suspend', owner.handle, '--reason', 'Spam'],
    ['agent', 'restore', owner.handle, '--reason', 'None'],
    ['editorial', 'assign', owner.handle],
    ['editorial', 'revoke', owner.handle],
    ['credits', 'grant', owner.handle, '100', '--reason', 'A gift'],
  ]
  for (const each of words) {
    const had = await auditCount()
    await w.operator(...each)
    assert.equal(await auditCount(), had + 1, each.join(' '))
    assert.equal((await lastEntries(1))[0]?.actor, shell, each.join(' '))
    await w.operator('audit')
    assert.equal(await auditCount(), had + 1, 'reading leaves nothing')
  }
  const had = await auditCount()
  for (const each of [
    ['moderation', 'decide', found.id, 'restore', '--code', 'ok', '--reason', 'Again'],
    ['moderation', 'decide', randomUUID(), 'remove', '--code', 'spam', '--reason', 'None'],
    ['moderation', 'decide', found.id, 'remove', '--code', 'ok', '--reason', 'None'],
    ['moderation', 'decide', found.id, 'remove', '--code', 'nonsense', '--reason', 'None'],
    ['moderation', 'decide', found.id, 'remove', '--code', 'spam', '--reason', '  '],
    ['moderation', 'decide', found.id, 'remove', '--code', 'spam', '--reason', 'x'.repeat(2001)],
    ['moderation', 'decide', found.id, 'remove', '--code', 'spam', '--reason', 'a\u0000b'],
    ['moderation', 'decide', found.id, 'delete', '--code', 'spam', '--reason', 'None'],
    ['moderation', 'decide', found.id, 'remove', '--code', 'spam'],
    ['moderation', 'decide', found.id, 'remove', '--reason', 'None'],
    ['moderation', 'decide', 'x', 'remove', '--code', 'spam', '--reason', 'None'],
    ['staff', 'assign', 'nobody_here', 'moderator'],
    ['staff', 'assign', owner.handle, 'emperor'],
    ['agent', 'restore', owner.handle, '--reason', 'None'],
    ['editorial', 'revoke', owner.handle],
  ]) {
    await assert.rejects(async () => w.operator(...each), each.join(' '))
  }
  assert.equal(await auditCount(), had)
})

test('the operator can decide like staff, reads the queue, and is never named', async () => {
  const { found, owner } = await reportedPost(w)
  const list = await w.operator('reports')
  assert.ok(JSON.stringify(list.json).includes(found.id))
  assert.ok(list.text.includes(found.id))
  assert.ok(list.text.includes('It sells pills'), 'the reports’ words')
  await w.operator('moderation', 'decide', found.id, 'remove', '--code', 'rights', '--reason', 'Not yours')
  const removed = await caseAbout(owner, found.subject)
  assert.deepEqual(
    [removed.status, removed.reason_code, removed.reason, removed.version],
    ['removed', 'rights', 'Not yours', 2],
  )
  assert.ok(!(await w.operator('reports')).text.includes(found.id), 'it waits no more')
  await appealed(owner, removed)
  assert.ok((await w.operator('reports')).text.includes(found.id), 'but its appeal does')
  await w.operator('moderation', 'decide', found.id, 'remove', '--code', 'rights', '--reason', 'Still not')
  const confirmed = await caseAbout(owner, found.subject)
  assert.deepEqual([confirmed.status, confirmed.version, confirmed.reason], ['removed', 4, 'Still not'])
  assert.ok(!(await w.operator('reports')).text.includes(found.id))
  assert.ok(!JSON.stringify([confirmed, await heard(w, owner, 'moderation.changed')]).includes(userInfo().username))

  const hostile = await given(w, 'post')
  await reported(rita, hostile, { text: 'One\n\n\nWhen Who What\n\u202eevil\u202c\tx' })
  const { text } = await w.operator('reports')
  assert.ok(!/[\u202a-\u202e]/.test(text), 'a terminal is not turned around')
  assert.ok(!text.split('\n').some((line) => line.startsWith('When Who What')), 'words stay in one line')
})

test('a removed profile is closed but not suspended; if it is suspended too, both must be undone', async () => {
  const thing = await given(w, 'profile')
  const { owner } = thing
  const removed = await ruled(mona, await opened(rita, owner, thing), 'remove')
  assert.equal(code(await owner.get('/bots')), '200', 'it is no suspension')
  const post = await givenPost(owner)
  const words = { specialty: 'Engraving', bio: 'Better' }
  assert.equal(code(await owner.patch('/bots/me', { profile_public: true, ...words })), '200')
  assert.ok(!(await thing.isSeenBy(rita)), 'opening it brings nothing back')
  assert.equal(code(await rita.get(`/posts/${post.id}`)), '404 not_found')
  assert.equal(code(await owner.post('/tasks', taskBody(w))), '403 public_profile_required', 'as of a closed one')
  await w.operator('agent', 'suspend', owner.handle, '--reason', 'Spam')
  const restored = await ruled(mona, removed, 'restore')
  assert.ok(!(await thing.isSeenBy(rita)))
  await w.operator('agent', 'restore', owner.handle, '--reason', 'Over')
  assert.ok(await thing.isSeenBy(rita))
  assert.equal(code(await rita.get(`/posts/${post.id}`)), '200')
  const away = await ruled(mona, restored, 'remove')
  assert.deepEqual(away.excerpt, { title: `${owner.handle} (${owner.handle})`, text: 'Engraving\n\nBetter' })
  assert.equal(code(await owner.patch('/bots/me', { profile_public: false })), '200')
  await ruled(mona, away, 'restore')
  assert.ok(!(await thing.isSeenBy(rita)), 'what its owner closed stays closed')
})

test('a suspension takes only known codes, and its case only the decisions that end or confirm it', async () => {
  const sam = await someone(w, 'sam')
  for (const word of ['ok', 'nonsense', '']) {
    await assert.rejects(async () => w.operator('agent', 'suspend', sam.handle, '--code', word, '--reason', 'x'), word)
  }
  await w.operator('agent', 'suspend', sam.handle, '--code', 'fraud', '--reason', 'x')
  const found = await caseAbout(sam, { id: sam.id })
  assert.equal(found.reason_code, 'fraud')
  for (const decision of ['approve', 'reject']) {
    await assert.rejects(() =>
      w.operator('moderation', 'decide', found.id, decision, '--code', 'spam', '--reason', 'x'),
    )
  }
  await assert.rejects(() => w.operator('agent', 'suspend', sam.handle, '--reason', 'x'), /is already suspended/)
})

test('each support action is one log entry too, without its private words', async () => {
  const sue = await someone(w, 'sue')
  await w.operator('staff', 'assign', sue.handle, 'support')
  const [customer, contractor] = await twoFriends(w, 'customer', 'contractor')
  const order = await trade(w, customer, contractor, 'escalated')
  let had = await auditCount()
  assert.equal(code(await decide(sue, order)), '200')
  assert.equal(await auditCount(), ++had)
  const asked = { operation_id: randomUUID(), category: 'problem', title: 'Slow', body: 'Private words' }
  const { id } = (await customer.post('/feedback', asked)).body.feedback
  const answer = { operation_id: randomUUID(), expected_version: 1, status: 'planned', response: 'Words for her alone' }
  for (let n = 0; n < 3; n++) assert.equal(code(await sue.post(`/staff/feedback/${id}/answer`, answer)), '200')
  const stale = { ...answer, operation_id: randomUUID() }
  assert.equal(code(await sue.post(`/staff/feedback/${id}/answer`, stale)), '409 version_conflict')
  assert.equal(await auditCount(), ++had)
  const [entry] = await lastEntries(1)
  assert.deepEqual([entry?.actor, entry?.action, entry?.subject], [`staff:${sue.handle}`, 'feedback.answer', id])
  assert.ok(!JSON.stringify(entry).includes('Words for her alone'))
  await w.operator('feedback', 'answer', id, 'resolved', '--response', 'Done')
  assert.equal(await auditCount(), ++had)
  await w.operator('staff', 'assign', customer.handle, 'support')
  const own = { ...answer, operation_id: randomUUID(), expected_version: 3 }
  assert.equal(code(await customer.post(`/staff/feedback/${id}/answer`, own)), '403 forbidden')
  assert.equal(await auditCount(), had + 1, 'the role, and no more')
})
