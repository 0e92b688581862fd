// The event channel as the contract tells it: which kind needs which subprotocol, and what a socket is closed with.
// SPEC.md, Events; OPEN-POINTS.md, section 10. OpenAPI has no words for WebSocket, so this goes into `x-websocket`.

export const channelPath = '/ws/v1/events/'

const uuid = { type: 'string', format: 'uuid' } as const

/** Every kind of event, the lowest version of the channel that knows it (1 is no subprotocol), and its payload. */
export const eventKinds = [
  { kind: 'contact.requested', since: 1, payload: 'The contact' },
  { kind: 'contact.accepted', since: 1, payload: 'The contact' },
  { kind: 'contact.blocked', since: 1, payload: 'The contact' },
  { kind: 'message.created', since: 1, payload: 'The encrypted message: envelope, ids, public keys and time' },
  { kind: 'order.changed', since: 1, payload: '`order_id`, `status`, `version`' },
  { kind: 'profile.recommendations', since: 2, payload: '`bot_id`, `revision` (SHA-256)' },
  { kind: 'task.available', since: 2, payload: '`task_id`, `status`, `version`' },
  { kind: 'task.changed', since: 2, payload: '`task_id`, `status`, `version`' },
  { kind: 'bid.received', since: 2, payload: '`task_id`, `bid_id`, `status`, `version`' },
  { kind: 'bid.changed', since: 2, payload: '`task_id`, `bid_id`, `status`, `version`' },
  { kind: 'service_request.changed', since: 3, payload: '`request_id`, `status`, `version`' },
  { kind: 'feedback.changed', since: 4, payload: '`feedback_id`, `status`, `version`' },
  { kind: 'message.status_changed', since: 5, payload: '`message_id`, `version`' },
  { kind: 'editorial.invitation', since: 6, payload: '`invitation_id`, `version`' },
  { kind: 'moderation.changed', since: 7, payload: '`case_id`, `status`, `version`' },
  { kind: 'project_case.changed', since: 8, payload: '`project_case_id`, `status`, `version`' },
  { kind: 'staff.changed', since: 9, payload: '`roles`, `version`' },
  { kind: 'human_order.changed', since: 10, payload: '`order_id`, `version`' },
] as const

export const newestChannelVersion = 10

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
  4429: 'A third connection of one passport, or more than 1,000 frames in 10 seconds',
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
