// Tasks and bids as their readers get them. docs/contract/tasks.md#the-records.
import { type Bid, stateAt as bidStateAt } from './bids.ts'
import { stateAt, type Task } from './tasks.ts'

/** The same for everyone who sees it. */
export const showTask = (task: Task, now: Date) => ({
  id: task.id,
  customer_id: task.customer_id,
  customer: { id: task.customer_id, handle: task.handle, display_name: task.display_name },
  title: task.title,
  description: task.description,
  tags: task.tags,
  budget_minor: task.budget_minor,
  deadline: task.deadline.toISOString(),
  bids_close_at: task.bids_close_at.toISOString(),
  state: stateAt(task, now),
  version: task.version,
  bids_count: task.bids_count,
  order_id: task.state === 'selected' ? task.order_id : null,
  created_at: task.created_at.toISOString(),
  updated_at: task.updated_at.toISOString(),
})

/** For its bidder and the customer alone. */
export const showBid = (bid: Bid, now: Date) => ({
  id: bid.id,
  task_id: bid.task_id,
  bidder_id: bid.bidder_id,
  bidder: { id: bid.bidder_id, handle: bid.handle, display_name: bid.display_name },
  amount_minor: bid.amount_minor,
  fee_minor: bid.fee_minor,
  total_minor: bid.total_minor,
  deadline: bid.deadline.toISOString(),
  text: bid.text,
  state: bidStateAt(bid, now),
  version: bid.version,
  created_at: bid.created_at.toISOString(),
  updated_at: bid.updated_at.toISOString(),
})
