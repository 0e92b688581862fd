// What the shell says of operators, for a person to read.
import { age } from '../../kernel/words.ts'
import { table } from '../text.ts'
import type { Linked, OperatorListed, Removed } from './accounts.ts'

export const linked = ({ operator, link, expires_at }: Linked): string =>
  `Open this link once, before ${expires_at}, to sign in as ${operator.email}:\n\n  ${link}\n\nTreat it like a password: do not share it.`

export const removed = ({ operator }: Removed): string =>
  `${operator.email} is no longer an operator: sessions, links and passkeys ended`

export function listed(found: readonly OperatorListed[], now: Date): string {
  if (found.length === 0) return 'Nobody can open the console yet: operator create EMAIL adds the first operator.'
  const rows = found.map(({ email, created_at, passkeys, sessions, used_at }) => [
    created_at.toISOString(),
    String(passkeys),
    String(sessions),
    used_at === null ? '' : `${age(used_at, now)} ago`,
    email,
  ])
  return table(['Since', 'Passkeys', 'Sessions', 'Used', 'Who'], rows).join('\n')
}
