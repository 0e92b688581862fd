// What 90 days end: reading already refuses it (isLiving); here the bytes go.
import { earlier, firstIdOf } from '../../kernel/clock.ts'
import type { Query } from '../../store/sql.ts'
import { retention } from './messages.ts'

const batch = 1000
const watermark = 'messages_forgotten_before'

/**
 * Empties the next envelopes older than 90 days and drops their receipts; the tombstones stay. Ids begin with their
 * time, so a watermark over them spares the tombstones of years; for its sake a second sweeper waits and skips nothing.
 * True when there may be more.
 */
export async function forgetMessages(sql: Query, now: Date): Promise<boolean> {
  const cutoff = earlier(now, retention)
  const rows = await sql<{ last: string | null; seen: number }>`
    with from_id as (
      select coalesce((select value from instance where name = ${watermark}), '00000000-0000-0000-0000-000000000000')::uuid as id
    ),
    old as (
      select m.id from messages m where m.id > (select id from from_id) and m.id < ${firstIdOf(cutoff)}
      order by m.id limit ${batch} for update
    ),
    emptied as (
      update messages m set ciphertext = null from old where m.id = old.id and m.ciphertext is not null
    ),
    dropped as (delete from message_receipts t using old where t.message_id = old.id),
    moved as (
      insert into instance (name, value) select ${watermark}, max(id::text) from old having count(*) > 0
      on conflict (name) do update set value = greatest(instance.value, excluded.value)
    )
    select max(id::text) as last, count(*)::int as seen from old`
  return (rows[0]?.seen ?? 0) === batch
}
