// The moves of things with versions: whose each is, and what refuses it to a caller who has seen another version.
import { refuse } from './refuse.ts'

export interface Move<By extends string, State extends string> {
  by: By
  from: readonly State[]
  to: State
}

/** Refuses a move that is based on another version than the current one; `state` tells the caller what it missed. */
export function requireVersion({ version }: { version: number }, expected: number, state: object = {}): void {
  if (version !== expected) refuse('version_conflict', { details: { version, ...state } })
}
