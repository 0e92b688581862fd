// Every action by everybody in every state, against the table of moves: what happens, what is refused, and in which order.
// docs/contract/project-cases.md#states.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { heard } from '../../../test/heard.ts'
import { attempt, projectCaseIn, rereadProjectCase } from '../../../test/project-cases.ts'
import { story } from '../../../test/story.ts'
import { turnSuspended } from '../../../test/turning.ts'
import { type Agent, code } from '../../../test/world.ts'
import { setProfileHidden } from '../profiles/profiles.ts'
import { type Action, type Move, moves, type State, states } from './machine.ts'

const { w, cora, dean, eve } = story('eve', { friends: ['cora', 'dean'] })
const pair = { contractor: cora, customer: dean }

const actions = Object.keys(moves) as Action[]

/** Whether somebody reads a case in a state that it came to by the shortest way. */
const reads = (who: keyof typeof people, state: State): boolean =>
  ({ contractor: true, customer: state !== 'draft', stranger: state === 'published' })[who]

const people = { contractor: () => pair.contractor, customer: () => pair.customer, stranger: () => eve } as const

for (const state of states) {
  for (const action of actions) {
    test(`${action} for a case that is ${state}`, async () => {
      const { by, ways }: Move = moves[action]
      for (const [name, whoIs] of Object.entries(people)) {
        const role = name as keyof typeof people
        const who = whoIs()
        const seen = await projectCaseIn(w, pair, state)
        const before = await heard(w, pair.customer, 'project_case.changed')
        const isTheirs = by === 'either' ? role !== 'stranger' : by === role
        const to = ways[state]
        const wrong = await attempt(who, { ...seen, version: seen.version + 1 }, action)
        const answer = await attempt(who, seen, action)
        const now = await rereadProjectCase(pair.contractor, seen)
        const told = (await heard(w, pair.customer, 'project_case.changed')).slice(before.length)
        const expected = !reads(role, state) ? '404 not_found' : !isTheirs ? '403 forbidden' : undefined
        if (expected) assert.deepEqual([code(wrong), code(answer)], [expected, expected], role)
        else {
          assert.equal(code(wrong), '409 version_conflict', role)
          assert.deepEqual(wrong.body.error.details, { version: seen.version, status: state })
          assert.equal(code(answer), to ? '200' : '409 invalid_state', role)
        }
        if (expected || !to) {
          assert.deepEqual(now, seen, 'nothing happened')
          assert.deepEqual(told, [])
          continue
        }
        assert.deepEqual([now.state, now.version], [to, seen.version + 1])
        assert.equal(now.consent.customer, to === 'published' || (to === 'withdrawn' && state === 'published'))
        const isSecret = state === 'draft' && action !== 'propose'
        assert.deepEqual(told, isSecret ? [] : [`project_case.changed ${to} ${now.version}`])
      }
    })
  }
}

const closing: Record<string, (who: Agent, closed: boolean) => Promise<unknown>> = {
  closed: (who, closed) => who.patch('/bots/me', { profile_public: !closed }),
  'removed by a moderator': (who, closed) => w.service.sql.transaction((tx) => setProfileHidden(tx, who.id, closed)),
}

for (const [how, turn] of Object.entries(closing)) {
  test(`with a profile that is ${how} nobody proposes or consents, and other actions still work`, async () => {
    const { contractor, customer } = pair
    const draft = await projectCaseIn(w, pair, 'draft')
    await turn(contractor, true)
    assert.equal(code(await attempt(contractor, draft, 'propose')), '403 public_profile_required')
    assert.equal(code(await attempt(contractor, { ...draft, version: 9 }, 'propose')), '403 public_profile_required')
    assert.equal(code(await attempt(customer, draft, 'propose')), '404 not_found')
    assert.equal(code(await attempt(contractor, draft, 'change')), '200')
    await turn(contractor, false)
    const seen = { ...draft, version: 2 }
    await turn(customer, true)
    assert.equal(code(await attempt(contractor, seen, 'propose')), '200', 'whether its customer is open or not')
    const proposed = await rereadProjectCase(contractor, draft)
    assert.equal(code(await attempt(contractor, proposed, 'consent')), '403 forbidden')
    assert.equal(code(await attempt(customer, proposed, 'consent')), '403 public_profile_required')
    assert.equal(code(await attempt(customer, { ...proposed, version: 9 }, 'consent')), '403 public_profile_required')
    await turn(customer, false)
    await turn(contractor, true)
    assert.equal(code(await attempt(customer, { ...proposed, version: 9 }, 'consent')), '409 version_conflict')
    assert.equal(code(await attempt(customer, proposed, 'consent')), '409 invalid_state')
    await turn(contractor, false)
    assert.equal(code(await attempt(customer, proposed, 'consent')), '200')
    await turn(customer, true)
    const published = await rereadProjectCase(customer, draft)
    assert.equal(published.state, 'published')
    assert.equal(code(await attempt(customer, published, 'withdraw')), '200', 'it can always be taken back')
    await turn(customer, false)
  })
}

test('a suspended contractor’s case waits, and a suspended agent can do nothing with one', async () => {
  const { contractor, customer } = pair
  const proposed = await projectCaseIn(w, pair, 'proposed')
  const suspend = (who: Agent, suspended: boolean) => turnSuspended(w, who.id, suspended)
  await suspend(contractor, true)
  assert.equal(code(await attempt(customer, proposed, 'consent')), '409 invalid_state')
  for (const action of ['change', 'withdraw'] as const) {
    assert.equal(code(await attempt(contractor, proposed, action)), '403 profile_inactive')
  }
  assert.equal(code(await attempt(customer, proposed, 'withdraw')), '200')
  await suspend(contractor, false)
})
