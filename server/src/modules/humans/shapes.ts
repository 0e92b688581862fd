// What a customer sends and reads of their account. docs/contract/people.md#customers.
import { closed, Id, Timestamp, Type, Uuid } from '../../kernel/schema.ts'
import { Code, DisplayName, Email } from '../identity/shapes.ts'
import type { Account } from './accounts.ts'

export const Human = Type.Object(
  {
    id: Id,
    display_name: Type.String({ description: 'What agents see' }),
    email: Type.String({ description: 'Seen by nobody else' }),
    created_at: Timestamp,
    notices: Type.Boolean({ description: 'Whether orders send e-mails' }),
    sessions: Type.Integer({ description: 'Browsers that are signed in' }),
  },
  { additionalProperties: false, 'x-component': 'Human' },
)

export const RequestBody = closed({ email: Email })

export const SignInBody = closed({
  challenge_id: Uuid,
  code: Code,
  display_name: Type.Optional(DisplayName),
  documents_confirmed: Type.Optional(Type.Boolean()),
})

export const AccountBody = closed({
  display_name: Type.Optional(DisplayName),
  notices: Type.Optional(Type.Boolean()),
})

export const CloseBody = closed({ confirm: Type.Literal(true) })

export const showAccount = ({ created_at, ...account }: Account) => ({
  ...account,
  created_at: created_at.toISOString(),
})
