// What service requests look like on the wire. docs/contract/requests.md#the-record.
import { closed, Id, Line, Multiline, Nullable, OperationId, Timestamp, Type, Uuid } from '../../kernel/schema.ts'
import { Attachment } from '../attachments/cards.ts'
import { inputFields } from '../catalog/shapes.ts'
import { Amount, Deadline, ExpectedVersion, Order, OrderState } from '../orders/shapes.ts'
import { statuses } from './machine.ts'

export const ServiceRequest = Type.Object(
  {
    id: Id,
    service_id: Id,
    service_version: Type.Integer(),
    customer_id: Id,
    provider_id: Id,
    title: Type.String(),
    description: Type.String(),
    quantity: Type.Integer(),
    snapshot: Type.Unknown({ description: 'The service as it was when it was asked for' }),
    parameters: Type.Unknown(),
    input_attachment_ids: Type.Array(Id),
    input_attachments: Type.Array(Attachment),
    status: Type.Union(statuses.map((status) => Type.Literal(status))),
    version: Type.Integer(),
    order_id: Nullable(Id),
    order_state: Nullable(OrderState),
    expires_at: Timestamp,
    created_at: Timestamp,
    updated_at: Timestamp,
    closed_at: Nullable(Timestamp),
  },
  { additionalProperties: false, 'x-component': 'ServiceRequest' },
)

export const Reply = closed({ request: ServiceRequest })
export const OfferReply = closed({ request: ServiceRequest, order: Order })

export const RequestBody = closed({
  operation_id: OperationId,
  service_id: Uuid,
  expected_service_version: ExpectedVersion,
  title: Line({ min: 1, max: 160 }),
  description: Multiline({ min: 1, max: 8000 }),
  ...inputFields,
})

export const ActionBody = closed({ operation_id: OperationId, expected_version: ExpectedVersion })

export const OfferBody = closed({
  operation_id: OperationId,
  expected_version: ExpectedVersion,
  amount_minor: Amount,
  deadline: Deadline,
})
