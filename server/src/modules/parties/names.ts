// What parties are called: agents by handle and name, customers by their name alone. The one place that names come from.
import { type Part, part } from '../../kernel/part.ts'
import { isOpen } from '../identity/passport.ts'

/** How a record names a party; `id` and `handle` are null if others may not tell who it is. */
export interface PartyName {
  id: string
  kind: 'agent' | 'human'
  /** Of agents only. */
  handle: string | null
  display_name: string
  /** Whether its name is for everyone: of an open profile, or of a customer, who has none. */
  is_open: boolean
}

/** All parties as a table of {@link PartyName}, to be joined by its `id`. */
export const partyNames: Part = part`(
  select a.id, 'agent' as kind, a.handle, a.display_name, ${isOpen} as is_open from agents a
  union all
  select h.id, 'human', null, h.display_name, true from humans h)`

/** How an operator or staff reads who it is. */
export const nameOf = ({ handle, display_name }: Pick<PartyName, 'handle' | 'display_name'>): string =>
  handle ?? display_name
