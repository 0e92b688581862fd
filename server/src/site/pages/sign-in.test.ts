// People sign in on the site, with whatever they do to its forms. docs/contract/site.md#signing-in.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hostile, leadsInOtherLanguage, type PageAnswer } from '../../../test/pages.ts'
import { story } from '../../../test/story.ts'
import { openTab, type Tab } from '../../../test/tab.ts'
import { eventually } from '../../../test/world.ts'
import { days, hours, minutes, seconds } from '../../kernel/clock.ts'
import { signInPath } from '../view.ts'

const { w } = story()

const send = 'Send code'
const again = 'Send new code'
const enter = 'Sign in'
const accepted = { documents_confirmed: 'true' }

const wrongCode = (code: string): string => (code === '000000' ? '000001' : '000000')

const mailed = async (email: string): Promise<string[]> =>
  (await w.mails(email)).flatMap(({ code }) => (code === undefined ? [] : [code]))

/** The code that the last form asked for. */
const codeTo = (email: string, earlier = 0): Promise<string> =>
  eventually(async () => (await mailed(email)).slice(earlier).at(-1), `a code to ${email}`)

/** Asks for a code on the page, and reads it. */
async function ask(tab: Tab, email: string, at = '/sign-in'): Promise<string> {
  const before = (await mailed(email)).length
  await tab.go(at)
  const answer = await tab.press(send, { email })
  assert.equal(answer.status, 200, tab.text)
  return codeTo(email, before)
}

const sessionsOf = (email: string) =>
  w.sql<{ ended_at: Date | null }>`
    select s.ended_at from human_sessions s join humans h on h.id = s.human_id where h.email = ${email}`

test('Hilda signs in for the first time, on her way to a customer page', async () => {
  const tab = openTab(w)
  await tab.go('/wallet')
  assert.equal(tab.path, '/sign-in?to=%2Fwallet')
  assert.match(tab.text, /5,000\.00 test credits/)
  assert.equal(tab.cookie, '', 'nothing is kept of who only looks')
  await tab.press(send, { email: ' Hilda@Example.org ' })
  assert.match(tab.text, /on its way to Hilda@Example\.org/)
  assert.match(tab.page.text, /href="\/sign-in\?to=%2Fwallet">Use another address/)
  assert.match(tab.page.text, /name="code"[^>]* autocomplete="one-time-code"[^>]* inputmode="numeric"/)
  assert.match(tab.page.text, /<div class="paper-text prose" lang="en">\s*<h2/, 'one level below the title of the page')
  for (const each of ['Terms of use', 'Privacy notice', 'Rules for agents']) assert.match(tab.text, new RegExp(each))
  const code = await codeTo('hilda@example.org')

  const early = await tab.press(enter, { code, display_name: 'Hilda' })
  assert.equal(early.status, 400)
  assert.match(tab.text, /Accept this to sign in for the first time\. Your code is still valid/)
  const { fields } = tab.form(enter)
  assert.deepEqual([fields['code'], fields['display_name'], fields['to']], [code, 'Hilda', '/wallet'])
  await tab.press(enter, { ...accepted, code: ` ${code.slice(0, 3)} ${code.slice(3)} ` })
  assert.equal(tab.path, '/wallet')
  assert.match(tab.text, /Available 5,000\.00 test credits/)
  assert.match(tab.cookie, /^kith_session=[\w-]{43}$/)
  const cookie = tab.cookie
  await tab.go('/account')
  assert.equal(tab.form('Save name').fields['display_name'], 'Hilda')

  await tab.go('/sign-in?to=%2Faccount')
  assert.deepEqual([tab.path, tab.cookie], ['/account', cookie], 'whoever is signed in already is led on')
})

test('a later sign-in needs only the code, and does not change the name', async () => {
  w.travel(minutes(2))
  const tab = openTab(w)
  const code = await ask(tab, 'hilda@example.org', '/sign-in?to=%2Faccount')
  await tab.press(enter, { code, display_name: 'Somebody else' })
  assert.equal(tab.path, '/account')
  assert.equal(tab.form('Save name').fields['display_name'], 'Hilda')
  assert.match(tab.text, /signed in with 2 browsers/)
})

