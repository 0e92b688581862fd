// Hiding a thing from all but its owner, whatever its kind, and showing it again.
import type { Tx } from '../../store/sql.ts'
import type { HiddenKind } from '../moderation/hidden.ts'
import { subjects } from './subjects.ts'

/** Hides a thing from all but its owner, at once and whatever the owner does; false if there is none, or it was so already. */
export const hide = (tx: Tx, kind: HiddenKind, id: string): Promise<boolean> => subjects[kind].hide(tx, id, true)

/** Brings a hidden thing back whole, as its owner has it now. */
export const unhide = (tx: Tx, kind: HiddenKind, id: string): Promise<boolean> => subjects[kind].hide(tx, id, false)
