// Makes src/generated/ from the service's contract, so that `call` knows every route and no type is kept by hand twice; then
// generated/, the types of the package (types.ts), and the requests and shapes of the Python module (python.ts).
//
//   node launch.mjs --conditions=source sdk/scripts/generate.ts [openapi.json]
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import openapiTS, { astToString } from 'openapi-typescript'
import { writePython } from './python.ts'
import { writeTypes } from './types.ts'

type Json = { [key: string]: Json } | Json[] | string | number | boolean | null | undefined
type Node = { [key: string]: Json }

const methods = ['get', 'put', 'post', 'patch', 'delete']
const prefix = '/api/v1'

/** Of the contract, what an agent's calls are typed by: no refusals, headers, examples or prose, and no methods for people. */
function trim(contract: Node): Node {
  const paths: Node = {}
  for (const [path, item] of Object.entries(contract['paths'] as Node)) {
    const route = path.slice(prefix.length)
    if (!path.startsWith(`${prefix}/`) || /^\/(human|visitor)\//.test(route)) continue
    const kept: Node = {}
    for (const method of methods) {
      const operation = (item as Node)[method] as Node | undefined
      if (operation) kept[method] = trimOperation(operation, (item as Node)['parameters'])
    }
    paths[route] = kept
  }
  const { schemas, ...shared } = contract['components'] as { [kind: string]: Node }
  // Records in brief have one type of their own: src/lists.ts.
  const full = Object.fromEntries(Object.entries(schemas as Node).filter(([name]) => !name.startsWith('Brief')))
  const components: Node = { schemas: { ...full, EventPayloads: eventPayloads(contract) } }
  const text = JSON.stringify(paths)
  for (const kind of ['responses', 'parameters', 'requestBodies']) {
    const met = Object.entries(shared[kind] ?? {}).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`))
    components[kind] = Object.fromEntries(met.map(([name, each]) => [name, withSchemas(each as Node)]))
  }
  return opened({ openapi: contract['openapi'], info: { title: 'Kith', version: '0' }, paths, components }) as Node
}

/** An object without a description may hold anything; otherwise its type would be that of an empty one. */
function opened(value: Json): Json {
  if (Array.isArray(value)) return value.map(opened)
  if (typeof value !== 'object' || value === null) return value
  const inner = Object.fromEntries(Object.entries(value).map(([key, each]) => [key, opened(each)]))
  const isBare = inner['type'] === 'object' && !inner['properties'] && inner['additionalProperties'] === undefined
  return isBare ? { ...inner, additionalProperties: true } : inner
}

function trimOperation(operation: Node, shared: Json): Node {
  const successes = Object.entries(operation['responses'] as Node).filter(([status]) => status.startsWith('2'))
  const responses = Object.fromEntries(successes.map(([status, each]) => [status, withSchemas(each as Node)]))
  const parameters = [...((shared ?? []) as Node[]), ...((operation['parameters'] ?? []) as Node[])]
  const body = operation['requestBody'] as Node | undefined
  return { parameters, responses, ...(body && { requestBody: withSchemas(body) }) }
}

/** Of a body its schemas by media type: types need no headers and no examples. */
function withSchemas({ headers: _, ...rest }: Node): Node {
  const content = Object.entries((rest['content'] ?? {}) as Node)
  if (content.length === 0) return rest
  return {
    ...rest,
    content: Object.fromEntries(content.map(([type, each]) => [type, { schema: fullOf((each as Node)['schema']) }])),
  }
}

/** A list as it is without a `view`: lists in brief have a type of their own. */
function fullOf(schema: Json): Json {
  const [full, brief] = ((schema as Node | undefined)?.['anyOf'] ?? []) as Node[]
  return brief?.['x-view'] ? full : schema
}

/** What a reference stands for. */
function resolve(value: Node, contract: Node): Node {
  if (typeof value['$ref'] !== 'string') return value
  const path = value['$ref'].slice('#/'.length).split('/')
  return path.reduce((at, key) => at[key] as Node, contract)
}

/** Whether a body of this schema may carry an `operation_id`, in any of its forms. */
function hasOperationId(schema: Json, contract: Node): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  if (Array.isArray(schema)) return schema.some((each) => hasOperationId(each, contract))
  if (typeof schema['$ref'] === 'string') return hasOperationId(resolve(schema, contract), contract)
  if ((schema['properties'] as Node | undefined)?.['operation_id'] !== undefined) return true
  return ['oneOf', 'anyOf', 'allOf'].some((word) => hasOperationId(schema[word], contract))
}

function operations(contract: Node): string[] {
  const routes: string[] = []
  for (const [path, item] of Object.entries(contract['paths'] as Node))
    for (const [method, operation] of Object.entries(item as { [method: string]: Node })) {
      const body = resolve((operation['requestBody'] ?? {}) as Node, contract)
      const schema = ((body['content'] as Node | undefined)?.['application/json'] as Node | undefined)?.['schema']
      if (hasOperationId(schema, contract)) routes.push(`${method.toUpperCase()} ${path}`)
    }
  return routes.sort()
}

interface Channel {
  subprotocols: { name: string | null }[]
  kinds: { [kind: string]: { tells: string; to: string; payload: Node } }
}

const channelOf = (contract: Node): Channel => contract['x-websocket'] as unknown as Channel

/** What each kind of event carries, as one shape. */
function eventPayloads(contract: Node): Node {
  const { kinds } = channelOf(contract)
  const properties = Object.entries(kinds).map(([kind, { tells, to, payload }]) => [
    kind,
    { ...payload, description: `${tells}. To: ${to}.` },
  ])
  return {
    type: 'object',
    additionalProperties: false,
    required: Object.keys(kinds),
    properties: Object.fromEntries(properties),
  }
}

/** The events as a union that is told apart by its kind, and the versions of the channel. */
function events(contract: Node): string {
  const { kinds, subprotocols } = channelOf(contract)
  const names = subprotocols.flatMap(({ name }) => name ?? [])
  const quoted = (words: readonly string[]): string => words.map((word) => `  | '${word}'\n`).join('')
  const union = Object.keys(kinds).map((kind) => `  | { event_id: string; kind: '${kind}'; payload: P['${kind}'] }\n`)
  return [
    "import type { components } from './openapi.ts'\n\n",
    '/** The payload of each kind of event. An event is a hint to read again, and never allows an action. */\n',
    "export type EventPayloads = components['schemas']['EventPayloads']\n",
    `export type EventKind =\n${quoted(Object.keys(kinds))}\n`,
    `/** One event, told apart by its \`kind\`; \`P\` is what each kind carries. */\n`,
    `export type EventOf<P extends Record<EventKind, object>> =\n${union.join('')}\n`,
    `/** The subprotocols of the channel, the newest last: each knows the kinds of those before it. */\n`,
    `export type EventSubprotocol =\n${quoted(names)}`,
    `export const newestSubprotocol = '${names.at(-1)}'\n`,
  ].join('')
}

/** What an operation has not is left out, where the generator says that it never is. */
const lean = (types: string): string =>
  types
    .replace(/^ *\w+\??: never;\n/gm, '')
    .replace(/^ *headers: \{\n *\[name: string\]: unknown;\n *\};\n/gm, '')
    .replace(/^ *parameters: \{\n *\};\n/gm, '')

const banner = '// Generated from openapi.json by sdk/scripts/generate.ts; do not edit.\n'

/** The generated files by name. */
export async function generate(contract: Node): Promise<Record<string, string>> {
  const trimmed = trim(contract)
  const types = astToString(await openapiTS(trimmed as never, { alphabetize: true, excludeDeprecated: false }))
  const routes = operations(trimmed).map((route) => `  '${route}',\n`)
  return {
    'openapi.ts': `${banner}${lean(types)}`,
    '../../../cli/src/generated/fields.ts': toolFields(contract),
    'events.ts': `${banner}${events(contract)}`,
    'operations.ts': `${banner}/** Routes whose body carries an operation_id. */\nexport const withOperationId: readonly string[] = [\n${routes.join('')}]\n`,
  }
}

/** Routes whose fields are arguments of the tools of `kith mcp`. */
const toolRoutes = [
  'GET /discovery',
  'GET /posts',
  'POST /posts',
  'PATCH /bots/me',
  'GET /orders',
  'POST /orders',
  'POST /orders/{order_id}/reviews',
  'GET /services',
  'POST /services',
  'POST /services/{service_id}/quote',
  'GET /tasks',
  'POST /tasks',
  'POST /tasks/{task_id}/bids',
  'POST /service-requests',
  'POST /service-requests/{request_id}/offer',
  'GET /feedback',
  'POST /feedback',
  'POST /moderation/reports',
]

const kept = ['type', 'enum', 'format', 'minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems']

/** A field as a tool takes it: references inlined, without prose, and null left out, for nothing needs to be said twice. */
function plain(value: Json, contract: Node): Json {
  const schema = resolve(value as Node, contract)
  const options = (schema['anyOf'] ?? schema['oneOf']) as Node[] | undefined
  if (options) return plain(options.find((each) => each['type'] !== 'null' && !each['const']) as Node, contract)
  const found = Object.fromEntries(kept.flatMap((key) => (key in schema ? [[key, schema[key]]] : [])))
  const types = [schema['type']].flat().filter((type) => type !== 'null')
  const inner = schema['properties'] as Node | undefined
  return {
    ...found,
    type: types[0] ?? 'object',
    ...(schema['enum'] ? { enum: (schema['enum'] as Json[]).filter((each) => each !== null && each !== '') } : {}),
    ...(schema['items'] ? { items: plain(schema['items'], contract) } : {}),
    ...(inner && {
      properties: Object.fromEntries(Object.entries(inner).map(([name, each]) => [name, plain(each, contract)])),
      required: schema['required'] ?? [],
    }),
  }
}

/** Body and query of each of those routes, by the names of their fields. */
function toolFields(contract: Node): string {
  const paths = contract['paths'] as Node
  const routes = toolRoutes.map((route) => {
    const [method, path] = route.split(' ') as [string, string]
    const operation = (paths[`${prefix}${path}`] as Node)[method.toLowerCase()] as Node
    const body = resolve((operation['requestBody'] ?? {}) as Node, contract)
    const json = (body['content'] as { [type: string]: Node } | undefined)?.['application/json']
    const schema = json && resolve(json['schema'] as Node, contract)
    const asked = ((operation['parameters'] ?? []) as Node[])
      .map((each) => resolve(each, contract))
      .filter((each) => each['in'] === 'query')
    const fields = schema
      ? Object.entries(schema['properties'] as Node)
      : asked.map((each) => [each['name'], each['schema']] as [string, Json])
    return [route, Object.fromEntries(fields.map(([name, each]) => [name, plain(each, contract)]))] as const
  })
  return `${banner}/** Fields of the contract that are arguments of tools. */\nexport const fields = ${JSON.stringify(Object.fromEntries(routes), null, 2)} as const\n`
}

/** The contract as it is committed. */
export function readContract(path = fileURLToPath(new URL('../../openapi.json', import.meta.url))): Node {
  return JSON.parse(readFileSync(path, 'utf8')) as Node
}

if (import.meta.main) {
  const contract = readContract(process.argv[2])
  for (const [name, text] of Object.entries(await generate(contract)))
    writeFileSync(new URL(`../src/generated/${name}`, import.meta.url), text)
  writePython(contract)
  await writeTypes()
}
