// The pages of customers from outside: forms that others send, sign-ins that are sent again, what is kept, where it leads.
// docs/contract/site.md#customers.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { type Customer, customer, humanOffer } from '../../test/customers.ts'
import { emptyZip } from '../../test/files.ts'
import { attempt, bring, reread, type Shown } from '../../test/orders.ts'
import { asBrowser, assertPage, leadsInOtherLanguage, type PageAnswer, sendForm, visit } from '../../test/pages.ts'
import { type Fields, fieldsOf, type Reader, reader } from '../../test/reader.ts'
import { beforehand, story } from '../../test/story.ts'
import { openTab } from '../../test/tab.ts'
import { code, eventually, race } from '../../test/world.ts'
import { days, after as later, minutes } from '../kernel/clock.ts'
import { signInPath } from './view.ts'

const { w, bob } = story('bob', { env: { WRITE_LIMIT_PER_MINUTE: '40' } })
const hilda = beforehand(() => customer(w, 'Hilda'))
const ivan = beforehand(() => customer(w, 'Ivan'))

const pagesOf = (who: Customer): Reader => reader(w, who.headers.cookie)
const tokenOf = async (who: Customer): Promise<string> =>
  new Map(fieldsOf(await pagesOf(who).get('/account'), '/account')).get('csrf_token') as string

/** Every form that changes something for a customer, each filled in well. */
const formsFor = (delivered: Shown, offered: Shown): { path: string; fields: Record<string, string> }[] => [
  { path: '/account', fields: { action: 'name', display_name: 'Eve' } },
  { path: '/account', fields: { action: 'notices_off' } },
  { path: '/account/close', fields: { confirmed: 'true' } },
  { path: '/sign-out', fields: { everywhere: 'true' } },
  {
    path: '/orders/new',
    fields: {
      contractor: 'bob',
      title: 'A',
      description: 'B',
      amount: '10',
      deadline: later(w.now(), days(7)).toISOString().slice(0, 16),
      confirmed_total_minor: '1100',
    },
  },
  { path: `/orders/${delivered.id}/complete`, fields: { expected_version: String(delivered.version) } },
  { path: `/orders/${delivered.id}/dispute`, fields: { expected_version: String(delivered.version), reason: 'C' } },
  { path: `/orders/${offered.id}/cancel`, fields: { expected_version: '1' } },
]

