// The passkeys of an operator: what they are called, when they were used, and how one goes.
import type { SiteOperator } from '../../http/page.ts'
import { canonicalText, isVisible } from '../../kernel/text.ts'
import { type Entry, record } from '../../store/audit.ts'
import type { Query, Tx } from '../../store/sql.ts'
import { lockOperator, type Operator } from './accounts.ts'
import { actorOf } from './sessions.ts'

/** Of one operator. */
export const mostPasskeys = 10

/** Code points of a name. */
export const longestName = 60

export interface Passkey {
  id: string
  name: string
  created_at: Date
  used_at: Date | null
}

/** The oldest first. */
export const passkeys = (sql: Query, operatorId: string): Promise<Passkey[]> => sql<Passkey>`
  select id, name, created_at, used_at from operator_passkeys where operator_id = ${operatorId}
  order by id limit (select ${mostPasskeys}::int)`

/** A name as it is kept; undefined if it is not acceptable. */
export function passkeyName(given: string): string | undefined {
  const text = canonicalText(given, 'line')
  if ('problem' in text || !isVisible(text.value) || [...text.value].length > longestName) return undefined
  return text.value
}

/** What became of a change: done, or why it was not. */
type PasskeyChange = { audit: Entry } | { problem: 'name' | 'gone' | 'last' }

export async function renamePasskey(tx: Tx, operator: Operator, id: string, given: string): Promise<PasskeyChange> {
  const name = passkeyName(given)
  if (name === undefined) return { problem: 'name' }
  const before = await lockPasskey(tx, operator.id, id)
  if (!before) return { problem: 'gone' }
  await tx`update operator_passkeys set name = ${name} where id = ${id}`
  const details = { from: before.name, to: name }
  const actor = actorOf(operator)
  return {
    audit: await record(tx, { actor, action: 'passkey.rename', subject: operator.email, reason: null, details }),
  }
}

/** Removes a passkey, but not the last; other sessions that it began end with it. */
export async function removePasskey(tx: Tx, operator: SiteOperator, id: string): Promise<PasskeyChange> {
  const passkey = await lockPasskey(tx, operator.id, id)
  if (!passkey) return { problem: 'gone' }
  const others = await tx`select 1 from operator_passkeys where operator_id = ${operator.id} and id <> ${id} limit 1`
  if (others.length === 0) return { problem: 'last' }
  await tx`delete from operator_sessions where passkey_id = ${id} and digest <> ${operator.session.digest}`
  await tx`update operator_sessions set passkey_id = null where passkey_id = ${id}`
  await tx`delete from operator_passkeys where id = ${id}`
  const details = { name: passkey.name }
  const actor = actorOf(operator)
  return {
    audit: await record(tx, { actor, action: 'passkey.remove', subject: operator.email, reason: null, details }),
  }
}

async function lockPasskey(tx: Tx, operatorId: string, id: string): Promise<Passkey | undefined> {
  if (!(await lockOperator(tx, operatorId))) return undefined
  const [found] = await tx<Passkey>`
    select id, name, created_at, used_at from operator_passkeys where id = ${id} and operator_id = ${operatorId}`
  return found
}
