// A customer's account: the name that others see, the wallet, everything that is kept as a document, and its end.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { humanOfferBody } from '../../../test/customers.ts'
import { givenFile } from '../../../test/files.ts'
import { askCode, cookieOf, fromHere, type SignedIn, signIn, verifyCode } from '../../../test/humans.ts'
import { pluck } from '../../../test/pluck.ts'
import { beforehand, story } from '../../../test/story.ts'
import { type Agent, type Answer, code, race } from '../../../test/world.ts'
import { days, hours, after as later, minutes } from '../../kernel/clock.ts'
import type { Tx } from '../../store/sql.ts'
import { type Ask, act } from '../orders/actions.ts'
import type { Action } from '../orders/machine.ts'
import { offer } from '../orders/offers.ts'
import type { Order } from '../orders/orders.ts'
import { add } from '../orders/updates.ts'
import { canonicalFiling, file } from '../reviews/reviews.ts'
import { closeAccount } from './closing.ts'
import { humanOfUnsubscribe, unsubscribePath } from './unsubscribe.ts'

const { w, ada } = story('ada')
const node = beforehand(() => w.node())

const inTransaction = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => w.service.sql.transaction(work)
const partyOf = (who: SignedIn | Agent) => ({ kind: 'handle' in who ? 'agent' : 'human', id: who.id }) as const
const list = 'human-orders'

const offered = (customer: SignedIn, title = 'A portrait'): Promise<Order> =>
  inTransaction((tx) =>
    offer(tx, partyOf(customer), {
      id: tx.newId(),
      source: 'human',
      input: {
        title,
        description: 'Of a cat',
        deadline: later(w.now(), days(3)),
        amount_minor: 1000,
        contractor_id: ada.id,
        confirmed_total_minor: 1100,
        input_attachment_ids: [],
      },
    }),
  )
const step = (order: Order, who: SignedIn | Agent, action: Action, ask: Partial<Ask> = {}): Promise<Order> =>
  inTransaction((tx) => {
    const instruction = { orderId: order.id, list, ask: { expected_version: order.version, ...ask } } as const
    return act(tx, partyOf(who), action, { ...instruction, terms: w.service.config })
  })
const accepted = async (customer: SignedIn): Promise<Order> => {
  const funded = await step(await offered(customer), ada, 'accept', { confirmed_total_minor: 1100 })
  return step(await step(funded, ada, 'deliver', { result_text: 'A cat' }), customer, 'complete')
}
const close = (who: SignedIn, at = w): Promise<Answer> =>
  at.request('POST', '/human/close', { json: { confirm: true }, headers: who.headers })
const me = async (who: SignedIn) => (await who.request('GET', '/human/me')).body.human

test('Hilda changes only her display name and whether orders send emails', async () => {
  const hilda = await signIn(w, 'hilda@example.org')
  const patch = (json: object) => hilda.request('PATCH', '/human/me', { json })
  const before = await me(hilda)
  assert.deepEqual((await patch({ display_name: ' Hilda H. ' })).body, {
    human: { ...before, display_name: 'Hilda H.' },
  })
  assert.deepEqual((await patch({ notices: false })).body.human, {
    ...before,
    display_name: 'Hilda H.',
    notices: false,
  })
  assert.deepEqual((await patch({})).body.human, { ...before, display_name: 'Hilda H.', notices: false })
  assert.deepEqual((await patch({ notices: true })).body.human, { ...before, display_name: 'Hilda H.' })
  assert.deepEqual(await me(hilda), { ...before, display_name: 'Hilda H.' })
})

test('turning emails off again keeps the first time', async () => {
  const { request, id } = await signIn(w, 'quiet@example.org')
  const since = async () =>
    (await w.sql<{ notices_stopped_at: Date | null }>`select notices_stopped_at from humans where id = ${id}`)[0]
  await request('PATCH', '/human/me', { json: { notices: false } })
  const first = await since()
  w.travel(minutes(5))
  await request('PATCH', '/human/me', { json: { notices: false, display_name: 'Q' } })
  assert.deepEqual(await since(), first)
})

test('a wallet is read page by page, only by its owner', async () => {
  const [olga, stranger] = [await signIn(w, 'olga@example.org'), await signIn(w, 'strange@example.org')]
  await accepted(olga)
  const { wallet } = (await olga.request('GET', '/human/wallet')).body
  assert.deepEqual([wallet.available_minor, wallet.reserved_minor, wallet.granted_minor], [498_900, 0, 500_000])
  const kinds: string[] = []
  let before = ''
  do {
    const { entries, next_before } = (await olga.request('GET', `/human/wallet/history?limit=1${before}`)).body
    kinds.push(...entries.map(({ kind }: { kind: string }) => kind))
    before = next_before ? `&before=${next_before}` : ''
  } while (before !== '')
  assert.deepEqual(kinds, ['capture', 'reserve', 'grant'])
  const [mine] = (await olga.request('GET', '/human/wallet/history')).body.entries
  assert.equal(code(await stranger.request('GET', `/human/wallet/history?before=${mine.id}`)), '404 not_found')
})

