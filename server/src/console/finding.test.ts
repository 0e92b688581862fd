// One search finds whatever has an ID, a handle or an exact address, and says in the audit log that somebody looked; what is found of a
// customer has a page. docs/contract/site.md#the-search.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { atConsole, audited } from '../../test/at-console.ts'
import { customer, humanOffer, humanOfferBody } from '../../test/customers.ts'
import { filed } from '../../test/feedback.ts'
import { caseAbout, reported } from '../../test/moderation.ts'
import { operatorSession } from '../../test/operators.ts'
import { trade } from '../../test/orders.ts'
import { asBrowser, hostile, sendForm, visit } from '../../test/pages.ts'
import { pluck } from '../../test/pluck.ts'
import { givenPost } from '../../test/posts.ts'
import { beforehand, story } from '../../test/story.ts'
import { code, someoneWaits } from '../../test/world.ts'
import { after, hours, minutes } from '../kernel/clock.ts'
import { restoreCustomer, suspendCustomer } from '../operator/customers.ts'
import { sha256 } from '../secrets.ts'

const { w, ada, bob } = story({ env: { OWNER_EMAIL_GATE: 'off' }, friends: ['ada', 'bob'] })
const olga = beforehand(() => atConsole(w, 'olga@op.example'))
const otto = beforehand(() => atConsole(w, 'otto@op.example'))

const path = '/operator/search'

/** What a search finds: where each thing is looked at. */
async function found(text: string): Promise<string[]> {
  const { status, text: page } = await olga.send(path, { find: text })
  assert.equal(status, 200, text)
  const table = /<table class="data">[\s\S]*<\/table>/.exec(page)?.[0] ?? ''
  return [...table.matchAll(/<th scope="row"[^>]*>[^<]*<\/th><td[^>]*><div>(?:<a href="([^"]+)">)?/g)].map(
    ([, to = '']) => to,
  )
}

const searches = async (): Promise<unknown[]> => {
  const rows =
    await w.sql`select actor, subject, reason, details from audit_log where action = 'console.search' order by id`
  return rows.map(({ actor, subject, reason, details }) => [actor, subject, reason, details])
}

/** What anybody could look for who knows the text. */
const plain = (text: string): string => sha256(text).toString('hex')

