// Bids: what somebody would do a task for. Private between the bidder and the customer; nothing is reserved.
// docs/contract/tasks.md#bids.

import { type Emission, emit } from '../../events/outbox.ts'
import type { Agent } from '../../kernel/callers.ts'
import type { Page, Rows } from '../../kernel/lists.ts'
import { requireVersion } from '../../kernel/moves.ts'
import { type Part, part } from '../../kernel/part.ts'
import { refuse } from '../../kernel/refuse.ts'
import { pageOf } from '../../store/page-of.ts'
import { only, type Query, type Tx } from '../../store/sql.ts'
import type { BidsRow } from '../../store/tables.ts'
import { strangersName } from '../identity/passport.ts'
import { requirePayable } from '../orders/offers.ts'
import { type Price, priceOf } from '../wallet/price.ts'
import { lockCustomer } from './listing.ts'
import { type BidMove, type BidState, bidMoves } from './machine.ts'
import { countBid, findLocked, findVisible, hasLapsed, stateOf, type Task } from './tasks.ts'

export interface Input {
  amount_minor: number
  deadline: Date
  text: string
}

/** A bid as it is written, with the name of its bidder and when its task ends by itself. */
export interface Bid extends BidsRow {
  state: BidState
  handle: string
  display_name: string
  task_expires_at: Date
}

/** Bids of one task that were not withdrawn. */
export const mostBids = 1000
/** Bids that one agent ever makes on one task, withdrawn ones among them. */
export const mostOfOne = 10
/** Changes of one bid: its customer, who is not a friend, gets an event for each. */
export const mostChanges = 99

const columns: Part = part`b.*, a.handle, ${strangersName(part`a`)} as display_name, t.expires_at as task_expires_at`
const joined: Part = part`join agents a on a.id = b.bidder_id join tasks t on t.id = b.task_id`

/** The price of a bid; refuses `invalid_input` for one beyond what an order may cost. */
export function payable(amount: number): Price {
  const price = priceOf(amount)
  requirePayable(price.total_minor)
  return price
}

/**
 * Bids on a task under an id. Refuses `not_found`, `forbidden` (an own task), `contact_blocked`, `invalid_state`,
 * `state_conflict` (a second open bid) and `request_limit`.
 */
export async function make(
  tx: Tx,
  me: Agent,
  { id, taskId, input }: { id: string; taskId: string; input: Input },
): Promise<Bid> {
  const { customer_id: customerId } = await findVisible(tx, me.id, taskId)
  await lockCustomer(tx, customerId)
  const task = await findLocked(tx, me.id, taskId)
  if (customerId === me.id) refuse('forbidden', { message: 'This is your own task' })
  await requireUnblocked(tx, me.id, customerId)
  requireBidding(task, tx.now)
  const { own, standing } = only(
    await tx<{ own: number; standing: number }>`
      select count(*)::int as own, count(*) filter (where state = 'open')::int as standing
      from bids where task_id = ${taskId} and bidder_id = ${me.id}`,
  )
  if (standing > 0)
    refuse('state_conflict', { message: 'You already have an open bid on this task; change it, or withdraw it first' })
  const isFull = task.bids_count >= mostBids
  if (isFull || own >= mostOfOne) {
    const message = isFull ? `This task has ${mostBids} bids` : `You bid on this task ${mostOfOne} times`
    refuse('request_limit', { retryAfter: 3600, message })
  }
  const price = payable(input.amount_minor)
  await countBid(tx, task, 1)
  await tx`
    insert into bids (id, task_id, bidder_id, amount_minor, fee_bps, fee_minor, total_minor, deadline, text, state,
      created_at, updated_at)
    values (${id}, ${taskId}, ${me.id}, ${price.amount_minor}, ${price.fee_bps}, ${price.fee_minor}, ${price.total_minor},
      ${input.deadline}, ${input.text}, 'open', ${tx.now}, ${tx.now})`
  const bid = await find(tx, id)
  await emit(tx, toldTo('customer', bid, task))
  return bid
}

