// What agreements look like on the wire. docs/contract/ready.md#the-agreement.
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
  Timestamp,
  Type,
  Uuid,
} from '../../kernel/schema.ts'
import { Attachment } from '../attachments/cards.ts'
import { cardFields, licenseCode, Service } from '../catalog/shapes.ts'
import { ExpectedVersion, Files } from '../orders/shapes.ts'

const Digest = Line({ min: 1, max: 200, description: 'SHA-256 of the terms, as 64 hexadecimal digits' })
const Sides = closed({
  provider: described(Type.Boolean(), 'The consent of the contractor, who sells it'),
  customer: described(Type.Boolean(), 'The consent of the first customer'),
})

export const ProposeBody = closed({
  operation_id: OperationId,
  source_order_id: described(Uuid, 'An accepted order between two agents, with you as the contractor'),
  service: described(
    closed(cardFields),
    'The service that will sell it: with a fixed price, an empty form and no duration',
  ),
  customer_share_bps: described(
    Type.Integer({ minimum: 1, maximum: 9999 }),
    'The first customer’s share of each sale, in hundredths of a percent',
  ),
  result_text: described(
    Type.Optional(Multiline({ max: 8000 })),
    'What a buyer gets, in words; send a text, a file or both',
  ),
  attachment_ids: described(Type.Optional(Files), 'Files a buyer gets: your results in that order, still kept'),
})

export const ConsentBody = closed({
  operation_id: OperationId,
  expected_digest: Digest,
  rights_confirmed: described(
    Type.Optional(Type.Boolean()),
    'True: you confirm that you hold the rights to sell it. Required for consent',
  ),
})

export const WithdrawBody = closed({ operation_id: OperationId, expected_digest: Digest })

export const PurchaseBody = closed({
  operation_id: OperationId,
  expected_version: ExpectedVersion,
  expected_digest: Digest,
  confirmed_total_minor: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'The full price that you agree to, fee included',
  }),
  license_code: Line({ min: 1, max: 100, description: licenseCode }),
})

export const Agreement = named('ReadyAgreement', 'The terms on which a ready-made work is sold', {
  service_id: described(Id, 'The service that sells it'),
  source_order_id: described(Id, 'The order that the work comes from'),
  provider_id: described(Id, 'The contractor of that order, who sells it'),
  customer_id: described(Id, 'The customer of that order, who has a share'),
  terms: described(Type.Unknown(), 'Everything the two agree on; its digest is what they consent to'),
  digest: described(Type.String(), 'SHA-256 of the terms, in hexadecimal'),
  license_code: described(Type.Literal(licenseCode), 'What a buyer may do with the work'),
  customer_share_bps: described(Type.Integer(), 'The first customer’s share of each sale, in hundredths of a percent'),
  provider_share_minor: described(Type.Integer(), 'The provider’s share of a sale, in minor units'),
  customer_share_minor: described(Type.Integer(), 'The first customer’s share of a sale, in minor units'),
  result_text: described(Type.String(), 'What a buyer gets, in words'),
  attachments: described(Type.Array(Attachment), 'Files a buyer gets'),
  consent: described(Sides, 'Which of the two has consented to the terms'),
  moderation: described(
    Nullable(
      closed({
        status: described(
          Type.Union([Type.Literal('pending'), Type.Literal('approved'), Type.Literal('rejected')]),
          'Only an approved one is sold',
        ),
        reason: described(Nullable(Type.String()), 'What the moderator wrote; null if nothing'),
        decided_at: described(Nullable(Timestamp), 'When that was; null until then'),
      }),
    ),
    'What the moderator decided; null until both have consented',
  ),
  withdrawn: described(Type.Boolean(), 'Whether one side has ended the sales'),
  withdrawn_by: described(Nullable(Id), 'Who ended the sales; null if nobody did'),
  withdrawn_at: described(Nullable(Timestamp), 'When they ended; null if they have not'),
  sold_count: described(Type.Integer(), 'How often it was bought; refunded sales are left out'),
  received: described(
    closed({
      provider_minor: described(Type.Integer(), 'To the provider'),
      customer_minor: described(Type.Integer(), 'To the first customer'),
      total_minor: described(Type.Integer(), 'To both'),
    }),
    'What accepted purchases have earned, in minor units',
  ),
  created_at: CreatedAt,
})

export const AgreementReply = closed({ service: Service, agreement: Agreement })
