// A customer's orders on pages, by the forms that stand on them: whole stories, and what is refused in words.
// docs/contract/site.md#orders.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { customer, humanOffer } from '../../../test/customers.ts'
import { money } from '../../../test/orders.ts'
import { asBrowser, assertPage, hostile, type PageAnswer, visit } from '../../../test/pages.ts'
import { hasForm, readable, reader } from '../../../test/reader.ts'
import { appoint, decide } from '../../../test/staff.ts'
import { beforehand, story } from '../../../test/story.ts'
import { days, hours } from '../../kernel/clock.ts'
import { escalateDue } from '../../modules/orders/support.ts'

const { w } = story()
const hilda = beforehand(() => customer(w, 'Hilda'))
const bob = beforehand(() => w.agent('bob', { display_name: 'Bob the painter' }))
const pages = beforehand(() => reader(w, hilda.headers.cookie))

/** What the agent does with the current order. */
async function does(order: { id: string }, action: string, fields: object = {}): Promise<void> {
  const { version } = (await bob.get(`/human-orders/${order.id}`)).body.order
  const body = { operation_id: crypto.randomUUID(), expected_version: version, ...fields }
  const answer = await bob.post(`/human-orders/${order.id}/${action}`, body)
  assert.ok(answer.status < 300, `${action}: ${JSON.stringify(answer.body)}`)
}
const accept = { confirmed_total_minor: 1100 }
const reason = { reason: 'It is a dog' }

interface Order {
  id: string
}

const page = async (order: Order): Promise<PageAnswer> => {
  const shown = await pages.get(`/orders/${order.id}`)
  assert.equal(shown.status, 200)
  assertPage(shown.text, w.service)
  return shown
}

/** Presses a button on the current page of an order, which leads back to it; it then says what was done. */
async function press(order: { id: string }, act: string, typed = {}): Promise<void> {
  const sent = await pages.send(await page(order), `/orders/${order.id}/${act}`, typed)
  assert.equal(sent.status, 303, readable(sent))
  const { location } = sent.headers
  assert.equal(location, `/orders/${order.id}?done=${act}`)
  assert.match((await pages.get(String(location))).text, /<p class="callout" role="status">[^<]+\.<\/p>/)
}

const says = (shown: PageAnswer, ...words: (string | RegExp)[]): void => {
  const text = readable(shown)
  for (const word of words)
    assert.ok(typeof word === 'string' ? text.includes(word) : word.test(text), `${word}: ${text}`)
}

const reviewed = { rating: '5', recommend: 'true', quality: '5', timeliness: '4', communication: '3' }

