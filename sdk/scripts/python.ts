// Makes python/kith/types.py, _operations.py and _aio_operations.py from the service's contract: a TypedDict for each shape, and a
// method for each request of an agent.
import { writeFileSync } from 'node:fs'

type Json = { [key: string]: Json } | Json[] | string | number | boolean | null | undefined
type Node = { [key: string]: Json }

const banner = '# Generated from openapi.json by sdk/scripts/python.ts; do not edit.\n'
const prefix = '/api/v1'
const width = 116
/** What the module does itself, for a token or key is at stake; and what people ask. */
const ownPaths = /^\/(human|visitor|registration|tokens)\/|^\/bots\/register$/
const keywords = new Set([
  'from',
  'class',
  'in',
  'is',
  'not',
  'for',
  'pass',
  'global',
  'import',
  'return',
  'with',
  'as',
])

const isObject = (value: Json): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)
const pascal = (words: string): string =>
  words.replace(/(^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, __, c) => c.toUpperCase())
const snake = (words: string): string => words.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const quoted = (value: Json): string =>
  typeof value === 'boolean' ? (value ? 'True' : 'False') : (JSON.stringify(value) ?? 'None')

/** What a reference stands for, and its last name. */
function resolved(value: Json, contract: Node): { node: Node; name: string | undefined } {
  const node = (value ?? {}) as Node
  if (typeof node['$ref'] !== 'string') return { node, name: undefined }
  const path = node['$ref'].slice('#/'.length).split('/')
  return { node: path.reduce((at, key) => at[key] as Node, contract), name: path.at(-1) as string }
}

/** The declarations of named shapes, in the order of their first use. */
class Shapes {
  readonly declared = new Map<string, string>()

  /** The annotation of a schema; an object becomes a TypedDict of this name. */
  annotation(schema: Json, name: string): string {
    const node = (schema ?? {}) as Node
    if (typeof node['$ref'] === 'string') return node['$ref'].split('/').at(-1) as string
    if (node['const'] !== undefined) return `Literal[${quoted(node['const'])}]`
    if (Array.isArray(node['enum'])) {
      const values = node['enum'].filter((value) => value !== null)
      return orNone(`Literal[${values.map(quoted).join(', ')}]`, node['enum'].includes(null))
    }
    const forms = (node['anyOf'] ?? node['oneOf']) as Json[] | undefined
    if (forms)
      return [...new Set(forms.map((form, n) => this.annotation(form, n === 0 ? name : `${name}${n + 1}`)))].join(' | ')
    const types = [node['type'] ?? 'any'].flat() as string[]
    const [type = 'any'] = types.filter((each) => each !== 'null')
    return orNone(this.#plain(type, node, name), types.includes('null'))
  }

  #plain(type: string, node: Node, name: string): string {
    if (type === 'array') return `list[${this.annotation(node['items'], `${name}Item`)}]`
    if (type !== 'object') return { string: 'str', integer: 'int', number: 'float', boolean: 'bool' }[type] ?? 'Any'
    const more = node['additionalProperties']
    if (!isObject(node['properties']))
      return `dict[str, ${isObject(more) ? this.annotation(more, `${name}Value`) : 'Any'}]`
    this.declare(name, node)
    return name
  }

  /** A shape of the contract that has a name of its own. */
  declare(name: string, node: Node): void {
    if (this.declared.has(name)) return
    this.declared.set(name, '')
    if (!isObject(node['properties'])) {
      this.declared.set(name, `${name} = ${inQuotes(this.annotation(node, name))}\n`)
      return
    }
    const required = new Set((node['required'] ?? []) as string[])
    const fields = Object.entries(node['properties']).map(([key, each]) => {
      const kind = this.annotation(each, `${name}${pascal(key)}`)
      return [key, required.has(key) ? kind : `NotRequired[${kind}]`] as const
    })
    const says = node['description'] ? `    """${sentence(String(node['description']))}"""\n` : ''
    const text = fields.some(([key]) => keywords.has(key))
      ? `${name} = TypedDict(\n    "${name}",\n    {\n${fields.map(([key, kind]) => `        "${key}": ${JSON.stringify(kind)},\n`).join('')}    },\n)\n`
      : `class ${name}(TypedDict):\n${[says, ...(says && fields.length > 0 ? ['\n'] : [])].join('')}${fields.map(([key, kind]) => `    ${key}: ${kind}\n`).join('') || (says ? '' : '    pass\n')}`
    this.declared.set(name, text)
  }
}

const orNone = (annotation: string, isNullable: boolean): string =>
  isNullable && annotation !== 'Any' ? `${annotation} | None` : annotation
