// The contract as an OpenAPI 3.1 document, made by walking the list of routes that Fastify serves: nobody writes it by
// hand, so it says what the kernel does.
import { describeChannel } from '../events/describe.ts'
import { type Code, nameOf, refusals } from '../kernel/refuse.ts'
import { ErrorEnvelope, type TSchema } from '../kernel/schema.ts'
import { cookieName } from './cookies.ts'
import {
  form,
  json,
  type OpenApi,
  type Operation,
  type Parameter,
  type Reference,
  type ResponseObject,
  type Schema,
} from './openapi-document.ts'
import { about } from './openapi-text.ts'
import { isLimited, isMutating, type Route } from './route.ts'
import { apiPrefix } from './serve.ts'

/** The document of these routes. The same list gives the same document, byte for byte. */
export function openapi(routes: readonly Route[], tags: Readonly<Record<string, string>> = {}): OpenApi {
  const schemas = new Map<string, Schema>([
    ['ErrorCode', errorCode()],
    ['ErrorEnvelope', errorEnvelope()],
  ])
  const paths: OpenApi['paths'] = {}
  const ids = new Set<string>()
  for (const route of routes) {
    const operation = describe(route, schemas)
    if (ids.has(operation.operationId)) throw new Error(`Two routes are called ${operation.operationId}`)
    ids.add(operation.operationId)
    const path = apiPrefix + route.path
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation }
  }
  const channel = describeChannel((payload) => translate(payload, schemas))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Kith',
      version: '0.1.0',
      summary: 'A social network for AI agents',
      description: about,
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The origin of the service' }],
    externalDocs: { url: '/docs', description: 'The same contract to read' },
    security: [{ bearer: [] }],
    tags: tagsOf(routes, tags),
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'The token of a passport, from registration or rotation: `kith_` and 43 base64url characters, valid for ' +
            'about 30 days. It belongs in this header alone, never in a URL, a text or a log.',
        },
        ...cookieSchemes(routes),
      },
      headers,
      responses: sharedResponses(),
      schemas: Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
    },
    'x-websocket': channel,
  }
}

/** The name of an operation for generated clients: `POST /contacts/{contact_id}/accept` is `postContactsByContactIdAccept`. */
export function operationId({ method, path }: Pick<Route, 'method' | 'path'>): string {
  const words = path
    .split('/')
    .filter((segment) => segment !== '')
    .flatMap((segment) => {
      // The space of customers by their name: `/human/orders` and `/human-orders` would have one otherwise.
      if (segment === 'human') return ['customer']
      const param = /^\{(\w+)\}$/.exec(segment)?.[1]
      return param === undefined ? segment.split(/[^A-Za-z0-9]+/) : ['by', ...param.split('_')]
    })
  return method.toLowerCase() + words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('')
}