test('an account with open orders cannot be closed; it can once all have ended', async () => {
  const gil = await signIn(w, 'gil@example.org')
  await accepted(gil)
  const [one, two] = [
    await offered(gil),
    await step(await offered(gil), ada, 'accept', { confirmed_total_minor: 1100 }),
  ]
  const refused = await close(gil)
  assert.equal(code(refused), '409 invalid_state')
  assert.deepEqual(
    [refused.body.error.details, refused.body.error.message],
    [{ open_orders: 2 }, '2 orders are open; they must end first'],
  )
  await step(one, gil, 'cancel')
  assert.deepEqual((await close(gil)).body.error.details, { open_orders: 1 })
  const disputed = await step(two, ada, 'propose-refund', { reason: 'No cat' })
  assert.deepEqual((await close(gil)).body.error.details, { open_orders: 1 })
  await step(disputed, gil, 'approve-refund')
  assert.equal((await me(gil)).email, 'gil@example.org', 'nothing was lost on the way')
  assert.equal(code(await close(gil)), '200')
})

test('a closed account has no session, email or name; its orders, entries and reviews stay', async () => {
  const iris = await signIn(w, 'iris@example.org', { display_name: 'Iris' })
  w.travel(minutes(2))
  const elsewhere = await signIn(w, 'iris@example.org')
  const order = await accepted(iris)
  await inTransaction((tx) =>
    file(tx, partyOf(iris), {
      id: tx.newId(),
      orderId: order.id,
      list,
      filing: canonicalFiling({
        rating: 5,
        recommend: true,
        criteria: { quality: 5, timeliness: 5, communication: 5 },
      }),
      earnsBonus: false,
    }),
  )
  const answer = await close(iris, node)
  assert.deepEqual([answer.status, answer.body], [200, { closed: true }])
  assert.deepEqual(answer.headers.getSetCookie(), ['kith_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax'])
  for (const from of [w, node])
    for (const who of [iris, elsewhere])
      assert.equal(code(await from.request('GET', '/human/me', { headers: who.headers })), '401 unauthorized')
  const [row] = await w.sql`
    select display_name, email, grant_digest, notices_stopped_at is null as notices, closed_at is null as open,
      documents_confirmed_at is null as unconfirmed
    from humans where id = ${iris.id}`
  const gone = { display_name: 'Customer', email: null, grant_digest: null }
  assert.deepEqual(row, { ...gone, notices: false, open: false, unconfirmed: false })
  const entries = await w.sql`select 1 from ledger_entries where party_id = ${iris.id}`
  assert.equal(entries.length, 4)
  w.travel(days(9))
  const { reviews } = (await ada.get(`/bots/${ada.id}/reviews`)).body
  assert.deepEqual(reviews[0].author, { id: null, handle: null, display_name: 'Customer' })
  assert.deepEqual(await mentions('iris@example.org'), ['challenges'], 'until codes are forgotten')
  w.travel(days(8))
})

async function mentions(text: string): Promise<string[]> {
  const tables = await w.sql<{ name: string }>`
    select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`
  const found: string[] = []
  for (const { name } of tables) {
    const { rows } = await w.sql.pool.query(`select 1 from "${name}" t where t::text ilike $1 limit 1`, [`%${text}%`])
    if (rows.length > 0) found.push(name)
  }
  return found.sort()
}

test('the same email can open another account, which confirms the documents again and gets no grant', async () => {
  const first = await signIn(w, 'twice@example.org')
  assert.equal(code(await close(first)), '200')
  w.travel(minutes(2))
  const second = await signIn(w, 'twice@example.org', { display_name: 'Again' })
  assert.notEqual(second.id, first.id)
  const { wallet } = (await second.request('GET', '/human/wallet')).body
  assert.deepEqual([wallet.available_minor, wallet.granted_minor], [0, 0])
  assert.deepEqual((await second.request('GET', '/human/wallet/history')).body.entries, [])
  assert.equal(code(await close(second)), '200')
  w.travel(minutes(2))
  assert.equal(
    (await (await signIn(w, 'twice@example.org')).request('GET', '/human/wallet')).body.wallet.granted_minor,
    0,
  )
})

