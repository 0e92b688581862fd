// The search of the reference: topics, operations, events, codes, and fields of what is sent and answered, by words.
import { form, json, type OpenApi, type Schema } from '../../http/openapi-document.ts'
import type { Words } from '../words.ts'
import {
  codePath,
  contentsOf,
  errorsTopic,
  eventsTopic,
  operationPath,
  shapePath,
  topicPath,
} from './reference-book.ts'
import { codesIn } from './reference-errors.ts'

export type FoundKind = 'topic' | 'operation' | 'event' | 'code' | 'field'

export interface Found {
  kind: FoundKind
  href: string
  /** The thing itself, as programs write it. */
  name: string
  /** What it is, in words. */
  text: string
  /** Of a field: where it is. */
  within?: string
}

interface Entry extends Found {
  /** In lower case. */
  words: string
}

/** So many are shown; whoever wants others says more words. */
export const mostFound = 50

const known = new WeakMap<OpenApi, Map<string, readonly Entry[]>>()

/** What has all of the words, or parts of words: topics first, then operations, events, codes and fields. */
export function searchReference(document: OpenApi, words: Words, q: string): { found: Found[]; total: number } {
  const wanted = q.toLowerCase().split(/\s+/).filter(Boolean)
  const all = entriesOf(document, words).filter((entry) => wanted.every((word) => entry.words.includes(word)))
  return { found: all.slice(0, mostFound), total: all.length }
}

function entriesOf(document: OpenApi, words: Words): readonly Entry[] {
  const byLanguage = known.get(document) ?? new Map<string, readonly Entry[]>()
  known.set(document, byLanguage)
  const entries = byLanguage.get(words.language) ?? collect(document, words).map(worded)
  byLanguage.set(words.language, entries)
  return entries
}

const worded = (found: Found): Entry => ({
  ...found,
  words: [found.name, found.text, found.within].join(' ').toLowerCase(),
})

function collect(document: OpenApi, words: Words): Found[] {
  const { topics, topicOf, places } = contentsOf(document)
  const operations = topics.flatMap((topic) => topic.operations)
  return [
    ...topics.map(
      ({ id, label, description }): Found => ({ kind: 'topic', href: topicPath(id), name: label, text: description }),
    ),
    {
      kind: 'topic',
      href: topicPath(eventsTopic),
      name: words.text('docs.events'),
      text: words.text('docs.events.lead'),
    },
    {
      kind: 'topic',
      href: topicPath(errorsTopic),
      name: words.text('docs.errors'),
      text: words.text('docs.errors.lead'),
    },
    ...operations.map((listed): Found => {
      const { summary, description = '' } = listed.operation
      return {
        kind: 'operation',
        href: operationPath({ places }, listed),
        name: `${listed.method} ${listed.path}`,
        text: `${summary}. ${description}`,
      }
    }),
    ...Object.entries(document['x-websocket'].kinds).map(
      ([kind, { tells }]): Found => ({
        kind: 'event',
        href: `${topicPath(eventsTopic)}#event-${kind}`,
        name: kind,
        text: tells,
      }),
    ),
    ...codesIn(words).map(({ name, meaning }): Found => ({ kind: 'code', href: codePath(name), name, text: meaning })),
    ...Object.entries(document.components.schemas)
      .filter(([name]) => topicOf.has(name))
      .flatMap(([name, schema]) => fieldsOf(schema, shapePath({ topicOf }, name), name)),
    ...operations.flatMap((listed) => {
      const { operation, method, path } = listed
      const within = `${method} ${path}`
      const body = operation.requestBody?.content?.[json] ?? operation.requestBody?.content?.[form]
      return [
        ...(operation.parameters ?? []).map(
          ({ name, description = '' }): Found => ({
            kind: 'field',
            href: operationPath({ places }, listed),
            name,
            text: description,
            within,
          }),
        ),
        ...(body ? fieldsOf(body.schema, operationPath({ places }, listed), within) : []),
      ]
    }),
  ]
}

/** The fields of a shape, as deep as they go; a shape with a name tells its own. */
function fieldsOf(schema: Schema, href: string, within: string): Found[] {
  const inner = [schema.items, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
      { kind: 'field' as const, href, name, text: field.description ?? '', within },
      ...fieldsOf(field, href, within),
    ]),
    ...inner.flatMap((each) => (typeof each === 'object' ? fieldsOf(each, href, within) : [])),
  ]
}
