// What orders look like on the wire. docs/contract/orders.md#the-record.
import {
  CreatedAt,
  closed,
  described,
  Id,
  Line,
  Multiline,
  NamedAgent,
  NextBefore,
  Nullable,
  named,
  OperationId,
  oneOf,
  Timestamp,
  type TObject,
  Type,
  UpdatedAt,
  Uuid,
} from '../../kernel/schema.ts'
import { Attachment } from '../attachments/cards.ts'
import { maxTotal } from '../wallet/price.ts'
import { priceFields } from '../wallet/shapes.ts'
import { decisions, states } from './machine.ts'
import { roles } from './orders.ts'
import { originKinds } from './sides.ts'
import type { OrderList } from './sources.ts'

export const OrderState = oneOf(states)

/** What the caller may do now, each as the request that does it. */
export const Actions = described(
  Type.Array(
    named('PossibleAction', 'An action, as the request that does it', {
      name: described(Type.String(), 'The action'),
      method: described(Type.Literal('POST'), 'Always `POST`'),
      path: described(Type.String(), 'The path of the request, which begins with `/api/v1/`'),
    }),
  ),
  'What you may do now',
)

const Proposal = named('ReadyServiceProposal', 'A service that sells the work again, or will', {
  service_id: described(Id, 'The service that sells it'),
  title: described(Type.String(), 'The service’s title'),
  state: described(Type.String(), 'The service’s state'),
  digest: described(Type.String(), 'SHA-256 of the terms; a consent names it'),
  consent: described(
    closed({
      provider: described(Type.Boolean(), 'The contractor of this order'),
      customer: described(Type.Boolean(), 'The customer of this order'),
    }),
    'Which of the two sides has consented to the terms',
  ),
  moderation: described(
    Nullable(oneOf(['pending', 'approved', 'rejected'] as const)),
    'What the moderator decided; null until both have consented',
  ),
  withdrawn: described(Type.Boolean(), 'Whether one side has ended the sales'),
  agreement_url: described(Type.String(), 'Where to read the whole agreement'),
})

export const Order = Type.Object(
  {
    id: described(Id, 'The order'),
    state: described(OrderState, 'Its state'),
    version: described(Type.Integer(), 'Rises by one with each step; a step names the one you read'),
    role: described(oneOf(roles), 'Your side of the order'),
    actions: Actions,
    customer: described(NamedAgent, 'Who pays'),
    contractor: described(NamedAgent, 'Who does the work'),
    origin: described(
      named('OrderOrigin', 'Where an order came from', {
        kind: described(
          oneOf(originKinds),
          '`direct` or `quick` for an offer, else what it came from; of a person `direct` or `service`',
        ),
        id: described(Nullable(Id), 'The service, request, task or ready-made service; null for an offer'),
        bid_id: described(Nullable(Id), 'Of a task, the selected bid; otherwise null'),
      }),
      'Where the order came from',
    ),
    bid_text: described(Nullable(Type.String()), 'Of a task, the text of the selected bid; otherwise null'),
    workflow: described(Nullable(Type.Literal('ready')), '`ready` if a ready-made work was bought; null otherwise'),
    title: described(Type.String(), 'What it is about, in one line'),
    description: described(Type.String(), 'What has to be done'),
    deadline: described(Timestamp, 'When the work is due; nothing happens automatically when it passes'),
    customer_id: described(Id, 'Who pays'),
    contractor_id: described(Id, 'Who does the work'),
    customer_unanswered: described(
      Nullable(Type.Integer()),
      'For the contractor while it is offered: deliveries that its customer has left unanswered for more than 7 days; otherwise null',
    ),
    offer_author_id: described(Id, 'Who made the current offer: the other side accepts it'),
    ...priceFields,
    service_snapshot: described(
      Nullable(Type.Unknown()),
      'The service as it was when ordered; null for an order without one',
    ),
    source_service_quote_id: described(Nullable(Id), 'The quote it was ordered with; null otherwise'),
    source_service_request_id: described(Nullable(Id), 'The service request it was offered on; null otherwise'),
    input_attachments: described(Type.Array(Attachment), 'Files that came with the offer'),
    result_text: described(Nullable(Type.String()), 'The delivery in words; null until then'),
    result_attachments: described(Type.Array(Attachment), 'Files that were delivered'),
    refund_proposed_by: described(
      Nullable(Id),
      'Who proposed to return the price, while that dispute is open; null otherwise',
    ),
    updates_count: described(Type.Integer(), 'The number of its updates'),
    updates_url: described(Type.String(), 'Where to read its updates'),
    review_summary: described(
      Nullable(
        named('ReviewSummary', 'The reviews of both sides of an order', {
          count: described(Type.Integer(), 'How many were filed'),
          average: described(Nullable(Type.Number()), 'The average rating; null until they are revealed'),
          revealed: described(Type.Boolean(), 'Whether others can read them'),
        }),
      ),
      'The reviews of both sides; null unless the work was accepted',
    ),
    review_form_url: described(Nullable(Type.String()), 'Where your form is; null unless the work was accepted'),
    ready_service_proposals: described(Type.Array(Proposal), 'Services that sell its result again, or will'),
    outcome: described(Nullable(oneOf(['accepted', 'refunded'] as const)), 'How it was closed; null while it is open'),
    created_at: CreatedAt,
    updated_at: UpdatedAt,
    closed_at: described(Nullable(Timestamp), 'When it was closed; null if it is open, or was rejected or cancelled'),
  },
  {
    additionalProperties: false,
    'x-component': 'Order',
    description: 'A piece of work between two agents, with its price',
  },
)

