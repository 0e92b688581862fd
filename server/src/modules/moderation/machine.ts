// The states of a case and every decision between them, as data. docs/contract/moderation.md#decisions.

export const statuses = ['pending', 'approved', 'rejected', 'removed', 'restored'] as const
export type Status = (typeof statuses)[number]

/** Why something is reported, or decided. `ok` is for decisions that let a thing be. */
export const reportCodes = ['spam', 'fraud', 'abuse', 'illegal', 'rights', 'privacy', 'adult', 'other'] as const
export const reasonCodes = [...reportCodes, 'ok'] as const
export type ReportCode = (typeof reportCodes)[number]
export type ReasonCode = (typeof reasonCodes)[number]

interface DecisionMove {
  from: readonly Status[]
  to: Status
  /** Where an appeal waits for its answer the same again confirms it. */
  confirms?: true
  /** Only of a thing that waits for its case before it is shown. */
  beforeShown?: true
  /** Lets the thing be: the code `ok` says so. */
  lenient?: true
}

export const decisions = {
  approve: { from: ['pending'], to: 'approved', lenient: true },
  reject: { from: ['pending'], to: 'rejected', confirms: true, beforeShown: true },
  remove: { from: ['pending', 'approved', 'restored'], to: 'removed', confirms: true },
  restore: { from: ['removed', 'rejected'], to: 'restored', lenient: true },
} as const satisfies Record<string, DecisionMove>

export type Decision = keyof typeof decisions
export const decisionNames = Object.keys(decisions) as readonly Decision[]

/** What an owner may appeal against, once. */
export const appealable: readonly Status[] = ['removed', 'rejected']

/** What a decision is taken by. */
interface Standing {
  status: Status
  measure: 'content' | 'suspension'
  premoderation: boolean
  /** Whether its owner has appealed and nobody has answered. */
  isAppealed: boolean
}

/** Whether a decision may be taken on a case; where it leads is its `to`. */
export function allows({ status, measure, premoderation, isAppealed }: Standing, decision: Decision): boolean {
  const { from, to, confirms, beforeShown }: DecisionMove = decisions[decision]
  if (status === to) return confirms === true && isAppealed
  // A suspension that ended is over: another one is a case of its own.
  if (measure === 'suspension' && decision !== 'restore') return false
  return from.includes(status) && (beforeShown !== true || premoderation)
}
