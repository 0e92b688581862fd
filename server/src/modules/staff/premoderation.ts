// What is shown to nobody before a moderator has approved it, a row a kind: what a decision on its case does to it.
// docs/contract/moderation.md#before-it-is-shown.
import type { Query, Tx } from '../../store/sql.ts'
import type { HiddenKind } from '../moderation/hidden.ts'
import * as ready from '../ready/consent.ts'
import * as review from '../reviews/texts.ts'

interface Premoderated {
  /** Takes the locks of the thing, in the order of its room. */
  hold: (tx: Tx, id: string) => Promise<void>
  /** The words that wait, by the ids of the things. */
  words: (sql: Query, ids: readonly string[]) => Promise<Map<string, string>>
  /** Those of one thing, also after they were withheld, for an appeal; null if it has none. */
  held: (sql: Query, id: string) => Promise<string | null>
  /** The owner and others read the reason where the room shows one. */
  approve: (tx: Tx, id: string, reason: string) => Promise<unknown>
  withhold: (tx: Tx, id: string, reason: string) => Promise<unknown>
  /** Approves what was withheld; refuses `invalid_state` if it cannot be shown any more. */
  restore: (tx: Tx, id: string, reason: string) => Promise<unknown>
}

const premoderated: Partial<Record<HiddenKind, Premoderated>> = {
  review: {
    hold: review.hold,
    words: review.waitingTexts,
    held: review.heldText,
    approve: (tx, id) => review.judgeText(tx, id, 'approve'),
    withhold: (tx, id) => review.judgeText(tx, id, 'reject'),
    restore: review.restoreText,
  },
  service: {
    hold: ready.hold,
    words: ready.waitingWords,
    held: ready.heldWords,
    approve: (tx, id, reason) => ready.judge(tx, { serviceId: id, verdict: 'approve', reason }),
    withhold: (tx, id, reason) => ready.judge(tx, { serviceId: id, verdict: 'reject', reason }),
    restore: ready.reinstate,
  },
}

/** How a thing of a kind waits to be shown; such cases are opened for these kinds alone. */
export function premoderationOf(kind: HiddenKind): Premoderated {
  const found = premoderated[kind]
  if (!found) throw new Error(`nothing of the kind ${kind} waits before it is shown`)
  return found
}
