// Events for stories in which only their number, kind or size matters.
import { randomUUID } from 'node:crypto'
import type { EventKind } from '../src/events/kinds.ts'
import { openapi } from '../src/http/openapi.ts'
import { example } from '../src/http/openapi-examples.ts'

const document = openapi([])

export function samplePayload(kind: EventKind): Record<string, unknown> {
  const described = document['x-websocket'].kinds[kind]
  if (!described) throw new Error(`no such kind: ${kind}`)
  return example(document, described.payload, 'all') as Record<string, unknown>
}

/** The payload of an order's event, as JSON. */
export const orderChanged: string = JSON.stringify({ order_id: randomUUID(), status: 'funded', version: 2 })
