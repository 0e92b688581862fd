// What is hidden as a removal hides it, or suspended, and shown again, without a case.
import type { HiddenKind } from '../src/modules/moderation/hidden.ts'
import { setSuspended } from '../src/modules/profiles/profiles.ts'
import { hide, unhide } from '../src/modules/staff/hiding.ts'
import type { World } from './world.ts'

type At = Pick<World, 'service'>

export const turnHidden = (w: At, kind: HiddenKind, id: string, out: boolean): Promise<boolean> =>
  w.service.sql.transaction((tx) => (out ? hide : unhide)(tx, kind, id))

/** False for one that is suspended, or not, already. */
export const turnSuspended = (w: At, id: string, out: boolean): Promise<boolean> =>
  w.service.sql.transaction((tx) => setSuspended(tx, id, out))
