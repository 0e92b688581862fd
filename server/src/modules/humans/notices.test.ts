// What a customer is written of an order: once, where it needs them, and nothing of what was said or delivered there.
// docs/contract/human-orders.md#who-is-told.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { on } from '../../../test/changes.ts'
import { type Customer, customer, humanOffer } from '../../../test/customers.ts'
import { pluck } from '../../../test/pluck.ts'
import { appoint, decide } from '../../../test/staff.ts'
import { beforehand, story } from '../../../test/story.ts'
import { code, eventually, race, worldFor } from '../../../test/world.ts'
import { days, hours } from '../../kernel/clock.ts'
import type { Mail } from '../../mail/read.ts'
import { appeal } from '../moderation/cases.ts'
import { mailNotices } from './notices.ts'
import { mailSuspensions } from './suspension-notices.ts'
import { unsubscribePath } from './unsubscribe.ts'

const { w, bob, sue } = story('bob', 'sue')
beforehand(() => appoint(w, sue))

const reason = { reason: 'The secret reason' }

async function emailOf(who: Customer): Promise<string> {
  const [row] = await w.sql<{ email: string }>`select email from humans where id = ${who.id}`
  return row?.email as string
}
const mailsTo = async (who: Customer): Promise<Mail[]> => w.mails(await emailOf(who))
const waiting = async (order: { id: string }): Promise<number> =>
  (await w.sql`select 1 from customer_notices where order_id = ${order.id}`).length
/** Once nothing waits for an order, neither a notice nor a mail. */
async function settled(who: Customer, order: { id: string }): Promise<Mail[]> {
  await eventually(async () => {
    await mailNotices(w.service)
    const mails = await w.sql`select 1 from mails where recipient = ${await emailOf(who)}`
    return (await waiting(order)) + mails.length === 0
  }, 'all notices of an order')
  return mailsTo(who)
}

async function begun(who: Customer, title = 'A portrait') {
  const order = await humanOffer(w, who, bob, { title })
  const accepted = await bob.post(`/human-orders/${order.id}/accept`, on(1, { confirmed_total_minor: 1100 }))
  return accepted.body.order
}
const bobs = async (order: { id: string; version: number }, action: string, fields: object = {}) => {
  const answer = await bob.post(`/human-orders/${order.id}/${action}`, on(order.version, fields))
  assert.equal(code(answer), '200', JSON.stringify(answer.body))
  return answer.body.order
}
const theirs = async (who: Customer, order: { id: string; version: number }, action: string, fields: object = {}) => {
  const answer = await who.post(`/human/orders/${order.id}/${action}`, on(order.version, fields))
  assert.equal(code(answer), '200', JSON.stringify(answer.body))
  return answer.body.order
}
/** Keeps the emails of a customer back, as their account held by something else does, while `work` goes on. */
async function heldBack<T>(who: Customer, work: () => Promise<T>): Promise<T> {
  const holder = await w.sql.pool.connect()
  try {
    await holder.query('begin')
    await holder.query('select 1 from humans where id = $1 for update', [who.id])
    return await work()
  } finally {
    await holder.query('rollback')
    holder.release()
  }
}

test('an email reports a delivery: its subject, where to look and what to do, but not its contents', async () => {
  const hilda = await customer(w, 'Hilda')
  const order = await begun(hilda, 'Портрет кота, 100 % «настоящий»')
  await bobs(order, 'deliver', { result_text: 'Secret contents' })
  const [mail, ...more] = await settled(hilda, order)
  assert.equal(more.length, 0)
  assert.equal(mail?.subject, 'The work you ordered was delivered')
  const { text, file } = mail as Mail
  assert.match(text, /^> Портрет кота, 100 % «настоящий»$/m)
  assert.match(text, /The AI agent @bob has delivered/)
  assert.ok(text.includes(`\n${w.service.publicUrl}/orders/${order.id}`), text)
  assert.doesNotMatch(text, /Secret|Hilda/)
  const raw = await readFile(join(w.mailDir, file), 'utf8')
  const link = w.service.publicUrl + unsubscribePath(w.service, hilda.id)
  assert.ok(text.includes(link))
  assert.ok(raw.includes(`\r\nList-Unsubscribe: <${link}>\r\n`), raw.slice(0, 800))
  assert.doesNotMatch(raw, /List-Unsubscribe-Post/, 'one click is for HTTPS')
})

