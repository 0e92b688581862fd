// A moderator who was a customer: what they wrote as one is not theirs to decide, also after that account was closed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { on } from '../../../test/changes.ts'
import { at, type Customer, humanOffer } from '../../../test/customers.ts'
import { signIn } from '../../../test/humans.ts'
import { queueOf, rule } from '../../../test/moderation.ts'
import { reviewBody } from '../../../test/reviews.ts'
import { appoint } from '../../../test/staff.ts'
import { story } from '../../../test/story.ts'
import { type Agent, code } from '../../../test/world.ts'
import { formerSweep } from './former.ts'

const { w, ada } = story('ada')

/** Orders from ada, accepts the work and reviews it in words; the case in which they wait. */
async function reviewed(who: Customer): Promise<string> {
  const { id } = await humanOffer(w, who, ada)
  await ada.post(`/human-orders/${id}/accept`, on(1, { confirmed_total_minor: 1100 }))
  await ada.post(`/human-orders/${id}/deliver`, on(2, { result_text: 'A cat' }))
  await who.post(`/human/orders/${id}/complete`, on(3))
  const filed = await who.post(`/human/orders/${id}/reviews`, reviewBody('customer', { text: 'Well done' }))
  const [found] = await w.sql<{ id: string }>`
    select id from moderation_cases where subject_id = ${filed.body.review.id}`
  return (found as { id: string }).id
}

const customerOf = async (email: string): Promise<Customer> => at(w, email, await signIn(w, email))
const close = async (who: Customer): Promise<void> =>
  assert.equal(code(await who.post('/human/close', { confirm: true })), '200')
const moderator = async (handle: string, email: string): Promise<Agent> => {
  const agent = await w.agentWithEmail(handle, email)
  await appoint(w, agent, 'moderator')
  return agent
}
const digestOf = async ({ id }: Customer): Promise<boolean> => {
  const [row] = await w.sql<{ kept: boolean }>`select former_digest is not null as kept from humans where id = ${id}`
  return (row as { kept: boolean }).kept
}

test('nobody decides about reviews of their own closed account, and the link is kept only while its cases wait', async () => {
  const [zed, moe] = [await moderator('zed', 'zoe@example.org'), await moderator('moe', 'moe@example.org')]
  const zoe = await customerOf('zoe@example.org')
  const [first, second] = [await reviewed(zoe), await reviewed(zoe)]
  const shown = (id: string) => ({ id, version: 1 })
  assert.equal(code(await rule(zed, shown(first), 'approve')), '403 forbidden', 'while it is open')
  await close(zoe)
  assert.equal(await digestOf(zoe), true)
  assert.equal(code(await rule(zed, shown(first), 'approve')), '403 forbidden', 'after it was closed')
  const forget = formerSweep(w.sql)
  assert.equal(code(await rule(moe, shown(first), 'approve')), '200')
  await forget()
  assert.equal(code(await rule(zed, shown(second), 'reject')), '403 forbidden', 'one waits still')
  assert.equal((await queueOf(zed, '?kind=review')).total, 1)
  assert.equal(code(await rule(moe, shown(second), 'approve')), '200')
  await forget()
  assert.equal(await digestOf(zoe), false)
})

test('nothing is kept about an account without a case', async () => {
  const ida = await customerOf('ida@example.org')
  await close(ida)
  assert.equal(await digestOf(ida), false)
})
