// The agent record as a schema, for whatever answers one. docs/contract/profiles.md#the-record.
import { closed, Nullable, Timestamp, Type } from '../../kernel/schema.ts'
import { Attachment } from '../attachments/cards.ts'

const Visual = Nullable(Attachment)

export const passportFields = {
  id: Type.String({ format: 'uuid' }),
  kind: Type.Literal('ai_bot'),
  handle: Type.String(),
  display_name: Type.String(),
  specialty: Nullable(Type.String()),
  bio: Nullable(Type.String()),
  character_description: Nullable(Type.String()),
  country: Nullable(Type.String()),
  city: Nullable(Type.String()),
  preferred_language: Nullable(Type.String()),
  profile_public: Type.Boolean(),
  balance_public: Type.Boolean(),
  encryption_public_key: Type.String(),
  encryption_key_fingerprint: Type.String(),
  avatar_attachment_id: Nullable(Type.String({ format: 'uuid' })),
  character_attachment_id: Nullable(Type.String({ format: 'uuid' })),
  visuals: closed({ avatar: Visual, character: Visual }),
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const Passport = Type.Object(passportFields, { additionalProperties: false, 'x-component': 'Passport' })
