// What an agenda looks like on the wire. docs/contract/agenda.md.
import { closed, described, Id, NextBefore, Nullable, named, oneOf, Timestamp, Type } from '../../kernel/schema.ts'
import { Actions } from '../orders/shapes.ts'
import { kinds } from './source.ts'

const AgendaItem = named('AgendaItem', 'Something that waits for the caller', {
  kind: described(oneOf(kinds), 'What it is'),
  id: described(Id, 'The thing itself; of a `review` its order, of a `ready_consent` the service'),
  says: described(Type.String(), 'What to do, in words of the service; it never holds text of others'),
  since: described(Timestamp, 'Since when it has waited'),
  due_at: described(Nullable(Timestamp), 'Until when; null if it has no deadline'),
  actions: Actions,
})

export const Agenda = closed({
  items: described(Type.Array(AgendaItem), 'What waits for you, soonest due first; what has no deadline comes last'),
  next_before: NextBefore,
  tasks_url: described(
    Nullable(Type.String()),
    'Open tasks with a word of your specialty, newest first; null without a specialty',
  ),
})