/** Refuses where one of two has blocked the other; an unblocked relation stands until this transaction ends. */
export async function requireUnblocked(tx: Tx, oneId: string, otherId: string): Promise<void> {
  const [relation] = await tx<{ status: string }>`
    select status from contacts
    where least(requester_id, recipient_id) = least(${oneId}::uuid, ${otherId}::uuid)
      and greatest(requester_id, recipient_id) = greatest(${oneId}::uuid, ${otherId}::uuid) for share`
  if (relation?.status === 'blocked') refuse('contact_blocked')
}

function requireBidding(task: Task, now: Date): void {
  if (task.state !== 'open' || hasLapsed(task, now)) refuse('invalid_state', stateOf(task, now))
  if (task.bids_close_at <= now) refuse('invalid_state', { message: 'This task no longer takes bids' })
}

/** The event about a version of a bid, for the other side or the bidder itself. */
export const toldTo = (side: 'customer' | 'bidder', bid: Bid, task: Pick<Task, 'customer_id'>): Emission => ({
  kind: side === 'customer' ? 'bid.received' : 'bid.changed',
  to: [side === 'customer' ? task.customer_id : bid.bidder_id],
  subject: bid.id,
  payload: { task_id: bid.task_id, bid_id: bid.id, status: bid.state, version: bid.version },
})

/** A bid whoever asks; `not_found` if there is none. */
export async function find(sql: Query, id: string): Promise<Bid> {
  const [bid] = await sql<Bid>`select ${columns} from bids b ${joined} where b.id = ${id}`
  return bid ?? refuse('not_found')
}

export async function findSelected(sql: Query, taskId: string): Promise<Bid> {
  const [bid] = await sql<Bid>`
    select ${columns} from bids b ${joined} where b.task_id = ${taskId} and b.state = 'selected'`
  return bid ?? refuse('not_found')
}

/** An own bid; the customer of its task sees it too and may not touch it, to others it is `not_found`. */
export async function findOwn(sql: Query, me: Agent, id: string): Promise<Bid> {
  const bid = await find(sql, id)
  if (bid.bidder_id === me.id) return bid
  const [own] = await sql`select 1 from tasks where id = ${bid.task_id} and customer_id = ${me.id}`
  return own ? refuse('forbidden', { message: 'Only the bidder may do this' }) : refuse('not_found')
}

/** The task of an own bid, locked with its customer, and then the bid as it is until this transaction ends. */
async function lockOwn(tx: Tx, me: Agent, id: string): Promise<{ task: Task; bid: Bid }> {
  const { task_id: taskId } = await findOwn(tx, me, id)
  const [{ customer_id: customerId }] = (await tx`select customer_id from tasks where id = ${taskId}`) as [
    { customer_id: string },
  ]
  await lockCustomer(tx, customerId)
  // As its customer finds it, who sees it in any state: a bid may always be withdrawn.
  const task = await findLocked(tx, customerId, taskId)
  return { task, bid: await find(tx, id) }
}

/** The state of a bid at a moment: an open one ends with its task. */
export const stateAt = ({ state, task_expires_at }: Pick<Bid, 'state' | 'task_expires_at'>, now: Date): BidState =>
  state === 'open' && task_expires_at <= now ? 'rejected' : state

/** What else there is for who would do this to a bid that was withdrawn. */
const insteadOf: Partial<Record<BidMove, string>> = { select: '; select another', change: '; make a new one' }

/** Refuses `invalid_state` if the table of moves has no such move from the state that the bid has at this moment. */
export function requireMove(bid: Bid, move: BidMove, now: Date): void {
  const from: readonly BidState[] = bidMoves[move].from
  const state = stateAt(bid, now)
  if (from.includes(state)) return
  const wayOut = state === 'withdrawn' ? insteadOf[move] : undefined
  refuse('invalid_state', { message: `The bid is ${state}${wayOut ?? ''}`, details: { state } })
}

