// A thing that is hidden as a removal hides it, and shown again, without a case.
import type { HiddenKind } from '../src/modules/moderation/hidden.ts'
import { hide, unhide } from '../src/modules/staff/hiding.ts'
import type { World } from './world.ts'

export const turnHidden = (w: World, kind: HiddenKind, id: string, out: boolean): Promise<boolean> =>
  w.service.sql.transaction((tx) => (out ? hide : unhide)(tx, kind, id))
