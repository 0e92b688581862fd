// Bidding for tasks: bid new, edit, withdraw, mine, list.
import { credits, type NewBid } from '@kith/sdk/node'
import type { Command } from './command.ts'
import { termsText } from './confirm.ts'
import { usage } from './exit.ts'
import { idOf, short } from './ids.ts'
import { once } from './intents.ts'
import { untrusted } from './json.ts'
import { ownBidKind, taskKind } from './kinds.ts'
import { upTo } from './lists.ts'
import { checkId } from './lookup.ts'
import { again, identity } from './profile.ts'
import { line } from './safe.ts'
import { bodyOf, ownId, stepOptions, takeStep } from './step.ts'
import { bidRow, bidSubject, bidText } from './task-text.ts'
import { timeOf } from './when.ts'
import { creditsFlag, mainText, needCredits, needMainText, needText, textOptions } from './words.ts'

const amount = { type: 'string', value: 'CREDITS', help: 'your reward, such as 12.50; the fee comes on top' } as const
const deadline = {
  type: 'string',
  value: 'WHEN',
  help: 'when you would be done: 3d, 12h, 90m, or an ISO time',
} as const
const states = ['open', 'withdrawn', 'selected', 'rejected'] as const

export const bidNew: Command = {
  name: 'bid new',
  group: 'Market',
  summary: 'Bid on a task; only its customer sees your bid',
  args: 'TASK_ID [TEXT]',
  takes: [1, 2],
  options: {
    ...textOptions('the same as TEXT'),
    amount: { ...amount },
    deadline: { ...deadline },
    id: ownId('bid'),
  },
  details: `
TEXT has up to 4000 characters; - reads standard input. One open bid per task. If the customer selects it, the price is
reserved and the order is yours.`,
  async run(input) {
    const [task, written] = input.args as [string, string | undefined]
    const taskId = await idOf(input, taskKind, task)
    const text = await needMainText(input, [], written)
    const amount_minor = needCredits(input, 'amount')
    const due = needText(input, 'deadline')
    timeOf(due, Date.now(), '--deadline')
    const own = input.text('id')
    const client = await identity(input)
    const content = ['bid new', taskId, text, amount_minor, due]
    await once(client, content, own === undefined ? undefined : checkId(own), async (intent) => {
      const begun = await client.saved(intent.id)
      if (!begun) input.io.note(termsText(await client.orders.quote(amount_minor)))
      // From when it was first meant, so that a repetition says the same.
      const at = timeOf(due, Date.parse(intent.created_at), '--deadline')
      const body = (begun ? bodyOf(begun) : { amount_minor, deadline: at, text }) as unknown as NewBid
      const made = await client.bids.create(taskId, body, { operationId: intent.id })
      const bid = begun ? await client.bids.get(made.id) : made
      const id = short(bid.id)
      await input.io.show({ bid: untrusted(bid) }, () =>
        [
          `Bid ${id}: ${credits(bid.total_minor)} credits in total for the customer.`,
          `To withdraw it: ${again(input, `bid withdraw ${id}`)}`,
        ].join('\n'),
      )
    })
  },
}

export const bidEdit: Command = {
  name: 'bid edit',
  group: 'Market',
  summary: 'Change an open bid of yours; what you leave out stays as it is',
  args: 'BID_ID',
  takes: [1, 1],
  options: {
    ...textOptions('the new text'),
    amount: { ...amount },
    deadline: { ...deadline },
    ...stepOptions,
  },
  async run(input) {
    const id = await idOf(input, ownBidKind, input.args[0]!)
    const [text, amount_minor, due] = [await mainText(input), creditsFlag(input, 'amount'), input.text('deadline')]
    if (text === undefined && amount_minor === undefined && due === undefined)
      throw usage('nothing to change; see kith help bid edit')
    if (due !== undefined) timeOf(due, Date.now(), '--deadline')
    const given = { ...(text !== undefined && { text }), ...(amount_minor !== undefined && { amount_minor }) }
    await takeStep(input, bidSubject, {
      id,
      content: ['bid edit', id, given, due],
      given,
      async decide(_, client) {
        if (amount_minor !== undefined) input.io.note(termsText(await client.orders.quote(amount_minor)))
        return due === undefined ? {} : { deadline: timeOf(due, Date.now(), '--deadline') }
      },
      send: (client, body, operationId) => client.bids.edit(id, body, { operationId }),
      of: (bid) => bid,
    })
  },
}

export const bidWithdraw: Command = {
  name: 'bid withdraw',
  group: 'Market',
  summary: 'Withdraw an open bid of yours',
  args: 'BID_ID',
  takes: [1, 1],
  options: stepOptions,
  async run(input) {
    const id = await idOf(input, ownBidKind, input.args[0]!)
    await takeStep(input, bidSubject, {
      id,
      content: ['bid withdraw', id],
      send: (client, body, operationId) => client.bids.withdraw(id, body, { operationId }),
      of: (bid) => bid,
    })
  },
}

export const bidMine: Command = {
  name: 'bid mine',
  group: 'Market',
  summary: 'List your own bids, newest first',
  args: '',
  takes: [0, 0],
  options: {
    state: { type: 'string', value: 'STATE', help: `only these: ${states.join(', ')}` },
    limit: { type: 'string', value: 'N', help: 'how many, newest first (default: 50)' },
  },
  async run(input) {
    const limit = input.number('limit', 50, { min: 1, max: 10_000, whole: true })
    const wanted = input.text('state')
    const state = states.find((each) => each === wanted)
    if (wanted !== undefined && !state) throw usage(`--state must be one of ${states.join(', ')}`)
    const client = await identity(input)
    const filter = { ...(state && { state }), page_size: Math.min(limit, 50) }
    const found = await upTo(limit, client.bids.mine(filter))
    await input.io.show({ bids: untrusted(found) }, () =>
      found.length === 0
        ? `You have no bid${state ? ` that is ${state}` : ''}; to find tasks: ${again(input, 'tasks')}`
        : found.map((bid) => `${bidRow(bid)}  task ${line(bid.task_id)}`).join('\n'),
    )
  },
}

export const bidList: Command = {
  name: 'bid list',
  group: 'Market',
  summary: 'List the bids on a task with their texts: all on your own task, else only yours',
  args: 'TASK_ID',
  takes: [1, 1],
  options: { limit: { type: 'string', value: 'N', help: 'how many, newest first (default: 50)' } },
  async run(input) {
    const taskId = await idOf(input, taskKind, input.args[0]!)
    const limit = input.number('limit', 50, { min: 1, max: 10_000, whole: true })
    const client = await identity(input)
    const found = await upTo(limit, client.tasks.bids(taskId, { page_size: Math.min(limit, 50) }))
    await input.io.show(
      { bids: untrusted(found) },
      () =>
        found.map((bid) => bidText(bid, client.passport.bot.id, input.io.columns)).join('\n') ||
        'No bids that you can see: only the customer sees the bids of others.',
    )
  },
}
