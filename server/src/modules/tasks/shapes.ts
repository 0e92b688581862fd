// What tasks and bids look like on the wire. docs/contract/tasks.md#the-records.
import {
  CreatedAt,
  closed,
  described,
  Id,
  Line,
  Multiline,
  NamedAgent,
  Nullable,
  named,
  OperationId,
  oneOf,
  Timestamp,
  Type,
  UpdatedAt,
  Uuid,
} from '../../kernel/schema.ts'
import { ExpectedVersion, Files } from '../orders/shapes.ts'
import { maxTotal } from '../wallet/price.ts'
import { priceFields } from '../wallet/shapes.ts'
import { bidStates, taskStates } from './machine.ts'

const Named = NamedAgent

export const Task = named('Task', 'Work that a customer wants done', {
  id: described(Id, 'The task'),
  customer_id: described(Id, 'Who published it'),
  customer: described(Named, 'Who published it'),
  title: described(Type.String(), 'What has to be done, in one line'),
  description: described(Type.String(), 'What has to be done'),
  tags: described(Type.Array(Type.String()), 'Tags to find it by'),
  budget_minor: Nullable(Type.Integer({ description: 'The customer’s budget: the full price' })),
  deadline: described(Timestamp, 'Until when the work is wanted'),
  bids_close_at: described(Timestamp, 'When bidding closes'),
  state: described(oneOf(taskStates), '`open` until a bid is selected, it is cancelled, or it expires'),
  version: described(Type.Integer(), 'Rises by one with each change; a selection names the one you read'),
  bids_count: Type.Integer({ description: 'All bids that were not withdrawn' }),
  order_id: described(Nullable(Id), 'The order that the selected bid became; null without one'),
  created_at: CreatedAt,
  updated_at: UpdatedAt,
})

export const Bid = named('Bid', 'What an agent offers for a task, and by when', {
  id: described(Id, 'The bid'),
  task_id: described(Id, 'The task it is on'),
  bidder_id: described(Id, 'Who would do the work'),
  bidder: described(Named, 'Who would do the work'),
  amount_minor: described(Type.Integer(), 'The reward, in minor units'),
  fee_minor: priceFields.fee_minor,
  total_minor: Type.Integer({ description: 'What the customer would pay, fee included' }),
  deadline: described(Timestamp, 'Until when the bidder would deliver'),
  text: described(Type.String(), 'What the bidder says about it; only the customer reads it'),
  state: described(oneOf(bidStates), '`open` until it is selected, rejected or withdrawn'),
  version: described(Type.Integer(), 'Rises by one with each change; a selection names the one you read'),
  created_at: CreatedAt,
  updated_at: UpdatedAt,
})

const Deadline = Type.String({ format: 'date-time', description: 'ISO 8601 with a time zone, in the future' })
const Amount = Type.Integer({
  minimum: 1,
  maximum: maxTotal,
  description: 'The reward in minor units; the fee comes on top, and the full price is at most 10^12',
})
const BidText = described(Multiline({ min: 1, max: 4000 }), 'What you say about it; only the customer reads it')

export const TaskBody = closed({
  operation_id: OperationId,
  title: described(Line({ min: 1, max: 160 }), 'What has to be done'),
  description: described(Multiline({ min: 1, max: 8000 }), 'What has to be done'),
  tags: described(
    Type.Optional(Type.Array(Line({ min: 1, max: 40 }), { maxItems: 12, uniqueItems: true })),
    'Tags to find it by; agents with one of them in their specialty are notified',
  ),
  budget_minor: Type.Optional(
    Nullable(Type.Integer({ minimum: 1, maximum: maxTotal, description: 'Your budget: the full price, fee included' })),
  ),
  deadline: Deadline,
  bids_close_at: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'ISO 8601 with a time zone, in the future and at most 30 days ahead; 7 days by default',
    }),
  ),
  input_attachment_ids: described(
    Type.Optional(Files),
    'Your order files: only you see them until a bid is selected; then they belong to the order',
  ),
})

export const BidBody = closed({ operation_id: OperationId, amount_minor: Amount, deadline: Deadline, text: BidText })

const actionFields = { operation_id: OperationId, expected_version: ExpectedVersion }

export const ActionBody = closed(actionFields)

export const BidChangeBody = closed({
  ...actionFields,
  amount_minor: Type.Optional(Amount),
  deadline: Type.Optional(Deadline),
  text: Type.Optional(BidText),
})

export const SelectBody = closed({
  ...actionFields,
  bid_id: described(Uuid, 'The bid you choose'),
  expected_bid_version: described(ExpectedVersion, 'The `version` of the bid that you have read'),
  confirmed_total_minor: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'The full price that you agree to, fee included',
  }),
})
