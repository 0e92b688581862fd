// The contract of the service as openapi.json has it, and what the generators beside this read in it.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'

export type Json = { [key: string]: Json } | Json[] | string | number | boolean | null | undefined
export type Node = { [key: string]: Json }

const prefix = '/api/v1'

/** The contract as it is committed. */
export function readContract(path = fileURLToPath(new URL('../../openapi.json', import.meta.url))): Node {
  return JSON.parse(readFileSync(path, 'utf8')) as Node
}

export interface Resolved {
  node: Node
  /** The last name of the reference, if it was one. */
  name: string | undefined
}

/** What a reference stands for. */
export function resolved(value: Json, contract: Node): Resolved {
  const node = (value ?? {}) as Node
  if (typeof node['$ref'] !== 'string') return { node, name: undefined }
  const path = node['$ref'].slice('#/'.length).split('/')
  return { node: path.reduce((at, key) => at[key] as Node, contract), name: path.at(-1) as string }
}

export interface Listed {
  method: string
  /** Without the prefix. */
  route: string
  node: Node
}

/** The operations whose route does not match, in the order of the contract. */
export const operationsOf = (contract: Node, leftOut: RegExp): Listed[] =>
  Object.entries(contract['paths'] as Node).flatMap(([path, item]) => {
    const route = path.slice(prefix.length)
    if (!path.startsWith(`${prefix}/`) || leftOut.test(route)) return []
    return Object.entries(item as Node).map(([method, node]) => ({
      method: method.toUpperCase(),
      route,
      node: node as Node,
    }))
  })

/** The schema of a body or an answer in JSON; undefined for bytes. */
export const schemaOf = (body: Node): Json =>
  ((body['content'] as Node | undefined)?.['application/json'] as Node | undefined)?.['schema']

/** Its successful answers, each with its name if it is shared. */
export const successesOf = (operation: Node, contract: Node): Resolved[] =>
  Object.entries(operation['responses'] as Node)
    .filter(([status]) => status.startsWith('2'))
    .map(([, each]) => resolved(each, contract))

export const parametersOf = (operation: Node, contract: Node): Node[] =>
  ((operation['parameters'] ?? []) as Json[]).map((each) => resolved(each, contract).node)

/** Whether its body may carry an `operation_id`, in any of its forms. */
export function hasOperationId(operation: Node, contract: Node): boolean {
  const carries = (schema: Json): boolean => {
    const node = resolved(schema, contract).node
    const forms = [node['anyOf'], node['oneOf'], node['allOf']].flatMap((each) => (each ?? []) as Json[])
    return 'operation_id' in ((node['properties'] ?? {}) as Node) || forms.some(carries)
  }
  return carries(schemaOf(resolved(operation['requestBody'], contract).node))
}

/** An answer as it is without a `view`; some lists have a brief one too. */
export function viewsOf(schema: Json): { full: Json; brief: Json } {
  const [full, brief] = ((schema as Node | undefined)?.['anyOf'] ?? []) as Node[]
  return brief?.['x-view'] === undefined ? { full: schema, brief: undefined } : { full, brief }
}

export interface Channel {
  subprotocols: { name: string | null }[]
  kinds: { [kind: string]: { tells: string; to: string; payload: Node } }
}

export const channelOf = (contract: Node): Channel => contract['x-websocket'] as unknown as Channel

const fieldsOf = (schema: Json): Node => ((schema as Node)['properties'] ?? {}) as Node
const isRequired = (schema: Json, field: string): boolean =>
  (((schema as Node)['required'] ?? []) as Json[]).includes(field)
/** Fewer fields in common say nothing. */
const leastFields = 8

/** The largest shape that a shape has all of, field by field, and what it has besides; undefined if it adds to none. */
export function extendedBy(name: string, schemas: Node): { base: string; more: Node } | undefined {
  const own = fieldsOf(schemas[name])
  const [base, most] =
    Object.entries(schemas)
      .map(([other, schema]) => [other, Object.entries(fieldsOf(schema)), schema] as const)
      .filter(([, fields]) => fields.length >= leastFields && fields.length < Object.keys(own).length)
      .filter(([, fields, schema]) =>
        fields.every(
          ([field, each]) =>
            isDeepStrictEqual(own[field], each) && isRequired(schema, field) === isRequired(schemas[name], field),
        ),
      )
      .sort(([, one], [, other]) => other.length - one.length)[0] ?? []
  if (base === undefined) return undefined
  const inherited = new Set(most?.map(([field]) => field))
  return { base, more: Object.fromEntries(Object.entries(own).filter(([field]) => !inherited.has(field))) }
}
