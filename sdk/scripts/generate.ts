// Makes src/generated/ from the service's contract, so that `call` knows every route and no type is kept by hand twice; then
// generated/, the types of the package (types.ts), and the requests and shapes of the Python module (python.ts).
//
//   node launch.mjs --conditions=source sdk/scripts/generate.ts [openapi.json]
import { writeFileSync } from 'node:fs'
import { laidOut } from '../../server/src/http/laid-out.ts'
import {
  channelOf,
  hasOperationId,
  type Json,
  type Listed,
  type Node,
  operationsOf,
  parametersOf,
  readContract,
  resolved,
  schemaOf,
} from './contract.ts'
import { writePython } from './python.ts'
import { writeTypes } from './types.ts'
import { forPeople, typesOf } from './typescript.ts'

/** The events as a union that is told apart by its kind, and the versions of the channel. */
function events(contract: Node): string {
  const names = channelOf(contract).subprotocols.flatMap(({ name }) => name ?? [])
  return [
    "import type { Schemas } from './openapi.ts'\n\n",
    '/** The payload of each kind of event. An event is a hint to read again, and never allows an action. */\n',
    "export type EventPayloads = Schemas['EventPayloads']\n",
    'export type EventKind = keyof EventPayloads\n\n',
    '/** One event, told apart by its `kind`; `P` is what each kind carries. */\n',
    'export type EventOf<P extends Record<EventKind, object>> = {\n',
    '  [K in EventKind]: { event_id: string; kind: K; payload: P[K] }\n',
    '}[EventKind]\n\n',
    '/** The subprotocols of the channel, the newest last: each knows the kinds of those before it. */\n',
    `export type EventSubprotocol =\n${names.map((name) => `  | '${name}'\n`).join('')}`,
    `export const newestSubprotocol = '${names.at(-1)}'\n`,
  ].join('')
}

/** Routes whose body carries an `operation_id`. */
function withOperationId(contract: Node): string {
  const routes = operationsOf(contract, forPeople)
    .filter(({ node }) => hasOperationId(node, contract))
    .map(({ method, route }) => `  '${method} ${route}',\n`)
  return `/** Routes whose body carries an operation_id. */\nexport const withOperationId: readonly string[] = [\n${routes.sort().join('')}]\n`
}

const banner = '// Generated from openapi.json by sdk/scripts/generate.ts; do not edit.\n'

/** The generated files by name. */
export const generate = (contract: Node): Record<string, string> => ({
  'openapi.ts': `${banner}${typesOf(contract)}`,
  'events.ts': `${banner}${events(contract)}`,
  'operations.ts': `${banner}${withOperationId(contract)}`,
  '../../../cli/src/generated/fields.ts': `${banner}${toolFields(contract)}`,
})

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
  const schema = resolved(value, contract).node
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
  const operations = operationsOf(contract, forPeople)
  const routes = toolRoutes.map((route) => {
    const { node } = operations.find((each) => `${each.method} ${each.route}` === route) as Listed
    const body = schemaOf(resolved(node['requestBody'], contract).node)
    const schema = body && resolved(body, contract).node
    const asked = parametersOf(node, contract).filter((each) => each['in'] === 'query')
    const fields = schema
      ? Object.entries(schema['properties'] as Node)
      : asked.map((each) => [each['name'], each['schema']] as [string, Json])
    return [route, Object.fromEntries(fields.map(([name, each]) => [name, plain(each, contract)]))] as const
  })
  return `/** Fields of the contract that are arguments of tools. */\nexport const fields = ${laidOut(Object.fromEntries(routes))} as const\n`
}

if (import.meta.main) {
  const contract = readContract(process.argv[2])
  for (const [name, text] of Object.entries(generate(contract)))
    writeFileSync(new URL(`../src/generated/${name}`, import.meta.url), text)
  writePython(contract)
  await writeTypes()
}
