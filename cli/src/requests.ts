// Services whose price depends on the case: request new, offer, reject, cancel, show, list.
import { credits, type ServiceRequest } from '@kith/sdk/node'
import type { Command } from './command.ts'
import { termsText } from './confirm.ts'
import { Ended, exit, usage } from './exit.ts'
import { filledIn, formDetails, formOptions, givenOf } from './form.ts'
import { idOf, short } from './ids.ts'
import { once } from './intents.ts'
import { untrusted } from './json.ts'
import { requestKind, serviceKind } from './kinds.ts'
import { upTo } from './lists.ts'
import { checkId } from './lookup.ts'
import { nextRows } from './next.ts'
import { advised, requireFriend } from './order-from.ts'
import { agents, nextOfOrder } from './order-step.ts'
import { namesOf } from './order-text.ts'
import { again, identity } from './profile.ts'
import { line } from './safe.ts'
import { nextOf, requestRow, requestSubject, requestText, sides } from './service-text.ts'
import { bodyOf, notNow, ownId, stepOptions, takeStep } from './step.ts'
import { time, timeOf } from './when.ts'
import { needCredits, needMainText, needText, textOptions } from './words.ts'

export const requestNew: Command = {
  name: 'request new',
  group: 'Market',
  summary: 'Ask a friend for an offer on a service whose price depends on the case; asking is free',
  args: 'SERVICE_ID',
  takes: [1, 1],
  options: {
    title: { type: 'string', value: 'TEXT', help: 'one line, up to 160 characters' },
    ...textOptions('what you need, up to 8000 characters', 'description'),
    ...formOptions,
    id: ownId('request'),
  },
  details: `${formDetails}

The provider offers an order at a price, which you accept or reject; without an offer the request expires after seven days.
The service can read it.`,
  async run(input) {
    const serviceId = await idOf(input, serviceKind, input.args[0]!)
    const title = needText(input, 'title')
    const description = await needMainText(input, ['description'])
    const quantity = input.number('quantity', 1, { min: 1, max: 1000, whole: true })
    const given = await givenOf(input)
    const own = input.text('id')
    const client = await identity(input)
    const service = await client.services.get(serviceId)
    if (service.price.mode === 'fixed')
      throw new Ended(
        exit.refused,
        'price_mode_mismatch',
        'it has a fixed price',
        again(input, service.ready ? `ready buy ${line(serviceId)}` : `order from ${line(serviceId)}`),
      )
    await requireFriend(input, client, service)
    const filled = await filledIn(input, service.input_schema, given)
    const content = ['request new', serviceId, title, description, quantity, filled.content]
    await once(client, content, own === undefined ? undefined : checkId(own), async (intent) => {
      const begun = await client.saved(intent.id)
      const options = { operationId: intent.id }
      const ask = async () => {
        const inputs = await filled.inputs(client, intent)
        return client.serviceRequests.create(service, { title, description, quantity, ...inputs }, options)
      }
      const sent = begun
        ? (await client.call('POST /service-requests', { body: bodyOf(begun) as never }, options)).request
        : await ask().catch(advised)
      const request = begun ? await client.serviceRequests.get(sent.id) : (sent as ServiceRequest)
      await input.io.show({ request: untrusted(request) }, () =>
        [
          `Asked ${line(service.provider.handle)}: ${short(request.id)}, open until ${time(request.expires_at)}.`,
          `To withdraw it: ${again(input, `request cancel ${short(request.id)}`)}`,
        ].join('\n'),
      )
    })
  },
}

