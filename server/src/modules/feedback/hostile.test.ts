// Feedback by those who would break it: secrets that no door tells, rivals for one version, and a crowd that does
// anything at any time. docs/contract/feedback.md.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { throws } from '../../../test/dice.ts'
import {
  answer,
  answerBody,
  answered,
  filed,
  followupBody,
  recordBody,
  subscription,
  vote,
} from '../../../test/feedback.ts'
import type { Shown } from '../../../test/orders.ts'
import { appoint } from '../../../test/staff.ts'
import { beforehand, story } from '../../../test/story.ts'
import { turnHidden, turnSuspended } from '../../../test/turning.ts'
import { type Agent, type Answer, assertInvariants, code, race, tally } from '../../../test/world.ts'
import { hide, unhide } from '../staff/hiding.ts'

const { w, sue } = story({ staff: ['sue'] })
const there = beforehand(() => w.node())

/** By one node or the other. */
const via = (n: number, who: Agent, method: string, path: string, json?: unknown): Promise<Answer> =>
  (n % 2 === 0 ? w : there).request(method, path, { token: who.token, json })

test('no endpoint reveals who answered, subscribed or voted, or an email; support sees no email either', async () => {
  const mia = await w.agentWithEmail('mia', 'mia@private.example')
  const zed = await w.agentWithEmail('zed_of_support', 'zed@private.example')
  const ned = await w.agent('ned')
  await appoint(w, zed)
  const [idea, problem] = [await filed(mia, 'idea'), await filed(mia, 'problem')]
  await subscription(w, ned, idea, 'PUT')
  await vote(w, ned, idea)
  const [socket, neds] = [await mia.events(4), await ned.events(4)]
  await answered(zed, idea)
  await answered(zed, problem)
  const told: unknown[] = [
    await socket.next('feedback.changed'),
    await socket.next('feedback.changed'),
    await neds.next('feedback.changed'),
  ]
  await Promise.all([socket.close(), neds.close()])
  const doors = [
    '/feedback/ideas',
    '/feedback/subscriptions',
    `/feedback/ideas/${idea.id}`,
    `/feedback/${idea.id}/updates`,
    `/feedback/${idea.id}/subscription`,
  ]
  for (const path of [...doors, '/feedback', `/feedback/${problem.id}`, `/feedback/${problem.id}/updates`]) {
    told.push((await mia.get(path)).body)
  }
  const read = await Promise.all(doors.map(async (path) => (await ned.get(path)).body))
  const publicly = await Promise.all(
    ['/feedback/ideas', `/feedback/ideas/${idea.id}`].map(async (path) => (await w.request('GET', path)).body),
  )
  for (const [text, secrets] of [
    [JSON.stringify([...told, ...publicly]), ['zed_of_support', zed.id, ned.id, 'private.example']],
    [JSON.stringify(read), ['zed_of_support', zed.id, problem.id, 'private.example']],
    [
      JSON.stringify([(await zed.get('/staff/feedback')).body, (await zed.get(`/staff/feedback/${idea.id}`)).body]),
      [ned.id, zed.id, 'private.example'],
    ],
  ] as const) {
    for (const secret of secrets) assert.ok(!text.includes(secret), `${secret} in ${text}`)
  }
})

test('of twenty competing follow-ups and answers at one version, one wins', async () => {
  const cid = await w.agent('cid')
  for (let round = 0; round < 3; round++) {
    const record = await filed(cid, 'problem')
    const answers = await race(20, (n) =>
      n % 4 < 2
        ? via(n, cid, 'POST', `/feedback/${record.id}/followups`, followupBody(record))
        : via(n, sue, 'POST', `/staff/feedback/${record.id}/answer`, answerBody(record)),
    )
    const [won, ...others] = answers.filter(({ status }) => status < 300)
    assert.deepEqual([others, tally(answers)['409 version_conflict']], [[], 19])
    assert.ok(won)
    const { status, version } = won.body.feedback
    assert.equal(version, 2)
    const [updates, followups] = await Promise.all(
      ['updates', 'followups'].map(async (list) => (await cid.get(`/feedback/${record.id}/${list}`)).body.pagination),
    )
    assert.deepEqual([updates.total, followups.total], status === 'planned' ? [1, 0] : [0, 1])
  }
})

