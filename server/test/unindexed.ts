// Rows in bulk: adding them to an index of grams one by one takes most of the time; building it afterwards is quicker.
import assert from 'node:assert/strict'
import type { Sql } from '../src/store/sql.ts'

/** Drops the table's indexes of grams while `work` runs. */
export async function withoutGrams(sql: Sql, table: string, work: () => Promise<void>): Promise<void> {
  const indexes = await sql<{ name: string; definition: string }>`
    select indexname as name, indexdef as definition from pg_indexes
    where tablename = ${table} and indexname like '%by_gram'`
  assert.ok(indexes.length > 0, `${table} has no index of grams`)
  for (const { name } of indexes) await sql.pool.query(`drop index ${name}`)
  await work()
  for (const { definition } of indexes) await sql.pool.query(definition)
}
