// Appeals: the owner of a thing says what is to be said against a decision, once, and somebody looks again.
// docs/contract/moderation.md#appeals.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import {
  appeal,
  appealBody,
  appealed,
  moderationCaseOf,
  reported,
  rule,
  ruled,
  type Shown,
} from '../../../test/moderation.ts'
import { givenPost } from '../../../test/posts.ts'
import { story } from '../../../test/story.ts'
import { type Agent, code, race } from '../../../test/world.ts'
import { minutes } from '../../kernel/clock.ts'
import { setSuspended } from '../profiles/profiles.ts'

const { w, ada, mia, moe } = story('ada', 'mia', { staff: ['moe'] })

/** A case about a new post of an agent, as it reads it; whoever reports it, so that nobody does so too often. */
let reporters = 0
async function caseAbout(owner: Agent = ada): Promise<Shown> {
  const { id } = await givenPost(owner, { title: 'Pills', text: 'Cheap' })
  await reported(await w.agent(`reporter_${reporters++}`), 'post', id)
  return moderationCaseOf(owner, id)
}

test('an appeal: by the owner alone, on what was taken, once; it keeps the status and brings nothing back', async () => {
  const owner = await w.agent('paul')
  const found = await caseAbout(owner)
  const other = await w.agent('nosy')
  assert.equal(code(await appeal(owner, found)), '409 invalid_state', 'nothing is decided')
  const removed = await ruled(moe, found, 'remove')
  for (const who of [other, moe, mia]) assert.equal(code(await appeal(who, removed)), '404 not_found', who.handle)
  assert.equal(code(await appeal(owner, removed, { expected_version: 1 })), '409 version_conflict')
  assert.equal(code(await owner.post(`/moderation/cases/${randomUUID()}/appeal`, appealBody(removed))), '404 not_found')
  const socket = await owner.events()
  w.travel(minutes(1))
  const body = appealBody(removed, { text: ' It was\r\na <joke> ' })
  const answers = await race(20, () => owner.post(`/moderation/cases/${found.id}/appeal`, body))
  assert.deepEqual(answers.map(code), Array(20).fill('200'))
  const stands = await moderationCaseOf(owner, found.subject.id)
  assert.deepEqual(stands, {
    ...(await ownOf(removed)),
    version: 3,
    appeal: { text: 'It was\na <joke>', created_at: stands.appeal.created_at },
    updated_at: stands.appeal.created_at,
  })
  assert.deepEqual(answers[0]?.body, { case: stands })
  assert.equal(code(await mia.get(`/posts/${found.subject.id}`)), '404 not_found', 'nothing comes back')
  assert.equal(code(await appeal(owner, stands)), '409 state_conflict', 'once')
  assert.equal(code(await appeal(owner, removed)), '409 version_conflict')
  assert.equal(
    code(await owner.post(`/moderation/cases/${found.id}/appeal`, { ...body, text: 'x' })),
    '409 idempotency_conflict',
  )

  // Confirmed: the same again, which answers it.
  const confirmed = await ruled(moe, stands, 'remove', { reason_code: 'fraud', reason: 'No joke' })
  assert.deepEqual(
    [confirmed.status, confirmed.version, confirmed.reason_code, confirmed.reason],
    ['removed', 4, 'fraud', 'No joke'],
  )
  const told = []
  for (let count = 0; count < 3; count++) told.push((await socket.next('moderation.changed')).payload.version)
  assert.deepEqual(told, [1, 2, 4], 'filing it says nothing, answering it does')
  assert.equal(code(await rule(moe, confirmed, 'remove')), '409 invalid_state', 'it is answered')
  assert.equal(code(await appeal(owner, confirmed)), '409 state_conflict')
  const restored = await ruled(moe, confirmed, 'restore')
  assert.equal(code(await mia.get(`/posts/${found.subject.id}`)), '200')
  assert.equal(code(await appeal(owner, restored)), '409 invalid_state')
  const again = await ruled(moe, restored, 'remove')
  assert.equal(code(await appeal(owner, again)), '409 state_conflict', 'once a case')
  assert.equal(code(await rule(moe, again, 'remove')), '409 invalid_state')
  const replay = await owner.post(`/moderation/cases/${found.id}/appeal`, body)
  assert.deepEqual([code(replay), replay.body.case.version], ['200', 6], 'a replay reads it as it is')
  await socket.close()
})

/** What its owner reads of what a moderator was answered. */
async function ownOf({ owner: _o, reports: _r, reports_count: _c, waiting_text: _w, excerpt: _e, ...own }: Shown) {
  return own
}

test('a restored appeal brings the thing back', async () => {
  const found = await ruled(moe, await caseAbout(), 'remove')
  const restored = await ruled(moe, await appealed(ada, found), 'restore', { reason: 'You are right' })
  assert.deepEqual([restored.status, restored.appeal.text], ['restored', 'It was a joke'])
  assert.equal(code(await mia.get(`/posts/${found.subject.id}`)), '200')
})

test('a restricted agent appeals', async () => {
  const owner = await w.agent('rita')
  const found = await caseAbout(owner)
  const removed = await ruled(moe, found, 'remove')
  await w.service.sql.transaction((tx) => setSuspended(tx, owner.id, true))
  assert.equal(code(await appeal(owner, removed)), '200')
  await w.service.sql.transaction((tx) => setSuspended(tx, owner.id, false))
})

test('a decision and an appeal at once: one of them has to read again', async () => {
  for (let count = 0; count < 10; count++) {
    const found = await ownOf(await ruled(moe, await caseAbout(), 'remove'))
    const [ruling, pleading] = await Promise.all([rule(moe, found, 'restore'), appeal(ada, found)])
    assert.deepEqual([code(ruling), code(pleading)].sort(), ['200', '409 version_conflict'])
    const is = await moderationCaseOf(ada, found.subject.id)
    assert.deepEqual([is.version, is.status], [3, ruling.status === 200 ? 'restored' : 'removed'])
  }
})