test('customers are notified of disputes and proposals by the agent and of decisions by support, but not of their own actions', async () => {
  const ida = await customer(w, 'Ida')
  const disputed = await bobs(await begun(ida), 'dispute', reason)
  const told: (string | undefined)[] = []
  const newest = async (order: { id: string }) => told.push((await settled(ida, order)).at(-1)?.subject)
  await newest(disputed)
  await theirs(ida, disputed, 'escalate-dispute', reason)
  assert.equal((await settled(ida, disputed)).length, 1, 'an own step is no news')
  assert.equal(code(await decide(sue, disputed, { decision: 'resume' })), '200')
  await newest(disputed)
  const proposed = await bobs(await begun(ida), 'propose-refund', reason)
  await newest(proposed)
  await theirs(ida, proposed, 'approve-refund')
  const own = await theirs(ida, await begun(ida), 'dispute', reason)
  await bobs(own, 'escalate-dispute', reason)
  assert.equal(await waiting(own), 0)
  assert.equal(code(await decide(sue, own)), '200')
  await newest(own)
  assert.deepEqual(told, [
    'The agent has disputed your order',
    'Dispute decided: your order continues',
    'A refund of your order was proposed',
    'Dispute decided: your order was refunded',
  ])
  for (const { text } of await mailsTo(ida)) assert.doesNotMatch(text, /secret reason/)
  assert.equal((await mailsTo(ida)).length, 4)
})

test('a declined order is reported, and what was declined once is not reported again', async () => {
  const lena = await customer(w, 'Lena')
  const order = await humanOffer(w, lena, bob, { title: 'A portrait' })
  await bobs(order, 'reject')
  const mails = await settled(lena, order)
  assert.deepEqual(pluck(mails, 'subject'), ['The agent has declined your order'])
  assert.match(mails[0]?.text as string, /The AI agent @bob has declined your order:\s+> A portrait\s+Nothing was paid/)
})

test('a customer is written when a suspension begins, an appeal is answered and it ends, also without order emails', async () => {
  const nina = await customer(w, 'Nina')
  await nina.request('PATCH', '/human/me', { json: { notices: false } })
  const subjects = async () => {
    await eventually(async () => {
      await mailSuspensions(w.service)
      const left = await w.sql`select 1 from suspension_notices union all select 1 from mails`
      return left.length === 0
    }, 'all notices of suspensions')
    return (await mailsTo(nina)).map(({ subject }) => subject)
  }
  await w.operator('customer', 'suspend', nina.id, '--reason', 'The secret reason')
  const told = ['Your account was suspended']
  assert.deepEqual(await subjects(), told)
  const [mail] = await mailsTo(nina)
  assert.ok(mail?.text.includes(`\n${w.service.publicUrl}/account`))
  assert.doesNotMatch(mail?.text as string, /secret|unsubscribe/i)
  const [found] = await w.sql<{ id: string }>`select id from moderation_cases where owner_id = ${nina.id}`
  await w.service.sql.transaction((tx) =>
    appeal(tx, { kind: 'human', id: nina.id }, found?.id as string, { expected_version: 1, text: 'I did pay' }),
  )
  assert.deepEqual(await subjects(), told, 'an own step is no news')
  const decide = (verdict: string, code: string) =>
    w.operator('moderation', 'decide', found?.id as string, verdict, '--code', code, '--reason', 'No')
  await decide('remove', 'fraud')
  told.push('Your appeal was answered: the suspension stays')
  assert.deepEqual((await subjects()).sort(), told.toSorted())
  await decide('restore', 'ok')
  told.push('Your account is no longer suspended')
  assert.deepEqual((await subjects()).sort(), told.toSorted())
})

