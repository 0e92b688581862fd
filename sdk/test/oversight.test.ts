// Bob reports, Mia moderates, Ada appeals, on the real service, and the answer to every change gets lost: what was meant once
// happens once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beforehand, story } from '../../server/test/story.ts'
import { type FolderClient, KithError, type ModerationCase, type Report, type StaffCase } from '../src/node.ts'
import { all, lost as lostAnswer } from './lost.ts'
import { identities } from './registered.ts'

const { w } = story()
const { folderOf, ada, bob, mia } = identities(w, 'ada', 'bob', 'mia')
beforehand(() => w.operator('staff', 'assign', 'mia', 'moderator'))

const lost = <T>(name: string, act: (client: FolderClient) => Promise<unknown>) => lostAnswer<T>(folderOf(name), act)

test('a reported post is removed, appealed and restored, each once', async () => {
  const post = await ada.posts.create({ text: 'Buy bells', visibility: 'public' })
  const subject = { kind: 'post' as const, id: post.id }
  const input = { subject, reason_code: 'spam' as const, text: 'It sells.\nAgain.' }
  const { report } = await lost<{ report: Report }>('bob', (client) => client.moderation.report(input))
  assert.deepEqual([report.subject, report.text], [subject, input.text])

  const [waiting, ...more] = await all(mia.staff.moderation({ kind: 'post', page_size: 1 }))
  assert.deepEqual([waiting?.subject, waiting?.reports[0]?.text, more], [subject, input.text, []])
  const id = waiting!.id
  const verdict = { expected_version: 1, decision: 'remove' as const, reason_code: 'spam' as const, reason: 'It is' }
  const removed = await lost<{ case: StaffCase }>('mia', (client) => client.staff.judge(id, verdict))
  assert.deepEqual([removed.case.status, removed.case.version], ['removed', 2])
  assert.equal((await ada.posts.get(post.id)).text, 'Buy bells')

  const own = await ada.moderation.get(id)
  assert.deepEqual([own.status, own.reason_code, own.reason, own.appeal], ['removed', 'spam', 'It is', null])
  assert.equal(JSON.stringify(own).includes('sells'), false, 'nobody learns what was reported')
  const appeal = { expected_version: own.version, text: 'They are free' }
  const asked = await lost<{ case: ModerationCase }>('ada', (client) => client.moderation.appeal(id, appeal))
  assert.deepEqual([asked.case.status, asked.case.version, asked.case.appeal?.text], ['removed', 3, appeal.text])

  assert.deepEqual(
    (await all(mia.staff.moderation({ appealed: true }))).map((each) => [each.id, each.appeal?.text]),
    [[id, appeal.text]],
  )
  assert.equal((await mia.staff.moderationCase(id)).version, 3)
  const restore = { expected_version: 3, decision: 'restore' as const, reason_code: 'ok' as const, reason: 'So it is' }
  await lost('mia', (client) => client.staff.judge(id, restore))
  assert.equal((await bob.posts.get(post.id)).id, post.id)
  assert.deepEqual(
    (await all(ada.moderation.cases({ status: 'restored', page_size: 1 }))).map((each) => [each.id, each.version]),
    [[id, 4]],
  )
  assert.equal((await mia.staff.moderationCase(id)).status, 'restored')
})

test('a suspended agent learns its case, reads it and appeals', async () => {
  await w.operator('agent', 'suspend', 'bob', '--reason', 'Too many bells')
  const refusal = await bob.posts.create({ text: 'x' }).catch((error) => error)
  assert.ok(refusal instanceof KithError)
  assert.equal(refusal.code, 'profile_inactive')
  const id = refusal.caseId!
  const own = await bob.moderation.get(id)
  assert.deepEqual([own.subject.kind, own.status, own.reason], ['profile', 'removed', 'Too many bells'])
  const appeal = { expected_version: own.version, text: 'There were two' }
  await lost('bob', (client) => client.moderation.appeal(id, appeal))
  const restore = { decision: 'restore' as const, reason_code: 'ok' as const, reason: 'Yes' }
  await assert.rejects(mia.staff.judge(id, { ...restore, expected_version: own.version + 1 }), { code: 'not_found' })
  await w.operator('agent', 'restore', 'bob', '--reason', 'Two are fine')
  assert.equal((await bob.posts.create({ text: 'x' })).text, 'x')
  assert.equal((await bob.moderation.get(id)).status, 'restored')
})

test('support finds a dispute by its order', async () => {
  await w.operator('staff', 'assign', 'mia', 'support')
  const { contact } = await ada.contacts.request(bob.passport.bot.id)
  await bob.contacts.accept(contact.id)
  const sides = { contractor_id: bob.passport.bot.id, confirmed_total_minor: 110 }
  const { id } = await ada.orders.offerQuick({ title: 'Ring', amount_minor: 100, ...sides })
  await bob.orders.accept(id, { expected_version: 1, confirmed_total_minor: 110 })
  await ada.orders.dispute(id, { expected_version: 2, reason: 'Silence' })
  await ada.orders.escalateDispute(id, { expected_version: 3, reason: 'Still' })
  const { dispute_case } = await mia.staff.dispute(id)
  const decision = { expected_version: dispute_case.version, decision: 'refund' as const, reason: 'Nothing rang' }
  await lost('mia', (client) => client.staff.decide(id, decision))
  assert.equal((await mia.staff.dispute(id)).dispute_case.decision, 'refund')
})
