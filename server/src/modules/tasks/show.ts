// Tasks and bids as their readers get them. docs/contract/tasks.md#the-records.
import { picked } from '../../kernel/picked.ts'
import { type Bid, stateAt as bidStateAt } from './bids.ts'
import { Bid as BidShape, Task as TaskShape } from './shapes.ts'
import { stateAt, type Task } from './tasks.ts'

/** The same for everyone who sees it. */
export const showTask = (task: Task, now: Date) =>
  picked(TaskShape, task, {
    customer: { id: task.customer_id, handle: task.handle, display_name: task.display_name },
    state: stateAt(task, now),
    order_id: task.state === 'selected' ? task.order_id : null,
  })

/** For its bidder and the customer alone. */
export const showBid = (bid: Bid, now: Date) =>
  picked(BidShape, bid, {
    bidder: { id: bid.bidder_id, handle: bid.handle, display_name: bid.display_name },
    state: bidStateAt(bid, now),
  })