test('a customer goes from an agent’s page to the review', async () => {
  const profile = await visit(w.url, '/agents/bob', { headers: asBrowser })
  assert.match(profile.text, /href="\/orders\/new\?contractor=bob"/)
  const form = await pages.get('/orders/new?contractor=bob')
  says(form, 'Order work from Bob the painter', 'An AI agent does the work', 'not end-to-end encrypted')
  says(form, 'Nothing is accepted automatically', 'you can dispute')
  assert.doesNotMatch(form.text, /confirmed_total_minor/)

  const typed = { title: 'A portrait', description: 'Of a cat\r\nIn oil', amount: '100', deadline: '2099-01-01T12:00' }
  const priced = await pages.send(form, '/orders/new', typed)
  assert.equal(priced.status, 200)
  assertPage(priced.text, w.service)
  says(priced, 'Fee of this server 10.00 test credits', 'Total 110.00 test credits', 'Left in your wallet 4,890.00')
  assert.match(priced.text, /name="confirmed_total_minor" value="11000">Order for 110.00\u00a0test credits/)
  const ordered = await pages.send(priced, '/orders/new', { confirmed_total_minor: '11000' })
  assert.equal(ordered.status, 303, readable(ordered))
  const path = String(ordered.headers.location)
  const order = { id: path.slice('/orders/'.length) }
  says(
    await page(order),
    'A portrait',
    'Of a cat',
    'Waiting for the agent',
    'Bob the painter',
    'Total 110.00 test credits',
  )
  says(await page(order), 'Deadline Jan 1, 2099, 12:00 PM UTC')

  await does(order, 'accept', { confirmed_total_minor: 11000 })
  says(await page(order), 'Accepted by the agent', 'the total of 110.00 test credits is reserved')
  assert.deepEqual(await money(hilda), [489_000, 11_000])
  await does(order, 'start')
  await does(order, 'updates', { text: `The ears are done\n${hostile}` })
  says(await page(order), 'In progress', '1 progress update', 'The ears are done')
  await does(order, 'deliver', { result_text: 'A cat in oil' })
  says(await page(order), 'Needs your decision', 'A cat in oil', 'Nothing is accepted automatically')
  says(await pages.get('/orders'), 'A portrait', 'Needs your decision', '1 order')
  says(await pages.get('/orders?state=delivered'), 'A portrait')
  const newer = await humanOffer(w, hilda, bob, { title: 'A newer one' })
  const listed = await pages.get('/orders')
  says(listed, /needs your decision A portrait[\s\S]*Other orders A newer one/)
  assert.deepEqual(
    [...listed.text.matchAll(/href="\/orders\?state=(\w+)"/g)].map(([, state]) => state),
    ['offered', 'delivered'],
  )
  await press(newer, 'cancel')
  const complete =
    /<div class="act main" id="complete"><form [\s\S]*?<h3>Accept the work and pay<\/h3>[\s\S]*?>Accept and pay 110\.00\u00a0test credits<\/button>/
  assert.match((await page(order)).text, complete, 'the button is seen at once')
  says(await pages.get('/orders?state=disputed'), 'No orders with this status')

  assert.ok(!hasForm(await page(order), `${path}/reviews`))
  await press(order, 'complete')
  assert.deepEqual(await money(hilda), [489_000, 0])
  says(await page(order), 'Completed', 'was paid 100.00 test credits')

  const bare = await pages.send(await page(order), `${path}/reviews`, { text: `Fine\n${hostile}` })
  assert.equal(bare.status, 400)
  assertPage(bare.text, w.service)
  says(bare, 'Choose 1 to 5.', 'Choose yes or no.', 'Fine')
  const unconfirmed = await pages.send(bare, `${path}/reviews`, reviewed)
  assert.equal(unconfirmed.status, 400)
  says(unconfirmed, 'Agree to this to send the review')
  const sent = await pages.send(unconfirmed, `${path}/reviews`, { publication_confirmed: 'true' })
  assert.equal(sent.status, 303, readable(sent))
  const after = await page(order)
  says(after, '5 of 5', 'Recommended', 'The text is waiting for a moderator', 'Others can read it once')
  assert.ok(!hasForm(after, `${path}/reviews`))

  const mia = await w.agent('mia')
  await appoint(w, mia, 'moderator')
  const { cases } = (await mia.get('/staff/moderation?kind=review')).body
  const decided = await mia.post(`/staff/moderation/${cases[0].id}/decide`, {
    operation_id: crypto.randomUUID(),
    expected_version: cases[0].version,
    decision: 'reject',
    reason_code: 'abuse',
    reason: `Not so loud ${hostile}`,
  })
  assert.equal(decided.status, 200, JSON.stringify(decided.body))
  says(await page(order), 'A moderator has withheld the text', 'Not so loud')
})

test('an order is cancelled, and another is declined', async () => {
  const first = await humanOffer(w, hilda, bob)
  await press(first, 'cancel')
  says(await page(first), 'Cancelled', 'Nothing was paid')
  const told = /role="status"/
  assert.match((await pages.get(`/orders/${first.id}?done=cancel`)).text, told)
  for (const done of ['complete', 'offer', 'toString', ''])
    assert.doesNotMatch((await pages.get(`/orders/${first.id}?done=${done}`)).text, told, 'what nobody did is not said')
  const second = await humanOffer(w, hilda, bob)
  await does(second, 'reject')
  says(await page(second), 'Declined', 'Bob the painter has declined the order')
  assert.doesNotMatch((await page(second)).text, /<main[\s\S]*<details/)
})

test('an agent proposes a refund, and the customer accepts it', async () => {
  const order = await humanOffer(w, hilda, bob)
  await does(order, 'accept', accept)
  await does(order, 'propose-refund', { reason: `I cannot ${hostile}` })
  says(await page(order), 'Needs your decision', 'proposes a full refund', 'I cannot')
  await press(order, 'approve-refund')
  says(await page(order), 'Refunded', 'was returned to your wallet', 'Full refund')
})

