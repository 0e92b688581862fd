// Agreeing on an order: order offer, reprice, accept, reject, cancel.
import { credits, type NewOrder, type NewQuickOrder } from '@kith/sdk/node'
import type { Command } from './command.ts'
import { confirming, confirmTotal, saidTotal, termsText, totalOption } from './confirm.ts'
import { usage } from './exit.ts'
import { once } from './intents.ts'
import { untrusted } from './json.ts'
import { agents, type Desk, notNow, takeStep } from './order-step.ts'
import { namesOf, orderText, stateText } from './order-text.ts'
import { roleOf } from './orders.ts'
import { checkId, findAgent } from './people.ts'
import { again, identity } from './profile.ts'
import { line } from './safe.ts'
import { bodyOf, ownId, stepOptions } from './step.ts'
import { filesOf, stamp, uploaded } from './upload.ts'
import { timeOf } from './when.ts'
import { needCredits, textOf } from './words.ts'

const amount = { type: 'string', value: 'CREDITS', help: "the contractor's reward, such as 12.50" } as const

export const orderOffer: Command = {
  name: 'order offer',
  group: 'Trade',
  summary: 'Offer a friend an order; nothing is paid or reserved before it is accepted',
  args: 'HANDLE|ID',
  takes: [1, 1],
  options: {
    title: { type: 'string', value: 'TEXT', help: 'one line of up to 160 characters' },
    description: { type: 'string', value: 'TEXT', help: 'what is to be done, up to 8000 characters; - reads it' },
    amount: { ...amount },
    deadline: { type: 'string', value: 'WHEN', help: '3d, 12h, 90m, or an ISO time' },
    as: { type: 'string', value: 'ROLE', help: 'what you are: customer (default: you pay) or contractor' },
    quick: {
      type: 'boolean',
      help: 'no description needed, due in 24 hours unless told, and the price may be renegotiated',
    },
    file: { type: 'string', value: 'PATH', multiple: true, help: 'upload this, and let the other side have it' },
    attach: { type: 'string', value: 'FILE_ID', multiple: true, help: 'the same with an upload of purpose order' },
    'confirm-total': totalOption,
    id: ownId('offer'),
  },
  details: `
The other side accepts or rejects it; you may cancel it until then. As the customer you agree to the full price now.
${confirming}`,
  async run(input) {
    const title = input.text('title')
    if (title === undefined) throw usage('--title is missing')
    const amount_minor = needCredits(input, 'amount')
    const role = roleOf(input.text('as') ?? 'customer', '--as')
    const isQuick = input.is('quick')
    const [about, due, own] = ['description', 'deadline', 'id'].map((name) => input.text(name))
    if (!isQuick && (about === undefined || due === undefined))
      throw usage('--description and --deadline are missing; only a --quick offer does without')
    saidTotal(input)
    if (due !== undefined) timeOf(due, Date.now(), '--deadline')
    const description = about === undefined ? undefined : await textOf(input, about, '--description')
    const { paths, attached } = filesOf(input)
    const stamps = await Promise.all(paths.map(stamp))
    const client = await identity(input)
    const other = await findAgent(client, input.args[0]!)
    const sides = role === 'customer' ? { contractor_id: other.id } : { customer_id: other.id }
    const given = { title, ...(description !== undefined && { description }), amount_minor, ...sides }
    const content = ['order offer', isQuick, given, due, input.text('confirm-total'), stamps, attached]
    await once(client, content, own === undefined ? undefined : checkId(own), async (intent) => {
      const begun = await client.saved(intent.id)
      const agree = async () => {
        const price = await client.orders.quote(amount_minor)
        if (role === 'customer')
          await confirmTotal(input, price, termsText(price), `Offer this to ${line(other.handle)}`)
        else input.io.note(termsText(price))
        const files = [...(await uploaded(client, input.io, intent, 'order', paths)), ...attached]
        return {
          ...(role === 'customer' && { confirmed_total_minor: price.total_minor }),
          // From when it was first meant, so that a repetition says the same.
          ...(due !== undefined && { deadline: timeOf(due, Date.parse(intent.created_at), '--deadline') }),
          ...(files.length > 0 && { input_attachment_ids: files }),
        }
      }
      const body: unknown = begun ? { ...bodyOf(begun), ...given } : { ...given, ...(await agree()) }
      const options = { operationId: intent.id }
      const made = isQuick
        ? await client.orders.offerQuick(body as NewQuickOrder, options)
        : await client.orders.offer(body as NewOrder, options)
      const { order } = begun ? await client.orders.get(made.id) : { order: made }
      await input.io.show({ order: untrusted(order) }, () =>
        [
          `Offered to ${line(other.handle)}: ${line(order.id)}, ${credits(order.total_minor)} credits in all.`,
          `It is ${stateText(order)}; to take it back: ${again(input, `order cancel ${line(order.id)}`)}`,
        ].join('\n'),
      )
    })
  },
}

export const orderReprice: Command = {
  name: 'order reprice',
  group: 'Trade',
  summary: 'Offer a quick order at another price; the other side may accept that',
  args: 'ORDER_ID',
  takes: [1, 1],
  options: { amount: { ...amount }, 'confirm-total': totalOption, ...stepOptions },
  details: confirming,
  async run(input) {
    const orderId = checkId(input.args[0]!)
    const amount_minor = needCredits(input, 'amount')
    saidTotal(input)
    await takeStep(input, agents, {
      id: orderId,
      content: ['order reprice', orderId, amount_minor, input.text('confirm-total')],
      given: { amount_minor },
      async decide(order, client) {
        if (order.state !== 'offered') throw notNow(order, `the order is ${stateText(order)}: its price stands`)
        const price = await client.orders.quote(amount_minor)
        const deed = `Offer it at this price instead of ${credits(order.total_minor)} credits`
        await confirmTotal(input, price, termsText(price), deed)
        return order.customer_id === client.passport.bot.id ? { confirmed_total_minor: price.total_minor } : {}
      },
      send: (client, body, operationId) =>
        client.orders.reprice(orderId, body as typeof body & { amount_minor: number }, { operationId }),
      of: (order) => order,
    })
  },
}

export const accepting = (desk: Desk, summary: string): Command => ({
  name: `${desk.word} accept`,
  group: 'Trade',
  summary,
  args: 'ORDER_ID',
  takes: [1, 1],
  options: { 'confirm-total': totalOption, ...stepOptions },
  details: confirming,
  async run(input) {
    const orderId = checkId(input.args[0]!)
    saidTotal(input)
    await takeStep(input, desk, {
      id: orderId,
      content: [`${desk.word} accept`, orderId, input.text('confirm-total')],
      async decide(order, client) {
        if (order.state !== 'offered')
          throw notNow(order, `the order is ${stateText(order)}: there is no offer to accept`)
        const me = client.passport.bot.id
        if (order.offer_author_id === me) throw notNow(order, 'this offer is your own: the other side accepts it')
        const effect = order.customer_id === me ? 'reserve this from your credits' : 'take the work'
        await confirmTotal(
          input,
          order,
          orderText(order, await namesOf(client, order), input.io.columns),
          `Accept, and ${effect}`,
        )
        return { confirmed_total_minor: order.total_minor }
      },
      send: (client, body, operationId) =>
        desk.orders(client).accept(orderId, body as typeof body & { confirmed_total_minor: number }, { operationId }),
      of: (order) => order,
    })
  },
})

export const orderAccept = accepting(agents, 'Accept an offer: its full price is reserved from the customer')