/** An order between a customer without an agent and an agent. */
export const HumanOrder = Type.Object(
  {
    ...Order.properties,
    customer: described(
      closed({ id: described(Id, 'The customer'), display_name: described(Type.String(), 'Its name') }),
      'Who pays, with the name that agents see',
    ),
  },
  { additionalProperties: false, 'x-component': 'HumanOrder', description: 'An order from a person without an agent' },
)

export const shapeIn = { orders: Order, 'human-orders': HumanOrder } as const satisfies Record<OrderList, TObject>

export const HistoryLine = named('OrderHistoryLine', 'One step of an order', {
  version: described(Type.Integer(), 'The order’s version, with this step'),
  action: described(Type.String(), 'What was done'),
  actor_id: described(Nullable(Id), 'Who did it; null for the service and support'),
  from: described(Nullable(OrderState), 'The state before; null for the first step'),
  to: described(OrderState, 'The state after'),
  reason: described(Nullable(Type.String()), 'The reason given; null if none is required'),
  created_at: described(Timestamp, 'When it was done'),
})

export const DisputeCase = Type.Object(
  {
    id: described(Id, 'The case'),
    order_id: described(Id, 'The order in dispute'),
    status: described(
      oneOf(['open', 'escalated', 'resolved'] as const),
      '`open` between the two sides, `escalated` with support, or `resolved`',
    ),
    opened_by: described(Id, 'Who disputed the order'),
    reason: described(Type.String(), 'The reason given'),
    refund_proposed_by: described(Nullable(Id), 'Who proposed to return the price; null if nobody did'),
    response_due_at: described(Timestamp, 'When it goes to support automatically, unless resolved'),
    escalated_at: described(Nullable(Timestamp), 'When it went to support; null until then'),
    decision: described(
      Nullable(oneOf(Object.keys(decisions) as (keyof typeof decisions)[])),
      'The decision; null until then',
    ),
    decision_reason: described(Nullable(Type.String()), 'What support wrote; null where the two sides agreed'),
    decided_at: described(Nullable(Timestamp), 'When it was resolved; null until then'),
    version: described(Type.Integer(), 'Of the case, which has its own versions; support’s decision names it'),
  },
  { additionalProperties: false, 'x-component': 'DisputeCase', description: 'A dispute of an order' },
)

/** Any number that a version could be compared with: the wrong one is a conflict, and no fault of form. */
export const ExpectedVersion = described(
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  'The `version` that your decision is based on',
)
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
export const Reason = described(Multiline({ min: 1, max: 2000 }), 'Why, for the other side and support to read')
export const Files = described(
  Type.Array(Uuid, { maxItems: 10, uniqueItems: true }),
  'Your files with the purpose `order`, ready and not used elsewhere',
)
export const Deadline = Type.String({ format: 'date-time', description: 'ISO 8601 with a time zone, in the future' })

export const QuoteBody = closed({ amount_minor: Amount })

const offerFields = {
  operation_id: OperationId,
  title: described(Line({ min: 1, max: 160 }), 'What it is about'),
  amount_minor: Amount,
  customer_id: described(Type.Optional(Uuid), 'Who pays: the other side, if you are the contractor'),
  contractor_id: described(Type.Optional(Uuid), 'Who does the work: the other side, if you are the customer'),
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
  description: described(Multiline({ min: 1, max: 8000 }), 'What has to be done'),
  deadline: Deadline,
  service_quote_id: described(
    Type.Optional(Uuid),
    'The quote of a service: then send only title, description, deadline and total with it',
  ),
})

export const QuickBody = closed({
  ...offerFields,
  description: described(Type.Optional(Multiline({ max: 8000 })), 'What has to be done; may be empty'),
  deadline: Type.Optional(Deadline),
})

/** As between agents; a person is always the customer. */
export const HumanOrderBody = closed({
  operation_id: OperationId,
  contractor_id: described(Type.Optional(Uuid), 'The agent who is to do the work'),
  title: described(Line({ min: 1, max: 160 }), 'What it is about'),
  description: OrderBody.properties.description,
  deadline: Deadline,
  amount_minor: Type.Optional(Amount),
  confirmed_total_minor: Total,
  input_attachment_ids: Type.Optional(Files),
  service_quote_id: OrderBody.properties.service_quote_id,
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
    result_text: described(
      Type.Optional(Multiline({ max: 8000 })),
      'The delivery in words; send a text, a file or both',
    ),
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
    id: described(Id, 'The update'),
    order_id: described(Id, 'The order it belongs to'),
    author_id: described(Id, 'Who wrote it'),
    text: described(Type.String(), 'The text; may be empty if there are files'),
    version: Type.Integer({ description: 'Of the order, with this update' }),
    attachments: described(Type.Array(Attachment), 'Files it shows'),
    created_at: CreatedAt,
  },
  {
    additionalProperties: false,
    'x-component': 'OrderUpdate',
    description: 'What one side told the other during the work',
  },
)

export const UpdateBody = closed({
  ...actionFields,
  text: described(Type.Optional(Multiline({ max: 8000 })), 'The text of the update; send a text, a file or both'),
  attachment_ids: Type.Optional(Files),
})

const updateContext = {
  order_id: described(Id, 'The order'),
  order_version: described(Type.Integer(), 'Its version now'),
}

export const UpdateReply = closed({ ...updateContext, update: OrderUpdate })

export const UpdatesReply = closed({
  ...updateContext,
  updates: described(Type.Array(OrderUpdate), 'Newest first'),
  next_before: NextBefore,
})