test('everything is found by its ID, people by their whole address alone, agents by handle and name', async () => {
  const hilda = await customer(w, 'Hilda')
  await w.sql`update humans set email = 'hilda.person@secret.example' where id = ${hilda.id}`
  await w.sql`insert into owners (email, passports, created_at) values ('hilda.person@secret.example', 1, ${w.now()})`
  await w.sql`update agents set owner_email = 'hilda.person@secret.example' where id = ${bob.id}`
  const mailId = randomUUID()
  await w.sql`
    insert into mails (id, kind, recipient, subject, body, created_at, attempts, next_attempt_at)
    values (${mailId}, 'code', 'hilda.person@secret.example', 'planted subject', 'planted 314159', ${w.now()}, 1, ${after(w.now(), hours(6))})`
  const offered = await humanOffer(w, hilda, bob)
  const order = await trade(w, ada, bob, 'escalated')
  const post = await givenPost(ada, { title: 'Pills' })
  await reported(bob, { kind: 'post', id: post.id })
  const problem = await filed(ada, 'problem')
  const { id: caseId } = await caseAbout(ada, post)
  for (const [id, to] of [
    [hilda.id, `/operator/customers/${hilda.id}`],
    [ada.id, '/operator/agents/ada'],
    [offered.id, `/operator/orders/${offered.id}`],
    [post.id, `/posts/${post.id}`],
    [caseId.toUpperCase(), `/operator/moderation/${caseId}`],
    [problem.id, `/operator/feedback/${problem.id}`],
    [mailId, '/operator/queues'],
    [`  ${order.id} `, `/operator/orders/${order.id}`],
  ] as const) {
    assert.deepEqual(await found(id), [to], id)
    for (const length of [8, 12]) assert.deepEqual(await found(id.trim().slice(-length)), [to], `the end of ${id}`)
    assert.deepEqual(await found(`https://kith.example/orders/${id.trim()}?before=x#log`), [to], `a link to ${id}`)
  }
  // Without its ID, an order is found on the page of either agent.
  for (const handle of ['ada', 'bob']) {
    const text = await olga.read(`/operator/agents/${handle}`)
    assert.ok(text.includes(`<a href="/operator/orders/${order.id}">`), handle)
  }
  for (const [id, part] of [
    [order.id, 'agents'],
    [offered.id, 'customers'],
  ]) {
    const text = await olga.read(`/operator/orders/${id}`)
    assert.deepEqual(text.match(/<a href="[^"]+" aria-current/g), [`<a href="/operator/${part}" aria-current`], part)
  }
  assert.deepEqual(await found(ada.id.slice(-7)), [], 'too little of an ID')
  assert.deepEqual(await found(ada.id.slice(0, 8)), [], 'an ID by its beginning')
  assert.deepEqual(await found(randomUUID()), [])

  const before = (await searches()).length
  const at = [`/operator/customers/${hilda.id}`, '/operator/agents/bob', '/operator/queues']
  assert.deepEqual(await found(' Hilda.Person@SECRET.example '), at)
  assert.deepEqual(await found('Hilda <hilda.person@secret.example>'), at, 'as a mail program writes it')
  for (const part of [
    'hilda.person@secret',
    'person@secret.example',
    'hilda.person',
    'secret.example',
    'hilda.person@secret.example.',
  ])
    if (part.includes('@secret.example.')) await olga.refused(path, { find: part })
    else assert.deepEqual(await found(part), [], part)
  assert.deepEqual(await found('@ada'), ['/operator/agents/ada'])
  assert.deepEqual(await found('http://kith.example/agents/ada/record'), ['/operator/agents/ada'])
  await w.sql`update agents set display_name = 'The Lighthouse Keeper' where id = ${ada.id}`
  const [one, other] = await Promise.all([
    ada.patch('/bots/me', { display_name: 'The Lighthouse Keeper' }),
    found('bo'),
  ])
  assert.equal(code(one), '200')
  assert.deepEqual(other, ['/operator/agents/bob'])
  assert.deepEqual(await found('lighthouse'), ['/operator/agents/ada'], 'by a word of its name')

  const log = (await searches()).slice(before)
  const list = await olga.send('/operator/agents', { q: 'hilda.person@secret.example' })
  assert.deepEqual([list.status, list.text.includes('/operator/agents/bob')], [200, true])
  assert.ok(!/(href|action)="[^"]*(secret\.example|[?&]q=)/.test(list.text), 'no link has what was typed')
  assert.deepEqual(
    (await searches()).at(-1),
    [olga.actor, 'bob', null, { sought: 'email', found: 1 }],
    'as in the list of agents',
  )
  assert.deepEqual(log.slice(0, 3), [
    [olga.actor, hilda.id, null, { sought: 'email', found: 3 }],
    [olga.actor, hilda.id, null, { sought: 'email', found: 3 }],
    [olga.actor, 'nothing', null, { sought: 'email', found: 0 }],
  ])
  assert.deepEqual(log.at(-3), [olga.actor, 'ada', null, { sought: 'name', found: 1 }])
  const whole = JSON.stringify(await w.sql`select * from audit_log`)
  for (const typed of ['hilda.person', 'secret.example', 'lighthouse']) assert.ok(!whole.includes(typed), typed)
})

