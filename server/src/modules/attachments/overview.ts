// What all files cost, for the operator. As many are kept as the quota of the platform allows, so that they may be counted.
import { offsetOf, type Page } from '../../kernel/lists.ts'
import { only, type Query } from '../../store/sql.ts'
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

/** The largest users, and how many keep anything. */
export async function keepers(sql: Query, page: Page): Promise<{ keepers: StorageUsageRow[]; total: number }> {
  const [{ total }, found] = await Promise.all([
    sql<{ total: number }>`
      select count(*)::int as total from storage_usage where bytes > 0 and owner_id <> ${platform}`.then(only),
    sql<StorageUsageRow>`
      select * from storage_usage where bytes > 0 and owner_id <> ${platform} order by bytes desc, owner_id desc
      limit (select ${page.page_size}::int) offset (select ${offsetOf(page)}::int)`,
  ])
  return { keepers: found, total }
}
