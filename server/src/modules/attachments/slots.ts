// Two inspections at once over all nodes: leases in PostgreSQL, which outlive no node by more than half a minute.
// SPEC.md, Limits (Attachments).
import { setTimeout as sleep } from 'node:timers/promises'
import { after, seconds } from '../../kernel/clock.ts'
import type { Service } from '../../service.ts'
import { createTurns } from './fair-queue.ts'

const slots = [1, 2] as const
const leaseTime = seconds(30)
const renewEvery = 10_000
const retryEvery = 200

export type RunInSlot = <T>(ownerId: string, work: () => Promise<T>, signal: AbortSignal) => Promise<T>

/** Runs work once there is a free slot, owners by turns; rejects with the signal's reason while it still waits. */
export function createSlots({ sql, clock, nodeId, metrics }: Service): RunInSlot {
  // Of this node only so many ask the database at all.
  const turns = createTurns(slots.length)

  async function take(signal: AbortSignal): Promise<number> {
    for (;;) {
      for (const slot of slots) {
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

  return async (ownerId, work, signal) => {
    metrics.inspectionsWaiting.inc()
    const endTurn = await turns.take(ownerId, signal).finally(() => metrics.inspectionsWaiting.dec())
    try {
      const slot = await take(signal)
      const renewal = setInterval(() => {
        sql`
          update inspections set expires_at = ${after(clock.now(), leaseTime)}
          where slot = ${slot} and node_id = ${nodeId}`.catch(() => {})
      }, renewEvery)
      try {
        return await work()
      } finally {
        clearInterval(renewal)
        await sql`delete from inspections where slot = ${slot} and node_id = ${nodeId}`.catch(() => {})
      }
    } finally {
      endTurn()
    }
  }
}
