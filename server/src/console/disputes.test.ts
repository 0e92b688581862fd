// An operator and the disputes: what is shown of them, and a decision, once, as it stands.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { type Browsing, browsing } from '../../test/console.ts'
import { operatorSession } from '../../test/operators.ts'
import { money, quick, reread, step, trade } from '../../test/orders.ts'
import { pluck } from '../../test/pluck.ts'
import { acceptedOrder, agreed, bought, onSale, proposed, withdraw } from '../../test/ready.ts'
import { beforehand, story } from '../../test/story.ts'
import { bid, publish, select } from '../../test/tasks.ts'
import { befriend, code } from '../../test/world.ts'
import { days, hours } from '../kernel/clock.ts'
import { requestDue } from '../modules/reviews/reviews.ts'
import { entries } from '../store/audit.ts'

const signedIn = async (email: string): Promise<Browsing> =>
  browsing(w, { cookie: (await operatorSession(w, email)).cookie })

const { w, cat, dan } = story({ friends: ['cat', 'dan'] })
const olga = beforehand(() => signedIn('olga@operators.example'))

const pathOf = ({ id }: { id: string }): string => `/operator/disputes/${id}`

/** The version of the case that the page's forms carry. */
const versionIn = (text: string): string => /name="version" value="(\d+)"/.exec(text)?.[1] ?? ''

const decide = (who: Browsing, order: { id: string }, action: string, fields: Record<string, string>) =>
  who.send(pathOf(order), { action, operation_id: randomUUID(), reason: 'It is round', ...fields })

const listed = async (query = ''): Promise<string[]> =>
  [...(await olga.see(`/operator/disputes${query}`)).text.matchAll(/<th[^>]*><a href="([^"]+)" dir="auto">/g)].map(
    ([, href]) => href as string,
  )

test('disputes are listed longest waiting first, and each shows what staff sees', async () => {
  assert.deepEqual(await listed(), [])
  const first = await trade(w, cat, dan, 'escalated')
  w.travel(hours(1))
  const second = await trade(w, cat, dan, 'escalated')
  const open = await trade(w, cat, dan, 'disputed')
  assert.deepEqual(await listed(), [pathOf(first), pathOf(second)])
  assert.deepEqual(await listed('?state=open'), [pathOf(open)])
  assert.deepEqual(await listed('?state=resolved'), [])
  assert.doesNotMatch((await olga.see('/operator/disputes')).text, /class="chip bad"/)

  const page = (await olga.see(pathOf(first))).text
  assert.match(page, /<strong>Escalated to support<\/strong>[\s\S]*?>60 minutes ago</)
  for (const told of [first.title, first.description, '@cat', '@dan', '11.00\u00a0test credits', 'We do not agree']) {
    assert.ok(page.includes(told), told)
  }
  assert.match(page, /is returned to the customer, and the order is closed/)
  const waiting = (await olga.see(pathOf(open))).text
  assert.match(waiting, /The two sides have until/)
  assert.doesNotMatch(waiting, /name="version"/)
  const unknown = ['x', randomUUID(), first.id.toUpperCase(), (await trade(w, cat, dan, 'funded')).id]
  for (const id of unknown) assert.equal((await olga.see(pathOf({ id }))).status, 404)
})

test('a decision is made once, on the version that was read, and both sides get it', async () => {
  const order = await trade(w, cat, dan, 'escalated')
  const [had] = await money(cat)
  const before = (await entries(w.sql, { limit: 1000 })).entries.length
  const version = versionIn((await olga.see(pathOf(order))).text)
  const refused = [
    await decide(olga, order, 'refund', { version, reason: '' }),
    await decide(olga, order, 'refund', { version, reason: 'x'.repeat(2001) }),
    await decide(olga, order, 'refund', { version: String(Number(version) - 1) }),
    await decide(olga, order, 'refund', {}),
    await decide(olga, order, 'resume', { version: '1e9' }),
  ]
  assert.deepEqual(pluck(refused, 'status'), [400, 400, 409, 409, 409])
  assert.equal((await reread(cat, order)).state, 'disputed')
  assert.equal((await entries(w.sql, { limit: 1000 })).entries.length, before)

  const oscar = await signedIn('oscar@operators.example')
  await oscar.see(pathOf(order))
  const both = await Promise.all([
    decide(olga, order, 'refund', { version }),
    decide(oscar, order, 'refund', { version }),
  ])
  assert.deepEqual(both.map(({ status }) => status).sort(), [303, 409])
  assert.deepEqual((await reread(dan, order)).outcome, 'refunded')
  assert.deepEqual(await money(cat), [had + order.total_minor, (await money(cat))[1]])
  const [entry] = (await entries(w.sql, { limit: 1 })).entries
  const winner = both[0]?.status === 303 ? 'olga' : 'oscar'
  assert.deepEqual(
    [entry?.actor, entry?.action, entry?.subject, entry?.reason, entry?.details?.['decision']],
    [`operator:${winner}@operators.example`, 'dispute.refund', order.id, 'It is round', 'refund'],
  )
  const late = await decide(olga, order, 'resume', { version })
  assert.equal(late.status, 409)
  assert.match(
    late.text,
    new RegExp(`role="alert"[^>]*>[^<]* Last recorded here: “Dispute decided: refund”, operator:${winner}@`),
    'said although its form is gone',
  )
  assert.deepEqual(await listed('?state=resolved'), [pathOf(order)])
  const page = (await olga.see(`${pathOf(order)}?done=refund`)).text
  assert.match(page, /Refunded/)
  assert.match(page, /Support or an operator/)
})

