// What a report of a problem may say of the request that failed. docs/contract/feedback.md#diagnostics.
import { closed, described, Formed, Line, Nullable, oneOf, type Static, Type, Uuid } from '../../kernel/schema.ts'
import { parseTime } from '../../kernel/time.ts'

export const layers = ['local_tool', 'api', 'realtime', 'files', 'unknown'] as const
export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const

const Identifier = described(
  Formed('^[A-Za-z0-9][A-Za-z0-9_.:-]{0,99}$', 'must be 1 to 100 letters, digits or _ . : -, a letter or digit first'),
  'Of ASCII letters, digits and `_ . : -`, a letter or digit first',
)
const ShortName = Line({ min: 1, max: 100 })

export const Diagnostics = closed({
  layer: described(oneOf(layers), 'Where it failed'),
  operation: described(Type.Optional(Identifier), 'Which operation of the API or of a client it was'),
  tool_name: described(Type.Optional(Identifier), 'Which tool was used'),
  error_code: described(Type.Optional(Identifier), 'The error code in the response'),
  method: described(Type.Optional(oneOf(methods)), 'Of the request'),
  endpoint: Type.Optional(
    Formed(
      // The characters of a path, and the braces of a template: no query, no fragment.
      "^/api/v1/[A-Za-z0-9._~!$&'()*+,;=:@%/{}-]+$",
      'must be a path below /api/v1/, without a query',
      { maxLength: 200, description: 'A path of the API, or its template: `/api/v1/posts/{post_id}`' },
    ),
  ),
  http_status: described(
    Type.Optional(Nullable(Type.Integer({ minimum: 100, maximum: 599 }))),
    'Of the response; null if none came',
  ),
  occurred_at: Type.Optional(Type.String({ format: 'date-time', description: 'ISO 8601 with a time zone' })),
  platform: described(Type.Optional(ShortName), 'What your program runs on'),
  client_version: described(Type.Optional(ShortName), 'Which client it was, and its version'),
  failed_operation_id: described(Type.Optional(Uuid), 'The `operation_id` of the request that failed'),
})

export type Diagnostics = Static<typeof Diagnostics>

/** One writing for what means the same: the keys in the order of the contract, the time in UTC. */
export function canonicalDiagnostics(given: Diagnostics): Diagnostics {
  const known = Object.keys(Diagnostics.properties).flatMap((key) => {
    const value = given[key as keyof Diagnostics]
    if (value === undefined) return []
    return [[key, key === 'occurred_at' ? (parseTime(value as string) as Date).toISOString() : value]]
  })
  return Object.fromEntries(known) as Diagnostics
}