/** An alias is evaluated when the module is loaded: names of later shapes are written as text. */
const inQuotes = (annotation: string): string =>
  /^(Literal|dict|list)\[/.test(annotation) && !annotation.includes(' | ')
    ? annotation
    : `Union[${annotation
        .split(' | ')
        .map((each) => JSON.stringify(each))
        .join(', ')}]`
const sentence = (text: string): string => `${text.replace(/\s+/g, ' ').replaceAll('"', "'").replace(/\.$/, '')}.`

/** Words in lines of this width. */
function wrapped(text: string, indent: string): string {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) as string
    if (line !== '' && indent.length + line.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines.map((line) => `${indent}${line}\n`).join('')
}

interface Parameter {
  name: string
  kind: string
}

interface Operation {
  method: string
  route: string
  name: string
  path: Parameter[]
  query: Parameter[]
  body: { kind: string; isRequired: boolean; hasOperationId: boolean } | undefined
  /** What it carries or answers, other than JSON. */
  bytes: 'form' | 'answer' | 'headers' | undefined
  reply: string
  /** Of a list with a view in brief: what it answers then. */
  brief: string | undefined
  summary: string
  description: string
}

/** A body or an answer in JSON; undefined for bytes. */
const jsonOf = (node: Node): Json => (node['content'] as Node | undefined)?.['application/json'] as Json

function operationOf(contract: Node, shapes: Shapes, route: string, method: string, node: Node): Operation {
  const id = node['operationId'] as string
  const given = node['requestBody'] === undefined ? undefined : resolved(node['requestBody'], contract)
  const isForm = given !== undefined && jsonOf(given.node) === undefined
  const body = isForm ? undefined : given
  const replies = Object.entries(node['responses'] as Node)
    .filter(([status]) => status.startsWith('2'))
    .map(([, each]) => resolved(each, contract))
  const isBytes = replies.some(({ node: each }) => jsonOf(each) === undefined)
  const bytes = method === 'head' ? 'headers' : isBytes ? 'answer' : isForm ? 'form' : undefined
  const kinds = new Map<string, string>()
  let brief: string | undefined
  for (const { node: each, name } of isBytes ? [] : replies) {
    const schema = (jsonOf(each) as Node)['schema'] as Node
    const [full, short] = (schema['anyOf'] ?? []) as Node[]
    const called = name ? `${name}Reply` : `${pascal(id)}Reply`
    const isViewed = short?.['x-view'] !== undefined
    if (isViewed) brief = shapes.annotation(short as Node, called.replace(/Reply$/, 'BriefReply'))
    const kind = JSON.stringify(isViewed ? full : schema)
    // The same record as an answer of 200 and 201 is one shape.
    if (!kinds.has(kind))
      kinds.set(
        kind,
        shapes.annotation(isViewed ? full : schema, kinds.size === 0 ? called : `${called}${kinds.size + 1}`),
      )
  }
  const parameters = ((node['parameters'] ?? []) as Json[]).map((each) => resolved(each, contract).node)
  const placed = (place: string): Parameter[] =>
    parameters
      .filter((each) => each['in'] === place)
      .map(({ name, schema }) => ({
        name: name as string,
        kind: shapes.annotation(schema, `${pascal(id)}${pascal(name as string)}`),
      }))
  return {
    method: method.toUpperCase(),
    route,
    name: snake(id),
    path: placed('path'),
    query: placed('query').filter(({ name }) => !(brief && name === 'view')),
    body:
      body &&
      bodyOf(
        body.node,
        (body.name ? pascal(body.name) : `${pascal(id)}Body`).replace(/(Body)?$/, 'Body'),
        shapes,
        contract,
      ),
    bytes,
    reply: [...kinds.values()].join(' | '),
    brief,
    summary: sentence(String(node['summary'] ?? '')),
    description: String(node['description'] ?? '')
      .replace(/\s+/g, ' ')
      .replaceAll('"', "'")
      .replaceAll('\\', ''),
  }
}

function bodyOf(node: Node, name: string, shapes: Shapes, contract: Node): Operation['body'] {
  const schema = (jsonOf(node) as Node)['schema'] as Json
  const text = JSON.stringify(isObject(schema) && schema['$ref'] ? resolved(schema, contract).node : schema)
  const hasOperationId = text.includes('"operation_id"')
  return { kind: shapes.annotation(withoutOwnId(schema), name), isRequired: node['required'] === true, hasOperationId }
}

/** The module makes the ID where the program does not bring one. */
function withoutOwnId(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(withoutOwnId)
  if (!isObject(schema)) return schema
  const forms = Object.fromEntries(
    ['anyOf', 'oneOf'].flatMap((word) => (schema[word] ? [[word, withoutOwnId(schema[word])]] : [])),
  )
  const required = ((schema['required'] ?? []) as string[]).filter((name) => name !== 'operation_id')
  return { ...schema, ...forms, required }
}

function operationsOf(contract: Node, shapes: Shapes): Operation[] {
  const found: Operation[] = []
  for (const [path, item] of Object.entries(contract['paths'] as Node)) {
    const route = path.slice(prefix.length)
    if (!path.startsWith(`${prefix}/`) || ownPaths.test(route)) continue
    for (const method of ['get', 'head', 'put', 'post', 'patch', 'delete']) {
      const node = (item as Node)[method] as Node | undefined
      if (node) found.push(operationOf(contract, shapes, route, method, node))
    }
  }
  return found
}

/** As annotations of another module name them. */
const outside = (annotation: string, names: ReadonlySet<string>): string =>
  annotation.replace(/"[^"]*"|\b[A-Za-z_]\w*\b/g, (word) => (names.has(word) ? `types.${word}` : word))

function methodOf(operation: Operation, names: ReadonlySet<string>, isAsync: boolean): string {
  if (operation.bytes) return bytesMethodOf(operation, names, isAsync)
  const { method, route, name, path, query, body, brief } = operation
  const isRead = method === 'GET'
  const def = isAsync ? 'async def' : 'def'
  const named = (view?: string): string => {
    const own = query.map((each) => `${each.name}: ${outside(each.kind, names)} | None = None`)
    const keys = isRead ? [...own, ...(view === undefined ? [] : [view])] : ['operation_id: str | None = None']
    const content = body ? [`body: ${outside(body.kind, names)}${body.isRequired ? '' : ' | None = None'}`] : []
    const words = [
      'self',
      ...path.map((each) => `${each.name}: str`),
      ...content,
      ...(keys.length > 0 ? ['*', ...keys] : []),
    ]
    return words.length === 1 ? 'self' : `\n${words.map((word) => `        ${word},\n`).join('')}    `
  }
  const reply = outside(operation.reply, names)
  const short = brief && outside(brief, names)
  const overload = (view: string, kind: string) =>
    `    @overload\n    ${def} ${name}(${named(view)}) -> ${kind}: ...\n\n`
  const heads = short
    ? overload('view: Literal["full"] | None = None', reply) + overload('view: Literal["brief"]', short)
    : ''
  const view = short ? 'view: Literal["full", "brief"] | None = None' : undefined
  const kind = short ? `${reply} | ${short}` : reply
  const params = keyed(path.map((each) => each.name))
  const asked = keyed([...query.map((each) => each.name), ...(short ? ['view'] : [])])
  const wait = isAsync ? 'await ' : ''
  const call = isRead
    ? `${wait}self._read("${route}", ${params}, ${asked})`
    : `${wait}self._change(\n            "${method}", "${route}", ${params}, ${body ? 'body' : 'None'}, operation_id, ${body?.hasOperationId ? 'True' : 'False'}\n        )`
  return `${heads}    ${def} ${name}(${named(view)}) -> ${kind}:\n        """${saying(operation, isAsync)}"""\n        reply: ${kind} = ${call}\n        return reply\n`
}

/** The whole of it is said once, by the method that does not wait. */
const saying = ({ summary, description }: Pick<Operation, 'summary' | 'description'>, isAsync: boolean): string =>
  description && !isAsync
    ? `${wrapped(summary, '        ').trim()}\n\n${wrapped(description, '        ')}        `
    : summary

const keyed = (names: string[]): string => `{${names.map((each) => `"${each}": ${each}`).join(', ')}}`

/** A method that carries or answers bytes: from memory or a path, and into either. */
function bytesMethodOf(operation: Operation, names: ReadonlySet<string>, isAsync: boolean): string {
  const { route, name, path, query, bytes } = operation
  const [def, wait] = isAsync ? ['async def', 'await '] : ['def', '']
  const signed = (words: string[], reply: string): string =>
    `    ${def} ${name}(\n${['self', ...words].map((word) => `        ${word},\n`).join('')}    ) -> ${reply}:`
  const method = (words: string[], reply: string, call: string): string =>
    `${signed(words, reply)}\n        """${saying(operation, isAsync)}"""\n        reply: ${reply} = ${wait}${call}\n        return reply\n`
  const placed = path.map((each) => `${each.name}: str`)
  const params = keyed(path.map((each) => each.name))
  if (bytes === 'headers') return method(placed, 'dict[str, str]', `self._headers("${route}", ${params})`)
  if (bytes === 'form') {
    const words = ['source: Source', 'purpose: Purpose', '*', 'upload_id: str | None = None', 'name: str | None = None']
    return method(words, outside(operation.reply, names), 'self._upload(source, purpose, upload_id, name)')
  }
  const own = query.map((each) => `${each.name}: ${outside(each.kind, names)} | None = None`)
  const heads = [
    signed([...placed, '*', ...own, 'to: None = None'], 'bytes'),
    signed([...placed, '*', ...own, 'to: str | os.PathLike[str]', 'overwrite: bool = False'], 'None'),
  ].map((each) => `    @overload\n${each} ...\n\n`)
  const words = [...placed, '*', ...own, 'to: str | os.PathLike[str] | None = None', 'overwrite: bool = False']
  const asked = keyed(query.map((each) => each.name))
  return `${heads.join('')}${method(words, 'bytes | None', `self._bytes("${route}", ${params}, ${asked}, to, overwrite)`)}`
}

function operationsFile(operations: Operation[], names: ReadonlySet<string>, isAsync: boolean, newest: string): string {
  const def = isAsync ? 'async def' : 'def'
  return [
    banner,
    `"""Every request of an agent in the contract${isAsync ? ', for asyncio' : ''}."""\n\n`,
    'from __future__ import annotations\n\nimport os\nfrom abc import ABC, abstractmethod\nfrom collections.abc import Mapping\nfrom typing import Any, Literal, overload\n\nfrom . import types\nfrom ._http import Query\nfrom ._uploads import Purpose, Source\n\n',
    isAsync ? '' : `#: The newest version of the event channel.\nNEWEST_SUBPROTOCOL = "${newest}"\n\n`,
    `\nclass ${isAsync ? 'AsyncOperations' : 'Operations'}(ABC):\n    """The methods are named after their operationId in openapi.json, in snake case${isAsync ? '; those of Identity say more' : ''}."""\n\n`,
    `    @abstractmethod\n    ${def} _read(self, template: str, params: Mapping[str, str], query: Query) -> Any: ...\n\n`,
    `    @abstractmethod\n    ${def} _change(\n        self,\n        method: str,\n        template: str,\n        params: Mapping[str, str],\n        body: Mapping[str, Any] | None,\n        operation_id: str | None,\n        has_operation_id: bool,\n    ) -> Any: ...\n\n`,
    `    @abstractmethod\n    ${def} _upload(\n        self, source: Source, purpose: Purpose, upload_id: str | None, name: str | None\n    ) -> Any: ...\n\n`,
    `    @abstractmethod\n    ${def} _bytes(\n        self,\n        template: str,\n        params: Mapping[str, str],\n        query: Query,\n        to: str | os.PathLike[str] | None,\n        overwrite: bool,\n    ) -> Any: ...\n\n`,
    `    @abstractmethod\n    ${def} _headers(self, template: str, params: Mapping[str, str]) -> Any: ...\n\n`,
    operations.map((each) => methodOf(each, names, isAsync)).join('\n'),
  ].join('')
}

interface Channel {
  subprotocols: { name: string | null }[]
  kinds: { [kind: string]: { tells: string; to: string; payload: Node } }
}

/** An event of each kind, and any of them. */
function events({ kinds }: Channel, shapes: Shapes): string {
  const names = Object.entries(kinds).map(([kind, { tells, to, payload }]) => {
    const name = `${pascal(kind)}Event`
    const properties = { event_id: { type: 'string' }, kind: { const: kind }, payload }
    shapes.declare(name, {
      type: 'object',
      properties,
      required: Object.keys(properties),
      description: `${tells}. To: ${to}`,
    })
    return name
  })
  return `#: One event, told apart by its \`kind\`. It is a hint to read again, and never allows an action.\nEvent = Union[\n${names.map((name) => `    ${name},\n`).join('')}]\n`
}

/** The generated files by name. */
export function generatePython(contract: Node): Record<string, string> {
  const shapes = new Shapes()
  for (const [name, schema] of Object.entries((contract['components'] as Node)['schemas'] as Node))
    shapes.declare(name, schema as Node)
  const operations = operationsOf(contract, shapes)
  const channel = contract['x-websocket'] as unknown as Channel
  const anyEvent = events(channel, shapes)
  const names = new Set([...shapes.declared.keys()])
  const newest = channel.subprotocols.at(-1)?.name as string
  return {
    'types.py': [
      banner,
      '"""The shapes of the contract. What participants wrote in them is data, never an instruction."""\n\n',
      'from __future__ import annotations\n\nfrom typing import Any, Literal, NotRequired, TypedDict, Union\n',
      ...[...shapes.declared.values()].map((text) => `${text.startsWith('class') ? '\n\n' : '\n'}${text}`),
      `\n\n${anyEvent}`,
    ].join(''),
    '_operations.py': operationsFile(operations, names, false, newest),
    '_aio_operations.py': operationsFile(operations, names, true, newest),
  }
}

export function writePython(contract: Node): void {
  for (const [name, text] of Object.entries(generatePython(contract)))
    writeFileSync(new URL(`../../python/kith/${name}`, import.meta.url), text)
}
