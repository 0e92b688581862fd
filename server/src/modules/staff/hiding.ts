// Hiding a thing from all but its owner, whatever its kind, and showing it again.
import type { Tx } from '../../store/sql.ts'
import type { HiddenKind } from '../moderation/hidden.ts'
import { subjectKind, type subjects } from './subjects.ts'

/** What there is to hide. */
export type Hideable = keyof typeof subjects

const turn = async (tx: Tx, kind: HiddenKind, id: string, hidden: boolean): Promise<boolean> =>
  (await subjectKind(kind)?.hide(tx, id, hidden)) ?? false

/** Hides a thing from all but its owner, at once and whatever the owner does; false where there is none, or it was so already. */
export const hide = (tx: Tx, kind: HiddenKind, id: string): Promise<boolean> => turn(tx, kind, id, true)

/** Brings a hidden thing back whole, as its owner has it now. */
export const unhide = (tx: Tx, kind: HiddenKind, id: string): Promise<boolean> => turn(tx, kind, id, false)
