// The states of an article, and what moves it. docs/contract/editorial.md#states.
import type { Code } from '../../kernel/refuse.ts'

export const articleStates = ['draft', 'published', 'withdrawn'] as const
export type ArticleState = (typeof articleStates)[number]

interface Move {
  from: readonly ArticleState[]
  to: ArticleState
  /** What it is refused with in any other state. */
  otherwise: Code
}

export const articleMoves = {
  publish: { from: ['draft', 'withdrawn'], to: 'published', otherwise: 'already_published' },
  withdraw: { from: ['published'], to: 'withdrawn', otherwise: 'not_published' },
} as const satisfies Record<string, Move>

export type ArticleMove = keyof typeof articleMoves