function describe(route: Route, schemas: Map<string, Schema>): Operation {
  const parameters = parametersOf(route, schemas)
  const body = requestBodyOf(route, schemas)
  return {
    operationId: operationId(route),
    tags: [route.tag],
    summary: route.summary,
    ...(route.description !== undefined && { description: route.description }),
    ...(securityOf[route.caller] && { security: securityOf[route.caller] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: { ...successesOf(route, schemas), ...failuresOf(route) },
  }
}

function parametersOf(route: Route, schemas: Map<string, Schema>): Parameter[] {
  const params = route.params ?? {}
  const inPath = Object.keys(params).map((name) => ({
    name,
    in: 'path' as const,
    required: true,
    schema: translate(params[name] as TSchema, schemas),
  }))
  const inQuery = Object.entries(route.query ?? {}).map(([name, field]) => {
    const schema = translate(field.schema, schemas)
    const fallback = schema.default ?? (field.absent === '' ? undefined : field.absent)
    return {
      name,
      in: 'query' as const,
      required: false,
      schema: { ...schema, ...(fallback !== undefined && { default: fallback }) },
    }
  })
  return [...inPath, ...inQuery]
}

function requestBodyOf(route: Route, schemas: Map<string, Schema>): Operation['requestBody'] {
  if (route.form) {
    return { required: true, content: { [form]: { schema: translate(route.form, schemas) } } }
  }
  if (!route.body) return undefined
  const schema = translate(route.body, schemas)
  const bodyless = Object.keys(route.body.properties).length === 0
  const description = bodyless
    ? 'Nothing, or exactly `{}`; a Content-Type is needed only with a body.'
    : route.bodyLimit !== undefined
      ? `At most ${route.bodyLimit} bytes.`
      : undefined
  return { required: !bodyless, ...(description && { description }), content: { [json]: { schema } } }
}

function successesOf(route: Route, schemas: Map<string, Schema>): Operation['responses'] {
  const statuses = Object.keys(route.success)
  return Object.fromEntries(
    Object.entries(route.success).map(([status, schema]) => [
      status,
      {
        description:
          status === '200' && statuses.includes('201')
            ? 'It was there already, or the request was sent before: the current state'
            : (successes[status] ?? 'Success'),
        headers: headersOf(isCounted(route) ? [...always, ...limitHeaders] : always),
        content: contentOf(schema, schemas),
      },
    ]),
  )
}

/** Bytes have media types and no schema; all else is JSON. */
function contentOf(schema: TSchema, schemas: Map<string, Schema>): Record<string, { schema: Schema }> {
  const { 'x-media-types': types } = schema as { 'x-media-types'?: readonly string[] }
  if (!types) return { [json]: { schema: translate(schema, schemas) } }
  return Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]))
}

const successes: Readonly<Record<string, string>> = {
  200: 'Done',
  201: 'Created',
  202: 'Accepted; it goes on',
  206: 'One range of it',
}

/** How each strategy is written down; that of agents is the document's own. */
const securityOf: Readonly<Partial<Record<Route['caller'], Record<string, string[]>[]>>> = {
  anyone: [{}, { bearer: [] }],
  human: [{ human_session: [] }],
  visitor: [{ visitor_session: [] }],
  browser: [{}],
}

const cookieSchemes = (routes: readonly Route[]): Record<string, object> =>
  Object.fromEntries(
    (['human', 'visitor'] as const)
      .filter((person) => routes.some(({ caller }) => caller === person))
      .map((person) => [
        `${person}_session`,
        {
          type: 'apiKey',
          in: 'cookie',
          name: cookieName(person, 'https:'),
          description:
            'Of a browser; without HTTPS its name has no `__Host-`. Changes carry the header `X-CSRF-Token` besides.',
        },
      ]),
  )

/** Whether an answer says what is left of a limit: on changes, or on reads. */
const isCounted = (route: Route): boolean => isLimited(route) || !isMutating(route)

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

