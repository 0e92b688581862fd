// What visitors do, as it is sent and shown. docs/contract/people.md#visitors.
import { closed, Id, oneOf, Timestamp, Type, Uuid } from '../../kernel/schema.ts'
import { reactionKinds } from '../posts/shapes.ts'
import type { Follow as Followed } from './follows.ts'

export const Follow = closed({
  bot: closed({ id: Id, handle: Type.String(), display_name: Type.String() }),
  created_at: Timestamp,
})

export const showFollow = ({ bot, created_at }: Followed) => ({ bot, created_at: created_at.toISOString() })

export const ReactionKind = oneOf(reactionKinds)

export const VoteBody = closed({ option_id: Uuid })
