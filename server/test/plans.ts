// The plans of the statements that some work runs, made for its values or for any.
import pg from 'pg'
import type { Part } from '../src/kernel/part.ts'
import type { Query, Sql } from '../src/store/sql.ts'

export const planModes = ['force_custom_plan', 'force_generic_plan'] as const

/** Runs `work` and gives the plan of each of its statements, with the rows that each step gave. */
export async function plansOf(
  sql: Sql,
  mode: (typeof planModes)[number],
  work: (explained: Sql) => Promise<unknown>,
): Promise<string[]> {
  const plans: string[] = []
  const client = await sql.pool.connect()
  let failure: Error | undefined
  try {
    await client.query(`set plan_cache_mode = ${mode}`)
    const explain: Query = async <T extends object>(strings: TemplateStringsArray, ...values: unknown[]) => {
      const { text, parameters } = flat(strings, values)
      await client.query(`prepare explained as ${text}`)
      const given = parameters.length > 0 ? `(${parameters.map(literal).join(', ')})` : ''
      const { rows } = await client.query(`explain (analyze, timing off) execute explained${given}`)
      await client.query('deallocate explained')
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
      return sql<T>(strings, ...values)
    }
    // What is asked for together is explained one after the other, in the order in which it was asked for.
    let last: Promise<unknown> = Promise.resolve()
    const inTurn: Query = <T extends object>(strings: TemplateStringsArray, ...values: unknown[]) => {
      const turn = last.then(() => explain<T>(strings, ...values))
      last = turn
      return turn
    }
    const inside = (reads: (tx: Query) => Promise<unknown>) => reads(inTurn)
    await work(Object.assign(inTurn, { snapshot: inside, together: inside }) as unknown as Sql)
    await last
    await client.query('reset plan_cache_mode')
  } catch (error) {
    failure = error as Error
    throw error
  } finally {
    client.release(failure)
  }
  if (process.env['KITH_SHOW_PLANS']) for (const text of plans) console.log(mode, `\n${text}\n`)
  return plans
}

/** A statement with its parts spliced in, as the pool would send it. */
function flat(strings: readonly string[], values: readonly unknown[]): { text: string; parameters: unknown[] } {
  const parameters: unknown[] = []
  const write = (pieces: readonly string[], inner: readonly unknown[]): string =>
    pieces.reduce((text, piece, at) => {
      const value = inner[at - 1] as Part | undefined
      const isPart = typeof value === 'object' && value !== null && 'part' in value
      return text + (isPart ? write(value.part, value.values) : `$${parameters.push(value)}`) + piece
    })
  return { text: write(strings, values), parameters }
}

function literal(value: unknown): string {
  if (value === null) return 'null'
  if (Buffer.isBuffer(value)) return `'\\x${value.toString('hex')}'`
  if (Array.isArray(value)) {
    return pg.escapeLiteral(
      `{${value.map((each) => (each === null ? 'null' : JSON.stringify(String(each)))).join(',')}}`,
    )
  }
  return pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value))
}
