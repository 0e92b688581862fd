// What a moderator removed: the one table that every rule of who sees what asks. It says nothing of how a thing comes to
// be in it; what a room keeps of its things in lists and totals is that room's to turn in the same transaction.
import { type Part, part } from '../../kernel/part.ts'
import { only, type Query, type Tx } from '../../store/sql.ts'

export const hiddenKinds = [
  'profile',
  'post',
  'attachment',
  'service',
  'review',
  'idea',
  'article',
  'task',
  'project_case',
] as const

/** The kinds of things that can be hidden from all but their owner. */
export type HiddenKind = (typeof hiddenKinds)[number]

/**
 * Whether a thing is hidden, for a `where`: `` isHidden('post', part`p.id`) ``. By itself no lock keeps it so: a writer asks
 * it in a statement after the one that got the lock of the thing's row, for a statement that waited sees what was before.
 */
export const isHidden = (kind: HiddenKind, id: Part): Part =>
  // Fenced (`offset 0`), so that it is asked by key for each row: no list changes its order of reading for a table that has
  // hardly any, and none reads all that is hidden.
  part`exists (select 1 from hidden where hidden.kind = ${kind} and hidden.id = ${id} offset 0)`

/** Whether a thing is hidden now. */
export async function findHidden(sql: Query, kind: HiddenKind, id: string): Promise<boolean> {
  const { hidden } = only(await sql<{ hidden: boolean }>`select ${isHidden(kind, part`${id}::uuid`)} as hidden`)
  return hidden
}

/** Records that a thing is hidden or shown again; false if it already was. The caller holds the thing's row. */
export async function note(tx: Tx, kind: HiddenKind, id: string, hidden: boolean): Promise<boolean> {
  const changed = hidden
    ? await tx`insert into hidden (kind, id, since) values (${kind}, ${id}, ${tx.now}) on conflict do nothing returning 1`
    : await tx`delete from hidden where kind = ${kind} and id = ${id} returning 1`
  return changed.length > 0
}

/** Hides a thing of a room, or shows it again, with all that the room keeps of it; false if nothing changed. */
export type Hide = (tx: Tx, id: string, hidden: boolean) => Promise<boolean>
