// What all files cost, for the operator. As many are kept as the quota of the platform allows, so that they may be counted.
import type { Page, Rows } from '../../kernel/lists.ts'
import { part } from '../../kernel/part.ts'
import { pageOf } from '../../store/page-of.ts'
import type { Query } from '../../store/sql.ts'
import type { StorageUsageRow } from '../../store/tables.ts'
import { platform } from './usage.ts'

export interface KeptInState {
  status: 'pending' | 'ready' | 'retained' | 'purging'
  files: number
  bytes: number
}

/** What is kept, by its state, and of how many files the time has come. */
export async function keptByState(sql: Query, now: Date): Promise<{ kept: KeptInState[]; due: number }> {
  const [kept, [due]] = await Promise.all([
    sql<KeptInState>`
      select status, count(*)::int as files, sum(allocated_bytes)::bigint as bytes from attachments
      where status not in ('rejected', 'purged') group by status order by status`,
    sql<{ files: number }>`
      select count(*)::int as files from attachments
      where purge_after is not null and status in ('ready', 'retained') and purge_after <= ${now}`,
  ])
  return { kept, due: due?.files ?? 0 }
}

/** The users that keep anything, the largest first. */
export const keepers = (sql: Query, page: Page): Promise<Rows<StorageUsageRow>> =>
  pageOf(sql, page, {
    those: [part`from storage_usage where bytes > 0 and owner_id <> ${platform}`],
    order: part`bytes desc, owner_id desc`,
  })
