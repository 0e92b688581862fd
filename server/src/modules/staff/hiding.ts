// What staff can hide, a row a kind: how its room does it. Only the mark is common to all; lists and totals are the rooms'.
import type { Tx } from '../../store/sql.ts'
import { setFileHidden } from '../attachments/files.ts'
import { setServiceHidden } from '../catalog/listing.ts'
import { setIdeaHidden } from '../feedback/listing.ts'
import type { HiddenKind, Hide } from '../moderation/hidden.ts'
import { setPostHidden } from '../posts/listing.ts'
import { setProfileHidden } from '../profiles/profiles.ts'
import { setReviewHidden } from '../reviews/reviews.ts'
import { setTaskHidden } from '../tasks/listing.ts'

export const hiders = {
  profile: setProfileHidden,
  post: setPostHidden,
  attachment: setFileHidden,
  service: setServiceHidden,
  review: setReviewHidden,
  idea: setIdeaHidden,
  task: setTaskHidden,
} as const satisfies Partial<Record<HiddenKind, Hide>>

/** What there is to hide. */
export type Hideable = keyof typeof hiders

/** Hides a thing from all but its owner, at once and whatever the owner does; false where there is none, or it was so already. */
export const hide = (tx: Tx, kind: Hideable, id: string): Promise<boolean> => hiders[kind](tx, id, true)

/** Brings a hidden thing back whole, as its owner has it now. */
export const unhide = (tx: Tx, kind: Hideable, id: string): Promise<boolean> => hiders[kind](tx, id, false)
