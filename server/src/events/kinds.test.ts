// The registry of kinds: what the compiler holds an emitter to, and what a version of the channel knows.
// docs/contract/events.md.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conforms } from '../../test/conforms.ts'
import { samplePayload } from '../../test/events.ts'
import { type EventKind, eventKinds, newestChannelVersion, sinceOf } from './kinds.ts'
import type { Emission } from './outbox.ts'

/** Right when it type-checks; it never runs. */
export function emissions(to: readonly string[], subject: string): Emission[] {
  return [
    { kind: 'order.changed', to, subject, payload: { order_id: subject, status: 'funded', version: 2 } },
    { kind: 'staff.changed', to, subject, payload: { roles: ['support'], version: 2 } },
    // @ts-expect-error no such kind
    { kind: 'order.vanished', to, subject, payload: { order_id: subject, status: 'funded', version: 2 } },
    // @ts-expect-error the version is missing
    { kind: 'order.changed', to, subject, payload: { order_id: subject, status: 'funded' } },
    // @ts-expect-error the payload of another kind
    { kind: 'message.status_changed', to, subject, payload: { order_id: subject, version: 2 } },
    // @ts-expect-error an event carries no more than its kind says
    { kind: 'human_order.changed', to, subject, payload: { order_id: subject, version: 2, title: 'A portrait' } },
  ]
}

test('versions start at 1 without a gap, and each adds a kind', () => {
  const versions = new Set(Object.values(eventKinds).map(({ since }) => since))
  assert.deepEqual(
    [...versions].sort((a, b) => a - b),
    Array.from({ length: newestChannelVersion }, (_, index) => index + 1),
  )
})

test('every kind has a description and a payload that rejects unknown fields', () => {
  for (const kind of Object.keys(eventKinds) as EventKind[]) {
    const { tells, to, payload } = eventKinds[kind]
    assert.ok(sinceOf(kind) >= 1 && tells.length > 0 && to.length > 0, kind)
    const sample = samplePayload(kind)
    assert.deepEqual(conforms(payload, sample), [], kind)
    assert.notDeepEqual(conforms(payload, { ...sample, note: 'private' }), [], kind)
    assert.notDeepEqual(conforms(payload, {}), [], kind)
  }
})
