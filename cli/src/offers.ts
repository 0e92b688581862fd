// Agreeing on an order: order offer, reprice, accept, reject, cancel.
import { credits, type NewOrder, type NewQuickOrder } from '@kith/sdk/node'
import type { Command } from './command.ts'
import { confirming, confirmTotal, saidTotal, termsText, totalOption } from './confirm.ts'
import { usage } from './exit.ts'
import { withFunds } from './funds.ts'
import { idOf, short } from './ids.ts'
import { once } from './intents.ts'
import { untrusted } from './json.ts'
import { orderKind } from './kinds.ts'
import { checkId, findAgent } from './lookup.ts'
import type { Desk } from './next.ts'
import { agents, nextOfOrder, notNow, takeStep } from './order-step.ts'
import { namesOf, orderText, stateText } from './order-text.ts'
import { roleOf } from './orders.ts'
import { identity } from './profile.ts'
import { line } from './safe.ts'
import { bodyOf, ownId, stepOptions } from './step.ts'
import { filesOf, stamp, uploaded } from './upload.ts'
import { timeOf } from './when.ts'
import { mainText, needCredits, textOptions } from './words.ts'

const amount = { type: 'string', value: 'CREDITS', help: "the contractor's reward, such as 12.50" } as const

export const orderOffer: Command = {
  name: 'order offer',
  group: 'Trade',
  summary: 'Offer a friend an order; nothing is paid or reserved until it is accepted',
  args: 'HANDLE|ID',
  takes: [1, 1],
  options: {
    title: { type: 'string', value: 'TEXT', help: 'one line, up to 160 characters' },
    ...textOptions('what has to be done, up to 8000 characters', 'description'),
    amount: { ...amount },
    deadline: { type: 'string', value: 'WHEN', help: '3d, 12h, 90m, or an ISO time' },
    as: { type: 'string', value: 'ROLE', help: 'your side: customer (default: you pay) or contractor' },
    quick: {
      type: 'boolean',
      help: 'no description needed, due in 24 hours unless you say otherwise, and the price can be renegotiated',
    },
    file: { type: 'string', value: 'PATH', multiple: true, help: 'upload this and send it to the other side' },
    attach: {
      type: 'string',
      value: 'FILE_ID',
      multiple: true,
      help: 'the same with an existing upload of purpose order',
    },
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
    const [due, own] = ['deadline', 'id'].map((name) => input.text(name))
    const description = await mainText(input, ['description'])
    if (!isQuick && (description === undefined || due === undefined))
      throw usage('--text and --deadline are missing; only a --quick offer can do without')
    saidTotal(input)
    if (due !== undefined) timeOf(due, Date.now(), '--deadline')
    const { paths, attached } = filesOf(input)
    const stamps = await Promise.all(paths.map(stamp))
    const client = await identity(input)
    const other = await findAgent(client, input.args[0]!)
    const sides = role === 'customer' ? { contractor_id: other.id } : { customer_id: other.id }
    const given = { title, ...(description !== undefined && { description }), amount_minor, ...sides }
    const content = ['order offer', isQuick, given, due, saidTotal(input), stamps, attached]
    await once(client, content, own === undefined ? undefined : checkId(own), async (intent) => {
      const begun = await client.saved(intent.id)
      const agree = async () => {
        const price = await client.orders.quote(amount_minor)
        if (role === 'customer')
          await confirmTotal(
            input,
            price,
            await withFunds(client, price.total_minor, termsText(price)),
            `Offer this to ${line(other.handle)}`,
          )
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
      const next = await nextOfOrder(input, client, order)
      await input.io.show({ order: untrusted(order) }, () =>
        [
          `Offered to ${line(other.handle)}: ${short(order.id)}, ${credits(order.total_minor)} credits in total.`,
          ...next,
        ].join('\n'),
      )
    })
  },
}

export const orderReprice: Command = {
  name: 'order reprice',
  group: 'Trade',
  summary: 'Offer a quick order at another price, for the other side to accept',
  args: 'ORDER_ID',
  takes: [1, 1],
  options: { amount: { ...amount }, 'confirm-total': totalOption, ...stepOptions },
  details: confirming,
  async run(input) {
    const orderId = await idOf(input, orderKind, input.args[0]!)
    const amount_minor = needCredits(input, 'amount')
    saidTotal(input)
    await takeStep(input, agents, {
      id: orderId,
      content: ['order reprice', orderId, amount_minor, saidTotal(input)],
      given: { amount_minor },
      async decide(order, client) {
        if (order.state !== 'offered') throw notNow(order, `the order is ${stateText(order)}: its price is final`)
        const price = await client.orders.quote(amount_minor)
        const deed = `Offer it at this price instead of ${credits(order.total_minor)} credits`
        const isCustomer = order.customer_id === client.passport.bot.id
        const shown = isCustomer ? await withFunds(client, price.total_minor, termsText(price)) : termsText(price)
        await confirmTotal(input, price, shown, deed)
        return isCustomer ? { confirmed_total_minor: price.total_minor } : {}
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
    const orderId = await idOf(input, desk.kind, input.args[0]!)
    saidTotal(input)
    await takeStep(input, desk, {
      id: orderId,
      content: [`${desk.word} accept`, orderId, saidTotal(input)],
      async decide(order, client) {
        if (order.state !== 'offered')
          throw notNow(order, `the order is ${stateText(order)}: there is no offer to accept`)
        const me = client.passport.bot.id
        if (order.offer_author_id === me)
          throw notNow(order, 'this is your own offer: only the other side can accept it')
        const isCustomer = order.customer_id === me
        const effect = isCustomer ? 'reserve this from your credits' : 'take the work'
        const text = orderText(order, await namesOf(client, order), input.io.columns)
        const shown = isCustomer ? await withFunds(client, order.total_minor, text) : text
        await confirmTotal(input, order, shown, `Accept and ${effect}`)
        return { confirmed_total_minor: order.total_minor }
      },
      send: (client, body, operationId) =>
        desk.orders(client).accept(orderId, body as typeof body & { confirmed_total_minor: number }, { operationId }),
      of: (order) => order,
    })
  },
})

export const orderAccept = accepting(agents, 'Accept an offer: its full price is reserved from the customer')
