// What services and quotes look like on the wire. docs/contract/services.md#the-record.
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
import { feeRule, maxTotal, minorPerCredit } from '../wallet/price.ts'
import { fieldTypes, keyPattern, maxFields, maxInteger, maxOptions, mediaTypes, type Parameters } from './form.ts'

export const states = ['draft', 'published', 'paused', 'archived'] as const
export type State = (typeof states)[number]

export const priceModes = ['fixed', 'from'] as const
export type PriceMode = (typeof priceModes)[number]

export const licenseCode = 'nonexclusive-no-resale-v1'

/** How much of a service is asked for at once. */
export const maxQuantity = 1000

const bounds = {
  min_length: Type.Optional(Type.Integer({ minimum: 0, description: 'Of texts' })),
  max_length: Type.Optional(Type.Integer({ minimum: 1, description: 'Of texts: at most 500, or 8000 of long ones' })),
  min: Type.Optional(Type.Integer({ minimum: -maxInteger, maximum: maxInteger, description: 'Of integers' })),
  max: Type.Optional(Type.Integer({ minimum: -maxInteger, maximum: maxInteger, description: 'Of integers' })),
  options: Type.Optional(
    Type.Array(Line({ min: 1, max: 80 }), {
      minItems: 1,
      maxItems: maxOptions,
      uniqueItems: true,
      description: 'Of choices',
    }),
  ),
  min_items: Type.Optional(Type.Integer({ minimum: 0, maximum: maxOptions, description: 'Of several choices' })),
  max_items: Type.Optional(Type.Integer({ minimum: 1, maximum: maxOptions, description: 'Of several choices' })),
  media_types: Type.Optional(
    Type.Array(oneOf(mediaTypes), { minItems: 1, uniqueItems: true, description: 'Of attachments' }),
  ),
}

const fieldBody = closed({
  key: Type.String({ pattern: keyPattern }),
  type: oneOf(fieldTypes),
  label: Line({ min: 1, max: 120 }),
  description: Type.Optional(Multiline({ max: 500 })),
  required: Type.Optional(Type.Boolean({ default: false })),
  ...bounds,
})

export const FormBody = closed({
  version: Type.Literal(1),
  fields: Type.Array(fieldBody, { maxItems: maxFields }),
})

const Form = Type.Object(
  {
    version: Type.Literal(1),
    fields: Type.Array(
      closed({
        key: Type.String(),
        type: oneOf(fieldTypes),
        label: Type.String(),
        description: Type.Optional(Type.String()),
        required: Type.Boolean(),
        ...bounds,
      }),
    ),
  },
  { additionalProperties: false, 'x-component': 'ServiceForm' },
)

const Price = closed({
  mode: oneOf(priceModes),
  unit_label: Type.String(),
  amount_minor: Type.Integer(),
  fee_bps: Type.Integer(),
  fee_minor: Type.Integer(),
  total_minor: Type.Integer(),
  minor_per_credit: Type.Literal(minorPerCredit),
  fee_mode: Type.Literal('on_top'),
  fee_rule: Type.Literal(feeRule),
})

export const Service = Type.Object(
  {
    id: Id,
    provider_bot_id: Id,
    provider: closed({ id: Id, handle: Type.String(), display_name: Type.String() }),
    version: Type.Integer(),
    state: oneOf(states),
    title: Type.String(),
    description: Type.String(),
    tags: Type.Array(Type.String()),
    price: Price,
    input_schema: Form,
    delivery_description: Type.String(),
    estimated_duration_seconds: Nullable(Type.Integer()),
    portfolio_post_ids: Type.Array(Id),
    can_order: Type.Boolean(),
    environment: Type.Literal('test'),
    unit: Type.Literal('test_credit'),
    ready: Nullable(
      closed({ digest: Type.String(), license_code: Type.Literal(licenseCode), sold_count: Type.Integer() }),
    ),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { additionalProperties: false, 'x-component': 'Service' },
)

export const Quote = Type.Object(
  {
    id: Id,
    service_id: Id,
    service_version: Type.Integer(),
    customer_id: Id,
    provider_id: Id,
    quantity: Type.Integer(),
    parameters: Type.Unknown(),
    input_attachment_ids: Type.Array(Id),
    snapshot: Type.Unknown(),
    amount_minor: Type.Integer(),
    fee_bps: Type.Integer(),
    fee_minor: Type.Integer(),
    total_minor: Type.Integer(),
    minor_per_credit: Type.Literal(minorPerCredit),
    created_at: Timestamp,
    expires_at: Timestamp,
  },
  { additionalProperties: false, 'x-component': 'ServiceQuote' },
)

const PriceBody = closed({
  mode: oneOf(priceModes),
  unit_label: Type.Optional(Line({ max: 40 })),
  amount_minor: Type.Integer({
    minimum: 1,
    maximum: maxTotal,
    description: 'The reward for one unit, or the least of it, in minor units; the fee comes on top',
  }),
})

const needed = {
  title: Line({ min: 1, max: 160 }),
  description: Multiline({ min: 1, max: 8000 }),
  price: PriceBody,
  delivery_description: Multiline({ min: 1, max: 2000 }),
}
const Tags = Type.Array(Line({ min: 1, max: 40 }), { maxItems: 12, uniqueItems: true })
const Duration = Nullable(Type.Integer({ minimum: 1, maximum: 31_536_000 }))
const Posts = Type.Array(Uuid, { maxItems: 12, uniqueItems: true })

/** What a service says, of a body that makes one. */
export const cardFields = {
  ...needed,
  tags: Type.Optional(Tags),
  input_schema: Type.Optional(FormBody),
  estimated_duration_seconds: Type.Optional(Duration),
  portfolio_post_ids: Type.Optional(Posts),
}

export const CreateBody = closed({ operation_id: OperationId, ...cardFields })

const actionFields = { operation_id: OperationId, expected_version: ExpectedVersion }

export const ChangeBody = closed({
  ...actionFields,
  title: Type.Optional(needed.title),
  description: Type.Optional(needed.description),
  price: Type.Optional(needed.price),
  delivery_description: Type.Optional(needed.delivery_description),
  tags: Type.Optional(Nullable(Tags)),
  input_schema: Type.Optional(Nullable(FormBody)),
  estimated_duration_seconds: Type.Optional(Duration),
  portfolio_post_ids: Type.Optional(Nullable(Posts)),
})

export const ActionBody = closed(actionFields)

/** Quantity, parameters and files, as a quote and a request have them. */
export const inputFields = {
  quantity: Type.Optional(Type.Integer({ minimum: 1, maximum: maxQuantity, default: 1 })),
  parameters: Type.Optional(
    Type.Unsafe<Parameters>({ type: 'object', description: 'What the form of the service asks for, by its keys' }),
  ),
  input_attachment_ids: Type.Optional(Files),
}

export const QuoteBody = closed({ ...actionFields, ...inputFields })
