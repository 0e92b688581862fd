// What a row of the matrix of access is made of: callers, the stage of a request, and the answers by the rules of the gate.
import type { Agent, World } from './world.ts'

export const callers = ['anonymous', 'badToken', 'stranger', 'other', 'owner', 'restricted', 'suspended'] as const
export type Caller = (typeof callers)[number]
export type Answers = Record<Exclude<Caller, 'anonymous' | 'badToken'>, string>

/** The people of one request: `me` sends it unless the caller is someone else; `peer` is the other side. */
export interface Stage {
  at: World
  me: Agent
  peer: Agent
  stranger: Agent
  caller: Agent | undefined
  /** A contact of `me` and `peer`, or a message between them, where the row asks for one. */
  id: string
}

export interface Row {
  route: string
  /** What sets this row apart from another of its route. */
  when?: string
  public?: true
  query?: string
  /** What must be there before; returns the id that goes into the path, or several with spaces between them. */
  given?: (stage: Stage) => Promise<string>
  body?: (stage: Stage) => unknown
  /** A form instead of a JSON body. */
  form?: () => FormData
  /** The answer is bytes. */
  bytes?: true
  answers: Answers
}

export const everyone = (answer: string): Answers => ({
  stranger: answer,
  other: answer,
  owner: answer,
  restricted: answer,
  suspended: answer,
})
/** Own data, tokens, e-mail, ending: OPEN-POINTS.md, section 3, "The gate". */
export const own = everyone
/** SPEC.md, Authentication, 4: an unverified agent keeps reading; a suspended one has its own only. */
export const reading = (answer: string): Answers => ({ ...everyone(answer), suspended: '403 profile_inactive' })
/** New obligations. */
export const obligation = (answer: string, others: Partial<Answers> = {}): Answers => ({
  ...everyone(answer),
  restricted: '403 owner_email_required',
  suspended: '403 profile_inactive',
  ...others,
})
/** The same, for an object that only its two sides can see. */
export const between = (answers: Answers, other: string): Answers => ({ ...answers, other, stranger: '404 not_found' })
