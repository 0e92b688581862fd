// A reporter for npm test that counts: for each file, how many tests it ran, how many it skipped, and how long it took; and
// what was left out for want of a program.
// Without it a run in which nothing ran looks like one in which nothing failed.
import { appendFile } from 'node:fs/promises'
import { type LeftOut, leftOut } from './programs.ts'

export interface Tally {
  file: string
  tests: number
  skipped: number
  /** In milliseconds; files run beside each other. */
  took: number
}

/** A test, or a part of one, that was left out. */
export type Line = Tally | { leftOut: LeftOut }

/** Where the reporter writes: one line of JSON a file. */
export const tallyVariable = 'KITH_TEST_TALLY'

interface Told {
  skip?: string | boolean
  message?: string
}

interface Summary {
  file?: string
  counts: { tests: number; skipped: number }
  duration_ms: number
}

const write = (line: Line): Promise<void> =>
  appendFile(process.env[tallyVariable] as string, `${JSON.stringify(line)}\n`)

export default async function* tally(events: AsyncIterable<{ type: string; data: unknown }>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type === 'test:pass' || type === 'test:diagnostic') {
      const { skip, message } = data as Told
      const found = leftOut(String(skip ?? message ?? ''))
      if (found) await write({ leftOut: found })
    }
    if (type !== 'test:summary') continue
    const { file, counts, duration_ms: took } = data as Summary
    // The last one is of the whole run.
    if (file === undefined) continue
    await write({ file, tests: counts.tests, skipped: counts.skipped, took })
  }
  yield ''
}
