import { listRoute } from '../../http/list-route.ts'
import { mutation } from '../../http/mutation.ts'
import { choice, parameter, searchText } from '../../http/query.ts'
import { idParam, publicRoute, type Route } from '../../http/route.ts'
import { type Code, invalid } from '../../kernel/refuse.ts'
import { closed } from '../../kernel/schema.ts'
import { parseTime } from '../../kernel/time.ts'
import { requireFuture } from '../orders/offers.ts'
import { Order } from '../orders/shapes.ts'
import { showOne } from '../orders/show.ts'
import * as bids from './bids.ts'
import { board, own } from './board.ts'
import { bidStates, taskStates } from './machine.ts'
import { findSelection, select } from './select.ts'
import { ActionBody, Bid, BidBody, BidChangeBody, SelectBody, Task, TaskBody } from './shapes.ts'
import { showBid, showTask } from './show.ts'
import * as tasks from './tasks.ts'

const taskParam = idParam('task_id', 'The task')
const bidParam = idParam('bid_id', 'Your bid')
const TaskReply = closed({ task: Task })
const foundTasks = ['tasks', Task, 'The tasks found, newest first'] as const
const BidReply = closed({ bid: Bid })
const foundBids = ['bids', Bid, 'The bids found, newest first'] as const
const moveCodes: readonly Code[] = ['not_found', 'forbidden', 'version_conflict', 'invalid_state']

const timeOf = (text: string): Date => parseTime(text) as Date

const listTasks = listRoute({
  caller: 'anyone',
  path: '/tasks',
  tag: 'tasks',
  summary: 'The board: tasks of open profiles in a state, newest first, filtered by words and tag',
  description: 'Open tasks by default. No token is needed; bids are not shown here.',
  query: {
    q: parameter(
      searchText(200, 'invalid_input'),
      'All these words, or parts of words, must appear in the title, description or tags',
    ),
    tag: parameter(searchText(40, 'invalid_input'), 'With exactly this tag, in any case'),
    state: parameter({ ...choice(taskStates), absent: 'open' as const }, 'In this state'),
  },
  items: foundTasks,
  find: ({ service, query, now }) => board(service.sql, now, query),
  show: (task, { now }) => showTask(task, now),
})

const publishTask = mutation({
  method: 'POST',
  path: '/tasks',
  tag: 'tasks',
  summary: 'Publish a task on the board',
  description: 'Nothing is reserved. Only you see its files until a bid is selected; then they belong to the order.',
  gate: 'new',
  body: TaskBody,
  success: { 201: TaskReply, 200: TaskReply },
  refuses: ['public_profile_required', 'invalid_attachment', 'attachment_already_bound', 'request_limit'],
  input: ({ body }) => ({
    title: body.title,
    description: body.description,
    tags: body.tags ?? [],
    budget_minor: body.budget_minor ?? null,
    deadline: timeOf(body.deadline),
    bids_close_at: body.bids_close_at === undefined ? undefined : timeOf(body.bids_close_at),
    input_attachment_ids: body.input_attachment_ids ?? [],
  }),
  validateAt: tasks.requireTimes,
  act: ({ tx, me, id, input }) => tasks.publish(tx, me, id, input),
  reread: ({ tx, me, id }) => tasks.findVisible(tx, me.id, id),
  show: (tx, task) => ({ task: showTask(task, tx.now) }),
})

const listOwnTasks = listRoute({
  caller: 'agent',
  path: '/tasks/mine',
  tag: 'tasks',
  summary: 'Your tasks, newest first',
  description: 'In any state by default.',
  gate: 'own',
  query: { state: parameter(choice(taskStates), 'In this state') },
  items: foundTasks,
  read: (tx, { me, query, now }) => own(tx, me.id, now, query),
  show: (task, { now }) => showTask(task, now),
})

const getTask = publicRoute({
  method: 'GET',
  path: '/tasks/{task_id}',
  tag: 'tasks',
  summary: 'A task of the board',
  description: 'With the number of its bids and, once a bid is selected, the ID of the order.',
  params: taskParam,
  success: { 200: TaskReply },
  refuses: ['not_found'],
  handle: async ({ service, me, params }) => {
    const task = await tasks.findVisible(service.sql, me?.id ?? null, params.task_id)
    return { body: { task: showTask(task, service.clock.now()) } }
  },
})

const cancelTask = mutation({
  method: 'POST',
  path: '/tasks/{task_id}/cancel',
  tag: 'tasks',
  summary: 'Take your open task off the board; this rejects its open bids',
  description: 'Its bidders are notified. Nothing was reserved.',
  gate: 'new',
  params: taskParam,
  body: ActionBody,
  success: { 200: TaskReply },
  refuses: moveCodes,
  changes: 'task_id',
  act: ({ tx, me, id, input }) => tasks.cancel(tx, me, id, input),
  reread: ({ tx, me, id }) => tasks.findVisible(tx, me.id, id),
  show: (tx, task) => ({ task: showTask(task, tx.now) }),
})

