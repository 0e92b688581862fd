// Orders of people from outside: everybody who may decide at once, on two nodes, and everybody else at every other door.
// docs/contract/human-orders.md.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { at, type Customer, customer, humanOffer, humanOfferBody } from '../../../test/customers.ts'
import { givenFile } from '../../../test/files.ts'
import { type SignedIn, signIn } from '../../../test/humans.ts'
import { attempt, bring, reread, type Shown, step } from '../../../test/orders.ts'
import { asBrowser, visit } from '../../../test/pages.ts'
import { reviewBody } from '../../../test/reviews.ts'
import { verdict } from '../../../test/staff.ts'
import { beforehand, story } from '../../../test/story.ts'
import { type Answer, befriend, code, eventually, race, tally } from '../../../test/world.ts'
import { minutes } from '../../kernel/clock.ts'
import { mailNotices } from '../humans/notices.ts'

const { w, ada, sue } = story('ada', { staff: ['sue'] })
const node = beforehand(() => w.node())

const signedInAs = (name: string, { id, headers, request }: SignedIn): Customer => at(w, name, { id, headers, request })
const elsewhere = (who: Customer): Customer => at(node, who.handle, who)

const caseOf = async (order: Shown): Promise<number> =>
  (await ada.get(`/human-orders/${order.id}/dispute-case`)).body.dispute_case.version

test('simultaneous acceptance, cancellation and account closing of an offer have one result', async () => {
  for (let first = 0; first < 3; first++) {
    const hilda = await customer(w, 'Hilda')
    const there = elsewhere(hilda)
    const order = await humanOffer(w, hilda, ada)
    const moves = [
      () => attempt(ada, order, 'accept'),
      () => attempt(hilda, order, 'cancel'),
      () => there.post('/human/close', { confirm: true }),
    ]
    const answers = await race(18, (index) => (moves[(index + first) % 3] as () => Promise<Answer>)())
    assert.ok(
      answers.every(({ status }) => status < 500),
      JSON.stringify(tally(answers)),
    )
    const { state } = (await ada.get(`/human-orders/${order.id}`)).body.order
    const isThere = code(await hilda.get('/human/me')) === '200'
    assert.ok(state === 'funded' ? isThere : state === 'cancelled', `${state}, and the account ${isThere}`)
  }
})

test('one operation in two browsers on two nodes is one order, and never another customer’s', async () => {
  const one = await signIn(w, 'twice@example.org')
  w.travel(minutes(2))
  const two = await signIn(w, 'twice@example.org')
  const json = humanOfferBody(w, ada)
  const answers = await race(20, (index) =>
    (index % 2 ? w : node).request('POST', '/human/orders', { json, headers: (index % 3 ? one : two).headers }),
  )
  assert.deepEqual(tally(answers), { '200': 19, '201': 1 })
  assert.equal(new Set(answers.map(({ body }) => body.order.id)).size, 1)
  const cancel = { operation_id: json['operation_id'], expected_version: 1 }
  const path = `/human/orders/${answers[0]?.body.order.id}/cancel`
  assert.equal(code(await two.request('POST', path, { json: cancel })), '409 idempotency_conflict')
  assert.equal(code(await (await customer(w, 'Ivan')).post('/human/orders', json)), '201')
})

