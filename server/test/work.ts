// What a verb does to the database, to be held against what it does for somebody else.
import type { Tx } from '../src/store/sql.ts'
import type { World } from './world.ts'

export interface Work {
  statements: string[]
  /** The rows that it wrote, by table. */
  written: (readonly [string, number])[]
}

/** Runs a verb, and tells its statements and the rows that it wrote. */
export function workOf(w: World, verb: (tx: Tx) => Promise<unknown>): Promise<Work> {
  const statements: string[] = []
  const textOf = (strings: readonly string[], values: readonly unknown[]): string =>
    strings.reduce((text, piece, n) => {
      const { part, values: inner = [] } = (values[n - 1] ?? {}) as { part?: string[]; values?: unknown[] }
      return `${text}${part ? textOf(part, inner) : '?'}${piece}`
    })
  return w.service.sql.transaction(async (tx) => {
    const watched = new Proxy(tx, {
      apply(target, self, [strings, ...values]: [TemplateStringsArray, ...unknown[]]) {
        statements.push(textOf(strings, values))
        return Reflect.apply(target, self, [strings, ...values])
      },
    })
    // The counters of a connection go on from its former transactions, so they are read twice.
    const before = await rowsWritten(tx)
    await verb(watched)
    const after = await rowsWritten(tx)
    const written = [...after].map(([table, rows]) => [table, rows - (before.get(table) ?? 0)] as const)
    return { statements, written: written.filter(([, rows]) => rows !== 0) }
  })
}

async function rowsWritten(tx: Tx): Promise<Map<string, number>> {
  const rows = await tx<{ written: string; rows: number }>`
    select relname || ' inserted' as written, n_tup_ins::int as rows from pg_stat_xact_user_tables
    union all select relname || ' updated', n_tup_upd::int from pg_stat_xact_user_tables order by written`
  return new Map(rows.map(({ written, rows }) => [written, rows]))
}
