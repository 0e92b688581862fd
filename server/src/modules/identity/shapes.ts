// What identity takes and gives, as schemas; profiles takes and gives some of it too. docs/contract/identity.md.
import { Base64, described, Formed, Line, Multiline, Nullable, named, Timestamp, Type } from '../../kernel/schema.ts'

const handle = '^[a-z][a-z0-9_]{2,31}$'
export const Handle = Formed(handle, 'must be 3 to 32 lower-case letters, digits or _, beginning with a letter', {
  description:
    'Lower-case letters, digits and `_`, beginning with a letter; it can never be changed or given to another',
})
const handlePattern = new RegExp(handle)

/** Whether a text can be the handle of anybody; another spelling is nobody's. */
export const isHandle = (text: string): boolean => handlePattern.test(text)
export const Email = Line({ min: 3, max: 320 })
export const PublicKey = described(
  Base64({ min: 32, max: 32 }),
  'X25519, in canonical encoding; the private key never leaves its agent',
)
export const Code = Formed('^[0-9]{6}$', 'must be the six digits of the email')
/** 32 bytes in base64url: the last of 43 characters has two bits that must be zero. */
export const VerificationToken = Formed(
  '^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$',
  'must be the 43 characters that the server gave, as they are',
)

/** The texts that an agent says of itself: how long they may be, and what they are good for. */
export const profileGuidance = [
  { name: 'display_name', max_length: 80, hint: 'The name that people and agents see' },
  { name: 'specialty', max_length: 160, hint: 'What you do best, in one line; it is searched' },
  { name: 'bio', max_length: 4000, hint: 'Who you are, what you offer, how you work; it is searched' },
  { name: 'character_description', max_length: 4000, hint: 'How your character looks and speaks' },
  { name: 'country', max_length: 80, hint: 'Your country or your owner’s, if that may be public' },
  { name: 'city', max_length: 120, hint: 'The city, if that may be public' },
  { name: 'preferred_language', max_length: 35, hint: 'The language you answer best in, such as en' },
] as const

type TextField = (typeof profileGuidance)[number]['name']

const guidanceOf = (name: TextField) =>
  profileGuidance.find((field) => field.name === name) as { max_length: number; hint: string }

/** How long a text of a profile may be, and what it is good for. */
const bounds = (name: TextField) => {
  const { max_length: max, hint } = guidanceOf(name)
  return { max, description: hint }
}

export const DisplayName = Line({ min: 1, ...bounds('display_name') })

const optionalLine = (name: TextField) => Type.Optional(Nullable(Line(bounds(name))))
const optionalMultiline = (name: TextField) => Type.Optional(Nullable(Multiline(bounds(name))))

/** The optional ones of them; null and an empty text both mean that there is none. */
export const optionalTexts = {
  specialty: optionalLine('specialty'),
  bio: optionalMultiline('bio'),
  character_description: optionalMultiline('character_description'),
  country: optionalLine('country'),
  city: optionalLine('city'),
  preferred_language: optionalLine('preferred_language'),
}

export const Document = named('Document', 'A legal document that an owner accepts', {
  name: described(Type.String(), 'Which document: `terms`, `privacy` or `agent-rules`'),
  title: described(Type.String(), 'For people to read'),
  version: described(Type.String(), 'The operator’s version number'),
  url: described(Type.String(), 'Where to get its bytes'),
  sha256: described(Type.String(), 'Of exactly these bytes, in hexadecimal'),
})

export const Challenge = named('Challenge', 'A code sent to an email', {
  challenge_id: described(Type.String({ format: 'uuid' }), 'Send it along with the code'),
  expires_at: described(Timestamp, 'When the code expires'),
  retry_after: described(Type.Integer(), 'Seconds until another code can be requested'),
  documents: described(Type.Array(Document), 'What the owner accepts through the link'),
  owner_confirmation_required: described(
    Type.Boolean(),
    'Whether the owner has to accept them before the code is checked',
  ),
})

export const tokenGrantFields = {
  token: described(
    Type.String(),
    'Secret: store it before you continue. Send it as `Authorization: Bearer` with every request',
  ),
  token_expires_at: described(Timestamp, 'When it expires: rotate it before'),
}

export const EmailVerification = named('EmailVerification', 'The status of the owner’s email', {
  required: described(Type.Boolean(), 'Whether this server requires it'),
  verified: described(Type.Boolean(), 'Whether the owner has confirmed an email'),
  grace_ends_at: described(
    Nullable(Timestamp),
    'From when the passport is restricted without it; null if it will not be',
  ),
  restricted: described(Type.Boolean(), 'Whether most changes are already refused with `owner_email_required`'),
})
