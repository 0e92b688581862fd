// What of the board everyone sees, and how much of it there is: the rows of listed_tasks and their counters, written in the
// transaction of what they tell. docs/contract/tasks.md#who-sees-what.

import { type Part, part } from '../../kernel/part.ts'
import { type Counter, count } from '../../quotas/counters.ts'
import { only, type Query, type Tx } from '../../store/sql.ts'
import { isOpenByRow } from '../identity/passport.ts'
import { isHidden, note } from '../moderation/hidden.ts'
import { type TaskState, taskStates } from './machine.ts'

const counterOf = (state: TaskState): Counter => `listed_task_${state}`

export interface Customer {
  isPublic: boolean
  /** And not suspended: so says its own row. What is hidden is asked where something is listed. */
  isOpen: boolean
}

/**
 * A customer as it stays until this transaction ends. Whoever lists, unlists or ends a task, or counts a bid on it, comes by here
 * first: the customer's row, then the task's.
 */
export async function lockCustomer(tx: Tx, customerId: string): Promise<Customer> {
  return only(
    await tx<Customer>`
      select a.profile_public as "isPublic", ${isOpenByRow} as "isOpen" from agents a
      where a.id = ${customerId} for share`,
  )
}

type States = readonly { state: TaskState; tasks: number }[]

/** Lists those tasks (alias `t`) of customers whose rows say that they are open, but for what is hidden at this moment. */
async function list(tx: Tx, which: Part): Promise<void> {
  const shown = await tx<States[number]>`
    with shown as (
      insert into listed_tasks (task_id, customer_id, state, expires_at)
      select t.id, t.customer_id, t.state, t.expires_at from tasks t
      where ${which} and not ${isHidden('task', part`t.id`)} and not ${isHidden('profile', part`t.customer_id`)}
      on conflict do nothing returning state
    )
    select state, count(*)::int as tasks from shown group by state`
  await recount(tx, shown, 1)
}

async function unlist(tx: Tx, which: Part): Promise<void> {
  const gone = await tx<States[number]>`
    with gone as (delete from listed_tasks l where ${which} returning state)
    select state, count(*)::int as tasks from gone group by state`
  await recount(tx, gone, -1)
}

async function recount(tx: Tx, changed: States, by: 1 | -1): Promise<void> {
  // Always in one order, so that two that change the same counters wait for each other in one direction.
  for (const state of taskStates) {
    await count(tx, counterOf(state), by * (changed.find((each) => each.state === state)?.tasks ?? 0))
  }
}

/** Lists a new task, whose customer is locked, where everyone may see it. */
export async function listNew(tx: Tx, id: string, { isOpen }: Customer): Promise<void> {
  if (isOpen) await list(tx, part`t.id = ${id}`)
}

/** Lists a locked task under the state that it has come to, where it is listed at all. */
export async function relistAs(tx: Tx, id: string, was: TaskState, is: TaskState): Promise<void> {
  const moved = await tx`update listed_tasks set state = ${is} where task_id = ${id} returning 1`
  if (moved.length === 0) return
  await count(tx, counterOf(was), -1)
  await count(tx, counterOf(is), 1)
}

/** Lists a locked task, whose customer is locked, until another time, where it is listed at all. */
export async function relistUntil(tx: Tx, id: string, expiry: Date): Promise<void> {
  await tx`update listed_tasks set expires_at = ${expiry} where task_id = ${id}`
}

/**
 * Shows or hides all tasks of a customer whose profile opens, closes, is suspended, hidden or restored. The caller holds the
 * customer's row (`for no key update`), so none of its tasks is being listed or ended.
 */
export const relistTasks = (tx: Tx, customerId: string, open: boolean): Promise<void> =>
  open ? list(tx, part`t.customer_id = ${customerId}`) : unlist(tx, part`l.customer_id = ${customerId}`)

/** Hides a task from all but its customer, or shows it again; false if there is none, or it was so already. */
export async function setTaskHidden(tx: Tx, id: string, hidden: boolean): Promise<boolean> {
  const [task] = await tx<{ customer_id: string }>`select customer_id from tasks where id = ${id}`
  if (!task) return false
  const customer = await lockCustomer(tx, task.customer_id)
  await tx`select 1 from tasks where id = ${id} for no key update`
  if (!(await note(tx, 'task', id, hidden))) return false
  if (hidden) await unlist(tx, part`l.task_id = ${id}`)
  else await listNew(tx, id, customer)
  return true
}

/** Whether everyone sees a task, by the id that a statement has for it: the one rule. */
export const isListed = (id: Part): Part => part`exists (select 1 from listed_tasks l where l.task_id = ${id} offset 0)`

/** Whether everyone sees a task in a state at a moment, whether that is written or not. */
export const isListedAs = (id: Part, state: TaskState, now: Date): Part => part`exists (
  select 1 from listed_tasks l where l.task_id = ${id}
    and case when l.state = 'open' and l.expires_at <= ${now} then 'expired' else l.state end = ${state} offset 0)`

/** The rows (id) that are listed as open although their time is over: no more than a sweep has not come to yet. */
export const lapsedRows = (now: Date): Part => part`
  select t.id from tasks t where t.state = 'open' and t.expires_at <= ${now} and ${isListed(part`t.id`)}`

/** How many tasks of a state are listed at a moment: those whose time is over count as expired, whether that is written or not. */
export async function listedTotal(sql: Query, state: TaskState, now: Date): Promise<number> {
  const { total } = only(
    await sql<{ total: number }>`
      select coalesce(sum(value), 0)::bigint as total from counters where name = ${counterOf(state)}`,
  )
  if (state !== 'open' && state !== 'expired') return total
  const { due } = only(await sql<{ due: number }>`select count(*)::int as due from (${lapsedRows(now)}) lapsed`)
  return state === 'open' ? total - due : total + due
}
