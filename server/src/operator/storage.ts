// What files cost, in total and by the largest users, as the operator sees it. docs/contract/attachments.md#quotas.
import type { Page } from '../kernel/lists.ts'
import { type KeptInState, keepers, keptByState } from '../modules/attachments/overview.ts'
import { quotas, totalUsage } from '../modules/attachments/usage.ts'
import { type PartyName, partyNames } from '../modules/parties/names.ts'
import type { Query, Sql } from '../store/sql.ts'
import type { StorageUsageRow } from '../store/tables.ts'

/** An agent or a customer; customers have no handle. */
export interface Keeper extends Omit<StorageUsageRow, 'owner_id'>, Pick<PartyName, 'id' | 'handle' | 'display_name'> {}

export interface Storage {
  bytes: { used: number; limit: number }
  files: { used: number; limit: number }
  /** Every upload that there ever was. */
  upload_records: number
  owner_limits: { bytes: number; files: number; upload_records: number }
  states: KeptInState[]
  /** Bytes whose time has come, and those on their way out. */
  purges: { due: number; purging: number }
  keepers: Keeper[]
  /** How many keep anything. */
  keepers_total: number
}

const few = 20

export const storage = (sql: Sql, page: Page = { page: 1, page_size: few }): Promise<Storage> =>
  sql.snapshot(async (tx) => {
    const [sums, states, found] = await Promise.all([totalUsage(tx), keptByState(tx, tx.now), keepers(tx, page)])
    const { bytes, files } = quotas.platform
    return {
      bytes: { used: sums.bytes, limit: bytes },
      files: { used: sums.files, limit: files },
      upload_records: sums.upload_records,
      owner_limits: quotas.owner,
      states: states.kept,
      purges: { due: states.due, purging: states.kept.find(({ status }) => status === 'purging')?.files ?? 0 },
      keepers: await named(tx, found.rows),
      keepers_total: found.total,
    }
  })

async function named(sql: Query, found: readonly StorageUsageRow[]): Promise<Keeper[]> {
  const ids = found.map(({ owner_id: id }) => id)
  const names = await sql<PartyName>`
    select n.id, n.handle, n.display_name from ${partyNames} n where n.id = any(${ids}::uuid[])`
  const byId = new Map(names.map((each) => [each.id, each]))
  return found.map(({ owner_id: id, ...sums }) => ({ ...sums, ...(byId.get(id) as PartyName) }))
}
