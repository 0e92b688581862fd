import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from '../src/store/sql.ts'

/**
 * Vacuums tables and gathers their statistics before a story looks at plans. A snapshot that is older than their rows, as a
 * sweep may hold for a moment, keeps a vacuum from marking pages as visible to all, and without that mark the planner
 * avoids index-only scans: so it is repeated for up to 5 s. A few dead rows have the same effect, unless
 * their index entries are removed too.
 */
export async function vacuum(sql: Sql, ...tables: string[]): Promise<void> {
  for (let attempt = 0; attempt < 50; attempt++) {
    await sql.pool.query(`vacuum (analyze, index_cleanup on) ${tables.join(', ')}`)
    const { rows } = await sql.pool.query(
      'select 1 from pg_class where oid = any ($1::regclass[]) and relallvisible < relpages limit 1',
      [tables],
    )
    if (rows.length === 0) return
    await sleep(100)
  }
}
