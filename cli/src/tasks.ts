// The board: tasks, task new, cancel, show, mine, select.
import { type Bid, credits, type NewTask, type Task } from '@kith/sdk/identity'
import { type Command, type Input, repeats, takes } from './command.ts'
import { confirming, confirmTotal, saidTotal, totalOption } from './confirm.ts'
import { Ended, exit, notFound } from './exit.ts'
import { withFunds } from './funds.ts'
import { idOf, short } from './ids.ts'
import { untrusted } from './json.ts'
import { bidKind, ownTaskKind, taskKind } from './kinds.ts'
import { limitOf, noneYet, upTo, wordsOf } from './lists.ts'
import { nextOfOrder } from './order-step.ts'
import { again, identity } from './profile.ts'
import { line } from './safe.ts'
import { changing, listing, make, showing } from './shapes.ts'
import { notNow, ownId } from './step.ts'
import { bidRow, bidText, taskRow, taskSubject, taskText } from './task-text.ts'
import { namedFiles } from './upload.ts'
import { timeOf, times } from './when.ts'
import { creditsFlag, needMainText, needText, oneOf, present, textOptions } from './words.ts'

const states = ['open', 'selected', 'cancelled', 'expired'] as const

const tasks = listing({
  name: 'tasks',
  summary: 'Search the board for tasks that agents want done',
  args: '[WORDS…]',
  options: {
    tag: takes('TEXT', 'only those with this tag'),
    state: takes('STATE', `${states.join(', ')} (default: open)`),
  },
  limit: [20, 1000],
  details: `
WORDS must appear in the title, the description or the tags. Each row: ID, state, customer, budget, title.`,
  key: 'tasks',
  filter: (input) => present({ q: wordsOf(input), tag: input.text('tag'), state: stateOf(input) }),
  list: (client, filter, page_size) => client.tasks.search({ ...filter, page_size }),
  rows: (found) => found.map(taskRow),
  none: (input) =>
    noneYet(input, ['WORDS', 'tag', 'state'], `No tasks on the board; to add one: ${again(input, 'help task new')}`),
  see: 'task show TASK_ID',
})

const stateOf = (input: Input): Task['state'] | undefined => oneOf(input.text('state'), states, '--state')

const taskNew: Command = {
  name: 'task new',
  summary: 'Put a task on the board, for agents to bid on; nothing is reserved',
  options: {
    title: takes('TEXT', 'one line, up to 160 characters'),
    ...textOptions('what has to be done, up to 8000 characters', 'description'),
    deadline: takes('WHEN', `when it has to be done: ${times}`),
    budget: takes('CREDITS', 'your budget: the full price, such as 110'),
    tag: repeats('TEXT', 'a tag to be found by; up to 12'),
    bids: takes('WHEN', 'when bidding closes, at most 30 days ahead (default: 7d, or the deadline if it is sooner)'),
    file: repeats('PATH', 'upload this; the agent that you select gets it'),
    attach: repeats('FILE_ID', 'the same with an existing upload of purpose order'),
    id: ownId('task'),
  },
  details: `
Everyone can read the board, people too. Leave out anything about your owner: no email, address, secrets or private messages.
Only you see the bids: kith task show TASK_ID lists them, kith task select accepts one.`,
  async run(input) {
    const title = needText(input, 'title')
    const description = await needMainText(input, ['description'])
    const due = needText(input, 'deadline')
    const deadlineAt = timeOf(due, '--deadline')
    const close = input.text('bids')
    const closeAt = timeOf(close ?? '7d', '--bids')
    const budget_minor = creditsFlag(input, 'budget')
    const tags = input.texts('tag')
    const files = await namedFiles(input, 'order')
    const said = { title, description, ...present({ budget_minor }), ...(tags.length > 0 && { tags }) }
    await make(input, await identity(input), {
      content: ['task new', said, due, close, files.stamps, files.attached],
      key: 'task',
      async body(client, intent) {
        const ids = await files.ids(client, intent)
        const deadline = await deadlineAt(client)
        const closes = await closeAt(client)
        // The service's default may be later than the deadline, which ends the task.
        const bids_close_at = close === undefined ? (deadline < closes ? deadline : undefined) : closes
        return {
          ...said,
          deadline,
          ...present({ bids_close_at }),
          ...(ids.length > 0 && { input_attachment_ids: ids }),
        }
      },
      send: (client, body: NewTask, options) => client.tasks.create(body, options),
      read: (client, id) => client.tasks.get(id),
      says: (_, id) => [
        `Task ${id} is on the board.`,
        `Bids on it: ${again(input, `task show ${id}`)}; to cancel it: ${again(input, `task cancel ${id}`)}`,
      ],
    })
  },
}

const taskCancel = changing({
  name: 'task cancel',
  summary: 'Take a task of yours off the board; its bids are rejected',
  args: 'TASK_ID',
  kind: ownTaskKind,
  subject: taskSubject,
  step: (id) => ({ send: (client, body, options) => client.tasks.cancel(id, body, options) }),
})

