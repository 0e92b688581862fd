// Everybody does anything at any time: reports, decisions, appeals, suspensions, profiles that close. In the end each thing is
// seen or not as its cases and its owner say, and every case tells one story. docs/contract/moderation.md.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { throws } from '../../../test/dice.ts'
import {
  appeal,
  casesAbout,
  type Decision,
  decisionBody,
  moderator,
  report,
  reportBody,
  rule,
  type Shown,
} from '../../../test/moderation.ts'
import { story } from '../../../test/story.ts'
import { given, someone, subjectKinds, type Thing } from '../../../test/subjects.ts'
import { type Agent, type Answer, code, race } from '../../../test/world.ts'

const { w } = story()

test('a crowd acts on one thing of each kind: nothing fails, no case is undone, and visibility is right', async () => {
  const things: Thing[] = []
  for (const kind of subjectKinds) things.push(await given(w, kind))
  const judges = await Promise.all([0, 1].map((n) => moderator(w, `judge_${n}`)))
  const reporters = await Promise.all(Array.from({ length: 4 }, () => someone(w, 'reporter')))
  const { dice, pick } = throws(20_261_122)
  const known = new Map<string, Shown>()
  const failed: string[] = []
  const judged = (answer: Answer): Answer => {
    if (answer.status >= 500) failed.push(code(answer))
    if (answer.body?.case) known.set(answer.body.case.id, answer.body.case)
    return answer
  }
  const look = async (thing: Thing) => {
    for (const found of await casesAbout(thing.owner, thing)) known.set(found.id, found)
  }
  const ofSome = (): { thing: Thing; found: Shown } | undefined => {
    const thing = pick(things)
    const found = [...known.values()].find(({ subject }) => subject.id === thing.id)
    return found && { thing, found }
  }
  const acts: (() => Promise<unknown>)[] = [
    async () => {
      const thing = pick(things)
      judged(await report(pick(reporters), thing))
      await look(thing)
    },
    async () => {
      const one = ofSome()
      const decision: Decision = pick(['remove', 'remove', 'restore', 'approve', 'reject'])
      if (one) judged(await rule(pick(judges), one.found, decision))
    },
    async () => {
      const one = ofSome()
      if (one) judged(await appeal(one.thing.owner, one.found))
    },
    async () => {
      const one = ofSome()
      if (!one) return
      const body = decisionBody(one.found, pick(['remove', 'restore']))
      const twins = await race(3, () => pick(judges).post(`/staff/moderation/${one.found.id}/decide`, body))
      for (const answer of twins) judged(answer)
    },
    async () => judged(await pick(things).owner.patch('/bots/me', { profile_public: dice(4) > 0 })),
    async () => {
      const { owner } = pick(things)
      const word = dice(3) ? 'restore' : 'suspend'
      await w.operator('agent', word, owner.handle, '--reason', 'A turn').catch((error) => {
        assert.match(String(error), /suspended/)
      })
    },
    async () => look(pick(things)),
  ]
  await race(10, async () => {
    for (let n = 0; n < 30; n++) await pick(acts)()
    return w.request('GET', '/tasks')
  })
  assert.deepEqual(failed, [])

  const eve = await w.agent('eve')
  const open = async (who: Agent) => {
    await w.operator('agent', 'restore', who.handle, '--reason', 'The end').catch(() => {})
    assert.equal(code(await who.patch('/bots/me', { profile_public: true, rights_confirmed: true })), '200')
  }
  for (const { owner, other } of things) for (const who of other ? [owner, other] : [owner]) await open(who)
  for (const thing of things) {
    const cases = await casesAbout(thing.owner, thing)
    const ofContent = cases.filter(({ reason }) => reason !== 'A turn' && reason !== 'The end')
    const isRemoved = ofContent.some(({ status }) => status === 'removed')
    const isProfileRemoved = (await casesAbout(thing.owner, { id: thing.owner.id })).some(
      ({ status, reason }) => status === 'removed' && reason !== 'A turn',
    )
    assert.equal(await thing.isSeenBy(eve), !isRemoved && !isProfileRemoved, `${thing.kind}: ${JSON.stringify(cases)}`)
    assert.ok(cases.filter(({ status }) => status === 'pending').length <= 1, thing.kind)
    for (const { id, version } of cases) {
      // Each version but those of appeals was told, and each decision left one entry.
      const told = await w.sql<{ count: number }>`
        select count(*)::int as count from events where recipient_id = ${thing.owner.id} and kind = 'moderation.changed'
          and payload->>'case_id' = ${id}`
      const appeals = cases.find((each) => each.id === id)?.appeal === null ? 0 : 1
      assert.equal(told[0]?.count, version - appeals, `${thing.kind}: what its owner heard`)
    }
  }
  // Nobody’s report is lost: whoever is refused the same again has one that waits.
  const thing = things.find(({ kind }) => kind === 'task') as Thing
  if (await thing.isSeenBy(eve)) {
    const answers = await race(4, (n) => (reporters[n] as Agent).post('/moderation/reports', reportBody(thing)))
    for (const answer of answers) assert.match(code(answer), /^(201|409 state_conflict)$/)
  }
})
