// Tasks: a customer says what it needs, others bid, and one bid becomes an order. docs/contract/tasks.md.

import { emit, emitEach } from '../../events/outbox.ts'
import type { Agent } from '../../kernel/callers.ts'
import { after, days, earlier, hours } from '../../kernel/clock.ts'
import { requireVersion } from '../../kernel/moves.ts'
import { type Part, part } from '../../kernel/part.ts'
import { invalid, refuse } from '../../kernel/refuse.ts'
import { giveBack, type Quota, take } from '../../quotas/quotas.ts'
import { type Rate, requireRate } from '../../quotas/rates.ts'
import { keepFindable } from '../../search/findable.ts'
import type { Query, Sql, Tx } from '../../store/sql.ts'
import type { TasksRow } from '../../store/tables.ts'
import { endBindings } from '../attachments/bindings.ts'
import { findHidden } from '../moderation/hidden.ts'
import { bindInputs } from '../orders/files.ts'
import { announce } from './announce.ts'
import { isListed, listNew, lockCustomer, relistAs, relistUntil } from './listing.ts'
import { type TaskMove, type TaskState, taskMoves } from './machine.ts'
import { findableTask, searchGrams, searchText } from './search-text.ts'

/** What a customer asks for, in canonical form. */
export interface Input {
  title: string
  description: string
  tags: readonly string[]
  budget_minor: number | null
  deadline: Date
  /** So long after its publication where it is left out. */
  bids_close_at: Date | undefined
  input_attachment_ids: readonly string[]
}

/** A task as it is written, with the name of its customer. */
export interface Task extends Omit<TasksRow, 'search_text' | 'search_grams' | 'closing_at'> {
  state: TaskState
  handle: string
  display_name: string
}

/** The columns of a {@link Task}, of the aliases `t` and `a` for its customer. */
export const columns: Part = part`t.id, t.customer_id, t.title, t.description, t.tags, t.budget_minor, t.deadline,
  t.bids_close_at, t.expires_at, t.state, t.version, t.bids_count, t.order_id, t.has_files, t.created_at, t.updated_at,
  a.handle, a.display_name`
export const joined: Part = part`join agents a on a.id = t.customer_id`

/** How long bids are taken where the customer does not say, and how long they may be. */
export const bidsClose: { default: number; longest: number } = { default: days(7), longest: days(30) }
/** How long the customer may select after bidding has closed, in milliseconds. */
export const choosingTime: number = hours(24)

export const openTasks: Quota = { name: 'open_tasks', party: 100, code: 'request_limit' }
/** What a customer may publish in any 24 hours: each new task is told to many. */
export const mostInADay = 200
const publishRate: Rate = { name: 'tasks', code: 'request_limit', windows: [{ period: days(1), most: mostInADay }] }

/** The moments of a customer's tasks, the newest first. */
const publishedBy = (customerId: string): Part =>
  part`select created_at from tasks where customer_id = ${customerId} order by id desc`

/** Refuses times that are over or too far. */
export function requireTimes(now: Date, { deadline, bids_close_at: close }: Input): void {
  if (deadline <= now) invalid({ path: 'deadline', problem: 'must be in the future' })
  if (!close) return
  if (close <= now) invalid({ path: 'bids_close_at', problem: 'must be in the future' })
  if (close > after(now, bidsClose.longest))
    invalid({ path: 'bids_close_at', problem: 'must be at most 30 days ahead' })
}

/**
 * Publishes a task under an id, tells those whose specialty fits, and binds its files to the order that may come of it. Refuses
 * `public_profile_required`, `request_limit` and what files are refused with.
 */
export async function publish(tx: Tx, me: Agent, id: string, input: Input): Promise<Task> {
  const customer = await lockCustomer(tx, me.id)
  // Whoever hides a profile waits for the lock.
  if (!customer.isPublic || (await findHidden(tx, 'profile', me.id))) refuse('public_profile_required')
  const orderId = tx.newId()
  await bindInputs(tx, me, { id: orderId, source: 'task' }, input.input_attachment_ids)
  await take(tx, openTasks, me.id)
  await requireRate(tx, publishRate, me.id, publishedBy(me.id))
  const close = input.bids_close_at ?? after(tx.now, bidsClose.default)
  const expiry = expiryOf({ deadline: input.deadline, bids_close_at: close, bids_count: 0 })
  await tx`
    insert into tasks (id, customer_id, title, description, tags, budget_minor, deadline, bids_close_at, expires_at, state,
      closing_at, order_id, has_files, search_text, search_grams, created_at, updated_at)
    values (${id}, ${me.id}, ${input.title}, ${input.description}, ${input.tags}, ${input.budget_minor}, ${input.deadline},
      ${close}, ${expiry}, 'open', ${closingOf(tx.now, close)}, ${orderId},
      ${input.input_attachment_ids.length > 0}, ${searchText(input)}, ${searchGrams(input)}, ${tx.now}, ${tx.now})`
  await keepFindable(tx, findableTask(id, me.id, input))
  await listNew(tx, id, customer)
  const task = await findVisible(tx, me.id, id)
  await announce(tx, task)
  return task
}

/** How long before bids close the customer is told. */
const closingBefore = hours(1)

/** When the customer is told that bids close; null if they close sooner than that. */
function closingOf(now: Date, close: Date): Date | null {
  const at = earlier(close, closingBefore)
  return at > now ? at : null
}

/** When an open task ends by itself: at its deadline, or before that once there is no bid to come and none to select. */
function expiryOf({
  deadline,
  bids_close_at,
  bids_count,
}: Pick<Task, 'deadline' | 'bids_close_at' | 'bids_count'>): Date {
  const ended = bids_count > 0 ? after(bids_close_at, choosingTime) : bids_close_at
  return new Date(Math.min(deadline.getTime(), ended.getTime()))
}

