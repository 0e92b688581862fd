// What the verification is to find of moderation: cases of every kind, and what is planted in them.
import assert from 'node:assert/strict'
import { caseAbout, reported } from './moderation.ts'
import type { Plants } from './planted.ts'
import { givenPost } from './posts.ts'
import { reviewBody } from './reviews.ts'
import { type Agent, code, type World } from './world.ts'

type Ids = Record<string, string>

/**
 * A removed post of bob and a reported one, a text of ada's about an accepted order that waits, and cy suspended: the ids of
 * these things and of their cases by their names.
 */
export async function moderated(
  w: World,
  { ada, bob, cy, orderId }: { ada: Agent; bob: Agent; cy: Agent; orderId: string },
): Promise<Ids> {
  const cases: Ids = {}
  await w.operator('agent', 'suspend', 'cyd', '--reason', 'Pills')
  for (const status of ['pending', 'removed'] as const) {
    const post = await givenPost(bob, { text: 'Pills' })
    await reported(ada, { kind: 'post', id: post.id })
    cases[status] = (await caseAbout(bob, post)).id
    cases[`${status} post`] = post.id
  }
  await w.operator('moderation', 'decide', cases['removed'] as string, 'remove', '--code', 'spam', '--reason', 'Pills')
  const text = await ada.post(`/orders/${orderId}/reviews`, reviewBody('customer', { text: 'Well made' }))
  assert.equal(code(text), '201')
  cases['waiting text'] = text.body.review.id
  cases['waiting'] = (await caseAbout(ada, text.body.review)).id
  cases['suspension'] = (await caseAbout(cy)).id
  return cases
}

/** What is planted, and the findings as `check name`. */
export const moderationPlants = (ids: Ids, now: () => Date): Plants => ({
  'a removed post that others see': [(tx) => tx`delete from hidden`, ['moderation.hidden removed']],
  'something hidden by no case': [
    (tx) => tx`insert into hidden (kind, id, since) values ('post', ${ids['pending post']}, ${now()})`,
    ['moderation.hidden_by pending post'],
  ],
  'an agent that is active although a case suspends it': [
    (tx) =>
      tx`update agents set suspended_at = null, suspension_case_id = null where suspension_case_id = ${ids['suspension']}`,
    ['moderation.suspended suspension'],
  ],
  'an agent that is suspended by a case that is over': [
    (tx) => tx`update moderation_cases set status = 'restored' where measure = 'suspension'`,
    ['moderation.suspended suspension', 'moderation.suspended_by cy'],
  ],
  'a text that was published while its case is pending': [
    (tx) => tx`update reviews set text_status = 'approved'`,
    ['moderation.waits waiting'],
  ],
  'a text that waits for nobody': [
    (tx) => tx`
      update moderation_cases set status = 'approved', reason_code = 'ok', reason = 'Fine', decided_at = ${now()}
      where id = ${ids['waiting']}`,
    ['moderation.waiting waiting text'],
  ],
  'a report that is not counted': [
    (tx) => tx`update moderation_cases set reports_count = 0 where id = ${ids['pending']}`,
    ['moderation.reports pending'],
  ],
})
