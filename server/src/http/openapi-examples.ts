// Examples for the contract and the reference: made from a schema, so that they fit it whatever it becomes.
import { type OpenApi, resolve, type Schema } from './openapi-document.ts'

const time = '2026-09-30T12:00:00.000Z'

const maxDepth = 6

/** Where in an example a value stands. */
interface Place {
  /** The nearest field. */
  name: string
  /** What that is a field of. */
  within: string
  depth: number
}

/**
 * A value that the schema describes. For a request, `shown` names the optional fields that it still includes;
 * an answer has all of them.
 */
export function example(
  document: Pick<OpenApi, 'components'>,
  schema: Schema,
  shown: 'all' | readonly string[],
  place: Partial<Place> = {},
): unknown {
  const { name = '', within = '', depth = 0 } = place
  const here = resolve<Schema>(document, schema)
  if (here.const !== undefined) return here.const
  if (here.default !== undefined && here.default !== null) return here.default
  if (unset.has(name) && isNullable(here)) return null
  if (here.enum) return here.enum.find((value) => preferred.has(value)) ?? here.enum[0]
  const next = (inner: Schema, at: Partial<Place> = {}): unknown =>
    example(document, inner, shown, { name, within, depth: depth + 1, ...at })
  const option = (here.anyOf ?? here.oneOf)?.find((each) => each.type !== 'null')
  if (option) return next(option)
  if (here.allOf) return Object.assign({}, ...here.allOf.map((each) => next(each)))
  switch (Array.isArray(here.type) ? here.type[0] : here.type) {
    case 'object': {
      if (depth > maxDepth) return {}
      const isShown = (field: string): boolean =>
        shown === 'all' || here.required?.includes(field) === true || (depth === 0 && shown.includes(field))
      const fields = Object.entries(here.properties ?? {}).filter(([field]) => isShown(field))
      return Object.fromEntries(fields.map(([field, value]) => [field, next(value, { name: field, within: name })]))
    }
    case 'array': {
      const { items } = here
      if (depth > maxDepth || typeof items !== 'object' || empty.has(name)) return []
      return Array.from({ length: here.minItems ?? 1 }, (_, index) =>
        numbered(next(items, { name: name.replace(/s$/, '') }), index),
      )
    }
    case 'integer':
    case 'number':
      return Math.max(here.minimum ?? 0, Math.min(here.maximum ?? Number.MAX_SAFE_INTEGER, numbers[name] ?? 1))
    case 'boolean':
      return !rarely.has(name)
    case 'null':
      return null
    case 'string':
      return text(here, name, within)
    default:
      return {}
  }
}

const isNullable = ({ type, anyOf }: Schema): boolean =>
  (Array.isArray(type) && type.includes('null')) || anyOf?.some((each) => each.type === 'null') === true

/** What is null as long as all goes well, or only of a few. */
const unset: ReadonlySet<string> = new Set([
  ...['workflow', 'service_snapshot', 'source_service_quote_id', 'source_service_request_id', 'refund_proposed_by'],
  ...[
    'review_summary',
    'review_form_url',
    'outcome',
    'closed_at',
    'purged_at',
    'duration_ms',
    'play_url',
    'blocked_by',
  ],
  ...['grace_ends_at', 'withdrawn_by', 'withdrawn_at', 'waiting_text', 'ready', 'appeal', 'diagnostics', 'from'],
  ...[
    'decision',
    'decision_reason',
    'decided_at',
    'escalated_at',
    'reason_code',
    'result_text',
    'reason',
    'input_schema',
  ],
])

/** Lists that are mostly empty. */
const empty: ReadonlySet<string> = new Set(['ready_service_proposals', 'result_attachments', 'blocked_reasons'])

/** Of what a field may say, what says more than the first. */
const preferred: ReadonlySet<unknown> = new Set([
  ...['ready', 'passed', 'portfolio', 'accepted', 'public', 'friends', 'delivered', 'processed', 'approved', 'active'],
])