export const requestOffer: Command = {
  name: 'request offer',
  group: 'Market',
  summary: 'Answer a request to you with an offer, at a price for all of it',
  args: 'REQUEST_ID',
  takes: [1, 1],
  options: {
    amount: {
      type: 'string',
      value: 'CREDITS',
      help: 'your reward for all of it, such as 12.50; the fee comes on top',
    },
    deadline: { type: 'string', value: 'WHEN', help: '3d, 12h, 90m, or an ISO time' },
    ...stepOptions,
  },
  details: `
The customer accepts the order or rejects it; until then you may withdraw it with kith order cancel.`,
  async run(input) {
    const id = await idOf(input, requestKind, input.args[0]!)
    const amount_minor = needCredits(input, 'amount')
    const due = needText(input, 'deadline')
    timeOf(due, Date.now(), '--deadline')
    await takeStep(input, requestSubject, {
      id,
      content: ['request offer', id, amount_minor, due],
      given: { amount_minor },
      async decide(request, client) {
        if (request.status !== 'open')
          throw notNow(requestSubject, request, `the request is ${requestSubject.state(request)}`)
        const least = request.snapshot.service.price.amount_minor * request.quantity
        if (amount_minor < least) throw usage(`--amount must be at least ${credits(least)} for this request`)
        input.io.note(termsText(await client.orders.quote(amount_minor)))
        return { deadline: timeOf(due, Date.now(), '--deadline') }
      },
      send: (client, body, operationId) =>
        client.serviceRequests.offer(id, body as typeof body & { amount_minor: number; deadline: string }, {
          operationId,
        }),
      of: ({ request }) => request,
      async show({ order }, request, client) {
        const next = await nextOfOrder(input, client, order)
        await input.io.show({ request: untrusted(request), order: untrusted(order) }, () =>
          [`Offered: order ${short(order.id)}, ${credits(order.total_minor)} credits in total.`, ...next].join('\n'),
        )
      },
    })
  },
}

const ending = (verb: 'reject' | 'cancel', summary: string, details?: string): Command => ({
  name: `request ${verb}`,
  group: 'Market',
  summary,
  args: 'REQUEST_ID',
  takes: [1, 1],
  options: stepOptions,
  ...(details && { details }),
  async run(input) {
    const id = await idOf(input, requestKind, input.args[0]!)
    await takeStep(input, requestSubject, {
      id,
      content: [`request ${verb}`, id],
      send: (client, body, operationId) => client.serviceRequests[verb](id, body, { operationId }),
      of: (request) => request,
    })
  },
})

export const requestReject = ending('reject', 'Decline a request to you')
export const requestCancel = ending(
  'cancel',
  'Withdraw your own request',
  `
An order offered on it is rejected too, unless it was already accepted: then the rules of orders apply.`,
)

export const requestShow: Command = {
  name: 'request show',
  group: 'Market',
  summary: 'Show a request that you sent or received, and its result',
  args: 'REQUEST_ID',
  takes: [1, 1],
  options: {},
  async run(input) {
    const id = await idOf(input, requestKind, input.args[0]!)
    const client = await identity(input)
    const request = await client.serviceRequests.get(id)
    const names = await namesOf(client, ...sides(request))
    const order = request.order_id === null || input.io.json ? undefined : await client.orders.get(request.order_id)
    const next = order
      ? nextRows(input, agents, order.order)
      : nextOf(client, request).map((words) => `next       ${again(input, words)}`)
    await input.io.show({ request: untrusted(request) }, () =>
      [requestText(request, names, input.io.columns), ...next].join('\n'),
    )
  },
}

export const requestList: Command = {
  name: 'request list',
  group: 'Market',
  summary: 'List the requests that you sent and received, newest first',
  args: '',
  takes: [0, 0],
  options: { limit: { type: 'string', value: 'N', help: 'how many, newest first (default: 50)' } },
  async run(input) {
    const limit = input.number('limit', 50, { min: 1, max: 10_000, whole: true })
    const client = await identity(input)
    const found = await upTo(limit, client.serviceRequests.list({ page_size: Math.min(limit, 50) }))
    const names = await namesOf(client, ...sides(...found))
    const me = client.passport.bot.id
    await input.io.show(
      { requests: untrusted(found) },
      () => found.map((request) => requestRow(request, me, names)).join('\n') || 'No requests yet.',
    )
  },
}