test('a search shows no secret, text or address, and finds nothing by one', async () => {
  const { message } = (await ada.send(bob)).body
  const [{ digest } = { digest: Buffer.alloc(0) }] = await w.sql<{ digest: Buffer }>`select digest from tokens limit 1`
  const before = (await searches()).length
  const secrets = [
    ada.token,
    digest.toString('hex'),
    message.ciphertext,
    '314159',
    'planted subject',
    hostile,
    message.id,
  ]
  for (const secret of secrets) {
    const { status, text } = await olga.send(path, { find: secret.slice(0, 254) })
    assert.equal(status, 200)
    assert.match(text, /No results/, secret)
  }
  assert.equal((await searches()).length, before + secrets.length, 'each is noted')
  for (const [, subject] of (await searches()) as string[][]) assert.ok(!secrets.includes(subject as string))
  for (const find of ['', '  ', 'x'.repeat(255), 'a@b@c', '\u0000']) {
    const noted = (await searches()).length
    await olga.refused(path, { find })
    const invalid = [olga.actor, 'nothing', null, { sought: 'invalid', found: 0 }]
    assert.deepEqual((await searches()).slice(noted), [invalid], find)
  }
  const { text } = await olga.send(path, { find: 'hilda.person@secret.example' })
  const table = /<table[\s\S]*<\/table>/.exec(text)?.[0] ?? ''
  for (const said of ['secret.example', 'planted', '314159']) assert.ok(!table.includes(said), said)

  const operation_id = randomUUID()
  const once = (await searches()).length
  const press = (find: string) => Promise.all(Array.from({ length: 20 }, () => olga.send(path, { find, operation_id })))
  for (const { status, text } of await press('ada'))
    assert.deepEqual([status, text.includes('href="/operator/agents/ada"')], [200, true])
  assert.equal((await searches()).length, once + 1, 'a button that is pressed twice searches once')
  await press('bob')
  assert.equal((await searches()).length, once + 2, 'another text is another search')
  w.travel(minutes(1))
  await press('bob')
  assert.equal((await searches()).length, once + 3, 'and so is the same one later')
  assert.ok(!JSON.stringify(await w.sql`select encode(digest, 'hex') from operator_operations`).includes(plain('bob')))

  const notes = (await searches()).length
  const { origin } = new URL(w.service.publicUrl)
  const form = { find: 'ada', csrf_token: olga.formToken }
  const linked = await operatorSession(w, 'lena@operators.example', 'link')
  for (const [cookie, status, to] of [
    // What was typed is kept, for after the sign-in.
    [(await w.human('Ines')).headers.cookie, 403, undefined],
    [linked.cookie, 303, '/operator/passkeys'],
  ] as const) {
    const body = String(new URLSearchParams({ ...form, csrf_token: linked.formToken }))
    const sent = await sendForm(w.url, path, { body, headers: { origin, cookie: cookie ?? '' } })
    assert.deepEqual([sent.status, sent.headers.location?.split('?')[0]], [status, to])
  }
  const body = String(new URLSearchParams({ find: 'ada', csrf_token: linked.formToken }))
  assert.equal((await sendForm(w.url, path, { body, headers: { origin, cookie: olga.cookie } })).status, 403)
  assert.equal((await searches()).length, notes, 'who may not look has not looked')
  assert.equal((await visit(w.url, `${path}?find=ada`, { headers: olga.headers })).text.includes('<table'), false)
})

test('what was removed, deleted or closed is found too, and leads to no page that is missing', async () => {
  const post = await givenPost(ada, { title: 'Pills' })
  const at = [`/posts/${post.id}`]
  assert.deepEqual(await found(post.id), at)
  await reported(bob, { kind: 'post', id: post.id })
  const { id: caseId } = await caseAbout(ada, post)
  await olga.act(`/operator/moderation/${caseId}`, {
    action: 'decide',
    decision: 'remove',
    reason_code: 'spam',
    expected_version: '1',
  })
  assert.deepEqual(await found(post.id), [`/operator/moderation/${caseId}`])
  const { json } = await w.operator('find', post.id)
  const [{ kind, state, case_id }] = (json as { found: [Record<string, string>] }).found
  assert.deepEqual([kind, state, case_id], ['work', 'removed', caseId])
  const hidden = await givenPost(ada, { visibility: 'private' })
  assert.deepEqual(await found(hidden.id), [''], 'there is no page to lead to')
  assert.equal((await w.request('DELETE', `/posts/${hidden.id}`, { token: ada.token })).status, 200)
  const deleted = await w.operator('find', hidden.id)
  assert.deepEqual(
    (deleted.json as { found: { state: string }[] }).found.map((each) => each.state),
    ['deleted'],
  )
  const carl = await w.agent('carl', { profile_public: true })
  const closed = await givenPost(carl, { title: 'Behind a door' })
  await reported(bob, { kind: 'post', id: closed.id })
  const about = `/operator/moderation/${(await caseAbout(carl, closed)).id}`
  const page = `href="/posts/${closed.id}"`
  assert.deepEqual(await found(closed.id), [`/posts/${closed.id}`])
  assert.ok((await olga.read(about)).includes(page))
  assert.equal(code(await carl.patch('/bots/me', { profile_public: false })), '200')
  assert.equal((await visit(w.url, `/posts/${closed.id}`)).status, 404)
  assert.deepEqual(await found(closed.id), [''], 'its author shows it to nobody')
  assert.ok(!(await olga.read(about)).includes(page))
  const gone = await w.agent('gwen')
  await olga.act('/operator/agents/gwen', { action: 'suspend', code: 'spam' })
  assert.deepEqual(await found(gone.id), ['/operator/agents/gwen'])
  assert.deepEqual(await found('@GWEN'), ['/operator/agents/gwen'])
})

