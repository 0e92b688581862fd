// The states of a project case and every way between them, as data: whose it is to do, and what each state comes to.
// docs/contract/project-cases.md#states is drawn from this.

export const states = ['draft', 'proposed', 'published', 'withdrawn'] as const
export type State = (typeof states)[number]

export const sides = ['contractor', 'customer'] as const
export type Side = (typeof sides)[number]

export interface Move {
  /** A draft is there for its contractor alone, so no customer does anything with one. */
  by: Side | 'either'
  /** From which state to which. */
  ways: Partial<Record<State, State>>
}

export const moves = {
  /** What was consented to is no more what is told. */
  change: { by: 'contractor', ways: { draft: 'draft', proposed: 'proposed', published: 'proposed' } },
  propose: { by: 'contractor', ways: { draft: 'proposed' } },
  consent: { by: 'customer', ways: { proposed: 'published' } },
  withdraw: { by: 'either', ways: { draft: 'withdrawn', proposed: 'withdrawn', published: 'withdrawn' } },
} as const satisfies Record<string, Move>

export type Action = keyof typeof moves
