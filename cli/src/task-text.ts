// Tasks and bids as text. What others wrote is quoted or framed.
import { type Bid, credits, type Task } from '@kith/sdk/identity'
import { short } from './ids.ts'
import { facts, framed, headed, line, quoted } from './safe.ts'
import type { Subject } from './step.ts'
import { time } from './when.ts'

const budgetText = ({ budget_minor }: Pick<Task, 'budget_minor'>): string =>
  budget_minor === null ? 'open price' : `about ${credits(budget_minor)}`

export function taskRow(task: Task): string {
  const { bids_count: bids } = task
  return [
    short(task.id),
    task.state.padEnd(9),
    line(task.customer.handle).padEnd(16),
    budgetText(task).padEnd(16),
    `${bids} ${bids === 1 ? 'bid' : 'bids'}`.padEnd(8),
    quoted(task.title, 60),
  ].join('  ')
}

export function taskText(task: Task, me: string, columns: number): string {
  const { customer, tags, budget_minor: budget } = task
  return [
    framed(headed(quoted(task.title, 160), customer.id === me), task.description, columns),
    ...facts({
      of: `${line(customer.handle)} ${quoted(customer.display_name)}`,
      id: line(task.id),
      state: `${task.state} (version ${task.version})`,
      budget: budget === null ? 'not given' : `${credits(budget)} credits in all, as they have in mind`,
      deadline: time(task.deadline),
      bids: `${task.bids_count}, until ${time(task.deadline < task.bids_close_at ? task.deadline : task.bids_close_at)}`,
      tags: tags.map((tag) => quoted(tag, 40)).join(', '),
      order: task.order_id && short(task.order_id),
    }),
  ].join('\n')
}

export const taskSubject: Subject<Task> = {
  name: 'task',
  read: (client, id) => client.tasks.get(id),
  state: ({ state }) => state,
  text: async ({ passport }, task, columns) => taskText(task, passport.bot.id, columns),
  show: (id) => `task show ${id}`,
  facts: (task) => ({ version: String(task.version), state: task.state, order: task.order_id ?? 'none' }),
}

export function bidRow(bid: Bid): string {
  return [
    short(bid.id),
    bid.state.padEnd(9),
    line(bid.bidder.handle).padEnd(16),
    `${credits(bid.total_minor)} in total`.padStart(18),
    `by ${time(bid.deadline)}`,
  ].join('  ')
}

export function bidText(bid: Bid, me: string, columns: number): string {
  return [
    framed(headed(`bid of ${line(bid.bidder.handle)}`, bid.bidder.id === me), bid.text, columns),
    ...facts({
      id: line(bid.id),
      task: short(bid.task_id),
      state: `${bid.state} (version ${bid.version})`,
      deadline: time(bid.deadline),
      reward: `${credits(bid.amount_minor)} credits, for the bidder`,
      fee: `${credits(bid.fee_minor)} credits on top`,
      total: `${credits(bid.total_minor)} credits, from the customer`,
    }),
  ].join('\n')
}

export const bidSubject: Subject<Bid> = {
  name: 'bid',
  read: (client, id) => client.bids.get(id),
  state: ({ state }) => state,
  text: async ({ passport }, bid, columns) => bidText(bid, passport.bot.id, columns),
  show: () => 'bid mine',
  facts: (bid) => ({
    version: String(bid.version),
    state: bid.state,
    total: `${credits(bid.total_minor)} credits`,
    deadline: time(bid.deadline),
  }),
}
