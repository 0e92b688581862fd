// How somebody comes into the console, and how nobody does.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPasskey, usePasskey } from '../../test/authenticator.ts'
import { type Browsing, browsing, linkFor, operatorWithPasskey, optionsOf } from '../../test/console.ts'
import { type PageAnswer, sendForm, visit } from '../../test/pages.ts'
import { pluck } from '../../test/pluck.ts'
import { story } from '../../test/story.ts'
import { hours, minutes, seconds } from '../kernel/clock.ts'
import { entries } from '../store/audit.ts'

const { w } = story({ env: { TRUSTED_PROXIES: '127.0.0.0/8' } })

/** Each story has an operator of its own, and an hour: what failed in one is not counted in the next. */
let number = 0
const somebody = (): string => {
  w.travel(hours(1))
  return `op${++number}@operators.example`
}
const leadsTo = ({ status, headers }: PageAnswer): string => `${status} ${headers.location ?? ''}`.trim()
const twenty = <T>(attempt: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: 20 }, attempt))
const isIn = async (browser: Browsing): Promise<boolean> => (await browser.see('/operator/sessions')).status === 200
const actionsOf = async (email: string): Promise<string[]> =>
  (await entries(w.service.sql, { limit: 100 })).entries
    .filter(({ subject }) => subject === email)
    .map(
      ({ action, actor, details }) =>
        `${action} ${actor.split(':')[1] === email ? 'self' : 'shell'} ${JSON.stringify(details)}`,
    )
    .reverse()

test('a link leads to a passkey, a passkey opens the console, and each step gets a new session', async () => {
  const olga = somebody()
  const browser = browsing(w)
  const link = await linkFor(w, olga)
  const { pathname } = new URL(link)
  // As often as a scanner likes.
  for (const _ of [1, 2, 3]) {
    const page = await browser.see(pathname)
    assert.equal(page.status, 200)
    assert.equal(page.headers['referrer-policy'], 'no-referrer')
    assert.equal(page.headers['set-cookie'], undefined)
  }
  const entered = await browser.enter(link)
  assert.equal(leadsTo(entered), '303 /operator/passkeys')
  assert.match(
    String(entered.headers['set-cookie']),
    /^kith_operator=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
  )
  const byLink = browser.cookie as string
  for (const path of ['/operator', '/operator/sessions']) {
    const { status, headers } = await browser.see(path)
    if (status !== 404) assert.equal(`${status} ${headers.location}`, '303 /operator/passkeys', path)
  }
  assert.equal((await browser.see('/operator/passkeys')).status, 200)
  for (const action of ['rename', 'remove']) {
    const refused = await browser.send('/operator/passkeys', {
      action,
      id: '01890a5d-ac96-774b-bcce-b302099a8057',
      name: 'x',
    })
    assert.equal(refused.status, 403)
  }
  const { sent, passkey } = await browser.addPasskey('My laptop')
  assert.equal(leadsTo(sent), '303 /operator/passkeys?done=added')
  assert.notEqual(browser.cookie, byLink)
  assert.equal(await isIn(browsing(w, { cookie: byLink })), false, 'the session of the link is no more')
  assert.equal(await isIn(browser), true)

  const before = browser.cookie as string
  const left = await browser.send('/operator/sign-out')
  assert.equal(leadsTo(left), '303 /operator/sign-in')
  assert.match(String(left.headers['set-cookie']), /^kith_operator=; Path=\/; Max-Age=0; /)
  assert.equal(await isIn(browsing(w, { cookie: before })), false, 'nor does its cookie open anything for who kept it')

  browser.cookie = undefined
  assert.equal(leadsTo((await browser.signIn(passkey)).sent), '303 /operator')
  assert.equal(await isIn(browser), true)
  assert.deepEqual(await actionsOf(olga), [
    'operator.create shell null',
    'session.begin self {"by":"link"}',
    'passkey.add self {"name":"My laptop"}',
    'session.end self null',
    'session.begin self {"by":"passkey","name":"My laptop"}',
  ])
})

