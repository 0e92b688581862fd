import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { DATA_BY_DESCRIPTOR } from './launch.ts'

type Log = (level: 'info' | 'warn' | 'error', message: string) => void

interface ServerLogListener {
  /** Named in lines in place of the descriptor by which the server has it. */
  readonly dataFolder: string
  readonly log: Log
  readonly onReady: () => void
  /** One of its processes died, and the postmaster closes all connections to recover. */
  readonly onRecovery: () => void
}

interface ServerLog {
  /** Why a server that has ended did not start; undefined if it did not say. */
  lastWords(): Promise<string | undefined>
}

/** How long the rest of the log of a server that has ended is waited for. */
const REST_MS = 2000

/** Lines passed on in one window; on a full disk every write fails, and every failure is a line. */
const LINES_PER_WINDOW = 20
const WINDOW_MS = 10_000
const LINE_LIMIT = 500

/** Messages of the server about itself that an operator wants to see, although it logs them as mere LOG. */
const NOTEWORTHY =
  /terminated by signal|exited with exit code|not properly shut down|was interrupted|lock file|last completed transaction/

/** A warning of what is meant: a command beside the service leaves what it wrote to be archived by that. */
const MEANT = /archiving is not configured/

/** Errors of a session that are the server's and not the query's: out of resources, system, internal. */
const SERVER_FAULT = /^(53|58|XX)/

/**
 * Reads the server's standard error (log_line_prefix `%b|%e|`): reports its state, passes on what is worth seeing, and
 * keeps the last words for the error of a failed start.
 */
export function followServerLog(stream: Readable, listener: ServerLogListener): ServerLog {
  let words: string | undefined
  let windowEnd = 0
  let passed = 0

  const pass: Log = (level, message) => {
    const now = performance.now()
    if (now > windowEnd) {
      if (passed > LINES_PER_WINDOW)
        listener.log('warn', `PostgreSQL: ${passed - LINES_PER_WINDOW} more lines left out`)
      windowEnd = now + WINDOW_MS
      passed = 0
    }
    if (++passed <= LINES_PER_WINDOW) listener.log(level, `PostgreSQL: ${message.slice(0, LINE_LIMIT)}`)
  }

  const lines = createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })
  stream.on('error', () => {}) // a broken pipe means that the process ended, which its exit tells
  lines.on('line', (said) => {
    const line = said.replaceAll(DATA_BY_DESCRIPTOR, listener.dataFolder)
    const [, backend, state = '', severity, message = ''] = /^([^|]*)\|(\w{5})\|(\w+): +(.*)$/.exec(line) ?? []
    if (backend === undefined) {
      // A line without the prefix is from the loader, from setpriv or from before the settings are read.
      if (/fatal|panic|error|fail|cannot|could not/i.test(line))
        words = line.replace(/^(but |.*?(FATAL|PANIC|ERROR): +)/, '')
      return
    }
    if (severity === 'LOG') {
      if (message.endsWith('ready to accept connections')) listener.onReady()
      else if (message.startsWith('terminating any other active server processes')) listener.onRecovery()
      if (NOTEWORTHY.test(message)) pass(backend === 'startup' ? 'info' : 'warn', message)
      return
    }
    if (severity === 'FATAL' || severity === 'PANIC') words = message
    if (backend === 'client backend' && severity !== 'PANIC' && !SERVER_FAULT.test(state)) return
    if (state === '57P01') return // a background process that is told to end
    if (severity === 'WARNING' && !MEANT.test(message)) pass('warn', message)
    else if (severity === 'ERROR' || severity === 'FATAL' || severity === 'PANIC') pass('error', message)
  })
  const { promise: closed, resolve: close } = Promise.withResolvers<void>()
  lines.on('close', close)
  return {
    async lastWords() {
      const timer = new AbortController()
      await Promise.race([closed, sleep(REST_MS, undefined, { signal: timer.signal }).catch(() => {})])
      timer.abort()
      // After a turn of the loop, because a process that was blocked has not read the rest yet.
      await setImmediate()
      return words
    },
  }
}
