// What several operations have in common is written once in the OpenAPI document: a component, called by what it says.
import {
  errorCodesOf,
  fullView,
  json,
  type OpenApi,
  type Operation,
  type Parameter,
  type RequestBody,
  type ResponseObject,
  type Schema,
} from './openapi-document.ts'

/** One word for codes that come together. */
const together: Readonly<Record<string, readonly string[]>> = {
  InvalidBody: ['invalid_input', 'invalid_json'],
  ProfileRestricted: ['profile_inactive', 'owner_email_required'],
  StaleRequest: ['idempotency_conflict', 'version_conflict'],
  RateLimited: ['write_limited', 'read_limited'],
}

/** Whatever needs a longer name is repeated instead. */
const maxWords = 4

const statusWords: Readonly<Record<string, string>> = { 201: 'Created', 202: 'Accepted', 206: 'Partial' }

/** Lists have these beside their entries. */
const besideEntries: ReadonlySet<string> = new Set(['pagination', 'filters'])

/** Where a part of an operation is, and its possible names: the second if the first fits other parts too. */
interface Place {
  holder: object
  key: string | number
  names: () => readonly string[]
}

/** Moves what operations share into components, and leaves references to them. */
export function share(document: OpenApi): OpenApi {
  const responses: Place[] = []
  const parameters: Place[] = []
  const requestBodies: Place[] = []
  for (const [path, methods] of Object.entries(document.paths))
    for (const operation of Object.values(methods)) {
      const { responses: byStatus, parameters: list = [], requestBody } = operation
      for (const [key, each] of Object.entries(byStatus))
        responses.push({
          holder: byStatus,
          key,
          names: () => responseNames(each as ResponseObject, key, operation, path),
        })
      for (const [key, each] of list.entries())
        parameters.push({ holder: list, key, names: () => parameterNames(each as Parameter, operation) })
      if (requestBody)
        requestBodies.push({
          holder: operation,
          key: 'requestBody',
          names: () => bodyNames(requestBody as RequestBody),
        })
    }
  const { components } = document
  return {
    ...document,
    components: {
      ...components,
      responses: named('responses', responses, components.responses),
      parameters: named('parameters', parameters, components.parameters),
      requestBodies: named('requestBodies', requestBodies, components.requestBodies),
    },
  }
}

/** The known components and those that repeated parts become, by name. */
function named<T>(kind: string, places: readonly Place[], known: Record<string, T>): Record<string, T> {
  const valueAt = ({ holder, key }: Place): T => (holder as Record<string, T>)[key] as T
  const groups = Map.groupBy(places, (place) => JSON.stringify(valueAt(place))).values()
  const repeated = [...groups].flatMap((alike) => {
    const [first, second] = alike
    return first && second ? [{ alike, value: valueAt(first), names: first.names() }] : []
  })
  const claims = Map.groupBy(repeated, ({ names }) => names[0])
  const components = { ...known }
  for (const { alike, value, names } of repeated) {
    const name = names[claims.get(names[0])?.length === 1 ? 0 : 1]
    if (name === undefined || name in components) continue
    components[name] = value
    for (const { holder, key } of alike) Object.assign(holder, { [key]: { $ref: `#/components/${kind}/${name}` } })
  }
  return Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Refusals are called by their codes, answers by what they hold, bytes by what the path asks for. */
function responseNames(response: ResponseObject, status: string, { responses }: Operation, path: string): string[] {
  const { content, headers } = response
  if (!content) return []
  const codes = errorCodesOf(response)
  const schema = content[json] && fullView(content[json].schema)
  const bytes = [pascal(path.split('/').at(-1) as string)]
  const names = codes.length > 0 ? refusalNames(codes) : schema ? answerNames(schema) : bytes
  const before = status === '200' && '201' in responses ? 'Existing' : (statusWords[status] ?? '')
  const behind = headers?.['RateLimit'] ? '' : 'WithoutRateLimit'
  return names.map((name) => before + name + behind)
}

function refusalNames(codes: readonly string[]): string[] {
  const groups = Object.entries(together).filter(([, all]) => all.every((code) => codes.includes(code)))
  const words = codes.map((code) => groups.find(([, all]) => all.includes(code))?.[0] ?? pascal(code))
  return joined('Or', words)
}

/** By the shapes in it, or else by its fields. */
function answerNames(schema: Schema): string[] {
  const shape = shapeName(schema)
  if (shape !== undefined) return [shape]
  const fields = Object.entries(schema.properties ?? {}).filter(([name]) => !besideEntries.has(name))
  const objects = fields.filter(([, { type }]) => type === undefined || type === 'object' || type === 'array')
  const telling = objects.length > 0 ? objects : fields
  const isOne = telling.length === 1
  const byShape = telling.map(([name, field]) => ((isOne || !field.items) && shapeName(field)) || pascal(name))
  const byField = telling.map(([name]) => pascal(name))
  return [...joined('And', byShape), ...joined('And', byField)]
}

function shapeName({ $ref, items }: Schema): string | undefined {
  if ($ref !== undefined) return $ref.split('/').at(-1)
  const entry = typeof items === 'object' ? shapeName(items) : undefined
  return entry && `${entry}List`
}

function parameterNames({ name }: Parameter, { tags: [tag = ''] }: Operation): string[] {
  return [pascal(name), `${pascal(name)}Of${pascal(tag)}`]
}

/** By the fields beside the key that every change has. */
function bodyNames({ content = {} }: RequestBody): string[] {
  const fields = Object.values(content).flatMap(({ schema }) => Object.keys(schema.properties ?? {}))
  const own = fields.filter((name) => name !== 'operation_id')
  return own.length === 0 ? ['Nothing'] : joined('And', own.map(pascal))
}

function joined(between: string, parts: readonly string[]): string[] {
  const words = [...new Set(parts)]
  return words.length > maxWords ? [] : [words.join(between)]
}

/** `order_id` is `OrderId`. */
export const pascal = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