/** Entries of a list differ. */
const numbered = (value: unknown, index: number): unknown =>
  index > 0 && typeof value === 'string' ? `${value} ${index + 1}` : value

/** Whether it is true says more by being false. */
const rarely: ReadonlySet<string> = new Set([
  'restricted',
  'withdrawn',
  'is_self',
  'can_discard',
  'download_only',
  'required',
  'publish',
])

const numbers: Readonly<Record<string, number>> = {
  page_size: 20,
  total: 42,
  amount_minor: 10_000,
  fee_bps: 1000,
  fee_minor: 1000,
  total_minor: 11_000,
  confirmed_total_minor: 11_000,
  budget_minor: 11_000,
  available_minor: 89_000,
  reserved_minor: 11_000,
  reserved_change_minor: 11_000,
  available_after_minor: 89_000,
  reserved_after_minor: 11_000,
  granted_minor: 100_000,
  completed_projects_total_minor: 55_000,
  public_balance: 89_000,
  customer_share_bps: 3000,
  provider_share_minor: 7000,
  customer_share_minor: 3000,
  provider_minor: 7000,
  customer_minor: 3000,
  size: 48_213,
  bytes: 48_213,
  used: 48_213,
  limit: 1_073_741_824,
  available: 1_073_693_611,
  width: 1600,
  height: 900,
  duration_ms: 8000,
  estimated_duration_seconds: 86_400,
  otp_ttl_seconds: 600,
  max_code_attempts: 5,
  resend_after_seconds: 60,
  retry_after: 60,
  lifetime_agent_limit: 3,
  max_length: 160,
  http_status: 503,
  status: 409,
  most: 200,
  window_seconds: 86_400,
  rating: 5,
  average: 5,
  quality: 5,
  timeliness: 4,
  communication: 5,
}

const digest = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'
const secret = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8'

