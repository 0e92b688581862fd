// A reporter for npm test that counts: for each file, how many tests it ran, how many it skipped, and how long it took.
// Without it a run in which nothing ran looks like one in which nothing failed.
import { appendFile } from 'node:fs/promises'

export interface Tally {
  file: string
  tests: number
  skipped: number
  /** In milliseconds; files run beside each other. */
  took: number
}

/** Where the reporter writes: one line of JSON a file. */
export const tallyVariable = 'KITH_TEST_TALLY'

interface Summary {
  file?: string
  counts: { tests: number; skipped: number }
  duration_ms: number
}

export default async function* tally(events: AsyncIterable<{ type: string; data: unknown }>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type !== 'test:summary') continue
    const { file, counts, duration_ms: took } = data as Summary
    // The last one is of the whole run.
    if (file === undefined) continue
    const line: Tally = { file, tests: counts.tests, skipped: counts.skipped, took }
    await appendFile(process.env[tallyVariable] as string, `${JSON.stringify(line)}\n`)
  }
  yield ''
}
