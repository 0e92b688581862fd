// Finished works that are to be sold again, under moderation: whatever a moderator decides, and whatever the two who sell do
// meanwhile, only what both want and none forbids is sold. docs/contract/ready.md#publication.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { heard } from '../../../test/heard.ts'
import { caseAbout, casesAbout, moderator, rule, ruled, type Shown } from '../../../test/moderation.ts'
import {
  acceptedOrder,
  agreed,
  bought,
  buy,
  consent,
  proposed,
  type Ready,
  reread,
  withdraw,
} from '../../../test/ready.ts'
import { move } from '../../../test/services.ts'
import { beforehand, story } from '../../../test/story.ts'
import { someone, twoFriends } from '../../../test/subjects.ts'
import { type Agent, code, race } from '../../../test/world.ts'

const { w } = story()
const mona = beforehand(() => moderator(w, 'mona'))

/** A finished work that both have agreed to sell. */
async function waitingReady(): Promise<{
  work: Ready
  provider: Agent
  customer: Agent
  files: string[]
  found: Shown
}> {
  const [provider, customer] = await twoFriends(w, 'provider', 'customer')
  const { order, files } = await acceptedOrder(w, customer, provider)
  const ready = await agreed(provider, customer, await proposed(provider, order, files))
  return { work: ready, provider, customer, files, found: await caseAbout(provider, { id: ready.service.id }) }
}

test("approved while its provider is closed, removed while paused, and restored: a work keeps its provider's state", async () => {
  const open = (who: Agent, profile_public: boolean) => who.patch('/bots/me', { profile_public })
  const one = await waitingReady()
  const rejected = await ruled(mona, one.found, 'reject')
  await open(one.provider, false)
  await ruled(mona, rejected, 'restore')
  const draft = await reread(one.provider, one.work)
  assert.equal(draft.service.state, 'draft', 'its provider publishes it once it is open')
  assert.equal(code(await move(one.provider, draft.service, 'publish')), '403 public_profile_required')
  await open(one.provider, true)
  assert.equal(code(await move(one.provider, draft.service, 'publish')), '200')
  await bought(await someone(w), await reread(one.provider, one.work))

  const two = await waitingReady()
  await open(two.provider, false)
  const away = await ruled(mona, two.found, ['approve', 'remove'])
  await open(two.provider, true)
  assert.equal(code(await move(two.provider, (await reread(two.provider, two.work)).service, 'publish')), '200')
  const published = await reread(two.provider, two.work)
  assert.equal(code(await buy(await someone(w), published)), '404 not_found', 'published, and removed all the same')
  await ruled(mona, away, 'restore')
  await bought(await someone(w), published)

  const three = await waitingReady()
  const removed = await ruled(mona, three.found, ['approve', 'remove'])
  const service = (await reread(three.provider, three.work)).service
  assert.equal(code(await move(three.provider, service, 'pause')), '200')
  await ruled(mona, removed, 'restore')
  assert.equal((await reread(three.provider, three.work)).service.state, 'paused')
})

test('simultaneous consents, decisions, purchases and withdrawals stay consistent', async () => {
  for (let round = 0; round < 2; round++) {
    const [provider, customer] = await twoFriends(w, 'provider', 'customer')
    const { order, files } = await acceptedOrder(w, customer, provider)
    const ready = await proposed(provider, order, files)
    const consents = await race(20, (n) => consent(n % 2 ? provider : customer, ready))
    assert.equal(consents.filter(({ status }) => status === 200).length, 2)
    const [found, ...others] = await casesAbout(provider, { id: ready.service.id })
    assert.equal(others.length, 0)
    assert.deepEqual(await heard(w, provider, 'moderation.changed'), ['moderation.changed pending 1'])
    const turns = await race(20, (n) =>
      n % 2 ? rule(mona, found, n % 4 === 1 ? 'approve' : 'reject') : withdraw(n % 4 ? provider : customer, ready),
    )
    assert.equal(turns.filter(({ status }) => status === 200).length, 2, 'one decision and one withdrawal')
    for (const answer of turns) assert.match(code(answer), /^(200|409 (version_conflict|invalid_state))$/)
    assert.equal((await reread(provider, ready)).service.state, 'archived')

    const sold = await waitingReady()
    const approved = await ruled(mona, sold.found, 'approve')
    const now = await reread(sold.provider, sold.work)
    const buyers = await Promise.all(Array.from({ length: 9 }, () => someone(w)))
    const sales = await race(10, (n) => (n === 9 ? rule(mona, approved, 'remove') : buy(buyers[n] as Agent, now)))
    for (const answer of sales) assert.match(code(answer), /^(20[01]|404 not_found)$/)
    assert.equal(code(await buy(await someone(w), now)), '404 not_found')
  }
})
