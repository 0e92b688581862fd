// What the console has of one agent or customer: all their orders, all cases about what they own, and that somebody is suspended or
// has closed the account, wherever they are named. docs/contract/site.md#agents-in-the-console.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atConsole } from '../../test/at-console.ts'
import { customer, humanOffer } from '../../test/customers.ts'
import { caseAbout, casesAbout, reported } from '../../test/moderation.ts'
import { bring, offer, step, trade } from '../../test/orders.ts'
import { visit } from '../../test/pages.ts'
import { givenPost } from '../../test/posts.ts'
import { beforehand, story } from '../../test/story.ts'
import { code } from '../../test/world.ts'

const { w, ada, bob } = story({ env: { OWNER_EMAIL_GATE: 'off' }, friends: ['ada', 'bob'] })
const olga = beforehand(() => atConsole(w, 'olga@op.example'))

const adaPage = '/operator/agents/ada'
const moderation = '/operator/moderation'

const ordersIn = (text: string): string[] =>
  [...text.matchAll(/<a href="\/operator\/orders\/([0-9a-f-]+)"/g)].map(([, id]) => id as string)
const casesIn = (text: string): string[] =>
  [...text.matchAll(/<th[^>]*><a href="\/operator\/moderation\/([0-9a-f-]+)"/g)].map(([, id]) => id as string)
const isThere = async (path: string): Promise<boolean> =>
  (await visit(w.url, path, { headers: olga.headers })).status === 200

test('every order of an agent is on its page, by side and state, the newest first', async () => {
  const sold = await trade(w, bob, ada, 'rejected')
  const bought: string[] = []
  for (let n = 0; n < 21; n++) bought.unshift((await step(ada, await offer(w, ada, bob), 'cancel')).id)
  const page = await olga.read(adaPage)
  assert.deepEqual(ordersIn(page), bought.slice(0, 20))
  assert.ok(page.includes('22 entries') && page.includes(`href="${adaPage}?page=2#orders"`))
  assert.deepEqual(ordersIn(await olga.read(`${adaPage}?page=2`)), [bought[20], sold.id])
  for (const [query, found] of [
    ['side=contractor', [sold.id]],
    ['side=customer&page=2', [bought[20]]],
    ['state=rejected', [sold.id]],
    ['side=customer&state=rejected', []],
    ['state=disputed', []],
  ] as const)
    assert.deepEqual(ordersIn(await olga.read(`${adaPage}?${query}`)), found, query)
  assert.match(await olga.read(`${adaPage}?state=disputed`), /No orders like this/)
  assert.ok(page.includes(`<a href="${adaPage}?side=contractor#orders">1</a>`), 'its figures lead there')
  for (const query of ['side=x', 'state=x', 'page=3', 'page=0', 'page=1001', 'side=customer&side=contractor'])
    assert.ok(!(await isThere(`${adaPage}?${query}`)), query)
  await olga.refused(adaPage, { action: 'restore' })
})

test('a list that is cut says which orders it shows', async () => {
  const carl = await w.agent('carl', { profile_public: true })
  const hilda = await customer(w, 'Hilda')
  const first = await humanOffer(w, hilda, carl)
  await w.sql`
    insert into orders select (jsonb_populate_record(null::orders, to_jsonb(o) || jsonb_build_object('id', gen_random_uuid()))).*
    from orders o, generate_series(1, 1000) where o.id = ${first.id}`
  for (const path of ['/operator/agents/carl', `/operator/customers/${hilda.id}`]) {
    const text = await olga.read(`${path}?page=50`)
    assert.match(text, /More than 1,000 orders; the newest are shown/, path)
    assert.equal(ordersIn(text).length, 20, path)
    assert.ok(!(await isThere(`${path}?page=51`)))
  }
  await w.sql`delete from orders where contractor_id = ${carl.id} and id <> ${first.id}`
  assert.ok(!(await isThere(`/operator/customers/${hilda.id}?state=x`)))
  assert.deepEqual(ordersIn(await olga.read(`/operator/customers/${hilda.id}?state=offered`)), [first.id])
})

