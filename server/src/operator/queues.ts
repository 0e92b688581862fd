// What waits, on the whole and by number: what the operator's `queue` shows. Each room says what waits with it.
import type { Queue } from '../module.ts'
import type { Sql } from '../store/sql.ts'

export interface Waiting {
  /** What was found, by the name of its queue. */
  json: Record<string, object>
  text: string
}

/** What waits in all queues, in one state of the database. */
export function look(sql: Sql, queues: readonly Queue[]): Promise<Waiting> {
  return sql.snapshot(async (tx) => {
    const json: Record<string, object> = {}
    const lines: string[] = []
    for (const { name, read, lines: linesOf } of queues) {
      const found = await read(tx)
      json[name] = found
      lines.push(...linesOf(found, tx.now))
    }
    return { json, text: lines.join('\n') }
  })
}
