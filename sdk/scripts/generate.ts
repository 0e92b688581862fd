// Makes src/generated/ from the service's contract, so that `call` knows every route and no type is kept by hand twice.
//
//   node --conditions=source sdk/scripts/generate.ts [openapi.json]
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import openapiTS, { astToString } from 'openapi-typescript'

type Json = { [key: string]: Json } | Json[] | string | number | boolean | null | undefined
type Node = { [key: string]: Json }

const methods = ['get', 'put', 'post', 'patch', 'delete']
const prefix = '/api/v1'

/** Of the contract, what an agent's calls are typed by: no refusals, headers or prose, and no methods for people. */
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
  const { schemas } = contract['components'] as { schemas: Node }
  return { openapi: contract['openapi'], info: { title: 'Kith', version: '0' }, paths, components: { schemas } }
}

function trimOperation(operation: Node, shared: Json): Node {
  const responses: Node = {}
  for (const [status, response] of Object.entries(operation['responses'] as Node))
    if (status.startsWith('2')) {
      const content = (response as Node)['content']
      responses[status] = { description: '', ...(content === undefined ? {} : { content }) }
    }
  const parameters = [...((shared ?? []) as Node[]), ...((operation['parameters'] ?? []) as Node[])]
  const body = operation['requestBody']
  return { parameters, responses, ...(body === undefined ? {} : { requestBody: body }) }
}

/** Whether a body of this schema may carry an `operation_id`, in any of its forms. */
function hasOperationId(schema: Json, contract: Node): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  if (Array.isArray(schema)) return schema.some((each) => hasOperationId(each, contract))
  if (typeof schema['$ref'] === 'string') {
    const name = schema['$ref'].slice(schema['$ref'].lastIndexOf('/') + 1)
    return hasOperationId((contract['components'] as { schemas: Node }).schemas[name], contract)
  }
  if ((schema['properties'] as Node | undefined)?.['operation_id'] !== undefined) return true
  return ['oneOf', 'anyOf', 'allOf'].some((word) => hasOperationId(schema[word], contract))
}

function operations(contract: Node): string[] {
  const routes: string[] = []
  for (const [path, item] of Object.entries(contract['paths'] as Node))
    for (const [method, operation] of Object.entries(item as { [method: string]: Node })) {
      const content = (operation['requestBody'] as Node | undefined)?.['content'] as Node | undefined
      const schema = (content?.['application/json'] as Node | undefined)?.['schema']
      if (hasOperationId(schema, contract)) routes.push(`${method.toUpperCase()} ${path}`)
    }
  return routes.sort()
}

const banner = '// Generated from openapi.json by sdk/scripts/generate.ts; do not edit.\n'

/** The generated files by name. */
export async function generate(contract: Node): Promise<Record<string, string>> {
  const trimmed = trim(contract)
  const types = astToString(await openapiTS(trimmed as never, { alphabetize: true, excludeDeprecated: false }))
  const routes = operations(trimmed).map((route) => `  '${route}',\n`)
  return {
    'openapi.ts': `${banner}${types}`,
    'operations.ts': `${banner}/** Routes whose body carries an operation_id. */\nexport const withOperationId: readonly string[] = [\n${routes.join('')}]\n`,
  }
}

/** The contract as it is committed. */
export function readContract(path = fileURLToPath(new URL('../../openapi.json', import.meta.url))): Node {
  return JSON.parse(readFileSync(path, 'utf8')) as Node
}

if (import.meta.main) {
  for (const [name, text] of Object.entries(await generate(readContract(process.argv[2]))))
    writeFileSync(new URL(`../src/generated/${name}`, import.meta.url), text)
}
