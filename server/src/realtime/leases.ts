// At most two connections a passport over all nodes: leases in PostgreSQL, renewed while the node lives.
// OPEN-POINTS.md, section 10.
import { after, earlier, seconds } from '../kernel/clock.ts'
import type { Sql } from '../store/sql.ts'

export const maxConnections = 2
export const leaseTime: number = seconds(30)
export const renewEvery: number = seconds(10)

/** Takes a lease for a connection; false when two others hold one. */
export function acquire(sql: Sql, lease: { id: string; agentId: string; nodeId: string }): Promise<boolean> {
  return sql.transaction(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtextextended(${`connections ${lease.agentId}`}, 0))`
    await tx`delete from connections where agent_id = ${lease.agentId} and expires_at <= ${tx.now}`
    const taken = await tx`
      insert into connections (id, agent_id, node_id, expires_at)
      select ${lease.id}, ${lease.agentId}, ${lease.nodeId}, ${after(tx.now, leaseTime)}
      where (select count(*) from connections where agent_id = ${lease.agentId}) < ${maxConnections}
      returning id`
    return taken.length === 1
  })
}

export const release = (sql: Sql, ids: readonly string[]) => sql`delete from connections where id = any(${ids}::uuid[])`

/**
 * Says that a node is alive and renews the leases of its open connections; returns those that it still holds. A lease
 * whose connection is gone, and which could not be freed then, is left to expire.
 */
export async function renew(
  sql: Sql,
  nodeId: string,
  { now, open }: { now: Date; open: readonly string[] },
): Promise<Set<string>> {
  await sql`update nodes set seen_at = ${now} where id = ${nodeId}`
  const rows = await sql<{ id: string }>`
    update connections set expires_at = ${after(now, leaseTime)}
    where node_id = ${nodeId} and id = any(${open}::uuid[]) returning id`
  return new Set(rows.map(({ id }) => id))
}

/** Registers this node and frees what an earlier run under the same name left behind. */
export async function registerNode(sql: Sql, node: { id: string; name: string; alone: boolean }): Promise<void> {
  await sql.transaction(async (tx) => {
    await tx`
      delete from nodes where ${node.alone} or name = ${node.name} or seen_at < ${earlier(tx.now, 10 * leaseTime)}`
    await tx`insert into nodes (id, name, seen_at) values (${node.id}, ${node.name}, ${tx.now})`
  })
}

export const unregisterNode = (sql: Sql, nodeId: string) => sql`delete from nodes where id = ${nodeId}`

/** Whether another node has been alive within three lease times. */
export async function hasPeers(sql: Sql, nodeId: string, now: Date): Promise<boolean> {
  const rows = await sql`select 1 from nodes where id <> ${nodeId} and seen_at > ${earlier(now, 3 * leaseTime)} limit 1`
  return rows.length > 0
}
