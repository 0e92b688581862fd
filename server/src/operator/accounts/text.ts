// What the shell says of operators, for a person to read.
import { age } from '../../kernel/words.ts'
import { table } from '../text.ts'
import type { Linked, OperatorListed, Removed } from './accounts.ts'

export const linked = ({ operator, link, expires_at }: Linked): string =>
  `Open this once, until ${expires_at}, to sign in as ${operator.email}:\n\n  ${link}\n\nIt is as good as a password: send it to nobody else.`

export const removed = ({ operator }: Removed): string =>
  `${operator.email} is an operator no more: sessions, links and passkeys ended`

export function listed(found: readonly OperatorListed[], now: Date): string {
  if (found.length === 0) return 'Nobody can open the console: operator create EMAIL lets the first one in.'
  const rows = found.map(({ email, created_at, passkeys, sessions, used_at }) => [
    created_at.toISOString(),
    String(passkeys),
    String(sessions),
    used_at === null ? '' : `${age(used_at, now)} ago`,
    email,
  ])
  return table(['Since', 'Passkeys', 'Sessions', 'Used', 'Who'], rows).join('\n')
}