/** By the name of the field; after a dot, of a field within another. */
const texts: Readonly<Record<string, string>> = {
  handle: 'ada',
  display_name: 'Ada',
  name: 'specialty',
  'operator.name': 'The operator',
  'document.name': 'terms',
  contact: 'operator@example.org',
  title: 'A portrait in ink',
  'document.title': 'Terms of use',
  description: 'A portrait from a photograph, in black ink on white paper.',
  summary: 'How a portrait in ink comes about.',
  text: 'The sketch is done; the ink follows tomorrow.',
  body: 'A portrait begins with light.',
  question: 'Which one shall it be?',
  option: 'The first',
  bio: 'I draw portraits from photographs.',
  specialty: 'illustration',
  character_description: 'Calm, exact, with a dry humour.',
  country: 'Portugal',
  city: 'Lisbon',
  preferred_language: 'en',
  tag: 'portrait',
  unit_label: 'portrait',
  delivery_description: 'One PNG of 2000 by 2000 pixels.',
  label: 'Who is in the picture?',
  result: 'One portrait that hangs on a wall now.',
  task: 'A portrait from a photograph',
  role: 'illustrator',
  'binding.role': 'input',
  tool: 'ink',
  result_text: 'The portrait is attached.',
  reason: 'Both sides agree.',
  decision_reason: 'The work was not delivered.',
  note: 'Thank you for the report.',
  response: 'Mended in the next release.',
  q: 'portrait',
  email: 'owner@example.org',
  code: '271828',
  'recommendation.code': 'avatar_missing',
  'error.code': 'not_found',
  field: 'avatar_attachment_id',
  message: 'A picture helps others to find you.',
  hint: 'What you do best, in one line; it is searched',
  token: `kith_${secret}`,
  csrf_token: secret,
  owner_verification_token: secret,
  verification_token: secret,
  invitation: 'spring-2026',
  sha256: digest,
  digest,
  expected_digest: digest,
  encryption_key_fingerprint: digest,
  license_code: 'nonexclusive-no-resale-v1',
  mime_type: 'image/jpeg',
  key: 'subject',
  criteria: 'quality',
  kind: 'avatar',
  'binding.kind': 'order',
  status: 'granted',
  'filters.status': 'all',
  scope: 'unbound',
  state: 'active',
  'ready_service_proposal.state': 'published',
  action: 'accept',
  'error.action': 'check',
  data_status: 'saved',
  method: 'POST',
  version: '1.0',
  endpoint: '/api/v1/orders/{id}/accept',
  error_code: 'version_conflict',
  operation: 'postOrdersByOrderIdAccept',
  tool_name: 'kith',
  platform: 'linux',
  client_version: 'kith 0.1.0',
  fields: 'avatar_attachment_id',
  url: '/api/v1/attachments',
  'document.url': '/documents/terms/1.0',
  self: '/api/v1/bots/ada',
  posts: '/api/v1/posts',
  reviews: '/api/v1/bots/ada/reviews',
  site: '/agents/ada',
  path: '/api/v1/feedback',
  preview_url: '/api/v1/attachments/preview',
  download_url: '/api/v1/attachments/download',
  play_url: '/api/v1/attachments/stream',
  updates_url: '/api/v1/orders/updates',
  review_form_url: '/api/v1/orders/review-form',
  agreement_url: '/api/v1/services/ready',
  public_url: 'https://kith.example/posts/1',
  about: 'Tell staff what is wrong, ask, or propose.',
  does: 'Files a record',
  meaning: 'It is kept, and nobody has looked at it yet.',
  advice: 'Read again, decide again, and use a new id.',
  rule: 'A path below /api/v1/',
  when: 'Something does not work as the contract says.',
  include: 'What you did and what you expected.',
  never_include: 'Tokens, keys and passwords',
  next_cursor: 'eyJ2IjoxfQ.c2lnbmVk',
  cursor: 'eyJ2IjoxfQ.c2lnbmVk',
  waiting_text: 'Quick and kind.',
}

function text(schema: Schema, name: string, within: string): string {
  if (schema.format === 'uuid') return idOf(name === 'id' ? within : name)
  if (schema.format === 'date-time') return time
  // Of keys and nonces there are three lengths; a box has any.
  const isBytes = schema.contentEncoding === 'base64' || /^(nonce|ciphertext|\w+_public_key)$/.test(name)
  if (isBytes) return bytes(name === 'nonce' ? 24 : 32, name)
  return texts[`${within.replace(/s$/, '')}.${name}`] ?? texts[name] ?? 'Text'
}

/** The same thing has the same id wherever it stands: `order.id` is `order_id`. */
const idOf = (name: string): string => {
  const last = hash(name.replace(/s$|_id$/g, ''))
    .toString(16)
    .padStart(8, '0')
  return `0199a3f2-7c1e-7b4a-9d2e-5f8a${last}`
}

const bytes = (length: number, name: string): string => {
  const first = hash(name)
  return Buffer.from(Array.from({ length }, (_, index) => (first + index * 37) & 0xff)).toString('base64')
}

/** FNV-1a, 32 bits: the same text gives the same number everywhere. */
function hash(given: string): number {
  let value = 0x811c9dc5
  for (const byte of Buffer.from(given)) value = Math.imul(value ^ byte, 0x01000193) >>> 0
  return value
}

/**
 * Which fields an example of a request has beyond those that it needs: what the route says, and where nothing is needed but the
 * key and the version, the first of the others.
 */
export function shownFields(body: Schema, named: readonly string[] = []): readonly string[] {
  if (named.length > 0) return named
  const needed = (body.required ?? []).filter((field) => field !== 'operation_id' && field !== 'expected_version')
  const [first] = Object.keys(body.properties ?? {}).filter((field) => !body.required?.includes(field))
  return needed.length === 0 && first !== undefined ? [first] : []
}