test('endpoints for agents, visitors and staff do not find a customer, their file or their order', async () => {
  const hilda = await customer(w, 'Hilda')
  const bob = await w.agent('bob')
  await befriend(ada, bob)
  const file = await givenFile(w, hilda, { purpose: 'order' })
  const offered = await humanOffer(w, hilda, ada, { input_attachment_ids: [file] })
  const order = await bring({ customer: hilda, contractor: ada }, offered, 'accepted')
  const visitor = await w.visitor()
  const operation = { operation_id: randomUUID() }
  const story = { ...operation, order_id: order.id, title: 'A', summary: 'B', result: 'C', rights_confirmed: true }
  const report = (kind: string, id: string) => ({
    operation_id: randomUUID(),
    subject: { kind, id },
    reason_code: 'privacy',
    text: 'Look',
  })
  const post = { text: 'Look', attachment_ids: [file], visibility: 'public', rights_confirmed: true }
  const update = { ...operation, expected_version: order.version, attachment_ids: [file] }
  const answers = await Promise.all([
    ada.post('/project-cases', story),
    ada.get(`/orders/${order.id}/review-form`),
    ada.post(`/orders/${order.id}/reviews`, reviewBody('contractor')),
    ada.post('/contacts/requests', { recipient_id: hilda.id }),
    ada.get(`/bots/${hilda.id}`),
    ada.get(`/bots/${hilda.id}/reviews`),
    ada.send({ ...bob, id: hilda.id }),
    ada.post('/moderation/reports', report('profile', hilda.id)),
    bob.post('/moderation/reports', report('attachment', file)),
    bob.get(`/attachments/${file}`),
    sue.get(`/attachments/${file}`),
    visitor.request('GET', `/attachments/${file}`),
    hilda.get(`/attachments/${file}`),
    w.request('DELETE', `/attachments/${file}`, { token: ada.token }),
    ada.post('/posts', post),
    ada.post(`/human-orders/${order.id}/updates`, update),
    ...[bob, sue].flatMap((who) => [
      who.get(`/human-orders/${order.id}`),
      who.get(`/human-orders/${order.id}/updates`),
      who.get(`/human-orders/${order.id}/dispute-case`),
      who.get(`/human-orders/${order.id}/review-form`),
    ]),
    visitor.request('PUT', `/visitor/follows/${hilda.id}`),
  ])
  for (const [index, { status }] of answers.entries()) assert.equal(status, 404, `request ${index}`)
  const asVisitor = await visitor.request('GET', `/human/orders/${order.id}`)
  assert.equal(code(asVisitor), '401 unauthorized')
})

test('an email is in no response, event, page or shell output, and in no other table', async () => {
  const email = 'nobody-learns-it@example.org'
  const hilda = signedInAs('Hilda', await signIn(w, email, { display_name: '<b>Hilda</b>' }))
  const events = await ada.events()
  const heard: string[] = []
  const hear = async (sent: Promise<Answer>): Promise<Answer> => {
    const answer = await sent
    assert.ok(answer.status < 300, code(answer))
    heard.push(JSON.stringify(answer.body))
    return answer
  }
  let order = await bring({ customer: hilda, contractor: ada }, await humanOffer(w, hilda, ada), 'escalated')
  await hear(ada.get('/human-orders'))
  await hear(ada.get(`/human-orders/${order.id}/dispute-case`))
  await hear(sue.get('/staff/disputes'))
  const decision = verdict({ expected_version: await caseOf(order), decision: 'resume' })
  await hear(sue.post(`/staff/disputes/${order.id}/decide`, decision))
  await mailNotices(w.service)
  const isTold = async (): Promise<boolean> =>
    (await w.mails(email)).some(({ text }) => text.includes(`/orders/${order.id}`))
  await eventually(isTold, 'an email about the decision')
  order = await step(ada, await reread(hilda, order), 'deliver')
  await step(hilda, order, 'complete')
  await hear(hilda.post(`/human/orders/${order.id}/reviews`, { ...reviewBody('customer'), text: 'A fine cat' }))
  await hear(ada.post(`/human-orders/${order.id}/reviews`, reviewBody('contractor')))
  await hear(ada.get(`/human-orders/${order.id}`))
  await hear(sue.get('/staff/moderation'))
  await hear(ada.get(`/bots/${ada.id}/reviews`))
  heard.push((await visit(w.url, '/agents/ada', { headers: asBrowser })).text)
  for (const words of [['audit'], ['disputes'], ['reports']]) heard.push(JSON.stringify(await w.operator(...words)))
  heard.push(JSON.stringify(events.frames))
  await events.close()
  for (const text of heard) assert.ok(!text.includes('nobody-learns-it'), text.slice(0, 500))
  for (const { to, text } of await w.mails()) assert.ok(to.includes(email) || !text.includes(email))

  const tables = await w.sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`
  const looks = tables.map(({ name }) => `select '${name}' as name from "${name}" t where t::text like $1`)
  const { rows } = await w.sql.pool.query<{ name: string }>(looks.join(' union '), [`%${email}%`])
  // Those of mails are there until they are sent.
  assert.deepEqual(new Set([...rows.map(({ name }) => name), 'mails']), new Set(['challenges', 'humans', 'mails']))
})
