// Two inspections at once over all nodes: leases in PostgreSQL, which outlive no node by more than half a minute. Of the
// two, long ones (a video that is normalised takes minutes) have only the second: all else never waits for one of them.
// While others wait an agent has at most one. docs/contract/attachments.md
import { setTimeout as sleep } from 'node:timers/promises'
import { inspectionSlots } from '../../inspect/inspectors.ts'
import { after, seconds } from '../../kernel/clock.ts'
import { perService, type Service } from '../../service.ts'
import { createClaims, firstClaim, type Lane } from './slot-claims.ts'
import { createTurns } from './upload-turns.ts'

/** In the order in which they are asked for, unless a job has one of its own. */
const slots: Readonly<Record<Lane, readonly number[]>> = { short: inspectionSlots, long: inspectionSlots.slice(1) }
const leaseTime = seconds(30)
const renewEvery = 10_000
const retryEvery = 200

interface Job {
  ownerId: string
  lane: Lane
  order?: (slots: readonly number[]) => readonly number[]
}

type RunInSlot = <T>(job: Job, work: (slot: number) => Promise<T>, signal: AbortSignal) => Promise<T>

interface Lease {
  slot: number
  /** The latest end that was asked for; one that this process takes later ends later. */
  until: Date
}

/** The slots that this process runs or waits for. If a lease could not be renewed, its work still goes on. */
const heldHere = perService(() => new Set<number>())

/** Runs work once there is a free slot, owners by turns; rejects with the signal's reason while it still waits. */
export function createSlots(service: Service): RunInSlot {
  const { sql, clock, nodeId, metrics } = service
  const held = heldHere(service)
  const claims = createClaims(service)
  // Of this node only so many ask the database at all.
  const turnsToAsk = { short: createTurns(slots.short.length), long: createTurns(slots.long.length) }

  /** Undefined if somebody else of this node is to ask first. */
  async function take({ ownerId, lane, order = (all) => all }: Job, signal: AbortSignal): Promise<Lease | undefined> {
    for (;;) {
      for (const slot of order(slots[lane])) {
        const lease = await takeIfFree(slot, lane, ownerId)
        if (lease) return lease
      }
      await sleep(retryEvery, undefined, { signal }).catch(() => {})
      signal.throwIfAborted()
      if (turnsToAsk[lane].waiting().some((key) => key !== ownerId)) return undefined
    }
  }

  /** The row of the negative number says whose file is at a slot: its `node_id` is that agent. */
  async function takeIfFree(slot: number, lane: Lane, ownerId: string): Promise<Lease | undefined> {
    if (held.has(slot)) return undefined
    held.add(slot)
    let isTaken = false
    try {
      const now = clock.now()
      const lease = { slot, until: after(now, leaseTime) }
      const isForLong = slots.long.includes(slot)
      const givesWay = isForLong && lane === 'short'
      const taken = await sql`
        with lease as (
          insert into inspections (slot, node_id, expires_at)
          select ${slot}::smallint, ${nodeId}::uuid, ${lease.until}::timestamptz
          where not exists (
            select 1 from inspections c
            where c.expires_at > ${now}
              and (c.slot >= ${firstClaim} or ${isForLong}::boolean and c.slot <= ${-firstClaim})
              and (${givesWay}::boolean and c.slot < 0 or c.node_id <> ${ownerId} and exists (
                select 1 from inspections h join inspections l on l.slot = -h.slot
                where l.slot between 1 and ${firstClaim - 1} and l.slot <> ${slot} and l.expires_at > ${now}
                  and h.node_id = ${ownerId})))
          on conflict (slot) do update set node_id = excluded.node_id, expires_at = excluded.expires_at
          where inspections.expires_at <= ${now}
            or not exists (select 1 from nodes n where n.id = inspections.node_id)
          returning expires_at)
        insert into inspections (slot, node_id, expires_at)
        select ${-slot}::smallint, ${ownerId}::uuid, expires_at from lease
        on conflict (slot) do update set node_id = excluded.node_id, expires_at = excluded.expires_at
        returning 1 as taken`
      isTaken = taken.length > 0
      return isTaken ? lease : undefined
    } finally {
      if (!isTaken) held.delete(slot)
    }
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
      with ended as (
        delete from inspections where slot = ${slot} and node_id = ${nodeId} and expires_at <= ${until} returning slot)
      delete from inspections h using ended where h.slot = -ended.slot`.catch(() => {})
  }

  /** Waits for a slot, and says so to other nodes; resolves with the lease and what ends the turn. */
  async function wait(job: Job, signal: AbortSignal): Promise<[lease: Lease, endTurn: () => void]> {
    metrics.inspectionsWaiting.inc()
    const endClaim = claims.begin(job.ownerId, job.lane)
    try {
      for (;;) {
        const endTurn = await turnsToAsk[job.lane].take(job.ownerId, signal)
        const lease = await take(job, signal).catch((error) => {
          endTurn()
          throw error
        })
        if (lease) return [lease, endTurn]
        endTurn()
      }
    } finally {
      metrics.inspectionsWaiting.dec()
      await endClaim()
    }
  }

  return async (job, work, signal) => {
    const [lease, endTurn] = await wait(job, signal)
    const renewal = setInterval(() => void renew(lease), renewEvery)
    try {
      return await work(lease.slot)
    } finally {
      clearInterval(renewal)
      await remove(lease)
      held.delete(lease.slot)
      endTurn()
    }
  }
}
