// TypeScript's types of the contract: its shapes by name, and what each request of an agent takes and answers.
import {
  channelOf,
  extendedBy,
  type Json,
  type Node,
  operationsOf,
  parametersOf,
  resolved,
  schemaOf,
  successesOf,
  viewsOf,
} from './contract.ts'

/** What people ask. */
export const forPeople = /^\/(human|visitor)\//

const places: Readonly<Record<string, string>> = { schemas: 'Schemas', requestBodies: 'Bodies' }

/** The text of openapi.ts. */
export function typesOf(contract: Node): string {
  const { schemas, requestBodies } = contract['components'] as { schemas: Node; requestBodies: Node }
  const routes = routesOf(contract)
  const all: Node = { ...schemas, EventPayloads: payloadsOf(contract) }
  const met = metIn(['ErrorCode', 'EventPayloads'], routes, { schemas: all, requestBodies })
  const bodies = Object.entries(met['requestBodies'] as Node).map(([name, each]) => [name, schemaOf(each as Node)])
  return [
    declared('The shapes of the contract by name.', 'Schemas', extending(met['schemas'] as Node)),
    declared('What several requests carry.', 'Bodies', Object.fromEntries(bodies)),
    declared('What each request that carries and answers JSON takes and answers.', 'Routes', routes),
  ].join('\n')
}

/** What has all of another shape names that, and only what it has besides. */
const extending = (schemas: Node): Node =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const { base, more } = extendedBy(name, schemas) ?? {}
      return [name, base === undefined ? schema : { ...(schema as Node), base, properties: more }]
    }),
  )

/** Each request as a shape of its parts. */
function routesOf(contract: Node): Node {
  const routes: Node = {}
  for (const { method, route, node } of operationsOf(contract, forPeople)) {
    const { node: body, name } = resolved(node['requestBody'], contract)
    const replies = successesOf(node, contract).map((each) => viewsOf(schemaOf(each.node)).full)
    // Bytes and forms have functions of their own: src/files.ts.
    if (replies.includes(undefined) || (body['content'] !== undefined && schemaOf(body) === undefined)) continue
    const query = parametersOf(node, contract).filter((each) => each['in'] === 'query')
    if (query.some(({ required }) => required))
      throw new Error(`${method} ${route}: no types for a required query parameter`)
    const asked = query.map(({ name, description, schema }) => [name, { ...(schema as Node), description }])
    const parts: Node = {
      ...(asked.length > 0 && { query: { type: 'object', properties: Object.fromEntries(asked) } }),
      ...(body['required'] && { body: name ? { $ref: `#/components/requestBodies/${name}` } : schemaOf(body) }),
      reply: { anyOf: replies },
    }
    routes[`${method} ${route}`] = { type: 'object', properties: parts, required: Object.keys(parts) }
  }
  return routes
}

/** What each kind of event carries, as one shape. */
function payloadsOf(contract: Node): Node {
  const { kinds } = channelOf(contract)
  const properties = Object.entries(kinds).map(([kind, { tells, to, payload }]) => [
    kind,
    { ...payload, description: `${tells}. To: ${to}.` },
  ])
  return { type: 'object', required: Object.keys(kinds), properties: Object.fromEntries(properties) }
}

/** Of these components those that are referred to, by the requests or by one another. */
function metIn(first: readonly string[], routes: Node, components: { [kind: string]: Node }): { [kind: string]: Node } {
  const met = new Set<string>()
  const search = (value: Json): void => {
    for (const [path, kind = '', name = ''] of JSON.stringify(value).matchAll(/#\/components\/(\w+)\/(\w+)/g)) {
      if (met.has(path)) continue
      met.add(path)
      search(components[kind]?.[name])
    }
  }
  search([routes, first.map((name) => `#/components/schemas/${name}`)])
  return Object.fromEntries(
    Object.entries(components).map(([kind, each]) => [
      kind,
      Object.fromEntries(Object.entries(each).filter(([name]) => met.has(`#/components/${kind}/${name}`))),
    ]),
  )
}

const declared = (saying: string, name: string, entries: Node): string =>
  `/** ${saying} */\nexport interface ${name} ${inLines(fieldsOf(entries, Object.keys(entries), ''), '')}\n`

/** The type of a schema; `indent` is that of its first line. */
const typeOf = (schema: Json, indent: string): string => alternativesOf(schema, indent).join(' | ')

function alternativesOf(schema: Json, indent: string): string[] {
  const node = (schema ?? {}) as Node
  if (node['allOf'] ?? node['prefixItems']) throw new Error('no types for allOf and prefixItems')
  const { $ref: reference, const: value, enum: values, type = 'any' } = node
  if (typeof reference === 'string') {
    const [kind = '', name] = reference.split('/').slice(-2)
    return [`${places[kind]}['${name}']`]
  }
  if (value !== undefined) return [quoted(value)]
  if (Array.isArray(values)) return values.map(quoted)
  const forms = (node['anyOf'] ?? node['oneOf']) as Json[] | undefined
  if (forms) return [...new Set(forms.flatMap((form) => alternativesOf(form, indent)))]
  return [type].flat().map((each) => plain(String(each), node, indent))
}

const words: Readonly<Record<string, string>> = { integer: 'number', any: 'unknown' }

function plain(type: string, node: Node, indent: string): string {
  if (type === 'object') return objectOf(node, indent)
  if (type !== 'array') return words[type] ?? type
  const items = alternativesOf(node['items'], indent)
  return items.length === 1 ? `${items[0]}[]` : `(${items.join(' | ')})[]`
}

function objectOf({ base, properties, additionalProperties: others, required }: Node, indent: string): string {
  if (properties && others) throw new Error('no types for an object with both named and other properties')
  if (!properties) {
    if (others === false) return 'Record<string, never>'
    return `{ [key: string]: ${typeof others === 'object' ? typeOf(others, indent) : 'unknown'} }`
  }
  const fields = fieldsOf(properties as Node, (required ?? []) as string[], indent)
  if (fields.length === 0) return 'Record<string, never>'
  const line = `{ ${fields.join('; ')} }`
  const text = line.includes('\n') || line.length > 100 ? inLines(fields, indent) : line
  return base === undefined ? text : `${places['schemas']}['${base}'] & ${text}`
}

/** Each with what is said of it above. */
const fieldsOf = (properties: Node, required: readonly string[], indent: string): string[] =>
  Object.entries(properties).map(([name, each]) => {
    const { description, default: otherwise } = each as Node
    const said = [description ?? [], otherwise === undefined ? [] : `@default ${quoted(otherwise)}`].flat().join(' ')
    const above = said && `/** ${said.replaceAll('*/', '*\\/')} */\n${indent}  `
    const key = /^\w+$/.test(name) ? name : quoted(name)
    return `${above}${key}${required.includes(name) ? '' : '?'}: ${typeOf(each, `${indent}  `)}`
  })

const inLines = (fields: readonly string[], indent: string): string =>
  `{\n${fields.map((each) => `${indent}  ${each}\n`).join('')}${indent}}`

const quoted = (value: Json): string =>
  typeof value === 'string' ? `'${value.replaceAll(/['\\]/g, '\\$&')}'` : (JSON.stringify(value) ?? 'null')
