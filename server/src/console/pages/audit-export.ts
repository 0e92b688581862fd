// What a filter of the audit log finds, as a file: all of it, in the order of the pages. docs/operating.md#the-console.
import type { LivePage } from '../../http/page.ts'
import { sceneOf } from '../../site/view.ts'
import { type Entry, everyEntry } from '../../store/audit.ts'
import { admitted } from '../own.ts'
import { auditFilter, auditPath, auditQuery } from './audit.ts'

interface Format {
  ending: string
  contentType: string
  summary: string
  head: string
  line: (entry: Entry) => string
}

const columns = ['id', 'created_at', 'actor', 'action', 'subject', 'reason', 'details'] as const

const formats: readonly Format[] = [
  {
    ending: 'csv',
    contentType: 'text/csv; charset=utf-8',
    summary: 'What a filter of the audit log finds, for a spreadsheet',
    head: `${columns.join(',')}\r\n`,
    line: (entry) => {
      const { details } = entry
      const told = { ...entry, created_at: entry.created_at.toISOString(), details: details && JSON.stringify(details) }
      return `${columns.map((name) => cell(told[name] ?? '')).join(',')}\r\n`
    },
  },
  {
    ending: 'jsonl',
    contentType: 'application/jsonl; charset=utf-8',
    summary: 'What a filter of the audit log finds, an entry a line',
    head: '',
    line: (entry) => `${JSON.stringify(Object.fromEntries(columns.map((name) => [name, entry[name]])))}\n`,
  },
]

// Of whatever width, for some programs read the fullwidth signs as the plain ones; behind what shows nothing; and a tab
// or the end of a line, where another cell may begin.
const formula = /^[\s\p{Cf}\p{Default_Ignorable_Code_Point}]*[=+\-\u2212@]|^[\t\r\n]/u

/** Quoted always. A spreadsheet runs what begins like a formula: with a mark before it, it is a text. */
const cell = (text: string): string =>
  `"${(formula.test(text.normalize('NFKC')) ? `'${text}` : text).replaceAll('"', '""')}"`

export const auditExports: readonly LivePage[] = formats.map(({ ending, contentType, summary, head, line }) => ({
  path: `${auditPath}.${ending}`,
  summary,
  caller: 'anyone',
  cache: 'never',
  knows: 'operator',
  query: auditQuery,
  show: async (visit) => {
    const operator = admitted(visit)
    if ('to' in operator) return operator
    const { filter, problems } = auditFilter(sceneOf(visit))
    if (Object.keys(problems).length > 0) return undefined
    async function* bytes(): AsyncGenerator<string> {
      if (head !== '') yield head
      for await (const found of everyEntry(visit.service.sql, filter)) yield found.map(line).join('')
    }
    return { chunks: bytes, contentType, fileName: `audit.${ending}` }
  },
}))
