// Records of feedback: filed by their author, read by it, and ideas by everyone. docs/contract/feedback.md.

import type { Agent } from '../../kernel/callers.ts'
import { days, hours } from '../../kernel/clock.ts'
import type { Page, Rows } from '../../kernel/lists.ts'
import { type Part, part } from '../../kernel/part.ts'
import { refuse } from '../../kernel/refuse.ts'
import { type Quota, take } from '../../quotas/quotas.ts'
import { type Rate, requireRate } from '../../quotas/rates.ts'
import { pageOf } from '../../store/page-of.ts'
import type { Query, Tx } from '../../store/sql.ts'
import type { FeedbackRow } from '../../store/tables.ts'
import type { Diagnostics } from './diagnostics.ts'
import { isListed, listNew, lockAuthor, recount } from './listing.ts'
import { type Category, firstStatus, type Status, type Visibility, visibilityOf } from './machine.ts'
import { searchGrams, searchText } from './search-text.ts'

/** What an agent files, in canonical form. */
export interface Input {
  category: Category
  title: string
  body: string
  diagnostics: Diagnostics | null
}

/** A record as it is written, with the name of its author, and what it is to who reads it. */
export interface Feedback extends Omit<FeedbackRow, 'search_text' | 'search_grams'> {
  category: Category
  status: Status
  diagnostics: Diagnostics | null
  handle: string
  display_name: string
  has_voted: boolean
  is_subscribed: boolean
}

/** Of a record `f` with its author `a`, for a viewer: nobody's votes and subscriptions where it is null. */
const columnsFor = (viewerId: string | null): Part => part`f.id, f.author_id, f.category, f.title, f.body,
  f.diagnostics, f.status, f.version, f.response, f.votes_count, f.subscriptions_count, f.followups_count, f.created_at,
  f.updated_at, a.handle, a.display_name,
  exists (select 1 from feedback_votes v
    where v.feedback_id = f.id and v.agent_id = ${viewerId} and v.is_active offset 0) as has_voted,
  exists (select 1 from feedback_subscriptions s
    where s.feedback_id = f.id and s.agent_id = ${viewerId} and s.is_active offset 0) as is_subscribed`

/** All records that an agent ever filed. */
export const records = {
  name: 'feedback',
  party: 1000,
  platform: 100_000,
  code: 'feedback_record_limit',
  isLasting: true,
} as const satisfies Quota

export interface Pace {
  readonly feedbackPerHour: number
  readonly feedbackPerDay: number
}

export const rateOf = ({ feedbackPerHour, feedbackPerDay }: Pace): Rate => ({
  name: records.name,
  code: 'feedback_rate_limited',
  windows: [
    { period: hours(1), most: feedbackPerHour },
    { period: days(1), most: feedbackPerDay },
  ],
})

/**
 * Files a record under an id, and subscribes its author. Refuses `public_profile_required` (an idea of a profile that is
 * not open), `feedback_rate_limited` and `feedback_record_limit`.
 */
export async function file(tx: Tx, me: Agent, id: string, input: Input, pace: Pace): Promise<Feedback> {
  const isIdea = input.category === 'idea'
  if (isIdea && !(await lockAuthor(tx, me.id)).isOpen) refuse('public_profile_required')
  const newest = part`select created_at from feedback where author_id = ${me.id} order by id desc`
  await requireRate(tx, rateOf(pace), me.id, newest)
  await take(tx, records, me.id)
  tx.write`
    insert into feedback (id, author_id, category, title, body, diagnostics, status, search_text, search_grams, created_at,
      updated_at)
    values (${id}, ${me.id}, ${input.category}, ${input.title}, ${input.body},
      ${input.diagnostics && JSON.stringify(input.diagnostics)}::json, ${firstStatus}, ${isIdea ? searchText(input) : null},
      ${isIdea ? searchGrams(input) : null}, ${tx.now}, ${tx.now})`
  tx.write`
    insert into feedback_subscriptions (agent_id, feedback_id, is_active, from_version, updated_at)
    values (${me.id}, ${id}, true, 1, ${tx.now})`
  await recount(tx, input.category, undefined, firstStatus)
  if (isIdea) await listNew(tx, id)
  return findOwn(tx, me.id, id)
}

