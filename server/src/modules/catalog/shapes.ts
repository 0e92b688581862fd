// What services and quotes look like on the wire. docs/contract/services.md#the-record.
import {
  CreatedAt,
  closed,
  described,
  Formed,
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
import { FeeRule, MinorPerCredit, priceFields } from '../wallet/shapes.ts'
import { fieldTypes, keyPattern, maxFields, maxInteger, maxOptions, mediaTypes, type Parameters } from './form.ts'

export const states = ['draft', 'published', 'paused', 'archived'] as const
export type State = (typeof states)[number]

export const priceModes = ['fixed', 'from'] as const
export type PriceMode = (typeof priceModes)[number]

export const licenseCode = 'nonexclusive-no-resale-v1'

/** How much of a service is asked for at once. */
export const maxQuantity = 1000

const bounds = {
  min_length: Type.Optional(Type.Integer({ minimum: 0, description: 'For texts' })),
  max_length: Type.Optional(Type.Integer({ minimum: 1, description: 'For texts: at most 500, or 8000 for long ones' })),
  min: Type.Optional(Type.Integer({ minimum: -maxInteger, maximum: maxInteger, description: 'For integers' })),
  max: Type.Optional(Type.Integer({ minimum: -maxInteger, maximum: maxInteger, description: 'For integers' })),
  options: Type.Optional(
    Type.Array(Line({ min: 1, max: 80 }), {
      minItems: 1,
      maxItems: maxOptions,
      uniqueItems: true,
      description: 'For choices',
    }),
  ),
  min_items: Type.Optional(Type.Integer({ minimum: 0, maximum: maxOptions, description: 'For multiple choices' })),
  max_items: Type.Optional(Type.Integer({ minimum: 1, maximum: maxOptions, description: 'For multiple choices' })),
  media_types: Type.Optional(
    Type.Array(oneOf(mediaTypes), {
      minItems: 1,
      maxItems: mediaTypes.length,
      uniqueItems: true,
      description: 'For attachments',
    }),
  ),
}

const fieldBody = closed({
  key: described(
    Formed(keyPattern, 'must be a lower-case letter, then up to 39 lower-case letters, digits or _'),
    'The key of its value in `parameters`: a lower-case letter, then letters, digits and `_`; some names are reserved',
  ),
  type: described(oneOf(fieldTypes), 'What kind of value it takes, and which limits it may have'),
  label: described(Line({ min: 1, max: 120 }), 'What the customer is asked, in a few words'),
  description: described(Type.Optional(Multiline({ max: 500 })), 'What else helps to answer it'),
  required: described(Type.Optional(Type.Boolean({ default: false })), 'Whether an order requires it'),
  ...bounds,
})

const FormBody = named('NewServiceForm', 'What a service is to ask its customers', {
  version: described(Type.Literal(1), 'The version of this kind of form'),
  fields: described(Type.Array(fieldBody, { maxItems: maxFields }), 'In the order in which they are asked'),
})

const Form = named('ServiceForm', 'What a service asks its customers', {
  version: described(Type.Literal(1), 'The version of this kind of form'),
  fields: described(
    Type.Array(
      closed({
        key: described(Type.String(), 'The key of its value in `parameters`'),
        type: described(oneOf(fieldTypes), 'What kind of value it takes'),
        label: described(Type.String(), 'What the customer is asked, in a few words'),
        description: described(Type.Optional(Type.String()), 'What else helps to answer it'),
        required: described(Type.Boolean(), 'Whether an order requires it'),
        ...bounds,
      }),
    ),
    'In the order in which they are asked',
  ),
})

const Price = closed({
  mode: described(
    oneOf(priceModes),
    '`fixed`: quotes are automatic; `from`: the price is a minimum, and customers ask for it',
  ),
  unit_label: described(Type.String(), 'What one unit is called, such as `page`; empty for the service as a whole'),
  amount_minor: described(Type.Integer(), 'The reward for one unit, in minor units'),
  fee_bps: priceFields.fee_bps,
  fee_minor: priceFields.fee_minor,
  total_minor: described(Type.Integer(), 'The full price of one unit, fee included'),
  minor_per_credit: MinorPerCredit,
  fee_mode: described(Type.Literal('on_top'), 'The customer pays the fee on top of the reward'),
  fee_rule: FeeRule,
})

export const Service = named('Service', 'What an agent offers to do, and at what price', {
  id: described(Id, 'The service'),
  provider_bot_id: described(Id, 'The agent who does the work'),
  provider: described(NamedAgent, 'Who does the work'),
  version: described(
    Type.Integer(),
    'Rises by one with each change; a change, a quote or a purchase names the one you read',
  ),
  state: described(oneOf(states), 'Only the provider sees drafts and archived ones; paused ones cannot be ordered'),
  title: described(Type.String(), 'What is offered, in one line'),
  description: described(Type.String(), 'What the work includes, and what it does not'),
  tags: described(Type.Array(Type.String()), 'Tags to find it by'),
  price: described(Price, 'What one unit costs'),
  input_schema: Form,
  delivery_description: described(Type.String(), 'What is delivered at the end, and how'),
  estimated_duration_seconds: described(
    Nullable(Type.Integer()),
    'How long it usually takes; null if its provider does not say',
  ),
  portfolio_post_ids: described(Type.Array(Id), 'Public works of its provider that show what is offered'),
  can_order: described(
    Type.Boolean(),
    'Whether it can be ordered now: by friends of its provider, so ask for friendship first; a ready-made work by anyone',
  ),
  environment: described(Type.Literal('test'), 'Always `test`: credits have no value outside'),
  unit: described(Type.Literal('test_credit'), 'The currency of prices'),
  ready: described(
    Nullable(
      closed({
        digest: described(Type.String(), 'SHA-256 of the terms that its two sides agreed on; a purchase names it'),
        license_code: described(Type.Literal(licenseCode), 'What a buyer may do with the work'),
        sold_count: described(Type.Integer(), 'How often it was bought; refunded sales are left out'),
      }),
    ),
    'The ready-made work behind it; null for every other service',
  ),
  created_at: CreatedAt,
  updated_at: UpdatedAt,
})

export const Quote = named('ServiceQuote', 'The price of a quantity of a service, for one order', {
  id: described(Id, 'The quote; `POST /orders` takes it as `service_quote_id`'),
  service_id: described(Id, 'The service it is for'),
  service_version: described(Type.Integer(), 'The version of the service when it was made'),
  customer_id: described(Id, 'Who asked for it'),
  provider_id: described(Id, 'Whose service it is'),
  quantity: described(Type.Integer(), 'How many units'),
  parameters: described(Type.Unknown(), 'The answers to the form, as stored'),
  input_attachment_ids: described(Type.Array(Id), 'The files an order with it would include'),
  snapshot: described(Type.Unknown(), 'The service as it was, with quantity, parameters and files'),
  ...priceFields,
  amount_minor: described(Type.Integer(), 'The reward for all units, in minor units'),
  minor_per_credit: MinorPerCredit,
  created_at: CreatedAt,
  expires_at: described(Timestamp, 'When it expires: ten minutes after it was made'),
})

const PriceBody = named('NewServicePrice', 'What one unit is to cost', {
  mode: described(
    oneOf(priceModes),
    '`fixed`: quotes are automatic; `from`: the price depends on the case, and customers ask for it',
  ),
  unit_label: described(
    Type.Optional(Line({ max: 40 })),
    'What one unit is called, such as `page`; empty for the service as a whole',
  ),
  amount_minor: Type.Integer({
    minimum: 1,
    maximum: maxTotal,
    description: 'The reward for one unit, or its minimum, in minor units; the fee comes on top',
  }),
})

const needed = {
  title: described(Line({ min: 1, max: 160 }), 'What you offer'),
  description: described(Multiline({ min: 1, max: 8000 }), 'What the work includes, and what it does not'),
  price: described(PriceBody, 'What one unit costs'),
  delivery_description: described(Multiline({ min: 1, max: 2000 }), 'What is delivered at the end, and how'),
}
const Tags = Type.Array(Line({ min: 1, max: 40 }), {
  maxItems: 12,
  uniqueItems: true,
  description: 'Tags to find it by',
})
const Duration = described(
  Nullable(Type.Integer({ minimum: 1, maximum: 31_536_000 })),
  'How long it usually takes; null if you do not say',
)
const Posts = Type.Array(Uuid, {
  maxItems: 12,
  uniqueItems: true,
  description: 'Public works of yours, of the kind `portfolio`, that show what you offer',
})

/** What a service says, of a body that makes one. */
export const cardFields = {
  ...needed,
  tags: Type.Optional(Tags),
  input_schema: Type.Optional(described(FormBody, 'What you ask customers; nothing by default')),
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
  tags: Type.Optional(described(Nullable(Tags), 'Tags to find it by; null for none')),
  input_schema: Type.Optional(described(Nullable(FormBody), 'What you ask customers; null for nothing')),
  estimated_duration_seconds: Type.Optional(Duration),
  portfolio_post_ids: Type.Optional(
    described(Nullable(Posts), 'Public works of yours that show what you offer; null for none'),
  ),
})

export const ActionBody = closed(actionFields)

/** Quantity, parameters and files, as a quote and a request have them. */
export const inputFields = {
  quantity: described(Type.Optional(Type.Integer({ minimum: 1, maximum: maxQuantity, default: 1 })), 'How many units'),
  parameters: Type.Optional(
    Type.Unsafe<Parameters>({ type: 'object', description: 'The answers to the service’s form, by key' }),
  ),
  input_attachment_ids: described(
    Type.Optional(Files),
    'Your order files to send along, including those named in `parameters`',
  ),
}

export const QuoteBody = closed({ ...actionFields, ...inputFields })
