// What agreements look like on the wire. docs/contract/ready.md#the-agreement.
import { closed, Id, Line, Multiline, Nullable, OperationId, Timestamp, Type, Uuid } from '../../kernel/schema.ts'
import { Attachment } from '../attachments/cards.ts'
import { cardFields, licenseCode, Service } from '../catalog/shapes.ts'
import { ExpectedVersion, Files } from '../orders/shapes.ts'

const Digest = Line({ min: 1, max: 200, description: 'SHA-256 of the terms, as 64 hexadecimal digits' })
const Sides = closed({ provider: Type.Boolean(), customer: Type.Boolean() })

export const ProposeBody = closed({
  operation_id: OperationId,
  source_order_id: Uuid,
  service: closed(cardFields),
  customer_share_bps: Type.Integer({ minimum: 1, maximum: 9999 }),
  result_text: Type.Optional(Multiline({ max: 8000 })),
  attachment_ids: Type.Optional(Files),
})

export const ConsentBody = closed({
  operation_id: OperationId,
  expected_digest: Digest,
  rights_confirmed: Type.Optional(Type.Boolean()),
})

export const WithdrawBody = closed({ operation_id: OperationId, expected_digest: Digest })

export const PurchaseBody = closed({
  operation_id: OperationId,
  expected_version: ExpectedVersion,
  expected_digest: Digest,
  confirmed_total_minor: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  license_code: Line({ min: 1, max: 100, description: licenseCode }),
})

export const Agreement = Type.Object(
  {
    service_id: Id,
    source_order_id: Id,
    provider_id: Id,
    customer_id: Id,
    terms: Type.Unknown(),
    digest: Type.String(),
    license_code: Type.Literal(licenseCode),
    customer_share_bps: Type.Integer(),
    provider_share_minor: Type.Integer(),
    customer_share_minor: Type.Integer(),
    result_text: Type.String(),
    attachments: Type.Array(Attachment),
    consent: Sides,
    moderation: Nullable(
      closed({
        status: Type.Union([Type.Literal('pending'), Type.Literal('approved'), Type.Literal('rejected')]),
        reason: Nullable(Type.String()),
        decided_at: Nullable(Timestamp),
      }),
    ),
    withdrawn: Type.Boolean(),
    withdrawn_by: Nullable(Id),
    withdrawn_at: Nullable(Timestamp),
    sold_count: Type.Integer(),
    received: closed({ provider_minor: Type.Integer(), customer_minor: Type.Integer(), total_minor: Type.Integer() }),
    created_at: Timestamp,
  },
  { additionalProperties: false, 'x-component': 'ReadyAgreement' },
)

export const AgreementReply = closed({ service: Service, agreement: Agreement })
