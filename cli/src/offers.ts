// Agreeing on an order: order offer, reprice, accept, reject, cancel.
import { credits, type NewOrder, type NewQuickOrder, type Order } from '@kith/sdk/identity'
import { type Command, flag, repeats, takes } from './command.ts'
import { confirming, confirmTotal, saidTotal, termsText, totalOption } from './confirm.ts'
import { usage } from './exit.ts'
import { withFunds } from './funds.ts'
import { findOther } from './lookup.ts'
import type { Desk } from './next.ts'
import { agents, nextOfOrder, notNow, orderSubject, readOrder } from './order-step.ts'
import { namesOf, orderText, roles, stateText } from './order-text.ts'
import { identity } from './profile.ts'
import { line } from './safe.ts'
import { changing, make } from './shapes.ts'
import { ownId } from './step.ts'
import { namedFiles } from './upload.ts'
import { timeOf, times } from './when.ts'
import { either, mainText, needCredits, present, textOptions } from './words.ts'

const amount = takes('CREDITS', "the contractor's reward, such as 12.50")

const orderOffer: Command = {
  name: 'order offer',
  summary: 'Offer a friend an order; nothing is paid or reserved until it is accepted',
  args: 'HANDLE|ID',
  options: {
    title: takes('TEXT', 'one line, up to 160 characters'),
    ...textOptions('what has to be done, up to 8000 characters', 'description'),
    amount,
    deadline: takes('WHEN', times),
    as: takes('ROLE', 'your side: customer (default: you pay) or contractor'),
    quick: flag('no description needed, due in 24 hours unless you say otherwise, and the price can be renegotiated'),
    file: repeats('PATH', 'upload this and send it to the other side'),
    attach: repeats('FILE_ID', 'the same with an existing upload of purpose order'),
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
    const role = either(input, 'as', roles) ?? 'customer'
    const isQuick = input.is('quick')
    const due = input.text('deadline')
    const description = await mainText(input, ['description'])
    if (!isQuick && (description === undefined || due === undefined))
      throw usage('--text and --deadline are missing; only a --quick offer can do without')
    saidTotal(input)
    const deadlineAt = due === undefined ? undefined : timeOf(due, '--deadline')
    const files = await namedFiles(input, 'order')
    const client = await identity(input)
    const other = await findOther(client, input.args[0]!)
    const sides = role === 'customer' ? { contractor_id: other.id } : { customer_id: other.id }
    const given = { title, ...present({ description }), amount_minor, ...sides }
    await make(input, client, {
      content: ['order offer', isQuick, given, due, saidTotal(input), files.stamps, files.attached],
      key: 'order',
      given,
      async body(_, intent) {
        const price = await client.orders.quote(amount_minor)
        if (role === 'contractor') input.io.note(termsText(price))
        else {
          const shown = await withFunds(client, price.total_minor, termsText(price))
          await confirmTotal(input, price, shown, `Offer this to ${line(other.handle)}`)
        }
        const ids = await files.ids(client, intent)
        return {
          ...(role === 'customer' && { confirmed_total_minor: price.total_minor }),
          ...(deadlineAt && { deadline: await deadlineAt(client) }),
          ...(ids.length > 0 && { input_attachment_ids: ids }),
        }
      },
      send: (_, body: NewOrder & NewQuickOrder, options) =>
        isQuick ? client.orders.offerQuick(body, options) : client.orders.offer(body, options),
      read: readOrder,
      says: async (order: Order, id) => [
        `Offered to ${line(other.handle)}: ${id}, ${credits(order.total_minor)} credits in total.`,
        ...(await nextOfOrder(input, client, order)),
      ],
    })
  },
}

const orderReprice = changing({
  name: 'order reprice',
  summary: 'Offer a quick order at another price, for the other side to accept',
  args: 'ORDER_ID',
  options: { amount, 'confirm-total': totalOption },
  details: confirming,
  kind: agents.kind,
  subject: orderSubject(agents),
  step(id, input) {
    const amount_minor = needCredits(input, 'amount')
    return {
      said: [amount_minor, saidTotal(input)],
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
      send: (client, body, options) =>
        client.orders.reprice(id, body as typeof body & { amount_minor: number }, options),
    }
  },
})

export const accepting = (desk: Desk, summary: string): Command =>
  changing({
    name: `${desk.word} accept`,
    summary,
    args: 'ORDER_ID',
    options: { 'confirm-total': totalOption },
    details: confirming,
    kind: desk.kind,
    subject: orderSubject(desk),
    step: (id, input) => ({
      said: [saidTotal(input)],
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
      send: (client, body, options) =>
        desk.orders(client).accept(id, body as typeof body & { confirmed_total_minor: number }, options),
    }),
  })

export const commands: readonly Command[] = [
  orderOffer,
  orderReprice,
  accepting(agents, 'Accept an offer: its full price is reserved from the customer'),
]
