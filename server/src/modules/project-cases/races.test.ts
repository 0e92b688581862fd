// Twenty at once, over two nodes: of one order one case comes to be, of one version one action happens, and what is public is
// what was consented to. docs/contract/project-cases.md#states.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { heard } from '../../../test/heard.ts'
import { type Shown, trade } from '../../../test/orders.ts'
import {
  act,
  actionBody,
  drafted,
  projectCaseBody,
  projectCaseIn,
  rereadProjectCase,
} from '../../../test/project-cases.ts'
import { beforehand, story } from '../../../test/story.ts'
import { type Agent, type Answer, code, race, someoneWaits, tally } from '../../../test/world.ts'
import { setProfileHidden } from '../profiles/profiles.ts'
import type { Action } from './machine.ts'

const { w, cora, dean } = story({ friends: ['cora', 'dean'] })
const pair = { contractor: cora, customer: dean }
const there = beforehand(() => w.node())

/** Half of the requests go to the other node. */
const via = (n: number, who: Agent, method: string, path: string, json: unknown): Promise<Answer> =>
  (n % 4 < 2 ? w : there).request(method, path, { token: who.token, json })

/** An action on a case as it was last seen, by the side that may do it. */
function doing(n: number, seen: Shown, action: Action, body: object = actionBody(seen)): Promise<Answer> {
  const who = action === 'consent' ? dean : cora
  if (action === 'change') return via(n, who, 'PATCH', `/project-cases/${seen.id}`, { ...body, title: 'Another' })
  return via(n, who, 'POST', `/project-cases/${seen.id}/${action}`, body)
}

test('twenty simultaneous cases of one order are one', async () => {
  const order = await trade(w, dean, cora, 'accepted')
  const answers = await race(20, (n) => via(n, cora, 'POST', '/project-cases', projectCaseBody(order)))
  assert.deepEqual(tally(answers), { '201': 1, '409 state_conflict': 19 })
  assert.equal((await w.sql`select 1 from project_cases where order_id = ${order.id}`).length, 1)
})

test('creating against withdrawing: an order never has two unwithdrawn cases', async () => {
  const order = await trade(w, dean, cora, 'accepted')
  const draft = await drafted(w, { ...pair, order })
  const answers = await race(20, (n) =>
    n % 2 ? doing(n, draft, 'withdraw') : via(n, cora, 'POST', '/project-cases', projectCaseBody(order)),
  )
  const counts = tally(answers)
  assert.equal(counts['200'], 1)
  assert.equal(counts['409 version_conflict'], 9)
  const rows = await w.sql<{ state: string }>`select state from project_cases where order_id = ${order.id}`
  assert.equal(rows.filter(({ state }) => state === 'withdrawn').length, 1)
  assert.equal(rows.length - 1, counts['201'] ?? 0)
  assert.ok(rows.length <= 2)
})

const pairs: readonly (readonly [Action, Action])[] = [
  ['consent', 'change'],
  ['consent', 'withdraw'],
  ['change', 'withdraw'],
  ['consent', 'consent'],
  ['change', 'change'],
]

for (const [one, other] of pairs) {
  test(`${one} against ${other}: one of them happens per version`, async () => {
    for (let round = 0; round < 3; round++) {
      const seen = await projectCaseIn(w, pair, 'proposed')
      const answers = await race(20, (n) => doing(n, seen, n % 2 ? one : other))
      assert.deepEqual(tally(answers), { '200': 1, '409 version_conflict': 19 })
      const now = await rereadProjectCase(cora, seen)
      const won = answers.find((answer) => code(answer) === '200') as Answer
      // Each node names its own address.
      assert.deepEqual(now, { ...won.body.project_case, public_url: now.public_url })
      assert.equal(now.version, seen.version + 1)
      if (now.state === 'published') assert.equal(now.title, seen.title, 'only what was read is public')
      assert.equal(now.consent.customer, now.state === 'published')
      const told = await heard(w, dean, 'project_case.changed')
      assert.equal(told.at(-1), `project_case.changed ${now.state} ${now.version}`)
    }
  })
}

test('proposing and consenting race the closing of a profile: nothing is public after it closes', async () => {
  for (let round = 0; round < 3; round++) {
    const draft = await projectCaseIn(w, pair, 'draft')
    const close = (n: number, who: Agent) => via(n, who, 'PATCH', '/bots/me', { profile_public: false })
    const body = actionBody(draft)
    const proposing = await race(20, (n) => (n === 10 ? close(n, cora) : doing(n, draft, 'propose', body)))
    const counts = tally(proposing)
    const proposed = await rereadProjectCase(cora, draft)
    const refused = counts['403 public_profile_required'] ?? 0
    assert.equal((counts['200'] ?? 0) + refused, 20, JSON.stringify(counts))
    assert.equal(proposed.state, counts['200'] === 1 ? 'draft' : 'proposed', JSON.stringify(counts))
    assert.equal(code(await cora.patch('/bots/me', { profile_public: true })), '200')
    const seen = proposed.state === 'draft' ? await act(cora, proposed, 'propose') : proposed
    const closing = round % 2 ? cora : dean
    const answers = await race(20, (n) => (n === 10 ? close(n, closing) : doing(n, seen, 'consent')))
    const published = answers.filter((answer) => answer.body.project_case?.state === 'published').length
    const now = await rereadProjectCase(dean, seen)
    assert.equal(now.state, published === 1 ? 'published' : 'proposed')
    assert.ok(published <= 1)
    assert.equal(now.public_url, null)
    assert.equal(code(await closing.patch('/bots/me', { profile_public: true })), '200')
    assert.equal((await rereadProjectCase(dean, seen)).public_url !== null, published === 1)
  }
})

test('proposing or consenting while a profile is being removed waits, and then sees the removal', async () => {
  /** Does something that must wait until the removal, or the restoring, of a profile is committed. */
  async function during(who: Agent, hidden: boolean, work: () => Promise<Answer>): Promise<string> {
    let waiting: Promise<Answer> | undefined
    await w.service.sql.transaction(async (tx) => {
      await setProfileHidden(tx, who.id, hidden)
      waiting = work()
      await someoneWaits(w, 'one who waits')
    })
    return code((await waiting) as Answer)
  }
  const draft = await projectCaseIn(w, pair, 'draft')
  assert.equal(await during(cora, true, () => doing(0, draft, 'propose')), '403 public_profile_required')
  assert.equal(await during(cora, false, () => doing(0, draft, 'propose')), '200')
  const proposed = await rereadProjectCase(dean, draft)
  assert.equal(await during(dean, true, () => doing(0, proposed, 'consent')), '403 public_profile_required')
  await w.service.sql.transaction((tx) => setProfileHidden(tx, dean.id, false))
  assert.equal(await during(cora, true, () => doing(0, proposed, 'consent')), '409 invalid_state')
  assert.equal(await during(cora, false, () => doing(0, proposed, 'consent')), '200')
})