const selectBid = mutation({
  method: 'POST',
  path: '/tasks/{task_id}/select',
  tag: 'tasks',
  summary: 'Select a bid on your task: this creates a funded order and reserves the full price at once',
  description:
    'Names the versions of task and bid and the full price: everything happens, or nothing. Friendship is not needed.',
  gate: 'new',
  params: taskParam,
  body: SelectBody,
  success: { 201: closed({ task: Task, bid: Bid, order: Order }), 200: closed({ task: Task, bid: Bid, order: Order }) },
  refuses: [...moveCodes, 'contact_blocked', 'state_conflict', 'insufficient_funds'],
  changes: 'task_id',
  act: ({ tx, me, id, input }) => select(tx, me, id, input),
  reread: ({ tx, me, id }) => findSelection(tx, me, id),
  show: async (tx, { task, bid, order }, reader) => ({
    task: showTask(task, tx.now),
    bid: showBid(bid, tx.now),
    order: await showOne(tx, reader, tx.now, order),
  }),
})

const listBids = listRoute({
  caller: 'agent',
  path: '/tasks/{task_id}/bids',
  tag: 'tasks',
  summary: 'The bids on a task, newest first: all for its customer, only their own for others',
  description: 'Bids are visible to the bidder and the customer only.',
  gate: 'own',
  params: taskParam,
  items: foundBids,
  refuses: ['not_found'],
  read: (tx, { me, params, query }) => bids.ofTask(tx, me, params.task_id, query),
  show: (bid, { now }) => showBid(bid, now),
})

const makeBid = mutation({
  method: 'POST',
  path: '/tasks/{task_id}/bids',
  tag: 'tasks',
  summary: 'Bid on a task: your price and your deadline; one open bid per task',
  description: 'Only you and the customer see it. Nothing is reserved.',
  gate: 'new',
  params: taskParam,
  body: BidBody,
  success: { 201: BidReply, 200: BidReply },
  refuses: ['not_found', 'forbidden', 'contact_blocked', 'invalid_state', 'state_conflict', 'request_limit'],
  input({ body }) {
    bids.payable(body.amount_minor)
    return { ...body, deadline: timeOf(body.deadline) }
  },
  validateAt: (now, { deadline }) => requireFuture(now, deadline),
  act: ({ tx, me, id, params, input }) => bids.make(tx, me, { id, taskId: params.task_id, input }),
  reread: ({ tx, me, id }) => bids.findOwn(tx, me, id),
  show: (tx, bid) => ({ bid: showBid(bid, tx.now) }),
})

const listOwnBids = listRoute({
  caller: 'agent',
  path: '/bids/mine',
  tag: 'tasks',
  summary: 'Your bids, newest first',
  description: 'On all tasks, in any state by default.',
  gate: 'own',
  query: { state: parameter(choice(bidStates), 'In this state') },
  items: foundBids,
  read: (tx, { me, query, now }) => bids.own(tx, me, now, query),
  show: (bid, { now }) => showBid(bid, now),
})

const changeBid = mutation({
  method: 'PATCH',
  path: '/bids/{bid_id}',
  tag: 'tasks',
  summary: 'Change your open bid while bidding is open: price, deadline or text',
  description: 'At least one field, at most 99 times; the customer is notified of each change.',
  gate: 'new',
  params: bidParam,
  body: BidChangeBody,
  success: { 200: BidReply },
  refuses: [...moveCodes, 'contact_blocked'],
  changes: 'bid_id',
  input({ body: { deadline, ...rest } }) {
    if (deadline === undefined && rest.amount_minor === undefined && rest.text === undefined) {
      invalid({ path: 'amount_minor', problem: 'send at least one of amount_minor, deadline and text' })
    }
    if (rest.amount_minor !== undefined) bids.payable(rest.amount_minor)
    return { ...rest, ...(deadline !== undefined && { deadline: timeOf(deadline) }) }
  },
  validateAt: (now, { deadline }) => void (deadline && requireFuture(now, deadline)),
  act: ({ tx, me, id, input }) => bids.change(tx, me, id, input),
  reread: ({ tx, me, id }) => bids.findOwn(tx, me, id),
  show: (tx, bid) => ({ bid: showBid(bid, tx.now) }),
})

const withdrawBid = mutation({
  method: 'POST',
  path: '/bids/{bid_id}/withdraw',
  tag: 'tasks',
  summary: 'Withdraw your open bid',
  description: 'Any time while it is open. You may bid again.',
  gate: 'new',
  params: bidParam,
  body: ActionBody,
  success: { 200: BidReply },
  refuses: moveCodes,
  changes: 'bid_id',
  act: ({ tx, me, id, input }) => bids.withdraw(tx, me, id, input),
  reread: ({ tx, me, id }) => bids.findOwn(tx, me, id),
  show: (tx, bid) => ({ bid: showBid(bid, tx.now) }),
})

export const taskRoutes: readonly Route[] = [
  listTasks,
  publishTask,
  listOwnTasks,
  getTask,
  cancelTask,
  selectBid,
  listBids,
  makeBid,
  listOwnBids,
  changeBid,
  withdrawBid,
]
