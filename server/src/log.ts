// Structured logs. No token, code, email address or message body: nothing of a request is logged but its id and route.

import pino, { type DestinationStream, type LogFn, type Logger } from 'pino'
import type { LogFormat } from './config.ts'
import { lineFor } from './log-lines.ts'
import { openOutput } from './log-output.ts'

interface LogOptions {
  /** Undefined: lines for people where the standard output is a terminal, else JSON. */
  format?: LogFormat | undefined
  /** Standard output when undefined. */
  to?: DestinationStream
  /** Of every line. */
  of?: Readonly<Record<string, unknown>>
  /** Over how many milliseconds equal lines are one. */
  windowMilliseconds?: number
}

/**
 * Warnings and errors that say the same are written once in ten seconds: the first at once, and how often it was said
 * again (`repeated`) when they are over. A fault that each of a thousand requests meets is one fault.
 */
export function createLog(level: string, { format, to, of, windowMilliseconds = 10_000 }: LogOptions = {}): Logger {
  const options = {
    level,
    base: of ?? null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    hooks: { logMethod: oncePer(windowMilliseconds) },
  }
  const out = to ?? openOutput((lines, code) => log.warn({ lines, code }, 'lines of the log could not be written'))
  const line = isForPeople(format) ? lineFor({ frames: showsFrames(level) }) : (json: string) => json
  const log: Logger = pino(options, { write: (json) => void out.write(line(json)) })
  return log
}

export const isForPeople = (format: LogFormat | undefined): boolean =>
  format === undefined ? process.stdout.isTTY === true : format === 'pretty'

/** Where in the program something failed helps nobody who does not look for its mistakes. */
export const showsFrames = (level: string): boolean => level === 'debug' || level === 'trace'

const warning = 40
/** Different lines that are counted at a time; beyond, a window ends early. */
const maxLines = 1000

function oncePer(milliseconds: number) {
  const lines = new Map<string, { again: number; write: (again: number) => void }>()
  let timer: NodeJS.Timeout | undefined
  const finish = (): void => {
    clearTimeout(timer)
    timer = undefined
    const over = [...lines.values()]
    lines.clear()
    for (const { again, write } of over) if (again > 0) write(again)
  }
  return function (this: Logger, given: Parameters<LogFn>, method: LogFn, level: number): void {
    if (level < warning) {
      method.apply(this, given)
      return
    }
    const [facts, message] = given as unknown[]
    const isBare = typeof facts === 'string'
    const key = `${level} ${isBare ? facts : `${message} ${sameness(facts)}`}`
    const known = lines.get(key)
    if (known) {
      known.again += 1
      return
    }
    if (lines.size >= maxLines) finish()
    lines.set(key, {
      again: 0,
      write: (repeated) => {
        const of = isBare ? {} : withoutOwn(facts)
        method.apply(this, [{ ...of, repeated }, isBare ? facts : message] as unknown as Parameters<LogFn>)
      },
    })
    timer ??= setTimeout(finish, milliseconds).unref()
    method.apply(this, given)
  }
}

/** What only one request or one moment has: not part of what a line says, nor of what stands for many. */
const withoutOwn = (facts: unknown): Record<string, unknown> => {
  const { request_id: _id, milliseconds: _time, ...rest } = (facts ?? {}) as Record<string, unknown>
  return rest
}

function sameness(facts: unknown): string {
  const { error, ...rest } = withoutOwn(facts)
  const { name, code, message } = (error ?? {}) as Record<string, unknown>
  return JSON.stringify([rest, name, code, code === undefined ? message : undefined])
}

/**
 * An error without the values in it: PostgreSQL puts keys and inputs into `message` and `detail`, so of most of its errors
 * only the codes and names are kept.
 */
export function safeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error }
  const { code, constraint, table, routine, severity } = error as Error & Record<string, unknown>
  const frames = error.stack
    ?.split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, 8)
  if (severity !== undefined) {
    const message = naming.test(String(code)) ? error.message : undefined
    return { name: 'PostgreSQL', code, constraint, table, routine, message, frames }
  }
  return { name: error.name, code, message: withoutSecrets(error.message), frames }
}

/**
 * Of what is not there, not for this role, or used up, and of a server that ends or stops something: their messages name
 * tables, roles, databases and files, and no value.
 */
const naming = /^(28|3D|3F|53|57)|^42(P01|501)$/

/** Other programs put what they were given into their messages: a mail server the address, a driver its URL. */
const withoutSecrets = (message: string): string =>
  message.replace(/[^\s<>"'(,;]+@[^\s<>"'),;]+/g, '[address]').replace(/kith_[A-Za-z0-9_-]{20,}/g, '[token]')
