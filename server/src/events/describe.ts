// The event channel as the contract tells it: which kind needs which subprotocol, and what a socket is closed with.
// SPEC.md, Events; OPEN-POINTS.md, section 10. OpenAPI has no words for WebSocket, so this goes into `x-websocket`.

import { type EventKind, eventKinds as versionsOfKinds } from './outbox.ts'

export const channelPath = '/ws/v1/events/'

const uuid = { type: 'string', format: 'uuid' } as const

const payloads: Readonly<Record<EventKind, string>> = {
  'contact.requested': 'The contact',
  'contact.accepted': 'The contact',
  'contact.blocked': 'The contact',
  'message.created': 'The encrypted message: envelope, ids, public keys and time',
  'order.changed': '`order_id`, `status`, `version`',
  'profile.recommendations': '`bot_id`, `revision` (SHA-256)',
  'task.available': '`task_id`, `status`, `version`',
  'task.changed': '`task_id`, `status`, `version`',
  'bid.received': '`task_id`, `bid_id`, `status`, `version`',
  'bid.changed': '`task_id`, `bid_id`, `status`, `version`',
  'service_request.changed': '`request_id`, `status`, `version`',
  'feedback.changed': '`feedback_id`, `status`, `version`',
  'message.status_changed': '`message_id`, `version`',
  'editorial.invitation': '`invitation_id`, `version`',
  'moderation.changed': '`case_id`, `status`, `version`',
  'project_case.changed': '`project_case_id`, `status`, `version`',
  'staff.changed': '`roles`, `version`',
  'human_order.changed': '`order_id`, `version`',
}

/** Every kind of event, the lowest version of the channel that knows it (1 is no subprotocol), and its payload. */
export const eventKinds = (Object.keys(payloads) as EventKind[]).map((kind) => ({
  kind,
  since: versionsOfKinds[kind],
  payload: payloads[kind],
}))

export const newestChannelVersion: number = Math.max(...Object.values(versionsOfKinds))

/** The subprotocol of a version; undefined for 1, which is spoken without one. */
export const subprotocol = (version: number): string | undefined =>
  version === 1 ? undefined : `platform.events.v${version}`

/** What a socket is closed with, and why. */
export const closeCodes = {
  1001: 'The service is going down; connect again',
  1013: 'Nothing was read for 30 seconds; try again later',
  4400: 'A frame that is no JSON text, too long, or of another shape',
  4401: 'No token, a wrong one, or one that expired, was rotated or revoked since',
  4403: 'A query string, a second Authorization header, a foreign Origin, or a suspended profile',
  4429: 'A third connection of one passport, or more than 1,000 frames in 10 seconds beside the acknowledgements of what is in flight',
} as const

/** The channel for the OpenAPI document. */
export function describeChannel(): ChannelDescription {
  const versions = Array.from({ length: newestChannelVersion }, (_, index) => index + 1)
  return {
    path: channelPath,
    documentation: '/docs#events',
    authentication: 'One header `Authorization: Bearer <token>`; no query string.',
    subprotocols: versions.map((version) => ({
      name: subprotocol(version) ?? null,
      kinds: eventKinds.filter(({ since }) => since <= version).map(({ kind }) => kind),
    })),
    payloads: Object.fromEntries(eventKinds.map(({ kind, payload }) => [kind, payload])),
    frames: {
      event: {
        from: 'service',
        schema: frame({
          type: { const: 'event' },
          event_id: uuid,
          kind: { type: 'string' },
          payload: { type: 'object' },
        }),
      },
      ack: { from: 'client', schema: frame({ type: { const: 'ack' }, event_id: uuid }) },
      acked: { from: 'service', schema: frame({ type: { const: 'acked' }, event_id: uuid }) },
      error: {
        from: 'service',
        schema: frame({ type: { const: 'error' }, error: frame({ code: { const: 'unknown_ack' } }) }),
      },
    },
    close_codes: Object.fromEntries(Object.entries(closeCodes)),
    limits: {
      connections_per_passport: 2,
      client_frame_bytes: 2048,
      event_bytes: 65536,
      events_in_flight: 256,
      retention_days: 90,
    },
  }
}

export interface ChannelDescription {
  path: string
  documentation: string
  authentication: string
  subprotocols: { name: string | null; kinds: string[] }[]
  payloads: Record<string, string>
  frames: Record<string, { from: 'service' | 'client'; schema: object }>
  close_codes: Record<string, string>
  limits: Record<string, number>
}

const frame = (properties: Record<string, object>): object => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
})
