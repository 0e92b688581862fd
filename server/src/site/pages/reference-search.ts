// The search of the reference: guides, topics, operations, events, codes, and fields of what is sent and answered, by words.
import { form, json, type OpenApi, type Schema } from '../../http/openapi-document.ts'
import { type Guide, type GuideGroup, guides, sectionsOf } from '../guides.ts'
import type { Words } from '../words.ts'
import { plain } from './plain.ts'
import {
  apiPath,
  codePath,
  contentsOf,
  docsPath,
  errorsTopic,
  eventsTopic,
  operationPath,
  shapePath,
  topicPath,
} from './reference-book.ts'
import { codesIn } from './reference-errors.ts'
import { stopWords, synonyms } from './search-words.ts'
import { type Worded, type WordIndex, wordIndex } from './word-index.ts'

export type FoundKind = 'guide' | 'topic' | 'operation' | 'event' | 'code' | 'field'

export interface ReferenceHit {
  kind: FoundKind
  href: string
  /** The thing itself, as programs write it; of a guide its heading. */
  name: string
  /** What it is, in words. */
  text: string
  /** Of a field or a heading: where it is. */
  within?: string | undefined
  /** Name and text are in the reader's language; otherwise in that of the contract. */
  isTranslated?: true
}

type Entry = ReferenceHit & Worded

/** So many are shown; whoever wants others says more words. */
export const mostFound = 50

const known = new WeakMap<OpenApi, Map<string, Promise<WordIndex<Entry>>>>()

/** The best of what has all of the words; where nothing has all, of what has most. */
export async function searchReference(document: OpenApi, words: Words, q: string): Promise<Results> {
  const byLanguage = known.get(document) ?? new Map<string, Promise<WordIndex<Entry>>>()
  known.set(document, byLanguage)
  const index = byLanguage.get(words.language) ?? wordIndex(collect(document, words), { synonyms, stopWords })
  byLanguage.set(words.language, index)
  const all = (await index).find(q)
  return { found: all.slice(0, mostFound), total: all.length }
}

export interface Results {
  found: readonly ReferenceHit[]
  total: number
}

/** Those who read here mostly write agents. */
const weights: Readonly<Record<GuideGroup | Exclude<FoundKind, 'guide'>, number>> = {
  agents: 1.1,
  rules: 1.1,
  people: 1,
  operators: 0.8,
  developers: 0.6,
  topic: 1.2,
  operation: 1.1,
  event: 1,
  code: 1,
  field: 0.25,
}

/** By what it is called, where that is not its name as it is shown. */
const entry = (found: ReferenceHit & { kind: Exclude<FoundKind, 'guide'> }, ...titles: readonly string[]): Entry => ({
  ...found,
  titles: titles.length > 0 ? titles : [found.name],
  weight: weights[found.kind],
})

function* collect(document: OpenApi, words: Words): Generator<Entry> {
  const { topics, topicOf, places } = contentsOf(document)
  const operations = topics.flatMap((topic) => topic.operations)
  const told = (...keys: Parameters<Words['text']>[0][]): string => keys.map((key) => words.text(key)).join(' ')
  yield* [
    ...topics.map(({ id, label, description }) =>
      entry({ kind: 'topic', href: topicPath(id), name: label, text: description }),
    ),
    entry({
      kind: 'topic',
      href: topicPath(eventsTopic),
      name: words.text('docs.events'),
      text: told('docs.events.lead', 'docs.events.content', 'docs.events.subprotocol', 'docs.events.frames'),
      isTranslated: true,
    }),
    entry({
      kind: 'topic',
      href: topicPath(errorsTopic),
      name: words.text('docs.errors'),
      text: words.text('docs.errors.lead'),
      isTranslated: true,
    }),
  ]
  for (const guide of guides().values()) yield* sectionsIn(guide)
  yield* [
    ...sectionsOf(document.info.description).map(({ title, anchor, text }) =>
      heading(
        { href: anchor === undefined ? docsPath : `${docsPath}#${anchor}`, name: title, text: plain(text) },
        'rules',
      ),
    ),
    ...operations.map((listed) => {
      const { method, path, operation } = listed
      const { summary, description = '' } = operation
      const text = `${summary}. ${description}`
      const name = `${method} ${path}`
      const called = path.replace(apiPath, '').replace(/\{\w+\}/g, ' ')
      return entry({ kind: 'operation', href: operationPath({ places }, listed), name, text }, called, summary)
    }),
    ...Object.entries(document['x-websocket'].kinds).map(([kind, { tells }]) =>
      entry({ kind: 'event', href: `${topicPath(eventsTopic)}#event-${kind}`, name: kind, text: tells }),
    ),
    ...codesIn(words).map(({ name, status, meaning }) =>
      entry({ kind: 'code', href: codePath(name), name, text: meaning, isTranslated: true }, `${status} ${name}`),
    ),
    ...Object.entries(document.components.headers).map(([name, { description }]) =>
      entry({ kind: 'field', href: `${docsPath}#headers`, name, text: description }),
    ),
    ...Object.entries(document.components.schemas)
      .filter(([name]) => topicOf.has(name))
      .flatMap(([name, schema]) => fieldsOf(schema, shapePath({ topicOf }, name), name)),
    ...operations.flatMap((listed) => {
      const { operation, method, path } = listed
      const within = `${method} ${path}`
      const href = operationPath({ places }, listed)
      const body = operation.requestBody?.content?.[json] ?? operation.requestBody?.content?.[form]
      return [
        ...operation.parameters.map(({ name, description = '' }) =>
          entry({ kind: 'field', href, name, text: description, within }),
        ),
        ...(body ? fieldsOf(body.schema, href, within) : []),
      ]
    }),
  ]
}

const heading = (found: Omit<ReferenceHit, 'kind'>, group: GuideGroup): Entry => ({
  ...found,
  kind: 'guide',
  titles: [found.name],
  weight: weights[group],
})

/** A guide as a whole, beside a section that is called the same. */
const wholeWeight = 1.15
/** Whoever asks for pages, links or feeds here seldom means those of the site. */
const siteWeight = 0.6

function* sectionsIn({ path, name: guide, title, group, sections }: Guide): Generator<Entry> {
  for (const { title: name, anchor, text } of sections) {
    const place = anchor === undefined ? { href: path } : { href: `${path}#${anchor}`, within: title }
    const found = heading({ ...place, name, text: plain(text) }, group)
    const times = (anchor === undefined ? wholeWeight : 1) * (guide === 'site' ? siteWeight : 1)
    yield { ...found, weight: found.weight * times }
  }
}

/** The fields of a shape, as deep as they go; a shape with a name tells its own. */
function fieldsOf(schema: Schema, href: string, within: string): Entry[] {
  const inner = [schema.items, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
      entry({ kind: 'field', href, name, text: field.description ?? '', within }),
      ...fieldsOf(field, href, within),
    ]),
    ...inner.flatMap((each) => (typeof each === 'object' ? fieldsOf(each, href, within) : [])),
  ]
}