test('under random concurrent requests nothing fails, and every list, count, version and event is right', async () => {
  const crowd = await Promise.all(Array.from({ length: 4 }, (_, n) => w.agent(`crowd_${n}`)))
  const records: Shown[] = []
  const { dice, pick } = throws()
  // The newest, for which all contend.
  const recent = (): Shown => pick(records.slice(-3))
  const failed: string[] = []
  const say = async (who: Agent, method: string, path: string, json?: unknown): Promise<Shown> => {
    const said = await via(dice(2), who, method, path, json)
    if (said.status >= 500) failed.push(`${method} ${path} ${code(said)}`)
    return said.status < 300 ? said.body : {}
  }
  const noted = ({ feedback }: Shown): void => {
    const known = records.find(({ id }) => id === feedback?.id)
    if (known) Object.assign(known, feedback)
    else if (feedback) records.push(feedback)
  }
  const onOff = (): string => (dice(3) > 0 ? 'PUT' : 'DELETE')
  const turned = (kind: 'idea' | 'profile', id: string) =>
    w.service.sql.transaction((tx) => (dice(6) > 0 ? unhide : hide)(tx, kind, id))
  const acts: (() => Promise<unknown>)[] = [
    async () => noted(await say(pick(crowd), 'POST', '/feedback', recordBody(pick(['idea', 'idea', 'problem'])))),
    () => say(pick(crowd), onOff(), `/feedback/ideas/${recent().id}/vote`),
    () => say(pick(crowd), onOff(), `/feedback/${recent().id}/subscription`),
    async () => {
      const { id, version } = recent()
      noted(await say(sue, 'POST', `/staff/feedback/${id}/answer`, answerBody({ version } as Shown)))
      noted(await say(sue, 'GET', `/staff/feedback/${id}`))
    },
    async () => {
      const record = recent()
      const author = crowd.find(({ id }) => id === record.author_id) as Agent
      noted(await say(author, 'POST', `/feedback/${record.id}/followups`, followupBody(record)))
    },
    () => say(pick(crowd), 'PATCH', '/bots/me', { profile_public: dice(6) > 0 }),
    () => turnSuspended(w, pick(crowd).id, dice(10) === 0),
    () => turned('profile', pick(crowd).id),
    () => turned('idea', recent().id),
    () => say(pick(crowd), 'GET', '/feedback/ideas?q=dark'),
  ]
  for (const who of crowd) records.push(await filed(who, 'idea'))
  await race(12, async () => {
    for (let n = 0; n < 30; n++) await pick(acts)()
    return w.request('GET', '/feedback/ideas')
  })
  assert.deepEqual(failed, [])
  await assertInvariants(w.sql, 'moderation.hidden_by')
  for (const { id } of records) {
    const { feedback, updates, followups } = (await sue.get(`/staff/feedback/${id}`)).body
    assert.equal(feedback.version, 1 + updates.length + followups.length)
    assert.equal(feedback.response, updates[0]?.response ?? '')
  }
  const strays = await w.sql`
    select 1 from events e where kind = 'feedback.changed' and not exists (
      select 1 from feedback_subscriptions s where s.agent_id = e.recipient_id and s.feedback_id = e.subject_id
        and s.is_active and s.from_version < (e.payload->>'version')::int)`
  assert.deepEqual(strays, [], 'nobody is told who does not listen')
  for (const { id } of crowd) {
    await turnSuspended(w, id, false)
    await turnHidden(w, 'profile', id, false)
  }
  for (const { id } of records) await turnHidden(w, 'idea', id, false)
  for (const who of crowd) await who.patch('/bots/me', { profile_public: true })
  const listed = (await w.request('GET', '/feedback/ideas?page_size=50&q=dark')).body.pagination.total
  const all = (await sue.get('/staff/feedback?category=idea')).body.pagination.total
  assert.equal(listed, all, 'all of them are back')
  assert.equal(code(await answer(sue, (await sue.get(`/staff/feedback/${records[0]?.id}`)).body.feedback)), '200')
})