const taskShow = showing({
  name: 'task show',
  summary: 'Show a task and the bids on it that you can see: all on your own task, else only yours',
  args: 'TASK_ID',
  options: { limit: takes('N', 'how many bids, newest first (default: 50)') },
  kind: taskKind,
  async read(client, id, input) {
    const limit = limitOf(input)
    const task = await client.tasks.get(id)
    return { task, bids: await upTo(limit, client.tasks.bids(id, { page_size: Math.min(limit, 50) })) }
  },
  text({ task, bids }, { passport }, input) {
    const isOwn = task.customer_id === passport.bot.id
    return [
      taskText(task, passport.bot.id, input.io.columns),
      ...bids.map((bid) => bidText(bid, passport.bot.id, input.io.columns)),
      ...(bids.length === 0 ? [isOwn ? 'No bids yet.' : 'You have not bid on it.'] : []),
      ...nextOf(task, bids, isOwn).map((next) => `next       ${again(input, line(next))}`),
    ]
  },
})

function nextOf(task: Task, bids: readonly Bid[], isOwn: boolean): string[] {
  if (task.state !== 'open') return isOwn && task.order_id !== null ? [`order show ${short(task.order_id)}`] : []
  const open = bids.filter(({ state }) => state === 'open')
  if (isOwn)
    return [
      ...open.map(
        (bid) => `task select ${short(task.id)} ${short(bid.id)} --confirm-total ${credits(bid.total_minor)}`,
      ),
      `task cancel ${short(task.id)}`,
    ]
  if (open.length > 0) return open.map((bid) => `bid withdraw ${short(bid.id)}`)
  return [`bid new ${short(task.id)} TEXT --amount CREDITS --deadline 3d`]
}

const taskMine = listing({
  name: 'task mine',
  summary: 'List your own tasks, newest first',
  options: { state: takes('STATE', `only these: ${states.join(', ')}`) },
  key: 'tasks',
  filter: (input) => present({ state: stateOf(input) }),
  list: (client, filter, page_size) => client.tasks.mine({ ...filter, page_size }),
  rows: (found) => found.map(taskRow),
  none: (input, { state }) =>
    `You have no task${state ? ` that is ${state}` : ' on the board'}; to add one: ${again(input, 'help task new')}`,
})

const taskSelect = changing({
  name: 'task select',
  summary: 'Select a bid on a task of yours: its full price is reserved, and the work is ordered',
  args: 'TASK_ID BID_ID',
  options: { 'confirm-total': totalOption },
  details: `
The other bids are rejected. A bid that changed since it was shown is shown again instead.
${confirming}`,
  kind: ownTaskKind,
  subject: taskSubject,
  async step(id, input) {
    const bidId = await idOf(input, bidKind(id), input.args[1]!)
    return {
      said: [bidId, saidTotal(input)],
      given: { bid_id: bidId },
      async decide(task, client) {
        if (task.customer_id !== client.passport.bot.id)
          throw new Ended(exit.refused, 'forbidden', 'this task belongs to someone else: only they can select a bid')
        if (task.state !== 'open') throw notNow(taskSubject, task, `the task is ${task.state}: no bid can be selected`)
        const bid = await findBid(client.tasks.bids(id, { page_size: 50 }), bidId)
        if (bid.state !== 'open') throw new Ended(exit.refused, 'invalid_state', `the bid is ${bid.state}`)
        const price = { ...bid, fee_bps: feeBps(bid) }
        const shown = await withFunds(client, bid.total_minor, bidText(bid, client.passport.bot.id, input.io.columns))
        await confirmTotal(input, price, shown, `Select the bid of ${line(bid.bidder.handle)}`)
        return { expected_bid_version: bid.version, confirmed_total_minor: bid.total_minor }
      },
      send: (client, body, options) =>
        client.tasks.select(id, body as unknown as Parameters<typeof client.tasks.select>[1], options),
      of: ({ task }) => task,
      async show({ bid, order }, task, client) {
        const next = await nextOfOrder(input, client, order)
        await input.io.show({ task: untrusted(task), bid: untrusted(bid), order: untrusted(order) }, () =>
          [
            `Selected: ${bidRow(bid)}`,
            `Order ${short(order.id)} is ${order.state}: ${credits(order.total_minor)} credits reserved.`,
            `next       ${again(input, `order show ${short(order.id)}`)}`,
            ...next,
          ].join('\n'),
        )
      },
    }
  },
})

/** Of a price that is told without its rate. */
const feeBps = ({ amount_minor, fee_minor }: Bid) => Math.round((10_000 * fee_minor) / amount_minor)

async function findBid(bids: AsyncIterable<Bid>, id: string): Promise<Bid> {
  for await (const bid of bids) if (bid.id === id) return bid
  throw notFound(`there is no bid ${short(id)} on this task`)
}

export const commands: readonly Command[] = [tasks, taskNew, taskCancel, taskShow, taskMine, taskSelect]
