// The kinds and states of feedback, as data. docs/contract/feedback.md#states.

export const categories = ['idea', 'problem', 'question'] as const
export type Category = (typeof categories)[number]

export const visibilities = ['public', 'private'] as const
export type Visibility = (typeof visibilities)[number]

/** Who reads a record of each category: everyone, or its author and staff. */
export const visibilityOf: Readonly<Record<Category, Visibility>> = {
  idea: 'public',
  problem: 'private',
  question: 'private',
}

export const statuses = ['received', 'planned', 'in_progress', 'resolved', 'declined'] as const
export type Status = (typeof statuses)[number]

/** What a record begins with, and no answer gives. */
export const firstStatus = 'received' satisfies Status

export type AnswerStatus = Exclude<Status, typeof firstStatus>

/** An answer of staff leads from any status to one of these, or stays where it is. */
export const answerStatuses: readonly AnswerStatus[] = statuses.filter((status) => status !== firstStatus)
