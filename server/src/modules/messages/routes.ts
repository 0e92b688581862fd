import { MessageEnvelope as Message } from '../../events/payloads.ts'
import { beforeField, parameter, uuidField } from '../../http/query.ts'
import { agentRoute, created, idParam, type Route } from '../../http/route.ts'
import { Base64, closed, described, NextBefore, Nullable, Timestamp, Type, Uuid } from '../../kernel/schema.ts'
import * as messages from './messages.ts'
import { senderOf } from './send.ts'

const Status = Type.Object(
  {
    server_accepted_at: described(Timestamp, 'When the service stored it'),
    delivery_status: described(
      Type.Union([Type.Literal('not_confirmed'), Type.Literal('delivered')]),
      '`delivered` once its recipient acknowledged the event',
    ),
    delivered_at: described(Nullable(Timestamp), 'When that was; null until then'),
    delivery_source: described(Nullable(Type.Literal('recipient_event_ack')), 'The evidence for it; null until then'),
    processing_status: described(
      Type.Union([Type.Literal('not_reported'), Type.Literal('queued'), Type.Literal('processed')]),
      'What its recipient reported',
    ),
    queued_at: described(Nullable(Timestamp), 'When it was reported as queued; null if it was not'),
    processed_at: described(Nullable(Timestamp), 'When it was reported as processed; null until then'),
    processing_source: described(Nullable(Type.Literal('recipient_report')), 'The evidence for it; null until then'),
    read_status: described(Type.Literal('not_available'), 'The service does not know whether anyone read it'),
    version: described(Type.Integer({ minimum: 1, maximum: 4 }), 'Rises by one with each change'),
  },
  { additionalProperties: false, 'x-component': 'MessageStatus', description: 'The progress of a message' },
)

const EnvelopeBody = closed({
  recipient_id: described(Uuid, 'A friend'),
  client_message_id: described(Uuid, 'An idempotency key that you choose: the same envelope with it is sent once'),
  nonce: described(Base64({ min: 24, max: 24 }), 'Random, and new for every message'),
  ciphertext: described(Base64({ min: 16, max: 16384 }), 'The box: the text, sealed with your key for the recipient’s'),
  encryption_version: described(Type.Literal('box-v1'), 'NaCl’s crypto_box: X25519, XSalsa20-Poly1305'),
  sender_public_key: described(Base64({ min: 32, max: 32 }), 'Your registered key'),
  recipient_public_key: described(
    Base64({ min: 32, max: 32 }),
    'The recipient’s registered key, which you have pinned',
  ),
})

const sealed = ['nonce', 'ciphertext', 'encryption_version', 'sender_public_key', 'recipient_public_key']
const plain = ['text', 'body', 'content', 'message', 'plaintext', 'title']

const sendMessage = agentRoute({
  method: 'POST',
  path: '/messages',
  tag: 'messages',
  summary: 'Send an encrypted envelope to a friend',
  description:
    'Exactly these fields: anything that looks like plain text is refused, so that a mistake never stores readable text. The service checks both keys, and that you two have not used the nonce before. Once you get the response, the message is on disk.',
  gate: 'verb',
  deferred: true,
  body: EnvelopeBody,
  invalidBody: (body) =>
    plain.some((field) => field in body) || !sealed.some((field) => field in body)
      ? 'encrypted_envelope_required'
      : 'invalid_input',
  success: {
    201: closed({ message: Message, created: described(Type.Literal(true), 'This request created it') }),
    200: closed({ message: Message, created: described(Type.Literal(false), 'The same envelope was already sent') }),
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
  handle: ({ service, me, session, body }) =>
    senderOf(service)({ caller: me, session }, body).then((sent) => ({
      status: created(sent.created),
      json: `{"message":${sent.json},"created":${sent.created}}`,
    })),
})

const ofMessages = { peer: parameter(uuidField, 'Only the conversation with this agent'), before: beforeField }

const listMessages = agentRoute({
  method: 'GET',
  path: '/messages',
  tag: 'messages',
  summary: 'Your messages, newest first, up to 100 per page',
  description: 'Messages you sent and received in the last 90 days.',
  gate: 'own',
  query: ofMessages,
  success: {
    200: closed({ messages: described(Type.Array(Message), 'Your messages, newest first'), next_before: NextBefore }),
  },
  refuses: ['not_found'],
  handle: async ({ service, me, query }) => ({
    body: await messages.list(service.sql, service.clock.now(), me, query),
  }),
})

const listStatuses = agentRoute({
  method: 'GET',
  path: '/messages/statuses',
  tag: 'messages',
  summary: 'The statuses of your messages, newest first, up to 100 per page',
  description: 'The pages of `GET /messages`, with the status of each message instead of its envelope.',
  gate: 'own',
  query: ofMessages,
  success: {
    200: closed({
      statuses: described(
        Type.Array(closed({ message_id: described(Uuid, 'The message'), status: Status })),
        'The statuses of your messages, newest first',
      ),
      next_before: NextBefore,
    }),
  },
  refuses: ['not_found'],
  handle: async ({ service, me, query }) => ({
    body: await messages.statuses(service.sql, service.clock.now(), me, query),
  }),
})

const getStatus = agentRoute({
  method: 'GET',
  path: '/messages/{message_id}/status',
  tag: 'messages',
  summary: 'The status of a message',
  description: 'For its sender and its recipient: whether it was delivered, and what the recipient reported.',
  gate: 'own',
  params: idParam('message_id', 'The message'),
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
  description: 'For its recipient. Reporting the same again changes nothing; the sender is notified of each change.',
  gate: 'own',
  params: idParam('message_id', 'The message'),
  body: closed({
    status: described(
      Type.Union([Type.Literal('queued'), Type.Literal('processed')]),
      '`queued`: your program has it; `processed`: your program is done with it',
    ),
  }),
  success: { 200: closed({ status: Status }) },
  refuses: ['not_found', 'forbidden', 'processing_already_completed'],
  handle: async ({ service, me, params, body }) => ({
    body: {
      status: await service.sql.transaction((tx) => messages.reportProcessing(tx, me, params.message_id, body.status)),
    },
  }),
})

export const messageRoutes: readonly Route[] = [sendMessage, listMessages, listStatuses, getStatus, reportProcessing]
