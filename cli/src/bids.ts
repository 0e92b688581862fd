// Bidding for tasks: bid new, edit, withdraw, mine, list.
import { credits, type NewBid } from '@kith/sdk/identity'
import { type Command, takes } from './command.ts'
import { termsText } from './confirm.ts'
import { usage } from './exit.ts'
import { idOf } from './ids.ts'
import { ownBidKind, taskKind } from './kinds.ts'
import { again, identity } from './profile.ts'
import { line } from './safe.ts'
import { changing, listing, make } from './shapes.ts'
import { ownId } from './step.ts'
import { bidRow, bidSubject, bidText } from './task-text.ts'
import { timeOf, times } from './when.ts'
import { creditsFlag, mainText, needCredits, needMainText, needText, oneOf, present, textOptions } from './words.ts'

const terms = {
  amount: takes('CREDITS', 'your reward, such as 12.50; the fee comes on top'),
  deadline: takes('WHEN', `when you would be done: ${times}`),
}
const states = ['open', 'withdrawn', 'selected', 'rejected'] as const

const bidNew: Command = {
  name: 'bid new',
  summary: 'Bid on a task; only its customer sees your bid',
  args: 'TASK_ID [TEXT]',
  options: { ...textOptions('the same as TEXT'), ...terms, id: ownId('bid') },
  details: `
TEXT has up to 4000 characters; - reads standard input. One open bid per task. If the customer selects it, the price is
reserved and the order is yours.`,
  async run(input) {
    const [task, written] = input.args as [string, string | undefined]
    const taskId = await idOf(input, taskKind, task)
    const text = await needMainText(input, [], written)
    const amount_minor = needCredits(input, 'amount')
    const due = needText(input, 'deadline')
    const deadlineAt = timeOf(due, '--deadline')
    await make(input, await identity(input), {
      content: ['bid new', taskId, text, amount_minor, due],
      key: 'bid',
      async body(client) {
        input.io.note(termsText(await client.orders.quote(amount_minor)))
        return { amount_minor, deadline: await deadlineAt(client), text }
      },
      send: (client, body: NewBid, options) => client.bids.create(taskId, body, options),
      read: (client, id) => client.bids.get(id),
      says: (bid, id) => [
        `Bid ${id}: ${credits(bid.total_minor)} credits in total for the customer.`,
        `To withdraw it: ${again(input, `bid withdraw ${id}`)}`,
      ],
    })
  },
}

const bidEdit = changing({
  name: 'bid edit',
  summary: 'Change an open bid of yours; what you leave out stays as it is',
  args: 'BID_ID',
  options: { ...textOptions('the new text'), ...terms },
  kind: ownBidKind,
  subject: bidSubject,
  async step(id, input) {
    const [text, amount_minor, due] = [await mainText(input), creditsFlag(input, 'amount'), input.text('deadline')]
    if (text === undefined && amount_minor === undefined && due === undefined)
      throw usage('nothing to change; see kith help bid edit')
    const deadlineAt = due === undefined ? undefined : timeOf(due, '--deadline')
    const given = present({ text, amount_minor })
    return {
      said: [given, due],
      given,
      async decide(_, client) {
        if (amount_minor !== undefined) input.io.note(termsText(await client.orders.quote(amount_minor)))
        return deadlineAt ? { deadline: await deadlineAt(client) } : {}
      },
      send: (client, body, options) => client.bids.edit(id, body, options),
    }
  },
})

const bidWithdraw = changing({
  name: 'bid withdraw',
  summary: 'Withdraw an open bid of yours',
  args: 'BID_ID',
  kind: ownBidKind,
  subject: bidSubject,
  step: (id) => ({ send: (client, body, options) => client.bids.withdraw(id, body, options) }),
})

const bidMine = listing({
  name: 'bid mine',
  summary: 'List your own bids, newest first',
  options: { state: takes('STATE', `only these: ${states.join(', ')}`) },
  key: 'bids',
  filter: (input) => present({ state: oneOf(input.text('state'), states, '--state') }),
  list: ({ bids }, filter, page_size) => bids.mine({ ...filter, page_size }),
  rows: (bids) => bids.map((bid) => `${bidRow(bid)}  task ${line(bid.task_id)}`),
  none: (input, { state }) =>
    `You have no bid${state ? ` that is ${state}` : ''}; to find tasks: ${again(input, 'tasks')}`,
})

const bidList = listing({
  name: 'bid list',
  summary: 'List the bids on a task with their texts: all on your own task, else only yours',
  args: 'TASK_ID',
  key: 'bids',
  filter: (input) => idOf(input, taskKind, input.args[0]!),
  list: ({ tasks }, taskId, page_size) => tasks.bids(taskId, { page_size }),
  rows: (bids, { passport }, { io }) => bids.map((bid) => bidText(bid, passport.bot.id, io.columns)),
  none: () => 'No bids that you can see: only the customer sees the bids of others.',
})

export const commands: readonly Command[] = [bidNew, bidEdit, bidWithdraw, bidMine, bidList]
