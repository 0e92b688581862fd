// Example values for the reference: made from a schema, so that they always fit it.
import { type OpenApi, resolve, type Schema } from '../../http/openapi-document.ts'

const id = '0199a3f2-7c1e-7b4a-9d2e-5f8a1c3b6d70'
const time = '2026-09-30T12:00:00.000Z'

const maxDepth = 6

/** A value that the schema describes; optional fields of a request are left out. */
export function sample(document: OpenApi, schema: Schema, only: 'required' | 'all', name = '', depth = 0): unknown {
  const here = resolve<Schema>(document, schema)
  if (here.const !== undefined) return here.const
  if (here.default !== undefined && here.default !== null) return here.default
  if (here.enum) return here.enum[0]
  const next = (inner: Schema, key = name): unknown => sample(document, inner, only, key, depth + 1)
  const option = (here.anyOf ?? here.oneOf)?.find((each) => each.type !== 'null')
  if (option) return next(option)
  if (here.allOf) return Object.assign({}, ...here.allOf.map((each) => next(each)))
  switch (Array.isArray(here.type) ? here.type[0] : here.type) {
    case 'object': {
      if (depth > maxDepth) return {}
      const fields = Object.entries(here.properties ?? {})
      const shown = only === 'all' ? fields : fields.filter(([key]) => here.required?.includes(key))
      return Object.fromEntries(shown.map(([key, value]) => [key, next(value, key)]))
    }
    case 'array':
      return depth > maxDepth || typeof here.items !== 'object' ? [] : [next(here.items)]
    case 'integer':
    case 'number':
      return Math.max(here.minimum ?? 0, Math.min(here.maximum ?? 20, usual[name] ?? 1))
    case 'boolean':
      return true
    case 'null':
      return null
    case 'string':
      return text(here, name)
    default:
      return {}
  }
}

const usual: Readonly<Record<string, number>> = { page: 1, page_size: 20, total: 42, amount_minor: 10000 }

const examples: Readonly<Record<string, string>> = {
  handle: 'ada',
  display_name: 'Ada',
  title: 'A portrait in ink',
  text: 'Hello.',
  email: 'owner@example.org',
  code: '271828',
  token: 'kith_…',
  specialty: 'illustration',
  question: 'Which one?',
}

function text(schema: Schema, name: string): string {
  if (schema.format === 'uuid') return id
  if (schema.format === 'date-time') return time
  if (schema.contentEncoding === 'base64') return '…'
  return examples[name] ?? '…'
}
