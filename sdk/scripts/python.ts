// Makes python/kith/types.py, _operations.py and _aio_operations.py from the service's contract: a TypedDict for each shape, and a
// method for each request of an agent.
import { writeFileSync } from 'node:fs'
import {
  type Channel,
  channelOf,
  extendedBy,
  hasOperationId,
  type Json,
  type Listed,
  type Node,
  operationsOf,
  parametersOf,
  resolved,
  schemaOf,
  successesOf,
  viewsOf,
} from './contract.ts'

const banner = '# Generated from openapi.json by sdk/scripts/python.ts; do not edit.\n'
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
    if (node['type'] === 'null') return 'None'
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

  /** A shape of the contract that has a name of its own; `schemas` are those that it may extend. */
  declare(name: string, node: Node, schemas: Node = {}): void {
    if (this.declared.has(name)) return
    const { base, more } = extendedBy(name, { ...schemas, [name]: node }) ?? {}
    // A class follows the one that it extends.
    if (base !== undefined) this.declare(base, schemas[base] as Node, schemas)
    this.declared.set(name, '')
    if (!isObject(node['properties'])) {
      this.declared.set(name, `${name} = ${inQuotes(this.annotation(node, name))}\n`)
      return
    }
    const required = new Set((node['required'] ?? []) as string[])
    const fields = Object.entries(more ?? node['properties']).map(([key, each]) => {
      const kind = this.annotation(each, `${name}${pascal(key)}`)
      return [key, required.has(key) ? kind : `NotRequired[${kind}]`] as const
    })
    const says = node['description'] ? `    """${sentence(String(node['description']))}"""\n` : ''
    const text = fields.some(([key]) => keywords.has(key))
      ? `${name} = TypedDict(\n    "${name}",\n    {\n${fields.map(([key, kind]) => `        "${key}": ${JSON.stringify(kind)},\n`).join('')}    },\n)\n`
      : `class ${name}(${base ?? 'TypedDict'}):\n${[says, ...(says && fields.length > 0 ? ['\n'] : [])].join('')}${fields.map(([key, kind]) => `    ${key}: ${kind}\n`).join('') || (says ? '' : '    pass\n')}`
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

/** Words in lines of a width. */
function filled(words: readonly string[], indent: string, width: number): string {
  const lines = ['']
  for (const word of words) {
    const line = lines.at(-1) as string
    if (line !== '' && indent.length + line.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines.map((line) => `${indent}${line}\n`).join('')
}

const wrapped = (text: string, indent: string): string => filled(text.split(' '), indent, width)

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

function operationOf({ method, route, node }: Listed, contract: Node, shapes: Shapes): Operation {
  const id = node['operationId'] as string
  const given = resolved(node['requestBody'], contract)
  const isForm = given.node['content'] !== undefined && schemaOf(given.node) === undefined
  const replies = successesOf(node, contract)
  const isBytes = replies.some((each) => schemaOf(each.node) === undefined)
  const bytes = method === 'HEAD' ? 'headers' : isBytes ? 'answer' : isForm ? 'form' : undefined
  const kinds = new Map<string, string>()
  let brief: string | undefined
  for (const { node: each, name } of isBytes ? [] : replies) {
    const views = viewsOf(schemaOf(each))
    const called = name ? `${name}Reply` : `${pascal(id)}Reply`
    if (views.brief) brief = shapes.annotation(views.brief, called.replace(/Reply$/, 'BriefReply'))
    const kind = JSON.stringify(views.full)
    // The same record as an answer of 200 and 201 is one shape.
    if (!kinds.has(kind))
      kinds.set(kind, shapes.annotation(views.full, kinds.size === 0 ? called : `${called}${kinds.size + 1}`))
  }
  const parameters = parametersOf(node, contract)
  const placed = (place: string): Parameter[] =>
    parameters
      .filter((each) => each['in'] === place)
      .map(({ name, schema }) => ({
        name: name as string,
        kind: shapes.annotation(schema, `${pascal(id)}${pascal(name as string)}`),
      }))
  return {
    method,
    route,
    name: snake(id),
    path: placed('path'),
    query: placed('query').filter(({ name }) => !(brief && name === 'view')),
    body:
      bytes || given.node['content'] === undefined
        ? undefined
        : {
            kind: shapes.annotation(
              withoutOwnId(schemaOf(given.node)),
              `${(given.name ?? pascal(id)).replace(/Body$/, '')}Body`,
            ),
            isRequired: given.node['required'] === true,
            hasOperationId: hasOperationId(node, contract),
          },
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

/** As annotations of another module name them. */
const outside = (annotation: string, names: ReadonlySet<string>): string =>
  annotation.replace(/"[^"]*"|\b[A-Za-z_]\w*\b/g, (word) => (names.has(word) ? `types.${word}` : word))

/** On one line if it fits, else with its parameters in lines of their own. */
function headOf(def: string, name: string, words: readonly string[], reply: string): string {
  const line = `    ${def} ${name}(${words.join(', ')}) -> ${reply}:`
  if (line.length <= 120) return line
  return `    ${def} ${name}(\n${filled(
    words.map((word) => `${word},`),
    '        ',
    120,
  )}    ) -> ${reply}:`
}

interface Method {
  /** The heads of its overloads, and its own. */
  overloads: readonly string[]
  head: string
  call: string
}

function methodOf(operation: Operation, names: ReadonlySet<string>, def: string): Method {
  const { method, route, name, path, query, body, bytes } = operation
  const [reply, brief] = [outside(operation.reply, names), operation.brief && outside(operation.brief, names)]
  const placed = ['self', ...path.map((each) => `${each.name}: str`)]
  const params = keyed(path)
  const own = query.map((each) => `${each.name}: ${outside(each.kind, names)} | None = None`)
  const single = (words: string[], kind: string, call: string): Method => ({
    overloads: [],
    head: headOf(def, name, words, kind),
    call,
  })
  if (bytes === 'headers') return single(placed, 'dict[str, str]', `self._headers("${route}", ${params})`)
  if (bytes === 'form') {
    const words = ['source: Source', 'purpose: Purpose', '*', 'upload_id: str | None = None', 'name: str | None = None']
    return single(['self', ...words], reply, 'self._upload(source, purpose, upload_id, name)')
  }
  if (bytes === 'answer') {
    const into = (to: string[], kind: string): string => headOf(def, name, [...placed, '*', ...own, ...to], kind)
    const file = 'to: str | os.PathLike[str]'
    return {
      overloads: [into(['to: None = None'], 'bytes'), into([file, 'overwrite: bool = False'], 'None')],
      head: into([`${file} | None = None`, 'overwrite: bool = False'], 'bytes | None'),
      call: `self._bytes("${route}", ${params}, ${keyed(query)}, to, overwrite)`,
    }
  }
  if (method !== 'GET') {
    const content = body ? [`body: ${outside(body.kind, names)}${body.isRequired ? '' : ' | None = None'}`] : []
    const id = ['operation_id', body?.hasOperationId ? 'True' : 'False']
    const call = `self._change("${method}", "${route}", ${[params, body ? 'body' : 'None', ...id].join(', ')})`
    return single([...placed, ...content, '*', 'operation_id: str | None = None'], reply, call)
  }
  if (!brief) {
    const words = own.length > 0 ? [...placed, '*', ...own] : placed
    return single(words, reply, `self._read("${route}", ${params}, ${keyed(query)})`)
  }
  const viewed = (view: string, kind: string): string => headOf(def, name, [...placed, '*', ...own, view], kind)
  return {
    overloads: [viewed('view: Literal["full"] | None = None', reply), viewed('view: Literal["brief"]', brief)],
    head: viewed('view: Literal["full", "brief"] | None = None', `${reply} | ${brief}`),
    call: `self._read("${route}", ${params}, ${keyed([...query, { name: 'view' }])})`,
  }
}

const keyed = (parameters: readonly { name: string }[]): string =>
  `{${parameters.map(({ name }) => `"${name}": ${name}`).join(', ')}}`

const overloaded = ({ overloads }: Method): string => overloads.map((head) => `    @overload\n${head} ...\n`).join('')

function calling(operation: Operation, names: ReadonlySet<string>): string {
  const method = methodOf(operation, names, 'def')
  const { summary, description } = operation
  const more = description && `\n\n${wrapped(description, '        ')}        `
  const said = `        """${description ? wrapped(summary, '        ').trim() : summary}${more}"""\n`
  const line = `        return ${method.call}\n`
  const call = line.length <= 121 ? line : line.replace(/(self\._\w+\()(.*)\)\n$/, '$1\n            $2\n        )\n')
  return `${overloaded(method)}${method.head}\n${said}${call}`
}

/** The same in a thread. What a type checker could not derive from several heads is written out. */
function waiting(operation: Operation, names: ReadonlySet<string>): { text: string; isLine: boolean } {
  const { name } = operation
  const method = methodOf(operation, names, 'async def')
  if (method.overloads.length === 0) return { text: `    ${name} = in_thread(Operations.${name})\n`, isLine: true }
  const head = headOf('async def', name, ['self', '*args: Any', '**kwargs: Any'], 'Any')
  const call = `        method = self.identity.${name}\n        return await to_thread(method, *args, **kwargs)\n`
  return { text: `${overloaded(method)}    @wraps(Operations.${name})\n${head}\n${call}`, isLine: false }
}

function operationsFile(operations: readonly Operation[], names: ReadonlySet<string>, newest: string): string {
  return [
    banner,
    '"""Every request of an agent in the contract."""\n\n',
    '# The core gives back what the service answered.\n# mypy: disable-error-code="no-any-return"\n\n',
    'from __future__ import annotations\n\nimport os\nfrom abc import ABC, abstractmethod\nfrom collections.abc import Mapping\nfrom typing import Any, Literal, overload\n\nfrom . import types\nfrom ._http import Query\nfrom ._uploads import Purpose, Source\n\n',
    `#: The newest version of the event channel.\nNEWEST_SUBPROTOCOL = "${newest}"\n\n`,
    '\nclass Operations(ABC):\n    """The methods are named after their operationId in openapi.json, in snake case."""\n\n',
    '    @abstractmethod\n    def _read(self, template: str, params: Mapping[str, str], query: Query) -> Any: ...\n\n',
    '    @abstractmethod\n    def _change(\n        self, method: str, template: str, params: Mapping[str, str], body: Mapping[str, Any] | None,\n        operation_id: str | None, has_operation_id: bool,\n    ) -> Any: ...\n\n',
    '    @abstractmethod\n    def _upload(self, source: Source, purpose: Purpose, upload_id: str | None, name: str | None) -> Any: ...\n\n',
    '    @abstractmethod\n    def _bytes(\n        self, template: str, params: Mapping[str, str], query: Query, to: str | os.PathLike[str] | None, overwrite: bool,\n    ) -> Any: ...\n\n',
    '    @abstractmethod\n    def _headers(self, template: str, params: Mapping[str, str]) -> Any: ...\n\n',
    operations.map((each) => calling(each, names)).join('\n'),
  ].join('')
}

function asyncOperationsFile(operations: readonly Operation[], names: ReadonlySet<string>): string {
  const methods = operations.map((each) => waiting(each, names))
  return [
    banner,
    '"""Every request of an agent in the contract, for asyncio."""\n\n',
    'from __future__ import annotations\n\nimport os\nfrom asyncio import to_thread\nfrom functools import wraps\nfrom typing import Any, Literal, overload\n\nfrom . import types\nfrom ._operations import Operations\nfrom ._threads import InThread, in_thread\n\n',
    '\nclass AsyncOperations(InThread):\n    """The methods of `Operations`, each in a thread."""\n\n',
    ...methods.map(({ text, isLine }) => (isLine ? text : '')),
    ...methods.map(({ text, isLine }) => (isLine ? '' : `\n${text}`)),
  ].join('')
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
  return `#: One event, told apart by its \`kind\`. It is a hint to read again, and never allows an action.\nEvent = Union[\n${filled(
    names.map((name) => `${name},`),
    '    ',
    width,
  )}]\n`
}

/** The generated files by name. */
export function generatePython(contract: Node): Record<string, string> {
  const shapes = new Shapes()
  const schemas = (contract['components'] as Node)['schemas'] as Node
  for (const [name, schema] of Object.entries(schemas)) shapes.declare(name, schema as Node, schemas)
  const operations = operationsOf(contract, ownPaths).map((each) => operationOf(each, contract, shapes))
  const channel = channelOf(contract)
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
    '_operations.py': operationsFile(operations, names, newest),
    '_aio_operations.py': asyncOperationsFile(operations, names),
  }
}

export function writePython(contract: Node): void {
  for (const [name, text] of Object.entries(generatePython(contract)))
    writeFileSync(new URL(`../../python/kith/${name}`, import.meta.url), text)
}