test('a link works once within its ten minutes, even for twenty simultaneous uses', async () => {
  const email = somebody()
  const link = await linkFor(w, email)
  const all = await twenty(() => browsing(w).enter(link))
  assert.deepEqual(all.filter(({ status }) => status === 303).length, 1)
  // Some of the others were told that they failed too often.
  assert.ok(all.every(({ status }) => [303, 404, 429].includes(status)))
  w.travel(minutes(16))
  assert.equal((await browsing(w).enter(link)).status, 404)
  const late = await linkFor(w, email, 'link')
  w.travel(minutes(10) + seconds(1))
  assert.equal((await browsing(w).see(new URL(late).pathname)).status, 404)
  assert.equal((await browsing(w).enter(late)).status, 404)
  const [first, second] = [await linkFor(w, email, 'link'), await linkFor(w, email, 'link')]
  assert.equal((await browsing(w).enter(first)).status, 404)
  assert.equal(leadsTo(await browsing(w).enter(second)), '303 /operator/passkeys')
  const last = await linkFor(w, email, 'link')
  await w.operator('operator', 'remove', email, '--reason', 'left')
  assert.equal((await browsing(w).enter(last)).status, 404)
})

test('every invalid response is refused with the same words', async () => {
  const olga = await operatorWithPasskey(w, somebody())
  const other = await operatorWithPasskey(w, somebody())
  const { passkey } = olga
  const stranger = createPasskey({ challenge: '' }, olga.origin).passkey
  const words = new Set<string>()
  const refused = async (tried: Promise<{ sent: PageAnswer }>, told: string): Promise<void> => {
    const { sent } = await tried
    assert.equal(sent.status, 403, told)
    assert.equal(sent.headers['set-cookie'], undefined, told)
    words.add(/role="alert"[^>]*>([^<]+)</.exec(sent.text)?.[1] ?? '')
    w.travel(minutes(2))
  }
  const fresh = (): Browsing => browsing(w)
  await refused(fresh().signIn(passkey, { origin: 'https://evil.example' }), 'another site')
  await refused(fresh().signIn(passkey, { origin: w.service.publicUrl }), 'the address that is a number')
  await refused(fresh().signIn(passkey, { rpId: 'evil.example' }), 'another relying party')
  await refused(fresh().signIn(passkey, { challenge: 'AAAA' }), 'another challenge')
  await refused(fresh().signIn(passkey, { type: 'webauthn.create' }), 'another ceremony')
  await refused(fresh().signIn(passkey, { flags: 0x01 }), 'nobody knows whose finger')
  await refused(fresh().signIn(passkey, { flags: 0x04 }), 'nobody was there')
  await refused(fresh().signIn(passkey, { key: stranger.key }), 'another key')
  w.travel(minutes(15))
  await refused(fresh().signIn(passkey, { userHandle: other.passkey.userHandle }), 'another operator')
  await refused(fresh().signIn(passkey, { userHandle: '' }), 'no operator')
  await refused(fresh().signIn(passkey, { counter: 1 }), 'a counter that goes back')
  await refused(fresh().signIn(stranger), 'an unknown passkey')
  const adding = optionsOf(await olga.see('/operator/passkeys'))
  await refused(fresh().signIn(passkey, { challenge: adding.challenge }), 'the challenge of a new passkey')
  for (const answer of ['', '{', '[]', 'null', '{"id":1}', 'x'.repeat(16_385)]) {
    await refused(
      fresh()
        .send('/operator/sign-in', { answer })
        .then((sent) => ({ sent })),
      answer.slice(0, 10),
    )
    w.travel(minutes(15))
  }
  assert.deepEqual([...words].length, 1)
  assert.equal(leadsTo((await fresh().signIn(passkey)).sent), '303 /operator', 'and it is still good')
})

