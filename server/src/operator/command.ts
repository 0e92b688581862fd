// What a command of the operator is, and what its words are read by.
import type { Config } from '../config.ts'
import type { Clock } from '../kernel/clock.ts'
import { uuidPattern } from '../kernel/schema.ts'
import type { Queue } from '../module.ts'
import { type ReasonCode, reasonCodes, reportCodes } from '../modules/moderation/machine.ts'
import type { Sql, Tx } from '../store/sql.ts'

/** What was written is no command; the message is one line for a person, or nothing if only the usage helps. */
export class UsageError extends Error {}

export interface Answer {
  json: unknown
  text: string
}

/** What a command has at hand. */
export interface Means {
  sql: Sql
  config: Config
  clock: Clock
  /** Of every room. */
  queues: readonly Queue[]
}

export type Act = (means: Means) => Promise<Answer>

export interface Given {
  /** What was written where the usage has a choice or capitals, in this order. */
  words: readonly string[]
  /** Who acts, as the audit log names them. */
  actor: string
  options: {
    reason?: string
    code?: string
    response?: string
    limit?: string
    before?: string
    actor?: string
    action?: string
    subject?: string
    all?: boolean
    filter?: string
    page?: string
  }
}

export interface Command {
  /** Its grammar too: words, choices `a|b`, capitals for what is given, options, and in brackets what may be left out. */
  usage: string
  about: string
  /** What is to be done; a {@link UsageError} for what cannot be meant, before anything is reached. */
  read: (given: Given) => Act
}

/** One transaction, and its result for programs and for people. */
export const inTransaction =
  <T>(work: (tx: Tx, config: Config) => Promise<T>, say: (result: T) => string): Act =>
  async ({ sql, config }) => {
    const result = await sql.transaction((tx) => work(tx, config))
    return { json: result, text: say(result) }
  }

/** A reason code; `ok` only where nothing is taken away. */
export function codeOf(given: string, isLenient: boolean): ReasonCode {
  const codes: readonly ReasonCode[] = isLenient ? reasonCodes : reportCodes
  const code = codes.find((each) => each === given)
  if (code === undefined) throw new UsageError(`CODE must be one of ${codes.join(', ')}`)
  return code
}

export function idOf(name: string, given: string | undefined): string {
  if (given === undefined || !uuidPattern.test(given))
    throw new UsageError(`${name} must be an ID, such as 01890a5d-ac96-774b-bcce-b302099a8057`)
  return given.toLowerCase()
}
