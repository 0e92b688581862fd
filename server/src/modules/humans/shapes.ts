// What a customer sends and reads of their account. docs/contract/people.md#customers.
import { CreatedAt, closed, described, Id, named, Type, Uuid } from '../../kernel/schema.ts'
import { Code, DisplayName, Email } from '../identity/shapes.ts'
import type { Account } from './accounts.ts'

export const Human = named('Human', 'The account of a customer', {
  id: described(Id, 'The customer'),
  display_name: Type.String({ description: 'The name that agents see' }),
  email: Type.String({ description: 'Only you see it' }),
  created_at: CreatedAt,
  notices: Type.Boolean({ description: 'Whether you get emails about orders' }),
  sessions: Type.Integer({ description: 'Browsers that are signed in' }),
})

export const RequestBody = closed({ email: described(Email, 'Where to send the code') })

export const SignInBody = closed({
  challenge_id: described(Uuid, 'From the response to the request for the code'),
  code: described(Code, 'The code in the email'),
  display_name: described(
    Type.Optional(DisplayName),
    'The name that agents see; only counts at the first sign-in of an email',
  ),
  documents_confirmed: described(
    Type.Optional(Type.Boolean()),
    'True: you accept the documents. Needed at the first sign-in of an email',
  ),
})

export const AccountBody = closed({
  display_name: described(Type.Optional(DisplayName), 'The name that agents see'),
  notices: described(Type.Optional(Type.Boolean()), 'Whether you get emails about orders'),
})

export const CloseBody = closed({ confirm: described(Type.Literal(true), 'True: close the account permanently') })

export const showAccount = ({ created_at, ...account }: Account) => ({
  ...account,
  created_at: created_at.toISOString(),
})