test('a response is accepted once, within the five minutes of its challenge', async () => {
  const olga = await operatorWithPasskey(w, somebody())
  const { sent, answer } = await browsing(w).signIn(olga.passkey)
  assert.equal(sent.status, 303)
  assert.equal((await browsing(w).send('/operator/sign-in', { answer })).status, 403)

  const page = await browsing(w).see('/operator/sign-in')
  const { challenge } = optionsOf(page)
  w.travel(minutes(5) + seconds(1))
  assert.equal((await browsing(w).signIn(olga.passkey, { challenge })).sent.status, 403)

  const again = browsing(w)
  const { challenge: shared } = optionsOf(await again.see('/operator/sign-in'))
  const all = await twenty(async () => (await browsing(w).signIn(olga.passkey, { challenge: shared })).sent.status)
  assert.deepEqual(all.filter((status) => status === 303).length, 1, 'of twenty with one challenge one comes in')
})

test('a new passkey belongs to the session that requested it, and to no other', async () => {
  const email = somebody()
  const olga = await operatorWithPasskey(w, email)
  const mallory = await operatorWithPasskey(w, somebody())
  const { challenge } = optionsOf(await olga.see('/operator/passkeys'))
  for (const [twist, told] of [
    [{ challenge }, 'the challenge of another session'],
    [{ origin: 'https://evil.example' }, 'another site'],
    [{ rpId: 'evil.example' }, 'another relying party'],
    [{ flags: 0x01 }, 'nobody knows whose finger'],
    [{ type: 'webauthn.get' }, 'another ceremony'],
    [{ curve: 2 }, 'a key that is none of its curve'],
  ] as const) {
    const { sent } = await mallory.addPasskey('x', twist)
    assert.equal(sent.status, 400, told)
  }
  const { answer, sent } = await olga.addPasskey('Second')
  assert.equal(sent.status, 303)
  assert.equal((await olga.send('/operator/passkeys', { action: 'add', name: 'Again', answer })).status, 400)
  assert.equal((await olga.addPasskey(' ')).sent.status, 400)
  assert.equal((await olga.addPasskey('x'.repeat(61))).sent.status, 400)
  for (let each = 2; each < 10; each++) assert.equal((await olga.addPasskey('x'.repeat(60))).sent.status, 303)
  assert.doesNotMatch((await olga.see('/operator/passkeys')).text, /data-passkey/)
  const [kept] = await w.sql<{ count: number }>`
    select count(*)::int as count from operator_passkeys p join operators o on o.id = p.operator_id where o.email = ${email}`
  assert.equal(kept?.count, 10)
})

test('after ten failures in fifteen minutes the address and the account must wait', async () => {
  const olga = await operatorWithPasskey(w, somebody())
  const fail = async (address: string) =>
    (await browsing(w, { address }).signIn(olga.passkey, { rpId: 'evil.example' })).sent
  for (let each = 0; each < 10; each++) assert.equal((await fail('192.0.2.1')).status, 403)
  const sent = await fail('192.0.2.1')
  assert.equal(sent.status, 429)
  assert.ok(Number(sent.headers['retry-after']) > 0)
  assert.match(sent.text, /role="alert"[^>]*>Too many attempts\. Wait 1[45] minutes/)
  assert.equal((await fail('192.0.2.2')).status, 429, 'the account, wherever it is')
  w.travel(minutes(15))
  assert.equal((await fail('192.0.2.1')).status, 403)
})

test("other people's failures from an address never block a valid link or passkey", async () => {
  const olga = await operatorWithPasskey(w, somebody())
  const link = await linkFor(w, 'late@operators.example')
  const here = { address: '192.0.2.3' }
  const guess = async (n: number) => browsing(w, here).enter(`${w.url}/operator/link/${String(n).padEnd(43, 'A')}`)
  const guesses = []
  for (let each = 0; each < 12; each++) guesses.push(await guess(each))
  assert.deepEqual(pluck(guesses, 'status'), [...Array.from({ length: 10 }, () => 404), 429, 429])
  const last = guesses.at(-1)
  assert.ok(Number(last?.headers['retry-after']) > 0)
  assert.match(last?.text ?? '', /Too many attempts/)
  assert.doesNotMatch(last?.text ?? '', /<form|<script/, 'its page has no script, and nothing to press')
  assert.equal((await browsing(w, here).enter(link)).status, 303)
  assert.equal((await browsing(w, here).enter(link)).status, 429, 'used up, it is one that fails')
  for (let each = 0; each < 11; each++) await browsing(w, here).signIn(olga.passkey, { rpId: 'evil.example' })
  assert.equal((await browsing(w, here).signIn(olga.passkey)).sent.status, 303)
  assert.equal(await isIn(olga), true)
})