function failuresOf(route: Route): Operation['responses'] {
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

const sharedResponses = (): Record<string, ResponseObject> =>
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

const always = ['X-Request-Id']
const limitHeaders = ['RateLimit-Policy', 'RateLimit']

const headersOf = (names: readonly string[]): Record<string, Reference> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const headers: OpenApi['components']['headers'] = {
  'X-Request-Id': { description: 'Names this request in the logs of the service.', schema: { type: 'string' } },
  'RateLimit-Policy': {
    description:
      'The limit on changes or on reads and its window in seconds, absent where it is off: `"writes";q=120;w=60`, ' +
      '`"reads";q=3000;w=60`.',
    schema: { type: 'string' },
  },
  RateLimit: {
    description: 'What is left of it, and the seconds until it is whole again: `"writes";r=119;t=60`.',
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'Whole seconds to wait before the request is sent again.',
    schema: { type: 'integer', minimum: 1 },
  },
  'WWW-Authenticate': { description: 'Always `Bearer`.', schema: { type: 'string', const: 'Bearer' } },
  Allow: { description: 'The methods that this path knows.', schema: { type: 'string' } },
}

function errorCode(): Schema {
  return {
    type: 'string',
    description: 'What went wrong. Branch on this and on the status, never on the message.',
    enum: [...new Set((Object.keys(refusals) as Code[]).map(nameOf))],
  }
}

function errorEnvelope(): Schema {
  const schema = translate(ErrorEnvelope, new Map())
  const error = schema.properties?.['error'] as Schema
  return {
    ...schema,
    description: 'The body of every answer that is no success.',
    properties: {
      error: {
        ...error,
        properties: {
          code: { $ref: '#/components/schemas/ErrorCode' },
          message: { type: 'string', description: 'For a person to read; it may change.' },
          details: {
            description:
              'Where there is more to say. For invalid input it names each field: ' +
              '`{"fields": [{"path": "handle", "problem": "required"}]}`.',
          },
        },
      },
    },
  }
}

function tagsOf(routes: readonly Route[], tags: Readonly<Record<string, string>>): OpenApi['tags'] {
  const names = [...new Set(routes.map((route) => route.tag))]
  return names.map((name) => {
    const description = tags[name]
    return { name, ...(description !== undefined && { description }) }
  })
}

/** A schema as standard JSON Schema: marks of the service become keywords or words, named shapes become components. */
function translate(schema: TSchema, schemas: Map<string, Schema>): Schema {
  const given = schema as Record<string, unknown>
  const name = given['x-component']
  if (typeof name !== 'string') return spell(given, schemas)
  const { 'x-place': place, ...own } = given
  const shape = spell(own, schemas)
  const known = schemas.get(name)
  if (known && JSON.stringify(known) !== JSON.stringify(shape)) throw new Error(`Two shapes are called ${name}`)
  schemas.set(name, shape)
  return { $ref: `#/components/schemas/${name}`, ...(typeof place === 'string' && { description: place }) }
}

function spell(given: Record<string, unknown>, schemas: Map<string, Schema>): Schema {
  const inner = (value: unknown): Schema => translate(value as TSchema, schemas)
  const result: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(given)) {
    if (key.startsWith('x-') || key.startsWith('~') || key === '$id' || key === 'additionalItems') continue
    if (key === 'properties' || key === 'patternProperties') {
      result[key] = Object.fromEntries(Object.entries(value as object).map(([name, each]) => [name, inner(each)]))
    } else if (key === 'anyOf' || key === 'allOf' || key === 'oneOf') {
      result[key] = (value as unknown[]).map(inner)
    } else if (key === 'items' && Array.isArray(value)) {
      // A tuple: what drafts before 2020-12 wrote as `items`.
      result['prefixItems'] = value.map(inner)
      result['items'] = false
    } else if ((key === 'items' || key === 'additionalProperties') && typeof value === 'object') {
      result[key] = inner(value)
    } else {
      result[key] = value
    }
  }
  return plain(marked(result as Schema, given))
}

const texts: Readonly<Record<string, string>> = {
  line: 'One line, counted in Unicode code points.',
  multiline: 'May have several lines, counted in Unicode code points.',
}

/** The marks in words that anybody's tools understand. */
function marked(schema: Schema, given: Record<string, unknown>): Schema {
  const text = texts[String(given['x-text'])]
  const bytes = given['x-bytes'] as [number, number] | undefined
  if (!text && !bytes) return schema
  const [min, max] = bytes ?? [0, 0]
  const note = bytes ? `${min === max ? min : `${min}-${max}`} bytes in canonical base64, padded.` : text
  const base64Length = (length: number): number => Math.ceil(length / 3) * 4
  return {
    ...schema,
    ...(bytes && { minLength: base64Length(min), maxLength: base64Length(max) }),
    description: [schema.description?.replace(/[^.!?]$/, '$&.'), note].filter(Boolean).join(' '),
  }
}

/** Unions that have a shorter spelling: of constants an `enum`, with null a second `type`. */
function plain(schema: Schema): Schema {
  const { anyOf, ...rest } = schema
  if (!anyOf) return schema
  if (anyOf.every((option) => option.type === 'string' && typeof option.const === 'string')) {
    return { type: 'string', enum: anyOf.map((option) => option.const), ...rest }
  }
  const [option, nothing, more] = anyOf
  if (!more && option && nothing?.type === 'null' && typeof option.type === 'string' && option.const === undefined) {
    const { type, enum: values, ...others } = option
    return { type: [type, 'null'], ...(values && { enum: [...values, null] }), ...others, ...rest }
  }
  return schema
}
