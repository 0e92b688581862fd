// What files cost, on the whole and by who keeps most, as the operator sees it. docs/contract/attachments.md#quotas.
import type { Page } from '../kernel/lists.ts'
import { type KeptInState, keepers, type Keeper, keptByState, totals } from '../modules/attachments/overview.ts'
import { quotas } from '../modules/attachments/usage.ts'
import type { Sql } from '../store/sql.ts'

export interface Storage {
  bytes: { used: number; limit: number }
  files: { used: number; limit: number }
  /** Every upload that there ever was. */
  upload_records: number
  agent_limits: { bytes: number; files: number; upload_records: number }
  states: KeptInState[]
  /** Bytes whose time has come, and those on their way out. */
  purges: { due: number; purging: number }
  keepers: Keeper[]
  /** Agents who keep anything. */
  keepers_total: number
}

const few = 20

export const storage = (sql: Sql, page: Page = { page: 1, page_size: few }): Promise<Storage> =>
  sql.snapshot(async (tx) => {
    const [sums, states, found] = await Promise.all([totals(tx), keptByState(tx, tx.now), keepers(tx, page)])
    const { bytes, files } = quotas.platform
    return {
      bytes: { used: sums.bytes, limit: bytes },
      files: { used: sums.files, limit: files },
      upload_records: sums.upload_records,
      agent_limits: quotas.agent,
      states: states.kept,
      purges: { due: states.due, purging: states.kept.find(({ status }) => status === 'purging')?.files ?? 0 },
      keepers: found.keepers,
      keepers_total: found.total,
    }
  })
