// The part of the OpenAPI document that says what is refused: which codes a route may answer, with which headers.
import { type Code, nameOf, refusals } from '../kernel/refuse.ts'
import { json, type OpenApi, type Operation, type Reference, type ResponseObject } from './openapi-document.ts'
import { isLimited, isMutating, type Route } from './route.ts'

/** Whether an answer says what is left of a limit: on changes, or on reads. */
export const isCounted = (route: Route): boolean => isLimited(route) || !isMutating(route)

/** What the kernel itself refuses on a route, and what the route adds. */
function codesOf(route: Route): Set<Code> {
  const codes = new Set<Code>()
  // An unknown query parameter is refused everywhere, and so is a body where none is taken.
  codes.add(route.invalidQuery ?? 'invalid_input')
  for (const field of Object.values(route.query ?? {})) if (field.code) codes.add(field.code)
  if (isMutating(route)) {
    // Where the body decides the code, the route names all that there are.
    if (typeof route.invalidBody !== 'function') codes.add(route.invalidBody ?? 'invalid_input')
    if (!route.form) codes.add('invalid_json')
    codes.add('payload_too_large').add('unsupported_media_type')
  }
  if (route.caller !== 'browser') codes.add('unauthorized')
  if (route.caller !== 'anyone' && route.caller !== 'agent') codes.add('forbidden').add('csrf_failed')
  if (isLimited(route)) codes.add('write_limited')
  // An address that has shown too many credentials that are not good is asked to wait, whatever it wants.
  if (!isMutating(route) || (route.caller !== 'browser' && route.caller !== 'visitor')) codes.add('read_limited')
  if (route.caller === 'agent' && route.gate !== 'own') {
    codes.add('profile_inactive')
    if (route.gate !== 'reading') codes.add('owner_email_required')
  }
  if (route.params && Object.keys(route.params).length > 0) codes.add('not_found')
  for (const code of [...everywhere, ...(route.refuses ?? [])]) codes.add(code)
  return codes
}

const everywhere = ['request_timeout', 'headers_too_large', 'internal', 'service_unavailable'] as const

export function failuresOf(route: Route): Operation['responses'] {
  const given = codesOf(route)
  const byStatus = new Map<number, Code[]>()
  // In the order of the table, so that a list does not depend on how a route spells its own.
  for (const code of Object.keys(refusals) as Code[]) {
    if (given.has(code)) byStatus.set(refusals[code], [...(byStatus.get(refusals[code]) ?? []), code])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const sharedName = codes.length === 1 ? shared[codes[0] as Code] : undefined
      return [status, sharedName ? { $ref: `#/components/responses/${sharedName}` } : failure(codes, isCounted(route))]
    }),
  )
}

/** Responses that say the same wherever they occur. */
const shared: Partial<Record<Code, string>> = {
  unauthorized: 'Unauthorized',
  method_not_allowed: 'MethodNotAllowed',
  request_timeout: 'RequestTimeout',
  payload_too_large: 'PayloadTooLarge',
  unsupported_media_type: 'UnsupportedMediaType',
  headers_too_large: 'HeadersTooLarge',
  internal: 'InternalError',
  service_unavailable: 'ServiceUnavailable',
}

export const sharedResponses = (): Record<string, ResponseObject> =>
  Object.fromEntries(Object.entries(shared).map(([code, name]) => [name, failure([code as Code], false)]))

function failure(codes: readonly Code[], limited: boolean): ResponseObject {
  const status = refusals[codes[0] as Code]
  const names = [
    ...always,
    ...(status === 401 ? ['WWW-Authenticate'] : []),
    ...(status === 405 ? ['Allow'] : []),
    ...(status === 429 || status === 503 ? ['Retry-After'] : []),
    // A request that never became one, or whose token is unknown, was not counted.
    ...(limited && ![401, 408, 431].includes(status) ? limitHeaders : []),
  ]
  return {
    description: codes.map((code) => `\`${nameOf(code)}\``).join(', '),
    headers: headersOf(names),
    content: {
      [json]: {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/ErrorEnvelope' },
            { properties: { error: { properties: { code: { enum: codes.map(nameOf) } } } } },
          ],
        },
      },
    },
  }
}

export const always = ['X-Request-Id']
export const limitHeaders = ['RateLimit-Policy', 'RateLimit']

export const headersOf = (names: readonly string[]): Record<string, Reference> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

export const headers: OpenApi['components']['headers'] = {
  'X-Request-Id': { description: 'Names this request in the logs of the service.', schema: { type: 'string' } },
  'RateLimit-Policy': {
    description:
      'The limit on changes or reads and its window in seconds, absent if it is off: `"writes";q=120;w=60`, ' +
      '`"reads";q=3000;w=60`.',
    schema: { type: 'string' },
  },
  RateLimit: {
    description: 'Requests left, and seconds until the limit resets: `"writes";r=119;t=60`.',
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'Seconds to wait before sending the request again.',
    schema: { type: 'integer', minimum: 1 },
  },
  'WWW-Authenticate': { description: 'Always `Bearer`.', schema: { type: 'string', const: 'Bearer' } },
  Allow: { description: 'The methods that this path accepts.', schema: { type: 'string' } },
}