test('a session lasts twelve hours, and ends alone or with all others', async () => {
  const olga = await operatorWithPasskey(w, somebody())
  const [here, there, elsewhere] = [browsing(w), browsing(w), browsing(w)]
  for (const each of [here, there, elsewhere]) await each.signIn(olga.passkey)
  const page = await here.see('/operator/sessions')
  const ids = [...page.text.matchAll(/name="id" value="([^"]+)"/g)].map(([, id]) => id as string)
  assert.equal(ids.length, 3, 'each but this one can be ended by itself')
  // The latest first.
  assert.equal(
    leadsTo(await here.send('/operator/sessions', { action: 'end', id: ids[0] as string })),
    '303 /operator/sessions?done=ended',
  )
  assert.deepEqual([await isIn(here), await isIn(there), await isIn(elsewhere)], [true, true, false])
  const stranger = await operatorWithPasskey(w, somebody())
  await stranger.see('/operator/sessions')
  await stranger.send('/operator/sessions', { action: 'end', id: ids[1] as string })
  assert.equal(await isIn(there), true, 'nobody ends what is not theirs')
  assert.equal(leadsTo(await here.send('/operator/sessions', { action: 'end_all' })), '303 /operator/sign-in')
  for (const each of [olga, there]) assert.equal(await isIn(each), false)

  const late = browsing(w)
  await late.signIn(olga.passkey)
  w.travel(hours(12) - minutes(1))
  assert.equal(await isIn(late), true)
  w.travel(minutes(1) + seconds(1))
  assert.equal(await isIn(late), false)
})

test('a passkey is renamed and removed, except the last; its sessions end', async () => {
  const olga = await operatorWithPasskey(w, somebody())
  const second = await olga.addPasskey('Key')
  const byFirst = browsing(w)
  await byFirst.signIn(olga.passkey)
  const idOf = async (name: string): Promise<string> => {
    const [row] = await w.sql<{ id: string }>`
      select p.id from operator_passkeys p where credential_id = ${Buffer.from(
        name === 'first' ? olga.passkey.id : second.passkey.id,
        'base64url',
      )}`
    return row?.id as string
  }
  const [firstId, secondId] = [await idOf('first'), await idOf('second')]
  await olga.see('/operator/passkeys')
  assert.equal(
    leadsTo(await olga.send('/operator/passkeys', { action: 'rename', id: secondId, name: '  Yellow key ' })),
    '303 /operator/passkeys?done=renamed',
  )
  assert.match((await olga.see('/operator/passkeys')).text, />Yellow key</)
  assert.equal(
    (await olga.send('/operator/passkeys', { action: 'rename', id: secondId, name: 'a\u202eb' })).status,
    400,
  )
  const stranger = await operatorWithPasskey(w, somebody())
  await stranger.see('/operator/passkeys')
  assert.equal((await stranger.send('/operator/passkeys', { action: 'remove', id: secondId })).status, 404)

  await olga.see('/operator/passkeys')
  assert.equal(
    leadsTo(await olga.send('/operator/passkeys', { action: 'remove', id: firstId })),
    '303 /operator/passkeys?done=removed',
  )
  assert.equal(await isIn(byFirst), false, 'what the passkey began ends with it')
  assert.equal(await isIn(olga), true, 'but for who removed it')
  assert.equal((await browsing(w).signIn(olga.passkey)).sent.status, 403)
  await olga.see('/operator/passkeys')
  const last = await olga.send('/operator/passkeys', { action: 'remove', id: secondId })
  assert.equal(last.status, 409)
  assert.equal((await browsing(w).signIn(second.passkey)).sent.status, 303)

  await olga.see('/operator/passkeys')
  await byFirst.signIn(second.passkey)
  await byFirst.see('/operator/sessions')
  await byFirst.send('/operator/sessions', { action: 'end_all' })
  const late = await olga.send('/operator/passkeys', { action: 'rename', id: secondId, name: 'Green key' })
  assert.equal(late.status, 403)
  assert.match(late.text, /Your session has ended[\s\S]*name="name" value="Green key"/, 'what was typed is kept')
  assert.equal(leadsTo(await olga.see('/operator/passkeys')), '303 /operator/sign-in?to=%2Foperator%2Fpasskeys')
})

