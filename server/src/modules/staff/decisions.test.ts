// What moderators decide: every decision from every status, who may take it, what its owner hears and reads, and appeals.
// docs/contract/moderation.md#decisions.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { mp3 } from '../../../test/corpus-media.ts'
import {
  appeal,
  appealBody,
  appealed,
  caseOf,
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
import { acceptedWork, agreed, proposed } from '../../../test/ready.ts'
import { reviewBody } from '../../../test/reviews.ts'
import { appoint, dismiss } from '../../../test/staff.ts'
import { uploaded } from '../../../test/upload.ts'
import { type Agent, agentOf, befriend, code, race, type World, world } from '../../../test/world.ts'
import { minutes, seconds } from '../../kernel/clock.ts'
import { type Decision, decisionNames, reasonCodes } from '../moderation/machine.ts'
import { setSuspended } from '../profiles/profiles.ts'

let w: World
let ada: Agent
let mia: Agent
let moe: Agent
before(async () => {
  w = await world()
  ada = await w.agent('ada')
  moe = await w.agent('moe')
  await appoint(w, moe, 'moderator')
})
after(() => w.close())

/** Twenty reports an hour are all that anybody has. */
let reports = 0
async function reporter(): Promise<Agent> {
  if (reports++ % 20 === 0) mia = await w.agent(`mia_${reports}`)
  return mia
}

/** A case about a new post of an agent, as it reads it. */
async function caseAbout(owner: Agent = ada, fields: Record<string, unknown> = {}): Promise<Shown> {
  const { id } = await givenPost(owner, { title: 'Pills', text: 'Cheap', ...fields })
  await reported(await reporter(), 'post', id)
  return caseOf(owner, id)
}

/** A case brought to a status by decisions, as its owner reads it then. */
async function caseIn(...steps: readonly Decision[]): Promise<Shown> {
  const found = await caseAbout()
  for (const step of steps) await ruled(moe, await caseOf(ada, found.subject.id), step)
  return caseOf(ada, found.subject.id)
}

const waysTo: Record<string, readonly Decision[]> = {
  pending: [],
  approved: ['approve'],
  removed: ['remove'],
  restored: ['remove', 'restore'],
}

test('every decision from every status of a reported thing', async () => {
  const legal: Record<string, string> = {
    'pending approve': 'approved',
    'pending remove': 'removed',
    'approved remove': 'removed',
    'removed restore': 'restored',
    'restored remove': 'removed',
  }
  for (const [status, way] of Object.entries(waysTo)) {
    for (const decision of decisionNames) {
      const found = await caseIn(...way)
      const what = `${status} ${decision}`
      assert.equal(found.status, status)
      const answer = await rule(moe, found, decision)
      const to = legal[what]
      assert.equal(code(answer), to ? '200' : '409 invalid_state', what)
      const is = await caseOf(ada, found.subject.id)
      assert.deepEqual([is.status, is.version], [to ?? status, found.version + (to ? 1 : 0)], what)
      const { id } = is.subject
      assert.equal(code(await mia.get(`/posts/${id}`)), is.status === 'removed' ? '404 not_found' : '200', what)
      assert.equal(code(await ada.get(`/posts/${id}`)), '200', 'its owner reads it')
    }
  }
})

test('a decision is answered with the case, read by its owner, heard of and written down once', async () => {
  const owner = await w.agent('otto')
  const found = await caseAbout(owner, { title: 'Pills', text: 'Cheap ones' })
  const socket = await owner.events()
  await socket.next('moderation.changed')
  const second = await w.agent('second')
  await reported(second, 'post', found.subject.id, { reason_code: 'illegal', text: 'And without a receipt' })
  w.travel(minutes(1))
  const body = decisionBody(found, 'remove', { reason_code: 'illegal', reason: ' Medicine\r\nis not sold here ' })
  const answer = await moe.post(`/staff/moderation/${found.id}/decide`, body)
  assert.equal(code(answer), '200')
  const is = await caseOf(owner, found.subject.id)
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
  // A replay tells of the case as it is, whoever has the role by then.
  await ruled(moe, is, 'restore')
  await dismiss(w, moe, 'moderator')
  const replay = await moe.post(`/staff/moderation/${found.id}/decide`, {
    ...body,
    reason: 'Medicine\nis not sold here',
  })
  assert.equal(code(replay), '200')
  assert.deepEqual([replay.body.case.status, replay.body.case.version], ['restored', 3])
  assert.equal(code(await rule(moe, is, 'remove')), '403 staff_required')
  await appoint(w, moe, 'moderator')
  assert.equal((await w.sql`select 1 from audit_log where subject = ${found.id}`).length, 2)
  await socket.close()
})

test('what is wrong with a decision is said in order, and leaves nothing', async () => {
  const found = await caseAbout()
  const path = `/staff/moderation/${found.id}/decide`
  const body = decisionBody(found, 'remove')
  for (const [fields, expected] of [
    [{ reason: '' }, '400 invalid_input'],
    [{ reason: ' \n' }, '400 invalid_input'],
    [{ reason: undefined }, '400 invalid_input'],
    [{ reason: null }, '400 invalid_input'],
    [{ reason: 'x'.repeat(2001) }, '400 invalid_input'],
    [{ reason_code: 'ok' }, '400 invalid_input'],
    [{ decision: 'reject', reason_code: 'ok' }, '400 invalid_input'],
    [{ reason_code: 'boring' }, '400 invalid_input'],
    [{ reason_code: undefined }, '400 invalid_input'],
    [{ decision: 'hide' }, '400 invalid_input'],
    [{ decision: undefined }, '400 invalid_input'],
    [{ expected_version: '1' }, '400 invalid_input'],
    [{ expected_version: undefined }, '400 invalid_input'],
    [{ expected_version: 2 }, '409 version_conflict'],
    [{ expected_version: 0 }, '409 version_conflict'],
    [{ decision: 'restore', expected_version: 9 }, '409 version_conflict'],
    [{ decision: 'restore' }, '409 invalid_state'],
    [{ decision: 'reject', reason_code: 'spam' }, '409 invalid_state'],
    [{ surprise: 1 }, '400 invalid_input'],
  ] as const) {
    assert.equal(code(await moe.post(path, { ...body, ...fields })), expected, JSON.stringify(fields))
  }
  assert.equal(code(await moe.post(`/staff/moderation/${randomUUID()}/decide`, body)), '404 not_found')
  assert.equal(code(await moe.post('/staff/moderation/x/decide', body)), '404 not_found')
  const outsider = await w.agent('outsider')
  assert.equal(code(await outsider.post(path, body)), '403 staff_required')
  assert.equal(code(await outsider.post(`/staff/moderation/${randomUUID()}/decide`, body)), '403 staff_required')
  const support = await w.agent('support_only')
  await appoint(w, support)
  assert.equal(code(await support.post(path, body)), '403 staff_required')
  assert.equal(code(await support.get('/staff/moderation')), '403 staff_required')
  assert.deepEqual(await caseOf(ada, found.subject.id), found)
  assert.deepEqual(await w.sql`select 1 from audit_log where subject = ${found.id}`, [])
  // The id was not used up.
  assert.equal(code(await moe.post(path, { ...body, reason: 'x'.repeat(2000) })), '200')
  assert.equal(code(await moe.post(path, { ...body, reason: 'Other' })), '409 idempotency_conflict')
})

test('any code goes with approve and restore', async () => {
  for (const reason_code of reasonCodes) {
    const found = await caseAbout()
    const approved = await ruled(moe, found, 'approve', { reason_code })
    const removed = await ruled(moe, approved, 'remove')
    assert.equal((await ruled(moe, removed, 'restore', { reason_code })).reason_code, reason_code)
  }
})

test('a suspended moderator decides nothing, and one without the role reads nothing', async () => {
  const sue = await w.agent('sue')
  await appoint(w, sue, 'moderator')
  const found = await caseAbout()
  const suspend = (out: boolean) => w.service.sql.transaction((tx) => setSuspended(tx, sue.id, out))
  await suspend(true)
  assert.equal(code(await rule(sue, found, 'approve')), '403 profile_inactive')
  assert.equal(code(await sue.get('/staff/moderation')), '403 profile_inactive')
  await suspend(false)
  await dismiss(w, sue, 'moderator')
  assert.equal(code(await sue.get('/staff/moderation')), '403 staff_required')
  await appoint(w, sue, 'moderator')
  assert.equal(code(await rule(sue, found, 'approve')), '200')
})

test('nobody decides what is their own, of their order or of another passport of their owner; who reported may', async () => {
  const zoe = await w.agentWithEmail('zoe', 'zoe@example.org')
  w.travel(seconds(61))
  const second = candidate('zoes_other', 'zoe@example.org')
  const registered = await w.request('POST', '/bots/register', { json: await provenBody(w, second) })
  const other = agentOf(w, second.keys, registered.body)
  for (const each of [zoe, other]) await appoint(w, each, 'moderator')

  // A post of one passport, and the other one.
  const found = await caseAbout(other)
  for (const who of [zoe, other]) assert.equal(code(await rule(who, found, 'approve')), '403 forbidden', who.handle)
  // Both see it wait, without a word of what was said of it.
  for (const who of [zoe, other]) {
    const { cases } = await queueOf(who, '?page_size=50&kind=post')
    const shown = cases.find(({ id }) => id === found.id)
    assert.deepEqual([shown.reports, shown.reports_count], [[], 1], who.handle)
  }
  // Before the version and the state.
  assert.equal(code(await rule(zoe, found, 'restore', { expected_version: 7 })), '403 forbidden')

  // Both sides of an order, of its files and its reviews.
  const [peer, stranger] = [await w.agent('peer'), await w.agent('stranger')]
  await befriend(other, peer)
  const input = await uploaded(w, peer, mp3(1), { purpose: 'order' })
  await trade(w, peer, other, 'funded', { input_attachment_ids: [input.id] })
  await reported(other, 'attachment', input.id)
  const file = await caseOf(peer, input.id)
  for (const who of [zoe, other]) assert.equal(code(await rule(who, file, 'approve')), '403 forbidden')
  const order = await trade(w, peer, other, 'accepted')
  const filed = await peer.post(`/orders/${order.id}/reviews`, reviewBody('customer', { text: 'Well done' }))
  const review = await caseOf(peer, filed.body.review.id)
  for (const who of [zoe, other]) assert.equal(code(await rule(who, review, 'approve')), '403 forbidden')
  // A finished work: its provider, and its first customer.
  const made = await acceptedWork(w, other, peer)
  const work = await agreed(peer, other, await proposed(peer, made.order, made.files))
  const sale = await caseOf(peer, work.service.id)
  for (const who of [zoe, other]) assert.equal(code(await rule(who, sale, 'approve')), '403 forbidden')

  for (const each of [found, file, review, sale]) await ruled(moe, each, 'approve')
  // Who reported decides as anybody.
  const post = await givenPost(stranger)
  assert.equal(code(await report(zoe, 'post', post.id)), '201')
  await ruled(zoe, await caseOf(stranger, post.id), 'remove')
})

test('a thing is hidden while any of its cases says so', async () => {
  const { id } = await givenPost(ada, { text: 'Twice' })
  const visible = async () => (await mia.get(`/posts/${id}`)).status === 200
  await reported(await reporter(), 'post', id)
  const first = await ruled(moe, await caseOf(ada, id), 'approve')
  await reported(await reporter(), 'post', id)
  const second = await caseOf(ada, id)
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

const caseById = async (id: string): Promise<Shown> => (await ada.get(`/moderation/cases/${id}`)).body.case

test('what its owner has taken away is decided all the same, and a moderator reads no word of it', async () => {
  const deleted = await caseAbout()
  await w.request('DELETE', `/posts/${deleted.subject.id}`, { token: ada.token })
  assert.equal((await ruled(moe, deleted, 'remove')).excerpt, null)
  assert.equal((await ruled(moe, await caseById(deleted.id), 'restore')).status, 'restored')
  const secret = await caseAbout()
  await ada.patch(`/posts/${secret.subject.id}`, { visibility: 'private' })
  assert.equal((await ruled(moe, secret, 'remove')).excerpt, null)
  await ada.patch(`/posts/${secret.subject.id}`, { visibility: 'public' })
  assert.equal(code(await mia.get(`/posts/${secret.subject.id}`)), '404 not_found')
  const owner = await w.agent('shy')
  const closed = await caseAbout(owner)
  await owner.patch('/bots/me', { profile_public: false })
  assert.equal((await ruled(moe, closed, 'approve')).excerpt, null)
})

test('an excerpt is of 2000 characters at most, and may be anything', async () => {
  const text = `<b>\u202e${'😀'.repeat(2500)}`
  const found = await caseAbout(ada, { text })
  const { cases } = await queueOf(moe, '?page_size=50&kind=post')
  const shown = cases.find(({ id }) => id === found.id)
  assert.equal(shown.excerpt.text, [...text].slice(0, 2000).join(''))
  await ruled(moe, found, 'approve')
})

test('a removed profile is as good as closed, and its agent goes on', async () => {
  const hal = await w.agent('hal', { specialty: 'Engraving' })
  await reported(await reporter(), 'profile', hal.id, { reason_code: 'adult', text: 'His picture' })
  await ruled(moe, await caseOf(hal, hal.id), 'remove', { reason_code: 'adult' })
  assert.equal(code(await mia.get(`/bots/${hal.id}`)), '404 not_found')
  assert.equal(code(await hal.get('/bots/me')), '200')
  assert.equal(code(await hal.patch('/bots/me', { bio: 'Better' })), '200')
  const { id } = await givenPost(hal)
  assert.equal(code(await mia.get(`/posts/${id}`)), '404 not_found')
  const found = await appealed(hal, await caseOf(hal, hal.id))
  const shown = await ruled(moe, found, 'restore')
  assert.deepEqual(shown.excerpt, { title: 'hal (hal)', text: 'Engraving\n\nBetter' })
  assert.equal(code(await mia.get(`/posts/${id}`)), '200')
})

test('an appeal: by the owner alone, on what was taken, once; it keeps the status and brings nothing back', async () => {
  const owner = await w.agent('paul')
  const found = await caseAbout(owner)
  const other = await w.agent('nosy')
  assert.equal(code(await appeal(owner, found)), '409 invalid_state', 'nothing is decided')
  const removed = await ruled(moe, found, 'remove')
  for (const who of [other, moe, mia]) assert.equal(code(await appeal(who, removed)), '404 not_found', who.handle)
  for (const [fields, expected] of [
    [{ text: '' }, '400 invalid_input'],
    [{ text: ' ' }, '400 invalid_input'],
    [{ text: undefined }, '400 invalid_input'],
    [{ text: null }, '400 invalid_input'],
    [{ text: 'x'.repeat(2001) }, '400 invalid_input'],
    [{ text: 'a\u0000' }, '400 invalid_input'],
    [{ text: '\udc00' }, '400 invalid_input'],
    [{ surprise: 1 }, '400 invalid_input'],
    [{ expected_version: 1 }, '409 version_conflict'],
    [{ expected_version: undefined }, '400 invalid_input'],
  ] as const) {
    assert.equal(code(await appeal(owner, removed, fields)), expected, JSON.stringify(fields))
  }
  assert.equal(code(await owner.post(`/moderation/cases/${randomUUID()}/appeal`, appealBody(removed))), '404 not_found')
  const socket = await owner.events()
  w.travel(minutes(1))
  const body = appealBody(removed, { text: ' It was\r\na <joke> ' })
  const answers = await race(20, () => owner.post(`/moderation/cases/${found.id}/appeal`, body))
  assert.deepEqual(answers.map(code), Array(20).fill('200'))
  const stands = await caseOf(owner, found.subject.id)
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
  const found = await caseIn('remove')
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

test('the cases of an owner: newest first, in pages, by status', async () => {
  const owner = await w.agent('many')
  const ids: string[] = []
  for (const decision of [undefined, 'remove', 'approve', 'remove', undefined] as const) {
    const found = await caseAbout(owner)
    ids.unshift(found.id)
    if (decision) await ruled(moe, found, decision)
  }
  const read = async (query: string) => {
    const answer = await owner.get(`/moderation/cases${query}`)
    return answer.status === 200
      ? [answer.body.cases.map(({ id }: Shown) => ids.indexOf(id)), answer.body.pagination.total]
      : code(answer)
  }
  assert.deepEqual(await read(''), [[0, 1, 2, 3, 4], 5])
  assert.deepEqual(await read('?page=2&page_size=2'), [[2, 3], 5])
  assert.deepEqual(await read('?status=removed'), [[1, 3], 2])
  assert.deepEqual(await read('?status=pending&page_size=1'), [[0], 2])
  assert.deepEqual(await read('?status=rejected'), [[], 0])
  assert.deepEqual(await read('?page=1000&page_size=50'), [[], 5])
  for (const query of ['?page=0', '?page=1001', '?page_size=51', '?page_size=0', '?page=1.5']) {
    assert.equal(await read(query), '400 invalid_pagination', query)
  }
  for (const query of ['?status=', '?status=open', '?status=removed&status=removed', '?kind=post']) {
    assert.equal(await read(query), '400 invalid_input', query)
  }
  const { id } = await caseOf(owner)
  assert.equal(code(await owner.get(`/moderation/cases/${id.toUpperCase()}`)), '200')
  assert.equal(code(await owner.get('/moderation/cases/x')), '404 not_found')
  assert.equal(code(await ada.get(`/moderation/cases/${id}`)), '404 not_found')
})

test('the queue of moderators: oldest first, by status, kind and appeal', async () => {
  const at = await world()
  try {
    const [owner, rae] = [await at.agent('owner'), await at.agent('rae')]
    const sue = await at.staff('sue')
    const cases: Shown[] = []
    for (let count = 0; count < 6; count++) {
      const { id } = await givenPost(owner, { text: `Post ${count}` })
      await reported(rae, 'post', id)
      cases.push(await caseOf(owner, id))
      at.travel(minutes(1))
    }
    await reported(rae, 'profile', owner.id)
    cases.push(await caseOf(owner, owner.id))
    const [a, b, c] = [cases[0], cases[1], cases[2]]
    const [firstGone, secondGone] = [await ruled(sue, a, 'remove'), await ruled(sue, b, 'remove')]
    await ruled(sue, c, 'approve')
    // The later one appeals first.
    await appealed(owner, secondGone)
    at.travel(minutes(1))
    await appealed(owner, firstGone)
    const read = async (query: string) => {
      const answer = await sue.get(`/staff/moderation${query}`)
      return answer.status === 200
        ? [
            answer.body.cases.map(({ id }: Shown) => cases.findIndex((each) => each.id === id)),
            answer.body.pagination.total,
          ]
        : code(answer)
    }
    assert.deepEqual(await read(''), [[3, 4, 5, 6], 4])
    assert.deepEqual(await read('?status=pending&page=2&page_size=2'), [[5, 6], 4])
    assert.deepEqual(await read('?kind=profile'), [[6], 1])
    assert.deepEqual(await read('?kind=task'), [[], 0])
    assert.deepEqual(await read('?status=removed'), [[0, 1], 2])
    assert.deepEqual(await read('?status=approved'), [[2], 1])
    assert.deepEqual(await read('?appealed=true'), [[1, 0], 2], 'the oldest appeal first')
    assert.deepEqual(await read('?appealed=true&kind=post&page_size=1'), [[1], 2])
    assert.deepEqual(await read('?appealed=true&kind=profile'), [[], 0])
    assert.deepEqual(await read('?appealed=false'), [[3, 4, 5, 6], 4])
    assert.deepEqual(await read('?status=removed&appealed=false'), [[], 0])
    await ruled(sue, await caseOf(owner, b.subject.id), 'remove')
    assert.deepEqual(await read('?appealed=true'), [[0], 1], 'an answered one waits no more')
    assert.deepEqual(await read('?status=removed&appealed=true'), [[0, 1], 2], 'and stays appealed')
    for (const query of [
      '?status=open',
      '?kind=message',
      '?appealed=yes',
      '?appealed=',
      '?surprise=1',
      '?kind=post&kind=post',
    ]) {
      assert.equal(await read(query), '400 invalid_input', query)
    }
    for (const query of ['?page=0', '?page_size=51']) assert.equal(await read(query), '400 invalid_pagination', query)
    assert.equal(code(await rae.get('/staff/moderation')), '403 staff_required')
  } finally {
    await at.close()
  }
})

test('of many reports a moderator reads the newest twenty', async () => {
  const { id } = await givenPost(ada)
  for (let count = 0; count < 22; count++) {
    await reported(await w.agent(`reporter_${count}`), 'post', id, { text: `Number ${count}` })
  }
  const found = await caseOf(ada, id)
  const shown = await ruled(moe, found, 'approve')
  assert.equal(shown.reports_count, 22)
  assert.deepEqual(
    shown.reports.map(({ text }: Shown) => text),
    Array.from({ length: 20 }, (_, n) => `Number ${21 - n}`),
  )
})

test('twenty decisions at once: one is taken', async () => {
  const found = await caseAbout()
  const answers = await race(20, (n) => rule(moe, found, n % 2 ? 'approve' : 'remove'))
  assert.deepEqual(answers.map(code).sort(), ['200', ...Array(19).fill('409 version_conflict')])
  const is = await caseOf(ada, found.subject.id)
  assert.equal(is.version, 2)
  assert.equal((await w.sql`select 1 from audit_log where subject = ${found.id}`).length, 1)
  const body = decisionBody(is, is.status === 'removed' ? 'restore' : 'remove')
  const twins = await race(20, () => moe.post(`/staff/moderation/${found.id}/decide`, body))
  assert.deepEqual(twins.map(code), Array(20).fill('200'))
  assert.equal((await w.sql`select 1 from audit_log where subject = ${found.id}`).length, 2)
})

test('a decision and an appeal at once: one of them has to read again', async () => {
  for (let count = 0; count < 10; count++) {
    const found = await caseIn('remove')
    const [ruling, pleading] = await Promise.all([rule(moe, found, 'restore'), appeal(ada, found)])
    assert.deepEqual([code(ruling), code(pleading)].sort(), ['200', '409 version_conflict'])
    const is = await caseOf(ada, found.subject.id)
    assert.deepEqual([is.version, is.status], [3, ruling.status === 200 ? 'restored' : 'removed'])
  }
})

test('a removal while its owner edits, publishes or deletes: gone whatever comes first', async () => {
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
      const found = await caseAbout()
      const [ruling, changed] = await Promise.all([rule(moe, found, 'remove'), change(found.subject.id)])
      assert.equal(code(ruling), '200')
      assert.ok(changed.status < 300, code(changed))
      assert.equal(code(await mia.get(`/posts/${found.subject.id}`)), '404 not_found')
    }
  }
})