/** Counts a bid more or less of an open task, which is locked with its customer: the first and the last move its expiry. */
export async function countBid(tx: Tx, task: Task, change: 1 | -1): Promise<void> {
  const bids = task.bids_count + change
  const expiry = expiryOf({ ...task, bids_count: bids })
  await tx`update tasks set bids_count = ${bids}, expires_at = ${expiry} where id = ${task.id}`
  if (expiry.getTime() !== task.expires_at.getTime()) await relistUntil(tx, task.id, expiry)
}

/** A task that the viewer may see: an own one, or a listed one; `not_found` otherwise. */
export async function findVisible(sql: Query, viewerId: string | null, id: string, lock: Part = part``): Promise<Task> {
  const [task] = await sql<Task>`
    select ${columns} from tasks t ${joined}
    where t.id = ${id} and (t.customer_id = ${viewerId} or ${isListed(part`t.id`)}) ${lock}`
  return task ?? refuse('not_found')
}

/** The same, as it is until this transaction ends. */
export const findLocked = (tx: Tx, viewerId: string, id: string): Promise<Task> =>
  findVisible(tx, viewerId, id, part`for no key update of t`)

/** Tasks by their ids, in the order of the ids; the caller has made sure that the viewer may see them. */
export async function findAll(sql: Query, ids: readonly string[], where: Part = part`true`): Promise<Task[]> {
  if (ids.length === 0) return []
  return sql<Task>`
    select ${columns} from unnest(${ids}::uuid[]) with ordinality as wanted (id, place)
    join tasks t on t.id = wanted.id ${joined}
    where ${where} order by wanted.place`
}

/** An own task with its customer, both locked; someone else's visible one is `forbidden`. */
export async function findOwn(tx: Tx, me: Agent, id: string): Promise<Task> {
  const seen = await findVisible(tx, me.id, id)
  if (seen.customer_id !== me.id) refuse('forbidden', { message: 'Only the customer may do this' })
  await lockCustomer(tx, me.id)
  return findLocked(tx, me.id, id)
}

/** Whether the time of an open task is over, whether that is written or not. */
export const hasLapsed = ({ state, expires_at }: Pick<Task, 'state' | 'expires_at'>, now: Date): boolean =>
  state === 'open' && expires_at <= now

export const stateAt = (task: Pick<Task, 'state' | 'expires_at'>, now: Date): TaskState =>
  hasLapsed(task, now) ? 'expired' : task.state

/** What a refusal says of a task whose state does not allow something. */
export const stateOf = (task: Task, now: Date) => ({
  message: `The task is ${stateAt(task, now)}`,
  details: { state: stateAt(task, now) },
})

/** Refuses `invalid_state` if the table of moves has no such move from the state that the task has at this moment. */
export function requireMove(task: Task, move: TaskMove, now: Date): void {
  const from: readonly TaskState[] = taskMoves[move].from
  if (!from.includes(stateAt(task, now))) refuse('invalid_state', stateOf(task, now))
}

/** Takes an own task from the board; refuses `not_found`, `forbidden`, `version_conflict` and `invalid_state`. */
export async function cancel(tx: Tx, me: Agent, id: string, ask: { expected_version: number }): Promise<Task> {
  const task = await findOwn(tx, me, id)
  requireVersion(task, ask.expected_version)
  requireMove(task, 'cancel', tx.now)
  return end(tx, task, 'cancel')
}

/**
 * Ends a locked open task: all its open bids are rejected and their bidders told, with the one whose bid was selected before.
 * Files go unless there is an order to hold them.
 */
export async function end(tx: Tx, task: Task, move: TaskMove, selectedBidder?: string): Promise<Task> {
  const { id, customer_id: customerId } = task
  const next: Task = { ...task, state: taskMoves[move].to, version: task.version + 1, updated_at: tx.now }
  await tx`
    update tasks set state = ${next.state}, version = ${next.version}, updated_at = ${tx.now} where id = ${id}`
  const rejected = await tx<{ id: string; bidder_id: string; version: number }>`
    update bids set state = 'rejected', version = version + 1, updated_at = ${tx.now}
    where task_id = ${id} and state = 'open' returning id, bidder_id, version`
  await emit(tx, {
    kind: 'task.changed',
    to: [...(selectedBidder ? [selectedBidder] : []), ...rejected.map(({ bidder_id }) => bidder_id)],
    subject: id,
    payload: { task_id: id, status: next.state, version: next.version },
  })
  await emitEach(
    tx,
    rejected.map((bid) => ({
      kind: 'bid.changed' as const,
      to: bid.bidder_id,
      subject: bid.id,
      payload: { task_id: id, bid_id: bid.id, status: 'rejected', version: bid.version },
    })),
  )
  if (next.state !== 'selected' && task.has_files) await endBindings(tx, { kind: 'order', id: task.order_id })
  // In the order of publishing: files, what is counted of the customer, and then of all.
  giveBack(tx, openTasks, customerId)
  await relistAs(tx, id, task.state, next.state)
  return next
}

const batch = 50

/** Ends what is over, the longest first; true when there may be more. */
export async function expireTasks(sql: Sql, now: Date): Promise<boolean> {
  const due = await sql<{ id: string; customer_id: string }>`
    select id, customer_id from tasks where state = 'open' and expires_at <= ${now} order by expires_at limit ${batch}`
  for (const { id, customer_id: customerId } of due) {
    await sql.transaction(async (tx) => {
      await lockCustomer(tx, customerId)
      const task = await findLocked(tx, customerId, id)
      if (hasLapsed(task, tx.now)) await end(tx, task, 'expire')
    })
  }
  return due.length === batch
}
