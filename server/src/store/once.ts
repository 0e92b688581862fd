// Idempotency in one place: one row (actor, operation_id) in the business transaction
// (docs/contract/representation.md#idempotency).
import { hash } from 'node:crypto'
import { refuse } from '../kernel/refuse.ts'
import type { Tx } from './sql.ts'

export interface Operation {
  /** The party whose name space the ID is in. */
  actor: string
  operationId: string
  /** The action and its subject: the route and its path, so that one ID never serves two operations. */
  name: string
  /** The content after normalisation; key order does not matter. */
  content: unknown
  /** The ID of what `act` will create or change. */
  resourceId: string
}

/**
 * Runs `act` at most once per (actor, operation ID) and remembers the ID of what it created. A replay of the same name
 * and content calls `reread` with that ID; anything else under the ID is refused as `idempotency_conflict`. Parallel
 * twins wait on the primary key, so a loser sees the winner's complete row. A refusal rolls the row back with the rest.
 * The first queries of `act` travel with the row, as if it were the first time. If it is not, everything is undone and
 * the transaction runs again, this time step by step.
 */
export async function once<T extends { id: string }>(
  tx: Tx,
  operation: Operation,
  { act, reread }: { act: () => Promise<T>; reread: (id: string) => Promise<T> },
): Promise<{ created: boolean; value: T }> {
  const digest = operationDigest(operation)
  const claimed = tx`
    insert into operations (actor_id, operation_id, digest, resource_id, created_at)
    values (${operation.actor}, ${operation.operationId}, ${digest}, ${operation.resourceId}, ${tx.now})
    on conflict do nothing returning operation_id`
  const requireFirst = async (): Promise<void> => {
    if ((await claimed).length === 0) tx.restart()
  }
  if (!tx.isRestarted || (await claimed).length > 0) {
    const value = await alongside(requireFirst(), act())
    // The subject of a change may be known only now.
    if (value.id !== operation.resourceId) {
      tx.write`
        update operations set resource_id = ${value.id}
        where actor_id = ${operation.actor} and operation_id = ${operation.operationId}`
    }
    return { created: true, value }
  }
  const [prior] = await tx<{ digest: Buffer; resource_id: string }>`
    select digest, resource_id from operations
    where actor_id = ${operation.actor} and operation_id = ${operation.operationId}`
  if (!prior || !digest.equals(prior.digest)) return refuse('idempotency_conflict')
  return { created: false, value: await reread(prior.resource_id) }
}

/** What a replay is compared by. */
export const operationDigest = ({ name, content }: Pick<Operation, 'name' | 'content'>): Buffer =>
  contentDigest([name, content])

/** Waits for both; the refusal of the first takes precedence over that of the second. */
export async function alongside<T>(first: Promise<void>, second: Promise<T>): Promise<T> {
  second.catch(() => {})
  await first
  return second
}

/** SHA-256 of the canonical JSON of a value: keys sorted at every depth, `undefined` left out. */
export const contentDigest = (value: unknown): Buffer => hash('sha256', canonical(value), 'buffer')

/** The canonical JSON of a value. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
