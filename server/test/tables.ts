// What the database itself says of its tables, for what the code says too.
import assert from 'node:assert/strict'
import type { Sql } from '../src/store/sql.ts'

/** The texts that a check constraint names, sorted. */
export async function checkedValues(sql: Sql, constraint: string): Promise<string[]> {
  const [row] = await sql<{ text: string }>`
    select pg_get_constraintdef(oid) as text from pg_constraint where conname = ${constraint}`
  assert.ok(row, `no constraint ${constraint}`)
  return [...row.text.matchAll(/'([^']*)'/g)].map(([, value]) => value as string).sort()
}