test('a resumed order continues from its earlier state', async () => {
  const order = await trade(w, cat, dan, 'escalated')
  const version = versionIn((await olga.see(pathOf(order))).text)
  assert.equal((await decide(olga, order, 'resume', { version })).status, 303)
  assert.notEqual((await reread(cat, order)).state, 'disputed')
})

const orderPage = async ({ id }: { id: string }): Promise<string> => (await olga.see(`/operator/orders/${id}`)).text

test('a dispute that its two sides settled is found by its order, and what support decided before stays to be read', async () => {
  const settled = await step(dan, await trade(w, cat, dan, 'refund proposed'), 'approve-refund')
  assert.equal((await olga.see(pathOf(settled))).status, 404)
  assert.ok(!(await orderPage(settled)).includes(pathOf(settled)), 'it links to no page that is missing')
  const [of] = await w.sql<{ id: string }>`select id from dispute_cases where order_id = ${settled.id}`
  const { text } = await olga.send('/operator/search', { find: of?.id as string })
  assert.match(text, new RegExp(`href="/operator/orders/${settled.id}"[\\s\\S]*Settled by the two sides`))

  const again = await trade(w, cat, dan, 'escalated')
  const version = versionIn((await olga.see(pathOf(again))).text)
  assert.equal((await decide(olga, again, 'resume', { version })).status, 303)
  await step(dan, await step(cat, await reread(cat, again), 'propose-refund'), 'approve-refund')
  assert.equal((await listed('?state=resolved'))[0], pathOf(again), 'the newest first')
  assert.match((await olga.see(pathOf(again))).text, /Order resumed/)
  assert.ok((await orderPage(again)).includes(pathOf(again)))
})

test('each step of an order is told in words, with who took it', async () => {
  const [pia, zoe] = [await w.agent('pia', { profile_public: true }), await w.agent('zoe')]
  await befriend(pia, cat)
  const sold = await onSale(w, pia, cat)
  await bought(zoe, sold)
  assert.equal(code(await withdraw(cat, sold)), '200')
  const { order, files } = await acceptedOrder(w, cat, pia)
  const refused = await agreed(pia, cat, await proposed(pia, order, files))
  await w.operator('ready', 'reject', refused.service.id, '--reason', 'A story')
  const task = await publish(w, cat)
  await select(cat, task, await bid(w, pia, task))
  const quickly = await step(dan, await quick(cat, dan), 'reprice')
  const { id, version } = await step(cat, quickly, 'accept')
  const said = { operation_id: randomUUID(), expected_version: version, text: 'Soon' }
  assert.equal(code(await dan.post(`/orders/${id}/updates`, said)), '201')
  w.travel(days(2))
  while (await requestDue(w.service.sql));
  const later = await signedIn('olga@operators.example')

  const steps = await w.sql<{ order_id: string; action: string; itself: boolean }>`
    select distinct on (action, actor_id is null) order_id, action, actor_id is null as itself from order_history`
  const told = new Map<string, string>()
  for (const { order_id: id, action, itself } of steps) {
    const { text: page } = await later.see(`/operator/orders/${id}`)
    assert.match(page, /<strong>Offered|<strong>Chose|<strong>Bought/)
    assert.ok(!page.includes(`<strong><code>${action}</code>`), action)
    if (!itself) continue
    for (const [, what = '', who = ''] of page.matchAll(
      /<strong>([^<]+)<\/strong><\/p>\s*<p class="row-foot"><span>([^<]+)</g,
    ))
      if (!/^(Customer|Contractor)$/.test(who)) told.set(what, who)
  }
  assert.deepEqual(Object.fromEntries([...told].sort()), {
    'Decided: continue the order': 'Support or an operator',
    'Decided: refund': 'Support or an operator',
    'Resale approved': 'A moderator or an operator',
    'Resale rejected': 'A moderator or an operator',
    'Reviews requested': 'Automatically',
  })
})
