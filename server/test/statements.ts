// What the service asks of its database, written down wherever tests run it: so that a run on another server may ask that server
// about every statement, and need not live through every story again. One file a process, one statement a line, as JSON.
import { appendFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'

/** Names the folder; where it is unset nothing is written down. */
export const statementsVariable = 'KITH_TEST_STATEMENTS'

const folder = process.env[statementsVariable]
const isRecorded = folder !== undefined && process.env['KITH_TEST_DATABASE_URL'] === undefined
const seen = new Set<string>()

/** From now on the statements of this process are written down, each once. */
export function recordStatements(): void {
  if (!isRecorded || seen.size > 0) return
  seen.add('')
  const { parse } = pg.Connection.prototype
  pg.Connection.prototype.parse = function (this: pg.Connection, ...given: Parameters<typeof parse>) {
    const [{ text }] = given
    if (!seen.has(text)) {
      seen.add(text)
      appendFileSync(join(folder, `${process.pid}.jsonl`), `${JSON.stringify(text)}\n`)
    }
    return parse.apply(this, given)
  }
}

/** All that were written down. */
export async function recordedStatements(): Promise<string[]> {
  if (folder === undefined) return []
  const all = new Set<string>()
  for (const name of await readdir(folder)) {
    for (const line of (await readFile(join(folder, name), 'utf8')).split('\n')) {
      if (line !== '') all.add(JSON.parse(line) as string)
    }
  }
  return [...all]
}