test('cases are found by their owner, in every state', async () => {
  const post = await givenPost(ada, { title: 'Pills' })
  const other = await givenPost(bob, { title: 'Posters' })
  await reported(bob, { kind: 'post', id: post.id })
  await reported(ada, { kind: 'post', id: other.id })
  const { id: ofAda } = await caseAbout(ada, post)
  const { id: ofBob } = await caseAbout(bob, other)
  const found = async (query: string) => casesIn(await olga.read(`${moderation}?${query}`))
  for (const owner of ['ada', '@Ada', ada.id, ada.id.toUpperCase()])
    assert.deepEqual(await found(new URLSearchParams({ owner }).toString()), [ofAda], owner)
  assert.deepEqual(await found('owner=bob&kind=post'), [ofBob])
  assert.deepEqual(await found('owner=bob&kind=profile'), [])
  const decision = { action: 'decide', decision: 'remove', reason_code: 'spam', expected_version: '1' }
  await olga.act(`${moderation}/${ofAda}`, decision)
  assert.deepEqual(await found('owner=ada'), [], 'nothing of it waits')
  const again = await givenPost(ada, { title: 'More pills' })
  await reported(bob, { kind: 'post', id: again.id })
  await w.operator('agent', 'suspend', 'ada', '--reason', 'Pills')
  const every = (await casesAbout(ada)).map(({ id }) => id)
  assert.equal(every.length, 3)
  assert.deepEqual(await found('status=all&owner=ada'), every, 'the newest first, with the suspension')
  assert.deepEqual(await found('status=all&owner=ada&kind=suspension'), every.slice(0, 1))
  assert.deepEqual(await found('status=removed&owner=ada&appealed=no'), [every[0], ofAda])
  const all = await found('status=all')
  assert.deepEqual(all, all.toSorted().reverse())
  assert.ok(all.includes(ofBob))
  for (const owner of ['nobody', 'a b', '%', '\0', post.id, 'x'.repeat(300)]) {
    const query = new URLSearchParams({ owner }).toString()
    assert.match(await olga.read(`${moderation}?${query}`), /id="sift-owner-problem">No agent has this handle/, owner)
  }
  assert.ok(!(await isThere(`${moderation}?owner=ada&page=2`)))
  const links = `<a href="${moderation}?status=all&amp;owner=ada">`
  for (const path of [adaPage, `${moderation}/${ofAda}`]) assert.ok((await olga.read(path)).includes(links), path)
  await w.operator('agent', 'restore', 'ada', '--reason', 'Fine')
})

test('who is suspended or has closed the account is named so on orders, disputes and cases', async () => {
  const paul = await customer(w, 'Paul')
  const dan = await w.agent('dan', { profile_public: true })
  const pair = { customer: paul, contractor: dan }
  const disputed = await bring(pair, await humanOffer(w, paul, dan), 'escalated')
  await w.operator('disputes', 'decide', disputed.id, 'refund', '--reason', 'It is not round')
  await w.operator('agent', 'suspend', 'dan', '--reason', 'Not round')
  await w.operator('customer', 'suspend', paul.id, '--reason', 'Enough')
  const pages = ['orders', 'disputes'].map((folder) => `/operator/${folder}/${disputed.id}`)
  const own = `<a href="/operator/customers/${paul.id}"><bdi>Paul</bdi></a> <span class="chip">no agent</span>`
  const suspended = ' <span class="chip bad">Suspended</span>'
  for (const path of [...pages, '/operator/agents/dan']) {
    const text = await olga.read(path)
    assert.ok(text.includes(own + suspended), path)
    assert.ok(text.includes(`<span class="handle">@dan</span></a>${suspended}`), path)
  }
  assert.equal(code(await paul.post('/human/close', { confirm: true })), '200')
  const closed = own.replace('Paul', 'Customer') + suspended.replace(' bad', '').replace('Suspended', 'Account closed')
  const [theCase] = casesIn(await olga.read(`${moderation}?status=all&owner=${paul.id}`))
  assert.ok(theCase)
  for (const path of [...pages, '/operator/agents/dan', `${moderation}/${theCase}`])
    assert.ok((await olga.read(path)).includes(closed), path)
  const page = `/operator/customers/${paul.id}`
  const text = await olga.read(page)
  assert.match(text, /<dd>Account closed<\/dd>/)
  assert.deepEqual(ordersIn(text), [disputed.id])
  assert.match(text, new RegExp(`<title>Customer: ${paul.id.slice(-8)} `))
  const search = await olga.send('/operator/search', { find: paul.id })
  assert.match(search.text, new RegExp(`href="${page}"[\\s\\S]*Account closed`))
  assert.ok((await olga.read(`/operator/audit?subject=${paul.id}`)).includes('customer.suspend'))
})

test('the list of customers says which ones it shows, and names those without a name', async () => {
  await w.sql`
    with born as materialized (select gen_random_uuid() as id from generate_series(1, 1001)),
    party as (insert into parties (id, kind, created_at) select id, 'human', ${w.now()} from born),
    granted as (insert into customer_grants (email_digest, created_at) select sha256(id::text::bytea), ${w.now()} from born)
    insert into humans (id, display_name, email, grant_digest, created_at)
    select id, 'Customer', id || '@crowd.example', sha256(id::text::bytea), ${w.now()} from born`
  const headers = { ...olga.headers, 'accept-language': 'ru' }
  const { text } = await visit(w.url, '/operator/customers?page=50', { headers })
  assert.match(text, /Больше 1\u00a0000 заказчиков, показаны новые/)
  assert.match(text, /<title>Заказчики, страница 50 /)
  assert.match(text, /<bdi>Заказчик<\/bdi>/)
  await w.sql`
    update humans set suspended_at = ${w.now()}, suspension_case_id = (
      select id from moderation_cases where measure = 'suspension' limit 1)
    where email like '%@crowd.example'`
  assert.match(
    await olga.read('/operator/customers?filter=suspended'),
    /customers; the most recently suspended are shown/,
  )
  await w.sql`
    with gone as (delete from humans where email like '%@crowd.example' returning id, grant_digest),
    grants as (delete from customer_grants where email_digest in (select grant_digest from gone))
    delete from parties where id in (select id from gone)`
})
