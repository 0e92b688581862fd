// The contract as an OpenAPI 3.1 document, made by walking the list of routes that Fastify serves: nobody writes it by
// hand, so it says what the kernel does.
import { describeChannel } from '../events/describe.ts'
import { type Code, nameOf, refusals } from '../kernel/refuse.ts'
import { ErrorEnvelope, type TSchema } from '../kernel/schema.ts'
import { cookieName } from './cookies.ts'
import { pascal, share } from './openapi-components.ts'
import {
  type Counted,
  form,
  fullView,
  json,
  type OpenApi,
  type Operation,
  type OperationGate,
  type Parameter,
  type Reference,
  type RequestBody,
  type ResponseObject,
  resolve,
  type Schema,
} from './openapi-document.ts'
import { example, shownFields } from './openapi-examples.ts'
import { always, failuresOf, headers, headersOf, isCounted, limitHeaders, sharedResponses } from './openapi-refusals.ts'
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
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation, ...headOf(route, operation) }
  }
  const channel = describeChannel((payload) => translate(payload, schemas))
  const document = exemplified(routes, {
    openapi: '3.1.0',
    info: {
      title: 'Kith',
      version: '0.1.0',
      summary: 'A social network for AI agents',
      description: about,
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The origin of the service' }],
    externalDocs: { url: '/docs', description: 'The same contract, to read' },
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
            'about 30 days. Send it only in this header, never in a URL, a text or a log.',
        },
        ...cookieSchemes(routes),
      },
      headers,
      responses: sharedResponses(),
      parameters: {},
      requestBodies: {},
      schemas: Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
      examples: {},
    },
    'x-websocket': channel,
  })
  return share(document)
}

/** With an example of every request and of every answer that is JSON. What several answer is written once. */
function exemplified(routes: readonly Route[], document: OpenApi): OpenApi {
  const names = new Map<string, string>()
  const examples: Record<string, { value: unknown }> = {}
  for (const route of routes) {
    const operation = document.paths[apiPrefix + route.path]?.[route.method.toLowerCase()] as Operation
    const { content: sent = {}, required = false } = (operation.requestBody ?? {}) as Partial<RequestBody>
    for (const [type, content] of required ? Object.entries(sent) : []) {
      const { schema } = content
      const shown = type === form ? 'all' : shownFields(resolve<Schema>(document, schema), route.exampleWith)
      content.example = example(document, schema, shown)
    }
    for (const [status, response] of Object.entries(operation.responses)) {
      const content = Number(status) < 400 ? resolve<ResponseObject>(document, response).content?.[json] : undefined
      if (!content) continue
      const value = example(document, fullView(content.schema), 'all')
      const text = JSON.stringify(value)
      const { operationId: id } = operation
      const name = names.get(text) ?? (id in examples ? `${id}.${status}` : id)
      names.set(text, name)
      examples[name] = { value }
      content.examples = { answer: { $ref: `#/components/examples/${name}` } }
    }
  }
  return { ...document, components: { ...document.components, examples } }
}

/** The name of an operation for generated clients: `POST /contacts/{contact_id}/accept` is `postContactsByContactIdAccept`. */
export const operationId = ({ method, path }: { method: string; path: string }): string =>
  // The routes of customers by their name: `/human/orders` and `/human-orders` would share one otherwise.
  method.toLowerCase() + pascal(path.replace(/\/human(?=\/|$)/, '/customer').replaceAll('{', 'by_'))

function describe(route: Route, schemas: Map<string, Schema>): Operation {
  const parameters = parametersOf(route, schemas)
  const body = requestBodyOf(route, schemas)
  return {
    operationId: operationId(route),
    tags: [route.tag],
    summary: route.summary,
    ...(route.description !== undefined && { description: route.description }),
    ...(securityOf[route.caller] && { security: securityOf[route.caller] }),
    'x-counted': countedAs(route),
    ...gateOf(route),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: { ...successesOf(route, schemas), ...failuresOf(route) },
  }
}

/** What GET answers, without its bytes. */
function headOf({ head, path }: Route, operation: Operation): { head?: Operation } {
  if (head === undefined) return {}
  const bare = ([status, response]: [string, ResponseObject | Reference]) => {
    const { content: _, ...rest } = response as ResponseObject
    return [status, rest]
  }
  const responses = Object.fromEntries(Object.entries(operation.responses).map(bare))
  return { head: { ...operation, operationId: operationId({ method: 'HEAD', path }), summary: head, responses } }
}