test('when twenty requests remove two passkeys at once, one passkey is left', async () => {
  const olga = await operatorWithPasskey(w, somebody())
  await olga.addPasskey('Second')
  const page = await olga.see('/operator/passkeys')
  const ids = [...new Set([...page.text.matchAll(/name="id" value="([^"]+)"/g)].map(([, id]) => id as string))]
  assert.equal(ids.length, 2)
  let turn = 0
  await twenty(() => olga.send('/operator/passkeys', { action: 'remove', id: ids[turn++ % 2] as string }))
  const after = await olga.see('/operator/passkeys')
  assert.equal(new Set([...after.text.matchAll(/name="id" value="([^"]+)"/g)].map(([, id]) => id)).size, 1)
})

test('a removed operator is signed out at once, and the old passkey does not open a new account with the same email', async () => {
  const email = somebody()
  const olga = await operatorWithPasskey(w, email)
  await w.operator('operator', 'remove', email, '--reason', 'left')
  assert.equal(await isIn(olga), false)
  assert.equal((await browsing(w).signIn(olga.passkey)).sent.status, 403)
  await operatorWithPasskey(w, email)
  assert.equal((await browsing(w).signIn(olga.passkey)).sent.status, 403)
})

test("forms are accepted only from the console, with their session's token", async () => {
  const olga = await operatorWithPasskey(w, somebody())
  const paths = ['/operator/sign-in', '/operator/sign-out', '/operator/passkeys', '/operator/sessions']
  const fields = { action: 'end_all', answer: 'x' }
  for (const path of paths) {
    for (const headers of [
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      { origin: 'http://localhost:1', 'sec-fetch-site': 'same-site' },
      { origin: 'null', 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      await olga.see('/operator/passkeys')
      assert.equal((await olga.send(path, fields, headers)).status, 403, path)
    }
    const { cookie = '', origin } = olga
    for (const body of ['', 'csrf_token=', `csrf_token=${'A'.repeat(43)}`]) {
      const sent = await sendForm(w.url, path, { body, headers: { origin, 'sec-fetch-site': 'same-origin', cookie } })
      assert.equal(sent.status, 403, path)
    }
  }
  const link = new URL(await linkFor(w, somebody())).pathname
  for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }] as Record<
    string,
    string
  >[]) {
    assert.equal((await sendForm(w.url, link, { headers })).status, 403)
  }
  assert.equal((await browsing(w).enter(link.replace(/^/, w.url))).status, 303, 'nothing of that used it up')
  assert.equal(await isIn(olga), true)
})

test("nobody else's cookie opens the console, and an operator's cookie opens nothing else", async () => {
  const olga = await operatorWithPasskey(w, somebody())
  const secret = olga.cookie?.split('=')[1] as string
  const [hilda, vera, agent] = [await w.human('Hilda'), await w.visitor(), await w.agent('ada')]
  const cookies = [
    hilda.headers.cookie,
    `kith_operator=${hilda.headers.cookie.split('=')[1]}`,
    `kith_operator=${vera.headers.cookie.split('=')[1]}`,
    `kith_operator=${agent.token}`,
    `__Host-kith_operator=${secret}`,
    `${olga.cookie}; ${olga.cookie}`,
    `kith_operator=${secret.slice(1)}`,
  ]
  for (const cookie of cookies) assert.equal(await isIn(browsing(w, { cookie })), false, cookie)
  const bearer = await visit(w.url, '/operator/sessions', {
    headers: { accept: 'text/html', authorization: `Bearer ${agent.token}` },
  })
  assert.equal(leadsTo(bearer), '303 /operator/sign-in?to=%2Foperator%2Fsessions')
  for (const name of ['kith_session', 'kith_visitor']) {
    const answer = await w.request('GET', name === 'kith_session' ? '/human/me' : '/visitor/follows', {
      headers: { cookie: `${name}=${secret}` },
    })
    assert.equal(answer.status, 401, name)
  }
})

test('after signing in, an operator returns to the requested console page, and nowhere else', async () => {
  const olga = await operatorWithPasskey(w, somebody())
  for (const [to, wanted] of [
    ['/operator/sessions?done=ended', '/operator/sessions?done=ended'],
    ['/operator', '/operator'],
    ['/agents', '/operator'],
    ['/operators', '/operator'],
    ['//evil.example/operator/', '/operator'],
    ['/operator/../agents', '/operator'],
    ['https://evil.example/operator/', '/operator'],
    ['/\\evil.example', '/operator'],
  ] as const) {
    const browser = browsing(w)
    const page = await browser.see(`/operator/sign-in?${new URLSearchParams({ to })}`)
    assert.equal(/name="to" value="([^"]*)"/.exec(page.text)?.[1], wanted, to)
    const answer = usePasskey(olga.passkey, optionsOf(page), browser.origin)
    const sent = await browser.send('/operator/sign-in', { answer, to })
    assert.equal(leadsTo(sent), `303 ${wanted}`, to)
  }
})

test('a page that asks for a passkey runs only its own script', async () => {
  const answer = await browsing(w).see('/operator/sign-in')
  const options = optionsOf(answer)
  assert.deepEqual(
    [options.rpId, options.userVerification, options.allowCredentials],
    ['localhost', 'required', undefined],
  )
  assert.deepEqual(answer.text.match(/<script[^>]*>/g)?.length, 1)
  // At an address that is a number browsers have no passkeys: the way to the name is there instead.
  const byNumber = await visit(w.url, '/operator/sign-in')
  assert.doesNotMatch(byNumber.text, /data-passkey/)
  assert.ok(byNumber.text.includes(`href="${browsing(w).origin}/operator/sign-in"`))
})

test('on HTTPS the cookie is bound to this host, and behind a proxy any host name works', async () => {
  const https = await w.node({ PUBLIC_URL: 'https://kith.example' })
  const olga = browsing(https)
  assert.equal(olga.origin, 'https://kith.example')
  const link = await linkFor(https, somebody())
  assert.ok(link.startsWith('https://kith.example/operator/link/'))
  const entered = await olga.enter(link)
  assert.match(
    String(entered.headers['set-cookie']),
    /^__Host-kith_operator=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure$/,
  )
  const { passkey, sent } = await olga.addPasskey()
  assert.equal(sent.status, 303)
  assert.equal(await isIn(olga), true)
  assert.equal(await isIn(browsing(https, { cookie: (olga.cookie as string).replace('__Host-', '') })), false)
  assert.equal((await browsing(https).signIn(passkey)).sent.status, 303)
  const proxied = await visit(https.url, '/operator/sign-in')
  assert.equal(optionsOf(proxied).rpId, 'kith.example')
})

test('where browsers offer no passkeys, the shell and the page say what to configure', async () => {
  const http = await w.node({ PUBLIC_URL: 'http://kith.example' })
  await assert.rejects(
    linkFor(http, somebody()),
    /browsers offer only on https with a host name, or on localhost: PUBLIC_URL is http:/,
  )
  const { text } = await visit(http.url, '/operator/sign-in')
  assert.doesNotMatch(text, /data-passkey/)
  assert.match(text, /This server’s PUBLIC_URL is neither/)
})
