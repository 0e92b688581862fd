// The table of plans: for each request or verb, the indexes its statements must use and how many rows they may read, both with
// custom and with generic plans.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql, Tx } from '../../src/store/sql.ts'
import { planModes, plansOf } from '../plans.ts'
import type { Filling } from './filling.ts'

/** What the plans of a row's statements must satisfy. None may read a whole table. */
export interface Way {
  /** What must be used: names of indexes (`a|b`: either), or the text of a step, such as `Bitmap Index Scan on a`. */
  by?: string | readonly string[]
  /** What must not be used, in the same form. */
  never?: string
  /** The most rows that any step returns, over all its loops. */
  most?: number
  /** The same, except where rows are only counted. */
  paged?: number
  /** The most rows that any step reads and filters out in one loop. */
  dropped?: number
  /** The most rows that a backward scan of an index returns: it must stop at the end of the page. */
  backward?: number
  /** A statement that uses `by` must not sort. */
  inOrder?: true
  /** A small table that may be read whole. */
  whole?: string
  /** How many statements there are. */
  statements?: number
}

/** A string as `way` is its `by`. */
export type Row = readonly [what: string, run: (sql: Sql, at: Filling) => Promise<unknown>, way: Way | string]

/** The system's tables, and small ones that have no index for this, do not count. */
const wholes = /Seq Scan on ((?!pg_|counters|mails)\w+)/g
/** A sort that ran: a merge also has a sort key, but no method. */
const sorts = /Sort Key: .*\n(.*Presorted Key: .*\n)? *(Sort Method|Full-sort Groups)/

/** At the top, of the rows shown: no more than a page. */
const sortsPage = /^Sort .*actual rows=\d\d?0?\b.*\n.*\n.*\n/

/** A page of a list (store/page-of.ts) is one statement: its total comes before this step, its rows after it. */
const betweenHalves = '->  Nested Loop Left Join'

export function checkPlans(room: string, filling: () => Filling, rows: readonly Row[]): void {
  for (const [what, run, way] of rows) {
    test(`${room}: ${what}`, async () => {
      const at = filling()
      for (const mode of planModes) {
        const plans = await plansOf(at.sql, mode, (sql) => run(sql, at))
        try {
          check(plans, typeof way === 'string' ? { by: way } : way)
        } catch (error) {
          throw new Error(`${mode}: ${(error as Error).message}\n${plans.join('\n\n')}`, { cause: error })
        }
      }
    })
  }
}

function check(plans: readonly string[], way: Way): void {
  const { by = [], never, most, paged, dropped, backward, inOrder, whole, statements } = way
  if (statements !== undefined) assert.equal(plans.length, statements, 'statements')
  for (const [, table] of plans.flatMap((plan) => [...plan.matchAll(wholes)])) {
    assert.ok(table === whole, `reads all of ${table}`)
  }
  const ways = (typeof by === 'string' ? [by] : by).map(step)
  const missing = ways.find((each) => !plans.some((plan) => each.test(plan)))
  assert.ok(!missing, `nothing goes by ${missing?.source}`)
  for (const plan of plans) {
    assert.ok(never === undefined || !step(never).test(plan), `goes by ${never}`)
    atMost(most, 'a step gives', rowsOf(plan, /actual rows=([\d.]+) loops=(\d+)/g))
    atMost(dropped, 'a step drops', rowsOf(plan, /Rows Removed by Filter: ([\d.]+)/g))
    atMost(backward, 'a page reads', rowsOf(plan, /Scan Backward .*actual rows=([\d.]+)/g))
  }
  for (const plan of plans.map((each) => each.replace(sortsPage, ''))) {
    assert.ok(!(inOrder && sorts.test(plan) && ways.some((each) => each.test(plan))), 'sorts')
  }
  for (const half of plans.flatMap((plan) => plan.split(betweenHalves))) {
    if (!half.includes('Aggregate')) atMost(paged, 'a step gives', rowsOf(half, /actual rows=([\d.]+) loops=(\d+)/g))
  }
}

/** One word is the name of an index, after `using` or, for a bitmap, `on`. */
const step = (words: string): RegExp => new RegExp(words.includes(' ') ? `${words}\\b` : `(using|on) (${words})\\b`)

const rowsOf = (plan: string, steps: RegExp): number[] =>
  [...plan.matchAll(steps)].map(([, rows, loops = 1]) => Number(rows) * Number(loops))

function atMost(limit: number | undefined, what: string, rows: readonly number[]): void {
  const [given] = rows.toSorted((a, b) => b - a)
  if (limit !== undefined && given !== undefined) assert.ok(given <= limit, `${what} ${given} rows, more than ${limit}`)
}

/** A transaction that explains its statements and commits each of them at once. */
export function asTx(sql: Sql, now: Date): Tx {
  const write: Tx['write'] = (strings, ...values) => void sql(strings, ...values)
  return Object.assign(sql, { now, afterCommit: () => {}, wake: () => {}, write }) as unknown as Tx
}

/** The same for a verb that begins its own transaction. */
export const asSql = (sql: Sql, now: Date): Sql =>
  ({ transaction: (work: (tx: Tx) => Promise<unknown>) => work(asTx(sql, now)) }) as unknown as Sql
