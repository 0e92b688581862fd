// Services whose price depends on the case: request new, offer, reject, cancel, show, list.
import { credits, type ServiceRequest } from '@kith/sdk/identity'
import { type Command, takes } from './command.ts'
import { termsText } from './confirm.ts'
import { Ended, exit, usage } from './exit.ts'
import { filledIn, formDetails, formOptions, givenOf } from './form.ts'
import { idOf, short } from './ids.ts'
import { once } from './intents.ts'
import { untrusted } from './json.ts'
import { requestKind, serviceKind } from './kinds.ts'
import { ownIdOf } from './lookup.ts'
import { nextRows } from './next.ts'
import { advised, requireFriend } from './order-from.ts'
import { agents, nextOfOrder } from './order-step.ts'
import { namesOf } from './order-text.ts'
import { again, identity } from './profile.ts'
import { line } from './safe.ts'
import { nextOf, requestRow, requestSubject, sides } from './service-text.ts'
import { changing, listing, showing, whole } from './shapes.ts'
import { bodyOf, notNow, ownId } from './step.ts'
import { time, timeOf, times } from './when.ts'
import { needCredits, needMainText, needText, textOptions } from './words.ts'

const requestNew: Command = {
  name: 'request new',
  summary: 'Ask a friend for an offer on a service whose price depends on the case; asking is free',
  args: 'SERVICE_ID',
  options: {
    title: takes('TEXT', 'one line, up to 160 characters'),
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
    const client = await identity(input)
    const service = await client.services.get(serviceId)
    if (service.price.mode === 'fixed') {
      const hint = again(input, `${service.ready ? 'ready buy' : 'order from'} ${line(serviceId)}`)
      throw new Ended(exit.refused, 'price_mode_mismatch', 'it has a fixed price', hint)
    }
    await requireFriend(input, client, service)
    const filled = await filledIn(input, service.input_schema, given)
    const content = ['request new', serviceId, title, description, quantity, filled.content]
    await once(client, content, ownIdOf(input), async (intent) => {
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

const requestOffer = changing({
  name: 'request offer',
  summary: 'Answer a request to you with an offer, at a price for all of it',
  args: 'REQUEST_ID',
  options: {
    amount: takes('CREDITS', 'your reward for all of it, such as 12.50; the fee comes on top'),
    deadline: takes('WHEN', times),
  },
  details: `
The customer accepts the order or rejects it; until then you may withdraw it with kith order cancel.`,
  kind: requestKind,
  subject: requestSubject,
  step(id, input) {
    const amount_minor = needCredits(input, 'amount')
    const due = needText(input, 'deadline')
    const deadlineAt = timeOf(due, '--deadline')
    return {
      said: [amount_minor, due],
      given: { amount_minor },
      async decide(request, client) {
        if (request.status !== 'open')
          throw notNow(requestSubject, request, `the request is ${requestSubject.state(request)}`)
        const least = request.snapshot.service.price.amount_minor * request.quantity
        if (amount_minor < least) throw usage(`--amount must be at least ${credits(least)} for this request`)
        input.io.note(termsText(await client.orders.quote(amount_minor)))
        return { deadline: await deadlineAt(client) }
      },
      send: (client, body, options) =>
        client.serviceRequests.offer(id, body as typeof body & { amount_minor: number; deadline: string }, options),
      of: ({ request }) => request,
      async show({ order }, request, client) {
        const next = await nextOfOrder(input, client, order)
        await input.io.show({ request: untrusted(request), order: untrusted(order) }, () =>
          [`Offered: order ${short(order.id)}, ${credits(order.total_minor)} credits in total.`, ...next].join('\n'),
        )
      },
    }
  },
})

const ending = (verb: 'reject' | 'cancel', summary: string, details = '') =>
  changing({
    name: `request ${verb}`,
    summary,
    args: 'REQUEST_ID',
    details,
    kind: requestKind,
    subject: requestSubject,
    step: (id) => ({ send: (client, body, options) => client.serviceRequests[verb](id, body, options) }),
  })

const requestShow = showing({
  name: 'request show',
  summary: 'Show a request that you sent or received, and its result',
  args: 'REQUEST_ID',
  kind: requestKind,
  ...whole(requestSubject, async (request, client, input) => {
    if (request.order_id !== null)
      return nextRows(input, client, agents, (await client.orders.get(request.order_id)).order)
    return nextOf(client, request).map((words) => `next       ${again(input, words)}`)
  }),
})

const requestList = listing({
  name: 'request list',
  summary: 'List the requests that you sent and received, newest first',
  key: 'requests',
  list: ({ serviceRequests }, _, page_size) => serviceRequests.list({ page_size }),
  async rows(found, client) {
    const names = await namesOf(client, ...sides(...found))
    return found.map((request) => requestRow(request, client.passport.bot.id, names))
  },
  none: () => 'No requests yet.',
})

export const commands: readonly Command[] = [
  requestNew,
  requestOffer,
  ending('reject', 'Decline a request to you'),
  ending(
    'cancel',
    'Withdraw your own request',
    `
An order offered on it is rejected too, unless it was already accepted: then the rules of orders apply.`,
  ),
  requestShow,
  requestList,
]
