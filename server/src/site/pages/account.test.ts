// What a customer does with the account and the wallet on the site, up to the end of them, and how emails about orders are ended.
// docs/contract/site.md#customers.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { type Customer, humanOffer } from '../../../test/customers.ts'
import { type SignedIn, signIn } from '../../../test/humans.ts'
import { asBrowser, hostile, sendForm, visit } from '../../../test/pages.ts'
import { story } from '../../../test/story.ts'
import { openTab, type Tab } from '../../../test/tab.ts'
import { code } from '../../../test/world.ts'
import { minutes } from '../../kernel/clock.ts'
import { unsubscribePath } from '../../modules/humans/unsubscribe.ts'
import { grant } from '../../modules/wallet/wallet.ts'

const { w } = story()

/** A browser of somebody who has just signed in, at a page. */
async function tabOf(email: string, path: string): Promise<Tab & { who: SignedIn }> {
  const who = await signIn(w, email, { display_name: 'Hilda' })
  const tab = openTab(w, who.headers.cookie)
  await tab.go(path)
  return Object.assign(Object.create(tab), { who })
}

/** As a side of orders. */
const partyOf = (who: SignedIn): Customer => ({
  ...who,
  handle: 'hilda',
  get: (path) => who.request('GET', path),
  post: (path, json) => who.request('POST', path, { json }),
  patch: (path, json) => who.request('PATCH', path, { json }),
})

const me = async ({ who }: { who: SignedIn }) => (await who.request('GET', '/human/me')).body.human

test('a name is saved, and an invalid one is refused beside its field', async () => {
  const tab = await tabOf('name@example.org', '/account')
  assert.match(tab.text, /name@example\.org/)
  for (const bad of ['', ' ', 'x'.repeat(81), 'a\u202eb', 'Kith operator']) {
    assert.equal((await tab.press('Save name', { display_name: bad })).status, 400, bad)
    assert.match(tab.text, /Enter one line of 1 to 80 visible characters/)
    assert.equal(tab.form('Save name').fields['display_name'], bad)
  }
  assert.equal((await me(tab)).display_name, 'Hilda')
  await tab.press('Save name', { display_name: hostile.slice(0, 80) })
  assert.equal(tab.path, '/account?done=name')
  assert.match(tab.text, /Name saved/)
  assert.equal((await me(tab)).display_name, hostile.slice(0, 80))
  for (const action of ['', 'constructor', 'email']) {
    assert.equal((await tab.press('Save name', { action })).status, 404, action)
    await tab.go('/account')
  }
})

test('the header names who is signed in; to a customer without a name it only leads to the orders', async () => {
  const header = async (cookie: string, language: string): Promise<string> => {
    const { text } = await visit(w.url, `/agents?lang=${language}`, { headers: { ...asBrowser, cookie } })
    return /<a class="mine" href="\/orders">.*?<\/svg>(.*?)<\/a>/.exec(text)?.[1] ?? assert.fail(text)
  }
  const { headers: named } = await signIn(w, 'named@example.org', { display_name: 'Hilda' })
  const { headers: nameless } = await signIn(w, 'nameless@example.org', {})
  assert.equal(await header(named.cookie, 'ru'), '<bdi>Hilda</bdi><span class="heard"> · Мои заказы</span>')
  assert.equal(await header(nameless.cookie, 'en'), '<span>My orders</span>')
  assert.equal(await header(nameless.cookie, 'ru'), '<span>Мои заказы</span>')
})

test('emails about orders are turned off and on again; each button says what it does', async () => {
  const tab = await tabOf('notices@example.org', '/account')
  const off = tab.form('Turn off order emails')
  await tab.press('Turn off order emails')
  assert.match(tab.text, /You will no longer get emails about orders/)
  assert.equal((await me(tab)).notices, false)
  assert.equal((await tab.send(off.action, off.fields)).status, 303, 'a second tab that shows how it was')
  assert.equal((await me(tab)).notices, false)
  await tab.press('Turn on order emails')
  assert.equal((await me(tab)).notices, true)
})

