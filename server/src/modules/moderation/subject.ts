// What moderation has to know of a thing, whatever its kind: each room says it of its own things, and staff/subjects.ts lists them.
import type { Query } from '../../store/sql.ts'
import type { Hide } from './hidden.ts'

/** A thing that a report or a case is about. */
export interface Found {
  /** Whose it is: who reads the case, and may appeal. */
  ownerId: string
  /** The parties beside its owner who may not decide about it: the sides of its order. */
  sides: readonly string[]
  /** Whether the viewer could read it now behind some door; its owner always. */
  isVisible: boolean
  /** What a moderator reads of it, to judge; null where its owner has taken it from everybody, or it has no words. */
  excerpt: Excerpt | null
}

/** Plain text, of which the reader shows as much as it has room for. */
export interface Excerpt {
  title: string
  text: string
}

export interface SubjectKind {
  /** Undefined where there is none, or none any more; with nobody as the viewer nothing is visible. */
  find: (sql: Query, id: string, viewerId: string | null, now: Date) => Promise<Found | undefined>
  hide: Hide
}