test('no page reveals whether an email has an account', async () => {
  w.travel(minutes(2))
  const plain = ({ text }: PageAnswer): string =>
    text
      .replace(/[a-z]+@example\.org/g, 'EMAIL')
      .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
      .replace(/value="\d{6}"/g, 'CODE')
  const [known, unknown] = [openTab(w), openTab(w)]
  const codes = [await ask(known, 'hilda@example.org'), await ask(unknown, 'nobody@example.org')]
  assert.equal(plain(known.page), plain(unknown.page))
  for (const [at, tab] of [known, unknown].entries()) await tab.press(enter, { code: wrongCode(codes[at] as string) })
  assert.equal(plain(known.page), plain(unknown.page))
  for (const tab of [known, unknown]) await tab.press(again)
  assert.deepEqual([known.page.status, plain(known.page)], [429, plain(unknown.page)])
})

test('a wrong code is refused and the input is kept; the fifth ends the sign-in', async () => {
  const tab = openTab(w)
  const code = await ask(tab, 'gus@example.org')
  for (const bad of ['', '12345', '1234567', 'abcdef', hostile.slice(0, 20)]) {
    assert.equal((await tab.press(enter, { ...accepted, code: bad })).status, 400, bad)
    assert.match(tab.text, /Enter the six digits of the code/)
    assert.equal(tab.form(enter).fields['code'], bad)
  }
  for (let guess = 0; guess < 5; guess++) {
    const answer = await tab.press(enter, { ...accepted, code: wrongCode(code), display_name: 'Gus' })
    assert.equal(answer.status, 400)
    assert.match(tab.text, /This code is wrong or has expired/)
    const { fields } = tab.form(enter)
    assert.deepEqual([fields['display_name'], fields['documents_confirmed']], ['Gus', 'true'])
  }
  assert.equal((await tab.press(enter, { ...accepted, code })).status, 400)
  assert.deepEqual(await sessionsOf('gus@example.org'), [])
  assert.equal(tab.cookie, '')
  for (const challenge_id of ['', 'x', '00000000-0000-0000-0000-000000000000', hostile]) {
    assert.equal((await tab.press(enter, { ...accepted, code, challenge_id })).status, 400, challenge_id)
  }
})

test('an invalid name is refused beside its field, and the code stays valid', async () => {
  const tab = openTab(w)
  const code = await ask(tab, 'names@example.org')
  for (const bad of ['\u200b', 'x'.repeat(81), 'a\u202eb', 'Кith Support']) {
    assert.equal((await tab.press(enter, { ...accepted, code, display_name: bad })).status, 400, bad)
    assert.match(tab.text, /Use one line of at most 80 visible characters/)
  }
  await tab.press(enter, { ...accepted, code, display_name: hostile.slice(0, 80) })
  await tab.go('/account')
  assert.equal(tab.form('Save name').fields['display_name'], hostile.slice(0, 80))
})

test('an invalid email is refused beside its field, and shown as it was typed', async () => {
  const tab = openTab(w)
  await tab.go('/sign-in')
  for (const bad of ['', 'x', 'hilda@', `${hostile}@example.org`, 'hilda@example.org,gus@example.org']) {
    assert.equal((await tab.press(send, { email: bad })).status, 400, bad)
    assert.match(tab.text, /Enter a valid email address/)
    assert.equal(tab.form(send).fields['email'], bad)
  }
})

test('another code is sent a minute later and replaces the first; after ten a day the page says when', async () => {
  const tab = openTab(w)
  const first = await ask(tab, 'ida@example.org', '/sign-in?to=%2Fwallet')
  const early = await tab.press(again)
  assert.deepEqual([early.status, early.headers['retry-after']], [429, '60'])
  assert.match(tab.text, /Try again in 1 minute\./)
  assert.equal(tab.form(enter).fields['to'], '/wallet', 'the code that came can still be typed')
  assert.equal(leadsInOtherLanguage(early.text), '/sign-in?to=%2Fwallet')
  w.travel(seconds(60))
  assert.equal((await tab.press(again)).status, 200)
  const second = await codeTo('ida@example.org', 1)
  if (first !== second) assert.equal((await tab.press(enter, { ...accepted, code: first })).status, 400)
  for (let more = 2; more < 10; more++) {
    w.travel(seconds(60))
    assert.equal((await tab.press(again)).status, 200, String(more))
  }
  w.travel(seconds(60))
  assert.equal((await tab.press(again)).status, 429)
  assert.match(tab.text, /Try again in 24 hours\./)
  const last = await codeTo('ida@example.org', 9)
  await tab.press(enter, { ...accepted, code: last })
  assert.equal(tab.path, '/wallet')
  w.travel(days(1))
})

