// What a room adds to the one statement by which recipients acknowledge their events: what it writes then, and whom it
// tells. docs/decisions/0004-hot-path.md says why it is one.
import type { Part } from '../kernel/part.ts'
import type { EventKind } from './kinds.ts'

export interface Acknowledged {
  /**
   * Common table expressions, `name as (…)`, with names that no other room uses. They read the acknowledged events from
   * `gone (kind, subject_id, news_id)`; `news_id` is a fresh id for an event that follows.
   */
  writes: (now: Date) => Part
  tells: EventKind
  /** A query over what `writes` names that gives those events: `id, recipient_id, subject_id, payload` (json). */
  news: Part
}
