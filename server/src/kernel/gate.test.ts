// The gate is said twice, for verbs and for statements: both say the same of every agent, with the gate on and off, to the
// millisecond.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type World, world } from '../../test/world.ts'
import type { Agent } from './callers.ts'
import { days, earlier } from './clock.ts'
import { gateRefusal, passGate } from './gate.ts'
import { Refusal } from './refuse.ts'

const w: World = await world()
after(() => w.close())

const now = w.now()
const moments = [earlier(now, days(14) + 1), earlier(now, days(14)), earlier(now, days(14) - 1), now]

/** What a verb is told. */
function verbs(rules: Parameters<typeof passGate>[0], agent: Agent): string | null {
  try {
    passGate(rules, agent, 'new')
    return null
  } catch (error) {
    assert.ok(error instanceof Refusal)
    return error.code
  }
}

test('verbs and statements refuse the same agents with the same codes', async () => {
  const { id, handle } = await w.agent('ann')
  const seen = new Set<string | null>()
  for (const gateSince of [undefined, ...moments]) {
    for (const ownerEmailGate of [true, false]) {
      const rules = { config: { ownerEmailGate }, clock: { now: () => now }, gateSince }
      for (const createdAt of moments) {
        for (const suspendedAt of [null, now]) {
          for (const emailVerifiedAt of [null, now]) {
            const [row] = await w.sql<{ refusal: string | null }>`
              select ${gateRefusal(rules, now)} as refusal
              from (select ${suspendedAt}::timestamptz as suspended_at, ${emailVerifiedAt}::timestamptz as email_verified_at,
                ${createdAt}::timestamptz as created_at) a`
            const agent: Agent = {
              kind: 'agent',
              id,
              handle,
              suspendedAt,
              suspensionCaseId: null,
              emailVerifiedAt,
              createdAt,
            }
            assert.equal(row?.refusal ?? null, verbs(rules, agent), JSON.stringify({ rules, agent }))
            seen.add(row?.refusal ?? null)
          }
        }
      }
    }
  }
  assert.deepEqual([...seen].sort(), ['owner_email_required', 'profile_inactive', null].sort())
})