test('codes are limited per address and hour', async () => {
  const node = await w.node({ REGISTRATION_LIMIT_PER_HOUR: '2' })
  const tab = openTab(node)
  await tab.go('/sign-in')
  for (const [email, status] of [
    ['one@example.org', 200],
    ['two@example.org', 200],
    ['three@example.org', 429],
  ] as const) {
    await tab.go('/sign-in')
    assert.equal((await tab.press(send, { email })).status, status)
  }
  assert.match(tab.text, /Too many codes were requested\. Try again in \d+ minutes/)
  assert.equal(tab.form(send).fields['email'], 'three@example.org')
})

test('a double submission acts once', async () => {
  const email = 'kim@example.org'
  const tab = openTab(w)
  await tab.go('/sign-in?to=%2Fwallet')
  const { action, fields } = tab.form(send)
  const asked = await Promise.all(Array.from({ length: 20 }, () => tab.send(action, { ...fields, email })))
  const challenges = asked.map(
    ({ status, text }) => `${status} ${/name="challenge_id" value="([^"]*)"/.exec(text)?.[1]}`,
  )
  assert.deepEqual(new Set(challenges), new Set([challenges[0]]))
  assert.match(challenges[0] as string, /^200 [0-9a-f-]{36}$/)
  const code = await codeTo(email)
  assert.deepEqual(await mailed(email), [code])
  const later = openTab(w)
  await later.go('/sign-in')
  assert.equal((await later.press(send, { email })).status, 429, 'another page asks anew')

  const [challenge_id = ''] = /[0-9a-f-]{36}$/.exec(challenges[0] as string) ?? []
  const form = { ...fields, ...accepted, email, challenge_id, code }
  const sent = await Promise.all(Array.from({ length: 20 }, () => tab.send(action, form)))
  assert.deepEqual(
    new Set(sent.map(({ status, headers }) => `${status} ${headers.location}`)),
    new Set(['303 /wallet']),
  )
  assert.equal(new Set(sent.map(({ headers }) => String(headers['set-cookie']))).size, 1)
  assert.deepEqual((await sessionsOf(email)).length, 1)

  const other = { ...form, operation_id: crypto.randomUUID() }
  assert.equal((await tab.send(action, other)).status, 400, 'a code works once')
  w.travel(minutes(1))
  const late = await tab.send(action, form)
  assert.deepEqual([late.status, late.headers['set-cookie']], [400, undefined])
})

test('signing in never redirects to another site', async () => {
  const code = await ask(openTab(w), 'lea@example.org')
  assert.match(code, /^\d{6}$/)
  const targets = [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/%09/evil.example\n',
    'wallet',
    'javascript:1',
  ]
  for (const to of targets) {
    const tab = openTab(w)
    await tab.go(signInPath(to))
    assert.equal(tab.form(send).fields['to'], undefined, to)
    assert.ok(!tab.page.text.includes('evil.example/') || to.startsWith('/%09'), to)
  }
  w.travel(minutes(2))
  const tab = openTab(w)
  const next = await ask(tab, 'lea@example.org')
  await tab.press(enter, { ...accepted, code: next, to: '//evil.example' })
  assert.equal(tab.path, '/orders')
  for (const to of targets) {
    await tab.go(signInPath(to))
    assert.match(tab.path, /^\/(orders|%09\/)/, to)
  }
})

test('when two tabs sign in, the second is told that the first one did', async () => {
  const one = openTab(w)
  const code = await ask(one, 'mia@example.org', '/sign-in?to=%2Fwallet')
  const stale = one.form(enter)
  await one.press(enter, { ...accepted, code })
  assert.equal(one.path, '/wallet')
  const answer = await one.send(stale.action, { ...stale.fields, ...accepted, code })
  assert.equal(answer.status, 403)
  assert.match(answer.text, /class="button" href="\/wallet"/)
  assert.equal(answer.headers['set-cookie'], undefined)
})

test('a server that sends no emails says so', async () => {
  const silent = await w.node({ MAIL_URL: 'none' })
  const tab = openTab(silent)
  assert.equal((await tab.go('/sign-in')).status, 503)
  assert.match(tab.text, /This server cannot send emails at present/)
  assert.doesNotMatch(tab.page.text, /name="email"/)
  const sent = await tab.send('/sign-in', { email: 'hilda@example.org' })
  assert.equal(sent.status, 503)
  assert.match(sent.text, /This server cannot send emails at present/)
  w.travel(hours(1))
})
