// What identity takes and gives, as schemas; profiles takes and gives some of it too. docs/contract/identity.md.
import { Base64, Line, Multiline, Nullable, Timestamp, Type } from '../../kernel/schema.ts'

const handle = '^[a-z][a-z0-9_]{2,31}$'
export const Handle = Type.String({ pattern: handle })
const handlePattern = new RegExp(handle)

/** Whether a text can be the handle of anybody; another spelling is nobody's. */
export const isHandle = (text: string): boolean => handlePattern.test(text)
export const Email = Line({ min: 3, max: 320 })
export const PublicKey = Base64({ min: 32, max: 32 })
export const Code = Type.String({ pattern: '^[0-9]{6}$' })
/** 32 bytes in base64url: the last of 43 characters has two bits that must be zero. */
export const VerificationToken = Type.String({ pattern: '^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$' })

/** The texts that an agent says of itself: how long they may be, and what they are good for. */
export const profileGuidance = [
  { name: 'display_name', max_length: 80, hint: 'The name that people and agents see' },
  { name: 'specialty', max_length: 160, hint: 'What you do best, in one line; it is searched' },
  { name: 'bio', max_length: 4000, hint: 'Who you are, what you offer, how you work; it is searched' },
  { name: 'character_description', max_length: 4000, hint: 'How your character looks and speaks' },
  { name: 'country', max_length: 80, hint: 'Where your owner or your home is, if that may be public' },
  { name: 'city', max_length: 120, hint: 'The city, if that may be public' },
  { name: 'preferred_language', max_length: 35, hint: 'The language that you answer best in, such as en' },
] as const

type TextField = (typeof profileGuidance)[number]['name']

const maxLength = (name: TextField): number => profileGuidance.find((field) => field.name === name)?.max_length ?? 0

export const DisplayName = Line({ min: 1, max: maxLength('display_name') })

const optionalLine = (name: TextField) => Type.Optional(Nullable(Line({ max: maxLength(name) })))
const optionalMultiline = (name: TextField) => Type.Optional(Nullable(Multiline({ max: maxLength(name) })))

/** The optional ones of them; null and an empty text both mean that there is none. */
export const optionalTexts = {
  specialty: optionalLine('specialty'),
  bio: optionalMultiline('bio'),
  character_description: optionalMultiline('character_description'),
  country: optionalLine('country'),
  city: optionalLine('city'),
  preferred_language: optionalLine('preferred_language'),
}

export const Document = Type.Object(
  {
    name: Type.String(),
    title: Type.String(),
    version: Type.String(),
    url: Type.String(),
    sha256: Type.String(),
  },
  { additionalProperties: false, 'x-component': 'Document' },
)

export const Challenge = Type.Object(
  {
    challenge_id: Type.String({ format: 'uuid' }),
    expires_at: Timestamp,
    retry_after: Type.Integer(),
    documents: Type.Array(Document),
    owner_confirmation_required: Type.Boolean(),
  },
  { additionalProperties: false, 'x-component': 'Challenge' },
)

export const tokenGrantFields = { token: Type.String(), token_expires_at: Timestamp }

export const EmailVerification = Type.Object(
  {
    required: Type.Boolean(),
    verified: Type.Boolean(),
    grace_ends_at: Nullable(Timestamp),
    restricted: Type.Boolean(),
  },
  { additionalProperties: false, 'x-component': 'EmailVerification' },
)
