// Two inspections at once over all nodes: leases in PostgreSQL, which outlive no node by more than half a minute. Of the
// two, long ones (a video that is normalised takes minutes) have only the second: all else never waits for one of them.
// docs/contract/attachments.md
import { setTimeout as sleep } from 'node:timers/promises'
import { inspectionSlots } from '../../inspect/inspectors.ts'
import { after, seconds } from '../../kernel/clock.ts'
import { perService, type Service } from '../../service.ts'
import { createTurns } from './upload-turns.ts'

/** In the order in which they are asked for, unless a job has one of its own. */
const slots: Readonly<Record<'short' | 'long', readonly number[]>> = {
  short: inspectionSlots,
  long: inspectionSlots.slice(1),
}
export type Lane = keyof typeof slots
const leaseTime = seconds(30)
const renewEvery = 10_000
const retryEvery = 200

/**
 * The row that says that somewhere a long one waits: until then short ones keep to the first slot, or a stream of them
 * would take the second every time. It outlives its node by no more than its time.
 */
const claim = 0
const claimTime = seconds(10)

export type RunInSlot = <T>(
  job: { ownerId: string; lane: Lane; order?: (slots: readonly number[]) => readonly number[] },
  work: (slot: number) => Promise<T>,
  signal: AbortSignal,
) => Promise<T>

interface Lease {
  slot: number
  /** The latest end that was asked for; one that this process takes later ends later. */
  until: Date
}

/** The slots of which this process runs or asks: where a lease could not be renewed, its work goes on all the same. */
const heldHere = perService(() => new Set<number>())

/** Runs work once there is a free slot, owners by turns; rejects with the signal's reason while it still waits. */
export function createSlots(service: Service): RunInSlot {
  const { sql, clock, nodeId, metrics } = service
  const held = heldHere(service)
  // Of this node only so many ask the database at all.
  const turnsToAsk = { short: createTurns(slots.short.length), long: createTurns(slots.long.length) }

  async function take(lane: Lane, ordered: () => readonly number[], signal: AbortSignal): Promise<Lease> {
    try {
      for (;;) {
        for (const slot of ordered()) {
          const lease = await takeIfFree(slot, lane)
          if (lease) return lease
        }
        if (lane === 'long') await claimNext()
        await sleep(retryEvery, undefined, { signal }).catch(() => {})
        signal.throwIfAborted()
      }
    } finally {
      // Another that waits says so again at its next try.
      if (lane === 'long') await remove({ slot: claim, until: after(clock.now(), claimTime) })
    }
  }

  async function takeIfFree(slot: number, lane: Lane): Promise<Lease | undefined> {
    if (held.has(slot)) return undefined
    held.add(slot)
    let isTaken = false
    try {
      const now = clock.now()
      const lease = { slot, until: after(now, leaseTime) }
      const givesWay = lane === 'short' && slots.long.includes(slot)
      const taken = await sql`
        insert into inspections (slot, node_id, expires_at)
        select ${slot}::smallint, ${nodeId}::uuid, ${lease.until}::timestamptz
        where not ${givesWay}::boolean
          or not exists (select 1 from inspections c where c.slot = ${claim} and c.expires_at > ${now})
        on conflict (slot) do update set node_id = excluded.node_id, expires_at = excluded.expires_at
        where inspections.expires_at <= ${now}
          or not exists (select 1 from nodes n where n.id = inspections.node_id)
        returning 1 as taken`
      isTaken = taken.length > 0
      return isTaken ? lease : undefined
    } finally {
      if (!isTaken) held.delete(slot)
    }
  }

  async function claimNext(): Promise<void> {
    const now = clock.now()
    await sql`
      insert into inspections (slot, node_id, expires_at)
      values (${claim}, ${nodeId}, ${after(now, claimTime)})
      on conflict (slot) do update set node_id = excluded.node_id, expires_at = excluded.expires_at
      where inspections.expires_at <= ${after(now, claimTime / 2)}`
  }

  async function renew(lease: Lease): Promise<void> {
    const before = lease.until
    lease.until = after(clock.now(), leaseTime)
    await sql`
      update inspections set expires_at = ${lease.until}
      where slot = ${lease.slot} and node_id = ${nodeId} and expires_at <= ${before}`.catch(() => {})
  }

  async function remove({ slot, until }: Lease): Promise<void> {
    await sql`
      delete from inspections where slot = ${slot} and node_id = ${nodeId} and expires_at <= ${until}`.catch(() => {})
  }

  return async ({ ownerId, lane, order = (all) => all }, work, signal) => {
    metrics.inspectionsWaiting.inc()
    const endTurn = await turnsToAsk[lane].take(ownerId, signal).finally(() => metrics.inspectionsWaiting.dec())
    try {
      const lease = await take(lane, () => order(slots[lane]), signal)
      const renewal = setInterval(() => void renew(lease), renewEvery)
      try {
        return await work(lease.slot)
      } finally {
        clearInterval(renewal)
        await remove(lease)
        held.delete(lease.slot)
      }
    } finally {
      endTurn()
    }
  }
}