test('no notice is sent about an order that moved on, to a closed account, or after unsubscribing', async () => {
  const jan = await customer(w, 'Jan')
  const [one, two, three] = [await begun(jan), await begun(jan), await begun(jan)]
  const orders = await heldBack(jan, async () => {
    const delivered = await bobs(one, 'deliver', { result_text: 'Done' })
    assert.equal(await waiting(delivered), 1)
    return [
      await theirs(jan, delivered, 'complete'),
      await theirs(jan, await bobs(two, 'propose-refund', reason), 'approve-refund'),
      await theirs(jan, await bobs(three, 'dispute', reason), 'escalate-dispute', reason),
    ]
  })
  for (const order of orders) assert.equal((await settled(jan, order)).length, 0)

  const eve = await customer(w, 'Eve')
  const tomorrow = new Date(w.now().getTime() + days(1))
  const kinds = async () =>
    (await w.sql<{ kind: string }>`select kind from mails where recipient = ${await emailOf(eve)} order by kind`).map(
      ({ kind }) => kind,
    )
  await w.sql`
    insert into mails (id, kind, recipient, subject, body, created_at, next_attempt_at)
    select gen_random_uuid(), kind, ${await emailOf(eve)}, '', '', ${w.now()}, ${tomorrow}
    from unnest(array['order_news', 'session_code']) as kind`
  await eve.request('PATCH', '/human/me', { json: { display_name: 'Eve' } })
  assert.deepEqual(await kinds(), ['order_news', 'session_code'])
  await eve.request('PATCH', '/human/me', { json: { notices: false } })
  assert.deepEqual(await kinds(), ['session_code'], 'what waits is taken back')
  await w.sql`delete from mails where recipient = ${await emailOf(eve)}`
  const silent = await bobs(await begun(eve), 'deliver', { result_text: 'Done' })
  assert.equal((await settled(eve, silent)).length, 0)
  await eve.request('PATCH', '/human/me', { json: { notices: true } })
  const next = await bobs(await begun(eve), 'deliver', { result_text: 'Done' })
  assert.equal((await settled(eve, next)).length, 1, 'what was declined is not made up for')
})

test('each notice becomes one mail, over twenty simultaneous runs on two nodes and a failing one', async () => {
  const there = await w.node()
  const kim = await customer(w, 'Kim')
  const orders: Awaited<ReturnType<typeof begun>>[] = []
  for (let n = 0; n < 8; n++) orders.push(await begun(kim, `No ${n}`))
  await heldBack(kim, () =>
    race(8, (n) => bob.post(`/human-orders/${orders[n].id}/deliver`, on(2, { result_text: 'x' }))),
  )
  const { mailer } = w.service
  let isFirst = true
  const failing = {
    ...w.service,
    mailer: {
      ...mailer,
      queue: async (...given: Parameters<typeof mailer.queue>) => {
        await mailer.queue(...given)
        // As a connection fails whose process is gone: it is no fault of a notice.
        if (!isFirst) throw Object.assign(new Error('the process was killed'), { code: '57P01' })
        isFirst = false
      },
    },
  }
  await assert.rejects(async () => {
    // Another run may have had them all.
    await mailNotices(failing)
    throw new Error('none was there')
  })
  await Promise.all(Array.from({ length: 20 }, (_, n) => mailNotices((n % 2 ? w : there).service)))
  for (const order of orders) await settled(kim, order)
  const titles = (await mailsTo(kim)).map(({ text }) => /^> (.*)$/m.exec(text)?.[1]).sort()
  assert.deepEqual(
    titles,
    orders.map((_, n) => `No ${n}`),
  )
})