test('signing out ends this browser’s session; signing out everywhere ends all', async () => {
  const one = await tabOf('out@example.org', '/account')
  w.travel(minutes(2))
  const two = await tabOf('out@example.org', '/wallet')
  w.travel(minutes(2))
  const three = await tabOf('out@example.org', '/account')
  assert.match(three.text, /signed in with 3 browsers/)
  const form = one.form('Save name')
  await one.press('Sign out')
  assert.deepEqual([one.path, one.cookie], ['/sign-in?left=here', ''])
  assert.match(one.text, /You are signed out of this browser/)
  const late = await one.send(form.action, { ...form.fields, display_name: '' })
  assert.deepEqual([late.status, late.headers.location], [303, '/sign-in'], 'nothing was typed')
  // The cookie is worth nothing, whoever kept it.
  const thief = openTab(w, one.who.headers.cookie)
  await thief.go('/wallet')
  assert.equal(thief.path, '/sign-in?to=%2Fwallet')

  await three.press('Sign out everywhere')
  assert.deepEqual([three.path, three.cookie], ['/sign-in?left=everywhere', ''])
  await two.go('/wallet')
  assert.equal(two.path, '/sign-in?to=%2Fwallet')
})

test('the wallet shows its balances, and every change in pages of twenty', async () => {
  const tab = await tabOf('wallet@example.org', '/wallet')
  const bob = await w.agent('bob')
  const order = await humanOffer(w, partyOf(tab.who), bob)
  const json = { operation_id: randomUUID(), expected_version: 1, confirmed_total_minor: 1100 }
  assert.equal((await bob.post(`/human-orders/${order.id}/accept`, json)).status, 200)
  for (let more = 0; more < 24; more++) {
    const note = `${more} ${hostile}`
    await w.service.sql.transaction((tx) => grant(tx, tab.who.id, { kind: 'grant', amount: 100, note }))
  }
  await tab.go('/wallet')
  assert.match(tab.text, /Available 5,013\.00 test credits .* Reserved 11\.00 test credits .* Granted 5,024\.00/)
  assert.match(tab.text, /Test credits are not money/)
  const lines = (): number => [...tab.page.text.matchAll(/class="ledger-amounts"/g)].length
  const seen = [lines()]
  for (let next = linkTo('Older', tab); next !== undefined; next = linkTo('Older', tab)) {
    await tab.go(next)
    seen.push(lines())
  }
  assert.deepEqual(seen, [20, 6])
  assert.match(
    tab.text,
    /Reserved for an order: A portrait .* -11\.00 test credits .* Granted by this server Starting grant .* \+5,000\.00/,
  )
  assert.match(tab.page.text, new RegExp(`href="/orders/${order.id}"`))
  assert.doesNotMatch(tab.text, /Available/)
  assert.equal(linkTo('Newest', tab), '/wallet')
  await tab.go(`${tab.path}&lang=ru`)
  assert.match(tab.text, /Стартовое начисление/)
  const other = await signIn(w, 'poor@example.org')
  const { entries } = (await other.request('GET', '/human/wallet/history')).body
  assert.equal((await tab.go(`/wallet?before=${entries[0].id}`)).status, 404, 'an entry of somebody else')
})

const linkTo = (name: string, { page }: Tab): string | undefined =>
  new RegExp(`href="([^"]*)">${name}</a>`).exec(page.text)?.[1]

test('a link downloads the customer’s data', async () => {
  const tab = await tabOf('data@example.org', '/account')
  assert.match(tab.page.text, /href="\/api\/v1\/human\/export"/)
  const answer = await visit(w.url, '/api/v1/human/export', { headers: { ...asBrowser, cookie: tab.cookie } })
  assert.equal(answer.status, 200)
  assert.match(String(answer.headers['content-disposition']), /^attachment/)
  assert.equal(JSON.parse(answer.text).account.email, 'data@example.org')
})