async function find(sql: Query, viewerId: string | null, which: Part): Promise<Feedback> {
  const [found] = await sql<Feedback>`
    select ${columnsFor(viewerId)} from feedback f join agents a on a.id = f.author_id where ${which}`
  return found ?? refuse('not_found')
}

/** An own record; any other is `not_found`. */
export const findOwn = (sql: Query, viewerId: string, id: string): Promise<Feedback> =>
  find(sql, viewerId, part`f.id = ${id} and f.author_id = ${viewerId}`)

/** An own record, or an idea that everyone sees; `not_found` otherwise. */
export const findVisible = (sql: Query, viewerId: string, id: string): Promise<Feedback> =>
  find(sql, viewerId, part`f.id = ${id} and (f.author_id = ${viewerId} or ${isListed(part`f.id`)})`)

/** An idea that everyone sees, or an own one; `not_found` otherwise. */
export const findIdea = (sql: Query, viewerId: string | null, id: string): Promise<Feedback> =>
  find(
    sql,
    viewerId,
    part`f.id = ${id} and f.category = 'idea' and (f.author_id = ${viewerId} or ${isListed(part`f.id`)})`,
  )

/** An idea that everyone sees; `not_found` otherwise, also to its author. */
export const findListed = (sql: Query, viewerId: string, id: string): Promise<Feedback> =>
  find(sql, viewerId, part`f.id = ${id} and ${isListed(part`f.id`)}`)

/** Any record, for staff, to whom it is nobody's. */
export const findAny = (sql: Query, id: string): Promise<Feedback> => find(sql, null, part`f.id = ${id}`)

export async function isOwn(sql: Query, agentId: string, id: string): Promise<boolean> {
  const found = await sql`select 1 from feedback where id = ${id} and author_id = ${agentId}`
  return found.length > 0
}

/** Holds the row of a record, if there is one, until this transaction ends. */
export const lock = (tx: Tx, id: string): void => tx.write`select 1 from feedback where id = ${id} for no key update`

export interface OwnFilter extends Page {
  category: Category | undefined
  visibility: Visibility | undefined
  status: Status | undefined
}

/** A page of the caller's own records, newest first: they are at most 1000. */
export function own(sql: Query, authorId: string, filter: OwnFilter): Promise<Rows<Feedback>> {
  const { category, visibility, status } = filter
  const among = Object.keys(visibilityOf).filter(
    (each) =>
      (category === undefined || each === category) &&
      (visibility === undefined || visibilityOf[each as Category] === visibility),
  )
  return pageOf(sql, filter, {
    // feedback_of_author: all of them, whatever is asked for.
    given: part`with mine as materialized (select id, category, status from feedback where author_id = ${authorId})`,
    those: [
      part`from mine where category = any(${among}::text[])
        and (${status ?? null}::text is null or status = ${status ?? null})`,
    ],
    columns: part`id`,
    shown: (rows) => part`
      select ${columnsFor(authorId)} from (${rows}) own join feedback f on f.id = own.id join agents a on a.id = f.author_id`,
  })
}

/** Records by their ids, in the order of the ids; the caller has made sure that the viewer may see them. */
export async function findAll(
  sql: Query,
  viewerId: string | null,
  ids: readonly string[],
  where: Part = part`true`,
): Promise<Feedback[]> {
  if (ids.length === 0) return []
  return sql<Feedback>`
    select ${columnsFor(viewerId)} from unnest(${ids}::uuid[]) with ordinality as wanted (id, place)
    join feedback f on f.id = wanted.id join agents a on a.id = f.author_id
    where ${where} order by wanted.place`
}

/** Since when the record waits that has waited for an answer the longest; null if none does. */
export async function oldestWaiting(sql: Query): Promise<Date | null> {
  // feedback_waiting
  const [oldest] = await sql<{ created_at: Date }>`
    select created_at from feedback where status = 'received' order by id limit 1`
  return oldest?.created_at ?? null
}
