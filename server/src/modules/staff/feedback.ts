// All feedback as support reads it. docs/contract/staff.md#feedback.
import { offsetOf, type Page, type Rows } from '../../kernel/lists.ts'
import { type Part, part } from '../../kernel/part.ts'
import type { Query } from '../../store/sql.ts'
import { list as listUpdates } from '../feedback/answers.ts'
import { type Feedback, findAll, findAny } from '../feedback/feedback.ts'
import { mostOfOne, ofRecord } from '../feedback/followups.ts'
import { totalOf } from '../feedback/listing.ts'
import { type Category, categories, type Status, statuses, type Visibility, visibilityOf } from '../feedback/machine.ts'
import { showFeedback, showFollowup, showUpdate } from '../feedback/show.ts'

export interface Filter extends Page {
  category?: Category | undefined
  visibility?: Visibility | undefined
  status?: Status | undefined
}

type Among = Filter & {
  /** Where no status is named, only these. */
  having?: readonly Status[]
}

/** A page of all records, oldest first, with their exact number. */
export async function list(
  sql: Query,
  { category, visibility, status, having: of = statuses, ...page }: Among,
): Promise<Rows<Feedback>> {
  const among = categories.filter(
    (each) => each === (category ?? each) && visibilityOf[each] === (visibility ?? visibilityOf[each]),
  )
  const having = status ? [status] : of
  const total = await totalOf(sql, among, having)
  const offset = offsetOf(page)
  if (offset >= total) return { rows: [], total }
  const end = part`limit (select ${offset + page.page_size}::int)`
  // feedback_by_kind: one after the other by its key, each as far as the page goes, so that they are merged and not sorted.
  const rows = among.flatMap((kind) =>
    having.map(
      (at) => part`(select f.id from feedback f where f.category = ${kind} and f.status = ${at} order by f.id ${end})`,
    ),
  )
  const hits = await sql<{ id: string }>`
    select r.id from (${unionOf(rows)}) r
    order by r.id limit (select ${page.page_size}::int) offset (select ${offset}::int)`
  const ids = hits.map(({ id }) => id)
  return { rows: await findAll(sql, null, ids), total }
}

const unionOf = (rows: readonly Part[]): Part => rows.reduce((all, each) => part`${all} union all ${each}`)

/** How many of the answers to a record are shown with it, the newest. */
const mostUpdates = 100

/** A record with its newest answers and all follow-ups. */
export async function find(sql: Query, id: string) {
  const record = await findAny(sql, id)
  const { rows: updates } = await listUpdates(sql, id, { page: 1, page_size: mostUpdates })
  const followups = await ofRecord(sql, id, { page: 1, page_size: mostOfOne })
  return { feedback: showFeedback(record), updates: updates.map(showUpdate), followups: followups.map(showFollowup) }
}
