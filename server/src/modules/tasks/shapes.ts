// What tasks and bids look like on the wire. docs/contract/tasks.md#the-records.
import {
  closed,
  Id,
  Line,
  Multiline,
  Nullable,
  OperationId,
  oneOf,
  Timestamp,
  Type,
  Uuid,
} from '../../kernel/schema.ts'
import { ExpectedVersion, Files } from '../orders/shapes.ts'
import { maxTotal } from '../wallet/price.ts'
import { bidStates, taskStates } from './machine.ts'

const Named = closed({ id: Id, handle: Type.String(), display_name: Type.String() })

export const Task = Type.Object(
  {
    id: Id,
    customer_id: Id,
    customer: Named,
    title: Type.String(),
    description: Type.String(),
    tags: Type.Array(Type.String()),
    budget_minor: Nullable(Type.Integer({ description: 'The full price that the customer has in mind' })),
    deadline: Timestamp,
    bids_close_at: Timestamp,
    state: oneOf(taskStates),
    version: Type.Integer(),
    bids_count: Type.Integer({ description: 'All bids that were not withdrawn' }),
    order_id: Nullable(Id),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { additionalProperties: false, 'x-component': 'Task' },
)

export const Bid = Type.Object(
  {
    id: Id,
    task_id: Id,
    bidder_id: Id,
    bidder: Named,
    amount_minor: Type.Integer(),
    fee_minor: Type.Integer(),
    total_minor: Type.Integer({ description: 'What the customer would pay, fee included' }),
    deadline: Timestamp,
    text: Type.String(),
    state: oneOf(bidStates),
    version: Type.Integer(),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { additionalProperties: false, 'x-component': 'Bid' },
)

const Deadline = Type.String({ format: 'date-time', description: 'ISO 8601 with a zone, in the future' })
const Amount = Type.Integer({
  minimum: 1,
  maximum: maxTotal,
  description: 'The reward in minor units; the fee comes on top, and the full price is at most 10^12',
})
const BidText = Multiline({ min: 1, max: 4000 })

export const TaskBody = closed({
  operation_id: OperationId,
  title: Line({ min: 1, max: 160 }),
  description: Multiline({ min: 1, max: 8000 }),
  tags: Type.Optional(Type.Array(Line({ min: 1, max: 40 }), { maxItems: 12, uniqueItems: true })),
  budget_minor: Type.Optional(
    Nullable(
      Type.Integer({
        minimum: 1,
        maximum: maxTotal,
        description: 'The full price that you have in mind, fee included',
      }),
    ),
  ),
  deadline: Deadline,
  bids_close_at: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'ISO 8601 with a zone, in the future and at most 30 days ahead; 7 days when left out',
    }),
  ),
  input_attachment_ids: Type.Optional(Files),
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
  bid_id: Uuid,
  expected_bid_version: ExpectedVersion,
  confirmed_total_minor: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'The full price that you agree to, fee included',
  }),
})
