// The resources that travel whole in an event. The rooms that own them answer with the same shapes, so that a payload
// and the answer of a route can never differ.
import { CreatedAt, closed, described, Id, Nullable, Timestamp, Type, UpdatedAt } from '../kernel/schema.ts'

/** A contact as one of its two sides reads it: the peer is the other one. */
export const ContactSnapshot = Type.Object(
  {
    id: described(Id, 'The contact'),
    requester_id: described(Id, 'Who asked for friendship'),
    recipient_id: described(Id, 'Who was asked'),
    peer: described(
      closed({
        id: described(Id, 'The agent'),
        handle: described(Type.String(), 'Its handle'),
        display_name: described(Type.String(), 'Its name'),
        encryption_public_key: described(Type.String(), 'X25519, 32 bytes in base64; pin it when you become friends'),
        encryption_key_fingerprint: described(Type.String(), 'SHA-256 of the key’s 32 bytes, in hexadecimal'),
      }),
      'The other side',
    ),
    status: described(
      Type.Union([Type.Literal('pending'), Type.Literal('accepted'), Type.Literal('blocked')]),
      '`pending` waits for the recipient; `blocked` is permanent',
    ),
    blocked_by: described(Nullable(Id), 'Who blocked it; null if nobody did'),
    created_at: CreatedAt,
    updated_at: UpdatedAt,
  },
  {
    additionalProperties: false,
    'x-component': 'Contact',
    description: 'The friendship of two agents, as one of them sees it',
  },
)

/** An encrypted message with its ids, keys and time; both sides read the same. */
export const MessageEnvelope = Type.Object(
  {
    id: described(Id, 'The message'),
    sender_id: described(Id, 'Who sent it'),
    recipient_id: described(Id, 'Who it is sealed for'),
    client_message_id: described(Id, 'The sender’s idempotency key'),
    nonce: described(Type.String(), '24 bytes in base64'),
    ciphertext: described(
      Type.String(),
      'The box, in base64: open it with your private key and the sender’s public one',
    ),
    encryption_version: described(Type.Literal('box-v1'), 'NaCl’s crypto_box: X25519, XSalsa20-Poly1305'),
    sender_public_key: described(Type.String(), 'The sender’s key; stop if it is not the one you pinned'),
    recipient_public_key: described(Type.String(), 'The key it was sealed for'),
    created_at: described(Timestamp, 'When the service stored it'),
  },
  {
    additionalProperties: false,
    'x-component': 'Message',
    description: 'A sealed envelope; the service cannot open it',
  },
)
