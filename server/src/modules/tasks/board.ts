// The board: tasks that everyone sees, newest first, and what is searched among them. What few have is found by its grams, whole; of
// what many have only the page is read, from the newest on. docs/contract/tasks.md#the-board.
import { offsetOf, type Page, type Rows, withRows } from '../../kernel/lists.ts'
import { type Part, part } from '../../kernel/part.ts'
import { fold, searchWords } from '../../search/grams.ts'
import { search } from '../../search/pages.ts'
import { pageOf } from '../../store/page-of.ts'
import type { Query, Sql } from '../../store/sql.ts'
import { isListed, lapsedRows, listedTotal } from './listing.ts'
import type { TaskState } from './machine.ts'
import { fits, isFound, type Wanted } from './search-text.ts'
import { columns, findAll, joined, type Task } from './tasks.ts'

export interface Filter extends Page {
  q: string
  tag: string
  state: TaskState
}

/** A page of the tasks that everyone sees; of a search with more hits than are read the total is a minimum. */
export async function board(sql: Sql, now: Date, filter: Filter): Promise<Rows<Task>> {
  const wanted = { words: searchWords(filter.q), tag: fold(filter.tag) }
  if (wanted.words.length === 0 && wanted.tag === '') {
    return sql.snapshot(async (tx) => shown(tx, await browse(tx, now, filter)))
  }
  const fitting = part`select 1 from tasks t where t.id = r.id and ${fits(wanted)}`
  const rows = merged(rowsOf(filter.state, now))
  const found = await search(sql, { hits: hitsOf(wanted, filter.state, now), rows, fitting }, filter)
  // Of what it found a moment ago something may be gone.
  return shown(sql, found, isListed(part`t.id`))
}

const shown = (sql: Query, hits: Rows<string>, where?: Part): Promise<Rows<Task>> =>
  withRows(hits, (ids) => findAll(sql, ids, where))

/** The rows (id) of the board in a state at a moment, to be read in the order that an index has them in. */
function rowsOf(state: TaskState, now: Date): Part[] {
  const among = (which: Part): Part => part`select l.task_id as id from listed_tasks l where ${which}`
  switch (state) {
    case 'open':
      return [among(part`l.state = 'open' and l.expires_at > ${now}`)]
    case 'expired':
      return [among(part`l.state = 'expired'`), lapsedRows(now)]
    default:
      return [among(part`l.state = ${state}`)]
  }
}

/** One in order by itself; of several each is put in order, so that they are merged and not sorted. */
function merged(rows: readonly Part[]): Part {
  const [one = part``, ...others] = rows
  if (others.length === 0) return one
  const inOrder = (each: Part): Part => part`(select id from (${each}) r order by id desc)`
  return others.reduce((all, each) => part`${all} union all ${inOrder(each)}`, inOrder(one))
}

/** Ids first, by the index alone, so that a deep page reads no row that it does not show; none beyond the end. */
async function browse(sql: Query, now: Date, filter: Filter): Promise<Rows<string>> {
  const total = await listedTotal(sql, filter.state, now)
  const offset = offsetOf(filter)
  if (offset >= total) return { rows: [], total }
  const hits = await sql<{ id: string }>`
    select id from (${merged(rowsOf(filter.state, now))}) r
    order by id desc limit ${filter.page_size} offset ${offset}`
  return { rows: hits.map(({ id }) => id), total }
}

/** The ids of all hits, by the grams of those tasks that have such a state. */
function hitsOf(wanted: Wanted, state: TaskState, now: Date): Part {
  const among = (which: Part): Part => part`
    select t.id from tasks t where ${which} and ${isFound(wanted)} and ${isListed(part`t.id`)}`
  switch (state) {
    case 'open':
      return among(part`t.state = 'open' and t.expires_at > ${now}`)
    case 'expired':
      return part`${among(part`t.state <> 'open' and t.state = 'expired'`)}
        union all ${among(part`t.state = 'open' and t.expires_at <= ${now}`)}`
    default:
      return among(part`t.state <> 'open' and t.state = ${state}`)
  }
}

export interface OwnFilter extends Page {
  state: TaskState | undefined
}

/** A page of the caller's own tasks, newest first, in a state that they have at this moment or in any. */
export const own = (sql: Query, customerId: string, now: Date, filter: OwnFilter): Promise<Rows<Task>> =>
  pageOf(sql, filter, {
    those: [part`from tasks where customer_id = ${customerId} and ${isAt(filter.state, now)}`],
    columns: part`id`,
    shown: (rows) => part`select ${columns} from (${rows}) own join tasks t on t.id = own.id ${joined}`,
  })

function isAt(state: TaskState | undefined, now: Date): Part {
  switch (state) {
    case undefined:
      return part`true`
    case 'open':
      return part`state = 'open' and expires_at > ${now}`
    case 'expired':
      return part`(state = 'expired' or (state = 'open' and expires_at <= ${now}))`
    default:
      return part`state = ${state}`
  }
}