test('nobody escapes a suspension by closing the account; once it has ended, a new account is free', async () => {
  const at = 'sly@example.org'
  const suspended = async ({ id }: SignedIn): Promise<boolean> => {
    const [row] = await w.sql<{ suspended: boolean }>`
      select suspended_at is not null as suspended from humans where id = ${id}`
    return row?.suspended as boolean
  }
  const again = async (who: SignedIn): Promise<SignedIn> => {
    assert.equal(code(await close(who)), '200')
    w.travel(minutes(2))
    return signIn(w, at)
  }
  const first = await signIn(w, at)
  await w.operator('customer', 'suspend', first.id, '--reason', 'Floods agents', '--code', 'spam')
  const second = await again(first)
  assert.equal(await suspended(second), true)
  const order = { ...humanOfferBody(w, ada), contractor_id: ada.id }
  const refused = await second.request('POST', '/human/orders', { json: order })
  assert.equal(code(refused), '403 profile_inactive')
  const rows = await w.sql`
    select c.reason_code, c.reason, a.actor from moderation_cases c join audit_log a on a.subject = ${second.id}
    where c.subject_id = ${second.id}`
  assert.deepEqual(rows, [{ reason_code: 'spam', reason: 'Floods agents', actor: 'service' }])
  const third = await again(second)
  assert.equal(await suspended(third), true)
  await w.operator('customer', 'restore', third.id, '--reason', 'Enough')
  const fourth = await again(third)
  assert.equal(await suspended(fourth), false)
  await w.operator('customer', 'suspend', fourth.id, '--reason', 'Again')
  assert.equal(code(await close(fourth)), '200')
  await w.operator('customer', 'restore', fourth.id, '--reason', 'Enough')
  w.travel(minutes(2))
  assert.equal(await suspended(await signIn(w, at)), false, 'ended after it was closed')
  assert.equal(await suspended(await signIn(w, 'honest@example.org')), false)
})

test('one of twenty simultaneous closings closes the account, and nothing else starts meanwhile', async () => {
  const max = await signIn(w, 'max@example.org')
  const answers = await race(20, (n) => close(max, n % 2 === 0 ? w : node))
  assert.deepEqual([...new Set(answers.map(code))].sort(), ['200', '401 unauthorized'])
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  for (let round = 0; round < 5; round++) {
    w.travel(minutes(2))
    const who = await signIn(w, 'max@example.org')
    const [closed] = await Promise.all([
      close(who),
      ...Array.from({ length: 10 }, (_, n) =>
        (n % 2 === 0 ? w : node).request('PATCH', '/human/me', {
          json: { display_name: 'Late' },
          headers: who.headers,
        }),
      ),
    ])
    assert.equal(code(closed), '200')
    const [row] = await w.sql`select display_name from humans where id = ${who.id}`
    assert.equal(row?.['display_name'], 'Customer', 'no name comes back')
  }
})

test('closing an account and starting an order exclude each other', async () => {
  for (let round = 0; round < 8; round++) {
    const who = await signIn(w, `race${round}@example.org`)
    const offers = (count: number) =>
      Array.from({ length: count }, (_, n) =>
        (n % 2 === 0 ? w : node).request('POST', '/human/orders', {
          json: humanOfferBody(w, ada),
          headers: who.headers,
        }),
      )
    const [before, closed, after] = [offers(round), close(who), offers(8 - round)]
    const answers = await Promise.all([...before, ...after])
    const isClosed = code(await closed) === '200'
    const [row] = await w.sql<{ open: number }>`
      select count(*)::int as open from orders where customer_id = ${who.id} and state = 'offered'`
    const made = answers.filter(({ status }) => status === 201).length
    assert.equal(row?.open, made)
    assert.equal(code(await closed), isClosed ? '200' : '409 invalid_state')
    assert.equal(made, isClosed ? 0 : 8, 'nothing begins in a closed account, and all in an open one')
    for (const answer of answers) assert.equal(code(answer), isClosed ? '401 unauthorized' : '201')
  }
})

test('a sign-in during the closing never reaches the closed account', async () => {
  for (let round = 0; round < 4; round++) {
    const email = `back${round}@example.org`
    const who = await signIn(w, email)
    w.travel(minutes(2))
    const { challenge_id, code: digits } = await askCode(w, email)
    const [closed, back] = await Promise.all([
      close(who),
      verifyCode(node, { challenge_id, code: digits, documents_confirmed: true }),
    ])
    assert.deepEqual([code(closed), back.status], ['200', 201])
    const again = await w.request('GET', '/human/me', { headers: { cookie: cookieOf(back) } })
    const isOld = back.body.human.id === who.id
    assert.equal(code(again), isOld ? '401 unauthorized' : '200', 'into the old one before its end, or into a new one')
  }
})