test('a dispute shows its reason, its deadlines, support, and the decision', async () => {
  const order = await humanOffer(w, hilda, bob)
  await does(order, 'accept', accept)
  await does(order, 'deliver', { result_text: 'A dog' })
  await press(order, 'dispute', reason)
  says(await page(order), 'Disputed', 'It is a dog', 'Between you and the agent', 'Support decides after')
  w.travel(hours(48))
  await escalateDue(w.service)
  says(await page(order), 'Support is deciding', 'Support asked', 'Support asked to decide This server')
  assert.doesNotMatch((await page(order)).text, /<main[\s\S]*<details/)
  const sue = await w.agent('sue')
  await appoint(w, sue, 'support')
  const decided = await decide(sue, order, { decision: 'resume', reason: 'Look again' })
  assert.equal(decided.status, 200, JSON.stringify(decided.body))
  const shown = await page(order)
  says(shown, 'Delivered', 'Needs your decision', 'The order continues', 'Look again')
  assert.doesNotMatch(shown.text, /sue/)
  await press(order, 'dispute', reason)
  await press(order, 'escalate-dispute', { reason: 'Please look' })
  says(await page(order), 'Support is deciding', 'Please look')
})

test('what needs a decision comes first, the longest waiting on top, and each order once', async () => {
  const greta = await customer(w, 'Greta')
  const own = reader(w, greta.headers.cookie)
  const orders = []
  for (const title of ['Oldest', 'Refund', 'Running', 'Newest'])
    orders.push(await humanOffer(w, greta, bob, { title, description: 'x' }))
  const [oldest, refund, running] = orders as [Order, Order, Order]
  for (const each of [oldest, refund, running]) await does(each, 'accept', accept)
  const titles = async (path = '/orders') => {
    const { text, status } = await own.get(path)
    assert.equal(status, 200)
    assertPage(text, w.service)
    return [...text.matchAll(/<h(\d) dir="auto"><a href="\/orders\/[^"]+">([^<]+)/g)].map(
      ([, level = '', title = '']) => level + title,
    )
  }
  assert.deepEqual(await titles(), ['2Newest', '2Running', '2Refund', '2Oldest'])
  await does(refund, 'propose-refund', reason)
  w.travel(hours(1))
  await does(oldest, 'deliver', { result_text: 'Here' })
  assert.deepEqual(await titles(), ['3Refund', '3Oldest', '3Newest', '3Running'])
  says(await own.get('/orders'), '4 orders', '2 orders need your decision', 'Other orders')
  assert.deepEqual(await titles('/orders?state=delivered'), ['2Oldest'])
  assert.equal((await own.get('/orders?page=2')).status, 404)
  const complete = `/orders/${oldest.id}/complete`
  const delivered = await own.get(`/orders/${oldest.id}`)
  says(delivered, 'Accept and pay 11.00 test credits')
  assert.equal((await own.send(delivered, complete)).status, 303)
  assert.deepEqual(await titles(), ['3Refund', '3Newest', '3Running', '3Oldest'])
  // A dispute of the customer's own waits for the agent, and one that support has for support.
  assert.equal(
    (await own.send(await own.get(`/orders/${running.id}`), `/orders/${running.id}/dispute`, reason)).status,
    303,
  )
  assert.deepEqual((await titles())[0], '3Refund')
  says(await own.get('/orders'), '1 order needs your decision')
})

test('double-clicking pays once; a stale page is refused with an explanation and the current order', async () => {
  const order = await humanOffer(w, hilda, bob)
  const stale = await page(order)
  await does(order, 'accept', accept)
  const path = `/orders/${order.id}`
  const late = await pages.send(stale, `${path}/cancel`)
  assert.equal(late.status, 409)
  assertPage(late.text, w.service)
  says(late, 'Something changed since you opened this page', 'Accepted by the agent')
  await does(order, 'deliver', { result_text: 'A cat' })
  const before = await page(order)
  const [available, reserved] = await money(hilda)
  const answers = await Promise.all(Array.from({ length: 20 }, () => pages.send(before, `${path}/complete`)))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([303]))
  assert.deepEqual(await money(hilda), [available, reserved - 1100])
  const other = await pages.send(before, `${path}/dispute`, reason)
  assert.equal(other.status, 409)
  says(other, 'Something changed since', 'Completed')
})

test('a missing or long reason is explained beside it, and the input is kept', async () => {
  const order = await humanOffer(w, hilda, bob)
  await does(order, 'accept', accept)
  const path = `/orders/${order.id}/dispute`
  for (const [typed, status] of [
    ['', 400],
    ['   ', 400],
    ['ж'.repeat(2001), 400],
    ['ж'.repeat(2000), 303],
  ] as const) {
    const sent = await pages.send(await page(order), path, { reason: typed })
    assert.equal(sent.status, status, `${typed.length}`)
    if (status === 303) continue
    says(sent, 'Enter a reason of at most 2,000 characters')
    assert.match(sent.text, /<details class="act" id="dispute" open>/)
    assert.ok(sent.text.includes(`>\n${typed}</textarea>`))
    assertPage(sent.text, w.service)
  }
})

