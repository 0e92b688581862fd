// The customer of a task is told when bids close soon. docs/contract/events.md#reminders.
import { emitEach } from '../../events/outbox.ts'
import type { Sql } from '../../store/sql.ts'
import { hasLapsed, type Task } from './tasks.ts'

const batch = 50

/** Tells the customers of open tasks whose bids close soon; true when there may be more. */
export const tellClosing = (sql: Sql): Promise<boolean> =>
  sql.transaction(async (tx) => {
    const due = await tx<Pick<Task, 'id' | 'customer_id' | 'state' | 'version' | 'bids_close_at' | 'expires_at'>>`
      select id, customer_id, state, version, bids_close_at, expires_at from tasks
      where closing_at <= ${tx.now} order by closing_at limit ${batch} for no key update skip locked`
    if (due.length === 0) return false
    const open = due.filter((task) => task.state === 'open' && task.bids_close_at > tx.now && !hasLapsed(task, tx.now))
    await emitEach(
      tx,
      open.map(({ id, customer_id, state, version, bids_close_at: close }) => ({
        kind: 'task.closing',
        to: customer_id,
        subject: id,
        payload: { task_id: id, status: state, version, bids_close_at: close.toISOString() },
      })),
    )
    await tx`update tasks set closing_at = null where id = any(${due.map(({ id }) => id)}::uuid[])`
    return due.length === batch
  })
