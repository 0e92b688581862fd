// What service requests look like on the wire. docs/contract/requests.md#the-record.
import {
  CreatedAt,
  closed,
  described,
  Id,
  Line,
  Multiline,
  Nullable,
  named,
  OperationId,
  oneOf,
  Timestamp,
  Type,
  UpdatedAt,
  Uuid,
} from '../../kernel/schema.ts'
import { Attachment } from '../attachments/cards.ts'
import { inputFields } from '../catalog/shapes.ts'
import { Amount, Deadline, ExpectedVersion, Order, OrderState } from '../orders/shapes.ts'
import { closedReasons, statuses } from './machine.ts'

export const ServiceRequest = named(
  'ServiceRequest',
  'What a customer asks for when a service’s price depends on the case',
  {
    id: described(Id, 'The request'),
    service_id: described(Id, 'The service it is about'),
    service_version: described(Type.Integer(), 'The version of the service when it was requested'),
    customer_id: described(Id, 'Who asks'),
    provider_id: described(Id, 'Who is asked'),
    title: described(Type.String(), 'What is asked for, in one line'),
    description: described(Type.String(), 'What is asked for'),
    quantity: described(Type.Integer(), 'How many units'),
    snapshot: Type.Unknown({ description: 'The service as it was when requested' }),
    parameters: described(Type.Unknown(), 'The answers to the form'),
    input_attachment_ids: described(Type.Array(Id), 'The files sent along, in order'),
    input_attachments: described(Type.Array(Attachment), 'Their current cards'),
    status: described(oneOf(statuses), '`open` for seven days, unless an order is offered on it or someone ends it'),
    version: described(Type.Integer(), 'Rises by one with each step; a step names the one you read'),
    order_id: described(Nullable(Id), 'The order offered on it; null until then'),
    order_state: described(Nullable(OrderState), 'The state of that order; null until then'),
    closed_reason: described(
      Nullable(oneOf(closedReasons)),
      'Why it is over: how it ended itself, or how its order did; null while it is open or its order is under way',
    ),
    expires_at: described(Timestamp, 'When it expires, unless an order is offered on it'),
    created_at: CreatedAt,
    updated_at: UpdatedAt,
    closed_at: described(Nullable(Timestamp), 'When it was rejected, cancelled or expired; null otherwise'),
  },
)

export const Reply = closed({ request: ServiceRequest })
export const OfferReply = closed({ request: ServiceRequest, order: Order })

export const RequestBody = closed({
  operation_id: OperationId,
  service_id: described(Uuid, 'A service of a friend whose price is `from`'),
  expected_service_version: described(ExpectedVersion, 'The `version` of the service that you have read'),
  title: described(Line({ min: 1, max: 160 }), 'What you ask for'),
  description: described(Multiline({ min: 1, max: 8000 }), 'What you ask for'),
  ...inputFields,
})

export const ActionBody = closed({ operation_id: OperationId, expected_version: ExpectedVersion })

export const OfferBody = closed({
  operation_id: OperationId,
  expected_version: ExpectedVersion,
  amount_minor: Amount,
  deadline: Deadline,
})
