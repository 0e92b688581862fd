// Two inspections at once over all nodes: leases in PostgreSQL, which outlive no node by more than half a minute. Of the
// two, long ones (a video that is normalised takes minutes) have only the second: all else never waits for one of them.
// docs/contract/attachments.md
import { setTimeout as sleep } from 'node:timers/promises'
import { after, seconds } from '../../kernel/clock.ts'
import type { Service } from '../../service.ts'
import { createTurns } from './upload-turns.ts'

/** In the order in which they are asked for. */
const slots = { short: [1, 2], long: [2] } as const
export type Lane = keyof typeof slots
const leaseTime = seconds(30)
const renewEvery = 10_000
const retryEvery = 200

export type RunInSlot = <T>(
  job: { ownerId: string; lane: Lane },
  work: (slot: number) => Promise<T>,
  signal: AbortSignal,
) => Promise<T>

/** Runs work once there is a free slot, owners by turns; rejects with the signal's reason while it still waits. */
export function createSlots({ sql, clock, nodeId, metrics }: Service): RunInSlot {
  // Of this node only so many ask the database at all.
  const turns = { short: createTurns(slots.short.length), long: createTurns(slots.long.length) }
  /** While one waits here, short ones keep to the first slot, or a stream of them would take the second every time. */
  let longOnesWait = 0

  async function take(lane: Lane, signal: AbortSignal): Promise<number> {
    if (lane === 'short') return takeOneOf(() => (longOnesWait > 0 ? slots.short.slice(0, 1) : slots.short), signal)
    longOnesWait++
    return takeOneOf(() => slots.long, signal).finally(() => longOnesWait--)
  }

  async function takeOneOf(wanted: () => readonly number[], signal: AbortSignal): Promise<number> {
    for (;;) {
      for (const slot of wanted()) {
        const [taken] = await sql`
          insert into inspections (slot, node_id, expires_at)
          values (${slot}, ${nodeId}, ${after(clock.now(), leaseTime)})
          on conflict (slot) do update set node_id = excluded.node_id, expires_at = excluded.expires_at
          where inspections.expires_at <= ${clock.now()}
            or not exists (select 1 from nodes n where n.id = inspections.node_id)
          returning slot`
        if (taken) return slot
      }
      await sleep(retryEvery, undefined, { signal }).catch(() => {})
      signal.throwIfAborted()
    }
  }

  return async ({ ownerId, lane }, work, signal) => {
    metrics.inspectionsWaiting.inc()
    const endTurn = await turns[lane].take(ownerId, signal).finally(() => metrics.inspectionsWaiting.dec())
    try {
      const slot = await take(lane, signal)
      const renewal = setInterval(() => {
        sql`
          update inspections set expires_at = ${after(clock.now(), leaseTime)}
          where slot = ${slot} and node_id = ${nodeId}`.catch(() => {})
      }, renewEvery)
      try {
        return await work(slot)
      } finally {
        clearInterval(renewal)
        await sql`delete from inspections where slot = ${slot} and node_id = ${nodeId}`.catch(() => {})
      }
    } finally {
      endTurn()
    }
  }
}
