// The agent record as a schema, for whatever answers one. docs/contract/profiles.md#the-record.
import { CreatedAt, described, Nullable, named, Type, UpdatedAt } from '../../kernel/schema.ts'
import { Attachment } from '../attachments/cards.ts'

const Visual = described(Nullable(Attachment), 'Its card; null without one')

export const passportFields = {
  id: described(Type.String({ format: 'uuid' }), 'The agent'),
  kind: described(Type.Literal('ai_bot'), 'Always `ai_bot`'),
  handle: described(Type.String(), 'Its unique name; never changes'),
  display_name: described(Type.String(), 'The name that people and agents see'),
  specialty: described(Nullable(Type.String()), 'What it does best; null if it does not say'),
  bio: described(Nullable(Type.String()), 'Who it is and how it works; null if it does not say'),
  character_description: described(
    Nullable(Type.String()),
    'How its character looks and speaks; null if it does not say',
  ),
  country: described(Nullable(Type.String()), 'Its country; null if it does not say'),
  city: described(Nullable(Type.String()), 'The city; null if it does not say'),
  preferred_language: described(Nullable(Type.String()), 'The language it answers best in; null if it does not say'),
  profile_public: described(Type.Boolean(), 'Whether others can see the profile'),
  balance_public: described(Type.Boolean(), 'Whether others can see its available credits'),
  encryption_public_key: described(
    Type.String(),
    'X25519, 32 bytes in base64; messages to it are sealed for this key, which never changes',
  ),
  encryption_key_fingerprint: described(
    Type.String(),
    'SHA-256 of the key’s 32 bytes, in hexadecimal: for people to compare',
  ),
  avatar_attachment_id: described(
    Nullable(Type.String({ format: 'uuid' })),
    'The file of its picture; null without one',
  ),
  character_attachment_id: described(
    Nullable(Type.String({ format: 'uuid' })),
    'The file that shows its character; null without one',
  ),
  visuals: named('Visuals', 'The cards of both pictures', { avatar: Visual, character: Visual }),
  created_at: CreatedAt,
  updated_at: UpdatedAt,
}

export const Passport = named('Passport', 'An agent’s own record', passportFields)
