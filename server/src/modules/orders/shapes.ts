// What orders look like on the wire. docs/contract/orders.md#the-record.
import {
  closed,
  Id,
  Line,
  Multiline,
  Nullable,
  OperationId,
  oneOf,
  Timestamp,
  type TObject,
  Type,
  Uuid,
} from '../../kernel/schema.ts'
import { Attachment } from '../attachments/cards.ts'
import { maxTotal } from '../wallet/price.ts'
import { decisions, states } from './machine.ts'
import type { OrderList } from './sources.ts'

export const OrderState = oneOf(states)

/** A service in which the work is, or is to be, sold again. */
const Proposal = closed({
  service_id: Id,
  title: Type.String(),
  state: Type.String(),
  digest: Type.String(),
  consent: closed({ provider: Type.Boolean(), customer: Type.Boolean() }),
  moderation: Nullable(oneOf(['pending', 'approved', 'rejected'] as const)),
  withdrawn: Type.Boolean(),
  agreement_url: Type.String(),
})

export const Order = Type.Object(
  {
    id: Id,
    state: OrderState,
    version: Type.Integer(),
    workflow: Nullable(Type.Literal('ready')),
    title: Type.String(),
    description: Type.String(),
    deadline: Timestamp,
    customer_id: Id,
    contractor_id: Id,
    offer_author_id: Id,
    amount_minor: Type.Integer(),
    fee_bps: Type.Integer(),
    fee_minor: Type.Integer(),
    total_minor: Type.Integer(),
    service_snapshot: Nullable(Type.Unknown()),
    source_service_quote_id: Nullable(Id),
    source_service_request_id: Nullable(Id),
    input_attachments: Type.Array(Attachment),
    result_text: Nullable(Type.String()),
    result_attachments: Type.Array(Attachment),
    refund_proposed_by: Nullable(Id),
    updates_count: Type.Integer(),
    updates_url: Type.String(),
    review_summary: Nullable(
      closed({ count: Type.Integer(), average: Nullable(Type.Number()), revealed: Type.Boolean() }),
    ),
    review_form_url: Nullable(Type.String()),
    ready_service_proposals: Type.Array(Proposal),
    outcome: Nullable(oneOf(['accepted', 'refunded'] as const)),
    created_at: Timestamp,
    updated_at: Timestamp,
    closed_at: Nullable(Timestamp),
  },
  { additionalProperties: false, 'x-component': 'Order' },
)

/** An order between a customer without an agent and an agent. */
export const HumanOrder = Type.Object(
  {
    ...Order.properties,
    customer: closed({ id: Id, display_name: Type.String() }),
    contractor: closed({ id: Id, handle: Type.String(), display_name: Type.String() }),
  },
  { additionalProperties: false, 'x-component': 'HumanOrder' },
)

/** The record of an order in each list. */
export const shapeIn = { orders: Order, 'human-orders': HumanOrder } as const satisfies Record<OrderList, TObject>

export const HistoryLine = closed({
  version: Type.Integer(),
  action: Type.String(),
  actor_id: Nullable(Id),
  from: Nullable(OrderState),
  to: OrderState,
  reason: Nullable(Type.String()),
  created_at: Timestamp,
})

export const DisputeCase = Type.Object(
  {
    id: Id,
    order_id: Id,
    status: oneOf(['open', 'escalated', 'resolved'] as const),
    opened_by: Id,
    reason: Type.String(),
    refund_proposed_by: Nullable(Id),
    response_due_at: Timestamp,
    escalated_at: Nullable(Timestamp),
    decision: Nullable(oneOf(Object.keys(decisions) as (keyof typeof decisions)[])),
    decision_reason: Nullable(Type.String()),
    decided_at: Nullable(Timestamp),
    version: Type.Integer(),
  },
  { additionalProperties: false, 'x-component': 'DisputeCase' },
)

/** Any number that a version could be compared with: the wrong one is a conflict, and no fault of form. */
export const ExpectedVersion = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
export const Amount = Type.Integer({
  minimum: 1,
  maximum: maxTotal,
  description: 'The reward in minor units; the fee comes on top',
})
const Total = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'The full price that you agree to, fee included',
})
export const Reason = Multiline({ min: 1, max: 2000 })
export const Files = Type.Array(Uuid, { maxItems: 10, uniqueItems: true })
export const Deadline = Type.String({ format: 'date-time', description: 'ISO 8601 with a zone, in the future' })

export const QuoteBody = closed({ amount_minor: Amount })

const offerFields = {
  operation_id: OperationId,
  title: Line({ min: 1, max: 160 }),
  amount_minor: Amount,
  customer_id: Type.Optional(Uuid),
  contractor_id: Type.Optional(Uuid),
  confirmed_total_minor: Type.Optional(Total),
  input_attachment_ids: Type.Optional(Files),
}

/**
 * A direct offer names its amount and one side, one by a quote the quote and nothing that it has settled: which of them is
 * judged by the route.
 */
export const OrderBody = closed({
  ...offerFields,
  amount_minor: Type.Optional(Amount),
  description: Multiline({ min: 1, max: 8000 }),
  deadline: Deadline,
  service_quote_id: Type.Optional(Uuid),
})

export const QuickBody = closed({
  ...offerFields,
  description: Type.Optional(Multiline({ max: 8000 })),
  deadline: Type.Optional(Deadline),
})

export const HumanOrderBody = closed({
  operation_id: OperationId,
  contractor_id: Uuid,
  title: Line({ min: 1, max: 160 }),
  description: Multiline({ min: 1, max: 8000 }),
  deadline: Deadline,
  amount_minor: Amount,
  confirmed_total_minor: Total,
  input_attachment_ids: Type.Optional(Files),
})

const actionFields = { operation_id: OperationId, expected_version: ExpectedVersion }
const Plain = closed(actionFields)
const Reasoned = closed({ ...actionFields, reason: Reason })

export const actionBodies = {
  accept: closed({ ...actionFields, confirmed_total_minor: Total }),
  reject: Plain,
  cancel: Plain,
  start: Plain,
  deliver: closed({
    ...actionFields,
    result_text: Type.Optional(Multiline({ max: 8000 })),
    result_attachment_ids: Type.Optional(Files),
  }),
  complete: Plain,
  dispute: Reasoned,
  'propose-refund': Reasoned,
  'approve-refund': Plain,
  'escalate-dispute': Reasoned,
}

export const RepriceBody = closed({
  ...actionFields,
  amount_minor: Amount,
  confirmed_total_minor: Type.Optional(Total),
})

export const OrderUpdate = Type.Object(
  {
    id: Id,
    order_id: Id,
    author_id: Id,
    text: Type.String(),
    version: Type.Integer({ description: 'Of the order, with this update' }),
    attachments: Type.Array(Attachment),
    created_at: Timestamp,
  },
  { additionalProperties: false, 'x-component': 'OrderUpdate' },
)

export const UpdateBody = closed({
  ...actionFields,
  text: Type.Optional(Multiline({ max: 8000 })),
  attachment_ids: Type.Optional(Files),
})

const updateContext = { order_id: Id, order_version: Type.Integer() }

export const UpdateReply = closed({ ...updateContext, update: OrderUpdate })

export const UpdatesReply = closed({
  ...updateContext,
  updates: Type.Array(OrderUpdate),
  next_before: Nullable(Id),
})
