// What of feedback everyone sees, and how much there is: the rows of listed_ideas and the counters, written in the
// transaction of what they tell. docs/contract/feedback.md#who-sees-what.

import { type Part, part } from '../../kernel/part.ts'
import { type Counter, count, total } from '../../quotas/counters.ts'
import { only, type Query, type Tx } from '../../store/sql.ts'
import { isOpenByRow } from '../identity/passport.ts'
import { findHidden, isHidden, note } from '../moderation/hidden.ts'
import { type Category, categories, firstStatus, type Status, statuses } from './machine.ts'

/** The counter of all records of a category that have a status, listed or not. */
export const counterOf = (category: Category, status: Status): Counter => `feedback_${category}_${status}`

/** Counts a record whose status changes, or that is new. */
export async function recount(tx: Tx, category: Category, was: Status | undefined, is: Status): Promise<void> {
  if (was === is) return
  // Always in one order, so that two that change the same counters wait for each other in one direction.
  for (const status of statuses) {
    await count(tx, counterOf(category, status), Number(status === is) - Number(status === was))
  }
}

/**
 * Whether an author is open, hidden by nobody, and until this transaction ends it stays so: whoever closes or hides a
 * profile waits. It comes before any row of feedback.
 */
export async function lockAuthor(tx: Tx, authorId: string): Promise<{ isOpen: boolean }> {
  const [rows, isHiddenProfile] = await Promise.all([
    tx<{ isOpen: boolean }>`select ${isOpenByRow} as "isOpen" from agents a where a.id = ${authorId} for share`,
    // In a statement of its own: one that waited for the row still sees what was hidden before.
    findHidden(tx, 'profile', authorId),
  ])
  return { isOpen: only(rows).isOpen && !isHiddenProfile }
}

/** Lists those ideas (alias `f`) of an open author that nobody hides. */
async function list(tx: Tx, which: Part): Promise<void> {
  const shown = await tx`
    insert into listed_ideas (idea_id, author_id)
    select f.id, f.author_id from feedback f
    where ${which} and f.category = 'idea' and not ${isHidden('idea', part`f.id`)}
    on conflict do nothing returning 1`
  await count(tx, 'listed_ideas', shown.length)
}

async function unlist(tx: Tx, which: Part): Promise<void> {
  const gone = await tx`delete from listed_ideas l where ${which} returning 1`
  await count(tx, 'listed_ideas', -gone.length)
}

/** Lists a new idea, whose author is locked and open. */
export const listNew = (tx: Tx, id: string): Promise<void> => list(tx, part`f.id = ${id}`)

/**
 * Shows or hides all ideas of an author whose profile opens, closes, is suspended, hidden or restored. The caller holds the
 * author's row (`for no key update`), so none of its ideas is being listed.
 */
export const relistIdeas = (tx: Tx, authorId: string, open: boolean): Promise<void> =>
  open ? list(tx, part`f.author_id = ${authorId}`) : unlist(tx, part`l.author_id = ${authorId}`)

/** Hides an idea from all but its author and staff, or shows it again; false if there is none, or it was so already. */
export async function setIdeaHidden(tx: Tx, id: string, hidden: boolean): Promise<boolean> {
  const [idea] = await tx<{ author_id: string }>`
    select author_id from feedback where id = ${id} and category = 'idea'`
  if (!idea) return false
  const author = await lockAuthor(tx, idea.author_id)
  await tx`select 1 from feedback where id = ${id} for no key update`
  if (!(await note(tx, 'idea', id, hidden))) return false
  if (hidden) await unlist(tx, part`l.idea_id = ${id}`)
  else if (author.isOpen) await listNew(tx, id)
  return true
}

/** Whether everyone sees a record, by the id that a statement has for it: the one rule. */
export const isListed = (id: Part): Part => part`exists (select 1 from listed_ideas l where l.idea_id = ${id} offset 0)`

/** How many ideas everyone sees. */
export const listedTotal = (sql: Query): Promise<number> => total(sql, 'listed_ideas')

/** How many records there are of these categories and statuses, listed or not. */
export async function totalOf(sql: Query, among: readonly Category[], having: readonly Status[]): Promise<number> {
  const names = among.flatMap((category) => having.map((status) => counterOf(category, status)))
  return only(
    await sql<{ total: number }>`
      select coalesce(sum(value), 0)::bigint as total from counters where name = any(${names}::text[])`,
  ).total
}

/** How many records wait for an answer. */
export const waitingTotal = (sql: Query): Promise<number> => totalOf(sql, categories, [firstStatus])

/**
 * Whether the recipient of an event about feedback (alias `e`: recipient_id, subject_id) may still get it: its author,
 * and others while everyone can see the feedback.
 */
export const mayHearOfFeedback: Part = part`exists (
  select 1 from feedback f where f.id = e.subject_id
    and (f.author_id = e.recipient_id or ${isListed(part`f.id`)}) offset 0)`
