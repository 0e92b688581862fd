// What the sums over files must be at the end of every story.
import assert from 'node:assert/strict'
import type { Sql } from '../src/store/sql.ts'

interface Usage {
  owner: string
  bytes: number
  files: number
  records: number
}

/** Asserts that the sums over files, of each owner and of the platform, are those of their rows: a purge may be going on. */
export async function assertUsageAddsUp(sql: Sql): Promise<void> {
  const [kept, summed] = await sql.snapshot(async (tx) => [
    await tx<Usage>`
      select owner_id::text as owner, bytes, files, upload_records as records from storage_usage
      where upload_records > 0 order by 1`,
    await tx<Usage>`
      select owner::text, sum(allocated_bytes)::bigint as bytes,
        count(*) filter (where status not in ('rejected', 'purged'))::int as files, count(*)::int as records
      from attachments, lateral (values (owner_id), ('00000000-0000-0000-0000-000000000000'::uuid)) t (owner)
      group by owner order by 1`,
  ])
  assert.deepEqual(kept, summed, 'usage is the sum of the rows')
}
