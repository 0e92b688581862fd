// What the pages of the reference are made from: the contract by topics, and where each thing of it is told.
import {
  type Listed,
  type OpenApi,
  operationsOf,
  type ResolvedOperation,
  referencesIn,
  type Schema,
} from '../../http/openapi-document.ts'
import { type Html, type HtmlPart, html, join } from '../html.ts'
import type { Words } from '../words.ts'

export const docsPath = '/docs'
export const topicPath = (id: string): string => `${docsPath}/${id}`
export const eventsTopic = 'events'
export const errorsTopic = 'errors'

/** A page of the reference: what a tag of the contract has. */
export interface Topic {
  id: string
  label: string
  description: string
  operations: readonly Listed[]
}

/** The contract, ordered for reading. */
export interface Contents {
  document: OpenApi
  topics: readonly Topic[]
  /** The topic whose page tells a shape. */
  topicOf: ReadonlyMap<string, string>
  /** The shapes that a topic’s page tells, by name; other pages lead to them. */
  shapesOf: (topic: string) => readonly (readonly [string, Schema])[]
  /** The page of each operation, with its place there. */
  places: ReadonlyMap<ResolvedOperation, string>
  /** The first operation with each answer, by the answer’s schema. */
  firstWith: ReadonlyMap<string, Listed>
}

/** What a page is made with. */
export interface Book extends Contents {
  words: Words
  publicUrl: string
  /** On an element whose text is the contract’s own, which is in English: says so where the page is not. */
  english: HtmlPart
}

const known = new WeakMap<OpenApi, Contents>()

/** The same document is ordered once. */
export function contentsOf(document: OpenApi): Contents {
  const before = known.get(document)
  if (before) return before
  const contents = ordered(document)
  known.set(document, contents)
  return contents
}

function ordered(document: OpenApi): Contents {
  const operations = operationsOf(document)
  const { schemas } = document.components
  const topicOf = new Map<string, string>()
  /** A shape is told where it is first met, with what it is made of. */
  const take = (name: string, topic: string): void => {
    const schema = schemas[name]
    if (topicOf.has(name) || !schema) return
    topicOf.set(name, topic)
    for (const inner of referencesIn(schema)) take(inner, topic)
  }
  for (const name of ['ErrorEnvelope', 'ErrorCode']) take(name, errorsTopic)
  const own = document.tags.flatMap(({ name, description = '' }) => {
    const topic = { id: name, label: name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' '), description }
    const all = operations.filter(({ operation }) => operation.tags.includes(name))
    const theirs = all.filter(isOfCustomers)
    const isOfBoth = theirs.length > 0 && all.some(({ operation }) => operation.security === undefined)
    if (!isOfBoth) return [{ ...topic, operations: all }]
    return [
      { ...topic, operations: all.filter((each) => !isOfCustomers(each)) },
      { ...topic, id: name + customersPart, label: `${topic.label}, as a customer`, operations: theirs },
    ]
  })
  for (const { id, operations: listed } of own)
    for (const { operation } of listed)
      for (const name of referencesIn([operation.requestBody, operation.responses])) take(name, id)
  for (const name of Object.keys(schemas)) take(name, eventsTopic)
  const named = Object.entries(schemas)
  const firstWith = new Map<string, Listed>()
  for (const listed of operations) {
    const key = answerKey(document, listed.operation)
    if (key !== undefined && !firstWith.has(key)) firstWith.set(key, listed)
  }
  return {
    document,
    topics: own,
    topicOf,
    shapesOf: (topic) => named.filter(([name]) => topicOf.get(name) === topic),
    places: new Map(
      own.flatMap(({ id, operations: listed }) =>
        listed.map((each) => [each.operation, `${topicPath(id)}#${anchor(each)}`] as const),
      ),
    ),
    firstWith,
  }
}

/** What a tag has for agents and for customers is told on two pages: they are read by different readers. */
const customersPart = '-of-customers'

const isOfCustomers = ({ operation }: Pick<Listed, 'operation'>): boolean =>
  operation.security?.some((each) => 'human_session' in each) === true

/** What tells answers apart: the example that they share. */
export function answerKey(
  { components }: Pick<OpenApi, 'components'>,
  { responses }: Listed['operation'],
): string | undefined {
  for (const [status, response] of Object.entries(responses).reverse()) {
    if (Number(status) >= 400) continue
    const [reference] = Object.values(response.content?.['application/json']?.examples ?? {})
    const name = reference?.$ref.split('/').at(-1)
    if (name !== undefined && components.examples[name]) return `${status} ${name}`
  }
  return undefined
}

export const anchor = ({ operation }: Pick<Listed, 'operation'>): string => `op-${operation.operationId}`
export const operationPath = ({ places }: Pick<Contents, 'places'>, { operation }: Pick<Listed, 'operation'>): string =>
  places.get(operation) ?? docsPath
export const shapePath = ({ topicOf }: Pick<Contents, 'topicOf'>, name: string): string =>
  `${topicPath(topicOf.get(name) ?? eventsTopic)}#schema-${name}`
export const codePath = (code: string): string => `${topicPath(errorsTopic)}#${code}`

export const apiPath = /^\/api\/v1\//

export const badge = (method: string): Html => html`<span class="method ${method.toLowerCase()}">${method}</span>`

/** A path that may break after its slashes, with its parameters set off. */
export const pathPart = (path: string): HtmlPart =>
  path
    .split(/(?<=\/)/)
    .map(
      (piece) =>
        html`<wbr>${piece.split(/(\{\w+\})/).map((each) => (each.startsWith('{') ? html`<var>${each}</var>` : each))}`,
    )

export const list = (names: readonly HtmlPart[], between = ', '): HtmlPart => join([...names], between)

export const codeBlock = (title: HtmlPart, text: string): Html =>
  html`<figure class="code"><figcaption>${title}</figcaption><pre tabindex="0"><code>${text}</code></pre></figure>`