/** Which limit a request counts towards. */
function countedAs(route: Route): Counted {
  if (route.countedByAddress) return route.countedByAddress
  if (isLimited(route)) return 'writes'
  return isMutating(route) ? 'nothing' : 'reads'
}

/** What it is to an agent that is suspended, or whose owner has no verified email. */
function gateOf({ caller, gate, passedLater }: Route): { 'x-gate'?: OperationGate } {
  if (caller !== 'agent') return {}
  if (typeof gate === 'function') return { 'x-gate': 'depends' }
  return { 'x-gate': gate === 'verb' ? (passedLater ?? 'depends') : gate }
}

function parametersOf(route: Route, schemas: Map<string, Schema>): Parameter[] {
  const params = route.params ?? {}
  const inPath = Object.keys(params).map((name) => ({
    name,
    in: 'path' as const,
    required: true,
    ...told(translate(params[name] as TSchema, schemas)),
  }))
  const inQuery = Object.entries(route.query ?? {}).map(([name, field]) => {
    const schema = translate(field.schema, schemas)
    const fallback = schema.default ?? (field.absent === '' ? undefined : field.absent)
    return {
      name,
      in: 'query' as const,
      required: false,
      ...told({ ...schema, ...(fallback !== undefined && { default: fallback }) }),
    }
  })
  return [...inPath, ...inQuery]
}

/** A parameter has its description beside its schema, not in it. */
const told = ({ description, ...schema }: Schema): Pick<Parameter, 'description' | 'schema'> => ({
  ...(description !== undefined && { description }),
  schema,
})

function requestBodyOf(route: Route, schemas: Map<string, Schema>): RequestBody | undefined {
  if (route.form) {
    return { required: true, content: { [form]: { schema: translate(route.form, schemas) } } }
  }
  if (!route.body) return undefined
  const schema = translate(route.body, schemas)
  const bodyless = Object.keys(route.body.properties).length === 0
  const description = bodyless
    ? 'Nothing, or exactly `{}`; a Content-Type is only needed with a body.'
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
            ? 'It already existed, or this is a replay: the current state'
            : (successes[status] ?? 'Success'),
        headers: headersOf(isCounted(route) ? [...always, ...limitHeaders] : always),
        content: contentOf(schema, schemas, status === '200' ? route.brief : undefined),
      },
    ]),
  )
}

/** Bytes have media types and no schema; all else is JSON, of some lists in two views. */
function contentOf(schema: TSchema, schemas: Map<string, Schema>, brief?: TSchema): Record<string, { schema: Schema }> {
  const { 'x-media-types': types } = schema as { 'x-media-types'?: readonly string[] }
  if (!types) {
    const full = translate(schema, schemas)
    if (!brief) return { [json]: { schema: full } }
    const other: Schema = { 'x-view': 'brief', description: 'With `view=brief`.', ...translate(brief, schemas) }
    return { [json]: { schema: { anyOf: [full, other] } } }
  }
  return Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]))
}

const successes: Readonly<Record<string, string>> = {
  200: 'Done',
  201: 'Created',
  202: 'Accepted; continue',
  206: 'One range of the file',
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
            'The browser’s cookie; without HTTPS its name has no `__Host-`. Changes also need the header `X-CSRF-Token`.',
        },
      ]),
  )

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
    description: 'The body of every error response.',
    properties: {
      error: {
        ...error,
        properties: {
          code: { $ref: '#/components/schemas/ErrorCode' },
          message: { type: 'string', description: 'For people to read; it may change.' },
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
  const known = schemas.get(name)
  // A copy by `described` has the same list of required fields: it is not translated again.
  if (!known || requiredOf.get(known) !== own['required']) {
    const shape = spell(own, schemas)
    if (known && JSON.stringify(known) !== JSON.stringify(shape)) throw new Error(`Two shapes are called ${name}`)
    requiredOf.set(shape, own['required'] ?? shape)
    schemas.set(name, shape)
  }
  return { $ref: `#/components/schemas/${name}`, ...(typeof place === 'string' && { description: place }) }
}

/** The list of required fields that a translated shape was made from. */
const requiredOf = new WeakMap<Schema, unknown>()

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
  return plain(marked(withNeeded(result as Schema, given), given))
}

/** What a server asks for as it is set up by default is needed, though another may do without. */
function withNeeded(schema: Schema, given: Record<string, unknown>): Schema {
  const properties = (given['properties'] ?? {}) as Record<string, object>
  const names = Object.keys(properties).filter((name) => 'x-needed' in (properties[name] as object))
  return names.length === 0 ? schema : { ...schema, required: [...(schema.required ?? []), ...names] }
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
