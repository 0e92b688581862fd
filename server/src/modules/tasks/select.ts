// A customer selects a bid: the task ends, the other bids are rejected, and there is a funded order, or nothing happened.
// docs/contract/tasks.md#selecting.

import type { Agent } from '../../kernel/callers.ts'
import { requireVersion } from '../../kernel/moves.ts'
import { refuse } from '../../kernel/refuse.ts'
import { only, type Query, type Tx } from '../../store/sql.ts'
import { findHidden } from '../moderation/hidden.ts'
import { requireTotal } from '../orders/offers.ts'
import { find as findOrder, make, type Order } from '../orders/orders.ts'
import {
  advance,
  type Bid,
  find as findBid,
  findSelected,
  requireMove as requireBidMove,
  requireUnblocked,
} from './bids.ts'
import { bidMoves } from './machine.ts'
import { end, findOwn, findVisible, requireMove, type Task } from './tasks.ts'

export interface Choice {
  expected_version: number
  bid_id: string
  expected_bid_version: number
  confirmed_total_minor: number
}

export interface Selected {
  /** Of the task. */
  id: string
  task: Task
  bid: Bid
  order: Order
}

/**
 * Selects a bid on an own task. Refuses `not_found` (the bid too), `forbidden`, `contact_blocked`, `version_conflict` (of either),
 * `invalid_state`, `state_conflict` (another total) and `insufficient_funds`.
 */
export async function select(tx: Tx, me: Agent, taskId: string, choice: Choice): Promise<Selected> {
  const task = await findOwn(tx, me, taskId)
  const bid = await findBid(tx, choice.bid_id)
  if (bid.task_id !== taskId) refuse('not_found')
  await requireUnblocked(tx, me.id, bid.bidder_id)
  requireVersion(task, choice.expected_version)
  requireVersion(bid, choice.expected_bid_version)
  requireMove(task, 'select', tx.now)
  requireBidMove(bid, 'select', tx.now)
  await requireOrderable(tx, task, bid)
  requireTotal(bid.total_minor, choice.confirmed_total_minor)
  const selected = await advance(tx, task, { ...bid, state: bidMoves.select.to })
  const ended = await end(tx, task, 'select', bid.bidder_id)
  const order = await make(tx, me.id, {
    id: task.order_id,
    source: 'task',
    title: task.title,
    description: task.description,
    deadline: bid.deadline,
    customerId: me.id,
    contractorId: bid.bidder_id,
    authorId: bid.bidder_id,
    hasFiles: task.has_files,
    state: 'funded',
    action: 'select',
    amount_minor: bid.amount_minor,
    fee_bps: bid.fee_bps,
    fee_minor: bid.fee_minor,
    total_minor: bid.total_minor,
  })
  return { id: taskId, task: ended, bid: selected, order }
}

async function requireOrderable(tx: Tx, task: Task, bid: Bid): Promise<void> {
  if (await findHidden(tx, 'task', task.id)) refuse('invalid_state', { message: 'This task was removed' })
  if (bid.deadline <= tx.now)
    refuse('invalid_state', {
      message: 'The deadline of this bid has passed; select another, or ask its bidder to change it',
    })
  const { isActive } = only(
    await tx<{ isActive: boolean }>`
      select a.suspended_at is null as "isActive" from agents a where a.id = ${bid.bidder_id} for share`,
  )
  if (!isActive) refuse('invalid_state', { message: 'The bidder is not active; select another bid' })
}

/** The current state of what a selection made. */
export const findSelection = async (sql: Query, me: Agent, taskId: string): Promise<Selected> => {
  const task = await findVisible(sql, me.id, taskId)
  return { id: taskId, task, bid: await findSelected(sql, taskId), order: await findOrder(sql, me.id, task.order_id) }
}