test("a customer's form works only from a page of ours in the same session", async () => {
  const offered = await humanOffer(w, hilda, bob)
  const delivered = await bring({ customer: hilda, contractor: bob }, await humanOffer(w, hilda, bob), 'delivered')
  const forms = formsFor(delivered, offered)
  const [own, foreign] = [await tokenOf(hilda), await tokenOf(ivan)]
  const { cookie } = hilda.headers
  const here = { origin: w.service.publicUrl, 'sec-fetch-site': 'same-origin' }
  const said = (fields: Record<string, string>, csrf_token = own): string =>
    String(new URLSearchParams({ ...fields, operation_id: randomUUID(), csrf_token }))
  type Send = (fields: Record<string, string>) => { status: number; body?: string; headers: Record<string, string> }
  const shapes: Record<string, Send> = {
    'nobody vouches': () => ({ status: 403, headers: {} }),
    'an opaque origin': () => ({ status: 403, headers: { origin: 'null' } }),
    'another site': () => ({
      status: 403,
      headers: { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
    }),
    'a site that says it is ours': () => ({ status: 403, headers: { ...here, 'sec-fetch-site': 'cross-site' } }),
    'a neighbour': () => ({ status: 403, headers: { ...here, 'sec-fetch-site': 'same-site' } }),
    'an address that was typed': () => ({ status: 403, headers: { 'sec-fetch-site': 'none' } }),
    'no token': (fields) => ({ status: 403, headers: here, body: said(fields, '') }),
    'the token of somebody else': (fields) => ({ status: 403, headers: here, body: said(fields, foreign) }),
    'the token in a header': (fields) => ({
      status: 403,
      headers: { ...here, 'x-csrf-token': own },
      body: String(new URLSearchParams(fields)),
    }),
    'two tokens': (fields) => ({ status: 400, headers: here, body: `csrf_token=${foreign}&${said(fields)}` }),
    'as text': () => ({ status: 415, headers: { ...here, 'content-type': 'text/plain' } }),
    'two sessions': () => ({ status: 303, headers: { ...here, cookie: `${cookie}; ${ivan.headers.cookie}` } }),
    'one session twice': () => ({ status: 303, headers: { ...here, cookie: `${cookie}; ${cookie}` } }),
    'an altered session': () => ({ status: 303, headers: { ...here, cookie: `${cookie}A` } }),
    'a token of an agent': () => ({
      status: 303,
      headers: { ...here, cookie: '', authorization: `Bearer ${bob.token}` },
    }),
  }
  for (const [shape, send] of Object.entries(shapes)) {
    for (const { path, fields } of forms) {
      const { status, headers, body = said(fields) } = send(fields)
      const answer = await sendForm(w.url, path, { body, headers: { cookie, ...headers } })
      const what = `${shape}: ${path}`
      // Of nobody in particular: what was typed comes again, and is done by nobody.
      const isKept = status === 303 && ['display_name', 'reason', 'title', 'text'].some((name) => fields[name])
      assert.equal(answer.status, isKept ? 403 : status, what)
      assert.equal(answer.headers['cache-control'], 'no-store', what)
      if (isKept) assert.match(answer.text, /Your session has ended/, what)
      else if (status === 303) assert.match(String(answer.headers.location), /^\/sign-in(\?|$)/, what)
    }
  }
  const { human } = (await hilda.get('/human/me')).body
  assert.deepEqual([human.display_name, human.notices, human.sessions], ['Hilda', true, 1])
  assert.deepEqual(
    [(await reread(hilda, delivered)).state, (await reread(hilda, offered)).state],
    ['delivered', 'offered'],
  )
  assert.equal((await hilda.get('/human/orders')).body.pagination.total, 2)
})

test('page and API act as one: an order that both complete at once is paid once', async () => {
  const nina = await customer(w, 'Nina')
  const order = await bring({ customer: nina, contractor: bob }, await humanOffer(w, nina, bob), 'delivered')
  const operation_id = randomUUID()
  const fields: Fields = Object.entries({
    csrf_token: await tokenOf(nina),
    operation_id,
    expected_version: String(order.version),
  })
  const pages = pagesOf(nina)
  const answers = await Promise.all([
    race(10, () => attempt(nina, order, 'complete', { operation_id })),
    Promise.all(Array.from({ length: 10 }, () => pages.post(`/orders/${order.id}/complete`, fields))),
  ])
  assert.deepEqual(new Set(answers[0].map(code)), new Set(['200']))
  assert.deepEqual(new Set(answers[1].map(({ status }) => status)), new Set([303]))
  const { order: now, history } = (await nina.get(`/human/orders/${order.id}`)).body
  assert.deepEqual([now.state, history.length], ['closed', order.version + 1])
})

test('a repeated sign-in opens nothing with another code, and nothing once it ended', async () => {
  const email = 'nora@example.org'
  const tab = openTab(w)
  await tab.go('/sign-in')
  await tab.press('Send code', { email })
  const given = await eventually(async () => (await w.mails(email)).at(-1)?.code, 'a code')
  const { action, fields } = tab.form('Sign in')
  const form = { ...fields, documents_confirmed: 'true', code: given }
  // Each from a browser that has no session.
  const send = (typed: Record<string, string> = {}): Promise<PageAnswer> =>
    openTab(w).send(action, { ...form, ...typed })
  const first = await send()
  assert.equal(first.status, 303)
  for (const [name, value] of [
    ['code', given === '000000' ? '000001' : '000000'],
    ['challenge_id', randomUUID()],
    ['operation_id', randomUUID()],
  ] as const) {
    const refused = await send({ [name]: value })
    assert.deepEqual([refused.status, refused.headers['set-cookie']], [400, undefined], name)
  }
  assert.deepEqual((await send()).headers['set-cookie'], first.headers['set-cookie'])

  const cookie = String(first.headers['set-cookie']).split(';', 1)[0] as string
  const nora = reader(w, cookie)
  const out = await nora.send(await nora.get('/account'), '/sign-out', { everywhere: 'true' })
  assert.equal(out.status, 303)
  const late = await send()
  assert.deepEqual([late.status, late.headers['set-cookie']], [400, undefined])
  assert.equal((await nora.get('/wallet')).status, 303)
})

test('after signing in, a customer is only redirected within this site', async () => {
  const targets = ['/.//evil.example', '/..//evil.example', '/orders/../..//evil.example', '/orders\r\nset-cookie: a=b']
  const more = [
    '/%0d%0aset-cookie:a=b',
    '/\t/evil.example',
    '/\u2028/evil.example',
    '/@evil.example',
    `/${'x'.repeat(5000)}`,
  ]
  for (const to of [...targets, ...more, '/"><script>', '/orders#@evil.example', '/оrders']) {
    const led = await pagesOf(hilda).get(signInPath(to))
    assert.deepEqual([led.status, led.headers['set-cookie']], [303, undefined], to)
    const { location = '' } = led.headers
    assert.match(location, /^\/(?![/\\])[\x21-\x7e]*$/, to)
    assert.equal(new URL(location, w.service.publicUrl).origin, w.service.publicUrl, to)
    assertPage((await visit(w.url, signInPath(to))).text, w.service)
  }
})

test('no page of a customer is cached, and public pages have nothing of a customer but the name in their header', async () => {
  const order = await humanOffer(w, hilda, bob)
  const own = ['/orders', '/orders?state=offered', '/orders?page=9', `/orders/${order.id}`, `/orders/${randomUUID()}`]
  const others = [
    '/orders/new?contractor=bob',
    '/orders/new?contractor=no',
    '/wallet',
    '/account',
    '/account/close',
    '/sign-in',
  ]
  for (const path of [...own, ...others]) {
    for (const each of [await pagesOf(hilda).get(path), await visit(w.url, path)]) {
      assert.equal(each.headers['cache-control'], 'no-store', path)
      assert.equal(each.headers.etag, undefined, path)
    }
  }
  for (const path of ['/', '/agents', '/agents/bob', '/posts', '/account/closed', '/following', '/docs']) {
    const [theirs, everyones] = [await pagesOf(hilda).get(path), await visit(w.url, path)]
    const isFixed = theirs.headers['cache-control'] !== 'no-store'
    assert.equal(isFixed, path === '/docs', path)
    assert.equal(theirs.text.includes('<bdi>Hilda</bdi>'), !isFixed, path)
    const withoutLink = ({ text }: PageAnswer): string => text.replace(/<a class="mine"[\s\S]*?<\/a>/, '')
    assert.equal(withoutLink(theirs), withoutLink(everyones), path)
    const zipped = await visit(w.url, path, {
      headers: { ...asBrowser, cookie: hilda.headers.cookie, 'accept-encoding': 'gzip' },
    })
    assert.equal(zipped.headers['content-encoding'], 'gzip', path)
    for (const cookie of ['kith_session=wrong', `${hilda.headers.cookie}x`]) {
      const wrong = await visit(w.url, path, { headers: { ...asBrowser, cookie } })
      assert.deepEqual([wrong.text, wrong.headers.etag], [everyones.text, everyones.headers.etag], path)
    }
  }
})

test('after too many requests every form says when to retry, like the API', async () => {
  const kim = await customer(w, 'Kim')
  const offered = await humanOffer(w, kim, bob)
  const delivered = await bring({ customer: kim, contractor: bob }, await humanOffer(w, kim, bob), 'delivered')
  const csrf_token = await tokenOf(kim)
  await race(40, () => kim.patch('/human/me', { notices: true }))
  for (const { path, fields } of formsFor(delivered, offered)) {
    const sent = Object.entries({ ...fields, csrf_token, operation_id: randomUUID() })
    const answer = await pagesOf(kim).post(path, sent)
    assert.equal(answer.status, 429, path)
    if (path.endsWith('/dispute')) assert.equal(leadsInOtherLanguage(answer.text), `/orders/${delivered.id}`)
    assert.match(String(answer.headers['retry-after']), /^[1-9]\d?$/, path)
  }
  const file = emptyZip()
  const form = new FormData()
  form.append('csrf_token', csrf_token)
  for (const [name, value] of file) form.append(name, value)
  const headers = { ...asBrowser, cookie: kim.headers.cookie, origin: w.service.publicUrl }
  const upload = await fetch(`${w.url}/orders/new/files`, { method: 'POST', headers, body: form })
  assert.equal(upload.status, 429)
  assert.match(String(upload.headers.get('retry-after')), /^[1-9]\d?$/)
  w.travel(minutes(2))
  assert.equal(code(await kim.patch('/human/me', { notices: true })), '200')
})
