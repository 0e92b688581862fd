// The frames of the event channel as JSON Schema, for clients that check frames or generate types. OpenAPI cannot
// describe WebSocket. docs/contract/events.md#frames.
import { eventSchemaPath } from '../events/describe.ts'
import { type OpenApi, resolve, type Schema } from './openapi-document.ts'

interface EventSchema extends Schema {
  $schema: string
  $id: string
  title: string
  $defs: Record<string, Schema>
}

/**
 * Of every frame, in either direction; `event` is distinguished by its kind, and the shapes that payloads need are
 * included.
 */
export function eventSchema(document: Pick<OpenApi, 'components' | 'x-websocket'>): EventSchema {
  const { frames, kinds } = document['x-websocket']
  const shapes = new Map<string, Schema>()
  const moved = (schema: Schema): Schema => own(document, schema, shapes)
  const events = Object.entries(kinds).map(([kind, { since, tells, to, payload }]): [string, Schema] => [
    `event.${kind}`,
    {
      ...object({
        type: { const: 'event', description: 'What the frame is' },
        event_id: {
          type: 'string',
          format: 'uuid',
          description: 'Acknowledge it once the event is stored; drop what comes again under it',
        },
        kind: { const: kind, description: 'What happened' },
        payload: { ...moved(payload), description: 'What it is about; read the resource for what holds now' },
      }),
      description: `${tells}. To: ${to}. Since version ${since} of the channel.`,
    },
  ])
  const others = Object.entries(frames).filter(([name]) => name !== 'event')
  const named = [...events, ...others.map(([name, { schema }]): [string, Schema] => [name, schema as Schema])]
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: eventSchemaPath,
    title: 'Frames of the event channel of Kith',
    description:
      'Every frame is one JSON object in a text message. The service sends `event`, `acked` and `error`, a client sends `ack`. ' +
      'A later version of the channel adds kinds: leave out what you do not know.',
    oneOf: named.map(([name]) => ({ $ref: `#/$defs/${name}` })),
    $defs: { ...Object.fromEntries(named), ...Object.fromEntries(shapes) },
  }
}

const object = (properties: Record<string, Schema>): Schema => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
  additionalProperties: false,
})

/** The schema with everything it refers to in this document. */
function own(document: Pick<OpenApi, 'components'>, schema: Schema, shapes: Map<string, Schema>): Schema {
  const inner = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inner)
    if (typeof value !== 'object' || value === null) return value
    return own(document, value as Schema, shapes)
  }
  const { $ref, ...rest } = schema
  const moved = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, inner(value)])) as Schema
  if ($ref === undefined) return moved
  const name = $ref.split('/').at(-1) as string
  if (!shapes.has(name)) {
    shapes.set(name, {})
    shapes.set(name, own(document, resolve<Schema>(document, { $ref }), shapes))
  }
  return { ...moved, $ref: `#/$defs/${name}` }
}
