// At most two connections per passport over all nodes: leases in PostgreSQL, renewed while the node lives. If the
// database forgets a node (another node's clock, a restored backup, an operator), its next renewal, or its next
// connection, restores it. docs/contract/events.md, docs/several-nodes.md.
import { after, earlier, seconds } from '../kernel/clock.ts'
import { type Part, part } from '../kernel/part.ts'
import type { Query, Sql } from '../store/sql.ts'

export const maxConnections = 2
export const leaseTime: number = seconds(30)
const renewEvery: number = seconds(10)

/** The class of the advisory locks by which nodes show that they live; the hash of the node's ID is the other half. */
export const aliveLock = 0x6b697468

/** Whether the process of a row of `nodes` (alias `n`) is alive. */
const holdsLock: Part = part`exists (
  select 1 from pg_locks where locktype = 'advisory' and classid = ${aliveLock}::int::oid and objsubid = 2 and granted
    and objid = ((hashtext(n.id::text)::bigint & 4294967295)::text)::oid
    and database = (select oid from pg_database where datname = current_database()))`

export interface Node {
  id: string
  /** Where it runs: machine and address. In containers two nodes may have the same. */
  name: string
}

/** Takes a lease for a connection; false when two others hold one. */
export function acquire(sql: Sql, lease: { id: string; agentId: string; node: Node }): Promise<boolean> {
  const { node } = lease
  return sql.transaction(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtextextended(${`connections ${lease.agentId}`}, 0))`
    await tx`delete from connections where agent_id = ${lease.agentId} and expires_at <= ${tx.now}`
    const taken = await tx`
      with known as (
        insert into nodes (id, name, seen_at) values (${node.id}, ${node.name}, ${tx.now}) on conflict do nothing
      )
      insert into connections (id, agent_id, node_id, expires_at)
      select ${lease.id}, ${lease.agentId}, ${node.id}, ${after(tx.now, leaseTime)}
      where (select count(*) from connections where agent_id = ${lease.agentId} and id <> ${lease.id}) < ${maxConnections}
      on conflict (id) do update set expires_at = excluded.expires_at
      returning id`
    return taken.length === 1
  })
}

export const release = (sql: Query, ids: readonly string[]) =>
  sql`delete from connections where id = any(${ids}::uuid[])`

/** Frees all leases of a node that continues for a moment without connections. */
export const releaseAll = (sql: Query, node: Node) => sql`delete from connections where node_id = ${node.id}`

/** A connection whose lease needs renewal. */
export interface Held {
  id: string
  agentId: string
}

/** How many leases are taken again at a time, if a node lost all of them. */
const together = 8

/**
 * Says that a node is alive and renews the leases of its open connections; returns the IDs of those that it holds now.
 * A lost lease is taken again, unless others have taken its place. One whose connection is gone, and which could not be
 * freed then, is left to expire.
 */
export async function renew(
  sql: Sql,
  node: Node,
  { now, open }: { now: Date; open: readonly Held[] },
): Promise<Set<string>> {
  await sql`
    insert into nodes (id, name, seen_at) values (${node.id}, ${node.name}, ${now})
    on conflict (id) do update set seen_at = excluded.seen_at`
  const rows = await sql<{ id: string }>`
    update connections set expires_at = ${after(now, leaseTime)}
    where node_id = ${node.id} and id = any(${open.map(({ id }) => id)}::uuid[]) returning id`
  const held = new Set(rows.map(({ id }) => id))
  const lost = open.filter(({ id }) => !held.has(id))
  for (let at = 0; at < lost.length; at += together) {
    await Promise.all(
      lost.slice(at, at + together).map(async ({ id, agentId }) => {
        if (await acquire(sql, { id, agentId, node })) held.add(id)
      }),
    )
  }
  return held
}

/**
 * Frees what earlier runs left behind: those of the same name, and any that were silent for long, or whose last sign
 * of life is in the future, because the clock was set back since, unless their process still holds its lock. That matters more than clocks and names: two
 * nodes may share a name, and one clock may be hours off. `alone`: no other node can exist, because the database belongs to
 * this process.
 */
export async function freeEarlierRuns(
  sql: Query,
  node: Node,
  { now, alone, those }: { now: Date; alone: boolean; those: Judged },
): Promise<void> {
  if (those === 'none') return
  const isSilent =
    those === 'all'
      ? part`or n.seen_at not between ${earlier(now, 10 * leaseTime)} and ${after(now, 10 * leaseTime)}`
      : part``
  const dead = alone ? part`true` : part`(n.name = ${node.name} ${isSilent}) and not ${holdsLock}`
  await sql`delete from nodes n where n.id <> ${node.id} and ${dead}`
}

/** Which of the nodes that did not renew may be taken for earlier runs. */
export type Judged = 'all' | 'those of the same name' | 'none'

/**
 * Notes the renewals of this node, and says which others may be taken for earlier runs. After a pause longer than a lease,
 * and after a start, they have the time of one first: the database may have been away for them too, and with it their
 * locks. Only the earlier run of a node that starts is known by its name at once.
 */
export function renewals(elapsed = () => performance.now()) {
  let last = elapsed()
  let backAt: number | undefined
  const age = (): number => elapsed() - last
  return {
    /** From so long after the last one until the next one succeeds. */
    isDue: () => age() >= renewEvery,
    isTooLate: () => age() > leaseTime,
    note(): Judged {
      const now = elapsed()
      const isFirst = backAt === undefined
      if (backAt === undefined || now - last > leaseTime) backAt = now
      last = now
      if (isFirst) return 'those of the same name'
      return now - backAt >= leaseTime ? 'all' : 'none'
    },
  }
}

export const unregister = (sql: Query, node: Node) => sql`delete from nodes where id = ${node.id}`

/** How many other nodes there are: those that hold their lock, or renewed within three lease times. */
export async function countPeers(sql: Query, node: Node, now: Date): Promise<number> {
  const rows = await sql`
    select 1 from nodes n where n.id <> ${node.id} and (n.seen_at > ${earlier(now, 3 * leaseTime)} or ${holdsLock})`
  return rows.length
}

/** The leases that other nodes hold. */
export const heldElsewhere = (sql: Query, node: Node) =>
  sql<{ agentId: string; nodeId: string }>`
    select distinct agent_id as "agentId", node_id as "nodeId" from connections where node_id <> ${node.id}`

/** The other nodes that may serve one of these agents: its lease there has not expired, or the process is alive. */
export async function holders(sql: Query, node: Node, agentIds: readonly string[], now: Date): Promise<string[]> {
  const rows = await sql<{ nodeId: string }>`
    select distinct n.id as "nodeId" from connections c join nodes n on n.id = c.node_id
    where c.agent_id = any(${agentIds}::uuid[]) and n.id <> ${node.id} and (c.expires_at > ${now} or ${holdsLock})`
  return rows.map(({ nodeId }) => nodeId)
}

export interface NodeState extends Node {
  seen_at: Date
  /** Whether its process is alive, judging by its lock or its last renewal. */
  alive: boolean
  /** Connections whose lease lives. */
  open: number
}

/** Every known node, by name. */
export const nodes = (sql: Query, now: Date): Promise<NodeState[]> => sql<NodeState>`
  select n.id, n.name, n.seen_at, n.seen_at > ${earlier(now, 3 * leaseTime)} or ${holdsLock} as alive,
    (select count(*)::int from connections c where c.node_id = n.id and c.expires_at > ${now}) as open
  from nodes n order by n.name, n.id`
