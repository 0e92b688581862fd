// The market of services from outside: answers that were lost, and everything at once on two nodes. docs/contract/requests.md#moves and docs/contract/services.md.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { throws } from '../../../test/dice.ts'
import { givenFile } from '../../../test/files.ts'
import { attempt, inTime, reread, stepBody } from '../../../test/orders.ts'
import { askBody, asked, moveBody, moved, priced, requestOf, type Shown, tried } from '../../../test/requests.ts'
import { byQuote, published, quoteBody, quoted, serviceBody } from '../../../test/services.ts'
import { beforehand, story } from '../../../test/story.ts'
import { turnHidden, turnSuspended } from '../../../test/turning.ts'
import { type Agent, type Answer, befriend, code, race } from '../../../test/world.ts'
import { minutes } from '../../kernel/clock.ts'
import { hide, unhide } from '../staff/hiding.ts'

const { w, ada, bob, eve } = story('eve', { friends: ['ada', 'bob'] })
const there = beforehand(() => w.node())

const suspend = (who: Agent, suspended: boolean) => turnSuspended(w, who.id, suspended)

/** Half of the requests go to the other node. */
const via = (n: number, who: Agent, path: string, json: unknown, method = 'POST'): Promise<Answer> =>
  (n % 4 < 2 ? w : there).request(method, path, { token: who.token, json })

const changing = ({ version }: Shown, fields: object = {}) => ({
  operation_id: randomUUID(),
  expected_version: version,
  ...fields,
})