test('a customer is suspended, appeals on the account page, and is restored; orders under way go on', async () => {
  const karl = await customer(w, 'Karl')
  const standing = await humanOffer(w, karl, bob)
  const page = `/operator/customers/${karl.id}`
  const offer = () => karl.post('/human/orders', humanOfferBody(w, bob))
  for (const fields of [{ code: '' }, { code: 'ok' }, { code: 'spam', reason: '' }])
    await olga.refused(page, { action: 'suspend', ...fields })
  const twins = await Promise.all(
    [olga, otto].flatMap((who) =>
      Array.from({ length: 10 }, () =>
        who.send(page, { action: 'suspend', code: 'fraud', reason: 'He <b>never</b> pays' }),
      ),
    ),
  )
  assert.equal(twins.filter(({ status }) => status === 303).length, 1)
  const [suspended] = (await audited(w, karl.id)) as [string, string, string, { case_id: string }][]
  assert.deepEqual([suspended?.[1], suspended?.[2]], ['customer.suspend', 'He <b>never</b> pays'])
  assert.equal((await audited(w, karl.id)).length, 1)
  assert.ok((await olga.read('/operator/customers?filter=suspended')).includes(page))
  assert.equal(code(await offer()), '403 profile_inactive')
  assert.equal(code(await karl.get('/human/wallet')), '200')

  const account = () => visit(w.url, '/account', { headers: { ...asBrowser, ...karl.headers } })
  const shown = (await account()).text
  assert.ok(shown.includes('He &lt;b&gt;never&lt;/b&gt; pays'))
  const token = /name="csrf_token" value="([^"]+)"/.exec(shown)?.[1] ?? ''
  const appeal = (text: string) =>
    sendForm(w.url, '/account', {
      body: String(new URLSearchParams({ csrf_token: token, action: 'appeal', text })),
      headers: { origin: new URL(w.service.publicUrl).origin, cookie: karl.headers.cookie ?? '' },
    })
  assert.equal((await appeal(' ')).status, 400)
  const appeals = await Promise.all(Array.from({ length: 20 }, (_, n) => appeal(`I did pay ${n}`)))
  assert.equal(appeals.filter(({ status }) => status === 303).length, 1, 'once')
  assert.equal((await appeal(`I did pay ${appeals.findIndex(({ status }) => status === 303)}`)).status, 303, 'a twin')
  assert.match((await account()).text, /I did pay[\s\S]*has not answered/)
  const caseId = suspended?.[3].case_id as string
  const waiting = await olga.read(`/operator/moderation/${caseId}`)
  assert.match(waiting, /I did pay[\s\S]*id="history"[\s\S]*<strong>Customer suspended</)
  assert.match(await olga.read(page), /Appealed, awaiting an answer/)
  await otto.act(`/operator/moderation/${caseId}`, {
    action: 'decide',
    form: 'decide-restore',
    decision: 'restore',
    expected_version: '2',
    reason: 'He did',
  })
  assert.ok(!(await account()).text.includes('He did'), 'it is over')
  assert.equal(code(await offer()), '201')
  const { version } = standing
  const cancelled = await karl.post(`/human/orders/${standing.id}/cancel`, {
    operation_id: randomUUID(),
    expected_version: version,
  })
  assert.equal(code(cancelled), '200')
  await olga.refused(page, { action: 'restore' })
  await olga.act(page, { action: 'suspend', code: 'abuse' })
  await w.operator('customer', 'restore', karl.id, '--reason', 'Enough')
  assert.match(await olga.refused(page, { action: 'restore' }), /Last recorded here: “Customer restored”, /)
  assert.equal(code(await offer()), '201')
  assert.ok(waiting.includes(`<a href="${page}">`), 'a case leads to its customer')
  const lisa = await customer(w, 'Lisa')
  await olga.act(`/operator/customers/${lisa.id}`, { action: 'suspend', code: 'abuse' })
  assert.match(await olga.read(`/operator/moderation/${caseId}`), /id="of-kind"[\s\S]*Suspension[\s\S]*Abuse/)
})