test("another customer's or a missing order is the 404 page; signed out leads to sign-in", async () => {
  const order = await humanOffer(w, hilda, bob)
  const otto = reader(w, (await customer(w, 'Otto')).headers.cookie)
  const path = `/orders/${order.id}`
  const mine = await page(order)
  for (const each of [path, '/orders/x', `/orders/${crypto.randomUUID()}`, '/orders?state=x', '/orders?page=2']) {
    assert.equal((await otto.get(each)).status, 404, each)
  }
  assert.equal((await pages.get(`${path}?before=x`)).status, 404)
  assert.equal((await pages.get(`${path}?before=${crypto.randomUUID()}`)).status, 404)
  const own = await otto.get('/orders/new?contractor=bob')
  const token = /name="csrf_token" value="([^"]+)"/.exec(own.text)?.[1] as string
  const foreign = await otto.post(`${path}/cancel`, [
    ['csrf_token', token],
    ['operation_id', crypto.randomUUID()],
    ['expected_version', '1'],
  ])
  assert.equal(foreign.status, 404)
  says(await otto.get('/orders'), 'No orders yet', 'Find an agent')

  const nobody = reader(w, undefined)
  for (const each of ['/orders', path, '/orders/new?contractor=bob']) {
    const led = await nobody.get(each)
    assert.deepEqual([led.status, led.headers.location], [303, `/sign-in?${new URLSearchParams({ to: each })}`])
  }
  const sent = await nobody.send(mine, `${path}/cancel`)
  assert.deepEqual([sent.status, sent.headers.location], [303, '/sign-in'])
  const forged = await pages.send(mine, `${path}/cancel`, { csrf_token: token })
  assert.notEqual(forged.status, 303)
  const elsewhere = await visit(w.url, `${path}/cancel`, {
    method: 'POST',
    headers: { ...hilda.headers, 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.example' },
    body: '',
  })
  assert.equal(elsewhere.status, 403)
  says(await page(order), 'Waiting for the agent')
})

test('an expired offer, or one beyond the balance, says so', async () => {
  const deadline = new Date(w.now().getTime() + hours(1)).toISOString()
  const short = await humanOffer(w, hilda, bob, { amount_minor: 600_000 })
  says(await page(short), 'cannot accept until you have 6,600.00 test credits')
  const late = await humanOffer(w, hilda, bob, { deadline })
  w.travel(days(1))
  says(await page(late), 'The deadline has passed')
})

test('while its agent cannot accept, a waiting order says so', async () => {
  const order = await humanOffer(w, hilda, bob)
  says(await page(order), 'Waiting for Bob the painter')
  await w.operator('agent', 'suspend', 'bob', '--reason', 'Paint')
  says(await page(order), /Bob the painter cannot accept orders at the moment\. You can wait, or cancel/)
  assert.ok(hasForm(await page(order), `/orders/${order.id}/cancel`))
  const headers = { ...hilda.headers, 'accept-language': 'ru' }
  assert.match((await visit(w.url, `/orders/${order.id}`, { headers })).text, /сейчас не может принимать заказы/)
  await w.operator('agent', 'restore', 'bob', '--reason', 'Dry')
  says(await page(order), 'Waiting for Bob the painter')
})

test('a long log has pages, and an agent with a closed profile is named without a link', async () => {
  const order = await humanOffer(w, hilda, bob)
  await does(order, 'accept', accept)
  for (let at = 1; at <= 21; at++) await does(order, 'updates', { text: `Stroke number ${at}.` })
  const newest = await page(order)
  says(newest, '21 progress updates', 'Stroke number 21.', 'Older')
  assert.ok(!readable(newest).includes('Stroke number 1.'))
  const [, next] = /href="(\/orders\/[^"]+before=[^"#]+)#log"/.exec(newest.text) as unknown as [string, string]
  const older = await pages.get(next)
  assertPage(older.text, w.service)
  says(older, 'Stroke number 1.', 'Newest')
  assert.match(newest.text, /href="\/agents\/bob"/)
  await bob.patch('/bots/me', { profile_public: false })
  assert.doesNotMatch((await page(order)).text, /href="\/agents\/bob"/)
  await bob.patch('/bots/me', { profile_public: true })
})
