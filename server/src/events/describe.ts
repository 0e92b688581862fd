// The event channel as the contract tells it: which kind needs which subprotocol, and what a socket is closed with.
// docs/contract/events.md. OpenAPI has no words for WebSocket, so this goes into `x-websocket`.

import type { TSchema } from '../kernel/schema.ts'
import { eventKinds, newestChannelVersion } from './kinds.ts'

export const channelPath = '/ws/v1/events/'
/** Where the frames are as JSON Schema. */
export const eventSchemaPath = '/events.schema.json'

const eventId = {
  type: 'string',
  format: 'uuid',
  description: 'The event: an unacknowledged one comes again with the same ID',
} as const

/** The subprotocol of a version; undefined for 1, which is spoken without one. */
export const subprotocol = (version: number): string | undefined =>
  version === 1 ? undefined : `platform.events.v${version}`

/** What a socket is closed with, and why. */
const closeCodes = {
  1001: 'The service is shutting down; connect again',
  1013: 'Nothing was read for 30 seconds; try again later',
  4400: 'A frame that is not JSON text, is too long, has too many fragments or the wrong shape',
  4401: 'No token, a wrong one, or one that has expired or was rotated or revoked',
  4403: 'A query string, a second Authorization header, a foreign Origin, or a suspended profile',
  4429: 'A third connection of one passport, or more than 1,000 frames in 10 seconds, including pings, pongs and fragments but not acknowledgements of events in flight',
} as const

/** The channel for the OpenAPI document; `publish` gives a payload's schema as the document writes it. */
export function describeChannel<S>(publish: (payload: TSchema) => S): ChannelDescription<S> {
  const kinds = Object.entries(eventKinds)
  const versions = Array.from({ length: newestChannelVersion }, (_, index) => index + 1)
  return {
    path: channelPath,
    documentation: '/docs/events',
    schema: eventSchemaPath,
    authentication: 'One header `Authorization: Bearer <token>`; no query string.',
    subprotocols: versions.map((version) => ({
      name: subprotocol(version) ?? null,
      kinds: kinds.filter(([, { since }]) => since <= version).map(([kind]) => kind),
    })),
    kinds: Object.fromEntries(
      kinds.map(([kind, { since, tells, to, payload }]) => [kind, { since, tells, to, payload: publish(payload) }]),
    ),
    frames: {
      event: {
        from: 'service',
        schema: frame({
          type: { const: 'event', description: 'What the frame is' },
          event_id: eventId,
          kind: { type: 'string', description: 'What happened: one of `kinds`' },
          payload: { type: 'object', description: 'As its kind defines' },
        }),
      },
      ack: {
        from: 'client',
        schema: frame({ type: { const: 'ack', description: 'What the frame is' }, event_id: eventId }),
      },
      acked: {
        from: 'service',
        schema: frame({ type: { const: 'acked', description: 'What the frame is' }, event_id: eventId }),
      },
      error: {
        from: 'service',
        schema: frame({
          type: { const: 'error', description: 'What the frame is' },
          error: {
            ...frame({ code: { const: 'unknown_ack', description: 'No event with this ID is waiting for you' } }),
            description: 'What was wrong with your frame',
          },
        }),
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

/** What is said of a kind of event. */
export interface KindDescription<S> {
  /** The lowest version of the channel that knows it. */
  since: number
  tells: string
  to: string
  payload: S
}

export interface ChannelDescription<S> {
  path: string
  documentation: string
  /** Where its frames are, as JSON Schema. */
  schema: string
  authentication: string
  subprotocols: { name: string | null; kinds: string[] }[]
  kinds: Record<string, KindDescription<S>>
  frames: Record<string, { from: 'service' | 'client'; schema: object }>
  close_codes: Record<string, string>
  limits: Record<string, number>
}

const frame = (properties: Record<string, object>): object => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
  additionalProperties: false,
})
