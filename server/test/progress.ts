// The reporter of a whole run: each failure as it happens, how far the run is, and for `run.ts` a line of JSON for each file,
// failure, and test that was left out. Node's own reporter writes everything else into a file meanwhile.
import { appendFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { inspect, stripVTControlCharacters } from 'node:util'
import { type LeftOut, leftOut } from './programs.ts'

interface Tally {
  file: string
  tests: number
  passed: number
  skipped: number
  /** In milliseconds; files run beside each other. */
  took: number
}

export interface Failure {
  name: string
  /** File and line. */
  at: string
}

export type Line = Tally | { failure: Failure } | { leftOut: LeftOut }

/** Where the reporter writes its lines. */
export const linesVariable = 'KITH_TEST_LINES'
/** How many test files the run has; unset when its output is Node's own. */
export const filesVariable = 'KITH_TEST_FILES'

interface Data {
  name?: string
  file?: string
  line?: number
  skip?: string | boolean
  message?: string
  details?: { passed?: boolean; type?: string; error?: { failureType?: string; cause?: unknown } }
  counts?: { tests: number; passed: number; skipped: number }
  duration_ms?: number
}

/** Lines of an error that are shown; the report has all of them. */
const mostLines = 40

export default async function* progress(events: AsyncIterable<{ type: string; data: Data }>): AsyncGenerator<string> {
  const total = Number(process.env[filesVariable] ?? 0)
  const began = performance.now()
  const isTerminal = process.stdout.isTTY
  let [files, tests, failed] = [0, 0, 0]
  let told = 0
  for await (const { type, data } of events) {
    const skipped = type === 'test:pass' || type === 'test:diagnostic' ? String(data.skip ?? data.message ?? '') : ''
    const program = leftOut(skipped)
    if (program) await write({ leftOut: program })
    if (type === 'test:complete') {
      const failure = failureOf(data)
      if (failure) {
        failed += 1
        await write({ failure })
        if (total > 0) yield `${clear}✖ ${failure.name}\n  ${failure.at}\n${reason(data)}\n`
      }
      if (data.details?.type === 'test') tests += 1
      // A file of a group is a suite of its name.
      if (data.details?.type === 'suite' && data.name?.endsWith('.test.ts')) files += 1
    }
    if (type === 'test:summary' && data.file !== undefined && data.counts) {
      const { counts, duration_ms: took = 0 } = data
      await write({ file: data.file, ...pick(counts), took })
      if (!isGroup(data.file)) files += 1
    }
    if (total === 0) continue
    const line = `${files} of ${total} files, ${tests.toLocaleString('en')} tests, ${failed} failed, ${span(performance.now() - began)}`
    if (isTerminal) yield `${clear}${line}`
    else if (Math.floor((files / total) * 20) > told) {
      told = Math.floor((files / total) * 20)
      yield `${line}\n`
    }
  }
  if (total > 0) yield clear
}

const clear = process.stdout.isTTY ? '\r\x1b[K' : ''

const write = (line: Line): Promise<void> =>
  appendFile(process.env[linesVariable] as string, `${JSON.stringify(line)}\n`)

const pick = ({ tests, passed, skipped }: NonNullable<Data['counts']>) => ({ tests, passed, skipped })

const isGroup = (file: string): boolean => /\/groups\/(?:00-)?\d+\.test\.mjs$/.test(file)

/** A test or hook that failed by itself, and not because of one inside it. */
function failureOf({ name = '', file, line, details }: Data): Failure | undefined {
  if (details?.passed !== false || details.error?.failureType === 'subtestsFailed') return undefined
  return { name, at: `${file === undefined ? '' : relative(process.cwd(), file)}:${line ?? 1}` }
}

function reason({ details }: Data): string {
  const { cause } = details?.error ?? {}
  const lines = stripVTControlCharacters(typeof cause === 'string' ? cause : inspect(cause)).split('\n')
  const shown = lines.length > mostLines ? [...lines.slice(0, mostLines), '…'] : lines
  return shown.map((line) => `  ${line}`).join('\n')
}

/** A duration for people. */
export function span(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000)
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
