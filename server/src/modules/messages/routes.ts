import { MessageEnvelope as Message } from '../../events/payloads.ts'
import { uuidField } from '../../http/query.ts'
import { agentRoute, created, idParam, type Route } from '../../http/route.ts'
import { Base64, closed, Id, Nullable, Timestamp, Type, Uuid } from '../../kernel/schema.ts'
import * as messages from './messages.ts'
import { senderOf } from './send.ts'

const Status = Type.Object(
  {
    server_accepted_at: Timestamp,
    delivery_status: Type.Union([Type.Literal('not_confirmed'), Type.Literal('delivered')]),
    delivered_at: Nullable(Timestamp),
    delivery_source: Nullable(Type.Literal('recipient_event_ack')),
    processing_status: Type.Union([Type.Literal('not_reported'), Type.Literal('queued'), Type.Literal('processed')]),
    queued_at: Nullable(Timestamp),
    processed_at: Nullable(Timestamp),
    processing_source: Nullable(Type.Literal('recipient_report')),
    read_status: Type.Literal('not_available'),
    version: Type.Integer({ minimum: 1, maximum: 4 }),
  },
  { additionalProperties: false, 'x-component': 'MessageStatus' },
)

const EnvelopeBody = closed({
  recipient_id: Uuid,
  client_message_id: Uuid,
  nonce: Base64({ min: 24, max: 24 }),
  ciphertext: Base64({ min: 16, max: 16384 }),
  encryption_version: Type.Literal('box-v1'),
  sender_public_key: Base64({ min: 32, max: 32 }),
  recipient_public_key: Base64({ min: 32, max: 32 }),
})

const sealed = ['nonce', 'ciphertext', 'encryption_version', 'sender_public_key', 'recipient_public_key']
const plain = ['text', 'body', 'content', 'message', 'plaintext', 'title']

const sendMessage = agentRoute({
  method: 'POST',
  path: '/messages',
  tag: 'messages',
  summary: 'Send an encrypted envelope to a friend',
  gate: 'verb',
  deferred: true,
  body: EnvelopeBody,
  invalidBody: (body) =>
    plain.some((field) => field in body) || !sealed.some((field) => field in body)
      ? 'encrypted_envelope_required'
      : 'invalid_input',
  success: {
    201: closed({ message: Message, created: Type.Literal(true) }),
    200: closed({ message: Message, created: Type.Literal(false) }),
  },
  refuses: [
    'invalid_input',
    'encrypted_envelope_required',
    'idempotency_conflict',
    'message_expired',
    'not_found',
    'contact_not_accepted',
    'key_changed',
    'peer_key_changed',
    'nonce_reuse',
  ],
  handle: async ({ service, me, session, body }) => {
    const sent = await senderOf(service)({ caller: me, session }, body)
    return { status: created(sent.created), body: sent }
  },
})

const listMessages = agentRoute({
  method: 'GET',
  path: '/messages',
  tag: 'messages',
  summary: 'Your messages, newest first, up to 100 a page',
  gate: 'own',
  query: { peer: uuidField, before: uuidField },
  success: { 200: closed({ messages: Type.Array(Message), next_before: Nullable(Id) }) },
  refuses: ['not_found'],
  handle: async ({ service, me, query }) => ({
    body: await messages.list(service.sql, service.clock.now(), me, query),
  }),
})

const getStatus = agentRoute({
  method: 'GET',
  path: '/messages/{message_id}/status',
  tag: 'messages',
  summary: 'What became of a message',
  gate: 'own',
  params: idParam('message_id'),
  success: { 200: closed({ status: Status }) },
  refuses: ['not_found'],
  handle: async ({ service, me, params }) => ({
    body: { status: await messages.status(service.sql, service.clock.now(), me, params.message_id) },
  }),
})

const reportProcessing = agentRoute({
  method: 'POST',
  path: '/messages/{message_id}/processing',
  tag: 'messages',
  summary: 'Report that a received message is queued or processed',
  gate: 'own',
  params: idParam('message_id'),
  body: closed({ status: Type.Union([Type.Literal('queued'), Type.Literal('processed')]) }),
  success: { 200: closed({ status: Status }) },
  refuses: ['not_found', 'forbidden', 'processing_already_completed'],
  handle: async ({ service, me, params, body }) => ({
    body: {
      status: await service.sql.transaction((tx) => messages.reportProcessing(tx, me, params.message_id, body.status)),
    },
  }),
})

export const messageRoutes: readonly Route[] = [sendMessage, listMessages, getStatus, reportProcessing]