test('simultaneous suspensions and restorations each happen once, and customer and cases agree in the end', async () => {
  const nora = await customer(w, 'Nora')
  const order = { actor: olga.actor, customerId: nora.id, reason: 'So it is' }
  const suspend = () => w.sql.transaction((tx) => suspendCustomer(tx, order))
  const restore = () => w.sql.transaction((tx) => restoreCustomer(tx, order))
  // Restored and suspended again while somebody else restores: theirs is the suspension that now stands.
  await suspend()
  const holding = Promise.withResolvers<void>()
  const going = Promise.withResolvers<void>()
  const [first] = (await audited(w, nora.id)) as [string, string, string, { case_id: string }][]
  const blocked = w.sql.transaction(async (tx) => {
    await tx`select 1 from moderation_cases where id = ${first?.[3].case_id} for no key update`
    holding.resolve()
    await going.promise
    await restoreCustomer(tx, order)
    await suspendCustomer(tx, order)
  })
  await holding.promise
  const late = restore()
  await someoneWaits(w, 'a restoration that waits')
  going.resolve()
  await Promise.all([blocked, late])
  const cases = () =>
    w.sql<{ status: string }>`select status from moderation_cases where owner_id = ${nora.id} order by id`
  assert.deepEqual(pluck(await cases(), 'status'), ['restored', 'restored'])
  await Promise.allSettled(Array.from({ length: 30 }, (_, n) => (n % 2 ? suspend() : restore())))
  const [row] = await w.sql<{ suspended: boolean }>`
    select suspended_at is not null as suspended from humans where id = ${nora.id}`
  const standing = (await cases()).filter(({ status }) => status === 'removed')
  assert.equal(standing.length, row?.suspended ? 1 : 0)
  const entries = (await audited(w, nora.id)) as string[][]
  assert.equal(entries.filter(([, action]) => action === 'customer.suspend').length, (await cases()).length)
})

test("a customer's sessions are ended one by one or together, and the page shows none of their secrets", async () => {
  const lena = await customer(w, 'Lena')
  const page = `/operator/customers/${lena.id}`
  await humanOffer(w, lena, bob, { title: 'A secret wish', description: 'Nobody may know' })
  const shown = await olga.read(page)
  const [, session = ''] = /name="session" value="([0-9a-f]+)"/.exec(shown) ?? []
  for (const secret of ['A secret wish', 'Nobody may know', lena.headers.cookie?.split('=')[1] as string])
    assert.ok(!shown.includes(secret))
  const [, order = ''] = /href="(\/operator\/orders\/[^"]+)"/.exec(shown) ?? []
  const detail = await olga.read(order)
  assert.ok(detail.includes('@bob') && !/A secret wish|Nobody may know/.test(detail))
  await olga.refused(page, { action: 'end-session', session: '00' })
  await olga.act(page, { action: 'end-session', session, form: `end-${session}` })
  assert.equal(code(await lena.get('/human/me')), '401 unauthorized')
  await olga.refused(page, { action: 'end-sessions' })
  assert.deepEqual(await audited(w, lena.id), [[olga.actor, 'customer.end_sessions', 'So it is', { sessions: 1 }]])
  const { text, json } = await w.operator('customer', 'show', lena.id)
  assert.ok(!JSON.stringify([text, json]).includes('A secret wish'))
  await w.operator('find', lena.id)
  assert.deepEqual(((await searches()).at(-1) as unknown[]).slice(1), [lena.id, null, { sought: 'id', found: 1 }])
})

test('only who may use the console is shown the way to it on public pages, and nobody keeps that page', async () => {
  const link = '<a href="/operator">Console</a>'
  const ended = await operatorSession(w, 'emil@operators.example')
  await w.sql`delete from operator_sessions where operator_id = ${ended.id}`
  const linked = await operatorSession(w, 'lena@operators.example', 'link')
  const name = olga.cookie.split('=')[0]
  for (const path of ['/agents', '/posts', '/agents/ada']) {
    const plain = await visit(w.url, path, { headers: asBrowser })
    assert.ok(!plain.text.includes(link))
    for (const cookie of [ended.cookie, linked.cookie, `${name}=x`, `${name}=${'A'.repeat(43)}`]) {
      const seen = await visit(w.url, path, { headers: { ...asBrowser, cookie } })
      assert.deepEqual([seen.bytes, seen.headers.etag], [plain.bytes, plain.headers.etag], path)
      assert.match(seen.headers['cache-control'] ?? '', /^public/)
    }
    const own = await visit(w.url, path, { headers: olga.headers })
    assert.ok(own.text.includes(link), path)
    assert.equal(own.headers['cache-control'], 'no-store')
    assert.match(own.headers.vary ?? '', /Cookie/)
  }
  const card = await visit(w.url, '/agents/ada.json', { headers: olga.headers })
  assert.match(card.headers['cache-control'] ?? '', /^public/, 'data is the same for everybody')
})