test('files never used are released; files of orders stay for their retention', async () => {
  const fay = await signIn(w, 'fay@example.org')
  const [loose, held] = [await givenFile(w, fay, { purpose: 'order' }), await givenFile(w, fay, { purpose: 'order' })]
  const offer = { json: humanOfferBody(w, ada, { input_attachment_ids: [held] }) }
  const { order } = (await fay.request('POST', '/human/orders', offer)).body
  assert.equal((await fay.request('GET', `/human/attachments/${loose}`)).body.attachment.status, 'ready')
  const { body: exported } = await fay.request('GET', '/human/export')
  assert.deepEqual(pluck(exported.files, 'id'), [held, loose])
  assert.match(exported.files[0].download_url, /^\/api\/v1\/human\/attachments\//)
  assert.deepEqual(exported.orders[0].contractor, { id: ada.id, handle: 'ada', display_name: 'ada' })
  const cancel = { json: { operation_id: randomUUID(), expected_version: order.version } }
  assert.equal(code(await fay.request('POST', `/human/orders/${order.id}/cancel`, cancel)), '200')
  assert.equal(code(await close(fay)), '200')
  const states = async () =>
    Object.fromEntries(
      (
        await w.sql<{ id: string; status: string; due: boolean }>`
        select id, status, coalesce(purge_after <= ${w.now()}, false) as due from attachments where owner_id = ${fay.id}`
      ).map(({ id, status, due }) => [id, status === 'ready' || status === 'retained' ? due : 'gone']),
    )
  const now = await states()
  assert.equal(now[held], false)
  assert.notEqual(now[loose], false, 'due, or on its way already')
})

const waitingMails = () => w.sql`select kind, recipient from mails where recipient like 'nor%' order by kind`

for (const [how, stop] of [
  ['that is closed', close],
  ['that declines them', ({ request }: SignedIn) => request('PATCH', '/human/me', { json: { notices: false } })],
] as const) {
  test(`queued order emails of an account ${how} are withdrawn, and other emails to that address stay`, async () => {
    w.travel(minutes(2))
    const nora = await signIn(w, 'nora@example.org')
    const tomorrow = later(w.now(), days(1))
    await w.sql`
      insert into mails (id, kind, recipient, subject, body, created_at, next_attempt_at)
      select gen_random_uuid(), kind, recipient, '', '', ${w.now()}, ${tomorrow}
      from (values ('order_news', 'nora@example.org'), ('order_news', 'nor@example.org'),
        ('registration_copy', 'nora@example.org')) as mail (kind, recipient)`
    assert.equal(code(await stop(nora)), '200')
    assert.deepEqual(await waitingMails(), [
      { kind: 'order_news', recipient: 'nor@example.org' },
      { kind: 'registration_copy', recipient: 'nora@example.org' },
    ])
    await w.sql`delete from mails where recipient like 'nor%'`
  })
}

test('a mail being sent does not delay a closing', async () => {
  const paul = await signIn(w, 'paul@example.org')
  await w.sql`
    insert into mails (id, kind, recipient, subject, body, created_at, next_attempt_at)
    values (gen_random_uuid(), 'order_news', 'paul@example.org', '', '', ${w.now()}, ${later(w.now(), days(1))})`
  await w.sql.transaction(async (sending) => {
    await sending`select 1 from mails where recipient = 'paul@example.org' for update`
    await inTransaction((tx) => closeAccount(tx, w.service, paul.id))
  })
  await w.sql`delete from mails where recipient = 'paul@example.org'`
})

test('the export is one document with all data, only for its owner, without others’ secrets', async () => {
  const rosa = await signIn(w, 'rosa@example.org', { display_name: 'Rosa' })
  const done = await accepted(rosa)
  await inTransaction((tx) =>
    file(tx, partyOf(rosa), {
      id: tx.newId(),
      orderId: done.id,
      list,
      filing: canonicalFiling({
        rating: 4,
        recommend: true,
        criteria: { quality: 4, timeliness: 4, communication: 4 },
        text: 'A fine cat “quoted” \u2028 with a line',
      }),
      earnsBonus: false,
    }),
  )
  let talked = await step(await offered(rosa, 'A long story'), ada, 'accept', { confirmed_total_minor: 1100 })
  for (let n = 0; n < 51; n++) {
    const input = { expected_version: talked.version, text: `Part ${n}`, attachment_ids: [] }
    const author = n % 2 === 0 ? ada : rosa
    const put = { orderId: talked.id, list, input, terms: w.service.config } as const
    talked = (await inTransaction((tx) => add(tx, partyOf(author), { id: tx.newId(), ...put }))).order
  }
  talked = await step(talked, rosa, 'dispute', { reason: 'Too long' })
  for (let n = 0; n < 50; n++) await offered(rosa, `Number ${n}`)
  const other = await signIn(w, 'other@example.org')
  await offered(other, 'Of somebody else')

  const response = await fetch(`${w.url}/api/v1/human/export`, { headers: rosa.headers })
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
  assert.equal(response.headers.get('content-disposition'), 'attachment; filename="kith-account.json"')
  assert.equal(response.headers.get('cache-control'), 'no-store')
  const text = await response.text()
  const all = JSON.parse(text)
  assert.deepEqual(Object.keys(all), [
    'format',
    'version',
    'written_at',
    'account',
    'sessions',
    'wallet',
    'ledger',
    'orders',
    'service_quotes',
    'files',
    'moderation_cases',
  ])
  assert.deepEqual([all.format, all.version], ['kith-customer', 1])
  assert.deepEqual([all.account.email, all.account.display_name], ['rosa@example.org', 'Rosa'])
  assert.equal(all.account.documents_confirmed.length, 3)
  assert.deepEqual(Object.keys(all.sessions[0]), ['created_at', 'expires_at', 'ended_at'])
  assert.deepEqual(all.wallet, (await rosa.request('GET', '/human/wallet')).body.wallet)
  assert.deepEqual(all.ledger, (await rosa.request('GET', '/human/wallet/history')).body.entries)
  assert.equal(all.orders.length, 52)
  assert.equal(new Set(all.orders.map(({ id }: { id: string }) => id)).size, 52)
  const of = (id: string) => all.orders.find((order: { id: string }) => order.id === id)
  const finished = of(done.id)
  assert.deepEqual(pluck(finished.history, 'action'), ['offer', 'accept', 'deliver', 'complete'])
  assert.deepEqual(pluck(finished.reviews, 'text'), ['A fine cat “quoted” \u2028 with a line'])
  assert.deepEqual([finished.updates, finished.dispute_cases], [[], []])
  const story = of(talked.id)
  assert.equal(story.updates.length, 51)
  assert.equal(story.dispute_cases[0].reason, 'Too long')
  assert.equal(all.moderation_cases.length, 1, 'of the text that waits')
  assert.ok(!text.includes('Of somebody else') && !text.includes('other@example.org'))
  assert.ok(!text.includes(rosa.headers.cookie.slice(-43)) && !text.includes(rosa.headers['x-csrf-token']))
  const head = await fetch(`${w.url}/api/v1/human/export`, { method: 'HEAD', headers: rosa.headers })
  assert.deepEqual([head.status, await head.text()], [200, ''])
})

test('an empty account has an export too, limited to ten per hour', async () => {
  const sam = await signIn(w, 'sam@example.org')
  const ask = () => sam.request('GET', '/human/export')
  const { body } = await ask()
  assert.deepEqual([body.orders, body.files, body.moderation_cases, body.ledger.length], [[], [], [], 1])
  const answers = await race(20, ask)
  assert.deepEqual(answers.map(code).sort(), [...Array(9).fill('200'), ...Array(11).fill('429 request_limit')])
  assert.ok(Number(answers.find(({ status }) => status === 429)?.headers.get('retry-after')) <= 3600)
  w.travel(hours(1))
  assert.equal(code(await ask()), '200')
})

test('the unsubscribe link names its account, and cannot be forged without the key', async () => {
  const tess = await signIn(w, 'tess@example.org')
  const path = unsubscribePath(w.service, tess.id)
  const secret = /^\/unsubscribe\/([A-Za-z0-9_-]{43})$/.exec(path)?.[1] as string
  assert.equal(humanOfUnsubscribe(node.service, secret), tess.id)
  const flipped = (at: number): string => {
    const bytes = Buffer.from(secret, 'base64url')
    bytes[at] = (bytes[at] as number) ^ 1
    return bytes.toString('base64url')
  }
  for (const bad of ['', 'x', secret.slice(1), `${secret}A`, ...Array.from({ length: 32 }, (_, at) => flipped(at))])
    assert.equal(humanOfUnsubscribe(w.service, bad), undefined, bad)
  assert.equal(
    code(await w.request('GET', '/human/me', { headers: { cookie: `kith_session=${secret}` } })),
    '401 unauthorized',
  )
  assert.equal(
    code(await tess.request('PATCH', '/human/me', { json: { notices: false }, headers: fromHere(w) })),
    '200',
  )
})
