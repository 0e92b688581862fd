// The shapes of the reference: the fields of requests and answers, their types and limits.
import type { Schema } from '../../http/openapi-document.ts'
import { type Html, type HtmlPart, html, join } from '../html.ts'
import { inline } from '../markdown.ts'
import type { Words } from '../words.ts'
import { type Book, shapePath } from './reference-book.ts'

/** In an answer only what may be missing is worth a word; in a request, what must be there. */
type Side = 'request' | 'answer'

/** The fields of a shape, with the shapes below it that have no name of their own. */
export function shape(book: Book, schema: Schema, side: Side = 'answer'): Html {
  const { words, english } = book
  const named = referenceName(schema)
  if (named) return html`<p class="note">${schemaLink(book, named)}</p>`
  const views = schema.anyOf?.filter((each) => each.properties) ?? []
  if (views.length > 1) {
    return html`${views.map(
      (each) =>
        html`${each.description && html`<p${english}>${inline(each.description)}</p>`}${shape(book, each, side)}`,
    )}`
  }
  const fields = Object.entries(schema.properties ?? {})
  if (fields.length === 0) {
    return html`<div class="note">${schema.type === 'object' ? words('docs.empty') : describeType(words, schema)} ${limits(words, schema)}</div>`
  }
  return html`<dl class="fields">${fields.map(([name, each]) => field(book, name, each, schema.required?.includes(name) ?? false, side))}</dl>`
}

export function field(book: Book, name: string, schema: Schema, required: boolean, side: Side): Html {
  const { words, english } = book
  const inner = innerObject(schema)
  return html`<div class="field"><dt><code class="name">${name}</code> <span class="type">${typePart(book, schema)}</span>${requiredness(words, required, side)}</dt>
<dd>${schema.description && html`<p${english}>${inline(schema.description)}</p>`}${limits(words, schema)}${inner && shape(book, inner, side)}</dd></div>`
}

const requiredness = (words: Words, required: boolean, side: Side): HtmlPart =>
  required
    ? side === 'request' && html` <span class="required">${words('docs.required')}</span>`
    : html` <span class="optional">${words('docs.optional')}</span>`

/** The object inside a field that is told where the field is: the field itself, an element, or what null may replace. */
function innerObject(schema: Schema): Schema | undefined {
  if (schema.properties) return schema
  if (typeof schema.items === 'object') return innerObject(schema.items)
  const options = schema.anyOf?.filter((each) => each.type !== 'null')
  return options?.length === 1 ? innerObject(options[0] as Schema) : undefined
}

const referenceName = (schema: Schema): string | undefined => schema.$ref?.split('/').at(-1)

const schemaLink = (book: Book, name: string): Html =>
  html`<a class="shape-link" href="${shapePath(book, name)}">${name}</a>`

function typePart(book: Book, schema: Schema): HtmlPart {
  const { words } = book
  const named = referenceName(schema)
  if (named) return schemaLink(book, named)
  if (typeof schema.items === 'object') return words('docs.list', { type: typePart(book, schema.items) })
  const options = schema.anyOf ?? schema.oneOf ?? schema.allOf
  if (options) {
    const between = words.text(schema.allOf ? 'docs.and' : 'docs.or')
    return join(
      options.map((each) => typePart(book, each)),
      ` ${between} `,
    )
  }
  return describeType(words, schema)
}

function describeType(words: Words, schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  const formats: Readonly<Record<string, string>> = { uuid: 'UUID', 'date-time': words.text('docs.time'), uri: 'URL' }
  const unnamed = words.text(schema.enum ? 'docs.choice' : 'docs.anything')
  const types = Array.isArray(schema.type) ? schema.type : [schema.type ?? unnamed]
  const base = schema.contentEncoding === 'base64' ? 'base64' : formats[schema.format ?? '']
  return types.map((type) => (type === 'string' && base ? base : type)).join(` ${words.text('docs.or')} `)
}

/** What a value has so many of. */
function range(words: Words, unit: 'characters' | 'entries', low = 0, high?: number): HtmlPart {
  if (low === high) return words(`docs.${unit}.exactly`, { high })
  if (high === undefined) return low > 0 && words(`docs.${unit}.least`, { low })
  return low > 0 ? words(`docs.${unit}.range`, { low, high }) : words(`docs.${unit}.most`, { high })
}

function between(words: Words, low?: number, high?: number): HtmlPart {
  if (low !== undefined && high !== undefined) return words('docs.value.range', { low, high })
  if (low !== undefined) return words('docs.value.least', { low })
  return high !== undefined && words('docs.value.most', { high })
}

function limits(words: Words, schema: Schema): HtmlPart {
  const facts: HtmlPart[] = [
    !schema.contentEncoding && range(words, 'characters', schema.minLength, schema.maxLength),
    between(words, schema.minimum, schema.maximum),
    range(words, 'entries', schema.minItems, schema.maxItems),
    schema.uniqueItems && words('docs.distinct'),
    schema.pattern !== undefined &&
      schema.format !== 'uuid' &&
      words('docs.pattern', { pattern: html`<code>${schema.pattern}</code>` }),
    schema.default !== undefined &&
      words('docs.default', { value: html`<code>${JSON.stringify(schema.default)}</code>` }),
  ].filter((fact) => fact !== undefined && fact !== false)
  const values = schema.enum?.filter((each) => each !== null)
  return html`${
    values &&
    html`<p class="values">${join(
      values.map((each) => html`<code>${String(each)}</code>`),
      ' ',
    )}</p>`
  }${facts.length > 0 && html`<p class="limits">${join(facts, html`<span aria-hidden="true"> · </span>`)}</p>`}`
}