test('a notice that cannot become a mail does not block those behind it', async (t) => {
  const at = await worldFor(t)
  const [ann, lee, mia] = [await at.agent('ann'), await customer(at, 'Lee'), await customer(at, 'Mia')]
  await at.service.sql.pool.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'cannot be queued'; end $$;
    create trigger stuck before insert on mails for each row when (new.kind = 'order_news' and new.body like '%Stuck%')
      execute function refuse()`)
  for (const [who, title] of [
    [lee, 'Stuck'],
    [mia, 'A portrait'],
  ] as const) {
    const order = await humanOffer(at, who, ann, { title })
    await ann.post(`/human-orders/${order.id}/accept`, on(1, { confirmed_total_minor: 1100 }))
    await ann.post(`/human-orders/${order.id}/deliver`, on(2, { result_text: 'x' }))
  }
  await eventually(async () => {
    await mailNotices(at.service)
    return (await at.sql`select 1 from customer_notices`).length === 1
  }, 'one to be left')
  const failures = (await at.service.metrics.sweepRowFailures.get()).values
  assert.deepEqual(pluck(failures, 'labels'), [{ sweep: 'customer notices' }])
  await at.service.sql.pool.query('drop trigger stuck on mails')
  at.travel(hours(1))
  await eventually(async () => {
    await mailNotices(at.service)
    return (await at.sql`select 1 from customer_notices`).length === 0
  }, 'the last one')
})

test('with email off no notice waits', async (t) => {
  const off = await worldFor(t, { env: { MAIL_URL: 'none' } })
  const [lee, ann] = [await customer(off, 'Lee'), await off.agent('ann')]
  const order = await humanOffer(off, lee, ann)
  await ann.post(`/human-orders/${order.id}/accept`, on(1, { confirmed_total_minor: 1100 }))
  await ann.post(`/human-orders/${order.id}/deliver`, on(2, { result_text: 'x' }))
  await mailNotices(off.service)
  await eventually(async () => (await off.sql`select 1 from customer_notices`).length === 0, 'no notices')
  assert.deepEqual(await off.sql`select 1 from mails`, [])
})

test('notices waiting for a mail server are withdrawn once the customer acts, and leave room for codes', async (t) => {
  const away = await worldFor(t, { env: { MAIL_URL: 'smtp://127.0.0.1:9' } })
  const [carl, vera] = [await away.agent('carl'), await customer(away, 'Vera')]
  const delivered = async () => {
    const order = await humanOffer(away, vera, carl)
    const steps = [
      ['accept', { confirmed_total_minor: order.total_minor }],
      ['deliver', { result_text: 'Here' }],
    ] as const
    for (const [at, [action, fields]] of steps.entries()) {
      assert.equal(code(await carl.post(`/human-orders/${order.id}/${action}`, on(at + 1, fields))), '200')
    }
    return order
  }
  const [one, other] = [await delivered(), await delivered()]
  const about = async (order: { id: string }): Promise<number> =>
    (await away.sql`select 1 from mails where order_id = ${order.id}`).length
  const noticed = async (): Promise<number> => (await away.sql`select 1 from customer_notices`).length
  await eventually(async () => {
    await mailNotices(away.service)
    return (await noticed()) === 0
  }, 'both notices')
  // One that is being tried at this very moment is not waited for: it would still arrive.
  await away.service.mailer.stop()
  assert.equal(code(await vera.post(`/human/orders/${one.id}/complete`, on(3))), '200')
  assert.equal(await about(one), 0)
  assert.equal(await about(other), 1)

  await away.sql`
    insert into mails (id, kind, recipient, subject, body, created_at, next_attempt_at)
    select gen_random_uuid(), 'filler', 'x@people.example', 'x', 'x', ${away.now()}, '3000-01-01'
    from generate_series(1, 8000)`
  await delivered()
  assert.equal(await mailNotices(away.service), false)
  assert.equal(await noticed(), 1, 'it waits until there is room')
  await away.sql`delete from mails where kind = 'filler'`
  await eventually(async () => {
    await mailNotices(away.service)
    return (await noticed()) === 0
  }, 'the notice that waited')
})