test('a lost response can be requested again whatever changed since, and its ID works for nothing else', async () => {
  const special = await priced(ada)
  const sent: { who: Agent; method: string; path: string; json: Record<string, unknown> }[] = []
  const send = async (who: Agent, path: string, json: Record<string, unknown>, method = 'POST') => {
    sent.push({ who, method, path, json })
    const answer = await w.request(method, path, { token: who.token, json })
    assert.ok(answer.status < 300, `${path} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const deadline = inTime(w, minutes(5))
  const made = (await send(ada, '/services', serviceBody())).service
  const path = `/services/${made.id}`
  const edited = (await send(ada, path, changing(made, { title: 'Another' }), 'PATCH')).service
  const shown = (await send(ada, `${path}/publish`, changing(edited))).service
  const { quote } = await send(bob, `${path}/quote`, quoteBody(shown))
  await send(bob, '/orders', byQuote(w, quote, { deadline }))
  const paused = (await send(ada, `${path}/pause`, changing(shown))).service
  await send(ada, `${path}/archive`, changing(paused))
  const { request } = await send(bob, '/service-requests', askBody(special))
  const at = `/service-requests/${request.id}`
  const offered = (await send(ada, `${at}/offer`, moveBody(w, request, 'offer', { deadline }))).request
  await send(bob, `${at}/cancel`, changing(offered))
  const declined = await asked(bob, special)
  await send(ada, `/service-requests/${declined.id}/reject`, changing(declined))

  const again = async (since: string) => {
    for (const { who, method, path, json } of sent) {
      const answer = await w.request(method, path, { token: who.token, json })
      assert.equal(code(answer), '200', `${method} ${path} ${since}`)
    }
  }
  await again('at once')
  w.travel(minutes(11))
  await again('after the deadlines, and the end of the quote')
  const { body } = await ada.get('/contacts')
  const turns: [string, (on: boolean) => Promise<unknown>][] = [
    ['closed', (on) => ada.patch('/bots/me', { profile_public: !on })],
    ['suspended', (on) => Promise.all([suspend(ada, on), suspend(bob, on)])],
    ['hidden', (on) => turnHidden(w, 'service', made.id, on)],
    ['blocked', async (on) => on && ada.post(`/contacts/${body.contacts[0].id}/block`)],
  ]
  for (const [since, turn] of turns) {
    await turn(true)
    await again(since)
    await turn(false)
  }
  for (const one of sent) {
    for (const other of sent) {
      if (one === other || one.who !== other.who) continue
      const json = { ...other.json, operation_id: one.json['operation_id'] }
      const answer = await w.request(other.method, other.path, { token: one.who.token, json })
      assert.equal(code(answer), '409 idempotency_conflict', `${one.path} for ${other.path}`)
    }
  }
})

test('all ways to end an offer at once: one of them happens', async () => {
  const [provider, customer] = await w.friends('provider', 'customer')
  const service = await priced(provider)
  for (let round = 0; round < 4; round++) {
    const { order, ...request } = await moved(w, provider, await asked(customer, service), 'offer')
    const acts = [
      () => via(round, customer, `/orders/${order.id}/accept`, stepBody(customer, order, 'accept')),
      () => attempt(customer, order, 'reject'),
      () => attempt(provider, order, 'cancel'),
      () => tried(w, customer, request, 'cancel'),
      () => via(round + 2, customer, `/service-requests/${request.id}/cancel`, changing(request)),
    ]
    const answers = await race(20, (n) => (acts[(n + round) % 5] as () => Promise<Answer>)())
    assert.equal(answers.filter(({ status }) => status < 300).length, 1)
    for (const answer of answers) assert.match(code(answer), /^(200|409 (version_conflict|invalid_state))$/)
    const [now, { state }] = [await requestOf(customer, request), await reread(customer, order)]
    assert.equal(now.order_state, state)
    assert.ok(now.status === 'cancelled' ? state === 'rejected' : now.status === 'offered', `${now.status} ${state}`)
  }
})

test('a block and a closing profile race every action that needs a friend or an open profile', async () => {
  for (const turn of ['block', 'close'] as const) {
    const [provider, customer, contact] = await w.friends(`provider_${turn}`, `customer_${turn}`)
    const [fixed, special] = [await published(provider), await priced(provider)]
    const quotes = await Promise.all(Array.from({ length: 7 }, () => quoted(customer, fixed)))
    const requests = await Promise.all(Array.from({ length: 7 }, () => asked(customer, special)))
    const answers = await race(21, (n) => {
      if (n === 10) {
        if (turn === 'block') return via(n, customer, `/contacts/${contact}/block`, {})
        return via(n, provider, '/bots/me', { profile_public: false }, 'PATCH')
      }
      const at = Math.floor(n / 3)
      if (n % 3 === 0) return via(n, customer, '/orders', byQuote(w, quotes[at] as Shown))
      if (n % 3 === 1) return tried(w, provider, requests[at] as Shown, 'offer')
      return via(n, customer, '/service-requests', askBody(special))
    })
    const refused = turn === 'block' ? /^403 friendship_required$/ : /^(404 not_found|409 service_unavailable)$/
    for (const answer of answers) if (answer.status >= 300) assert.match(code(answer), refused)
    const late = await customer.post('/orders', byQuote(w, quotes[3] as Shown))
    assert.match(code(late), turn === 'block' ? /^(403 f|409 quote_a)/ : /^404/)
  }
})

test('under random concurrent requests nothing fails, and every list, count and credit is right', async () => {
  const providers = [await w.agent('first_one'), await w.agent('second_one')] as const
  const crowd = await Promise.all([0, 1, 2].map((n) => w.agent(`crowd_${n}`)))
  await Promise.all(crowd.map(async (one) => Promise.all(providers.map((provider) => befriend(one, provider)))))
  const [services, quotes, requests, orders]: Shown[][] = [[], [], [], []]
  for (const provider of providers) {
    services?.push(await published(provider), await priced(provider), await priced(provider))
  }
  const { dice, pick } = throws()
  const everyone = [...providers, ...crowd]
  const isOf = (id: string) => everyone.find((one) => one.id === id) as Agent
  const failed: string[] = []
  const say = async (who: Agent, path: string, json: unknown, method?: string): Promise<Shown> => {
    const answer = await via(dice(4), who, path, json, method)
    if (answer.status >= 500) failed.push(`${path} ${code(answer)}`)
    return answer.status < 300 ? answer.body : {}
  }
  const hideOrShow = (kind: 'service' | 'profile', id: string) =>
    w.service.sql.transaction((tx) => (dice(6) ? unhide : hide)(tx, kind, id))
  const acts: (() => Promise<unknown>)[] = [
    async () => {
      const service = pick(services as Shown[])
      const { provider_bot_id: id } = service
      const done = dice(2)
        ? await say(isOf(id), `/services/${service.id}`, changing(service, { title: `No. ${dice(99)}` }), 'PATCH')
        : await say(isOf(id), `/services/${service.id}/${pick(['publish', 'publish', 'pause'])}`, changing(service))
      Object.assign(service, done.service ?? (await isOf(id).get(`/services/${service.id}`)).body.service)
    },
    async () => {
      const service = pick(services as Shown[])
      const { quote } = await say(pick(crowd), `/services/${service.id}/quote`, quoteBody(service))
      if (quote) quotes?.push(quote)
    },
    async () => {
      if (!quotes?.length) return
      const quote = pick(quotes)
      const { order } = await say(isOf(quote.customer_id), '/orders', byQuote(w, quote))
      if (order) orders?.push(order)
    },
    async () => {
      const who = pick(crowd)
      const files = dice(2) ? [await givenFile(w, who, { purpose: 'order', file_format: 'mp3' })] : []
      const body = askBody(pick(services as Shown[]), { input_attachment_ids: files })
      const { request } = await say(who, '/service-requests', body)
      if (request) requests?.push(request)
    },
    async () => {
      if (!requests?.length) return
      const request = pick(requests)
      const action = pick(['offer', 'offer', 'reject', 'cancel'] as const)
      const who = isOf(action === 'cancel' ? request.customer_id : request.provider_id)
      const done = await say(who, `/service-requests/${request.id}/${action}`, moveBody(w, request, action))
      if (done.order) orders?.push(done.order)
      Object.assign(request, done.request)
    },
    async () => {
      if (!orders?.length) return
      const order = pick(orders)
      const who = isOf(pick([order.customer_id, order.contractor_id]))
      const action = pick(['accept', 'reject', 'cancel'] as const)
      Object.assign(order, (await say(who, `/orders/${order.id}/${action}`, stepBody(who, order, action))).order)
    },
    async () => say(pick(providers), '/bots/me', { profile_public: dice(4) > 0 }, 'PATCH'),
    async () => hideOrShow('service', pick(services as Shown[]).id),
    async () => hideOrShow('profile', pick(providers).id),
    async () => suspend(pick(everyone), dice(12) === 0),
  ]
  await race(12, async () => {
    for (let n = 0; n < 25; n++) await pick(acts)()
    return w.request('GET', '/services', { token: eve.token })
  })
  assert.deepEqual(failed, [])
  for (const one of everyone) await suspend(one, false)
  for (const provider of providers) {
    await turnHidden(w, 'profile', provider.id, false)
    for (const { id } of services ?? []) await turnHidden(w, 'service', id, false)
    const seen = async (state: string, open: boolean) => {
      await provider.patch('/bots/me', { profile_public: open })
      const [own, others] = [
        await provider.get('/services/mine'),
        await eve.get(`/services?provider_id=${provider.id}`),
      ]
      const titles = (items: Shown[]) => items.map(({ id, title }) => `${id} ${title}`)
      assert.deepEqual(titles(others.body.items), open ? titles(own.body.items) : [], state)
    }
    await seen('closed', false)
    await seen('open', true)
  }
})
