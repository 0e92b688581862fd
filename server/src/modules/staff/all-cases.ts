// Every case as an operator reads it: suspensions too, which are nobody else's to decide. docs/contract/staff.md#the-operator.
import { offsetOf, type Page, type Rows } from '../../kernel/lists.ts'
import { type Part, part } from '../../kernel/part.ts'
import { only, type Query } from '../../store/sql.ts'
import type { ModerationCase } from '../moderation/cases.ts'
import type { HiddenKind } from '../moderation/hidden.ts'
import { type Status, statuses } from '../moderation/machine.ts'
import { type Described, describe } from './moderation.ts'

export interface Filter extends Page {
  /** Those that wait for a decision where it is left out. */
  status: Status | 'all' | undefined
  kind: HiddenKind | 'suspension' | undefined
  /** Whether there is an appeal, answered or not. */
  appealed: boolean | undefined
  /** The party whose things they are about. */
  owner: string | undefined
}

/** Cases that one index has in one order, and since when each is what it is. */
interface Branch {
  where: Part
  order: Part
  since: Part
}

/** A page of cases, the longest waiting first or the newest of others, and their exact number. */
export async function list(
  sql: Query,
  now: Date,
  { status, kind, appealed, owner, ...page }: Filter,
): Promise<Rows<Described>> {
  const isWaiting = status === undefined || status === 'pending'
  const branches = status === undefined ? waiting(kind, appealed) : standing(status, kind, appealed)
  if (branches.length === 0) return { rows: [], total: 0 }
  const ofOwner = owner === undefined ? part`` : part`and owner_id = ${owner}`
  const counts = branches.map(
    ({ where }) => part`select count(*)::int as found from moderation_cases where ${where} ${ofOwner}`,
  )
  const reach = part`limit (select ${offsetOf(page) + page.page_size}::int)`
  const rows = branches.map(
    ({ where, order, since }) =>
      part`(select *, ${since} as since from moderation_cases where ${where} ${ofOwner} order by ${order} ${reach})`,
  )
  const [{ total }, cases] = await Promise.all([
    sql<{ total: number }>`select sum(found)::int as total from (${unionOf(counts)}) c`.then(only),
    sql<ModerationCase>`
      select * from (${unionOf(rows)}) c order by ${isWaiting ? part`since, id` : part`since desc, id desc`}
      limit (select ${page.page_size}::int) offset (select ${offsetOf(page)}::int)`,
  ])
  return { rows: await describe(sql, now, cases), total }
}

/** Ids begin with their time. */
const byAge = (where: Part): Branch => ({ where, order: part`id`, since: part`created_at` })
const newestFirst = (where: Part): Branch => ({ where, order: part`id desc`, since: part`created_at` })

/** What waits: pending cases, and appeals without an answer. */
function waiting(kind: Filter['kind'], appealed: boolean | undefined): Branch[] {
  const pending = part`status = 'pending' and measure = 'content'`
  const unanswered = part`appealed_at is not null and appeal_answered_at is null`
  return [
    ...(appealed === true || kind === 'suspension' ? [] : [byAge(of(pending, kind))]),
    ...(appealed === false
      ? []
      : [{ where: ofAny(unanswered, kind), order: part`appealed_at, id`, since: part`appealed_at` }]),
  ]
}

function standing(status: Status | 'all', kind: Filter['kind'], appealed: boolean | undefined): Branch[] {
  const asked =
    appealed === undefined ? part`` : appealed ? part`and appealed_at is not null` : part`and appealed_at is null`
  const those = (status === 'all' ? statuses : [status]).flatMap((each) => {
    const content = of(part`status = ${each} and measure = 'content' ${asked}`, kind)
    const suspended = part`status = ${each} and measure = 'suspension' ${asked}`
    return kind === 'suspension' ? [suspended] : kind === undefined ? [content, suspended] : [content]
  })
  return those.map(status === 'pending' ? byAge : newestFirst)
}

const of = (where: Part, kind: Filter['kind']): Part =>
  kind === undefined ? where : part`${where} and subject_kind = ${kind}`

const ofAny = (where: Part, kind: Filter['kind']): Part =>
  kind === undefined
    ? where
    : kind === 'suspension'
      ? part`${where} and measure = 'suspension'`
      : part`${where} and measure = 'content' and subject_kind = ${kind}`

const unionOf = (some: readonly Part[]): Part => some.reduce((all, each) => part`${all} union all ${each}`)

/** A case, of a suspension too. */
export async function find(sql: Query, id: string): Promise<ModerationCase | undefined> {
  const [found] = await sql<ModerationCase>`select * from moderation_cases where id = ${id}`
  return found
}
