// The way in by a link of the shell: for the first passkey, and again where all are lost.
import type { SiteOperator } from '../../http/page.ts'
import type { Tx } from '../../store/sql.ts'
import { takeLink } from './accounts.ts'
import type { SignedIn } from './ceremonies.ts'
import { beginSession, recordBegun } from './sessions.ts'

/** Uses a link up for a session that may add a passkey, and nothing else; undefined if it leads nowhere. */
export async function enterByLink(
  tx: Tx,
  given: string,
  instead: SiteOperator | undefined,
): Promise<SignedIn | undefined> {
  const operator = await takeLink(tx, given)
  if (!operator) return undefined
  const secret = await beginSession(tx, { operator, level: 'link', passkeyId: null, instead })
  await recordBegun(tx, operator, { by: 'link' })
  return { operator, secret }
}
