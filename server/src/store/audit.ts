// The audit log: every action of an operator or of staff, with who, what, on whom, why and when. Entries never change.
import { after, firstIdOf, minutes } from '../kernel/clock.ts'
import { before as cut } from '../kernel/lists.ts'
import { part } from '../kernel/part.ts'
import type { Query, Tx } from './sql.ts'
import type { AuditLogRow } from './tables.ts'

/** All that is recorded. */
export type Action =
  | `agent.${'export' | 'restore' | 'suspend'}`
  | `customer.${'end_sessions' | 'restore' | 'suspend'}`
  | `dispute.${'refund' | 'resume'}`
  | `${'editorial' | 'staff'}.${'assign' | 'revoke'}`
  | `mail.${'drop' | 'retry'}`
  | `moderation.${'approve' | 'confirm' | 'look' | 'reject' | 'remove' | 'restore'}`
  | `operator.${'create' | 'link' | 'remove'}`
  | `passkey.${'add' | 'remove' | 'rename'}`
  | `session.${'begin' | 'end' | 'end_all'}`
  | 'console.search'
  | 'credits.grant'
  | 'feedback.answer'
  | 'keys.rotate'
  | 'ledger.verify'

/** `subject` is a handle, or the ID of the thing; `details` are the action's other inputs. */
export interface Entry extends AuditLogRow {
  details: Record<string, string | number> | null
}

type Given = Pick<Entry, 'actor' | 'subject' | 'reason'> & { action: Action; details?: Entry['details'] }

/** Writes an entry in the transaction of the action itself: neither exists without the other. */
export async function record(tx: Tx, { details = null, ...given }: Given): Promise<Entry> {
  const written = { id: tx.newId(), ...given, details, created_at: tx.now }
  await tx`
    insert into audit_log (id, actor, action, subject, reason, details, created_at)
    values (${written.id}, ${written.actor}, ${written.action}, ${written.subject}, ${written.reason},
      ${details && JSON.stringify(details)}::json, ${tx.now})`
  return written
}

/**
 * Writes those of these entries that were not written since a moment with the same details; two simultaneous calls by
 * one actor write each of them once.
 */
export async function recordOnceSince(tx: Tx, since: Date, given: readonly Given[]): Promise<void> {
  const [first] = given
  if (!first) return
  await tx`select pg_advisory_xact_lock(hashtextextended(${`audit ${first.actor}`}, 0))`
  // A separate statement, which sees what the previous holder of the lock wrote.
  const told = await tx<Pick<Entry, 'actor' | 'action' | 'subject' | 'details'>>`
    select actor, action, subject, details from audit_log
    where subject = any(${given.map(({ subject }) => subject)}::text[]) and id >= ${firstIdOf(since)} and created_at >= ${since}`
  const known = new Set(told.map(keyOfEntry))
  for (const each of given) {
    if (known.has(keyOfEntry(each))) continue
    known.add(keyOfEntry(each))
    await record(tx, each)
  }
}

const keyOfEntry = ({ actor, action, subject, details }: Omit<Given, 'action' | 'reason'> & { action: string }) =>
  JSON.stringify([actor, action, subject, details ?? null])

export const longestPage = 1000

/** A filter of the log; empty means everything. */
export interface Filter {
  actor?: string | undefined
  action?: string | undefined
  subject?: string | undefined
  /** From this moment on. */
  from?: Date | undefined
  /** Before this moment. */
  until?: Date | undefined
}

export interface Stretch extends Filter {
  /** Without entries of this action. */
  exceptAction?: string
  limit: number
  /** The ID of an entry: only older ones. */
  before?: string | undefined
}

/** Entries newest first, before the entry with an ID if given. */
export async function entries(
  sql: Query,
  { limit, before, exceptAction, ...filter }: Stretch,
): Promise<{ entries: Entry[]; next_before: string | null }> {
  const { actor, action, subject, from, until } = filter
  // An ID may be from a later millisecond than its moment: a process can create IDs ahead of its clock.
  const end = until && firstIdOf(after(until, minutes(1)))
  const high = [before?.toLowerCase() ?? afterAll, end ?? afterAll].sort()[0] as string
  const { key, least, most, order } = keyOf(filter, from ? firstIdOf(from) : beforeAll, high)
  const rows = await sql<Entry>`
    select id, actor, action, subject, reason, details, created_at from audit_log
    where ${key} >= ${least} and ${key} < ${most}
      ${subject !== undefined && actor !== undefined ? part`and actor = ${actor}` : part``}
      ${subject !== undefined && action !== undefined ? part`and action = ${action}` : part``}
      ${exceptAction === undefined ? part`` : part`and action <> ${exceptAction}`}
      ${from === undefined ? part`` : part`and created_at >= ${from}`}
      ${until === undefined ? part`` : part`and created_at < ${until}`}
    order by ${order} limit (select ${limit + 1}::int)`
  const { rows: page, next_before } = cut(rows, limit)
  return { entries: page, next_before }
}

const beforeAll = '00000000-0000-0000-0000-000000000000'
const afterAll = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/**
 * The key of the index that has a filter's entries in order, and its bounds. They are compared as rows, not column by
 * column, so that no plan reads the whole log by ID and drops the rest.
 */
function keyOf({ actor, action, subject }: Filter, low: string, high: string) {
  if (subject !== undefined) {
    const order = part`subject desc, id desc`
    return { key: part`(subject, id)`, least: part`(${subject}, ${low})`, most: part`(${subject}, ${high})`, order }
  }
  if (actor !== undefined && action !== undefined) {
    return {
      key: part`(actor, action, id)`,
      least: part`(${actor}, ${action}, ${low})`,
      most: part`(${actor}, ${action}, ${high})`,
      order: part`actor desc, action desc, id desc`,
    }
  }
  if (actor !== undefined) {
    const order = part`actor desc, id desc`
    return { key: part`(actor, id)`, least: part`(${actor}, ${low})`, most: part`(${actor}, ${high})`, order }
  }
  if (action !== undefined) {
    const order = part`action desc, id desc`
    return { key: part`(action, id)`, least: part`(${action}, ${low})`, most: part`(${action}, ${high})`, order }
  }
  return { key: part`id`, least: part`${low}`, most: part`${high}`, order: part`id desc` }
}

/** How many entries are read at a time when exporting all. */
const batch = 500

/** Everything that matches a filter, newest first, in batches; entries written meanwhile are newer and not included. */
export async function* everyEntry(sql: Query, filter: Filter): AsyncGenerator<Entry[]> {
  let before: string | undefined
  do {
    const found = await entries(sql, { ...filter, limit: batch, before })
    if (found.entries.length > 0) yield found.entries
    before = found.next_before ?? undefined
  } while (before !== undefined)
}

/** Every action with an entry, sorted by name: the index finds each from the previous one. */
export async function actionsSeen(sql: Query): Promise<string[]> {
  const rows = await sql<{ action: string }>`
    with recursive seen (action) as (
      (select action from audit_log order by action limit 1)
      union all
      select (select a.action from audit_log a where a.action > s.action order by a.action limit 1)
      from seen s where s.action is not null
    )
    select action from seen where action is not null`
  return rows.map(({ action }) => action)
}
