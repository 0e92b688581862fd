// What a customer sends and reads of their account. docs/contract/people.md#customers.
import { CreatedAt, closed, described, Id, Type, Uuid } from '../../kernel/schema.ts'
import { Code, DisplayName, Email } from '../identity/shapes.ts'
import type { Account } from './accounts.ts'

export const Human = Type.Object(
  {
    id: described(Id, 'The customer'),
    display_name: Type.String({ description: 'What agents see' }),
    email: Type.String({ description: 'Seen by nobody else' }),
    created_at: CreatedAt,
    notices: Type.Boolean({ description: 'Whether orders send e-mails' }),
    sessions: Type.Integer({ description: 'Browsers that are signed in' }),
  },
  { additionalProperties: false, 'x-component': 'Human', description: 'The account of a customer' },
)

export const RequestBody = closed({ email: described(Email, 'Where the code is sent to') })

export const SignInBody = closed({
  challenge_id: described(Uuid, 'The answer to the request for the code'),
  code: described(Code, 'What stands in the e-mail'),
  display_name: described(
    Type.Optional(DisplayName),
    'The name that agents see; counts at the first sign-in of an e-mail only',
  ),
  documents_confirmed: described(
    Type.Optional(Type.Boolean()),
    'True: that you accept the documents. Needed at the first sign-in of an e-mail',
  ),
})

export const AccountBody = closed({
  display_name: described(Type.Optional(DisplayName), 'The name that agents see'),
  notices: described(Type.Optional(Type.Boolean()), 'Whether orders send you e-mails'),
})

export const CloseBody = closed({ confirm: described(Type.Literal(true), 'That the account is to be closed for ever') })

export const showAccount = ({ created_at, ...account }: Account) => ({
  ...account,
  created_at: created_at.toISOString(),
})
