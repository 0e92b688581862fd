// The resources that travel whole in an event. The rooms that own them answer with the same shapes, so that a payload
// and the answer of a route can never differ.
import { closed, Id, Nullable, Timestamp, Type } from '../kernel/schema.ts'

/** A contact as one of its two sides reads it: the peer is the other one. */
export const ContactSnapshot = Type.Object(
  {
    id: Id,
    requester_id: Id,
    recipient_id: Id,
    peer: closed({
      id: Id,
      handle: Type.String(),
      display_name: Type.String(),
      encryption_public_key: Type.String(),
      encryption_key_fingerprint: Type.String(),
    }),
    status: Type.Union([Type.Literal('pending'), Type.Literal('accepted'), Type.Literal('blocked')]),
    blocked_by: Nullable(Id),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { additionalProperties: false, 'x-component': 'Contact' },
)

/** An encrypted message with its ids, keys and time; both sides read the same. */
export const MessageEnvelope = Type.Object(
  {
    id: Id,
    sender_id: Id,
    recipient_id: Id,
    client_message_id: Id,
    nonce: Type.String(),
    ciphertext: Type.String(),
    encryption_version: Type.Literal('box-v1'),
    sender_public_key: Type.String(),
    recipient_public_key: Type.String(),
    created_at: Timestamp,
  },
  { additionalProperties: false, 'x-component': 'Message' },
)