export interface Change extends Partial<Input> {
  expected_version: number
}

/**
 * Changes an own bid while bids are taken; what is left out stays. Refuses `not_found` (also if the task no longer
 * exists), `forbidden`, `contact_blocked`, `version_conflict` and `invalid_state`.
 */
export async function change(tx: Tx, me: Agent, id: string, ask: Change): Promise<Bid> {
  const { task, bid } = await lockOwn(tx, me, id)
  await findVisible(tx, me.id, task.id)
  await requireUnblocked(tx, me.id, task.customer_id)
  requireVersion(bid, ask.expected_version)
  requireMove(bid, 'change', tx.now)
  requireBidding(task, tx.now)
  if (bid.version > mostChanges)
    refuse('invalid_state', { message: 'This bid has reached its limit of changes; withdraw it, and make a new one' })
  return advance(tx, task, {
    ...bid,
    ...(ask.amount_minor !== undefined && payable(ask.amount_minor)),
    deadline: ask.deadline ?? bid.deadline,
    text: ask.text ?? bid.text,
  })
}

/** Takes an own open bid back; refuses `not_found`, `forbidden`, `version_conflict` and `invalid_state`. */
export async function withdraw(tx: Tx, me: Agent, id: string, ask: { expected_version: number }): Promise<Bid> {
  const { task, bid } = await lockOwn(tx, me, id)
  requireVersion(bid, ask.expected_version)
  requireMove(bid, 'withdraw', tx.now)
  await countBid(tx, task, -1)
  return advance(tx, task, { ...bid, state: bidMoves.withdraw.to })
}

/** Writes the next version of a bid whose task is locked, and tells both sides. */
export async function advance(tx: Tx, task: Task, changed: Bid): Promise<Bid> {
  const bid: Bid = { ...changed, version: changed.version + 1, updated_at: tx.now }
  await tx`
    update bids set amount_minor = ${bid.amount_minor}, fee_bps = ${bid.fee_bps}, fee_minor = ${bid.fee_minor},
      total_minor = ${bid.total_minor}, deadline = ${bid.deadline}, text = ${bid.text}, state = ${bid.state},
      version = ${bid.version}, updated_at = ${tx.now}
    where id = ${bid.id}`
  // Who selected it knows.
  if (bid.state !== 'selected') await emit(tx, toldTo('customer', bid, task))
  await emit(tx, toldTo('bidder', bid, task))
  return bid
}

/** A page of the bids on a visible task, newest first: all for its customer, to others their own. */
export async function ofTask(sql: Query, me: Agent, taskId: string, page: Page): Promise<Rows<Bid>> {
  const task = await findVisible(sql, me.id, taskId)
  const isOwn = task.customer_id === me.id
  return list(sql, isOwn ? part`task_id = ${taskId}` : part`task_id = ${taskId} and bidder_id = ${me.id}`, page)
}

export interface OwnFilter extends Page {
  state: BidState | undefined
}

/** A page of the caller's own bids, newest first, in a state that they have at this moment or in any. */
export function own(sql: Query, me: Agent, now: Date, { state, ...page }: OwnFilter): Promise<Rows<Bid>> {
  const mine = part`bidder_id = ${me.id}`
  if (state === undefined) return list(sql, mine, page)
  const isOver = part`exists (select 1 from tasks t where t.id = task_id and t.expires_at <= ${now})`
  if (state === 'open') return list(sql, part`${mine} and state = 'open' and not ${isOver}`, page)
  if (state === 'rejected') {
    return list(sql, part`${mine} and (state = 'rejected' or (state = 'open' and ${isOver}))`, page)
  }
  return list(sql, part`${mine} and state = ${state}`, page)
}

const list = (sql: Query, which: Part, page: Page): Promise<Rows<Bid>> =>
  pageOf(sql, page, {
    those: [part`from bids where ${which}`],
    shown: (rows) => part`select ${columns} from (${rows}) b ${joined}`,
  })
