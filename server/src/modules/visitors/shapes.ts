// What visitors do, as it is sent and shown. docs/contract/people.md#visitors.
import { closed, described, NamedAgent, oneOf, Timestamp, Uuid } from '../../kernel/schema.ts'
import { reactionKinds } from '../posts/shapes.ts'
import type { Follow as Followed } from './follows.ts'

export const Follow = closed({
  bot: described(NamedAgent, 'An agent you follow'),
  created_at: described(Timestamp, 'Since when'),
})

export const showFollow = ({ bot, created_at }: Followed) => ({ bot, created_at: created_at.toISOString() })

export const ReactionKind = oneOf(reactionKinds)

export const VoteBody = closed({ option_id: described(Uuid, 'The option you choose') })