test('an account can be closed once no order is open, after confirming what will be deleted', async () => {
  const ann = await w.agent('ann')
  const tab = await tabOf('close@example.org', '/account')
  const { who } = tab
  const before = openTab(w, who.headers.cookie)
  await before.go('/account/close')
  const order = await humanOffer(w, partyOf(who), ann)
  await tab.go('/account/close')
  assert.match(tab.text, /What is deleted .* What is kept, without your name and address .* 1 order is still open/)
  assert.match(tab.page.text, /href="\/orders"/)
  assert.doesNotMatch(tab.page.text, /Close my account</)
  assert.equal((await before.press('Close my account', { confirmed: 'true' })).status, 409)
  assert.match(before.text, /1 order is still open/)
  const json = { operation_id: randomUUID(), expected_version: order.version }
  assert.equal(code(await who.request('POST', `/human/orders/${order.id}/cancel`, { json })), '200')

  await tab.go('/account/close')
  assert.equal((await tab.press('Close my account')).status, 400)
  assert.match(tab.text, /Tick the box to confirm/)
  const { action, fields } = tab.form('Close my account')
  const [twin, stale] = [openTab(w, who.headers.cookie), openTab(w, who.headers.cookie)]
  await stale.go('/account')
  const sent = await Promise.all([tab, twin].map((each) => each.send(action, { ...fields, confirmed: 'true' })))
  for (const each of sent) {
    assert.equal(each.status, 303)
    assert.match(String(each.headers.location), /^\/(account\/closed|sign-in)$/)
  }
  const led = sent.find(({ headers }) => headers.location === '/account/closed')
  assert.deepEqual(led?.headers['set-cookie'], ['kith_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax'])
  await tab.go('/account/closed')
  assert.match(tab.text, /Your account is closed/)
  await stale.go('/wallet')
  assert.equal(stale.path, '/sign-in?to=%2Fwallet')

  w.travel(minutes(2))
  const again = await tabOf('close@example.org', '/wallet')
  assert.notEqual(again.who.id, who.id)
  assert.match(again.text, /Available 0\.00 test credits/)
})

test('the link in an email unsubscribes from order emails, for a person or a mail program, any number of times', async () => {
  const tab = await tabOf('link@example.org', '/account')
  const path = unsubscribePath(w.service, tab.who.id)
  const shown = await visit(w.url, path)
  assert.equal(shown.status, 200)
  assert.match(shown.text, /You still get sign-in codes/)
  assert.equal((await me(tab)).notices, true, 'a scanner of emails that looks changes nothing')
  const boundary = 'mail-program'
  const multipart = `--${boundary}\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--${boundary}--\r\n`
  for (const [body, headers] of [
    ['', { origin: 'null', 'sec-fetch-site': 'same-origin' }],
    ['List-Unsubscribe=One-Click', { accept: '*/*' }],
    [multipart, { 'content-type': `multipart/form-data; boundary=${boundary}`, accept: '*/*' }],
  ] as [string, Record<string, string>][]) {
    await tab.who.request('PATCH', '/human/me', { json: { notices: true } })
    for (const _time of ['once', 'again']) {
      const answer = await sendForm(w.url, path, { body, headers })
      assert.equal(answer.status, 200, JSON.stringify(headers))
      assert.match(answer.text, /You will no longer get order emails/)
      assert.equal((await me(tab)).notices, false)
    }
  }
  const long = { 'content-type': `multipart/form-data; boundary=${boundary}` }
  assert.equal((await sendForm(w.url, path, { body: multipart + 'x'.repeat(1024), headers: long })).status, 413)
  // The last two bits of its last character say nothing.
  const changed = `${path.slice(0, -1)}${path.endsWith('A') ? 'E' : 'A'}`
  for (const bad of [changed, '/unsubscribe/x']) {
    assert.equal((await visit(w.url, bad)).status, 404, bad)
    assert.equal((await sendForm(w.url, bad, { body: 'List-Unsubscribe=One-Click' })).status, 404, bad)
  }
  await tab.go('/account/close')
  await tab.press('Close my account', { confirmed: 'true' })
  assert.equal(tab.path, '/account/closed')
  assert.equal((await sendForm(w.url, path)).status, 200, 'of a closed account nothing comes in any case')
})
